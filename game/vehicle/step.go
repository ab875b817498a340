package vehicle

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Keys are what a driver asks for.
type Keys struct {
	Forward, Right int8
	Brake          bool
}

// KeysOf returns what a command asks of a vehicle: jump brakes.
func KeysOf(cmd *state.Cmd) Keys {
	return Keys{Forward: cmd.Forward, Right: cmd.Right, Brake: cmd.Buttons&state.BtnJump != 0}
}

// Parked are the keys of a vehicle that nobody drives.
var parked = Keys{Brake: true}

// Parked returns the keys of a vehicle that nobody drives.
func Parked() Keys { return parked }

// Env is what a step runs on.
type Env struct {
	World    World
	Type     *tables.Vehicle // validated
	Gravity  float32
	MaxSpeed float32 // of any component of the velocity
	TickRate int
}

const (
	maxStep    = 100 // sub-steps per second, at least: as pmove's
	probe      = 1.0 / 64
	limit      = 16384
	minGround  = 0.7 // a plane with a smaller normal z is not driven on
	maxBumps   = 4
	maxPlanes  = 5
	tiltRate   = 120  // degrees a second that the pitch follows the ground
	waterDepth = 0.55 // metres of water that stop the engine
	waterDrag  = 3    // 1/s
)

// Step moves c by one tick.
func Step(c *state.Car, k Keys, env Env) {
	if env.TickRate <= 0 || env.World == nil || env.Type == nil {
		return
	}
	m := mover{c: c, k: k, env: &env, t: env.Type, box: box(env.Type), off: spread(env.Type, c.Yaw)}
	c.Pos, c.Vel = tame(c.Pos, limit), tame(c.Vel, env.MaxSpeed)
	m.unstick()
	was := *c
	n := (maxStep + env.TickRate - 1) / env.TickRate
	m.dt = 1 / float32(env.TickRate*n)
	for range n {
		m.part()
		c.Pos, c.Vel = tame(c.Pos, limit), tame(c.Vel, env.MaxSpeed)
	}
	if !m.fits(c.Pos) { // rounding: rather stand than be inside
		c.Pos, c.Yaw, c.Vel = was.Pos, was.Yaw, vec.V3{}
	}
	m.tilt()
}

// Fits reports whether a vehicle has room where it stands.
func Fits(c *state.Car, t *tables.Vehicle, w World) bool {
	m := mover{c: c, t: t, env: &Env{World: w}, box: box(t), off: spread(t, c.Yaw)}
	return m.fits(c.Pos)
}

// mover is one step in progress.
type mover struct {
	c     *state.Car
	k     Keys
	env   *Env
	t     *tables.Vehicle
	box   vec.Box
	off   [NumBoxes]vec.V3
	dt    float32
	on    bool
	floor level.Hit
}

// sweep moves all boxes and returns what the first of them meets.
func (m *mover) sweep(a, b vec.V3) level.Hit {
	best := level.Hit{Frac: 2}
	start, all := false, false
	for _, o := range m.off {
		h := m.env.World.Box(a.Add(o), b.Add(o), m.box, level.MaskMove)
		start, all = start || h.StartSolid, all || h.AllSolid
		if h.Frac < best.Frac {
			best = h
		}
	}
	best.StartSolid, best.AllSolid = start, all
	best.End = b
	if best.Frac < 1 {
		best.End = a.Lerp(b, best.Frac)
	}
	return best
}

func (m *mover) fits(at vec.V3) bool {
	for _, o := range m.off {
		if p := at.Add(o); m.env.World.Box(p, p, m.box, level.MaskMove).StartSolid {
			return false
		}
	}
	return true
}

// unstick lifts a vehicle out of what has come up below it.
func (m *mover) unstick() {
	if m.fits(m.c.Pos) {
		return
	}
	for _, up := range [...]float32{1.0 / 512, 1.0 / 64, 1.0 / 16, 0.25, 0.5} {
		p := m.c.Pos
		p.Z += up
		if m.fits(p) {
			m.c.Pos = p
			return
		}
	}
}

