package wire

import "github.com/sightline-engine/sightline/game/state"

// Extrapolate carries a record on along its velocity for dt ticks, in integers, so
// that both sides get the same grid point. It is what positions are coded against.
func Extrapolate(e *state.Entity, dt int32, tickRate int) state.Q {
	dt = min(max(dt, 0), 64)
	if tickRate <= 0 {
		return e.Pos
	}
	on := func(p, v int32) int32 { return p + int32(int64(v)*int64(dt)/int64(tickRate)) }
	return state.Q{X: on(e.Pos.X, e.Vel.X), Y: on(e.Pos.Y, e.Vel.Y), Z: on(e.Pos.Z, e.Vel.Z)}
}

// Entity codes what is shown of a subject, its id excepted, against a base of the
// same subject and the place where the base would be now. Without a base (nil)
// the record is full. This is the record of a demo: exact, packed bit by bit, the
// same for everyone; what a client is sent is a Rec. The orders of the Golomb codes
// come from bots on pit, over 50 ms each way and 3 % loss.
func (c *Coder) Entity(e, base *state.Entity, at state.Q) {
	if base == nil {
		c.fullEntity(e)
		return
	}
	if c.r != nil {
		id := e.ID
		*e = *base
		e.ID, e.Pos = id, at
	}
	if c.has("place", e.Pos != at) {
		c.step("place", &e.Pos, at, 5, 5)
		c.done()
	}
	if c.has("velocity", e.Vel != base.Vel) {
		c.step("velocity", &e.Vel, base.Vel, 9, 11)
		c.done()
	}
	if c.has("aim", e.Yaw != base.Yaw || e.Pitch != base.Pitch) {
		gap(c, "yaw", &e.Yaw, base.Yaw, 11)
		gap(c, "pitch", &e.Pitch, base.Pitch, 9)
		c.done()
	}
	if c.has("stride", e.Stride != base.Stride) {
		gap(c, "stride", &e.Stride, base.Stride, 8)
		c.done()
	}
	if c.has("shots", e.ShotSeq != base.ShotSeq) {
		fixed(c, "shots", &e.ShotSeq, 8)
		c.done()
	}
	same := e.Pose == base.Pose && e.Duck == base.Duck && e.Lean == base.Lean
	if c.has("body", !same) {
		c.entityBody(e)
		c.done()
	}
	same = e.Kind == base.Kind && e.Team == base.Team && e.Weapon == base.Weapon && e.Owner == base.Owner &&
		e.Teleports == base.Teleports && e.Health == base.Health && e.Interval == base.Interval && e.Seat == base.Seat
	if c.has("rest", !same) {
		c.entityRest(e)
		c.done()
	}
}

func (c *Coder) fullEntity(e *state.Entity) {
	if c.r != nil {
		*e = state.Entity{ID: e.ID}
	}
	c.q("place", &e.Pos, state.Q{}, 13)
	if c.has("velocity", e.Vel != state.Q{}) {
		c.q("velocity", &e.Vel, state.Q{}, 9)
		c.done()
	}
	if c.has("aim", e.Yaw != 0 || e.Pitch != 0) {
		fixed(c, "yaw", &e.Yaw, 16)
		fixed(c, "pitch", &e.Pitch, 16)
		c.done()
	}
	if c.has("walk", e.Stride != 0 || e.ShotSeq != 0) {
		fixed(c, "stride", &e.Stride, 16)
		fixed(c, "shots", &e.ShotSeq, 8)
		c.done()
	}
	if c.has("body", e.Pose != 0 || e.Duck != 0 || e.Lean != 0) {
		c.entityBody(e)
		c.done()
	}
	c.entityRest(e)
}

func (c *Coder) entityBody(e *state.Entity) {
	fixed(c, "pose", &e.Pose, 8)
	fixed(c, "duck", &e.Duck, 8)
	signed(c, "lean", &e.Lean, 8)
}

func (c *Coder) entityRest(e *state.Entity) {
	limited(c, "kind", &e.Kind, 4, state.NumKinds)
	uvar(c, "team", &e.Team, 1)
	uvar(c, "weapon", &e.Weapon, 2)
	if c.has("owner", e.Owner != 0) {
		fixed(c, "owner", &e.Owner, 16)
		c.done()
	} else {
		e.Owner = 0
	}
	fixed(c, "teleports", &e.Teleports, 8)
	if c.has("health", e.Health != 0) {
		fixed(c, "health", &e.Health, 8)
		c.done()
	} else {
		e.Health = 0
	}
	uvar(c, "ticks between updates", &e.Interval, 0)
	uvar(c, "seat, plus 1", &e.Seat, 0)
}

func (c *Coder) q(name string, v *state.Q, base state.Q, k int) {
	c.group(name)
	gap(c, "x", &v.X, base.X, k)
	gap(c, "y", &v.Y, base.Y, k)
	gap(c, "z", &v.Z, base.Z, k)
	c.done()
}

// step is a change of a place or a velocity. Most bodies stay level, so up and down
// has a bit of its own.
func (c *Coder) step(name string, v *state.Q, base state.Q, k, up int) {
	c.group(name)
	gap(c, "x", &v.X, base.X, k)
	gap(c, "y", &v.Y, base.Y, k)
	if c.has("z", v.Z != base.Z) {
		gap(c, "z", &v.Z, base.Z, up)
		c.done()
	} else {
		v.Z = base.Z
	}
	c.done()
}
