package trace

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// TestWhatHidesAllHidesEach: of two volumes that something is said to hide from each
// other, every line between their corners is blocked, and every line between points of
// them at random. It has to be said often enough to be worth asking.
func TestWhatHidesAllHidesEach(t *testing.T) {
	said, all := map[uint8]int{}, map[uint8]int{}
	for n := range uint64(150) {
		r := vec.NewRand(*seed+n, 7)
		s := randomScene(&r)
		for range 400 {
			a, b, _, _ := randomQuery(&r)
			if r.Intn(3) == 0 { // from far away, where float32 is coarse
				b = b.Add(b.Sub(a).Scale(float32(40 * r.Float())))
			}
			o, blocked := s.Occluded(a, b, level.MaskSight)
			if !blocked || o == (Occluder{}) {
				continue
			}
			va, vb := around(&r, a), around(&r, b)
			// What blocks the line between the middles: true of all, tried one by one.
			each := true
			lines(va, vb, &r, func(p, q vec.V3) { each = each && s.Blocked(p, q, level.MaskSight) })
			if each {
				all[o.kind]++
			}
			if !s.HidesAll(o, va, vb, level.MaskSight) {
				continue
			}
			said[o.kind]++
			if !each {
				t.Fatalf("seed %d: %+v does not hide all between %v and %v", *seed+n, o, va, vb)
			}
			if !s.HidesAll(o, vb, va, level.MaskSight) {
				t.Errorf("seed %d: %+v hides %v from %v and not the other way round", *seed+n, o, va, vb)
			}
		}
	}
	t.Logf("by kind: said %v, true of all lines %v", said, all)
	for _, kind := range []uint8{kindBrush + 1, kindGround + 1} {
		if said[kind] < 100 {
			t.Errorf("kind %d was said to hide all only %d times", kind-1, said[kind])
		}
	}
}

// around is a volume of the size of what a body reaches within a moment.
func around(r *vec.Rand, p vec.V3) vec.Box {
	h := vec.V3{X: r.Float(), Y: r.Float(), Z: r.Float()}
	return vec.Box{Min: p.Sub(h), Max: p.Add(h)}
}

// lines calls f for the lines between all corners of two boxes, and 40 between them at
// random.
func lines(a, b vec.Box, r *vec.Rand, f func(p, q vec.V3)) {
	corner := func(b vec.Box, i int) vec.V3 {
		p := b.Min
		for k := range 3 {
			if i>>k&1 == 1 {
				p = p.With(k, b.Max.At(k))
			}
		}
		return p
	}
	inside := func(b vec.Box) vec.V3 {
		d := b.Size()
		return b.Min.Add(vec.V3{X: d.X * r.Float(), Y: d.Y * r.Float(), Z: d.Z * r.Float()})
	}
	for i := range 64 {
		f(corner(a, i%8), corner(b, i/8))
	}
	for range 40 {
		f(inside(a), inside(b))
	}
}
