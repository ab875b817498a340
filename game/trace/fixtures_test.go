package trace

import (
	"archive/zip"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/vec"
)

const u = float32(1.0 / level.UnitsPerMetre)

func fixture(t testing.TB, name string) *World {
	t.Helper()
	data, err := os.ReadFile("../level/testdata/" + name + ".map")
	if err != nil {
		t.Fatal(err)
	}
	l, err := load.Bytes(name+".map", data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(l)
}

// The public reports' page states these sight lines.
func TestFixtureSightLines(t *testing.T) {
	at := func(x, y, z float32) vec.V3 { return vec.V3{X: x * u, Y: y * u, Z: z * u} }
	for _, c := range []struct {
		world   string
		a, b    vec.V3
		blocked bool
	}{
		{"r1", at(-384, 0, 58), at(384, 0, 58), false},
		{"r1", at(-384, 0, 58), at(-600, 0, 58), true},
		{"r2", at(-384, -128, 58), at(384, -128, 58), true},
		{"r2", at(-384, 160, 58), at(384, 160, 58), false},
		{"r2", at(384, -192, 58), at(-40, 96, 58), true}, // the centre line clears at y = 97
		{"r2", at(384, -192, 58), at(-40, 98, 58), false},
	} {
		if got := fixture(t, c.world).Blocked(c.a, c.b, level.MaskSight); got != c.blocked {
			t.Errorf("%s: %v to %v blocked = %v", c.world, c.a, c.b, got)
		}
	}
}

// Public report O-07: the curve that hides you must stop you, and sight from any
// side.
func TestColumnsStopBodiesAndSightAlike(t *testing.T) {
	w := fixture(t, "p1")
	for _, column := range []float32{0, 256} {
		c := vec.V3{X: column * u, Z: 1}
		for d := 0; d < 64; d++ {
			sin, cos := vec.SinCos(float32(float32(d) * 5.625))
			dir := vec.V3{X: cos, Y: sin}
			from := c.Mad(4, dir)
			ray := w.Ray(from, c, level.MaskMove)
			if ray.Frac == 1 || ray.StartSolid || !w.Blocked(from, c, level.MaskSight) {
				t.Fatalf("column %v, %v degrees: nothing in the way: %+v", column, float32(d)*5.625, ray)
			}
			// A body that is aimed at the same spot stops where it touches the same
			// surface: its box, a little larger, holds a point of it.
			b := w.Box(from, c, body, level.MaskMove)
			if b.Frac == 1 || b.StartSolid || b.Frac > ray.Frac+0.001 {
				t.Fatalf("column %v, %v degrees: body %+v, ray %+v", column, float32(d)*5.625, b, ray)
			}
			if w.Closed().Overlaps(body.Move(b.End), level.MaskMove) || !w.Closed().Overlaps(body.Pad(2*Skin).Move(b.End), level.MaskMove) {
				t.Fatalf("column %v, %v degrees: stopped at %v, which does not touch", column, float32(d)*5.625, b.End)
			}
			// From inside the tube the sheet stops as well.
			if in := w.Ray(c, from, level.MaskMove); in.Frac == 1 {
				t.Fatalf("column %v, %v degrees: passes outwards", column, float32(d)*5.625)
			}
		}
	}
}

// Public report S-06: a query of no length agrees with a sweep that starts there.
func TestZeroLengthAgreesWithTheSweep(t *testing.T) {
	w := New(hall())
	for _, units := range []float32{-1, -1.0 / 8, -1.0 / 32, -1.0 / 64, 0, 1.0 / 64, 1.0 / 32, 1.0 / 8, 1} {
		for axis := 0; axis < 3; axis++ {
			// Beside the floor, the wall in -x and the wall in -y.
			var p vec.V3
			switch axis {
			case 0:
				p = vec.V3{X: -16 - body.Min.X, Z: 2}
			case 1:
				p = vec.V3{Y: -8 - body.Min.Y, Z: 2}
			}
			p = p.With(axis, p.At(axis)+units*u)
			inside := units <= 0
			still := w.Box(p, p, body, level.MaskMove)
			if still.StartSolid != inside || still.AllSolid != inside || (still.Frac == 0) != inside {
				t.Errorf("axis %d, %v u: %+v", axis, units, still)
			}
			for _, way := range []float32{-1, 1} {
				swept := w.Box(p, p.With(axis, p.At(axis)+way), body, level.MaskMove)
				if swept.StartSolid != still.StartSolid {
					t.Errorf("axis %d, %v u, sweep of %v: starts inside %v, still %v", axis, units, way, swept.StartSolid, still.StartSolid)
				}
				if !inside && way > 0 && swept.Frac != 1 {
					t.Errorf("axis %d, %v u: held back by %v", axis, units, swept.Normal)
				}
				if !inside && way < 0 && (swept.Frac > units*u || swept.Frac == 1) {
					t.Errorf("axis %d, %v u: moved %v into the plane", axis, units, swept.Frac)
				}
			}
			if got := w.Closed().Overlaps(body.Move(p), level.MaskMove); got != inside {
				t.Errorf("axis %d, %v u: Overlaps %v", axis, units, got)
			}
		}
	}
}

// Public report S-07: a rotated mover collides where it is drawn. Rotation of a
// .map's brush model is in its planes, so what is tested is a slanting mover at an
// offset, against its own vertices.
func TestASlantedMoverCollidesWhereItIs(t *testing.T) {
	// A plank, 4 by 0.5 by 2 metres, turned by 30 degrees about z.
	sin, cos := vec.SinCos(30)
	ax, ay := vec.V3{X: cos, Y: sin}, vec.V3{X: 0 - sin, Y: cos}
	b := level.Brush{Contents: level.Solid, Bounds: vec.EmptyBox()}
	var corners []vec.V3
	for i := 0; i < 8; i++ {
		p := ax.Scale(float32(4*(i&1)-2)).Mad(float32((i>>1)&1)*0.5-0.25, ay).Add(vec.V3{Z: float32(2 * (i >> 2))})
		corners = append(corners, p)
		b.Bounds = b.Bounds.Grow(p)
	}
	b.Sides = boxBrush(b.Bounds.Min, b.Bounds.Max, level.Solid).Sides
	for _, s := range []struct {
		n vec.V3
		d float32
	}{{ax, 2}, {ax.Neg(), 2}, {ay, 0.25}, {ay.Neg(), 0.25}} {
		b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: s.n, D: s.d}})
	}
	l := &level.Level{Solids: []level.Brush{b}, Models: []level.Model{{}, {NumSolids: 1}}}
	s := New(l).Closed()
	s.Poses = []level.Pose{{}, {Off: vec.V3{X: 3, Y: -7, Z: 1}}}
	off := s.Poses[1].Off
	// Rays at its long face meet it where it is, from both sides.
	for k := -1.9; k <= 1.9; k += 0.1 {
		on := off.Mad(float32(k), ax).Add(vec.V3{Z: 1})
		for _, side := range []float32{-1, 1} {
			hit := s.Ray(on.Mad(side*3, ay), on, level.MaskSight)
			if want := on.Mad(side*0.25, ay); hit.End.Dist(want) > 2*Skin || hit.Model != 1 || hit.Normal.Dot(ay)*side < 0.999 {
				t.Fatalf("ray at %v: %+v, want an end at %v", on, hit, want)
			}
		}
		if beside := off.Mad(float32(k), ax).Mad(0.3, ay).Add(vec.V3{Z: 1}); s.Contents(beside) != 0 {
			t.Fatalf("solid beside the plank, at %v", beside)
		}
	}
	// A box meets its corner, not a bevel far out: sweep along x past every vertex.
	for _, c := range corners[:4] {
		p := c.Add(off).Add(vec.V3{Z: 0.5})
		box := vec.Box{Min: vec.V3{X: -0.25, Y: -0.25, Z: -0.1}, Max: vec.V3{X: 0.25, Y: 0.25, Z: 0.1}}
		clear := p.Add(vec.V3{X: 0.26, Y: 0.26})
		if c.Y < 0 {
			clear.Y = p.Y - 0.26
		}
		if c.X < 0 {
			clear.X = p.X - 0.26
		}
		if s.Overlaps(box.Move(clear), level.MaskMove) {
			t.Fatalf("a box that touches nothing at corner %v is inside something", c)
		}
	}
	if s.Ray(vec.V3{X: -3, Z: 1}, vec.V3{X: 3, Z: 1}, level.MaskSight).Frac != 1 {
		t.Fatal("it still collides at its closed place")
	}
}

