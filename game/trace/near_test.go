package trace

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

func TestNearAnswersAsTheScene(t *testing.T) {
	inside, hits, kept := 0, 0, 0
	var n Near
	for k := uint64(0); k < 60; k++ {
		r := vec.NewRand(*seed, 80, k)
		s := randomScene(&r)
		for range 12 {
			at := vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(15)
			size := vec.V3{X: r.Float(), Y: r.Float(), Z: r.Float()}.Scale(4)
			n.Gather(s, vec.Box{Min: at.Sub(size), Max: at.Add(size)})
			if !n.box.IsEmpty() {
				kept++
			}
			for range 20 {
				_, _, box, mask := randomQuery(&r)
				in := func() vec.V3 {
					return at.Add(vec.V3{X: float32(size.X * r.Signed()), Y: float32(size.Y * r.Signed()), Z: float32(size.Z * r.Signed())})
				}
				if r.Intn(2) == 0 {
					box = vec.Box{Min: box.Min.Scale(0.3), Max: box.Max.Scale(0.3)}
				}
				a, b := in(), in()
				if r.Intn(4) == 0 {
					b = a.With(r.Intn(3), b.X)
				}
				if n.knows(a, b, &box) {
					inside++
				}
				got, want := n.Box(a, b, box, mask), s.Box(a, b, box, mask)
				if got != want {
					t.Fatalf("seed %d scene %d: %v -> %v %v\n got %+v\nwant %+v", *seed, k, a, b, box, got, want)
				}
				if want.Frac < 1 {
					hits++
				}
				if got, want := n.Contents(a), s.Contents(a); got != want {
					t.Fatalf("seed %d scene %d: contents of %v = %b, want %b", *seed, k, a, got, want)
				}
			}
		}
	}
	t.Logf("seed %d: %d places of %d kept, %d sweeps inside, %d hits", *seed, kept, 60*12, inside, hits)
	if inside < 1000 || hits < 1000 {
		t.Error("too few to mean anything")
	}
}

func TestNearDoesNotAllocate(t *testing.T) {
	r := vec.NewRand(*seed, 81)
	s := randomScene(&r)
	var n Near
	step := func() {
		n.Gather(s, vec.Box{Min: vec.V3{X: -3, Y: -3, Z: -7}, Max: vec.V3{X: 3, Y: 3, Z: 0}})
		n.Box(vec.V3{Z: -5}, vec.V3{X: 0.1, Z: -5.2}, body, level.MaskMove)
		n.Contents(vec.V3{Z: -5})
	}
	step()
	if a := testing.AllocsPerRun(100, step); a != 0 {
		t.Fatalf("%v allocations", a)
	}
	for _, bad := range []vec.Box{vec.EmptyBox(), {Max: vec.V3{X: 1e9}}, {Min: vec.V3{X: 1}, Max: vec.V3{}}} {
		n.Gather(s, bad)
		if got, want := n.Box(vec.V3{}, vec.V3{X: 1}, body, level.MaskMove), s.Box(vec.V3{}, vec.V3{X: 1}, body, level.MaskMove); got != want {
			t.Errorf("%v: %+v, want %+v", bad, got, want)
		}
	}
}
