package trace

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// A box swept against planes alone stops too early beside a slanting edge: the
// planes, pushed out by the box, meet far beyond the corner. The cure is one more
// plane for each pair of an edge and an axis that touches the solid in that edge
// only. Compilers of .bsp write them into the file; a .map has none, so both are
// given them here and agree.
//
// This runs when a World is built, in float64 with rounded products: planes must
// have the same bits on every platform too.

type v64 struct{ x, y, z float64 }

func to64(a vec.V3) v64         { return v64{float64(a.X), float64(a.Y), float64(a.Z)} }
func (a v64) sub(b v64) v64     { return v64{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a v64) dot(b v64) float64 { return float64(a.x*b.x) + float64(a.y*b.y) + float64(a.z*b.z) }
func (a v64) scale(s float64) v64 {
	return v64{float64(a.x * s), float64(a.y * s), float64(a.z * s)}
}
func (a v64) add(b v64) v64 { return v64{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a v64) cross(b v64) v64 {
	return v64{
		float64(a.y*b.z) - float64(a.z*b.y),
		float64(a.z*b.x) - float64(a.x*b.z),
		float64(a.x*b.y) - float64(a.y*b.x),
	}
}
func (a v64) norm() (v64, float64) {
	l := math.Sqrt(a.dot(a))
	if l == 0 {
		return v64{}, 0
	}
	return v64{a.x / l, a.y / l, a.z / l}, l
}

const (
	bevelTol   = 1e-3 // metres that a vertex may lie before a bevel
	sameNormal = 1e-4 // two planes are the same within these
	sameDist   = 1e-3
	maxBevels  = 64 // of one solid; a solid with more slanting edges keeps the first
)

// edgeBevels returns the planes that sides lack for exact box sweeps.
func edgeBevels(sides []level.Side, bounds vec.Box) []level.Plane {
	slanted := false
	for i := range sides {
		if !isAxial(sides[i].N) {
			slanted = true
			break
		}
	}
	if !slanted {
		return nil
	}
	var verts []v64
	var edges [][2]v64
	for i := range sides {
		w := winding(sides, i, bounds)
		verts = append(verts, w...)
		for j := range w {
			edges = append(edges, [2]v64{w[j], w[(j+1)%len(w)]})
		}
	}
	var out []level.Plane
	for _, e := range edges {
		d, l := e[1].sub(e[0]).norm()
		if l < 1.0/64 {
			continue
		}
		for axis := 0; axis < 3; axis++ {
			var ax v64
			switch axis {
			case 0:
				ax.x = 1
			case 1:
				ax.y = 1
			default:
				ax.z = 1
			}
			n, nl := d.cross(ax).norm()
			if nl < 1e-3 {
				continue
			}
			for sign := 0; sign < 2; sign++ {
				if sign == 1 {
					n = v64{0 - n.x, 0 - n.y, 0 - n.z}
				}
				dist := n.dot(e[0])
				if before(verts, n, dist) || known(sides, out, n, dist) {
					continue
				}
				if len(out) == maxBevels {
					return out
				}
				out = append(out, level.Plane{
					N: vec.V3{X: float32(n.x), Y: float32(n.y), Z: float32(n.z)}, D: float32(dist)})
			}
		}
	}
	return out
}

// before reports whether a vertex lies in front of the plane: then it would cut
// into the solid.
func before(verts []v64, n v64, dist float64) bool {
	for _, v := range verts {
		if n.dot(v)-dist > bevelTol {
			return true
		}
	}
	return false
}

func known(sides []level.Side, planes []level.Plane, n v64, dist float64) bool {
	same := func(p level.Plane) bool {
		q := to64(p.N)
		return math.Abs(q.x-n.x) < sameNormal && math.Abs(q.y-n.y) < sameNormal &&
			math.Abs(q.z-n.z) < sameNormal && math.Abs(float64(p.D)-dist) < sameDist
	}
	for i := range sides {
		if same(sides[i].Plane) {
			return true
		}
	}
	for _, p := range planes {
		if same(p) {
			return true
		}
	}
	return false
}

func isAxial(n vec.V3) bool {
	zero := 0
	for i := 0; i < 3; i++ {
		if vec.Abs(n.At(i)) < 1e-6 {
			zero++
		}
	}
	return zero >= 2
}

// winding returns the face of side i: a square in its plane, cut by the others.
func winding(sides []level.Side, i int, bounds vec.Box) []v64 {
	n := to64(sides[i].N)
	c := to64(bounds.Center())
	c = c.sub(n.scale(n.dot(c) - float64(sides[i].D))) // nearest point of the plane
	helper := v64{1, 0, 0}
	if math.Abs(n.x) > 0.7 {
		helper = v64{0, 1, 0}
	}
	u, _ := n.cross(helper).norm()
	v := n.cross(u)
	r := float64(2*bounds.Size().Len()) + 1
	w := []v64{
		c.add(u.scale(r)).add(v.scale(r)), c.sub(u.scale(r)).add(v.scale(r)),
		c.sub(u.scale(r)).sub(v.scale(r)), c.add(u.scale(r)).sub(v.scale(r)),
	}
	for j := range sides {
		if j == i {
			continue
		}
		m, d := to64(sides[j].N), float64(sides[j].D)
		if m.dot(n) > 1-1e-9 && math.Abs(d-float64(sides[i].D)) < 1e-4 {
			if j < i { // the same plane twice: the first keeps the face
				return nil
			}
			continue
		}
		w = cutWinding(w, m, d)
		if len(w) < 3 {
			return nil
		}
	}
	return w
}

// cutWinding keeps the part of w behind the plane.
func cutWinding(w []v64, n v64, d float64) []v64 {
	var out []v64
	for i := range w {
		a, b := w[i], w[(i+1)%len(w)]
		da, db := n.dot(a)-d, n.dot(b)-d
		if da <= 1e-6 {
			out = append(out, a)
		}
		if (da > 1e-6 && db < -1e-6) || (da < -1e-6 && db > 1e-6) {
			out = append(out, a.add(b.sub(a).scale(da/(da-db))))
		}
	}
	return out
}