func TestContentsStopWhatTheyShould(t *testing.T) {
	a, b := vec.V3{X: -2}, vec.V3{X: 2}
	small := vec.Box{Min: vec.V3{X: -0.1, Y: -0.1, Z: -0.1}, Max: vec.V3{X: 0.1, Y: 0.1, Z: 0.1}}
	for _, c := range []struct {
		name              string
		contents          level.Contents
		sight, shot, move bool
	}{
		{"solid", level.Solid, true, true, true},
		{"glass", level.Glass, false, true, true},
		{"player clip", level.PlayerClip, false, false, true},
		{"weapon clip", level.WeaponClip, false, true, false},
		{"water", level.Water, false, false, false},
		{"trigger", level.Trigger, false, false, false},
		{"ladder", level.Ladder, false, false, false},
		{"fog", level.Fog, false, false, false},
	} {
		h := vec.V3{X: 1, Y: 1, Z: 1}
		w := New(&level.Level{Solids: []level.Brush{boxBrush(h.Neg(), h, c.contents)}})
		if w.Blocked(a, b, level.MaskSight) != c.sight || w.Blocked(b, a, level.MaskSight) != c.sight {
			t.Errorf("%s: sight", c.name)
		}
		if (w.Ray(a, b, level.MaskShot).Frac < 1) != c.shot {
			t.Errorf("%s: shot", c.name)
		}
		if (w.Box(a, b, small, level.MaskMove).Frac < 1) != c.move {
			t.Errorf("%s: move", c.name)
		}
		if w.Contents(vec.V3{}) != c.contents || w.Contents(a) != 0 {
			t.Errorf("%s: contents %b", c.name, w.Contents(vec.V3{}))
		}
	}
}

