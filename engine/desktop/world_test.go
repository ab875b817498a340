package desktop_test

import (
	"bytes"
	"image"
	"image/png"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sightline-engine/sightline/engine/asset"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

var shippedMaps = []string{"pit", "corner", "yard"}

func TestShippedMapsHaveALookForEverySurface(t *testing.T) {
	for _, name := range shippedMaps {
		l := shipped(t, name)
		w := desktop.BuildWorld(l, desktop.Art{})
		tris, sky := 0, false
		for i := range w.Meshes {
			m := &w.Meshes[i]
			mat := &w.Materials[m.Material]
			tris += len(m.Indices) / 3
			sky = sky || mat.Kind == scene.SkyHole
			if mat.Kind == scene.Hidden {
				t.Errorf("%s: %s is drawn", name, mat.Name)
			}
			if mat.Kind != scene.SkyHole && mat.Color == (scene.Material{}).Color {
				t.Errorf("%s: no colour was chosen for %s", name, mat.Name)
			}
			for _, x := range m.Indices {
				if int(x) >= len(m.Verts) {
					t.Fatalf("%s: index %d of %d vertices", name, x, len(m.Verts))
				}
			}
		}
		for i := range w.Materials {
			if n := level.Fold(w.Materials[i].Name); strings.HasPrefix(n, "sl/") && !desktop.HasOwnLook(n) {
				t.Errorf("%s: %s has no look of its own", name, n)
			}
		}
		if tris < 100 || !sky || len(w.Lamps) == 0 {
			t.Errorf("%s: %d triangles, sky %v, %d lamps", name, tris, sky, len(w.Lamps))
		}
	}
}

// square is one wall of 2 by 2 m with texel coordinates of 128.
func square(l *level.Level, texture uint16, texels bool) {
	s := level.Surface{Texture: texture, Contents: level.Solid, Lightmap: -1, UVTexels: texels, Indices: []uint32{0, 1, 2, 0, 2, 3}}
	for i := range 4 {
		x, z := float32(i&1^i>>1), float32(i>>1)
		s.Verts = append(s.Verts, level.Vertex{Pos: vec.V3{X: 2 * x, Z: 2 * z}, Normal: vec.V3{Y: -1}, U: 128 * x, V: 128 * z})
	}
	l.Surfaces = append(l.Surfaces, s)
}

func TestPicturesAreFoundAndWhatIsMissingIsSaidOnce(t *testing.T) {
	var pic bytes.Buffer
	if err := png.Encode(&pic, image.NewNRGBA(image.Rect(0, 0, 64, 32))); err != nil {
		t.Fatal(err)
	}
	path := &asset.Path{}
	path.Add("test", asset.Wrap(fstest.MapFS{
		"textures/a/plain.png": {Data: pic.Bytes()},
		"textures/a/other.png": {Data: pic.Bytes()},
		"textures/a/bad.png":   {Data: []byte("\x89PNG\r\n\x1a\nnonsense")},
	}))
	l := &level.Level{Textures: []string{"a/plain", "a/shaded", "a/gone", "a/bad"}}
	for range 3 {
		for i := range l.Textures {
			square(l, uint16(i), true)
		}
	}
	var log bytes.Buffer
	w := desktop.BuildWorld(l, desktop.Art{
		Files: path, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Shaders: func(n string) (level.Shader, bool) {
			return level.Shader{Image: "textures/a/other.tga", TwoSided: true, AlphaTest: true}, strings.HasSuffix(n, "shaded")
		},
	})
	byName := map[string]*scene.Material{}
	for i := range w.Materials {
		byName[w.Materials[i].Name] = &w.Materials[i]
	}
	if byName["a/plain"].Image == nil || byName["a/gone"].Image != nil || byName["a/bad"].Image != nil {
		t.Errorf("pictures: %v", byName)
	}
	if m := byName["a/shaded"]; m.Image == nil || !m.TwoSided || !m.Cutout {
		t.Errorf("a/shaded: %+v", m)
	}
	for i := range w.Meshes {
		if w.Materials[w.Meshes[i].Material].Name != "a/plain" {
			continue
		}
		if uv := w.Meshes[i].Verts[2].UV; uv[0] != 2 || uv[1] != 4 {
			t.Errorf("128 texels of a 64x32 picture give %v repeats", uv)
		}
	}
	for _, name := range []string{"a/gone", "a/bad"} {
		if n := strings.Count(log.String(), "texture="+name); n != 1 && !(name == "a/bad" && n == 2) {
			t.Errorf("%s was complained about %d times:\n%s", name, n, log.String())
		}
	}
}

func TestTerrainFacesUp(t *testing.T) {
	l := &level.Level{Textures: []string{"grass"}, Terrain: &level.Terrain{Cell: 2, W: 4, H: 3, Heights: make([]float32, 12)}}
	l.Terrain.Heights[5] = 1
	w := desktop.BuildWorld(l, desktop.Art{})
	if len(w.Meshes) != 1 || len(w.Meshes[0].Indices) != 3*2*2*3 {
		t.Fatalf("%d meshes", len(w.Meshes))
	}
	m := &w.Meshes[0]
	for i := 0; i < len(m.Indices); i += 3 {
		a, b, c := m.Verts[m.Indices[i]].Pos, m.Verts[m.Indices[i+1]].Pos, m.Verts[m.Indices[i+2]].Pos
		if b.Sub(a).Cross(c.Sub(a))[2] <= 0 {
			t.Errorf("triangle %d is seen from below", i/3)
		}
	}
	if w.Materials[m.Material].Kind != scene.Ground {
		t.Errorf("terrain looks like kind %d", w.Materials[m.Material].Kind)
	}
}
