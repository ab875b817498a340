package scenario

import (
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Complete is what an Onlooker counted: what an honest player missed for being
// filtered, and what a cheat would have known before the screen showed it.
type Complete struct {
	Frames  int // of living viewers
	Visible int // targets in sight of a frame's eye, added up over frames
	// Missing is those of them that were not drawn and would have been had every
	// snapshot that arrived held everybody: excess-late frames. Runs is in how many
	// pieces they came, and LongestMS the longest piece.
	Missing, Runs int
	LongestMS     float64
	// Much is how often of Missing more than a quarter of the points were in sight: the
	// others are slivers past an edge.
	Much int
	// Before is how often of Missing the picture was of a time before the viewer's own
	// spawn or teleport: for I after it the eye is in its new place and everybody else in
	// the past. Where rules spawn all at once, nobody is there any more who is missing.
	Before int
	// Causes is why those of Missing were not told in the newest snapshot that had
	// arrived.
	Causes [NumCauses]int
	// Preload is, of each disclosure, for how long the client had the target before a
	// frame showed some of it, or altogether when none ever did: Never of them. In ms.
	Preload []float64
	Never   int
	// Delivery and Render are, of each disclosure that was drawn, A - S and R - A in ms:
	// how long its first snapshot was on the way, and how long until a frame drew it. They
	// are there where snapshots are noted (Onlooker.Heard).
	Delivery, Render []float64
	// Hidden is targets that no frame's eye could see, added up, and Known those of them
	// that the client had all the same.
	Hidden, Known int
}

// Onlooker replays what clients received as if every snapshot had held every player,
// with the same arrivals, predicted eyes and clocks, and compares it with what they
// drew. Call Tick after each tick of the server and Frame after each Advance of a
// client that draws. It belongs to the goroutine that runs both; nothing of it
// reaches a client.
//
// A target counts as in sight when the line from the predicted eye to any of some
// points of its hitboxes is clear (bodyPoints), whichever way the viewer looks,
// through doors that are not shut at the shown instant.
type Onlooker struct {
	Complete
	// On is while frames count.
	On bool
	// Range is how far off anybody is sent at all, metres; 0 has no limit.
	Range float32

	set   *tables.Set
	rate  int
	sight *vis.Sight
	ring  [onlookTicks]onlooked
	eyes  map[state.ID]*eyeLog
	told  Truth // scratch: what was answered in the tick under way
	shown []client.Shown
	look  Glimpse
	in    vis.Input // scratch: what blocks sight at the shown instant
	white bool      // the viewer in hand sees nothing but a flash
}

// onlookTicks is how far back in ticks the truth is kept: more than what a client
// lies behind.
const onlookTicks = 256

// onlooked is the truth of a tick.
type onlooked struct {
	Truth
	known bool
}

// eyeLog is one viewer's log.
type eyeLog struct {
	arrived [64]state.Tick // of snapshots, newest last
	n       int
	pairs   map[state.ID]*pairLog
	drawn   map[state.ID]bool
	reveals map[state.ID]*revealLog // whom the newest snapshot holds
}

// pairLog is what is known of a viewer's target.
type pairLog struct {
	point   int              // that was clear the last time
	by      []trace.Occluder // what blocked each point
	blocked []bool

	has, seen bool // the client has it; a frame has shown some of it since
	since     int64
	missing   bool
	missed    int64 // since when
}

// NewOnlooker makes one for a level.
func NewOnlooker(w *trace.World, set *tables.Set, rate int) *Onlooker {
	return &Onlooker{set: set, rate: rate, sight: vis.NewSight(w, rate), eyes: map[state.ID]*eyeLog{}}
}

// Decided is a server's hook of that name: what it is told is why somebody was late.
func (o *Onlooker) Decided(in *vis.Input, ans *vis.Answer) { o.told.Asked(in, ans) }

// Tick notes the truth of the server's tick, made at now.
func (o *Onlooker) Tick(s *server.Server, now int64) {
	m := o.next(s.World().Tick())
	m.Take(s)
	m.At = now
	m.Told, o.told.Told = o.told.Told, m.Told[:0]
}

// Truth notes the truth of a tick out of a log; t is the caller's.
func (o *Onlooker) Truth(t *Truth) {
	m := o.next(t.Tick)
	m.Tick, m.At = t.Tick, t.At
	m.IDs, m.Bodies = append(m.IDs[:0], t.IDs...), append(m.Bodies[:0], t.Bodies...)
	m.Doors, m.Pieces = append(m.Doors[:0], t.Doors...), append(m.Pieces[:0], t.Pieces...)
	m.Smokes, m.Holes = append(m.Smokes[:0], t.Smokes...), append(m.Holes[:0], t.Holes...)
	m.Told = append(m.Told[:0], t.Told...)
}

func (o *Onlooker) next(tick state.Tick) *onlooked {
	m := &o.ring[tick%onlookTicks]
	m.known = true
	return m
}

// at returns the truth of a tick, nil when it is not known.
func (o *Onlooker) at(tick state.Tick) *onlooked {
	if m := &o.ring[tick%onlookTicks]; m.known && m.Tick == tick {
		return m
	}
	return nil
}

// Frame compares what a client draws at now with what it would draw.
func (o *Onlooker) Frame(c *client.Client, now int64) {
	if o.look.Take(c, now, &o.shown) {
		o.Look(&o.look)
	}
}

// Look compares a frame with what an unfiltered server's client would draw. Frames of
// one client come in order, each after the truth of the newest tick that it has.
func (o *Onlooker) Look(g *Glimpse) {
	e := o.eye(g.Viewer)
	e.arrive(g.Arrived)
	o.revealed(e, g)
	tick, frac := g.Tick, g.Frac
	truth := o.at(tick)
	before, after := e.around(tick)
	a := o.at(before)
	if truth == nil || a == nil || !g.Alive {
		for _, p := range e.pairs {
			*p = pairLog{}
		}
		return
	}
	b := o.at(after)
	o.block(truth)
	o.white = scenery.Blinded(g.Blind, o.set.FlashFade(), o.rate) > 0
	clear(e.drawn)
	for _, id := range g.Drawn {
		e.drawn[id] = true
	}
	if o.On {
		o.Frames++
	}
	own := a.of(g.Viewer)
	fresh := own == nil || !own.Alive || own.Teleports != g.Teleports
	for i, id := range a.IDs {
		if id == g.Viewer {
			continue
		}
		p := e.pairs[id]
		if p == nil {
			p = &pairLog{}
			e.pairs[id] = p
		}
		at, ok := o.place(id, &a.Bodies[i], a.Tick, b, after, tick, frac)
		if !ok || !o.inRange(e, g, id, at.Pos.DistSq(g.Eye), before) {
			o.end(p, g.Now)
			continue
		}
		if o.judge(p, g.Eye, &at, e.drawn[id], g.Now, fresh) && o.On {
			o.Causes[o.cause(g, id, &at, fresh)]++
			o.block(truth)
		}
	}
}

// rangeSlack is how far beyond the range somebody may be for the frame whom the server
// had within it, metres: what two players run in the time between.
const rangeSlack = 20

// inRange reports whether an unfiltered server would have sent a target: it was in range
// for the server, from feet to feet, in one of the snapshots between that of tick before
// and the newest.
func (o *Onlooker) inRange(e *eyeLog, g *Glimpse, id state.ID, distSq float32, before state.Tick) bool {
	if !(o.Range > 0) {
		return true
	}
	most := o.Range + rangeSlack
	if distSq > float32(most*most) {
		return false
	}
	for i := range min(e.n, len(e.arrived)) {
		tick := e.arrived[(e.n-1-i)%len(e.arrived)]
		if m := o.at(tick); m != nil {
			own, is := m.of(g.Viewer), m.of(id)
			if own != nil && is != nil && own.Pos.V3().DistSq(is.Pos.V3()) <= float32(o.Range*o.Range) {
				return true
			}
		}
		if tick == before {
			break
		}
	}
	return false
}

// block makes sight that of a tick.
func (o *Onlooker) block(t *onlooked) {
	o.in.Reset(t.Tick, o.rate)
	o.in.Doors, o.in.Pieces = append(o.in.Doors, t.Doors...), append(o.in.Pieces, t.Pieces...)
	o.in.Smokes, o.in.Holes = append(o.in.Smokes, t.Smokes...), append(o.in.Holes, t.Holes...)
	o.sight.Take(&o.in)
}

// eye returns a viewer's log.
func (o *Onlooker) eye(id state.ID) *eyeLog {
	e := o.eyes[id]
	if e == nil {
		e = &eyeLog{pairs: map[state.ID]*pairLog{}, drawn: map[state.ID]bool{}, reveals: map[state.ID]*revealLog{}}
		o.eyes[id] = e
	}
	return e
}

// arrive notes a snapshot that a client has, when it is the newest.
func (e *eyeLog) arrive(tick state.Tick) {
	if e.n > 0 {
		if late := e.arrived[(e.n-1)%len(e.arrived)] - tick; late < onlookTicks {
			return // the newest, or one that came after it
		}
	}
	e.arrived[e.n%len(e.arrived)] = tick
	e.n++
}

// around returns the ticks of the snapshots that have arrived on either side of a
// tick; the same one twice when there is none after it.
func (e *eyeLog) around(tick state.Tick) (before, after state.Tick) {
	for i := range min(e.n, len(e.arrived)) {
		at := e.arrived[(e.n-1-i)%len(e.arrived)]
		if int32(at-tick) <= 0 {
			if i == 0 {
				after = at
			}
			return at, after
		}
		after = at
	}
	return after, after
}

// place returns where an unfiltered client would draw a player whom the snapshot of
// tick from held as a, by the client's own curve; false when it would not.
func (o *Onlooker) place(id state.ID, a *state.Body, from state.Tick, next *onlooked, to, tick state.Tick, frac uint8) (state.Placed, bool) {
	if !a.Alive || int32(from-tick) > 0 {
		return state.Placed{}, false
	}
	passed := uint32(tick-from)*256 + uint32(frac)
	if next == nil || to == from {
		return state.Carry(a, int32(passed), o.rate), true
	}
	b := next.of(id)
	if b == nil || !b.Alive {
		return state.Placed{}, false // it dies on the way: which frame is a matter of rounding
	}
	return state.Blend(a, b, uint32(to-from), passed, o.rate), true
}

// judge counts a target of a frame, and reports whether it is missing; fresh says that
// the viewer has just come to where its eye is.
func (o *Onlooker) judge(p *pairLog, eye vec.V3, at *state.Placed, drawn bool, now int64, fresh bool) bool {
	visible := !o.white && o.sees(p, eye, at)
	if o.On {
		switch {
		case visible:
			o.Visible++
		case drawn:
			o.Hidden++
			o.Known++
		default:
			o.Hidden++
		}
	}
	switch {
	case drawn && !p.has:
		p.has, p.seen, p.since = true, false, now
	case !drawn:
		o.forget(p, now)
	}
	if p.has && visible && !p.seen {
		p.seen = true
		if o.On {
			o.Preload = append(o.Preload, float64(now-p.since)/1e6)
		}
	}
	late := visible && !drawn
	if late && !p.missing {
		p.missed = now
		if o.On {
			o.Runs++
		}
	}
	if late && o.On {
		o.Missing++
		if fresh {
			o.Before++
		}
		if o.much(eye, at) {
			o.Much++
		}
		o.LongestMS = max(o.LongestMS, float64(now-p.missed)/1e6)
	}
	p.missing = late
	return late
}

// forget ends a disclosure.
func (o *Onlooker) forget(p *pairLog, now int64) {
	if p.has && !p.seen && o.On {
		o.Preload = append(o.Preload, float64(now-p.since)/1e6)
		o.Never++
	}
	p.has = false
}

// end is for who is not there to be seen: what was known of it until now counts.
func (o *Onlooker) end(p *pairLog, now int64) {
	o.forget(p, now)
	p.missing = false
}

// sees reports whether some point of a body is in sight: the one of the last time
// first, and of the others those first that what blocked them does not block.
func (o *Onlooker) sees(p *pairLog, eye vec.V3, at *state.Placed) bool {
	var points [numBodyPoints]vec.V3
	bodyPoints(o.set, at, &points)
	if o.sight.Clear(eye, points[p.point]) {
		return true
	}
	if p.by == nil {
		p.by, p.blocked = make([]trace.Occluder, numBodyPoints), make([]bool, numBodyPoints)
	}
	for i := range points {
		if p.blocked[i] && o.sight.Hides(p.by[i], eye, points[i]) {
			continue
		}
		if p.by[i], p.blocked[i] = o.sight.Occluded(eye, points[i]); !p.blocked[i] {
			p.point = i
			return true
		}
	}
	return false
}

// much reports whether more than a quarter of a body's points are in sight.
func (o *Onlooker) much(eye vec.V3, at *state.Placed) bool {
	var points [numBodyPoints]vec.V3
	bodyPoints(o.set, at, &points)
	n := 0
	for _, p := range points {
		if o.sight.Clear(eye, p) {
			n++
		}
	}
	return n*4 > numBodyPoints
}

// numBodyPoints is of the head its middle and six points of its surface, of each of
// three boxes the corners and the middle. Judgement: the largest gap between two is
// 0.37 m, and a slit that narrow through which nothing but the gap is seen does not
// come about.
const numBodyPoints = 7 + 3*9

// bodyPoints fills out with points of a body's hitboxes, a hair inside.
func bodyPoints(set *tables.Set, at *state.Placed, out *[numBodyPoints]vec.V3) {
	s := hitbox.ShapeOf(&set.Movement, hitbox.Pose{Pos: at.Pos, Yaw: at.Yaw, Duck: at.Duck, Lean: at.Lean})
	sin, cos := vec.SinCos(at.Yaw.Deg())
	n := 0
	add := func(v vec.V3) {
		out[n] = at.Pos.Add(vec.V3{X: v.X*cos - v.Y*sin, Y: v.X*sin + v.Y*cos, Z: v.Z})
		n++
	}
	const inside = 0.98
	r := s.HeadRadius * inside
	add(s.HeadAt)
	for _, d := range [6]vec.V3{{X: r}, {X: -r}, {Y: r}, {Y: -r}, {Z: r}, {Z: -r}} {
		add(s.HeadAt.Add(d))
	}
	for i := range s.Boxes {
		mid := s.Boxes[i].Center()
		half := s.Boxes[i].Max.Sub(mid).Scale(inside)
		add(mid)
		for k := range 8 {
			d := half
			if k&1 != 0 {
				d.X = -d.X
			}
			if k&2 != 0 {
				d.Y = -d.Y
			}
			if k&4 != 0 {
				d.Z = -d.Z
			}
			add(mid.Add(d))
		}
	}
}
