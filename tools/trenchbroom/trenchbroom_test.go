package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/vec"
)

// class is one entity class of the definitions.
type class struct{ kind, name, help string }

var header = regexp.MustCompile(`(?m)^@(PointClass|SolidClass|BaseClass)[^=\n]*= *(\w+)(?: : "([^"\n]*)")?$`)

func classes(t *testing.T) map[string]class {
	t.Helper()
	data, err := os.ReadFile("Sightline/sightline.fgd")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]class{}
	for _, m := range header.FindAllStringSubmatch(string(data), -1) {
		if _, twice := out[m[2]]; twice {
			t.Errorf("%s is defined twice", m[2])
		}
		out[m[2]] = class{m[1], m[2], m[3]}
	}
	if n := bytes.Count(data, []byte("\n@")); n != len(out) {
		t.Errorf("%d classes begin and %d are read", n, len(out))
	}
	return out
}

func shipped(t *testing.T) map[string]*level.Level {
	t.Helper()
	files, err := filepath.Glob("../../examples/arena/maps/*.map")
	if err != nil || len(files) < 2 {
		t.Fatalf("maps: %v, %v", files, err)
	}
	out := map[string]*level.Level{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if out[f], err = mapfile.Parse(f, data, level.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

var word = regexp.MustCompile(`^(info|item|ammo|weapon|func|trigger|target|misc|team|light)(_[A-Za-z0-9]+)+$`)

// Every class that the reader of levels names in its source is defined.
func TestEveryClassTheLoaderKnowsIsDefined(t *testing.T) {
	defined := classes(t)
	n := 0
	for _, dir := range []string{"../../game/level", "../../game/level/mapfile"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(node ast.Node) bool {
				lit, ok := node.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				name, err := strconv.Unquote(lit.Value)
				if err == nil && word.MatchString(name) {
					n++
					if _, ok := defined[name]; !ok {
						t.Errorf("%s: class %s is not defined", f, name)
					}
				}
				return true
			})
		}
	}
	if n < 40 {
		t.Errorf("only %d class names found in the source", n)
	}
}

func TestShippedMapsUseDefinedClassesAndKnownTextures(t *testing.T) {
	defined := classes(t)
	for file, l := range shipped(t) {
		for i := range l.Entities {
			if c := defined[l.Entities[i].Class]; c.kind == "" || c.kind == "BaseClass" {
				t.Errorf("%s:%d: class %s is not defined", file, l.Entities[i].Line, l.Entities[i].Class)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`(?m)(?:\) |^)([a-z]+/[a-z0-9_]+)`).FindAllSubmatch(data, -1)
		if len(names) < 100 {
			t.Errorf("%s: %d textures found", file, len(names))
		}
		seen := map[string]bool{}
		for _, m := range names {
			if name := string(m[1]); !seen[name] {
				seen[name] = true
				if _, err := os.Stat("Sightline/textures/" + name + ".png"); err != nil {
					t.Errorf("%s: texture %s has no picture", file, name)
				}
			}
		}
	}
}

// What is defined as a thing to take, or a place to enter, is one in the game.
func TestDefinedThingsWork(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\n\"classname\" \"worldspawn\"\n}\n")
	var spawns, things []string
	for name, c := range classes(t) {
		if c.kind != "BaseClass" && name != "func_detail" && len(c.help) < 10 {
			t.Errorf("%s has no help", name)
		}
		switch p := strings.SplitN(name, "_", 2)[0]; {
		case p == "item", p == "ammo", p == "weapon":
			things = append(things, name)
		case p == "team", p == "info":
			spawns = append(spawns, name)
		default:
			continue
		}
		b.WriteString("{\n\"classname\" \"" + name + "\"\n\"origin\" \"0 0 0\"\n}\n")
	}
	l, err := mapfile.Parse("t.map", []byte(b.String()), level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Pickups) != len(things) || len(l.Spawns) != len(spawns) {
		t.Errorf("%d of %d things and %d of %d places to enter", len(l.Pickups), len(things), len(l.Spawns), len(spawns))
	}
	for i := range l.Pickups {
		if d := l.Pickups[i].Pos.Sub(vec.V3{Z: -15.0 / 32}).Len(); d > 1e-3 {
			t.Errorf("%s stands %g m away from the middle of its box's floor", l.Pickups[i].Class, d)
		}
	}
}

func TestConfiguration(t *testing.T) {
	data, err := os.ReadFile("Sightline/GameConfig.cfg")
	if err != nil {
		t.Fatal(err)
	}
	type tag struct{ Name, Match, Pattern, Material string }
	var c struct {
		Version     int
		Name, Icon  string
		FileFormats []struct{ Format string }
		FileSystem  struct {
			SearchPath    string
			PackageFormat struct{ Extension, Format string }
		}
		Materials struct {
			Root       string
			Extensions []string
		}
		Entities struct{ Definitions []string }
		Tags     struct{ Brush, BrushFace []tag }
	}
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	if c.Version != 9 || c.Name != "Sightline" || c.FileSystem.PackageFormat.Extension != ".pk3" || !slices.Contains(c.Materials.Extensions, ".png") {
		t.Errorf("%+v", c)
	}
	formats := ""
	for _, f := range c.FileFormats {
		formats += f.Format + ";"
	}
	if formats != "Quake3 (Valve);Quake3 (legacy);" {
		t.Errorf("formats %s", formats)
	}
	for _, f := range append(c.Entities.Definitions, c.Icon, filepath.Join(c.FileSystem.SearchPath, c.Materials.Root)) {
		if _, err := os.Stat(filepath.Join("Sightline", f)); err != nil {
			t.Error(err)
		}
	}
	defined := classes(t)
	names := map[string]bool{}
	for _, g := range append(c.Tags.Brush, c.Tags.BrushFace...) {
		if names[g.Name] {
			t.Errorf("tag %s twice", g.Name)
		}
		names[g.Name] = true
		hits := 0
		if g.Match == "classname" {
			for name := range defined {
				if ok, err := filepath.Match(g.Pattern, name); err != nil || ok {
					hits++
				}
			}
		} else {
			for _, x := range textures {
				if ok, err := filepath.Match(g.Pattern, x.name); err != nil || ok {
					hits++
				}
			}
		}
		if hits == 0 {
			t.Errorf("tag %s fits nothing: %s", g.Name, g.Pattern)
		}
		if g.Material != "" {
			if _, err := os.Stat("Sightline/textures/" + g.Material + ".png"); err != nil {
				t.Error(err)
			}
		}
	}
}

// The pictures that are committed are those that the program draws.
func TestPicturesAreCurrent(t *testing.T) {
	same := func(file string, want *image.NRGBA) {
		f, err := os.Open(file)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		got, err := png.Decode(f)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		if got.Bounds() != want.Bounds() {
			t.Errorf("%s: %v, not %v", file, got.Bounds(), want.Bounds())
			return
		}
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				if r, g, b, a := got.At(x, y).RGBA(); [4]uint32{r, g, b, a} != rgba(want, x, y) {
					t.Errorf("%s: another colour at %d, %d; run the program again", file, x, y)
					return
				}
			}
		}
	}
	same("Sightline/Icon.png", icon())
	listed := 0
	for _, x := range textures {
		listed++
		same("Sightline/textures/"+x.name+".png", draw(x))
		if strings.HasPrefix(x.name, "common/") && x.name != "common/caulk" {
			if level.Named(x.name) == level.Named("sl/wall") {
				t.Errorf("%s means nothing to the reader of maps", x.name)
			}
		}
	}
	files, err := filepath.Glob("Sightline/textures/*/*.png")
	if err != nil || len(files) != listed {
		t.Errorf("%d pictures are there and %d are drawn: %v", len(files), listed, err)
	}
}

func rgba(m *image.NRGBA, x, y int) [4]uint32 {
	r, g, b, a := m.At(x, y).RGBA()
	return [4]uint32{r, g, b, a}
}
