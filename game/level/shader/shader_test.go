package shader_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/shader"
)

const script = `
// a window
textures/base/Window
{
	qer_editorimage textures/base/window_ed.tga
	surfaceparm trans // seen through
	cull none
	{
		map $lightmap
	}
	{
		map textures/base/window.tga
		blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA }
}
textures/base/grate { surfaceparm alphashadow
	{ map textures/base/grate.jpg
	  alphaFunc GE128 } }
textures/liquids/pool
{
	surfaceparm water
	surfaceparm nomarks /* over
	lines */
	deformVertexes wave 100 sin 1 2 3 4
	{ map textures/liquids/pool1.tga
	  tcMod scroll .1 .1 }
}
textures/sky/night { surfaceparm sky
skyparms env/night 512 - }
textures/base/leaf { surfaceparm nonsolid }
textures/base/leaf { surfaceparm playerclip }
textures/common/full_clip { surfaceparm nodraw
surfaceparm playerclip }
textures/fx/glow { { animMap 10 textures/fx/g1.tga textures/fx/g2.tga
 blendfunc add } }
`

func TestScriptIsRead(t *testing.T) {
	var s shader.Set
	if err := s.Parse("x.shader", []byte(script)); err != nil {
		t.Fatal(err)
	}
	if s.Len() != 7 {
		t.Errorf("%d shaders", s.Len())
	}
	for name, want := range map[string]level.Shader{
		"BASE/window":              {Contents: level.Glass, Surf: level.SurfTranslucent, Image: "textures/base/window", TwoSided: true},
		"textures/base/grate":      {Contents: level.Glass, Image: "textures/base/grate", AlphaTest: true},
		"liquids/pool":             {Contents: level.Water, Surf: level.SurfNoMarks, Image: "textures/liquids/pool1"},
		"sky/night":                {Contents: level.Solid, Surf: level.SurfSky},
		"base/leaf":                {},
		"common/full_clip":         {Contents: level.PlayerClip, Surf: level.SurfNoDraw},
		`textures\fx\glow.tga`:     {Contents: level.Solid, Surf: level.SurfTranslucent, Image: "textures/fx/g1", Additive: true},
		"textures/fx/glow_unknown": {},
	} {
		got, ok := s.Lookup(name)
		if ok == strings.HasSuffix(name, "unknown") || got != want {
			t.Errorf("%s: %+v %v, want %+v", name, got, ok, want)
		}
	}
}

func TestBrokenScriptIsUsedAsFarAsItGoes(t *testing.T) {
	fsys := fstest.MapFS{
		"scripts/a.shader": {Data: []byte("textures/a { surfaceparm nonsolid }\ntextures/b {")},
		"scripts/b.shader": {Data: []byte("textures/a { surfaceparm water }\n}")},
		"scripts/c.txt":    {Data: []byte("textures/c { }")},
	}
	s, warnings := shader.Load(fsys)
	if len(warnings) != 2 || !strings.Contains(warnings[0], "scripts/a.shader") || !strings.Contains(warnings[1], "scripts/b.shader:2") {
		t.Errorf("%q", warnings)
	}
	if a, ok := s.Lookup("a"); !ok || a.Contents != level.Water {
		t.Errorf("the later script does not win: %+v", a)
	}
	if _, ok := s.Lookup("c"); ok {
		t.Error("a file that is no script is read")
	}
	var none *shader.Set
	if _, ok := none.Lookup("a"); ok {
		t.Error("no set knows a name")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(script))
	f.Add([]byte("a {{{ map } /* "))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s shader.Set
		_ = s.Parse("fuzz.shader", data)
		s.Lookup("a")
	})
}
