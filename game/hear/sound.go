package hear

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Rules are by what the unseen are heard in a match. They are only read.
type Rules struct {
	Set      *tables.Set
	TickRate int
	// Seed is the secret that offsets are drawn from.
	Seed uint64
}

// Earshot returns how far an event is heard, in metres; 0 is not at all.
func (r *Rules) Earshot(e *state.Event) float32 {
	s := &r.Set.Sounds
	switch e.Kind {
	case state.EvFire:
		if e.Weapon == tables.NoWeapon || int(e.Weapon) >= len(r.Set.Weapons) {
			return 0
		}
		w := &r.Set.Weapons[e.Weapon]
		if e.Muffled || w.Suppressor {
			return w.Muffled
		}
		return w.Earshot
	case state.EvFootstep:
		return s.Step
	case state.EvJump:
		return s.Jump
	case state.EvLand:
		return s.Land
	case state.EvPad:
		return s.Pad
	case state.EvReload:
		return s.Reload
	case state.EvSwitch, state.EvSeat:
		return s.Switch
	case state.EvDryFire:
		return s.DryFire
	case state.EvPickup:
		return s.Pickup
	case state.EvDoor:
		return s.Door
	case state.EvExplode:
		return s.Explode
	case state.EvBounce:
		return s.Bounce
	case state.EvSmoke:
		return s.Smoke
	case state.EvFlash:
		return s.Flash
	case state.EvBreak:
		return s.Break
	}
	return 0
}

// within reports whether the listener can hear as far as p.
func (l *Listener) within(p vec.V3, earshot float32) bool {
	return l.Rules != nil && l.Memory != nil && earshot > 0 && p.IsFinite() && l.At.DistSq(p) <= float32(earshot*earshot)
}

// Hears reports whether an event is within earshot of the listener: whatever is not is
// told only to who knows its actor or sees its place.
func (l *Listener) Hears(e *state.Event) bool {
	return l.Rules != nil && l.Memory != nil && l.within(e.Pos, l.Rules.Earshot(e))
}

// unseen is an event of somebody whom the listener is not being sent, as it sounds.
func (l *Listener) unseen(e *state.Event) (state.Event, bool) {
	if l.Rules == nil || e.Actor == 0 || !l.within(e.Pos, l.Rules.Earshot(e)) {
		return state.Event{}, false
	}
	out := state.Event{Kind: e.Kind}
	in := l.Memory.encounter(l, e.Actor, e.Pos)
	out.Pos = in.told(l, e.Pos)
	if e.Kind == state.EvFire {
		out.Actor, out.Weapon = e.Actor, e.Weapon
		out.Yaw, out.Pitch = in.aim(e.Yaw, e.Pitch)
		if e.Muffled || l.Rules.Set.Weapons[e.Weapon].Suppressor {
			out.Param = state.Quiet
		}
	}
	return out, true
}

// thud is the sound of a thing without anybody's name: as far away as it is, its
// place is rounded.
func (l *Listener) thud(e *state.Event) (state.Event, bool) {
	if l.Rules == nil || !l.within(e.Pos, l.Rules.Earshot(e)) {
		return state.Event{}, false
	}
	out := state.Event{Kind: e.Kind, Pos: e.Pos}
	switch e.Kind {
	case state.EvDoor, state.EvBreak:
		// They stand where the level says, and everybody is told which are broken.
		out.Param = e.Param
		return out, true
	case state.EvExplode, state.EvSmoke, state.EvFlash:
		out.Weapon = e.Weapon // what it was; canisters that strike a wall sound alike
	}
	out.Pos = round(e.Pos, levelOf(l.At.Dist(e.Pos)))
	return out, true
}
