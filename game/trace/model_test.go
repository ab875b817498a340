package trace

import (
	"flag"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

var seed = flag.Uint64("trace.seed", 1, "first seed of the random scenes")

// The plain thing: every primitive, in any order, no hierarchy.
func bruteSearch(s Scene, q *query, start, end vec.V3, mask level.Mask) {
	q.mask, q.best, q.key, q.w = mask, 1, ^uint64(0), s.W
	for m := len(s.W.models) - 1; m >= 0; m-- {
		q.model = int16(m)
		at := s.pose(m)
		if at.IsTurned() && !q.ray {
			q.aim(start, end)
			for i := range s.W.models[m].prims {
				p := &s.W.models[m].prims[i]
				lo, hi := turnedBox(at, vec.Box{Min: p.lo, Max: p.hi})
				if t, ok := q.slab(&lo, &hi); ok {
					q.primTurned(p, at, t)
				}
			}
			continue
		}
		was := q.key
		q.aim(at.Into(start), at.Into(end))
		for i := range s.W.models[m].prims {
			p := &s.W.models[m].prims[i]
			if t, ok := q.slab(&p.lo, &p.hi); ok {
				q.prim(p, t)
			}
		}
		if q.key != was {
			q.normal = at.Turn(q.normal)
		}
	}
	q.model = 0
	q.aim(start, end)
	if g := s.W.ground; g != nil && mask&level.Solid != 0 {
		for j := range g.h {
			for i := range g.w {
				lo, hi := g.bounds(0, i, j)
				if t, ok := q.slab(&lo, &hi); ok {
					q.cell(g, i, j, t)
				}
			}
		}
	}
}

func bruteBox(s Scene, start, end vec.V3, box vec.Box, mask level.Mask) Result {
	c := box.Center()
	q := query{half: box.Max.Sub(c), ray: box == vec.Box{}}
	bruteSearch(s, &q, start.Add(c), end.Add(c), mask)
	r := Result{Frac: q.best, End: end, Normal: q.normal, StartSolid: q.startSolid, AllSolid: q.allSolid,
		Contents: q.contents, Surf: q.face.surf, Texture: q.face.texture, Model: -1}
	switch {
	case q.found:
		r.Model = q.hitModel
	case q.startSolid:
		r.Model = q.inModel
	}
	if q.best < 1 {
		r.End = start.Lerp(end, q.best)
	}
	return r
}

func randomScene(r *vec.Rand) Scene {
	l := randomLevel(r)
	door := r.Intn(2) == 0 // the first mover slides between two places, or turns
	move := vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(8)
	if door {
		l.Doors = append(l.Doors, level.Door{Model: 1, Move: move})
	}
	hinged := door && r.Intn(2) == 0
	if hinged {
		l.Doors[0] = level.Door{Model: 1, Hinge: move, Swing: float32(170 * r.Signed()), Both: true}
	}
	s := New(l).Closed()
	if r.Intn(4) > 0 {
		s.Poses = []level.Pose{{}, {Off: vec.V3{X: r.Signed(), Y: 2, Z: 0.5}}, {Off: vec.V3{Z: float32(4 * r.Float())}}}
		switch {
		case door && r.Intn(4) == 0:
			s.Poses[1].Off = vec.V3{Z: 1 << 20}
		case door && hinged:
			s.Poses[1] = l.Doors[0].Pose(float32(2*r.Float()) - 1)
		case door:
			s.Poses[1].Off = move.Scale(r.Float())
		}
		if r.Intn(3) == 0 { // no door, and turned all the same
			s.Poses[2] = level.Turned(move, float32(180*r.Signed()))
			s.Poses[2].Off.Z = r.Signed()
		}
	}
	return s
}

func randomQuery(r *vec.Rand) (a, b vec.V3, box vec.Box, mask level.Mask) {
	a = vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(18)
	switch r.Intn(6) {
	case 0:
		b = a
	case 1:
		b = a.With(r.Intn(3), float32(18*r.Signed())) // along an axis
	case 2:
		b = a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(0.3))
	default:
		b = vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(18)
	}
	h := vec.V3{X: r.Float(), Y: r.Float(), Z: r.Float()}.Scale(0.9)
	box = vec.Box{Min: h.Neg(), Max: h.With(2, h.Z+0.5)}
	mask = []level.Mask{level.MaskMove, level.MaskShot, level.MaskSight, level.Water, ^level.Mask(0)}[r.Intn(5)]
	return
}

