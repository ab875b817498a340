package mapfile

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
	"github.com/sightline-engine/sightline/game/vec"
)

// surface makes the drawn mesh of a face.
func (p *parser) surface(f *face, lf level.Face, w exact.Winding, contents level.Contents) level.Surface {
	s := level.FaceSurface(lf, w, p.model, contents)
	u, v, ok := f.axes(lf.N)
	if !ok {
		src := p.here()
		src.Line = f.line
		p.b.Warn(src, "the texture of a face is placed without sense; the default is used")
		return s
	}
	s.UVTexels = f.kind != primitive
	// The polygon is in 1/32 m; the file's units are what the texture lies in.
	units := 1 / (level.UnitsPerMetre * p.scale)
	for i, q := range w {
		q = q.Scale(units)
		s.Verts[i].U = float32(q.Dot(exact.V{u[0], u[1], u[2]}) + u[3])
		s.Verts[i].V = float32(q.Dot(exact.V{v[0], v[1], v[2]}) + v[3])
	}
	return s
}

// axes returns the two affine maps from a point to texture coordinates, and
// false when they are degenerate: not finite, without length, or both along the
// face's normal.
func (f *face) axes(n exact.V) (u, v [4]float64, ok bool) {
	switch f.kind {
	case valve:
		for i := range 3 {
			u[i], v[i] = f.u[i]/f.scale[0], f.v[i]/f.scale[1]
		}
		u[3], v[3] = f.u[3], f.v[3]
	case primitive:
		bu, bv := primitiveBase(n)
		for i := range 3 {
			u[i] = float64(bu[i]*f.u[0]) + float64(bv[i]*f.u[1])
			v[i] = float64(bu[i]*f.v[0]) + float64(bv[i]*f.v[1])
		}
		u[3], v[3] = f.u[2], f.v[2]
	default:
		au, av := level.FlatAxes(n)
		ru, rv := rotated(au, av, f.rotate)
		for i := range 3 {
			u[i], v[i] = ru[i]/f.scale[0], rv[i]/f.scale[1]
		}
		u[3], v[3] = f.shift[0], f.shift[1]
	}
	// What is left of the axes within the face must span it.
	du, dv := exact.V{u[0], u[1], u[2]}, exact.V{v[0], v[1], v[2]}
	du, dv = du.Mad(-du.Dot(n), n), dv.Mad(-dv.Dot(n), n)
	lu, lv, area := du.Len(), dv.Len(), du.Cross(dv).Len()
	ok = lu > 1e-6 && lv > 1e-6 && lu < 1e6 && lv < 1e6 && area > 1e-4*lu*lv &&
		math.Abs(u[3]) < 1e9 && math.Abs(v[3]) < 1e9
	return u, v, ok
}

// rotated turns a classic face's axes within their world plane.
func rotated(u, v exact.V, deg float64) (exact.V, exact.V) {
	if deg == 0 || !(math.Abs(deg) < 1e6) {
		return u, v
	}
	s32, c32 := vec.SinCos(float32(deg))
	s, c := float64(s32), float64(c32)
	switch vec.WrapDeg(float32(deg)) {
	case 90:
		s, c = 1, 0
	case -180:
		s, c = 0, -1
	case -90:
		s, c = -1, 0
	}
	// The axes have one non-zero component each: that of u is su, of v is sv.
	su, sv := 0, 0
	for i := range 3 {
		if u[i] != 0 {
			su = i
		}
		if v[i] != 0 {
			sv = i
		}
	}
	turn := func(a exact.V) exact.V {
		a[su], a[sv] = float64(c*a[su])-float64(s*a[sv]), float64(s*a[su])+float64(c*a[sv])
		return a
	}
	return turn(u), turn(v)
}

// primitiveBase is the base that brush primitives give a face by its normal: the
// horizontal direction along it, and the one across, both turned away.
func primitiveBase(n exact.V) (u, v exact.V) {
	for i := range n {
		if math.Abs(n[i]) < 1e-6 {
			n[i] = 0
		}
	}
	if n[0] == 0 && n[1] == 0 {
		// Straight up or down.
		if n[2] > 0 {
			return exact.V{0, 1, 0}, exact.V{1, 0, 0}
		}
		return exact.V{0, 1, 0}, exact.V{-1, 0, 0}
	}
	flat := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]))
	cos, sin := n[0]/flat, n[1]/flat // of the turn about z
	// The pitch angle -atan2(n.z, flat): its cosine and sine for a unit normal.
	u = exact.V{-sin, cos, 0}
	v = exact.V{float64(n[2] * cos), float64(n[2] * sin), -flat}
	return u, v
}