func (m *mover) ground() {
	down := m.c.Pos
	down.Z -= probe
	m.floor = m.sweep(m.c.Pos, down)
	m.on = !m.floor.AllSolid && m.floor.Frac < 1 && m.floor.Normal.Z >= minGround &&
		!(m.c.Vel.Z > 0 && m.c.Vel.Dot(m.floor.Normal) > 0.3)
}

// part is one sub-step.
func (m *mover) part() {
	c := m.c
	m.ground()
	wasOn := m.on
	drowned := m.inWater()
	was := c.Vel
	v := was
	if drowned {
		v = v.Scale(max(1-float32(waterDrag*m.dt), 0))
	}
	if m.on {
		v = m.drive(v, drowned)
	} else {
		v.Z -= float32(m.env.Gravity * m.dt)
	}
	m.step(was.Add(v).Scale(0.5), v)
	m.ground()
	if wasOn && !m.on && c.Vel.Z <= 0.5 {
		m.down()
	}
}

func (m *mover) inWater() bool {
	p := m.c.Pos
	p.Z += waterDepth
	return m.env.World.Contents(p)&(level.Water|level.Slime|level.Lava) != 0
}

// drive turns and speeds up along the ground.
func (m *mover) drive(v vec.V3, drowned bool) vec.V3 {
	c, t, n := m.c, m.t, m.floor.Normal
	key, turn := unit8(m.k.Forward), unit8(m.k.Right)
	if drowned {
		key = 0
	}
	fwd := m.ahead(n)
	speed := v.Dot(fwd)
	if turn != 0 {
		rate := float32(t.TurnDeg * vec.Clamp(speed/t.TurnSpeed, -1, 1))
		deg := float32(float32(turn*rate) * m.dt)
		m.turn(c.Yaw - state.Angle16(uint16(vec.Floor(float32(deg*(65536.0/360))+0.5))))
		fwd = m.ahead(n)
	}
	side := v.Sub(n.Scale(v.Dot(n)))
	side = side.Mad(0-side.Dot(fwd), fwd)
	side = side.Scale(max(1-float32(t.Grip*m.dt), 0))
	return fwd.Scale(m.pull(speed, key)).Add(side)
}

// ahead is the heading along a plane.
func (m *mover) ahead(n vec.V3) vec.V3 {
	sin, cos := vec.SinCos(m.c.Yaw.Deg())
	f := vec.V3{X: cos, Y: sin}
	return f.Mad(0-f.Dot(n), n).Unit()
}

// pull returns the speed after a sub-step.
func (m *mover) pull(speed, key float32) float32 {
	t := m.t
	toward := func(goal, rate float32) float32 {
		by := float32(rate * m.dt)
		if speed < goal {
			return min(speed+by, goal)
		}
		return max(speed-by, goal)
	}
	switch {
	case m.k.Brake:
		return toward(0, t.Brake)
	case key > 0 && speed < 0, key < 0 && speed > 0:
		return toward(0, float32(t.Brake*vec.Abs(key)))
	case key > 0:
		return toward(float32(t.TopSpeed*key), t.Accel)
	case key < 0:
		return toward(float32(t.ReverseSpeed*key), t.Accel)
	}
	return toward(0, t.Coast)
}

// turn heads elsewhere if there is room.
func (m *mover) turn(yaw state.Angle16) {
	if yaw == m.c.Yaw {
		return
	}
	old := m.off
	m.off = spread(m.t, yaw)
	if !m.fits(m.c.Pos) {
		m.off = old
		return
	}
	m.c.Yaw = yaw
}

// step slides by v for a sub-step, and climbs what is low enough. after is the
// velocity at the end if nothing is in the way.
func (m *mover) step(v, after vec.V3) {
	c := m.c
	start := c.Pos
	if !m.slide(v, after) {
		return
	}
	slid, slidVel := c.Pos, c.Vel
	flat := v.Flat()
	if flat.LenSq() < 1e-8 || !m.on {
		return
	}
	high := start
	high.Z += m.t.StepHeight
	up := m.sweep(start, high)
	rise := up.End.Z - start.Z
	if up.StartSolid || rise <= 0 {
		return
	}
	c.Pos = up.End
	m.slide(flat, after.Flat())
	low := c.Pos
	low.Z -= rise
	down := m.sweep(c.Pos, low)
	if down.StartSolid || down.Frac == 1 || down.Normal.Z < minGround || down.End.Z <= slid.Z+0.0001 ||
		flat.Dot(down.End.Sub(start)) <= flat.Dot(slid.Sub(start)) {
		c.Pos, c.Vel = slid, slidVel
		return
	}
	c.Pos = down.End
	c.Vel.Z = max(slidVel.Z, 0)
}

