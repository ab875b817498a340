package wire

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
)

// Rec is a record of a subject as both sides remember it: what later ones are coded
// against.
type Rec struct {
	Ent    state.Entity
	Tick   state.Tick
	Detail state.Detail

	turn, tilt   int32 // of the last change: 16ths of an angle's unit per tick
	mood         uint8 // how far off the last prediction of the place was, sizeOf
	moodX, moodY uint8
	swing, nod   uint8 // and of the yaw
}

// Fixed numbers of the prediction. They are no setting: both sides have to agree,
// and a wrong one costs bits, not truth.
const (
	fall      = 25 * 256 // gravity of the shipped tables, 1/256 m/s²
	turnTicks = 2        // how long a turn is thought to go on; measured on pit: 3 to 8 do as well
	strideLog = 2        // 1/16 m
	strideTol = 4        // a quarter of a metre
)

// ahead carries a record on for dt ticks, in integers, so that both sides get the
// same: a body in the air falls, a turn goes on for a moment.
func (b *Rec) ahead(dt int32, tickRate int) (pos, vel state.Q, yaw, pitch int32) {
	dt = min(max(dt, 0), 64)
	rate := int64(max(tickRate, 1))
	e := &b.Ent
	on := func(p, v int32) int32 { return p + int32(int64(v)*int64(dt)/rate) }
	pos = state.Q{X: on(e.Pos.X, e.Vel.X), Y: on(e.Pos.Y, e.Vel.Y), Z: on(e.Pos.Z, e.Vel.Z)}
	vel = e.Vel
	if gaitOf(e) == 2 {
		pos.Z -= int32(fall * int64(dt) * int64(dt) / (2 * rate * rate))
		vel.Z -= int32(fall * int64(dt) / rate)
	}
	n := min(dt, turnTicks)
	return pos, vel, int32(e.Yaw) + b.turn*n/16, int32(e.Pitch) + b.tilt*n/16
}

// gaitOf sorts subjects by how they move: 0 stands, 1 walks, 2 is in the air and
// falls, 3 is something else.
func gaitOf(e *state.Entity) int {
	switch {
	case e.Kind != state.KindPlayer || e.Pose&(state.PoseDead|state.PoseSwimming) != 0:
		return 3
	case e.Pose&state.PoseOnGround == 0:
		return 2
	case e.Vel == state.Q{}:
		return 0
	}
	return 1
}

// ageOf sorts the ticks since a base.
func ageOf(dt int32) int {
	switch {
	case dt <= 2:
		return 0
	case dt <= 5:
		return 1
	case dt <= 7:
		return 2
	case dt <= 9:
		return 3
	case dt <= 14:
		return 4
	}
	return 5
}

// sizeOf sorts residuals: 0 to 1, to 4, to 16, beyond.
func sizeOf(v int32) int {
	switch v = max(v, -v); {
	case v <= 1:
		return 0
	case v <= 4:
		return 1
	case v <= 16:
		return 2
	}
	return 3
}

// size5Of is sizeOf with none apart.
func size5Of(v int32) int {
	if v == 0 {
		return 0
	}
	return sizeOf(v) + 1
}

// turnOf sorts how far a view has turned.
func turnOf(v int32) int {
	switch v = max(v, -v); {
	case v == 0:
		return 0
	case v <= 3:
		return 1
	case v <= 8:
		return 2
	case v <= 24:
		return 3
	case v <= 80:
		return 4
	}
	return 5
}

// finest is the detail whose chances serve d.
func finest(d state.Detail) int {
	if d >= state.Exact {
		return 0
	}
	return int(d)
}

// Record codes a record of a subject whose base both sides have. now.Tick and
// now.Ent.ID must be set; writing, now.Ent is what state.Shown returns for now.Detail, and
// its Stride is set to what the reader gets.
func (c *Coder) Record(now, base *Rec, tickRate int) {
	e := &now.Ent
	if c.reading() {
		id, tick := e.ID, now.Tick
		*now = *base
		e.ID, now.Tick = id, tick
	}
	dt := int32(now.Tick - base.Tick)
	c.rare(now, base)
	c.body(e, &base.Ent, now.Detail)
	if s := e.ShotSeq - base.Ent.ShotSeq; true {
		ctx := 0
		if e.Pose&state.PoseFiring != 0 {
			ctx = 1
		}
		if base.Ent.Pose&state.PoseFiring != 0 {
			ctx += 2
		}
		e.ShotSeq = base.Ent.ShotSeq + uint8(c.num(mShots, ctx, "shots", uint32(s), 0))
	}
	c.motion(now, base, dt, tickRate)
}

