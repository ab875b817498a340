package scenario

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// things are what an expectation may name that is no player.
var things = map[string]state.Kind{"corpse": state.KindCorpse, "objective": state.KindObjective, "weapon": state.KindPickup}

// Things have ids of their own, above those of clouds and holes.
const (
	firstLeft = state.FirstThing + 256
	mostLeft  = 64
)

// Limits of a scene's spectators: as the server's.
const (
	mostDelayS = 30
	leastFreeS = 1
	markFarM   = 400
	fullBurst  = 2
	fullEveryS = 0.5
	carriedUpM = 1.1
	thingHalfM = 0.25
	lyingUpM   = 0.25
)

// look is what an actor without a living body looks at: see engine/server, which does
// the same with its clients.
type look struct {
	of     int // actor; -1 nobody
	camera bool
	at     vec.V3 // of the camera
	tape   *vis.Tape
	was    looked
	fulls  float64 // full snapshots lately
	fullAt float64
}

type looked struct {
	of     int
	late   state.Tick
	camera bool
}

// late returns how late an actor is told in a tick, and whether as a camera.
func (p *play) late(i int, t float64) (late state.Tick, camera bool) {
	a, l := &p.s.actors[i], &p.looks[i]
	if a.alive(t) || !a.there(t) {
		return 0, false
	}
	ticks := func(s float64) state.Tick { return state.Tick(s*float64(p.s.File.TickRate) + 0.5) }
	switch {
	case l.of >= 0:
		return ticks(p.s.File.SpectateDelayS), false
	case l.camera:
		return ticks(max(p.s.File.SpectateDelayS, leastFreeS)), true
	}
	return 0, false
}

// record keeps what the living are told for who watches them late, from the tick on in
// which somebody has no body.
func (p *play) record(rows []int, t float64, ans *vis.Answer) {
	if p.s.File.SpectateDelayS == 0 {
		return
	}
	idle := false
	for _, i := range rows {
		idle = idle || !p.s.actors[i].alive(t)
	}
	for row, i := range rows {
		if !idle || !p.s.actors[i].alive(t) {
			continue
		}
		l := &p.looks[i]
		if l.tape == nil {
			l.tape = vis.NewTape(int(p.s.File.SpectateDelayS*float64(p.s.File.TickRate)) + 2)
		}
		l.tape.Record(&p.frame, &p.in, ans, row)
	}
}

// view makes out what an actor is told of a tick.
func (p *play) view(row, i int, t float64, ans *vis.Answer, out *vis.View) {
	l := &p.looks[i]
	late, camera := p.late(i, t)
	now := looked{l.of, late, camera}
	was := l.was
	l.was = now
	own := &p.frame.Own[row]
	switch {
	case late == 0 && (was.late == 0 || was == now):
		vis.Build(&p.frame, &p.in, ans, row, out)
	case was != now:
		if camera {
			l.tape = nil
		}
		vis.Blank(p.in.Tick, own, out)
	default:
		tape := l.tape
		if camera {
			if tape == nil {
				tape = vis.NewTape(int(late) + 1)
				l.tape = tape
			}
			tape.Record(&p.frame, &p.in, ans, row)
		} else {
			tape = p.looks[l.of].tape
		}
		if tape == nil {
			vis.Blank(p.in.Tick, own, out)
			return
		}
		tape.Replay(p.in.Tick-late, p.in.Tick, own, out)
	}
}

// looks puts what an actor looks at into its row, as the server does: who looks late is
// no viewer of this tick at all.
func (p *play) looksAt(i int, t float64, v *vis.Viewer, own *vis.Own) {
	late, camera := p.late(i, t)
	own.Delay = uint16(late)
	switch {
	case camera:
		sub := &p.in.Subjects[v.Subject]
		sub.Kind, sub.Alive, sub.Team = state.KindCamera, true, 0
		at := p.looks[i].at
		sub.Pos, sub.Eye, sub.Chest = at, at, at
		sub.Box = vec.Box{Min: at, Max: at}
	case late > 0:
		v.Subject, v.Spectating = -1, 0
	}
}

// askFull lets an actor ask for its whole state, at the rate that a server grants.
func (p *play) askFull(i int, t float64) {
	l := &p.looks[i]
	l.fulls = max(l.fulls-(t-l.fullAt)/fullEveryS, 0)
	l.fullAt = t
	if l.fulls+1 <= fullBurst+slack {
		l.fulls++
		p.lines[i].enc.Reset()
	}
}

// marked returns where an actor's view meets the world, looking level.
func (s *Scene) marked(i int, t float64) vec.V3 {
	a := &s.actors[i]
	eye := s.eye(a, t)
	doors, tick, part := s.doorsAt(t)
	sc := trace.Scene{W: s.world, Poses: make([]level.Pose, len(s.level.Models))}
	scenery.Poses(s.level, doors, tick, part, s.File.TickRate, sc.Poses)
	s.poseBreaks(tick, sc.Poses)
	hit := sc.Ray(eye, eye.Mad(markFarM, vec.Forward(a.yaw(t), 0)), level.MaskShot)
	return hit.End
}

// leftThings appends what is carried, on who carries it or where that one died, and
// what was left, to the Input and the Frame.
func (p *play) leftThings(t float64) {
	s := p.s
	n := state.ID(0)
	for i := range s.events {
		e := &s.events[i]
		if e.Kind != "carry" && e.Kind != "drop" || e.At > t+slack || e.who == p.absent {
			continue
		}
		a := &s.actors[e.who]
		sub := vis.Subject{Kind: state.KindObjective, Alive: true, ID: firstLeft + n}
		ent := state.Entity{Weapon: 1}
		at := a.feet(math.Min(t, a.until))
		if e.Kind == "carry" && a.alive(t) {
			at.Z += carriedUpM
			sub.Owner, ent.Owner = idOf(e.who), idOf(e.who)
		}
		if e.Kind == "drop" {
			at = a.feet(e.At)
			sub.Kind, ent.Weapon = state.KindPickup, uint8(level.PickRifle)
		}
		n++
		mid := at
		if ent.Owner == 0 {
			mid.Z += lyingUpM
		}
		half := vec.V3{X: thingHalfM, Y: thingHalfM, Z: thingHalfM}
		sub.Pos, sub.Eye, sub.Chest, sub.Box = at, mid, mid, vec.Box{Min: mid.Sub(half), Max: mid.Add(half)}
		ent.ID, ent.Kind, ent.Pos = sub.ID, sub.Kind, state.Quant(at)
		p.in.Subjects = append(p.in.Subjects, sub)
		p.frame.Entities = append(p.frame.Entities, ent)
	}
}

// tellsThing reports whether a packet holds something of a kind.
func (p *packet) tellsThing(kind state.Kind) bool { return kind < state.NumKinds && p.kinds[kind] }

// lookEvent checks an event of who looks on, marks, asks, carries or leaves.
func (c *checker) lookEvent(s *Scene, ev *event, key string) {
	ev.who = c.who(s, key+".player", ev.Player)
	if ev.Kind == "carry" || ev.Kind == "drop" {
		if s.left++; s.left > mostLeft {
			c.bad(key, "more than %d things are carried and left in one scene", mostLeft)
		}
	}
	if ev.Kind == "camera" && ev.On {
		ev.at = c.point(key+".place", ev.Place)
	}
}
