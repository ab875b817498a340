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
	s := sweep{c: c, half: q.half, down: down,
		o: q.o.Sub(va), e: q.e.Sub(va), b: vb.Sub(va), g: vc.Sub(va)}
	if !s.axis(vec.V3{X: 1}) || !s.axis(vec.V3{Y: 1}) || !s.axis(vec.V3{Z: 1}) || !s.axis(n) {
		return
	}
	if down {
		// The upright sides over the two slanting edges.
		for _, e := range [3]vec.V3{s.b, s.g, s.g.Sub(s.b)} {
			if u, l := (vec.V3{X: e.Y, Y: 0 - e.X}).Norm(); l > 0 && !s.axis(u) {
				return
			}
		}
	}
	for _, e := range [3]vec.V3{s.b, s.g, s.g.Sub(s.b)} {
		if u, l := (vec.V3{Y: e.Z, Z: 0 - e.Y}).Norm(); l > tinyEdge && !s.axis(u) {
			return
		}
		if u, l := (vec.V3{X: 0 - e.Z, Z: e.X}).Norm(); l > tinyEdge && !s.axis(u) {
			return
		}
		if u, l := (vec.V3{X: e.Y, Y: 0 - e.X}).Norm(); l > tinyEdge && !s.axis(u) {
			return
		}
	}
	q.settle(c, c.enter, c.face)
}

// tinyEdge is the length of a cross product below which its direction is noise.
const tinyEdge = 1e-5

// sweep is a box against the triangle 0, b, g.
type sweep struct {
	c    *clip
	o, e vec.V3
	b, g vec.V3
	half vec.V3
	down bool
}

func (s *sweep) axis(u vec.V3) bool {
	pb, pg := u.Dot(s.b), u.Dot(s.g)
	lo, hi := min(0, pb, pg), max(0, pb, pg)
	r := float32(vec.Abs(u.X)*s.half.X) + float32(vec.Abs(u.Y)*s.half.Y) + float32(vec.Abs(u.Z)*s.half.Z)
	o, e := u.Dot(s.o), u.Dot(s.e)
	hi, lo = hi+r, lo-r
	if !s.down || u.Z >= 0 {
		if !s.c.box(o-hi, e-hi, u, 0) {
			return false
		}
	}
	if !s.down || u.Z <= 0 {
		return s.c.box(lo-o, lo-e, u.Neg(), 0)
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