// No line passes between triangles that share an edge, nor between flush solids.
func TestNothingPassesASeam(t *testing.T) {
	r := vec.NewRand(*seed, 5)
	l := &level.Level{}
	// A crumpled sheet over [-8, 8]², z about 0, and a wall of flush hulls at z = -4.
	const n = 16
	var z [n + 1][n + 1]vec.V3
	for i := range z {
		for j := range z[i] {
			z[i][j] = vec.V3{X: float32(i) - 8 + float32(0.3*r.Signed()), Y: float32(j) - 8 + float32(0.3*r.Signed()), Z: r.Signed()}
		}
	}
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			l.Tris = append(l.Tris, tri(z[i][j], z[i+1][j], z[i+1][j+1], level.Solid), tri(z[i][j], z[i+1][j+1], z[i][j+1], level.Solid))
			x, y := float32(i)-8, float32(j)-8
			b := boxBrush(vec.V3{X: x, Y: y, Z: -5}, vec.V3{X: x + 1, Y: y + 1, Z: -4}, level.PlayerClip)
			// Halves along a diagonal.
			c := b
			c.Sides = append([]level.Side{}, b.Sides...)
			m := vec.V3{X: 1, Y: 1}.Unit()
			d := m.Dot(vec.V3{X: x + 1, Y: y})
			b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: m, D: d}})
			c.Sides = append(c.Sides, level.Side{Plane: level.Plane{N: m.Neg(), D: 0 - d}})
			l.Solids = append(l.Solids, b, c)
		}
	}
	s := New(l).Closed()
	for range 60000 {
		var on vec.V3
		i, j := 1+r.Intn(n-2), 1+r.Intn(n-2)
		switch r.Intn(3) { // at a vertex, on an edge, anywhere
		case 0:
			on = z[i][j]
		case 1:
			on = z[i][j].Lerp(z[i+1][j+1], r.Float())
		default:
			on = z[i][j].Lerp(z[i+1][j], r.Float())
		}
		way := vec.V3{X: r.Signed(), Y: r.Signed(), Z: 3}
		if s.Ray(on.Add(way), on.Sub(way), level.Solid).Frac == 1 || !s.Blocked(on.Sub(way), on.Add(way), level.Solid) {
			t.Fatalf("seed %d: a ray through %v along %v passes the sheet", *seed, on, way)
		}
		flat := vec.V3{X: float32(i) - 8, Y: float32(j) - 8 + r.Float(), Z: -3}
		switch r.Intn(3) {
		case 0: // along the diagonal cut
			k := r.Float()
			flat = vec.V3{X: float32(i) - 8 + k, Y: float32(j) - 8 + (1 - k), Z: -3}
		case 1:
			flat.Y = float32(j) - 8
		}
		down := vec.V3{Z: -4}
		if r.Intn(2) == 0 { // in the plane of the cut
			k := float32(0.5 * r.Signed())
			down = vec.V3{X: k, Y: 0 - k, Z: -4}
		}
		if !s.Blocked(flat, flat.Add(down), level.PlayerClip) {
			t.Fatalf("seed %d: a ray from %v along %v passes the floor", *seed, flat, down)
		}
	}
}

func TestWhatCannotBeComputedIsSolid(t *testing.T) {
	w := New(hall())
	inf := vec.EmptyBox().Min.X
	for _, bad := range []float32{inf, -inf, inf - inf, 1e30, 40000} {
		p := vec.V3{Y: bad}
		if r := w.Box(p, vec.V3{Z: 1}, body, level.MaskMove); !r.AllSolid || r.Frac != 0 {
			t.Errorf("box from %v: %+v", p, r)
		}
		if r := w.Ray(vec.V3{Z: 1}, p, level.MaskMove); !r.AllSolid || r.End != (vec.V3{Z: 1}) {
			t.Errorf("ray to %v: %+v", p, r)
		}
		if !w.Blocked(p, vec.V3{}, level.MaskSight) || w.Contents(p) != level.Solid {
			t.Errorf("%v is open", p)
		}
	}
	empty := New(&level.Level{})
	if r := empty.Ray(vec.V3{}, vec.V3{X: 5}, level.MaskSight); r.Frac != 1 || r.Model != -1 {
		t.Errorf("an empty level stops rays: %+v", r)
	}
}

