// Package exact is the arithmetic with which maps are read: float64 vectors,
// planes and convex polygons. A map's planes come from whole numbers that
// float32 cannot multiply without loss, so a reader computes here and rounds to
// float32 once, at the end.
//
// Every product is rounded before it is added, for the reason given in game/vec:
// the same file must give the same level, and the same hash, on every platform.
//
// All values are plain values; any goroutine may use them.
package exact

import (
	"math"

	"github.com/sightline-engine/sightline/game/vec"
)

// V is a point or direction.
type V [3]float64

// Add returns a + b.
func (a V) Add(b V) V { return V{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a - b.
func (a V) Sub(b V) V { return V{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Scale returns a times s.
func (a V) Scale(s float64) V {
	return V{float64(a[0] * s), float64(a[1] * s), float64(a[2] * s)}
}

// Mad returns a + b*s.
func (a V) Mad(s float64, b V) V {
	return V{a[0] + float64(b[0]*s), a[1] + float64(b[1]*s), a[2] + float64(b[2]*s)}
}

// Dot returns the scalar product.
func (a V) Dot(b V) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// Cross returns a × b.
func (a V) Cross(b V) V {
	return V{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// Len returns the length.
func (a V) Len() float64 { return math.Sqrt(a.Dot(a)) }

// Norm returns a at length 1, and the length that it had; a zero or infinite
// vector gives length 0.
func (a V) Norm() (V, float64) {
	l := a.Len()
	if !(l > 0) || math.IsInf(l, 0) {
		return V{}, 0
	}
	return V{a[0] / l, a[1] / l, a[2] / l}, l
}

// IsFinite reports whether no component is NaN or infinite.
func (a V) IsFinite() bool {
	s := a[0] - a[0] + (a[1] - a[1]) + (a[2] - a[2])
	return s == 0
}

// Vec rounds a to float32, with +0 for -0.
func (a V) Vec() vec.V3 {
	return vec.V3{X: float32(a[0]) + 0, Y: float32(a[1]) + 0, Z: float32(a[2]) + 0}
}

// From returns a as V.
func From(a vec.V3) V { return V{float64(a.X), float64(a.Y), float64(a.Z)} }

// Plane is the set of points with N·p = D.
type Plane struct {
	N V
	D float64
}

// Dist returns the signed distance of p in front of the plane.
func (p Plane) Dist(q V) float64 { return p.N.Dot(q) - p.D }

// Scale returns the plane of the same points scaled by s.
func (p Plane) Scale(s float64) Plane { return Plane{p.N, float64(p.D * s)} }

// How near to an axis and to a whole distance a plane must be to count as that:
// the same tolerances with which maps are compiled, so that a source and its
// compiled map agree.
const (
	normalSnap = 1e-5
	distSnap   = 1e-2
)

// Through returns the plane through three points of a map's face, its normal
// (a-b)×(c-b) outward, and false when they do not span one. Normals within 1e-5
// of an axis are made axial and distances within 0.01 of a whole number whole.
func Through(a, b, c V) (Plane, bool) {
	cr := a.Sub(b).Cross(c.Sub(b))
	n, l := cr.Norm()
	// The area bound keeps points that are collinear but for rounding out.
	span := max(a.Sub(b).Len(), c.Sub(b).Len(), a.Sub(c).Len())
	if !(l > 1e-7*span*span) || !(l > 1e-9) || !n.IsFinite() {
		return Plane{}, false
	}
	p := Plane{n, a.Dot(n)}
	for i := range 3 {
		for _, s := range [2]float64{1, -1} {
			if math.Abs(n[i]-s) < normalSnap {
				p.N = V{}
				p.N[i] = s
				p.D = float64(a[i] * s)
			}
		}
	}
	if r := math.Round(p.D); math.Abs(p.D-r) < distSnap {
		p.D = r
	}
	return p, true
}

// Axis returns 0..2 for a plane whose normal is the positive axis of that
// number, 3..5 for the negative ones, and -1 for any other.
func (p Plane) Axis() int {
	for i := range 3 {
		if p.N[i] == 1 {
			return i
		}
		if p.N[i] == -1 {
			return i + 3
		}
	}
	return -1
}
