package exact

import (
	"errors"
	"math"
)

// MaxCoord is how far from the world's origin a solid may reach, in map units.
const MaxCoord = 1 << 17

// MaxFaces is how many planes one solid may have; more cost too much to clip.
// Compiled maps in the wild have up to 65.
const MaxFaces = 256

// What can be wrong with a solid.
var (
	ErrFewFaces   = errors.New("fewer than 4 usable faces")
	ErrManyFaces  = errors.New("more than 256 faces")
	ErrEmpty      = errors.New("its planes enclose nothing")
	ErrOpen       = errors.New("its planes do not close")
	ErrOutOfRange = errors.New("reaches beyond 131072 units from the origin")
	ErrMirrored   = errors.New("two of its planes face each other back to back")
)

// Hull is a convex solid found from its planes.
type Hull struct {
	Faces    []Winding // one for each plane; nil where the plane touches nothing
	Min, Max V
}

// Solve clips every plane against the others. Planes that repeat an earlier one,
// and those that only touch an edge or a corner (a compiler's bevels), get a nil
// face. buf may be nil; it is scratch that a caller can reuse.
func Solve(planes []Plane, buf *[2]Winding) (Hull, error) {
	var h Hull
	if len(planes) > MaxFaces {
		return h, ErrManyFaces
	}
	if len(planes) < 4 {
		return h, ErrFewFaces
	}
	var own [2]Winding
	if buf == nil {
		buf = &own
	}
	inf := math.Inf(1)
	h.Faces = make([]Winding, len(planes))
	h.Min, h.Max = V{inf, inf, inf}, V{-inf, -inf, -inf}
	faces := 0
	for i, p := range planes {
		if !p.N.IsFinite() || math.IsNaN(p.D) || math.Abs(p.D) > 2*MaxCoord {
			return h, ErrOutOfRange
		}
		w, repeated := Winding(append(buf[0][:0], Square(p, 4*MaxCoord)...)), false
		spare := buf[1]
		for j, q := range planes {
			if j == i {
				continue
			}
			dot := p.N.Dot(q.N)
			if dot > 1-1e-9 && math.Abs(p.D-q.D) < 1e-3 {
				if j < i {
					repeated = true
					break
				}
				continue
			}
			if dot < -1+1e-9 && math.Abs(p.D+q.D) < 1e-3 {
				return h, ErrMirrored
			}
			if len(w) == 0 {
				continue // go on: a mirrored pair must be found
			}
			spare = w.Clip(q, spare)
			w, spare = spare, w
		}
		buf[0], buf[1] = w, spare
		if repeated || len(w) < 3 || thin(w) {
			continue
		}
		faces++
		h.Faces[i] = append(Winding(nil), w...)
		for _, v := range w {
			for k := range 3 {
				h.Min[k] = min(h.Min[k], v[k])
				h.Max[k] = max(h.Max[k], v[k])
			}
		}
	}
	if faces == 0 {
		return h, ErrEmpty
	}
	for k := range 3 {
		if h.Min[k] < -2*MaxCoord || h.Max[k] > 2*MaxCoord {
			return h, ErrOpen
		}
		if h.Min[k] < -MaxCoord || h.Max[k] > MaxCoord {
			return h, ErrOutOfRange
		}
		if h.Max[k]-h.Min[k] < 2*onEdge {
			return h, ErrEmpty
		}
	}
	if faces < 4 {
		return h, ErrFewFaces
	}
	return h, nil
}

// thin reports whether a face is no more than an edge: what is left of a plane
// that only touches the solid.
func thin(w Winding) bool {
	var long float64
	prev := w[len(w)-1]
	for _, v := range w {
		long = max(long, v.Sub(prev).Len())
		prev = v
	}
	return long < 2*onEdge || w.Area() < 4*onEdge*long
}
