package pmove

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// World is what a player collides with: trace.Scene, or a scene with more in it.
type World interface {
	// Box sweeps a box, relative to the moving point.
	Box(start, end vec.V3, box vec.Box, mask level.Mask) level.Hit
	// Contents says what fills a point.
	Contents(p vec.V3) level.Contents
}

// Env is what a step runs on besides the player and its command.
type Env struct {
	World    World
	Move     *tables.Movement // validated
	TickRate int
	Vehicles []tables.Vehicle // by type, for who drives; nil: nothing drives
	Pads     []level.Pad
	// Poses and Before are where the movers are in this tick and in the one
	// before it, by model. World must have them where Poses says. Both may be
	// nil: then nothing rides.
	Poses, Before []level.Pose
	// AimSpeed is the factor of the optic in hand on the speed of who aims; 0 is 1.
	AimSpeed float32
}

// Out is what happened on the way, for sounds, view smoothing and fall damage.
type Out struct {
	Jumped, Landed bool
	Footstep       bool // a step was taken that can be heard
	Pad            bool
	Entered, Left  bool // water
	NoFallDamage   bool // of a landing: the surface or water says so
	Stuck          bool // inside something and found no way out: crushed or badly placed
	LandSpeed      float32
	StepUp         float32 // metres that steps raised (or lowered) the feet
	Index          int16   // of the pad
}

const (
	maxStep     = 100         // sub-steps per second, at least
	groundProbe = 0.25 / 32.0 // a floor this close below is stood on (Quake III's quarter unit)
	limit       = 16384       // of a coordinate
	footstep    = 96          // Stride units between two steps: 1.5 m
)

// Step moves p by one command, one tick.
func Step(p *state.Player, cmd state.Cmd, env Env) Out {
	if env.TickRate <= 0 || env.Move == nil || env.World == nil {
		return Out{}
	}
	m := mover{p: p, cmd: cmd, env: &env, t: env.Move}
	if p.Vehicle != 0 && p.Alive() {
		m.seated()
		return m.out
	}
	m.begin()
	n := (maxStep + env.TickRate - 1) / env.TickRate
	m.dt = 1 / float32(env.TickRate*n)
	for range n {
		m.part()
	}
	m.finish()
	return m.out
}

// mover is one step in progress.
type mover struct {
	p   *state.Player
	cmd state.Cmd
	env *Env
	t   *tables.Movement
	out Out

	dt   float32 // of a sub-step
	box  vec.Box // body in its present stance
	from vec.V3  // where the tick began, after riding

	fwd, right float32 // -1..1 wished
	rise       float32
	look, flat vec.V3 // along the view, and its horizontal part
	side       vec.V3

	onGround bool // on something flat enough
	floor    level.Hit
	near     bool // floor is valid: something is right below, flat or steep
	jumped   bool // in this sub-step
}

func (m *mover) begin() {
	p := m.p
	p.Pos, p.Vel = tame(p.Pos, limit), tame(p.Vel, m.t.MaxSpeed)
	canMove := p.Flags&(state.Dead|state.Frozen) == 0
	if p.Flags&state.Dead == 0 {
		p.Yaw, p.Pitch = m.cmd.Yaw, state.ClampPitch(m.cmd.Pitch)
	}
	if !canMove {
		m.cmd.Forward, m.cmd.Right, m.cmd.Up = 0, 0, 0
		m.cmd.Buttons &^= state.BtnJump | state.BtnAim | state.BtnLeanLeft | state.BtnLeanRight
		if p.Flags&state.Dead != 0 {
			m.cmd.Buttons = 0
		}
	}
	if m.cmd.Buttons&state.BtnJump == 0 {
		p.Flags &^= state.JumpHeld
	}
	setFlag(p, state.Aiming, m.cmd.Buttons&state.BtnAim != 0)
	setFlag(p, state.Walking, m.cmd.Buttons&state.BtnWalk != 0)
	m.fwd, m.right, m.rise = unit8(m.cmd.Forward), unit8(m.cmd.Right), unit8(m.cmd.Up)
	m.look, m.side, _ = vec.Axes(p.Yaw.Deg(), p.Pitch.Deg())
	sin, cos := vec.SinCos(p.Yaw.Deg())
	m.flat = vec.V3{X: cos, Y: sin}
	if p.MoveTimer > 0 {
		p.MoveTimer--
	}
	if p.LadderHold > 0 {
		p.LadderHold--
	}
	m.box = Body(p, m.t)
	if p.Flags&state.Spectating != 0 {
		p.Ground, p.WaterLevel = -1, 0
		p.Flags &^= state.OnGround | state.Swimming | state.OnLadder | state.Ducked
		m.box = Body(p, m.t)
		m.unstick()
		return
	}
	m.stance()
	m.ride()
	m.from = p.Pos
	was := p.Flags&state.OnGround != 0
	m.ground()
	if m.onGround && !was { // put there from outside
		m.land(p.Vel.Z)
	}
}

