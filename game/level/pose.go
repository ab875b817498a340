package level

import "github.com/sightline-engine/sightline/game/vec"

// Pose is where a model is: turned about an upright hinge, then moved by Off. The
// zero Pose is the closed place, as the map has it.
type Pose struct {
	Off vec.V3 // metres
	// The turn, counter-clockwise seen from above, about the upright line through
	// X, Y. Sin and Cos are both 0 where there is none.
	X, Y, Sin, Cos float32
}

// Turned returns the Pose of a model turned by deg degrees about an upright hinge.
func Turned(hinge vec.V3, deg float32) Pose {
	if deg == 0 {
		return Pose{}
	}
	p := Pose{X: hinge.X, Y: hinge.Y}
	p.Sin, p.Cos = vec.SinCos(deg)
	return p
}

// IsTurned reports whether there is a turn.
func (p *Pose) IsTurned() bool { return p.Sin != 0 || p.Cos != 0 }

// Into returns a point of the world as the model has it.
func (p *Pose) Into(v vec.V3) vec.V3 {
	v = v.Sub(p.Off)
	if !p.IsTurned() {
		return v
	}
	x, y := v.X-p.X, v.Y-p.Y
	return vec.V3{
		X: p.X + (float32(p.Cos*x) + float32(p.Sin*y)),
		Y: p.Y + (float32(p.Cos*y) - float32(p.Sin*x)),
		Z: v.Z,
	}
}

// Out returns a point of the model in the world.
func (p *Pose) Out(v vec.V3) vec.V3 {
	if p.IsTurned() {
		x, y := v.X-p.X, v.Y-p.Y
		v.X = p.X + (float32(p.Cos*x) - float32(p.Sin*y))
		v.Y = p.Y + (float32(p.Sin*x) + float32(p.Cos*y))
	}
	return v.Add(p.Off)
}

// Turn returns a direction of the model in the world.
func (p *Pose) Turn(d vec.V3) vec.V3 {
	if !p.IsTurned() {
		return d
	}
	return vec.V3{
		X: float32(p.Cos*d.X) - float32(p.Sin*d.Y),
		Y: float32(p.Sin*d.X) + float32(p.Cos*d.Y),
		Z: d.Z,
	}
}

// Bounds returns the smallest upright box around a box of the model, in the world.
func (p *Pose) Bounds(b vec.Box) vec.Box {
	if !p.IsTurned() {
		return b.Move(p.Off)
	}
	c := b.Center()
	h := b.Max.Sub(c)
	s, k := vec.Abs(p.Sin), vec.Abs(p.Cos)
	h.X, h.Y = float32(k*h.X)+float32(s*h.Y), float32(s*h.X)+float32(k*h.Y)
	c = p.Out(c)
	return vec.Box{Min: c.Sub(h), Max: c.Add(h)}
}

// Hinged reports whether a door turns about its Hinge instead of sliding.
func (d *Door) Hinged() bool { return d.Swing != 0 }

// Pose returns where the model of a door is that is open by a fraction: 0 closed, 1
// fully, below 0 as far to the other side of a door that swings both ways.
func (d *Door) Pose(open float32) Pose {
	if !d.Hinged() {
		return Pose{Off: d.Move.Scale(open)}
	}
	return Turned(d.Hinge, float32(d.Swing*open))
}

// Length is the way from closed to open in the unit that Speed counts by the second:
// metres, or degrees of a hinged door.
func (d *Door) Length() float32 {
	if d.Hinged() {
		return vec.Abs(d.Swing)
	}
	return d.Move.Len()
}

// sweepStep is by how many degrees a swing is followed for its bounds, and sweepBulge
// how much farther out than its end points an arc of that is, of its radius.
const (
	sweepStep  = 15
	sweepBulge = 0.0087 // 1 - cos 7.5°, and a little for rounding
)

// Sweep returns a box around all the space that a door's model, whose closed bounds
// are given, is in on its way.
func (d *Door) Sweep(closed vec.Box) vec.Box {
	if !d.Hinged() {
		return closed.Union(closed.Move(d.Move))
	}
	far := float32(0) // of a corner from the hinge
	for i := range 4 {
		x, y := closed.Min.X, closed.Min.Y
		if i&1 != 0 {
			x = closed.Max.X
		}
		if i&2 != 0 {
			y = closed.Max.Y
		}
		far = max(far, vec.V3{X: x - d.Hinge.X, Y: y - d.Hinge.Y}.Len2())
	}
	all := closed
	sides := []float32{1, -1}
	if !d.Both {
		sides = sides[:1]
	}
	n := 1 + vec.Floor(vec.Abs(d.Swing)/sweepStep)
	for _, side := range sides {
		for k := int32(1); k <= n; k++ {
			p := Turned(d.Hinge, float32(float32(side*d.Swing)*float32(float32(k)/float32(n))))
			all = all.Union(p.Bounds(closed))
		}
	}
	r := float32(far * sweepBulge)
	all.Min.X, all.Min.Y, all.Max.X, all.Max.Y = all.Min.X-r, all.Min.Y-r, all.Max.X+r, all.Max.Y+r
	return all
}
