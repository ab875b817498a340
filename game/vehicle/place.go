package vehicle

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// NumBoxes is how many upright boxes a vehicle is.
const NumBoxes = 3

// Pose is where a vehicle stands, from a Car or from what is shown of it.
type Pose struct {
	Pos        vec.V3
	Yaw, Pitch float32 // degrees
}

// PoseOf returns the pose of a Car.
func PoseOf(c *state.Car) Pose { return Pose{c.Pos, c.Yaw.Deg(), c.Pitch.Deg()} }

// box returns one of its boxes, relative to its middle.
func box(t *tables.Vehicle) vec.Box {
	w := t.HalfWidth
	return vec.Box{Min: vec.V3{X: 0 - w, Y: 0 - w}, Max: vec.V3{X: w, Y: w, Z: t.Height}}
}

// spread returns where the middles of the boxes are at a heading.
func spread(t *tables.Vehicle, yaw state.Angle16) [NumBoxes]vec.V3 {
	sin, cos := vec.SinCos(yaw.Deg())
	d := t.HalfLength - t.HalfWidth
	ahead := vec.V3{X: float32(cos * d), Y: float32(sin * d)}
	return [NumBoxes]vec.V3{ahead, {}, ahead.Neg()}
}

// Boxes returns the boxes that stop a vehicle and bodies that walk into it, in world
// space.
func Boxes(c *state.Car, t *tables.Vehicle) [NumBoxes]vec.Box {
	var out [NumBoxes]vec.Box
	b := box(t)
	for i, o := range spread(t, c.Yaw) {
		out[i] = b.Move(c.Pos.Add(o))
	}
	return out
}

// Bounds returns a box around all of it, riders included, whatever its heading.
func Bounds(pos vec.V3, t *tables.Vehicle) vec.Box {
	r := t.HalfLength + 0.5
	return vec.Box{Min: vec.V3{X: 0 - r, Y: 0 - r, Z: -0.5}, Max: vec.V3{X: r, Y: r, Z: 2.2}}.Move(pos)
}

// axes returns the origin of a vehicle's own frame and its directions. On a slope
// the upright boxes touch it uphill; the body itself lies lower.
func axes(p Pose, t *tables.Vehicle) (o, fwd, left, up vec.V3) {
	fwd, right, up := vec.Axes(p.Yaw, p.Pitch)
	o = p.Pos
	o.Z -= float32((t.HalfLength - t.HalfWidth) * vec.Abs(fwd.Z))
	return o, fwd, right.Neg(), up
}

// At returns a place of a vehicle's own frame in the world: x ahead, y left, z up.
func At(p Pose, t *tables.Vehicle, x, y, z float32) vec.V3 {
	o, fwd, left, up := axes(p, t)
	return o.Mad(x, fwd).Mad(y, left).Mad(z, up)
}

// SeatPos returns where the feet of who sits in a seat count as being; a seat that
// is none is the middle.
func SeatPos(p Pose, t *tables.Vehicle, seat int) vec.V3 {
	if seat < 0 || seat >= len(t.Seats) {
		return vec.CanonV(p.Pos)
	}
	s := &t.Seats[seat]
	return vec.CanonV(At(p, t, s.X, s.Y, s.Z))
}

// Ray returns where the line from a to b enters a vehicle's hull, as a fraction, and
// the normal there, with the hull grown by pad. The line is turned into the vehicle's
// frame, so this is exact.
func Ray(p Pose, t *tables.Vehicle, a, b vec.V3, pad float32) (frac float32, normal vec.V3, ok bool) {
	o, fwd, left, up := axes(p, t)
	in := func(q vec.V3) vec.V3 {
		d := q.Sub(o)
		return vec.V3{X: d.Dot(fwd), Y: d.Dot(left), Z: d.Dot(up)}
	}
	la, lb := in(a), in(b)
	d := lb.Sub(la)
	lo := vec.V3{X: 0 - t.HalfLength - pad, Y: 0 - t.HalfWidth - pad, Z: t.HullLow - pad}
	hi := vec.V3{X: t.HalfLength + pad, Y: t.HalfWidth + pad, Z: t.HullHigh + pad}
	enter, leave := float32(0), float32(1)
	axis, sign := -1, float32(1)
	for i := range 3 {
		at, v := la.At(i), d.At(i)
		if v == 0 {
			if at < lo.At(i) || at > hi.At(i) {
				return 1, vec.V3{}, false
			}
			continue
		}
		t0, t1, s := (lo.At(i)-at)/v, (hi.At(i)-at)/v, float32(-1)
		if t0 > t1 {
			t0, t1, s = t1, t0, 1
		}
		if t0 > enter {
			enter, axis, sign = t0, i, s
		}
		leave = min(leave, t1)
		if enter > leave {
			return 1, vec.V3{}, false
		}
	}
	switch axis {
	case 0:
		normal = fwd.Scale(sign)
	case 1:
		normal = left.Scale(sign)
	case 2:
		normal = up.Scale(sign)
	default: // it begins inside
		normal = d.Neg().Unit()
	}
	return enter, normal, true
}
