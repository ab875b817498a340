package vis

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// View is what one client may be told of one tick. It is made by Build and by
// nothing else, holds copies, and has no way to anything that was not permitted.
// Its memory is reused by the next Build into it: what the accessors return is
// valid until then and must not be written to.
type View struct {
	tick   state.Tick
	own    Own
	known  []Known
	now    []since // those in known
	before []since // and those of the tick before, for Since
	paths  []state.Body
	events []state.Event
	doors  []DoorSeen
	doored doorsOf
	pieces []PieceSeen
	heard  hear.Memory // of those who are not in it
	waits  []waiting   // what those who are held have done
	taped  bool        // holds a tick, as part of a Tape
}

// Known is one permitted subject. Its Interval is told in ticks.
type Known struct {
	state.Entity
	Reason Reason
	Detail state.Detail // how finely it is sent
	// Still says that nothing newer is told of it (NoNews), though it is known.
	Still bool
	// Nearer is by how much the viewer's optic brings the subject nearer: 1 without one.
	Nearer float32
	// Since is the tick in which the viewer came to know the subject.
	Since state.Tick
	// Path is how a player who has just come into view stood before, newest first,
	// state.PathGap ticks between two: as far back as the viewer's interpolation delay,
	// so that it can be drawn as soon as the first packet is there. Only place and
	// velocity are told.
	Path []state.Body
}

// DoorSeen is the state of one door.
type DoorSeen struct {
	Index int // of Level.Doors
	State state.DoorState
	Near  bool // the viewer's own body may touch it within a second
}

// doorReach is how close a door is that a body may touch within a second, metres.
const doorReach = 24

// Tick returns the tick that the View is of.
func (v *View) Tick() state.Tick { return v.tick }

// Own returns the client's own state.
func (v *View) Own() *Own { return &v.own }

// Entities returns the permitted subjects, without the client's own body, by
// ascending id.
func (v *View) Entities() []Known { return v.known }

// Events returns what the client may be told of, in the order in which it
// happened.
func (v *View) Events() []state.Event { return v.events }

// Doors returns the doors that the client is told of.
func (v *View) Doors() []DoorSeen { return v.doors }

// Maker makes Views. A goroutine that makes some beside another has one of its own; the
// zero Maker is ready.
type Maker struct{ b builder }

// Build makes out the View of viewer row v from the world and an Answer that Gate
// has been through. Frame and Input must be of one tick.
func Build(f *Frame, in *Input, ans *Answer, v int, out *View) {
	f.maker.Build(f, in, ans, v, out)
}

// Build is as the function Build. Between Frame.Prepare and the end of the tick several
// goroutines may build Views of one Frame, Input and Answer with a Maker each, of viewers
// who watch nobody (Input.Watches), each one's once: such a View depends on nothing that
// another's changes. Whoever watches a player hears with that player's ears, so that its
// View must not be built at the same time as that player's.
func (m *Maker) Build(f *Frame, in *Input, ans *Answer, v int, out *View) {
	m.build(f, in, ans, v, out, false)
}

// build is Build; with watched, as for somebody who watches the viewer.
func (m *Maker) build(f *Frame, in *Input, ans *Answer, v int, out *View, watched bool) {
	f.Prepare(in)
	switch gone := f.Tick - out.tick; {
	case gone == 0: // built anew
	case gone <= viewGap:
		out.now, out.before = out.before, out.now
	default:
		out.before = out.before[:0]
	}
	out.known, out.paths, out.events, out.pieces = out.known[:0], out.paths[:0], out.events[:0], out.pieces[:0]
	out.tick, out.own, out.taped = f.Tick, f.Own[v], false
	b := &m.b // not on the stack: it is handed on as an interface
	*b = builder{f: f, in: in, ans: ans, v: v, self: in.Viewers[v].ID, found: b.found}
	if watched {
		b.self = 0
	}
	b.place()
	b.entities(out)
	b.doors(out)
	b.tellPieces(out)
	b.hear(out)
	*b = builder{found: b.found}
}