// realMaps calls f for every compiled map that was fetched.
func realMaps(t testing.TB, f func(name string, w *World)) {
	packs, _ := filepath.Glob("../../assets/realmaps/*/usr/share/games/openarena/*/*.pk3")
	if len(packs) == 0 {
		t.Skip("no real maps in assets/realmaps: fetch them with `make realmaps`")
	}
	for _, pack := range packs {
		z, err := zip.OpenReader(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range z.File {
			if !strings.HasPrefix(e.Name, "maps/") || path.Ext(e.Name) != ".bsp" {
				continue
			}
			r, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			l, err := load.Bytes(e.Name, data, level.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f(e.Name, New(l))
		}
		z.Close()
	}
}

func TestRealMapsMatchBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads every map")
	}
	realMaps(t, func(name string, w *World) {
		s := w.Closed()
		r := vec.NewRand(*seed, 6)
		hits, n := 0, 0
		for n < 60 && len(w.l.Spawns) > 0 {
			from := w.l.Spawns[r.Intn(len(w.l.Spawns))].Pos.Add(vec.V3{Z: 1})
			a := s.Ray(from, from.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: float32(0.3 * r.Signed())}.Scale(20)), level.MaskMove).End
			b := a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: float32(0.5 * r.Signed())}.Scale(25))
			n++
			got := s.Ray(a, b, level.MaskSight)
			if want := bruteBox(s, a, b, vec.Box{}, level.MaskSight); got != want {
				t.Fatalf("%s seed %d: ray %v -> %v\n got %+v\nwant %+v", name, *seed, a, b, got, want)
			}
			if got.Frac < 1 {
				hits++
			}
			if s.Blocked(a, b, level.MaskSight) != (got.Frac < 1 || got.StartSolid) || s.Blocked(a, b, level.MaskSight) != s.Blocked(b, a, level.MaskSight) {
				t.Fatalf("%s seed %d: sight %v -> %v against %+v", name, *seed, a, b, got)
			}
			box := s.Box(a, b, body, level.MaskMove)
			if want := bruteBox(s, a, b, body, level.MaskMove); box != want {
				t.Fatalf("%s seed %d: box %v -> %v\n got %+v\nwant %+v", name, *seed, a, b, box, want)
			}
			if !box.StartSolid && s.Overlaps(body.Move(box.End), level.MaskMove) {
				t.Fatalf("%s seed %d: box %v -> %v ends inside something: %+v", name, *seed, a, b, box)
			}
		}
		t.Logf("%s: %d solids, %d triangles, %d of %d rays hit", name, len(w.brushes), len(w.tris), hits, n)
	})
}

func BenchmarkNew(b *testing.B) {
	var big *level.Level
	realMaps(b, func(name string, w *World) {
		if big == nil || len(w.l.Tris) > len(big.Tris) {
			big = w.l
		}
	})
	for b.Loop() {
		New(big)
	}
}

func BenchmarkRealMap(b *testing.B) {
	done := false
	realMaps(b, func(name string, w *World) {
		if done || len(w.tris) < 5000 {
			return
		}
		done = true
		s := w.Closed()
		r := vec.NewRand(1, 7)
		type pair struct{ a, b vec.V3 }
		var pairs [1024]pair
		for i := range pairs {
			from := w.l.Spawns[r.Intn(len(w.l.Spawns))].Pos.Add(vec.V3{Z: 1.5})
			a := s.Ray(from, from.Add(vec.V3{X: r.Signed(), Y: r.Signed()}.Scale(20)), level.MaskMove).End
			pairs[i] = pair{a, a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: float32(0.3 * r.Signed())}.Scale(40))}
		}
		run := func(what string, f func(p pair)) {
			b.Run(what, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					f(pairs[i&1023])
					i++
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mqueries/s")
			})
		}
		b.Log(name)
		run("sight", func(p pair) { s.Blocked(p.a, p.b, level.MaskSight) })
		run("ray", func(p pair) { s.Ray(p.a, p.b, level.MaskShot) })
		run("box", func(p pair) { s.Box(p.a, p.a.Lerp(p.b, 0.01), body, level.MaskMove) })
		run("contents", func(p pair) { s.Contents(p.a) })
	})
}
