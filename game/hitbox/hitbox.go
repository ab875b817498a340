package hitbox

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Part names what was hit.
type Part uint8

// The parts.
const (
	None Part = iota
	Head
	Chest
	Pelvis
	Legs
	NumParts
)

var partNames = [NumParts]string{"none", "head", "chest", "pelvis", "legs"}

func (p Part) String() string {
	if p < NumParts {
		return partNames[p]
	}
	return "unknown"
}

// Pose is how a body stands.
type Pose struct {
	Pos  vec.V3 // feet
	Yaw  state.Angle16
	Duck uint8 // as state.Player.Duck
	Lean int8  // as state.Player.Lean
}

// PoseOf returns the pose of a player as it is now.
func PoseOf(p *state.Player) Pose {
	return Pose{Pos: p.Pos, Yaw: p.Yaw, Duck: p.Duck, Lean: p.Lean}
}

// Hit is what a line met first.
type Hit struct {
	Part Part
	Frac float32 // of the line, 0..1
}

// Shape is a posed body in its own frame: x forward, y left, z up, feet at 0.
type Shape struct {
	HeadAt     vec.V3
	HeadRadius float32
	Boxes      [3]vec.Box // Chest, Pelvis, Legs
}

// Proportions of the figure, by judgement: of the standing or ducked height, and
// of the movement box's half width.
const (
	headRadius  = 0.16 // metres, where the head's top fits the box
	hipFrac     = 0.42
	waistFrac   = 0.56
	chestWide   = 0.58
	chestDeep   = 0.40
	pelvisWide  = 0.48
	legsWide    = 0.50
	legsDeep    = 0.42
	chestOfLean = 0.5
)

// ShapeOf returns the body of a pose.
func ShapeOf(m *tables.Movement, p Pose) Shape {
	duck := float32(p.Duck) / 255
	height := vec.Lerp(m.StandHeight, m.CrouchHeight, duck)
	eye := vec.Lerp(m.StandEye, m.CrouchEye, duck)
	lean := float32(m.LeanOffset*float32(p.Lean)) / 127 // to the right, which is -y
	w := m.HalfWidth
	var s Shape
	s.HeadRadius = vec.Clamp(height-eye, 0.05, headRadius)
	s.HeadAt = vec.V3{Y: 0 - lean, Z: eye}
	hip, waist := float32(height*hipFrac), float32(height*waistFrac)
	neck := max(eye-float32(s.HeadRadius*0.9), waist)
	s.Boxes[0] = upright(float32(w*chestDeep), float32(w*chestWide), waist, neck)
	s.Boxes[1] = upright(float32(w*chestDeep), float32(w*pelvisWide), hip, waist)
	s.Boxes[2] = upright(float32(w*legsDeep), float32(w*legsWide), 0, hip)
	s.Boxes[0] = s.Boxes[0].Move(vec.V3{Y: 0 - float32(lean*chestOfLean)})
	return s
}

func upright(deep, wide, lo, hi float32) vec.Box {
	return vec.Box{Min: vec.V3{X: -deep, Y: -wide, Z: lo}, Max: vec.V3{X: deep, Y: wide, Z: hi}}
}

// Bounds returns a box in world space around every part of a pose.
func Bounds(m *tables.Movement, p Pose) vec.Box {
	s := ShapeOf(m, p)
	r := vec.V3{X: s.HeadRadius, Y: s.HeadRadius, Z: s.HeadRadius}
	b := vec.Box{Min: s.HeadAt.Sub(r), Max: s.HeadAt.Add(r)}
	for i := range s.Boxes {
		b = b.Union(s.Boxes[i])
	}
	// A circle around the feet holds the box at every yaw.
	far := b.Min.Abs().Max(b.Max.Abs()).Len2()
	return vec.Box{Min: vec.V3{X: -far, Y: -far, Z: b.Min.Z}, Max: vec.V3{X: far, Y: far, Z: b.Max.Z}}.Move(p.Pos)
}

// Ray returns the first part that the line from..to enters; a line that begins
// inside a part hits it at 0.
func Ray(m *tables.Movement, p Pose, from, to vec.V3) (Hit, bool) { return Sweep(m, p, from, to, 0) }

// Sweep returns the first part that a ball of a radius enters on its way from..to;
// of radius 0 it is Ray. Boxes grow by the radius with their corners: a blow is a
// little wider than a ball there, by at most 0.73 of the radius.
func Sweep(m *tables.Movement, p Pose, from, to vec.V3, radius float32) (Hit, bool) {
	s := ShapeOf(m, p)
	sin, cos := vec.SinCos(p.Yaw.Deg())
	a := local(from.Sub(p.Pos), sin, cos)
	d := local(to.Sub(from), sin, cos)
	hit := Hit{Frac: 2}
	if f, ok := ball(s.HeadAt, s.HeadRadius+radius, a, d); ok {
		hit = Hit{Head, f}
	}
	for i := range s.Boxes {
		b := s.Boxes[i]
		if radius > 0 {
			b = b.Pad(radius)
		}
		if f, ok := b.Enter(a, d); ok && f < hit.Frac {
			hit = Hit{Chest + Part(i), f}
		}
	}
	return hit, hit.Part != None
}

// Factor returns what a weapon's damage is multiplied by for a part.
func Factor(p Part, w *tables.Weapon) float32 {
	switch p {
	case Head:
		return w.HeadFactor
	case Legs:
		return w.LimbFactor
	}
	return 1
}

// local turns a world vector into the body's frame.
func local(v vec.V3, sin, cos float32) vec.V3 {
	return vec.V3{
		X: float32(v.X*cos) + float32(v.Y*sin),
		Y: float32(v.Y*cos) - float32(v.X*sin),
		Z: v.Z,
	}
}

// ball returns where a + d*f enters a sphere, for f in 0..1.
func ball(c vec.V3, r float32, a, d vec.V3) (float32, bool) {
	m := a.Sub(c)
	in := m.LenSq() - float32(r*r)
	if in <= 0 {
		return 0, true
	}
	dir, l := d.Norm() // unit first: a long line would lose the ball in rounding
	if l == 0 {
		return 0, false
	}
	b := m.Dot(dir)
	if b >= 0 {
		return 0, false
	}
	// The nearest point of the line, then half the chord: no difference of large
	// squares.
	near := m.Mad(0-b, dir)
	h2 := float32(r*r) - near.LenSq()
	if h2 < 0 {
		return 0, false
	}
	f := (0 - b - vec.Sqrt(h2)) / l
	return max(f, 0), f <= 1
}