// Watches reports whether viewer v has no living body and watches somebody.
func (in *Input) Watches(v int) bool { return in.Viewers[v].Spectating != 0 && in.body(v) == nil }

// viewGap is how many ticks may pass without a View of somebody before everyone in
// the next one has just come into view.
const viewGap = 8

// builder is the making of one View.
type builder struct {
	f     *Frame
	in    *Input
	ans   *Answer
	v     int
	self  state.ID // whose client this is for; 0 that of somebody else, who watches
	me    int      // subject whose eyes and ears these are; -1 none
	alive bool
	look  vec.V3 // direction of its view; zero: none
	cone  Sector // of its optic; zero: none
	// Its eye, or where it is without one, and what aiming makes of distances.
	from   vec.V3
	narrow float32
	found  []uint64 // scratch
}

// place finds whose eyes the viewer looks through: its own, or those of the
// player whom it watches.
func (b *builder) place() {
	row := b.v
	if b.in.Watches(row) {
		row = watched(b.in, row)
	}
	b.me = -1
	if row >= 0 {
		if i := b.in.Viewers[row].Subject; i >= 0 && i < len(b.in.Subjects) {
			b.me, b.alive = i, b.in.Subjects[i].Alive
			if b.alive && b.in.Viewers[row].Scope.Magnification > 1 {
				rule := usualCone(b.in.TickRate)
				b.cone, _ = b.in.Sector(row, &rule)
			}
		}
	}
}

func (b *builder) permits(s int) bool { return s >= 0 && b.ans.Permitted(b.v, s) }

func (b *builder) entities(out *View) {
	b.aim()
	row := b.ans.Permit[b.v*b.ans.Words : (b.v+1)*b.ans.Words]
	for w, word := range row {
		for ; word != 0; word &= word - 1 {
			s := w*64 + bits.TrailingZeros64(word)
			if s >= len(b.in.Subjects) {
				break
			}
			it := &b.in.Subjects[s]
			if it.ID == b.self {
				continue
			}
			i := b.v*b.ans.Subjects + s
			out.known = append(out.known, Known{Entity: b.f.Entities[s], Reason: b.ans.Reason[i]})
			k := &out.known[len(out.known)-1]
			if k.Still = b.ans.Interval[i] == NoNews; !k.Still {
				k.Interval = state.IntervalTicks(b.ans.Interval[i], b.in.TickRate)
			}
			if k.Reason == Self { // of whom is watched
				k.Reason = Spectated
			}
			if k.Interval != 0 && b.urgent(it) {
				k.Interval = 0
			}
			k.ID, k.Kind, k.Nearer = it.ID, it.Kind, 1
			if b.cone.Magnification > 1 && b.cone.Holds(it.Pos) {
				k.Nearer = b.cone.Magnification
			}
			if k.Reason != Teammate && k.Reason != Spectated {
				k.Health = 0
			}
			if k.Owner != 0 && !b.isKnown(k.Owner) {
				k.Owner = 0
			}
		}
	}
	// Subjects come by ascending id but for reused things: nearly sorted.
	ks := out.known
	for i := 1; i < len(ks); i++ {
		for j := i; j > 0 && ks[j].ID < ks[j-1].ID; j-- {
			ks[j], ks[j-1] = ks[j-1], ks[j]
		}
	}
	b.since(out)
}

// Whoever is aimed at is told of as often as possible, and so is who shoots: what
// the policy says of intervals is for the others.
const (
	aimTan  = 0.105 // 6 degrees
	aimWide = 1.5   // metres more, for a body that is near
)

// aim takes the direction in which the viewer looks.
func (b *builder) aim() {
	b.look = vec.V3{}
	if b.me >= 0 && b.alive {
		b.look = vec.Forward(b.in.Subjects[b.me].Yaw, b.in.Subjects[b.me].Pitch)
	}
}

