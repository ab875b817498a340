package wire

import (
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Player codes a player's own state bit for bit against a base that is dt ticks
// older; the zero Player serves when there is none.
func (c *Coder) Player(p, base *state.Player, dt int32, tickRate int) {
	if c.reading() {
		*p = *base
	}
	c.flight(p, base, dt, tickRate)
	if c.own(1, "aim", p.Yaw != base.Yaw || p.Pitch != base.Pitch) {
		p.Yaw = base.Yaw + state.Angle16(c.ownOff(0, "yaw", int32(int16(p.Yaw-base.Yaw)), 7))
		p.Pitch = base.Pitch + state.Angle16(c.ownOff(1, "pitch", int32(int16(p.Pitch-base.Pitch)), 6))
		c.done()
	}
	same := p.Flags == base.Flags && p.Ground == base.Ground && p.WaterLevel == base.WaterLevel
	if c.own(2, "footing", !same) {
		p.Flags = base.Flags ^ state.Flags(c.ownNum(2, "flags, what has changed", uint32(p.Flags^base.Flags), 4))
		p.Ground = base.Ground + int16(c.ownOff(3, "ground", int32(p.Ground-base.Ground), 1))
		p.WaterLevel = uint8(c.ownNum(4, "water", uint32(p.WaterLevel), 0))
		c.done()
	}
	if c.own(3, "stride", p.Stride != base.Stride) {
		p.Stride = base.Stride + uint16(c.ownOff(5, "stride", int32(int16(p.Stride-base.Stride)), 4))
		c.done()
	}
	same = p.Duck == base.Duck && p.Lean == base.Lean && p.MoveTimer == base.MoveTimer && p.LadderHold == base.LadderHold
	if c.own(4, "body", !same) {
		p.Duck = uint8(c.raw("duck", uint64(p.Duck), 8))
		p.Lean = int8(c.raw("lean", uint64(uint8(p.Lean)), 8))
		p.MoveTimer = uint8(c.ownNum(6, "move timer", uint32(p.MoveTimer), 0))
		p.LadderHold = uint8(c.ownNum(7, "ladder hold", uint32(p.LadderHold), 0))
		c.done()
	}
	same = p.WTimer == base.WTimer && p.Shots == base.Shots && p.Cool == base.Cool && p.ShotSeq == base.ShotSeq &&
		p.Raise == base.Raise
	if c.own(5, "fire", !same) {
		p.WTimer = uint8(c.ownNum(8, "weapon timer", uint32(p.WTimer), 4))
		p.Shots = uint8(c.ownNum(9, "burst", uint32(p.Shots), 1))
		p.Cool = uint8(c.ownNum(10, "cool", uint32(p.Cool), 4))
		p.ShotSeq = base.ShotSeq + uint8(c.ownOff(11, "shots", int32(int8(p.ShotSeq-base.ShotSeq)), 0))
		p.Raise = uint8(c.raw("optic raised", uint64(p.Raise), 8))
		c.done()
	}
	same = p.Weapon == base.Weapon && p.Next == base.Next && p.Owned == base.Owned && p.Optic == base.Optic
	if c.own(6, "arms", !same) {
		p.Weapon = uint8(c.ownNum(12, "weapon", uint32(p.Weapon), 2))
		p.Next = uint8(c.ownNum(13, "next", uint32(p.Next), 1))
		p.Owned = uint8(c.ownNum(14, "owned", uint32(p.Owned), 3))
		p.Optic = uint8(c.raw("optic", uint64(p.Optic), 8))
		c.done()
	}
	if c.own(7, "ammunition", p.Ammo != base.Ammo) {
		for i := range p.Ammo {
			p.Ammo[i] = base.Ammo[i] + uint16(c.ownOff(15+min(i, 1), "rounds", int32(int16(p.Ammo[i]-base.Ammo[i])), 1))
		}
		c.done()
	}
	c.ride(p, base, dt, tickRate)
	c.health(p, base)
	same = p.Teleports == base.Teleports && p.Forced == base.Forced
	if c.own(9, "outside", !same) {
		p.Teleports = base.Teleports + uint8(c.ownNum(17, "teleports", uint32(p.Teleports-base.Teleports), 1))
		p.Forced = base.Forced + uint8(c.ownNum(18, "forced", uint32(p.Forced-base.Forced), 1))
		c.done()
	}
	if c.own(10, "blind", p.Blind != base.Blind) {
		p.Blind = uint16(c.raw("ticks of blindness", uint64(p.Blind), 16))
		c.done()
	}
	if c.own(23, "magazines", p.Mag != base.Mag || p.Reload != base.Reload) {
		for i := range p.Mag {
			p.Mag[i] = base.Mag[i] + uint8(c.ownOff(15+min(i, 1), "rounds", int32(int8(p.Mag[i]-base.Mag[i])), 1))
		}
		p.Reload = uint16(c.ownNum(8, "ticks of reloading", uint32(p.Reload), 6))
		c.done()
	}
}

// Unpredicted codes what a client cannot predict of its own state, against a base;
// the rest of p is left as it is.
func (c *Coder) Unpredicted(p, base *state.Player) {
	if c.reading() {
		p.Health, p.Armor, p.Team = base.Health, base.Armor, base.Team
	}
	c.health(p, base)
}

func (c *Coder) health(p, base *state.Player) {
	if c.own(8, "health", p.Health != base.Health || p.Armor != base.Armor || p.Team != base.Team) {
		p.Health = base.Health + int16(c.ownOff(19, "health", int32(p.Health-base.Health), 6))
		p.Armor = base.Armor + int16(c.ownOff(20, "armor", int32(p.Armor-base.Armor), 0))
		p.Team = uint8(c.ownNum(21, "team", uint32(p.Team), 0))
		c.done()
	}
}

func (c *Coder) own(ctx int, name string, is bool) bool { return c.when(mOwnHas, ctx, name, is) }

func (c *Coder) ownNum(ctx int, name string, v uint32, k int) uint32 {
	return c.num(mOwnNum, ctx, name, v, k)
}

func (c *Coder) ownOff(ctx int, name string, v int32, k int) int32 {
	return c.off(mOwnNum, ctx, name, v, k)
}

// flight codes place and velocity: the velocity against the base's, the place
// against where that has led to. What is coded is how many floats lie between.
func (c *Coder) flight(p, base *state.Player, dt int32, tickRate int) {
	if c.own(0, "flight", !sameBits3(&p.Pos, &base.Pos) || !sameBits3(&p.Vel, &base.Vel)) {
		at := base.Pos
		if dt > 0 && dt <= 64 && tickRate > 0 && base.Vel.IsFinite() && base.Pos.IsFinite() {
			at = base.Pos.Mad(float32(dt)/float32(tickRate), base.Vel)
		}
		c.axis(0, "velocity x", &p.Vel.X, base.Vel.X)
		c.axis(1, "velocity y", &p.Vel.Y, base.Vel.Y)
		c.axis(2, "velocity z", &p.Vel.Z, base.Vel.Z)
		c.axis(3, "place x", &p.Pos.X, at.X)
		c.axis(4, "place y", &p.Pos.Y, at.Y)
		c.axis(5, "place z", &p.Pos.Z, at.Z)
		c.done()
	}
}

// axis codes a float as its distance from another in the order of all floats.
func (c *Coder) axis(ctx int, name string, v *float32, base float32) {
	from := rank(base)
	*v = unrank(from + uint32(c.off(mOwnFloat, ctx, name, int32(rank(*v)-from), 12)))
}

// rank numbers the floats in ascending order; -0 and NaNs have numbers too.
func rank(f float32) uint32 {
	u := math.Float32bits(f)
	if u>>31 != 0 {
		return ^u
	}
	return u | 1<<31
}

func unrank(u uint32) float32 {
	if u>>31 != 0 {
		return math.Float32frombits(u &^ (1 << 31))
	}
	return math.Float32frombits(^u)
}

func sameBits3(a, b *vec.V3) bool {
	return sameBits(a.X, b.X) && sameBits(a.Y, b.Y) && sameBits(a.Z, b.Z)
}

func sameBits(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }
