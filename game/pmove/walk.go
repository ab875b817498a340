package pmove

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// friction slows v. Above the stop speed the loss is proportional, so it decays
// like e^-x; the fraction below is that to x³/6, which keeps tick rates alike.
func (m *mover) friction(v vec.V3, rate, stop float32) vec.V3 {
	speed := v.Len()
	if speed == 0 {
		return vec.V3{}
	}
	x := float32(rate * m.dt)
	left := speed / (1 + x + float32(float32(x*x)*0.5))
	if speed < stop {
		left = speed - float32(stop*x)
	}
	if left < 1e-5 {
		return vec.V3{}
	}
	return v.Scale(left / speed)
}

// accelerate adds speed along dir until v has wish there.
func (m *mover) accelerate(v, dir vec.V3, wish, accel, ceiling float32) vec.V3 {
	room := min(wish, ceiling) - v.Dot(dir)
	if room <= 0 {
		return v
	}
	return v.Mad(min(float32(float32(accel*wish)*m.dt), room), dir)
}

// wish returns where the keys want to go on a plane, and how fast: diagonals are
// no faster.
func (m *mover) wish(normal vec.V3) (vec.V3, float32) {
	f, r := m.flat, m.side
	if normal.Z < 1 {
		f, r = clipVel(f, normal, 1).Unit(), clipVel(r, normal, 1).Unit()
	}
	dir, size := f.Scale(m.fwd).Mad(m.right, r).Norm()
	return dir, float32(min(size, 1) * m.pace())
}

// pace is the speed of a full key.
func (m *mover) pace() float32 {
	t, p := m.t, m.p
	s := t.RunSpeed
	if p.Flags&state.Walking != 0 {
		s = min(s, t.WalkSpeed)
	}
	if p.Flags&state.Aiming != 0 {
		s = min(s, m.aimSpeed())
	}
	if m.onGround {
		if p.Flags&state.Ducked != 0 {
			s = min(s, t.CrouchSpeed)
		}
		if p.WaterLevel > 0 { // wading
			s = min(s, vec.Lerp(s, t.SwimSpeed, float32(p.WaterLevel)/3))
		}
	}
	return s
}

// aimSpeed is the speed of who aims, through the optic in hand.
func (m *mover) aimSpeed() float32 {
	if f := m.env.AimSpeed; f > 0 {
		return float32(m.t.AimSpeed * f)
	}
	return m.t.AimSpeed
}

// jump leaves the ground if it may. A held key jumps once, unless the table says
// otherwise; pressed in the air it waits for the landing.
func (m *mover) jump() bool {
	p := m.p
	if m.cmd.Buttons&state.BtnJump == 0 || p.Flags&state.Spectating != 0 {
		return false
	}
	if p.Flags&state.JumpHeld != 0 && !m.t.AutoJump {
		return false
	}
	p.Flags |= state.JumpHeld
	p.Flags &^= state.OnGround
	p.Ground = -1
	p.Vel.Z = m.t.JumpSpeed
	m.onGround, m.near, m.jumped = false, false, true
	m.out.Jumped = true
	return true
}

func (m *mover) walk() {
	p, t := m.p, m.t
	n := m.floor.Normal
	dir, wish := m.wish(n)
	slick := m.floor.Surf&level.SurfSlick != 0
	free := slick || p.MoveTimer > 0
	was := p.Vel
	v := was
	accel := t.Accelerate
	if free {
		accel = t.AirAccelerate
	} else {
		if flat := v.Flat().Len(); flat > 0 { // on a slope, judged by the horizontal part
			v = v.Scale(m.friction(v.Flat(), t.Friction, m.stopSpeed(wish)).Len() / flat)
		}
	}
	v = m.accelerate(v, dir, wish, accel, wish)
	if free {
		v.Z -= float32(t.Gravity * m.dt)
	}
	// Along the floor, at the same speed: slopes neither brake nor speed up.
	speed := v.Len()
	v = clipVel(v, n, t.Overclip)
	if !free {
		v = v.Unit().Scale(speed)
	}
	was = clipVel(was, n, t.Overclip)
	p.Vel = v
	if v.X == 0 && v.Y == 0 {
		p.Vel = vec.V3{}
		return
	}
	m.step(was.Add(v).Scale(0.5), v)
}

// stopSpeed is the speed below which friction brakes evenly. A slow wish lowers
// it: at the table's value friction would hold a walk below a ninth of the
// running speed in place for ever. Crouching, the slowest full key, is not
// affected in the arena table.
func (m *mover) stopSpeed(wish float32) float32 {
	t := m.t
	if wish <= 0 || t.Friction <= 0 {
		return t.StopSpeed
	}
	return min(t.StopSpeed, float32(float32(wish*t.Accelerate)*0.75)/t.Friction)
}

func (m *mover) air() {
	p, t := m.p, m.t
	dir, wish := m.wish(vec.Up)
	was := p.Vel
	ceiling := wish
	if t.AirSpeedCap > 0 {
		ceiling = t.AirSpeedCap
	}
	v := m.accelerate(was, dir, wish, t.AirAccelerate, ceiling)
	if t.AirControl > 0 && m.right == 0 && wish > 0 {
		v = m.airControl(v, dir)
	}
	v.Z -= float32(t.Gravity * m.dt)
	if m.near { // a slope too steep to stand on
		v = clipInto(v, m.floor.Normal, t.Overclip)
		was = clipInto(was, m.floor.Normal, t.Overclip)
	}
	m.step(was.Add(v).Scale(0.5), v)
}

// airControl turns the horizontal velocity towards dir without changing its
// length; more, the closer they are.
func (m *mover) airControl(v, dir vec.V3) vec.V3 {
	flat := v.Flat()
	u, speed := flat.Norm()
	cos := u.Dot(dir)
	if cos <= 0 || speed == 0 {
		return v
	}
	k := float32(float32(m.t.AirControl*m.t.RunSpeed) * float32(float32(cos*cos)*m.dt))
	return flat.Mad(k, dir).Unit().Scale(speed).With(2, v.Z)
}
