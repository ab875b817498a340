package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// boxTri sweeps the box against a triangle: for each of the thirteen axes that
// may separate a box from a triangle, the two planes that bound it there. With
// down, what is meant is the endless prism below the triangle (terrain): it has
// no lower bounds, and upright sides.
func (q *query) boxTri(c *clip, va, vb, vc, n vec.V3, down bool) {
	// Relative to a corner: what is near is small, and exact.
	o, e := q.o.Sub(va), q.e.Sub(va)
	m := mesh{b: vb.Sub(va), g: vc.Sub(va), n: n, down: down}
	for k := range maxAxes {
		if a, ok := m.axis(k); ok && !c.axis(&a, o, e, q.half, down) {
			return
		}
	}
	q.settle(c, c.enter, c.face)
}

// tinyEdge is the length of a cross product below which its direction is noise.
const tinyEdge = 1e-5

// maxAxes is how many directions are tested: the box's three, the triangle's, three
// of upright sides, and nine across an edge of each.
const maxAxes = 3 + 1 + 3 + 9

// mesh is the triangle 0, b, g.
type mesh struct {
	b, g, n vec.V3
	down    bool
}

// triAxis is a direction and how far the triangle reaches along it.
type triAxis struct {
	u      vec.V3
	lo, hi float32
}

// axis returns direction k; it does not depend on what is swept.
func (m *mesh) axis(k int) (a triAxis, ok bool) {
	switch {
	case k == 0:
		a.u = vec.V3{X: 1}
	case k == 1:
		a.u = vec.V3{Y: 1}
	case k == 2:
		a.u = vec.V3{Z: 1}
	case k == 3:
		a.u = m.n
	case k < 7: // over the slanting edges
		if !m.down {
			return a, false
		}
		e := m.edge(k - 4)
		u, l := (vec.V3{X: e.Y, Y: 0 - e.X}).Norm()
		if !(l > 0) {
			return a, false
		}
		a.u = u
	default:
		e := m.edge((k - 7) / 3)
		var across vec.V3
		switch (k - 7) % 3 {
		case 0:
			across = vec.V3{Y: e.Z, Z: 0 - e.Y}
		case 1:
			across = vec.V3{X: 0 - e.Z, Z: e.X}
		default:
			across = vec.V3{X: e.Y, Y: 0 - e.X}
		}
		u, l := across.Norm()
		if !(l > tinyEdge) {
			return a, false
		}
		a.u = u
	}
	pb, pg := a.u.Dot(m.b), a.u.Dot(m.g)
	a.lo, a.hi = min(0, pb, pg), max(0, pb, pg)
	return a, true
}

func (m *mesh) edge(i int) vec.V3 {
	switch i {
	case 0:
		return m.b
	case 1:
		return m.g
	}
	return m.g.Sub(m.b)
}

// axis clips the motion o..e of a box, relative to the triangle's corner, by the
// two planes that bound the triangle along an axis.
func (c *clip) axis(a *triAxis, ro, re, half vec.V3, down bool) bool {
	r := float32(vec.Abs(a.u.X)*half.X) + float32(vec.Abs(a.u.Y)*half.Y) + float32(vec.Abs(a.u.Z)*half.Z)
	o, e := a.u.Dot(ro), a.u.Dot(re)
	hi, lo := a.hi+r, a.lo-r
	if !down || a.u.Z >= 0 {
		if !c.box(o-hi, e-hi, a.u, 0) {
			return false
		}
	}
	if !down || a.u.Z <= 0 {
		return c.box(lo-o, lo-e, a.u.Neg(), 0)
	}
	return true
}

// rayTri meets a line with a triangle from either side. The edge functions are
// differences of products that float64 holds exactly, so their signs are exact
// and opposite for the two triangles of a shared edge: no line slips between.
func (q *query) rayTri(c *clip, t *level.Tri) {
	d := q.e.Sub(q.o)
	kz := 0
	if vec.Abs(d.Y) > vec.Abs(d.X) {
		kz = 1
	}
	if vec.Abs(d.Z) > vec.Abs(d.At(kz)) {
		kz = 2
	}
	dz := d.At(kz)
	if dz == 0 {
		return
	}
	kx, ky := (kz+1)%3, (kz+2)%3
	sx, sy := d.At(kx)/dz, d.At(ky)/dz
	a, b, g := t.A.Sub(q.o), t.B.Sub(q.o), t.C.Sub(q.o)
	ax, ay := shear(a, kx, ky, kz, sx, sy)
	bx, by := shear(b, kx, ky, kz, sx, sy)
	gx, gy := shear(g, kx, ky, kz, sx, sy)
	u := float64(gx*by) - float64(gy*bx)
	v := float64(ax*gy) - float64(ay*gx)
	w := float64(bx*ay) - float64(by*ax)
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return
	}
	det := u + v + w
	if det == 0 {
		return
	}
	z := float64(u*float64(a.At(kz))) + float64(v*float64(b.At(kz))) + float64(w*float64(g.At(kz)))
	f := float32(z / float64(det*float64(dz)))
	if !(f >= 0 && f <= 1) {
		return
	}
	n, side := t.N, t.N.Dot(d)
	if side > 0 {
		n, side = n.Neg(), 0-side
	}
	if side < 0 { // drawn back by the skin, along the normal
		f -= Skin / (0 - side)
	}
	q.accept(c, max(f, 0), n, c.face)
}

// shear moves a point along the ray so that the ray becomes the z axis; the
// result is rounded to float32, so that its products are exact in float64.
func shear(p vec.V3, kx, ky, kz int, sx, sy float32) (x, y float64) {
	z := p.At(kz)
	return float64(p.At(kx) - float32(sx*z)), float64(p.At(ky) - float32(sy*z))
}