// urgent reports whether a subject is one of those.
func (b *builder) urgent(it *Subject) bool {
	if it.Fired {
		return true
	}
	if b.look == (vec.V3{}) {
		return false
	}
	to := it.Chest.Sub(b.in.Subjects[b.me].Eye)
	along := to.Dot(b.look)
	wide := float32(along*aimTan) + aimWide
	return along > 0 && to.LenSq()-float32(along*along) <= float32(wide*wide)
}

func (b *builder) doors(out *View) {
	f := b.f
	known := len(f.DoorAt) == len(f.Doors)
	limited := f.DoorRange > 0 && known
	if limited && b.me < 0 {
		out.doors, out.doored = out.doors[:0], doorsOf{}
		return
	}
	at := f.Own[b.v].Player.Pos
	if limited {
		b.nearDoors(out, at, b.in.Subjects[b.me].Eye)
		return
	}
	out.doors, out.doored = out.doors[:0], doorsOf{}
	for i := range f.Doors {
		out.doors = append(out.doors, DoorSeen{Index: i, State: f.Doors[i], Near: !known || atDoor(&f.DoorAt[i], at)})
	}
}

// listener is the viewer as hear knows it.
func (b *builder) listener(out *View) hear.Listener {
	l := hear.Listener{Self: b.self, Ears: b.in.Viewers[b.v].ID}
	if b.me >= 0 {
		l.Ears, l.Team = b.in.Subjects[b.me].ID, b.in.Subjects[b.me].Team
		if b.alive && b.f.Sounds != nil {
			l.Rules, l.Memory, l.Tick, l.At = b.f.Sounds, &out.heard, out.tick, b.in.Subjects[b.me].Eye
		}
	}
	return l
}

func (b *builder) hear(out *View) {
	l := b.listener(out)
	if b.self != 0 && l.Ears == b.self {
		b.f.heardBy(l.Ears, &out.heard)
	} else {
		out.heard.Follow(b.f.heardOf(l.Ears), &l)
	}
	out.heard.Begin(&l, b)
	b.hearWaits(out, &l)
	for i := range b.f.Events {
		if b.isNothing(&l, &b.f.Events[i]) || b.waits(out, &b.f.Events[i]) {
			continue
		}
		if ev, ok := hear.Route(&l, b, &b.f.Events[i]); ok {
			out.events = append(out.events, ev)
		}
	}
}

// heardBy notes whose Memory it is that a player hears with, for those who watch it;
// heardOf returns it, nil when there is none.
func (f *Frame) heardBy(id state.ID, m *hear.Memory) {
	if id.IsPlayer() {
		f.listen(id)
		f.ears[id] = m
	}
}

// listen makes room for the ears of all players up to an id: after Prepare there is.
func (f *Frame) listen(id state.ID) {
	for len(f.ears) <= int(id) {
		f.ears = append(f.ears, nil)
	}
}

func (f *Frame) heardOf(id state.ID) *hear.Memory {
	if int(id) < len(f.ears) {
		return f.ears[id]
	}
	return nil
}

// Knows reports whether the viewer is told how a subject is in this tick: the part of
// hear.Senses about who. Of whom is held out of sight it is not.
func (b *builder) Knows(id state.ID) bool {
	if id == b.self && id != 0 {
		return true
	}
	s := b.row(id)
	return s >= 0 && b.permits(s) && !b.isHeld(s)
}

// isKnown reports whether the viewer has a subject in this tick, held or not.
func (b *builder) isKnown(id state.ID) bool {
	return id == b.self && id != 0 || b.permits(b.row(id))
}

// Sees reports whether a point is in sight of the viewer's eye: the part of
// hear.Senses about where.
func (b *builder) Sees(p vec.V3) bool {
	if b.me < 0 || !b.alive || b.f.Sight == nil || !p.IsFinite() {
		return false
	}
	eye := b.in.Subjects[b.me].Eye
	if far := b.f.EventRange; far > 0 && !(eye.DistSq(p) <= float32(far*far)) && !b.cone.Holds(p) {
		return false
	}
	return b.f.Sight.ClearTo(eye, p)
}
