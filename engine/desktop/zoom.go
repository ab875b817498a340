package desktop

import (
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// zoom is what the optic does to a picture.
type zoom struct {
	raise  float32 // 0 down .. 1 at the eye, smooth between ticks
	narrow float32 // how high the picture is of what it is without: 1 and less
	fovX   float32 // across 4:3, degrees
	round  float32 // how much of the round picture is there, 0 to 1
	optic  *tables.Optic
}

// softTurn is what is left of a turn that is faster than the optic lets one turn.
const softTurn = 0.25

// look raises and lowers the optic with the player's own state. Between two ticks it
// goes on at the optic's own pace, so that the picture narrows evenly at any rate of
// frames.
func (z *zoom) look(own *state.Player, set *tables.Set, alive bool, fov, dt float32) {
	if own == nil || set == nil || !alive {
		*z = zoom{narrow: 1, fovX: fov}
		return
	}
	z.optic = &set.Optics[weapon.OpticOf(own, set)]
	is := float32(own.Raise) / 255
	step := dt * 1000 / max(z.optic.LowerMS, 1)
	if weapon.Asks(own) {
		step = dt * 1000 / max(z.optic.RaiseMS, 1)
	}
	z.raise += vec.Clamp(is-z.raise, -step, step)
	if abs(is-z.raise) > 0.25 { // another weapon, another life
		z.raise = is
	}
	wide, high := halfTan(fov)*3/4, halfTan(z.optic.FovDeg)
	high = min(high, wide)
	k := z.raise * z.raise * (3 - 2*z.raise)
	z.narrow = vec.Lerp(1, high/wide, k)
	z.fovX = float32(math.Atan(float64(wide*z.narrow*4/3))) * 360 / math.Pi
	z.round = 0
	if z.optic.Magnifies() {
		z.round = vec.Clamp((z.raise-0.55)/0.35, 0, 1)
	}
}

func halfTan(deg float32) float32 { return float32(math.Tan(float64(deg) * math.Pi / 360)) }

// turn takes from a turn by so many degrees in dt seconds what the optic does not allow:
// most of what is above its rate, the more of it the nearer it is to the eye.
func (z *zoom) turn(deg float64, dt float32) float64 {
	if z.optic == nil || z.optic.TurnDPS == 0 || z.raise <= 0 {
		return deg
	}
	most := float64(z.optic.TurnDPS * dt)
	over := math.Abs(deg) - most
	if over <= 0 {
		return deg
	}
	return math.Copysign(most+over*(1-float64(z.raise)*(1-softTurn)), deg)
}
