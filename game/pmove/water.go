package pmove

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

const (
	sinkSpeed   = 1.875 // 60 u/s
	waterJumpMS = 600   // in which neither water nor ladder holds
	ladderOffMS = 300
	ladderReach = 0.1
)

// water finds how deep p stands: feet, waist, eyes.
func (m *mover) water() {
	p := m.p
	was := p.WaterLevel
	eye := eyeHeight(p.Duck, m.t)
	p.WaterLevel = 0
	for _, h := range [3]float32{1.0 / 32, float32(eye * 0.5), eye} {
		at := p.Pos
		at.Z += h
		if m.env.World.Contents(at)&level.Liquid == 0 {
			break
		}
		p.WaterLevel++
	}
	setFlag(p, state.Swimming, p.WaterLevel > 1)
	if was == 0 && p.WaterLevel > 0 {
		m.out.Entered = true
	}
	if was > 0 && p.WaterLevel == 0 {
		m.out.Left = true
	}
}

// swim moves in all three directions, along the view.
func (m *mover) swim() {
	p, t := m.p, m.t
	if p.WaterLevel == 2 && m.fwd > 0 && m.leap() {
		m.air()
		return
	}
	rise := m.rise
	if m.cmd.Buttons&state.BtnJump != 0 {
		rise = 1
	} else if m.cmd.Buttons&state.BtnCrouch != 0 && p.Flags&state.Dead == 0 {
		rise = -1
	}
	dir, size := m.look.Scale(m.fwd).Mad(m.right, m.side).Mad(rise, vec.Up).Norm()
	wish := float32(min(size, 1) * t.SwimSpeed)
	if size == 0 {
		dir, wish = vec.V3{Z: -1}, sinkSpeed
	}
	was := p.Vel
	v := m.friction(was, float32(t.WaterFriction*float32(p.WaterLevel)), 0)
	v = m.accelerate(v, dir, wish, t.WaterAccelerate, wish)
	m.step(was.Add(v).Scale(0.5), v)
}

// leap jumps out of the water onto an edge: a wall before the body with nothing
// above it.
func (m *mover) leap() bool {
	p := m.p
	at := func(up float32) vec.V3 {
		return p.Pos.Mad(m.t.HalfWidth+0.45, m.flat).Add(vec.V3{Z: up})
	}
	waist := float32(m.box.Max.Z * 0.5)
	if m.env.World.Contents(at(waist))&(level.Solid|level.Glass|level.PlayerClip) == 0 ||
		m.env.World.Contents(at(waist+0.6)) != 0 {
		return false
	}
	p.Vel = m.flat.Scale(float32(m.t.RunSpeed*0.6)).With(2, max(float32(m.t.JumpSpeed*1.25), 0))
	p.LadderHold = m.ticks(waterJumpMS)
	m.onGround, m.near, m.jumped = false, false, true
	return true
}

func (m *mover) ticks(ms int) uint8 {
	return uint8(min(max(ms*m.env.TickRate/1000, 1), 255))
}

// climb moves on a ladder, if there is one to hold.
func (m *mover) climb() bool {
	p, t := m.p, m.t
	was := p.Flags&state.OnLadder != 0
	p.Flags &^= state.OnLadder
	if p.LadderHold > 0 || p.Flags&(state.Dead|state.Frozen) != 0 || (!was && m.fwd <= 0) || (m.onGround && m.fwd < 0) {
		return false
	}
	n, ok := m.ladder()
	if !ok {
		return false
	}
	p.Flags |= state.OnLadder
	if m.cmd.Buttons&state.BtnJump != 0 && p.Flags&state.JumpHeld == 0 {
		p.Flags &^= state.OnLadder
		p.Flags |= state.JumpHeld
		p.LadderHold = m.ticks(ladderOffMS)
		p.Vel = n.Scale(float32(t.JumpSpeed*0.6)).Mad(float32(t.JumpSpeed*0.5), vec.Up)
		m.onGround, m.near, m.jumped = false, false, true
		m.out.Jumped = true
		return false
	}
	rise := m.fwd
	if m.look.Z < -0.5 { // looking down, forward is down
		rise = 0 - rise
	}
	rise = vec.Clamp(rise+m.rise, -1, 1)
	v := vec.Up.Scale(rise).Mad(float32(m.right*0.7), m.side).Scale(t.LadderSpeed)
	if m.fwd > 0 && rise > 0 {
		// Into the ladder: that is what carries over its upper edge.
		v = v.Mad(float32(t.LadderSpeed*0.5), m.flat)
	}
	m.onGround = false
	m.step(v, v)
	if v == (vec.V3{}) {
		p.Vel = v
	}
	return true
}

// ladder looks for something to climb right before the body, or around it.
func (m *mover) ladder() (vec.V3, bool) {
	p := m.p
	hit := m.env.World.Box(p.Pos, p.Pos.Mad(ladderReach, m.flat), m.box, level.MaskMove|level.Ladder)
	if hit.Frac < 1 && !hit.AllSolid && (hit.Contents&level.Ladder != 0 || hit.Surf&level.SurfLadder != 0) {
		return hit.Normal, true
	}
	if hit.StartSolid {
		mid := p.Pos.Add(vec.V3{Z: float32(m.box.Max.Z * 0.5)})
		for _, reach := range [3]float32{0, m.t.HalfWidth, m.t.HalfWidth + ladderReach} {
			if m.env.World.Contents(mid.Mad(reach, m.flat))&level.Ladder != 0 {
				return m.flat.Neg(), true
			}
		}
	}
	return vec.V3{}, false
}

// fly is how a spectator moves: everywhere but through walls.
func (m *mover) fly() {
	p, t := m.p, m.t
	rise := m.rise
	if m.cmd.Buttons&state.BtnJump != 0 {
		rise = 1
	} else if m.cmd.Buttons&state.BtnCrouch != 0 {
		rise = -1
	}
	dir, size := m.look.Scale(m.fwd).Mad(m.right, m.side).Mad(rise, vec.Up).Norm()
	was := p.Vel
	v := m.friction(was, 6, 2)
	v = m.accelerate(v, dir, float32(min(size, 1)*float32(t.RunSpeed*1.25)), 8, t.MaxSpeed)
	m.onGround, m.near = false, false
	m.slide(was.Add(v).Scale(0.5), v, m.dt)
}
