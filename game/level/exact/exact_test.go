package exact_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/level/exact"
)

func TestThroughSnapsWhatACompilerSnaps(t *testing.T) {
	p, ok := exact.Through(exact.V{0, 0, 64.000001}, exact.V{0, 1, 64}, exact.V{1, 0, 64})
	if !ok || p.N != (exact.V{0, 0, 1}) && p.N != (exact.V{0, 0, -1}) || math.Abs(p.D) != 64 {
		t.Errorf("%v %v", p, ok)
	}
	for name, pts := range map[string][3]exact.V{
		"one point":   {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
		"on one line": {{0, 0, 0}, {10, 20, 30}, {30, 60, 90}},
		"nearly":      {{0, 0, 0}, {1000, 0, 0}, {2000, 0, 1e-6}},
		"not finite":  {{math.NaN(), 0, 0}, {1, 0, 0}, {0, 1, 0}},
		"infinite":    {{math.Inf(1), 0, 0}, {1, 0, 0}, {0, 1, 0}},
	} {
		if p, ok := exact.Through(pts[0], pts[1], pts[2]); ok {
			t.Errorf("%s: %v", name, p)
		}
	}
}

func box(r float64) []exact.Plane {
	var out []exact.Plane
	for i := range 3 {
		for _, s := range []float64{-1, 1} {
			var n exact.V
			n[i] = s
			out = append(out, exact.Plane{N: n, D: r})
		}
	}
	return out
}

func TestSolveSaysWhatIsWrong(t *testing.T) {
	open := box(8)[:5]
	far := box(8)
	for i := range far {
		far[i].D += far[i].N.Dot(exact.V{200000, 0, 0})
	}
	gap := box(8)
	gap[0].D, gap[1].D = -10, -10
	back := append(box(8), exact.Plane{N: exact.V{1, 0, 0}, D: -8})
	for _, row := range []struct {
		name   string
		planes []exact.Plane
		want   error
	}{
		{"few", box(8)[:3], exact.ErrFewFaces},
		{"many", make([]exact.Plane, exact.MaxFaces+1), exact.ErrManyFaces},
		{"open", open, exact.ErrOpen},
		{"far", far, exact.ErrOutOfRange},
		{"nothing", gap, exact.ErrEmpty},
		{"mirrored", back, exact.ErrMirrored},
	} {
		if _, err := exact.Solve(row.planes, nil); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", row.name, err, row.want)
		}
	}
	if h, err := exact.Solve(box(8), nil); err != nil || h.Min != (exact.V{-8, -8, -8}) || h.Max != (exact.V{8, 8, 8}) {
		t.Errorf("a box: %v %v", h, err)
	}
}

// Every corner that Solve finds is behind all planes and on at least three, and
// no triple of planes meets inside the solid elsewhere.
func TestSolveFindsExactlyTheCorners(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 200 {
		planes := box(64)
		for range rng.IntN(8) {
			n, _ := exact.V{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Norm()
			planes = append(planes, exact.Plane{N: n, D: 20 + 60*rng.Float64()})
		}
		h, err := exact.Solve(planes, nil)
		if err != nil {
			t.Fatalf("seed %d round %d: %v", seed, round, err)
		}
		var corners []exact.V
		for i, w := range h.Faces {
			for _, v := range w {
				corners = append(corners, v)
				on := 0
				for _, p := range planes {
					d := p.Dist(v)
					if d > 0.01 {
						t.Fatalf("seed %d round %d: a corner of face %d is %v outside", seed, round, i, d)
					}
					if d > -0.01 {
						on++
					}
				}
				if on < 3 {
					t.Fatalf("seed %d round %d: a corner on %d planes", seed, round, on)
				}
			}
		}
		for i := range planes {
			for j := range i {
				for k := range j {
					v, ok := meet(planes[i], planes[j], planes[k])
					if !ok || !inside(planes, v) {
						continue
					}
					near := math.Inf(1)
					for _, c := range corners {
						near = min(near, c.Sub(v).Len())
					}
					if near > 0.5 {
						t.Fatalf("seed %d round %d: planes %d %d %d meet at %v, %v from any corner", seed, round, i, j, k, v, near)
					}
				}
			}
		}
	}
}

func meet(a, b, c exact.Plane) (exact.V, bool) {
	bc := b.N.Cross(c.N)
	det := a.N.Dot(bc)
	if math.Abs(det) < 1e-3 {
		return exact.V{}, false
	}
	v := bc.Scale(a.D).Add(c.N.Cross(a.N).Scale(b.D)).Add(a.N.Cross(b.N).Scale(c.D))
	return v.Scale(1 / det), true
}

func inside(planes []exact.Plane, v exact.V) bool {
	for _, p := range planes {
		if p.Dist(v) > 1e-6 {
			return false
		}
	}
	return true
}
