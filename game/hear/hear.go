package hear

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Listener is one client.
type Listener struct {
	Self state.ID // the client's own player
	Ears state.ID // whose ears it has: its own, or those of the player it watches
	Team uint8    // theirs, 0 none: whose marks it is told of

	// What it takes to hear the unseen. Without Rules or Memory nobody unseen is heard:
	// so it is for who has no living body and watches nobody.
	Rules  *Rules
	Memory *Memory
	Tick   state.Tick
	At     vec.V3 // of the ears
}

// Senses is what a client knows in the tick of the event.
type Senses interface {
	// Knows reports whether the client is being sent this subject.
	Knows(id state.ID) bool
	// Sees reports whether a point can be seen from the client's eye.
	Sees(p vec.V3) bool
}

// bodyUp is how far above the feet a fallen body is looked for.
var bodyUp = vec.V3{Z: 0.5}

// Route returns ev as the listener may be told of it, and whether it may at all.
func Route(l *Listener, s Senses, ev *state.Event) (state.Event, bool) {
	e := *ev
	e.Only, e.Muffled = 0, false
	if e.Kind == state.EvNone || e.Kind >= state.NumEvents {
		return state.Event{}, false
	}
	if ev.Only != 0 {
		if ev.Only != l.Self && ev.Only != l.Ears {
			return state.Event{}, false
		}
		return toOne(s, e), true
	}
	own := e.Actor != 0 && e.Actor == l.Self
	ours := own || (e.Actor != 0 && e.Actor == l.Ears)
	switch e.Kind {
	case state.EvHit, state.EvHurt:
		// Told to one player; without a name to nobody.
		return state.Event{}, false
	case state.EvKill:
		return state.Event{Kind: e.Kind, Weapon: e.Weapon, Actor: e.Actor, Target: e.Target, Param: e.Param}, true
	case state.EvJoin, state.EvLeave:
		return state.Event{Kind: e.Kind, Actor: e.Actor}, true
	case state.EvPing:
		// A teammate's word about a place: what is there it does not say.
		if l.Team == 0 || e.Param != int32(l.Team) {
			return state.Event{}, false
		}
		return state.Event{Kind: e.Kind, Actor: e.Actor, Pos: e.Pos}, true
	case state.EvDeath:
		ours = e.Target == l.Self || e.Target == l.Ears
		if !ours && !(e.Target != 0 && s.Knows(e.Target)) && !s.Sees(e.Pos.Add(bodyUp)) {
			return state.Event{}, false
		}
		if !knows(s, e.Actor) {
			e.Actor = 0
		}
		return e, true
	case state.EvImpact:
		if !ours && !s.Sees(e.Pos.Mad(surfaceUp, e.Dir)) {
			return state.Event{}, false
		}
		return unnamed(s, e), true
	case state.EvSmoke:
		// Its thrower is told no more than others of where it came to lie.
		if e.Target == 0 || !s.Knows(e.Target) {
			return l.thud(ev)
		}
		e.Target = 0 // the world's number
		return unnamed(s, e), true
	case state.EvFlash, state.EvBounce:
		if !s.Sees(e.Pos.Mad(surfaceUp, e.Dir)) {
			return l.thud(ev)
		}
		e.Param = 0
		return unnamed(s, e), true
	case state.EvExplode, state.EvDoor, state.EvTeleport, state.EvBreak:
		if !ours && !s.Sees(e.Pos) {
			return l.thud(ev) // a teleport has no earshot: it would tell who is behind which wall
		}
		if e.Kind == state.EvExplode {
			// The number of what burst: the world's, which says how many have been fired
			// by anybody.
			e.Param = 0
		}
		return unnamed(s, e), true
	case state.EvFootstep, state.EvJump, state.EvLand, state.EvPad, state.EvSwitch, state.EvDryFire, state.EvReload:
		// A client predicts its own; only who watches needs to be told.
		if own {
			return state.Event{}, false
		}
		if !ours && !knows(s, e.Actor) {
			return l.unseen(ev)
		}
	case state.EvFire, state.EvPickup, state.EvSeat:
		if !ours && !knows(s, e.Actor) {
			return l.unseen(ev)
		}
	case state.EvSpawn:
		if !(ours || knows(s, e.Actor)) {
			return state.Event{}, false
		}
	default:
		return state.Event{}, false
	}
	if e.Target != 0 && !s.Knows(e.Target) {
		e.Target = 0
	}
	return e, true
}

// surfaceUp lifts an impact off its surface, along the normal.
const surfaceUp = 0.03

func knows(s Senses, id state.ID) bool { return id != 0 && s.Knows(id) }

// unnamed takes out the names that the listener does not know.
func unnamed(s Senses, e state.Event) state.Event {
	if !knows(s, e.Actor) {
		e.Actor = 0
	}
	if !knows(s, e.Target) {
		e.Target = 0
	}
	return e
}

// toOne is an event that one player is told of on purpose: a hit, or being hurt.
// It tells that it happened, never who or where an unseen other is; of where a
// hurt came from the unseen case gives a sixteenth of a turn.
func toOne(s Senses, e state.Event) state.Event {
	switch e.Kind {
	case state.EvHit:
		if e.Target != 0 && !s.Knows(e.Target) {
			e.Target, e.Pos, e.Dir, e.Yaw, e.Pitch = 0, vec.V3{}, vec.V3{}, 0, 0
		}
	case state.EvHurt:
		if e.Actor != 0 && !s.Knows(e.Actor) {
			e.Actor, e.Weapon, e.Pos, e.Yaw, e.Pitch = 0, 0, vec.V3{}, 0, 0
			e.Dir = coarse(e.Dir)
		}
	}
	return unnamed(s, e)
}

// coarse rounds a direction to a sixteenth of a turn, level.
func coarse(d vec.V3) vec.V3 {
	if !d.IsFinite() || (d.X == 0 && d.Y == 0) {
		return vec.V3{}
	}
	const step = 360.0 / 16
	n := vec.Floor(float32(vec.Atan2(d.Y, d.X)/step) + 0.5)
	return vec.Forward(float32(float32(n)*step), 0)
}