// motion codes where a subject is, how it moves and where it looks.
func (c *Coder) motion(now, base *Rec, dt int32, tickRate int) {
	e := &now.Ent
	g := state.GridOf(now.Detail)
	pos, vel, yaw, pitch := base.ahead(dt, tickRate)
	det, age, gait := finest(now.Detail), ageOf(dt), gaitOf(&base.Ent)

	c.group("place")
	ctx := (det*ages+age)*gaits + gait
	at := state.Q{X: state.Round(pos.X, g.Place), Y: state.Round(pos.Y, g.Place), Z: state.Round(pos.Z, g.Place)}
	rx := c.off(mX, ctx*sizes+int(base.moodX), "x", e.Pos.X>>g.Place-at.X, 4)
	ry := c.off(mY, (ctx*sizes+sizeOf(rx))*sizes+int(base.moodY), "y", e.Pos.Y>>g.Place-at.Y, 4)
	ground := 0
	if e.Pose&state.PoseOnGround != 0 {
		ground = 1
	}
	rz := c.off(mZ, ((det*gaits+gait)*sizes+max(sizeOf(rx), sizeOf(ry)))*2+ground, "z", e.Pos.Z>>g.Place-at.Z, 2)
	c.done()
	if c.reading() {
		e.Pos = state.Q{X: (at.X + rx) << g.Place, Y: (at.Y + ry) << g.Place, Z: (at.Z + rz) << g.Place}
	}

	// What the place is off tells of the velocity: under an even acceleration it has
	// changed by twice that in the time.
	c.group("velocity")
	vel.X = state.Round(vel.X+gain(rx, g.Place, dt, tickRate), g.Velocity)
	vel.Y = state.Round(vel.Y+gain(ry, g.Place, dt, tickRate), g.Velocity)
	vel.Z = state.Round(vel.Z+gain(rz, g.Place, dt, tickRate), g.Velocity)
	if ground == 1 && gait == 2 {
		vel.Z = 0 // landed
	}
	ctx = det*ages + age
	vx := c.off(mVX, ctx*sizes5+size5Of(rx), "x", e.Vel.X>>g.Velocity-vel.X, 2)
	vy := c.off(mVX, ctx*sizes5+size5Of(ry), "y", e.Vel.Y>>g.Velocity-vel.Y, 2)
	vz := c.off(mVZ, (det*gaits+gait)*sizes5+size5Of(rz), "z", e.Vel.Z>>g.Velocity-vel.Z, 1)
	c.done()
	if c.reading() {
		e.Vel = state.Q{X: (vel.X + vx) << g.Velocity, Y: (vel.Y + vy) << g.Velocity, Z: (vel.Z + vz) << g.Velocity}
	}

	c.group("aim")
	yaw, pitch = state.Round(yaw, g.Angle), state.Round(pitch, g.Angle)
	wrap := func(v int32) int32 { return v << (16 + g.Angle) >> (16 + g.Angle) }
	dy := c.off(mYaw, (det*ages+age)*turns+int(base.swing), "yaw", wrap(int32(e.Yaw)>>g.Angle-yaw), 4)
	dp := c.off(mPitch, (det*turns+turnOf(dy))*turns+int(base.nod), "pitch", wrap(int32(e.Pitch)>>g.Angle-pitch), 2)
	c.done()
	if c.reading() {
		e.Yaw, e.Pitch = state.Angle16((yaw+dy)<<g.Angle), state.Angle16((pitch+dp)<<g.Angle)
	}
	c.stride(e, &base.Ent, now.Detail)

	dt = max(dt, 1)
	now.turn = int32(int16(e.Yaw-base.Ent.Yaw)) * 16 / dt
	now.tilt = int32(int16(e.Pitch-base.Ent.Pitch)) * 16 / dt
	now.moodX, now.moodY = uint8(sizeOf(rx)), uint8(sizeOf(ry))
	now.mood = uint8(max(sizeOf(rx), sizeOf(ry)))
	now.swing, now.nod = uint8(turnOf(dy)), uint8(turnOf(dp))
}

// gain is how much a velocity has changed when the place is off by r after dt
// ticks.
func gain(r int32, shift int, dt int32, tickRate int) int32 {
	if dt <= 0 || dt > 16 {
		return 0
	}
	r = min(max(r, -1<<12), 1<<12)
	return r << shift * 3 / 2 * int32(min(tickRate, 1024)) / dt
}

