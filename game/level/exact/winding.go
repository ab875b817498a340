package exact

import "math"

// Winding is a convex polygon, counter-clockwise seen from its plane's front.
type Winding []V

// onEdge is how near to a plane a point counts as on it, in map units.
const onEdge = 1e-3

// Square returns a square of half-width r on the plane, around the point of it
// that is nearest to the world's origin.
func Square(p Plane, r float64) Winding {
	up := V{0, 0, 1}
	if math.Abs(p.N[2]) > 0.7 {
		up = V{1, 0, 0}
	}
	up, _ = up.Mad(-up.Dot(p.N), p.N).Norm()
	right := up.Cross(p.N)
	o := p.N.Scale(p.D)
	up, right = up.Scale(r), right.Scale(r)
	return Winding{
		o.Sub(right).Sub(up),
		o.Add(right).Sub(up),
		o.Add(right).Add(up),
		o.Sub(right).Add(up),
	}
}

// Clip appends to dst (emptied first) the part of w behind p. dst must not share
// memory with w.
func (w Winding) Clip(p Plane, dst Winding) Winding {
	dst = dst[:0]
	if len(w) == 0 {
		return dst
	}
	prev := w[len(w)-1]
	dp := p.Dist(prev)
	for _, q := range w {
		dq := p.Dist(q)
		if (dp > onEdge && dq < -onEdge) || (dp < -onEdge && dq > onEdge) {
			t := dp / (dp - dq)
			m := prev.Mad(t, q.Sub(prev))
			if a := p.Axis(); a >= 0 { // exact on axial planes
				if a < 3 {
					m[a] = p.D
				} else {
					m[a-3] = -p.D
				}
			}
			dst = append(dst, m)
		}
		if dq <= onEdge {
			dst = append(dst, q)
		}
		prev, dp = q, dq
	}
	return dst
}

// Area returns the polygon's area.
func (w Winding) Area() float64 {
	var s float64
	for i := 2; i < len(w); i++ {
		s += w[i-1].Sub(w[0]).Cross(w[i].Sub(w[0])).Len()
	}
	return s / 2
}
