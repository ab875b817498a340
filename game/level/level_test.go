package level_test

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
	"github.com/sightline-engine/sightline/game/vec"
)

func hall(t *testing.T) *level.Builder {
	t.Helper()
	b := level.NewBuilder("hall")
	for _, x := range []vec.Box{
		{Min: vec.New(-8, -8, -1), Max: vec.New(8, 8, 0)},
		{Min: vec.New(-8, -8, 4), Max: vec.New(8, 8, 5)},
	} {
		if err := b.AddBox(0, x, level.Solid, "stone"); err != nil {
			t.Fatal(err)
		}
	}
	b.AddSpawn(vec.New(1, 2, 0), 90, 0)
	if !b.AddPickup("item_health", vec.New(3, 0, 0)) {
		t.Fatal("item_health is not known")
	}
	return b
}

func TestBuilderMakesALevelInMetres(t *testing.T) {
	l := hall(t).Build()
	if len(l.Solids) != 2 || len(l.Surfaces) != 12 || len(l.Spawns) != 1 || len(l.Pickups) != 1 || len(l.Warnings) != 0 {
		t.Fatalf("%d solids, %d surfaces, %d spawns, %d pickups, %v", len(l.Solids), len(l.Surfaces), len(l.Spawns), len(l.Pickups), l.Warnings)
	}
	want := vec.Box{Min: vec.New(-8, -8, -1), Max: vec.New(8, 8, 5)}
	if l.Bounds != want || l.KillZ != -17 {
		t.Errorf("bounds %v, kill height %v", l.Bounds, l.KillZ)
	}
	for i := range 3 {
		lo, hi := l.Solids[0].Sides[2*i], l.Solids[0].Sides[2*i+1]
		if lo.N.At(i) != -1 || lo.D != -l.Solids[0].Bounds.Min.At(i) || hi.N.At(i) != 1 || hi.D != l.Solids[0].Bounds.Max.At(i) {
			t.Errorf("axis %d: %v %v", i, lo, hi)
		}
	}
	for _, s := range l.Surfaces {
		for k := 0; k < len(s.Indices); k += 3 {
			a, b, c := s.Verts[s.Indices[k]], s.Verts[s.Indices[k+1]], s.Verts[s.Indices[k+2]]
			if b.Pos.Sub(a.Pos).Cross(c.Pos.Sub(a.Pos)).Dot(a.Normal) <= 0 {
				t.Errorf("a triangle is clockwise seen from its front")
			}
		}
	}
}

// The hash is that of what collides and of what entities mean: the same on every
// platform, whatever the textures are called.
func TestHashIsStable(t *testing.T) {
	l := hall(t).Build()
	const want = "62dcc77ce9171a73"
	if got := hex.EncodeToString(l.Hash[:8]); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	b := hall(t)
	b.AddSpawn(vec.New(1, 2, 0.5), 90, 0)
	if b.Build().Hash == l.Hash {
		t.Error("one more spawn does not change the hash")
	}
}