// stride codes how far a subject has walked: as far as it has moved, unless it is
// off by more than a step of the walk's picture.
func (c *Coder) stride(e, base *state.Entity, d state.Detail) {
	guess := base.Stride
	if e.Pose&base.Pose&state.PoseOnGround != 0 {
		dx, dy := int64(e.Pos.X-base.Pos.X), int64(e.Pos.Y-base.Pos.Y)
		guess += uint16(root(uint64(dx*dx+dy*dy)) >> 2)
	}
	by := int32(int16(e.Stride - guess))
	step, tol := strideLog, int32(strideTol)
	if d == state.Exact {
		step, tol = 0, 0
	}
	by >>= step
	if c.when(mStride, gaitOf(base), "stride is not as far as it moved", by > tol || by < -tol) {
		by = c.off(mStrideBy, 0, "stride", by, 2)
		e.Stride = guess + uint16(by<<step)
		c.done()
		return
	}
	e.Stride = guess
}

// root is the whole part of the square root.
func root(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	x := uint64(1) << ((bits.Len64(v) + 1) / 2)
	for {
		y := (x + v/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}

// rare codes what seldom changes.
func (c *Coder) rare(now, base *Rec) {
	e, b := &now.Ent, &base.Ent
	same := now.Detail == base.Detail && e.Team == b.Team && e.Weapon == b.Weapon && e.Owner == b.Owner &&
		e.Teleports == b.Teleports && e.Health == b.Health && e.Interval == b.Interval && e.Seat == b.Seat
	if !c.when(mRare, 0, "rare", !same) {
		return
	}
	if c.when(mRareHas, 0, "detail", now.Detail != base.Detail) {
		now.Detail = state.Detail(c.pick(mDetail, 0, "detail", int(now.Detail)))
		c.done()
	}
	num := func(ctx int, name string, v, base uint32) uint32 {
		if c.when(mRareHas, ctx, name, v != base) {
			v = c.num(mRareNum, ctx, name, v, 2)
			c.done()
			return v
		}
		return base
	}
	e.Weapon = uint8(num(1, "weapon", uint32(e.Weapon), uint32(b.Weapon)))
	e.Team = uint8(num(2, "team", uint32(e.Team), uint32(b.Team)))
	e.Owner = state.ID(num(3, "owner", uint32(e.Owner), uint32(b.Owner)))
	e.Health = uint8(num(4, "health", uint32(e.Health), uint32(b.Health)))
	e.Interval = uint8(num(6, "ticks between updates", uint32(e.Interval), uint32(b.Interval)))
	e.Seat = uint8(num(7, "seat, plus 1", uint32(e.Seat), uint32(b.Seat)))
	e.Teleports = b.Teleports + uint8(num(5, "teleports", uint32(e.Teleports-b.Teleports), 0))
	c.done()
}

// body codes how a subject holds itself.
func (c *Coder) body(e, base *state.Entity, d state.Detail) {
	same := e.Pose == base.Pose && e.Duck == base.Duck && e.Lean == base.Lean
	if !c.when(mBody, gaitOf(base), "body", !same) {
		return
	}
	e.Pose = base.Pose ^ state.Pose(c.pick(mPose, gaitOf(base), "pose, what has changed", int(e.Pose^base.Pose)&127))
	c.bend(e, base, d)
	c.done()
}

// bend codes crouching and leaning.
func (c *Coder) bend(e, base *state.Entity, d state.Detail) {
	if d == state.Exact {
		e.Duck = uint8(c.raw("duck, exact", uint64(e.Duck), 8))
		e.Lean = int8(c.raw("lean, exact", uint64(uint8(e.Lean)), 8))
		if c.text == nil {
			return
		}
	}
	ducked := 0
	if e.Pose&state.PoseDucked != 0 {
		ducked = 1
	}
	e.Duck = state.DuckAt(c.pick(mDuck, ducked, "duck", state.DuckLevel(e.Duck)))
	e.Lean = state.LeanAt(c.pick(mLean, 0, "lean", state.LeanLevel(e.Lean)+state.LeanLevels/2) - state.LeanLevels/2)
}

// First codes a record without a base: near is the viewer's own place. now.Tick must
// be set; writing, now.Ent is what state.Shown returns for now.Detail. Read, a thing
// has no id.
func (c *Coder) First(now *Rec, near state.Q) {
	e := &now.Ent
	if c.reading() {
		*now = Rec{Tick: now.Tick}
	}
	e.Kind = state.Kind(c.pick(mKind, 0, "kind", int(e.Kind)))
	if c.reading() && e.Kind >= state.NumKinds {
		c.Fail(ErrRange)
		e.Kind = state.KindNone
	}
	kind := int(e.Kind)
	now.Detail = state.Detail(c.pick(mDetail, kind, "detail", int(now.Detail)))
	g := state.GridOf(now.Detail)
	det := finest(now.Detail)
	first := func(ctx int, name string, v uint32, k int) uint32 { return c.num(mFirst, ctx, name, v, k) }
	signed := func(ctx int, name string, v int32, k int) int32 { return c.off(mFirst, ctx, name, v, k) }

	// Who a player is stands on the board; a thing is nothing but what the client calls
	// it.
	if c.bit(mFull, 1, "is a player", e.ID.IsPlayer()) {
		id := first(0, "player, less 1", uint32(e.ID)-1, 6)
		if id >= state.MaxPlayers {
			c.Fail(ErrRange)
			id = 0
		}
		e.ID = state.ID(id + 1)
	}
	moves := 0
	if c.bit(mFull, 0, "moves", e.Vel != state.Q{}) {
		moves = 1
	}
	c.group("place")
	at := state.RoundQ(near, g.Place)
	at = state.Q{X: at.X >> g.Place, Y: at.Y >> g.Place, Z: at.Z >> g.Place}
	x := c.off(mFarX, det*2, "x", e.Pos.X>>g.Place-at.X, 11)
	y := c.off(mFarX, det*2+1, "y", e.Pos.Y>>g.Place-at.Y, 11)
	z := c.off(mFarZ, det, "z", e.Pos.Z>>g.Place-at.Z, 6)
	c.done()
	if c.reading() {
		e.Pos = state.Q{X: (at.X + x) << g.Place, Y: (at.Y + y) << g.Place, Z: (at.Z + z) << g.Place}
	}
	if moves == 1 || c.text != nil {
		c.group("velocity, if it moves")
		v := state.Q{X: e.Vel.X >> g.Velocity, Y: e.Vel.Y >> g.Velocity, Z: e.Vel.Z >> g.Velocity}
		rocket := 0
		if e.Kind == state.KindRocket {
			rocket = 2
		}
		v.X = signed(1+rocket, "x", v.X, 6)
		v.Y = signed(1+rocket, "y", v.Y, 6)
		v.Z = signed(2+rocket, "z", v.Z, 2)
		e.Vel = state.Q{X: v.X << g.Velocity, Y: v.Y << g.Velocity, Z: v.Z << g.Velocity}
		c.done()
	}
	if c.when(mRareHas, 8, "aim", e.Yaw != 0 || e.Pitch != 0) {
		e.Yaw = state.Angle16(c.raw("yaw, in the detail's steps", uint64(e.Yaw>>g.Angle), 16-g.Angle) << g.Angle)
		e.Pitch = state.Angle16(signed(5, "pitch, in the detail's steps", int32(int16(e.Pitch))>>g.Angle, 6) << g.Angle)
		c.done()
	}
	e.Weapon = uint8(first(6, "weapon", uint32(e.Weapon), 1))
	e.Team = uint8(first(7, "team", uint32(e.Team), 0))
	e.Owner = state.ID(first(8, "owner", uint32(e.Owner), 0))
	e.Health = uint8(first(9, "health", uint32(e.Health), 0))
	e.Interval = uint8(first(14, "ticks between updates", uint32(e.Interval), 0))
	e.Seat = uint8(first(15, "seat, plus 1", uint32(e.Seat), 0))
	e.Teleports = uint8(first(10, "teleports", uint32(e.Teleports), 0))
	e.ShotSeq = uint8(first(11, "shots", uint32(e.ShotSeq), 0))
	e.Stride = uint16(first(12, "stride", uint32(e.Stride)>>strideLog, 4) << strideLog)
	if d := now.Detail; d == state.Exact {
		e.Stride |= uint16(c.raw("stride, exact", uint64(e.Stride), strideLog))
	}
	e.Pose = state.Pose(c.pick(mPose, 3, "pose", int(e.Pose&127)))
	if c.when(mRareHas, 9, "bent", e.Duck != 0 || e.Lean != 0) {
		c.bend(e, &state.Entity{}, now.Detail)
		c.done()
	} else {
		e.Duck, e.Lean = 0, 0
	}
	now.mood, now.moodX, now.moodY, now.swing, now.nod = 2, 2, 2, 3, 2
}
