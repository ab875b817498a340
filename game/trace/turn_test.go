package trace

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// prism returns an upright solid of three to eight sides, round about a place.
func prism(r *vec.Rand, at vec.V3) level.Brush {
	h := vec.V3{X: 0.1 + r.Float(), Y: 0.1 + r.Float(), Z: 0.5 + r.Float()}
	b := boxBrush(at.Sub(h), at.Add(h), level.Solid)
	for range r.Intn(5) {
		sin, cos := vec.SinCos(float32(360 * r.Float()))
		n := vec.V3{X: cos, Y: sin}
		b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: n, D: n.Dot(at) + float32(float32(0.3+r.Float())*h.X)}})
	}
	return rebound(b)
}

// rebound gives a solid the bounds that its corners have.
func rebound(b level.Brush) level.Brush {
	box := vec.EmptyBox()
	for i := range b.Sides {
		for _, v := range winding(b.Sides, i, b.Bounds) {
			box = box.Grow(vec.V3{X: float32(v.x), Y: float32(v.y), Z: float32(v.z)})
		}
	}
	b.Bounds = box
	copy(b.Sides, boxBrush(box.Min, box.Max, level.Solid).Sides)
	return b
}

// turned builds a solid anew where a Pose has it.
func turned(b level.Brush, at level.Pose) level.Brush {
	out := level.Brush{Contents: b.Contents, Bounds: vec.EmptyBox()}
	corners := vec.EmptyBox()
	for i := range b.Sides {
		for _, v := range winding(b.Sides, i, b.Bounds) {
			corners = corners.Grow(at.Out(vec.V3{X: float32(v.x), Y: float32(v.y), Z: float32(v.z)}))
		}
	}
	out.Bounds = corners
	out.Sides = boxBrush(corners.Min, corners.Max, b.Contents).Sides
	for _, s := range b.Sides {
		n := at.Turn(s.N)
		on := s.N.Scale(s.D) // a point of the plane
		out.Sides = append(out.Sides, level.Side{Plane: level.Plane{N: n, D: n.Dot(at.Out(on))}})
	}
	return out
}

// A turned prism stops rays and boxes as one does that was built where it is turned to.
func TestATurnedPrismIsTheOneBuiltThere(t *testing.T) {
	hits, n := 0, 0
	for k := uint64(0); k < 60; k++ {
		r := vec.NewRand(*seed, 83, k)
		b := prism(&r, vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(2))
		d := level.Door{Model: 1, Hinge: vec.V3{X: r.Signed(), Y: r.Signed()}.Scale(3), Swing: float32(180 * r.Signed())}
		l := &level.Level{Solids: []level.Brush{b}, Models: []level.Model{{}, {NumSolids: 1, Bounds: b.Bounds}}, Doors: []level.Door{d}}
		at := d.Pose(r.Float())
		s := Scene{W: New(l), Poses: []level.Pose{{}, at}}
		plain := New(&level.Level{Solids: []level.Brush{turned(b, at)}, Models: []level.Model{{NumSolids: 1}}}).Closed()
		middle := at.Out(b.Bounds.Center())
		for range 100 {
			from := middle.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(4))
			to := middle.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(2))
			if r.Intn(3) == 0 {
				to.Z = from.Z
			}
			half := vec.V3{X: 0.05 + r.Float(), Y: 0.05 + r.Float(), Z: 0.05 + r.Float()}.Scale(0.5)
			box := vec.Box{Min: half.Neg(), Max: half}
			compare := func(what string, got Result, ask func(grow float32) Result) {
				t.Helper()
				n++
				want := ask(0)
				if want.Frac < 1 {
					hits++
				}
				more, less := ask(2*Skin), ask(-2*Skin)
				far := 4 * Skin
				if what == "ray" {
					far = 2 * pad // at a flat angle its end is drawn back as far as the padded bounds
				}
				switch {
				case got.StartSolid && !more.StartSolid, !got.StartSolid && less.StartSolid:
					t.Fatalf("seed %d prism %d: %s %v -> %v of %v starts inside %v, want %v", *seed, k, what, from, to, half, got.StartSolid, want.StartSolid)
				case got.Model == -1 && less.Model != -1, got.Model != -1 && more.Model == -1:
					t.Fatalf("seed %d prism %d: %s %v -> %v of %v hits model %d, want a hit %v", *seed, k, what, from, to, half, got.Model, want.Model >= 0)
				case got.Model == -1 || want.Model == -1 || got.StartSolid || want.StartSolid || more.StartSolid:
				case got.End.Dist(want.End) > far && (got.Frac < more.Frac-1e-4 || got.Frac > less.Frac+1e-4):
					t.Fatalf("seed %d prism %d: %s %v -> %v of %v ends at %v, want %v", *seed, k, what, from, to, half, got.End, want.End)
				case got.End.Dist(want.End) < Skin/4 && got.Normal.Dot(want.Normal) < 0.99 && more.Normal.Dot(less.Normal) > 0.99:
					t.Fatalf("seed %d prism %d: %s %v -> %v of %v has the normal %v, want %v", *seed, k, what, from, to, half, got.Normal, want.Normal)
				}
			}
			compare("box", s.Box(from, to, box, level.MaskMove), func(g float32) Result { return plain.Box(from, to, box.Pad(g), level.MaskMove) })
			compare("ray", s.Ray(from, to, level.MaskSight), func(g float32) Result {
				if g == 0 {
					return plain.Ray(from, to, level.MaskSight)
				}
				fat := New(&level.Level{Solids: []level.Brush{turned(thicker(b, g), at)}, Models: []level.Model{{NumSolids: 1}}})
				return fat.Ray(from, to, level.MaskSight)
			})
		}
	}
	t.Logf("seed %d: %d queries, %d hits", *seed, n, hits)
	if hits < n/10 || hits > n*9/10 {
		t.Error("too few of one kind to mean anything")
	}
}

// thicker moves every side of a solid out.
func thicker(b level.Brush, by float32) level.Brush {
	b.Sides = append([]level.Side{}, b.Sides...)
	for i := range b.Sides {
		b.Sides[i].D += by
	}
	b.Bounds = b.Bounds.Pad(by)
	return b
}

// What is on its way lies in the space that the door says it moves in.
func TestASwingStaysInItsSpace(t *testing.T) {
	for k := uint64(0); k < 200; k++ {
		r := vec.NewRand(*seed, 84, k)
		b := prism(&r, vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(3))
		d := level.Door{Hinge: vec.V3{X: r.Signed(), Y: r.Signed()}.Scale(4), Swing: float32(180 * r.Signed()), Both: r.Intn(2) == 0}
		space := d.Sweep(b.Bounds).Pad(1e-4)
		for f := float32(0); f <= 1; f += 1.0 / 64 {
			for _, side := range []float32{1, -1} {
				if side < 0 && !d.Both {
					continue
				}
				at := d.Pose(float32(side * f))
				for i := range 8 {
					c := b.Bounds.Min
					for a := range 3 {
						if i>>a&1 == 1 {
							c = c.With(a, b.Bounds.Max.At(a))
						}
					}
					if p := at.Out(c); !space.Contains(p) {
						t.Fatalf("seed %d door %d: open by %v a corner is at %v, outside %v", *seed, k, side*f, p, space)
					}
				}
			}
		}
	}
}