// slide moves by v along what is in the way and sets the velocity to what is left of
// after. It reports whether anything was.
func (m *mover) slide(v, after vec.V3) bool {
	c := m.c
	var planes [maxPlanes]vec.V3
	n := 0
	first, left, any := v, m.dt, false
	for range maxBumps {
		if v == (vec.V3{}) {
			break
		}
		hit := m.sweep(c.Pos, c.Pos.Mad(left, v))
		if hit.AllSolid || hit.StartSolid {
			c.Vel = vec.V3{}
			return true
		}
		c.Pos = hit.End
		if hit.Frac >= 1 {
			break
		}
		any = true
		left -= float32(left * hit.Frac)
		if n == maxPlanes {
			after = vec.V3{}
			break
		}
		planes[n] = hit.Normal
		n++
		v, after = along(planes[:n], v), along(planes[:n], after)
		if v.Dot(first) <= 0 {
			break
		}
	}
	c.Vel = after
	return any
}

// along takes out of v what goes into planes: along one, else along the crease of two,
// else nothing is left.
func along(planes []vec.V3, v vec.V3) vec.V3 {
	const over = 1.001
	for i, a := range planes {
		into := v.Dot(a)
		if into >= 0 {
			continue
		}
		w := v.Mad(0-float32(into*over), a)
		for j, b := range planes {
			if j == i || w.Dot(b) >= 0 {
				continue
			}
			crease := a.Cross(b).Unit()
			w = crease.Scale(crease.Dot(v))
			for k, d := range planes {
				if k != i && k != j && w.Dot(d) < 0 {
					return vec.V3{}
				}
			}
		}
		return w
	}
	return v
}

// down keeps the wheels on ground that falls away.
func (m *mover) down() {
	low := m.c.Pos
	low.Z -= m.t.StepHeight
	hit := m.sweep(m.c.Pos, low)
	if hit.StartSolid || hit.Frac >= 1 || hit.Normal.Z < minGround {
		return
	}
	m.c.Pos = hit.End
	m.c.Vel.Z = min(m.c.Vel.Z, 0)
	m.ground()
}

// tilt lets the pitch follow the ground below both ends.
func (m *mover) tilt() {
	c := m.c
	goal := float32(0)
	d := m.t.HalfLength - m.t.HalfWidth
	if m.on && d > 0 {
		front, okF := m.below(c.Pos.Add(m.off[0]))
		rear, okR := m.below(c.Pos.Add(m.off[2]))
		if okF && okR {
			goal = vec.Clamp(vec.Atan2(front-rear, float32(2*d)), -45, 45)
		}
	} else if !m.on {
		goal = c.Pitch.Deg()
	}
	most := float32(tiltRate) / float32(m.env.TickRate)
	now := c.Pitch.Deg()
	c.Pitch = state.AngleOf(now + vec.Clamp(goal-now, 0-most, most))
}

// below returns the height of the ground below a point.
func (m *mover) below(p vec.V3) (float32, bool) {
	a, b := p, p
	a.Z += m.t.StepHeight
	b.Z -= 1.5
	h := m.env.World.Box(a, b, vec.Box{}, level.MaskMove)
	return h.End.Z, !h.StartSolid && h.Frac < 1
}

func unit8(v int8) float32 { return float32(max(v, -127)) / 127 }

// tame returns v finite, within ±most, without negative zeros.
func tame(v vec.V3, most float32) vec.V3 {
	v = vec.CanonV(v)
	return vec.V3{X: vec.Clamp(v.X, 0-most, most), Y: vec.Clamp(v.Y, 0-most, most), Z: vec.Clamp(v.Z, 0-most, most)}
}