func TestWedgeKeepsItsSlopeAndDropsBevels(t *testing.T) {
	b := level.NewBuilder("wedge")
	n, _ := exact.V{1, 0, 1}.Norm()
	face := func(x, y, z, d float64) level.Face {
		return level.Face{Plane: exact.Plane{N: exact.V{x, y, z}, D: d}}
	}
	slope := level.Face{Plane: exact.Plane{N: n, D: n.Dot(exact.V{1, 0, 0})}}
	bevel := face(1, 0, 0, 1) // touches only the foot's edge
	w, err := b.AddSolid(0, []level.Face{slope, face(0, 0, -1, 0), face(-1, 0, 0, 0), face(0, -1, 0, 0), face(0, 1, 0, 1), bevel}, level.Solid, level.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if w[5] != nil {
		t.Errorf("the bevel has a face: %v", w[5])
	}
	l := b.Build()
	if len(l.Solids[0].Sides) != 7 {
		t.Errorf("%d sides, want the bounds' six and the slope", len(l.Solids[0].Sides))
	}
	if want := (vec.Box{Max: vec.New(1, 1, 1)}); l.Solids[0].Bounds != want {
		t.Errorf("bounds %v", l.Solids[0].Bounds)
	}
}

func TestTerrainCountsInTheBounds(t *testing.T) {
	b := level.NewBuilder("hill")
	b.SetTerrain(&level.Terrain{Origin: vec.New(-1, -1, 2), Cell: 1, W: 3, H: 3, Heights: []float32{0, 0, 0, 0, 3, 0, 0, 0, 0}}, "grass")
	l := b.Build()
	if want := (vec.Box{Min: vec.New(-1, -1, 2), Max: vec.New(1, 1, 5)}); l.Bounds != want {
		t.Errorf("bounds %v", l.Bounds)
	}
}

// quarter is a quarter of a cylinder of radius r, raised at its lower row.
func quarter(r, z float64, turned bool) level.Patch {
	p := level.Patch{W: 3, H: 3}
	for _, h := range []float64{z, z + 32, z + 64} {
		row := []exact.V{{r, 0, h}, {r, r, h}, {0, r, h}}
		if turned {
			row[0], row[2] = row[2], row[0]
		}
		for _, v := range row {
			p.Points = append(p.Points, level.Control{Pos: v})
		}
	}
	return p
}

// Two patches that share an edge have the same vertices on it, whatever order
// their points are in: no gap opens.
func TestPatchNeighboursShareTheirEdge(t *testing.T) {
	low, _ := level.Tessellate(quarter(64, 0, false), 1.0/32)
	high, _ := level.Tessellate(quarter(64, 64, true), 1.0/32)
	rim := func(verts []level.Vertex, z float32) map[vec.V3]bool {
		m := map[vec.V3]bool{}
		for _, v := range verts {
			if v.Pos.Z == z {
				m[v.Pos] = true
			}
		}
		return m
	}
	a, b := rim(low, 2), rim(high, 2)
	if len(a) != 9 || len(b) != 9 {
		t.Fatalf("%d and %d vertices on the edge, want 9", len(a), len(b))
	}
	for p := range a {
		if !b[p] {
			t.Errorf("%v is on one edge only", p)
		}
	}
}

func TestPatchLiesOnItsCurve(t *testing.T) {
	verts, idx := level.Tessellate(quarter(64, 0, false), 1.0/32)
	if len(idx) != 8*2*3 {
		t.Errorf("%d triangles: a straight axis must not be cut", len(idx)/3)
	}
	for _, v := range verts {
		if r := v.Pos.Len2(); r < 1.99 || r > 2.13 { // a parabola is not quite a circle
			t.Errorf("vertex at radius %v", r)
		}
		if d := v.Normal.Flat().Unit().Dot(v.Pos.Flat().Unit()); math.Abs(float64(d)) < 0.95 {
			t.Errorf("normal %v at %v", v.Normal, v.Pos)
		}
	}
	for k := 0; k < len(idx); k += 3 {
		a, b, c := verts[idx[k]], verts[idx[k+1]], verts[idx[k+2]]
		if b.Pos.Sub(a.Pos).Cross(c.Pos.Sub(a.Pos)).Dot(a.Normal) <= 0 {
			t.Error("a triangle turns against its normal")
		}
	}
}

func TestPatchOfWrongShapeGivesNothing(t *testing.T) {
	for _, p := range []level.Patch{{}, {W: 2, H: 3, Points: make([]level.Control, 6)}, {W: 3, H: 3}, {W: 3, H: 3, Points: make([]level.Control, 9)}} {
		if _, idx := level.Tessellate(p, 1); len(idx) != 0 {
			t.Errorf("%d by %d with %d points gave %d triangles", p.W, p.H, len(p.Points), len(idx)/3)
		}
	}
}

func TestNamesMeanWhatTheyMeanInQuake(t *testing.T) {
	for name, want := range map[string]level.Contents{
		"common/caulk": level.Solid, "textures/common/clip": level.PlayerClip, "CLIP": level.PlayerClip,
		"common/playerclip": level.PlayerClip, "common/weapclip": level.Glass, "common/botclip": 0, "common/hint": 0,
		"common/skip": 0, "common/nodraw": 0, "common/areaportal": 0, "common/lightgrid": 0, "common/origin": 0, "common/trigger": level.Trigger,
		"liquids/water1": level.Water, "liquids/lavahell": level.Lava, "*slime0": level.Slime, "*04water1": level.Water,
		"skies/blue": level.Solid, "glass/pane": level.Glass, "base_wall/concrete": level.Solid, "walls/clip": level.Solid,
		`textures\base\brick.tga`: level.Solid, "common/ladder": level.Solid,
	} {
		if got := level.Named(name).Contents; got != want {
			t.Errorf("%s: %b, want %b", name, got, want)
		}
	}
	if s := level.Named("skies/blue"); s.Surf&level.SurfSky == 0 {
		t.Error("a sky is no sky")
	}
	if s := level.Named("common/ladder"); s.Surf&level.SurfLadder == 0 {
		t.Error("a ladder is no ladder")
	}
}

func TestTranslucentSolidHidesNobody(t *testing.T) {
	for _, row := range []struct {
		contents, surf uint32
		want           level.Contents
	}{
		{level.Q3Solid, 0, level.Solid},
		{level.Q3Solid | level.Q3Translucent, 0, level.Glass},
		{level.Q3Solid, level.Q3SurfAlphaShadow, level.Glass},
		{level.Q3Translucent, level.Q3SurfNonSolid, 0},
		{level.Q3PlayerClip, level.Q3SurfNoDraw, level.PlayerClip},
		{level.Q3Water | level.Q3Translucent, 0, level.Water},
	} {
		if c, _ := level.FromQuake3(row.contents, row.surf); c != row.want {
			t.Errorf("%#x %#x: %b, want %b", row.contents, row.surf, c, row.want)
		}
	}
}

func TestSpawnsAreCheckedAtLoad(t *testing.T) {
	at := func(team int, z float32) level.Spawn { return level.Spawn{Team: team, Pos: vec.New(0, 0, z)} }
	free := func(p vec.V3) bool { return p.Z >= 0 }
	for _, row := range []struct {
		name   string
		spawns []level.Spawn
		usable int
		note   string
	}{
		{"none", nil, 0, "no place to enter"},
		{"all good", []level.Spawn{at(0, 0), at(0, 1)}, 2, ""},
		{"teams beside", []level.Spawn{at(0, 0), at(1, 0)}, 1, ""},
		{"one a little deep", []level.Spawn{at(0, -0.5)}, 1, ""},
		{"one buried", []level.Spawn{at(0, -5), at(0, 0)}, 1, "1 of 2"},
		{"only teams", []level.Spawn{at(1, 0), at(2, 0)}, 2, "teams' 2"},
		{"all buried", []level.Spawn{at(0, -5)}, 0, "cannot be played"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, note := level.CheckSpawns(&level.Level{Name: "x", Spawns: row.spawns}, free)
			if len(got) != row.usable || !strings.Contains(note, row.note) || (row.note == "") != (note == "") || strings.Contains(note, "\n") {
				t.Errorf("%d usable, %q", len(got), note)
			}
			for _, s := range got {
				if !free(s.Pos) {
					t.Errorf("%v is not free", s.Pos)
				}
			}
		})
	}
}
