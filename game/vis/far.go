package vis

import (
	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
)

// Most of what happens is nothing to most viewers: too far off to be heard or seen, by
// somebody whom they do not know. That is found out here, without asking hear.Route,
// which would say the same.

// telling says by what a viewer is told of a kind of event.
type telling uint8

const (
	byRoute telling = iota // not known here
	byActor                // it knows the actor, or hears it
	byPlace                // it sees the place, or hears it
)

var tellings = [state.NumEvents]telling{
	state.EvFire: byActor, state.EvFootstep: byActor, state.EvJump: byActor, state.EvLand: byActor, state.EvPad: byActor,
	state.EvSwitch: byActor, state.EvDryFire: byActor, state.EvReload: byActor, state.EvPickup: byActor, state.EvSeat: byActor,
	state.EvImpact: byPlace, state.EvFlash: byPlace, state.EvBounce: byPlace,
	state.EvExplode: byPlace, state.EvDoor: byPlace, state.EvTeleport: byPlace, state.EvBreak: byPlace,
}

// besideM is more than hear looks beside the place of an event, metres, along a
// direction of length 1.
const besideM = 1

// isNothing reports whether the viewer is told nothing of an event, as far as that can
// be said at once.
func (b *builder) isNothing(l *hear.Listener, ev *state.Event) bool {
	if ev.Only != 0 || ev.Kind >= state.NumEvents || ev.Actor != 0 && (ev.Actor == l.Self || ev.Actor == l.Ears) {
		return false
	}
	switch tellings[ev.Kind] {
	case byActor:
		return !b.permits(b.row(ev.Actor)) && !l.Hears(ev)
	case byPlace:
		if b.me >= 0 && b.alive {
			far := b.f.EventRange + besideM
			if !(far > besideM) || b.cone.Magnification > 0 || !(ev.Dir.LenSq() < 1.1) || b.in.Subjects[b.me].Eye.DistSq(ev.Pos) <= float32(far*far) {
				return false
			}
		}
		return !l.Hears(ev)
	}
	return false
}
