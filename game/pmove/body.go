package pmove

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Body returns p's box, relative to its feet.
func Body(p *state.Player, t *tables.Movement) vec.Box {
	if p.Flags&state.Ducked != 0 {
		return stanceBox(t, t.CrouchHeight)
	}
	return stanceBox(t, t.StandHeight)
}

func stanceBox(t *tables.Movement, height float32) vec.Box {
	w := t.HalfWidth
	return vec.Box{Min: vec.V3{X: 0 - w, Y: 0 - w}, Max: vec.V3{X: w, Y: w, Z: height}}
}

// Eye returns where p sees and shoots from: moved by crouching and leaning.
func Eye(p *state.Player, t *tables.Movement) vec.V3 {
	e := p.Pos
	e.Z += eyeHeight(p.Duck, t)
	if p.Lean != 0 {
		e = e.Mad(leanAt(p.Lean, t), leanDir(p))
	}
	return e
}

// Chest returns the point that stands for p's body in sight tests.
func Chest(p *state.Player, t *tables.Movement) vec.V3 {
	c := p.Pos
	c.Z += float32(Body(p, t).Max.Z * t.ChestFrac)
	return c
}

func eyeHeight(duck uint8, t *tables.Movement) float32 {
	return vec.Lerp(t.StandEye, t.CrouchEye, float32(duck)/255)
}

func leanAt(lean int8, t *tables.Movement) float32 {
	return float32(float32(lean)*t.LeanOffset) / 127
}

// leanDir points to the right of the view, level.
func leanDir(p *state.Player) vec.V3 {
	sin, cos := vec.SinCos(p.Yaw.Deg())
	return vec.V3{X: sin, Y: 0 - cos}
}

// stance crouches at once, and stands up where there is room.
func (m *mover) stance() {
	p := m.p
	want := m.cmd.Buttons&state.BtnCrouch != 0 || p.Flags&state.Dead != 0
	switch {
	case want:
		p.Flags |= state.Ducked
	case p.Flags&state.Ducked != 0 && m.fits(p.Pos, stanceBox(m.t, m.t.StandHeight)):
		p.Flags &^= state.Ducked
	}
	m.box = Body(p, m.t)
}

// eye moves the eye towards where the stance and the lean want it.
func (m *mover) eye() {
	p := m.p
	goal := 0
	if p.Flags&state.Ducked != 0 {
		goal = 255
	}
	p.Duck = uint8(approach(int(p.Duck), goal, m.share(255, m.t.DuckMS)))
	if goal == 255 && p.Duck < 255 && !m.fits(p.Pos, stanceBox(m.t, m.t.StandHeight)) {
		p.Duck = 255 // the eye must not pass through the ceiling that the body went under
	}
	goal = 0
	if m.onGround && p.Flags&(state.Spectating|state.Swimming|state.OnLadder) == 0 {
		if m.cmd.Buttons&state.BtnLeanLeft != 0 {
			goal -= 127
		}
		if m.cmd.Buttons&state.BtnLeanRight != 0 {
			goal += 127
		}
	}
	p.Lean = int8(approach(int(p.Lean), goal, m.share(127, m.t.LeanMS)))
	if p.Lean != 0 {
		p.Lean = m.leanRoom(p.Lean)
	}
}

// leanRoom returns how much of a lean the walls leave: a head's box is swept from
// above the feet, where the body is known to fit.
func (m *mover) leanRoom(lean int8) int8 {
	p := m.p
	at := p.Pos
	at.Z += eyeHeight(p.Duck, m.t)
	h := min(0.125, m.t.HalfWidth, max(m.box.Max.Z-eyeHeight(p.Duck, m.t), 0.01))
	head := vec.Box{Min: vec.V3{X: 0 - h, Y: 0 - h, Z: 0 - h}, Max: vec.V3{X: h, Y: h, Z: h}}
	hit := m.env.World.Box(at, at.Mad(leanAt(lean, m.t), leanDir(p)), head, level.MaskMove)
	if hit.StartSolid {
		return 0
	}
	return int8(float32(float32(lean) * hit.Frac)) // towards 0
}

// share is how much of full a tick moves when all of it takes ms.
func (m *mover) share(full int, ms float32) int {
	if !(ms > 0) {
		return full
	}
	return max(int(vec.Floor(float32(float32(full)*1000)/float32(ms*float32(m.env.TickRate))+0.5)), 1)
}

func approach(from, to, by int) int {
	if from < to {
		return min(from+by, to)
	}
	return max(from-by, to)
}