func TestEveryQueryMatchesBruteForce(t *testing.T) {
	hits, solid, hidden, n := 0, 0, 0, 0
	for k := uint64(0); k < 60; k++ {
		r := vec.NewRand(*seed, k)
		s := randomScene(&r)
		var last Occluder
		for range 120 {
			a, b, box, mask := randomQuery(&r)
			if got, want := s.Box(a, b, box, mask), bruteBox(s, a, b, box, mask); got != want {
				t.Fatalf("seed %d scene %d: box %v -> %v %v\n got %+v\nwant %+v", *seed, k, a, b, box, got, want)
			}
			ray, want := s.Ray(a, b, mask), bruteBox(s, a, b, vec.Box{}, mask)
			if ray != want {
				t.Fatalf("seed %d scene %d: ray %v -> %v\n got %+v\nwant %+v", *seed, k, a, b, ray, want)
			}
			if got, want := s.Blocked(a, b, mask), ray.Model >= 0; got != want {
				t.Fatalf("seed %d scene %d: blocked %v -> %v = %v, nearest %+v", *seed, k, a, b, got, ray)
			}
			by, blocked := s.Occluded(a, b, mask)
			if blocked != (ray.Model >= 0) || blocked && !s.Hides(by, a, b, mask) || !blocked && by != (Occluder{}) {
				t.Fatalf("seed %d scene %d: %v -> %v is blocked %v by %+v, nearest %+v", *seed, k, a, b, blocked, by, ray)
			}
			if s.Hides(last, a, b, mask) {
				hidden++
				if !blocked {
					t.Fatalf("seed %d scene %d: %+v hides %v -> %v, which is clear", *seed, k, last, a, b)
				}
			}
			if blocked {
				last = by
			}
			n++
			if ray.Frac < 1 {
				hits++
			}
			if ray.StartSolid {
				solid++
			}
			var c level.Contents
			for i := range s.W.l.Solids {
				p := a
				for m := 1; m < len(s.Poses); m++ {
					if md := s.W.l.Models[m]; i >= md.FirstSolid && i < md.FirstSolid+md.NumSolids {
						p = s.Poses[m].Into(a)
					}
				}
				if s.W.inBrush(int32(i), p) {
					c |= s.W.l.Solids[i].Contents
				}
			}
			if s.W.ground != nil && s.W.ground.under(a) {
				c |= level.Solid
			}
			if got := s.Contents(a); got != c {
				t.Fatalf("seed %d scene %d: contents of %v = %b, want %b", *seed, k, a, got, c)
			}
			world := box.Move(a)
			if got, want := s.Overlaps(world, mask), s.BoxContents(world, mask) != 0; got != want {
				t.Fatalf("seed %d scene %d: Overlaps %v = %v, but BoxContents says %v", *seed, k, world, got, want)
			}
		}
	}
	t.Logf("seed %d: %d queries, %d rays hit, %d by what hid the one before, %d start inside", *seed, n, hits, hidden, solid)
	if hidden == 0 {
		t.Error("no occluder was met twice")
	}
}

// A different model of the whole: where a sweep says that the way is free, the
// box overlaps nothing anywhere on it, and where it says that it is not, a little
// further does.
func TestSweepsAreFreeUntilTheyEnd(t *testing.T) {
	for k := uint64(0); k < 40; k++ {
		r := vec.NewRand(*seed, 77, k)
		s := randomScene(&r)
		for range 60 {
			a, b, box, mask := randomQuery(&r)
			got := s.Box(a, b, box, mask)
			if got.StartSolid {
				continue
			}
			for i := 0; i <= 16; i++ {
				p := a.Lerp(got.End, float32(i)/16)
				if s.Overlaps(box.Move(p), mask) {
					t.Fatalf("seed %d scene %d: %v -> %v %v: at %d/16 of the free way it is inside something; %+v",
						*seed, k, a, b, box, i, got)
				}
			}
			if got.Frac == 1 {
				continue
			}
			if got.Normal.Dot(b.Sub(a)) > 1e-3 || vec.Abs(got.Normal.Len()-1) > 1e-3 {
				t.Fatalf("seed %d scene %d: normal %v of a motion along %v", *seed, k, got.Normal, b.Sub(a))
			}
			if !s.Overlaps(box.Pad(2*Skin).Move(got.End), mask) {
				t.Fatalf("seed %d scene %d: %v -> %v %v stopped in the open: %+v", *seed, k, a, b, box, got)
			}
		}
	}
}

func TestSightIsTheSameBothWays(t *testing.T) {
	differ, n := 0, 0
	for k := uint64(0); k < 40; k++ {
		r := vec.NewRand(*seed, 78, k)
		s := randomScene(&r)
		for range 200 {
			a, b, _, _ := randomQuery(&r)
			n++
			if s.Blocked(a, b, level.MaskSight) != s.Blocked(b, a, level.MaskSight) {
				differ++
				t.Errorf("seed %d scene %d: %v and %v disagree", *seed, k, a, b)
			}
		}
	}
	t.Logf("%d of %d differ", differ, n)
}

func TestNoQueryAllocates(t *testing.T) {
	r := vec.NewRand(*seed, 79)
	s := randomScene(&r)
	a, b, box, _ := randomQuery(&r)
	if n := testing.AllocsPerRun(200, func() {
		s.Box(a, b, box, level.MaskMove)
		s.Ray(a, b, level.MaskShot)
		if by, blocked := s.Occluded(a, b, level.MaskSight); blocked {
			s.Hides(by, a, b, level.MaskSight)
		}
		s.Contents(a)
		s.BoxContents(box, level.Liquid)
		s.Overlaps(box, level.MaskMove)
	}); n != 0 {
		t.Fatalf("%v allocations a round", n)
	}
}
