package pmove

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

func (m *mover) sweep(a, b vec.V3) level.Hit {
	return m.env.World.Box(a, b, m.box, level.MaskMove)
}

func (m *mover) fits(at vec.V3, box vec.Box) bool {
	return !m.env.World.Box(at, at, box, level.MaskMove).StartSolid
}

// ground finds what is right below and whether it can be stood on.
func (m *mover) ground() {
	p := m.p
	m.onGround, m.near = false, false
	down := p.Pos
	down.Z -= groundProbe
	m.floor = m.sweep(p.Pos, down)
	switch {
	case m.floor.AllSolid, m.floor.Frac == 1:
	case p.Vel.Z > 0 && p.Vel.Dot(m.floor.Normal) > 0.3125: // thrown off: 10 u/s
	default:
		m.near = true
		m.onGround = m.floor.Normal.Z >= m.t.MinWalkNormal
	}
	setFlag(p, state.OnGround, m.onGround)
	p.Ground = -1
	if m.onGround {
		p.Ground = m.floor.Model
	}
}

// stepDown keeps walking feet on stairs and slopes that fall away.
func (m *mover) stepDown() {
	p := m.p
	down := p.Pos
	down.Z -= m.t.StepHeight
	hit := m.sweep(p.Pos, down)
	if hit.StartSolid || hit.Frac == 1 || hit.Normal.Z < m.t.MinWalkNormal {
		return
	}
	m.out.StepUp += hit.End.Z - p.Pos.Z
	p.Pos = hit.End
	p.Vel.Z = 0
	m.ground()
}

// ride takes p along with the mover that it stands on, and out of the way of any
// that has come into it.
func (m *mover) ride() {
	p := m.p
	if d := m.moved(p.Ground, p.Pos); p.Flags&state.OnGround != 0 && d != (vec.V3{}) {
		to := p.Pos.Add(d)
		if m.fits(to, m.box) {
			p.Pos = to
			return
		}
		p.Pos = m.sweep(p.Pos, to).End
	}
	m.unstick()
}

// moved returns how far the point at of a model went in this tick.
func (m *mover) moved(model int16, at vec.V3) vec.V3 {
	i := int(model)
	if i <= 0 || i >= len(m.env.Poses) || i >= len(m.env.Before) {
		return vec.V3{}
	}
	now, was := &m.env.Poses[i], &m.env.Before[i]
	if now.IsTurned() || was.IsTurned() {
		return now.Out(was.Into(at)).Sub(at)
	}
	return now.Off.Sub(was.Off)
}

// Yields reports whether a body is outside of everything, or can be moved out of what
// has come into it.
func Yields(p *state.Player, env Env) bool {
	q := *p
	m := mover{p: &q, env: &env, t: env.Move, box: Body(p, env.Move)}
	m.unstick()
	return !m.out.Stuck
}

// shoves are how far a turning leaf pushes, of the way of its point in the body's
// middle, and then some: its rim goes farther.
var shoves = [...]float32{1, 2, 4, 8}

// nudges are tried in this order when the body is inside something.
var nudges = [...]vec.V3{
	{Z: 1}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: -1},
	{X: 1, Z: 1}, {X: -1, Z: 1}, {Y: 1, Z: 1}, {Y: -1, Z: 1},
	{X: 1, Y: 1, Z: 1}, {X: -1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: 1}, {X: -1, Y: -1, Z: 1},
	{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1},
}

var nudgeSizes = [...]float32{1.0 / 512, 1.0 / 64, 1.0 / 16, 0.25}

// unstick moves a body that is inside something to the nearest free place of a
// fixed list: first with the mover that entered it, then a little to every side.
func (m *mover) unstick() {
	p := m.p
	hit := m.sweep(p.Pos, p.Pos)
	if !hit.StartSolid {
		return
	}
	if d := m.moved(hit.Model, p.Pos); d != (vec.V3{}) {
		u, l := d.Norm()
		to := p.Pos.Mad(l+1.0/512, u)
		for _, k := range shoves[1:] {
			if m.fits(to, m.box) || !(m.env.Poses[hit.Model].IsTurned() || m.env.Before[hit.Model].IsTurned()) {
				break
			}
			to = p.Pos.Mad(float32(l*k)+1.0/512, u)
		}
		if m.fits(to, m.box) {
			p.Pos = to
			// What pushes also sets the pace, in its direction.
			if rate := float32(l * float32(m.env.TickRate)); p.Vel.Dot(u) < rate && u.Z < m.t.MinWalkNormal {
				p.Vel = p.Vel.Mad(rate-p.Vel.Dot(u), u)
			}
			return
		}
	}
	for _, s := range nudgeSizes {
		for _, n := range nudges {
			if to := p.Pos.Mad(s, n); m.fits(to, m.box) {
				p.Pos = to
				return
			}
		}
	}
	m.out.Stuck = true
}

// pads throws p when it touches a jump pad that it is not already flying from.
func (m *mover) pads() {
	p := m.p
	if p.Flags&state.Dead != 0 {
		return
	}
	body := m.box.Move(p.Pos)
	for i := range m.env.Pads {
		pad := &m.env.Pads[i]
		if !body.Overlaps(pad.Box) {
			continue
		}
		u, speed := pad.Vel.Norm()
		if p.Vel.Dot(u) >= float32(speed*0.75) {
			continue
		}
		p.Vel = pad.Vel
		p.Flags &^= state.OnGround
		p.Ground = -1
		m.onGround, m.near, m.jumped = false, false, true
		m.out.Pad, m.out.Index = true, int16(min(i, 32767))
		return
	}
}
