package snapshot

import (
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// Note takes the View of a tick that has no packet: what happened in it is told
// in the next one.
func (e *Encoder) Note(view *vis.View) { e.hear(view) }

// hear queues the View's events but for those that the client knows anyway: it
// predicts its own, as long as nothing but its commands acts on it, and what another's
// record shows, that one's shots, steps, jumps and landings, the Decoder makes into
// events again. A first record shows the shots alone: what was there before it to step
// from the client does not know.
func (e *Encoder) hear(view *vis.View) {
	e.events.begin(view.Tick(), state.Tick(e.tickRate))
	events := view.Events()
	for i := range events {
		ev := &events[i]
		switch {
		case ev.Kind >= state.NumEvents:
		case e.plain:
			e.events.add(view.Tick(), ev)
		case ev.Actor == view.Own().ID && ev.Actor != 0 && view.Own().Undisturbed > 0 && predicted(ev.Kind):
		case vis.ByRecord(ev.Kind) && ev.Actor.IsPlayer() && knows(view, ev.Actor) && (e.here(ev.Actor) || ev.Kind == state.EvFire):
			if !e.here(ev.Actor) {
				e.early = append(e.early, ev.Actor)
			}
			if len(e.owed) == maxOwed {
				e.owed = slices.Delete(e.owed, 0, 1)
			}
			e.owed = append(e.owed, queued{tick: view.Tick(), event: *ev})
		default:
			e.events.add(view.Tick(), ev)
		}
	}
}

// maxOwed bounds what is left to records; the oldest is given up.
const maxOwed = 64

// heldMS is for how long somebody who is held may still come back with what records
// have not shown, as View lets sounds wait.
const heldMS = 100

// settle goes through what was left to records. Whoever is gone before a record of it
// has left, or held for long, is told of by events after all: what it did while it was
// known.
func (e *Encoder) settle(now state.Tick) {
	n := 0
	held := state.Tick(heldMS * e.tickRate / 1000)
	for i := range e.owed {
		o := &e.owed[i]
		var s *slot
		if k := e.at[indexOf(o.event.Actor)]; k != 0 {
			s = &e.slots[k-1]
		}
		switch {
		case s != nil && s.sent && int32(s.lastAt-o.tick) >= 0:
		case s != nil && s.here && (!s.still || now-o.tick < held):
			e.owed[n] = *o
			n++
		default:
			e.events.add(o.tick, &o.event)
		}
	}
	e.owed = e.owed[:n]
}

// predicted reports whether a client shows its own event of a kind by itself.
func predicted(k state.EventKind) bool {
	switch k {
	case state.EvFire, state.EvImpact, state.EvJump, state.EvLand, state.EvFootstep, state.EvPad, state.EvSwitch, state.EvDryFire, state.EvReload:
		return true
	}
	return false
}

// knows reports whether a subject is in a View.
func knows(view *vis.View, id state.ID) bool {
	es := view.Entities()
	lo, hi := 0, len(es)
	for lo < hi {
		if m := (lo + hi) / 2; es[m].ID < id {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(es) && es[lo].ID == id && es[lo].Kind == state.KindPlayer
}

// here reports whether a subject has a slot and was in the View of the last packet.
func (e *Encoder) here(id state.ID) bool {
	k := e.at[indexOf(id)]
	return k != 0 && e.slots[k-1].here
}

// fired returns how often somebody has shot in the Views since the last packet
// before whom no slot was given.
func (e *Encoder) fired(id state.ID) (n int) {
	for _, who := range e.early {
		if who == id {
			n++
		}
	}
	return min(n, maxShots)
}

// maxShots is how many shots between two records are shown.
const maxShots = 8

// What the shown events are made with. Judgement: for eyes and ears only.
const (
	standEye  = 400      // 1/256 m, of the shipped tables
	crouchEye = 288      //
	loudSpeed = 920      // of a step that is heard, 1/256 m/s
	hardFall  = 3 * 256  // 1/256 m/s
	jumpSpeed = 256      // upwards, 1/256 m/s
	gravity   = 25 * 256 // 1/256 m/s²
)

// shown appends the events that a player's record shows against the one before,
// which is nil in the first.
func (d *Decoder) shown(was, is *wire.Rec) {
	e := &is.Ent
	if e.Kind != state.KindPlayer || d.plain {
		return
	}
	out := &d.out.Events
	add := func(ev state.Event, ago state.Tick) {
		ev.Actor = e.ID
		*out = append(*out, Event{is.Tick - ago, ev})
	}
	shots, span := e.ShotSeq, state.Tick(1)
	if was != nil {
		shots -= was.Ent.ShotSeq
		span = is.Tick - was.Tick
	}
	if shots > 0 && shots <= maxShots && e.Pose&state.PoseDead == 0 {
		eye := e.Pos
		eye.Z += standEye - (standEye-crouchEye)*int32(e.Duck)/255
		for k := shots; k > 0; k-- {
			add(state.Event{
				Kind: state.EvFire, Weapon: e.Weapon, Pos: eye.V3(), Yaw: e.Yaw, Pitch: e.Pitch, Param: int32(e.ShotSeq - k + 1),
			}, min(span, 64)*state.Tick(k-1)/state.Tick(shots))
		}
	}
	if was == nil || was.Ent.Teleports != e.Teleports || (was.Ent.Pose|e.Pose)&(state.PoseDead|state.PoseSwimming) != 0 {
		return
	}
	stood, stands := was.Ent.Pose&state.PoseOnGround != 0, e.Pose&state.PoseOnGround != 0
	switch {
	case stood && !stands && e.Vel.Z > jumpSpeed:
		add(state.Event{Kind: state.EvJump, Pos: e.Pos.V3()}, 0)
	case !stood && stands:
		fell := gravity*int32(min(span, 64))/int32(max(d.tickRate, 1)) - was.Ent.Vel.Z
		if fell > hardFall {
			add(state.Event{Kind: state.EvLand, Pos: e.Pos.V3(), Param: fell / 32}, 0)
		}
	case stood && stands && e.Pose&(state.PoseDucked|state.PoseWalking) == 0 && e.Stride/stepLength != was.Ent.Stride/stepLength:
		vx, vy := int64(e.Vel.X), int64(e.Vel.Y)
		if vx*vx+vy*vy > loudSpeed*loudSpeed {
			add(state.Event{Kind: state.EvFootstep, Pos: e.Pos.V3()}, 0)
		}
	}
}
