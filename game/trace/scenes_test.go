package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// Scenes for the tests, in metres.

func boxBrush(lo, hi vec.V3, c level.Contents) level.Brush {
	b := level.Brush{Contents: c, Bounds: vec.Box{Min: lo, Max: hi}}
	for i := 0; i < 3; i++ {
		var n vec.V3
		b.Sides = append(b.Sides,
			level.Side{Plane: level.Plane{N: n.With(i, -1), D: 0 - lo.At(i)}},
			level.Side{Plane: level.Plane{N: n.With(i, 1), D: hi.At(i)}})
	}
	return b
}

// hullBrush is the convex polytope of random slanting planes around a centre.
func hullBrush(r *vec.Rand, c vec.V3, size float32, extra int, cont level.Contents) level.Brush {
	h := vec.V3{X: size, Y: size, Z: size}
	b := boxBrush(c.Sub(h), c.Add(h), cont)
	for range extra {
		n := vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Unit()
		if n == (vec.V3{}) {
			continue
		}
		d := n.Dot(c) + float32(size*(0.5+float32(0.5*r.Float())))
		b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: n, D: d}})
	}
	return b
}

func tri(a, b, c vec.V3, cont level.Contents) level.Tri {
	return level.Tri{A: a, B: b, C: c, N: b.Sub(a).Cross(c.Sub(a)).Unit(), Contents: cont}
}

var kinds = []level.Contents{level.Solid, level.Solid, level.Solid, level.Glass, level.PlayerClip, level.Water, level.Solid | level.Detail}

// randomLevel has solids, triangles, a terrain on some seeds and two movers.
func randomLevel(r *vec.Rand) *level.Level {
	l := &level.Level{}
	point := func() vec.V3 { return vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(16) }
	kind := func() level.Contents { return kinds[r.Intn(len(kinds))] }
	solids := func(n int) {
		for range n {
			if r.Intn(2) == 0 {
				c, h := point(), vec.V3{X: r.Float(), Y: r.Float(), Z: r.Float()}.Scale(3)
				l.Solids = append(l.Solids, boxBrush(c.Sub(h), c.Add(h), kind()))
				continue
			}
			l.Solids = append(l.Solids, hullBrush(r, point(), 0.2+float32(3*r.Float()), r.Intn(7), kind()))
		}
	}
	tris := func(n int) {
		for range n {
			a := point()
			b := a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(5))
			c := a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(5))
			l.Tris = append(l.Tris, tri(a, b, c, kind()))
		}
	}
	solids(10 + r.Intn(60))
	tris(r.Intn(60))
	l.Models = []level.Model{{NumSolids: len(l.Solids), NumTris: len(l.Tris)}}
	for range 2 {
		m := level.Model{FirstSolid: len(l.Solids), FirstTri: len(l.Tris)}
		solids(1 + r.Intn(3))
		tris(r.Intn(3))
		m.NumSolids, m.NumTris = len(l.Solids)-m.FirstSolid, len(l.Tris)-m.FirstTri
		l.Models = append(l.Models, m)
	}
	if r.Intn(2) == 0 {
		t := &level.Terrain{Origin: vec.V3{X: -12, Y: -13, Z: -8}, Cell: 1.5, W: 14 + r.Intn(9), H: 17}
		for range t.W * t.H {
			t.Heights = append(t.Heights, float32(4*r.Float()))
		}
		l.Terrain = t
	}
	return l
}

// hall is R1 of the public reports: a sealed hall, 32 by 16 by 8 metres inside.
func hall() *level.Level {
	l := &level.Level{}
	add := func(x1, y1, z1, x2, y2, z2 float32) {
		s := float32(1.0 / level.UnitsPerMetre)
		l.Solids = append(l.Solids, boxBrush(vec.V3{X: x1, Y: y1, Z: z1}.Scale(s), vec.V3{X: x2, Y: y2, Z: z2}.Scale(s), level.Solid))
	}
	add(-512, -256, -16, 512, 256, 0)
	add(-512, -256, 256, 512, 256, 272)
	add(-528, -256, 0, -512, 256, 256)
	add(512, -256, 0, 528, 256, 256)
	add(-512, -272, 0, 512, -256, 256)
	add(-512, 256, 0, 512, 272, 256)
	return l
}

var body = vec.Box{Min: vec.V3{X: -0.46875, Y: -0.46875}, Max: vec.V3{X: 0.46875, Y: 0.46875, Z: 1.75}}
