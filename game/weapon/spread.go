package weapon

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

const degToRad = float32(0.017453292519943295)

// SpreadOf returns the half angle in degrees of the cone that p's next shot falls
// into. In the air counts as running. A crosshair may show it.
func SpreadOf(p *state.Player, set *tables.Set) float32 {
	if !valid(p.Weapon) {
		return 0
	}
	w := &set.Weapons[p.Weapon]
	move := float32(1)
	if p.Flags&state.OnGround != 0 && set.Movement.RunSpeed > 0 {
		move = min(p.Vel.Len2()/set.Movement.RunSpeed, 1)
	}
	cone := w.SpreadDeg + float32(w.SpreadMove*move) + float32(w.SpreadShot*float32(p.Shots))
	if w.SpreadMax > 0 {
		cone = min(cone, w.SpreadMax)
	}
	if p.Raise > 0 { // the steadier, the nearer the sights are to the eye
		aimed := float32(w.SpreadAim * set.Optics[OpticOf(p, set)].Spread)
		cone = float32(cone * vec.Lerp(1, aimed, raised(p)))
	}
	return max(cone, 0)
}

// scatter picks the direction of shot seq, evenly over the cone's disc.
func scatter(yaw, pitch state.Angle16, cone float32, seed uint64, seq uint8) (state.Angle16, state.Angle16) {
	if !(cone > 0) {
		return yaw, pitch
	}
	r := vec.NewRand(seed, uint64(seq))
	sin, cos := vec.SinCos(float32(r.Float() * 360))
	rad := float32(float32(vec.Sqrt(r.Float())*cone) * degToRad)
	fwd, right, up := vec.Axes(yaw.Deg(), pitch.Deg())
	y, p := vec.Angles(fwd.Mad(float32(rad*cos), right).Mad(float32(rad*sin), up))
	return state.AngleOf(y), state.AngleOf(p)
}

// RocketPos returns where a projectile is dticks after it left origin along the
// unit vector dir. Fractions of a tick are for drawing.
func RocketPos(origin, dir vec.V3, speed, dticks float32, tickRate int) vec.V3 {
	if tickRate <= 0 {
		return origin
	}
	return origin.Mad(float32(speed*dticks)/float32(tickRate), dir)
}
