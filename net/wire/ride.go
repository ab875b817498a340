package wire

import "github.com/sightline-engine/sightline/game/state"

// ride codes where a player sits, and of a driver the vehicle, as flight codes the
// player: the chances are those of own bodies.
func (c *Coder) ride(p, base *state.Player, dt int32, tickRate int) {
	if c.own(20, "seat", p.Vehicle != base.Vehicle || p.Seat != base.Seat) {
		p.Vehicle = uint8(c.ownNum(22, "vehicle, plus 1", uint32(p.Vehicle), 0))
		p.Seat = uint8(c.ownNum(23, "seat", uint32(p.Seat), 0))
		c.done()
	}
	if c.own(21, "drives", !sameCar(&p.Car, &base.Car)) {
		a, b := &p.Car, &base.Car
		at := b.Pos
		if dt > 0 && dt <= 64 && tickRate > 0 && b.Vel.IsFinite() && b.Pos.IsFinite() {
			at = b.Pos.Mad(float32(dt)/float32(tickRate), b.Vel)
		}
		c.axis(0, "velocity x", &a.Vel.X, b.Vel.X)
		c.axis(1, "velocity y", &a.Vel.Y, b.Vel.Y)
		c.axis(2, "velocity z", &a.Vel.Z, b.Vel.Z)
		c.axis(3, "place x", &a.Pos.X, at.X)
		c.axis(4, "place y", &a.Pos.Y, at.Y)
		c.axis(5, "place z", &a.Pos.Z, at.Z)
		a.Yaw = b.Yaw + state.Angle16(c.ownOff(0, "yaw", int32(int16(a.Yaw-b.Yaw)), 7))
		a.Pitch = b.Pitch + state.Angle16(c.ownOff(1, "pitch", int32(int16(a.Pitch-b.Pitch)), 6))
		c.done()
	}
}

func sameCar(a, b *state.Car) bool {
	return sameBits3(&a.Pos, &b.Pos) && sameBits3(&a.Vel, &b.Vel) && a.Yaw == b.Yaw && a.Pitch == b.Pitch
}
