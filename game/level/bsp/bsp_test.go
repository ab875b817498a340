package bsp_test

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/bsp"
	"github.com/sightline-engine/sightline/game/vec"
)

func parse(t *testing.T, m *image) *level.Level {
	t.Helper()
	l, err := bsp.Parse("maps/hall.bsp", m.bytes(), level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWholeMapIsRead(t *testing.T) {
	l := parse(t, hall())
	if l.Name != "hall" || l.Format != "bsp" || len(l.Warnings) != 0 {
		t.Errorf("%q %q %v", l.Name, l.Format, l.Warnings)
	}
	if len(l.Solids) != 3 || l.Solids[0].Contents != level.Solid || l.Solids[1].Contents != level.Glass {
		t.Fatalf("solids %+v", l.Solids)
	}
	if want := (vec.Box{Min: vec.New(-8, -8, -0.5), Max: vec.New(8, 8, 0)}); l.Solids[0].Bounds != want || len(l.Solids[0].Sides) != 6 {
		t.Errorf("the floor is %+v", l.Solids[0])
	}
	// The door stands where its entity's origin says.
	if want := (vec.Box{Min: vec.New(1.75, -1, 0), Max: vec.New(2.25, 1, 2)}); l.Models[1].Bounds != want || len(l.Doors) != 1 || l.Doors[0].Model != 1 {
		t.Errorf("the door is at %v: %+v", l.Models[1].Bounds, l.Doors)
	}
	if len(l.Tris) != 16 || len(l.Surfaces) != 2 || len(l.Lightmaps) != 1 || l.Surfaces[0].Lightmap != 0 || l.Surfaces[1].Lightmap != -1 {
		t.Errorf("%d triangles, %d surfaces, %d lightmaps", len(l.Tris), len(l.Surfaces), len(l.Lightmaps))
	}
	for _, s := range l.Surfaces {
		for k := 0; k < len(s.Indices); k += 3 {
			a, b, c := s.Verts[s.Indices[k]].Pos, s.Verts[s.Indices[k+1]].Pos, s.Verts[s.Indices[k+2]].Pos
			if b.Sub(a).Cross(c.Sub(a)).Z <= 0 {
				t.Error("a triangle looks down")
			}
		}
	}
	if len(l.Spawns) != 1 || l.Spawns[0].Pos != (vec.V3{}) {
		t.Errorf("spawns %+v", l.Spawns)
	}
	v := l.Vis
	if v == nil || v.Clusters != 2 || v.Areas != 2 || !v.MaySee(0, 1) || v.MaySee(1, 0) || v.Leaf(vec.New(-9, 0, 0)) != 0 || v.Leaf(vec.New(0, 0, 0)) != 1 {
		t.Errorf("visibility %+v", v)
	}
}

// Report O-01: the directory says where entity text ends, with or without a NUL.
func TestEntityTextEndsWithItsLump(t *testing.T) {
	plain := parse(t, hall())
	for name, tail := range map[string]string{"NUL": "\x00", "NUL and blanks": "\x00\n\n", "NUL and rubbish": "\x00{ \"classname\" \"light\" }", "blanks": "\r\n "} {
		m := hall()
		m.lump[entities] = append(m.lump[entities], tail...)
		if l := parse(t, m); !reflect.DeepEqual(l.Entities, plain.Entities) || l.Hash != plain.Hash {
			t.Errorf("with %s: %+v", name, l.Entities)
		}
	}
	if len(plain.Entities) != 3 {
		t.Errorf("%d entities", len(plain.Entities))
	}
}

// Report S-04: without sensible visibility data everything is potentially
// visible.
func TestOddVisibilityHidesNothing(t *testing.T) {
	for name, row := range map[string]struct {
		vis   []byte
		warns int
	}{
		"none":            {nil, 0},
		"cut short":       {[]byte{1, 2, 3}, 1},
		"fewer clusters":  {append(words(1, 1), 1), 1},
		"rows too short":  {append(words(20, 1), make([]byte, 20)...), 1},
		"rows missing":    {append(words(2, 1), 3), 1},
		"negative":        {append(words(-1, -1), 3, 3), 1},
		"huge":            {append(words(0x7fffffff, 0x7fffffff), 3, 3), 1},
		"no row bytes":    {append(words(2, 0), 3, 3), 1},
		"more than leafs": {append(words(3, 1), 7, 7, 7), 0},
	} {
		m := hall()
		m.lump[visibility] = row.vis
		l := parse(t, m)
		if len(l.Warnings) != row.warns || !l.Vis.MaySee(1, 0) {
			t.Errorf("%s: %v", name, l.Warnings)
		}
	}
	m := hall()
	m.lump[nodes], m.lump[leafs], m.lump[visibility] = nil, nil, nil
	if l := parse(t, m); l.Vis.Leaf(vec.V3{}) != -1 || !l.Vis.MaySee(0, 1) {
		t.Error("no tree of space")
	}
}

// put overwrites a 32-bit word of a lump.
func (m *image) put(lump, off, v int) {
	binary.LittleEndian.PutUint32(m.lump[lump][off:], uint32(v))
}

func TestEveryIndexIsChecked(t *testing.T) {
	for _, row := range []struct {
		name string
		harm func(*image)
		says []string
	}{
		{"brush of a model", func(m *image) { m.put(models, 36, 99) }, []string{`"models" [0]`, "brushes"}},
		{"negative first brush", func(m *image) { m.put(models, 40+32, -1) }, []string{`"models" [1]`, "brushes"}},
		{"count that overflows", func(m *image) { m.put(models, 36, math.MaxInt32) }, []string{`"models" [0]`}},
		{"brush in two models", func(m *image) { m.put(models, 40+32, 0) }, []string{`"models" [1]`, "another"}},
		{"surface of a model", func(m *image) { m.put(models, 28, 4) }, []string{`"models" [0]`, "surfaces"}},
		{"sides of a brush", func(m *image) { m.put(brushes, 12+4, 1000) }, []string{`"brushes" [1]`, "brush sides"}},
		{"shader of a brush", func(m *image) { m.put(brushes, 8, 3) }, []string{`"brushes" [0]`, "shaders"}},
		{"plane of a side", func(m *image) { m.put(brushSides, 8, -5) }, []string{`"brush sides" [1]`, "planes"}},
		{"shader of a side", func(m *image) { m.put(brushSides, 4, 77) }, []string{`"brush sides" [0]`, "shaders"}},
		{"shader of a surface", func(m *image) { m.put(surfaces, 0, -1) }, []string{`"surfaces" [0]`, "shaders"}},
		{"vertices of a surface", func(m *image) { m.put(surfaces, 16, 14) }, []string{`"surfaces" [0]`, "vertices"}},
		{"indices of a surface", func(m *image) { m.put(surfaces, 20, 1) }, []string{`"surfaces" [0]`, "indices"}},
		{"vertex of an index", func(m *image) { m.put(indexes, 4, 4) }, []string{`"indices" [1]`}},
		{"size of a patch", func(m *image) { m.put(surfaces, 104+96, 5) }, []string{`"surfaces" [1]`, "patch"}},
		{"size of a patch overflows", func(m *image) { m.put(surfaces, 104+96, 65536); m.put(surfaces, 104+100, 65536) }, []string{`"surfaces" [1]`, "patch"}},
		{"plane of a node", func(m *image) { m.put(nodes, 0, 1<<20) }, []string{`"nodes" [0]`, "planes"}},
		{"child of a node", func(m *image) { m.put(nodes, 4, -3) }, []string{`"nodes" [0]`, "child"}},
		{"cluster of a leaf", func(m *image) { m.put(leafs, 48, 1<<30) }, []string{`"leafs" [1]`, "cluster"}},
		{"no model", func(m *image) { m.lump[models] = nil }, []string{`"models" is empty`}},
		{"lump of a broken size", func(m *image) { m.lump[planes] = m.lump[planes][1:] }, []string{`"planes"`, "multiple of 16"}},
		{"entity text", func(m *image) { m.lump[entities] = []byte("{\n\"a\"\n}") }, []string{`"entities"`, "line 3"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := hall()
			row.harm(m)
			l, err := bsp.Parse("x.bsp", m.bytes(), level.Options{})
			if err == nil {
				t.Fatalf("no error: %+v", l.Warnings)
			}
			for _, s := range append(row.says, "x.bsp: ") {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	good := hall().bytes()
	for name, row := range map[string]struct {
		data []byte
		want error
	}{
		"empty":           {nil, bsp.ErrNotBSP},
		"text":            {[]byte("{ }"), bsp.ErrNotBSP},
		"another version": {append(append([]byte("IBSP"), words(47)...), good[8:]...), bsp.ErrVersion},
		"header cut":      {good[:40], bsp.ErrCut},
		"magic only":      {good[:4], bsp.ErrCut},
		"file cut":        {good[:len(good)-40], bsp.ErrCut},
	} {
		if _, err := bsp.Parse("x.bsp", row.data, level.Options{}); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", name, err, row.want)
		}
	}
}

func TestOneBadBrushCostsAWarning(t *testing.T) {
	m := hall()
	binary.LittleEndian.PutUint32(m.lump[planes][12:], math.Float32bits(float32(math.NaN())))
	l := parse(t, m)
	if len(l.Warnings) != 1 && len(l.Warnings) != 2 || l.Warnings[0].Brush != 0 || len(l.Solids) != 2 {
		t.Errorf("%d solids, %+v", len(l.Solids), l.Warnings)
	}
}

// FuzzParse mutates single bytes and whole files: no input may panic or give a
// level with numbers that are not finite.
func FuzzParse(f *testing.F) {
	good := hall().bytes()
	f.Add(good)
	f.Add(good[:200])
	m := hall()
	m.lump[visibility] = nil
	f.Add(m.bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := bsp.Parse("fuzz.bsp", data, level.Options{})
		if err != nil {
			return
		}
		checkLevel(t, l)
	})
}

// Any one word of a good file may be anything.
func TestAnyWordMayBeWrong(t *testing.T) {
	good := hall().bytes()
	head := len(good) - 128*128*3
	for off := 8; off+4 <= head; off += 4 {
		for _, v := range []uint32{0xffffffff, 0x7fffffff, 0x80000000, 1 << 16, 0x7fc00000} {
			data := append([]byte(nil), good...)
			binary.LittleEndian.PutUint32(data[off:], v)
			if l, err := bsp.Parse("x.bsp", data, level.Options{}); err == nil {
				checkLevel(t, l)
			}
		}
	}
}

func checkLevel(t *testing.T, l *level.Level) {
	t.Helper()
	if !l.Bounds.Min.IsFinite() || !l.Bounds.Max.IsFinite() {
		t.Fatalf("bounds %v", l.Bounds)
	}
	for i := range l.Solids {
		for _, d := range l.Solids[i].Sides {
			if !d.N.IsFinite() || !vec.Finite(d.D) || int(d.Texture) >= len(l.Textures) {
				t.Fatalf("solid %d: side %+v", i, d)
			}
		}
	}
	for i := range l.Surfaces {
		s := &l.Surfaces[i]
		for _, k := range s.Indices {
			if int(k) >= len(s.Verts) {
				t.Fatalf("surface %d: index %d of %d", i, k, len(s.Verts))
			}
		}
		for _, v := range s.Verts {
			if !v.Pos.IsFinite() || !v.Normal.IsFinite() {
				t.Fatalf("surface %d: %+v", i, v)
			}
		}
		if s.Lightmap >= len(l.Lightmaps) {
			t.Fatalf("surface %d: lightmap %d", i, s.Lightmap)
		}
	}
	for _, p := range []vec.V3{{}, {X: 5, Y: -7, Z: 100}} {
		if n := l.Vis.Leaf(p); l.Vis != nil && n >= len(l.Vis.Leafs) {
			t.Fatalf("leaf %d of %d", n, len(l.Vis.Leafs))
		}
		l.Vis.MaySee(0, 1)
	}
}