// part is one sub-step.
func (m *mover) part() {
	p := m.p
	if p.Flags&state.Spectating != 0 {
		m.fly()
		p.Pos, p.Vel = tame(p.Pos, limit), tame(p.Vel, m.t.MaxSpeed)
		return
	}
	wasOn := m.onGround
	m.jumped = false
	m.water()
	m.pads()
	fall := p.Vel.Z
	switch {
	case m.climb():
		fall = 0
	case p.WaterLevel > 1 && p.LadderHold == 0:
		m.swim()
		fall = 0
	case m.onGround && !m.jump():
		m.walk()
	default:
		m.air()
		fall -= float32(m.t.Gravity * m.dt)
	}
	p.Vel = tame(p.Vel, m.t.MaxSpeed)
	m.ground()
	if wasOn && !m.jumped && !m.onGround && p.Vel.Z <= 0.01 && p.Flags&(state.OnLadder|state.Swimming) == 0 && p.MoveTimer == 0 {
		m.stepDown()
	}
	if m.onGround && !wasOn && !m.jumped {
		m.land(fall)
	}
	p.Pos, p.Vel = tame(p.Pos, limit), tame(p.Vel, m.t.MaxSpeed)
}

// land takes the fall out of the velocity: walking keeps the speed that it has
// along a floor, and must not turn a fall into a run.
func (m *mover) land(fall float32) {
	m.p.Vel = clipInto(m.p.Vel, m.floor.Normal, m.t.Overclip)
	if fall > -1 {
		return
	}
	m.out.Landed = true
	m.out.LandSpeed = max(m.out.LandSpeed, 0-fall)
	if m.floor.Surf&level.SurfNoDamage != 0 || m.p.WaterLevel > 1 {
		m.out.NoFallDamage = true
	}
}

func (m *mover) finish() {
	p := m.p
	if p.Flags&state.Spectating == 0 {
		m.tread()
	}
	m.eye()
	p.Pos, p.Vel = tame(p.Pos, limit), tame(p.Vel, m.t.MaxSpeed)
}

// tread counts the way that was walked and says when a foot falls.
func (m *mover) tread() {
	p := m.p
	if !m.onGround {
		return
	}
	way := p.Pos.Sub(m.from).Len2()
	was := p.Stride
	p.Stride += uint16(vec.Floor(float32(min(way, 4)*64) + 0.5))
	loud := p.Vel.Len2() > float32(m.t.WalkSpeed*1.1) && p.Flags&(state.Ducked|state.Walking) == 0
	if was/footstep != p.Stride/footstep && loud {
		m.out.Footstep = true
	}
}

func setFlag(p *state.Player, f state.Flags, on bool) {
	p.Flags &^= f
	if on {
		p.Flags |= f
	}
}

func unit8(v int8) float32 { return float32(max(v, -127)) / 127 }

// tame returns v finite, within ±most, without negative zeros.
func tame(v vec.V3, most float32) vec.V3 {
	return vec.V3{X: tame1(v.X, most), Y: tame1(v.Y, most), Z: tame1(v.Z, most)}
}

func tame1(x, most float32) float32 {
	x = vec.Canon(x)
	if x > most {
		return most
	}
	if x < 0-most {
		return 0 - most
	}
	return x
}
