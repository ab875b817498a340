package weapon

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// OpticOf returns the index of the optic on the weapon in p's hand: what p carries,
// where that fits, and else the weapon's own. Empty hands have iron sights, which is
// to say none.
func OpticOf(p *state.Player, set *tables.Set) int {
	if !valid(p.Weapon) {
		return tables.Iron
	}
	w := &set.Weapons[p.Weapon]
	if w.Mounts && p.Optic > 0 && p.Optic < tables.NumOptics {
		return int(p.Optic)
	}
	return w.Optic
}

// AimSpeed is the factor of that optic on the speed of who aims, for pmove.Env.
func AimSpeed(p *state.Player, set *tables.Set) float32 { return set.Optics[OpticOf(p, set)].AimSpeed }

// Asks reports whether p asks to look through its optic: from the first command that
// aims on, however far it is raised. A weapon that is being changed has none at the
// eye.
func Asks(p *state.Player) bool {
	return p.Alive() && p.Flags&state.Aiming != 0 && p.Next == 0
}

// lift moves the optic towards the eye or down.
func lift(p *state.Player, env Env) {
	o := &env.Set.Optics[OpticOf(p, env.Set)]
	if Asks(p) {
		p.Raise = uint8(min(int(p.Raise)+share(o.RaiseMS, env.TickRate), 255))
		return
	}
	p.Raise = uint8(max(int(p.Raise)-share(o.LowerMS, env.TickRate), 0))
}

// share is how much of 255 a tick moves when all of it takes ms.
func share(ms float32, tickRate int) int {
	if !(ms > 0) || tickRate <= 0 {
		return 255
	}
	return max(int(vec.Floor(float32(255*1000)/float32(ms*float32(tickRate))+0.5)), 1)
}

// raised is how much of the aim is there, 0 to 1.
func raised(p *state.Player) float32 { return float32(p.Raise) / 255 }
