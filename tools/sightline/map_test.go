package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const fixtures = "../../game/level/testdata/"

// sightline runs the command line.
func sightline(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(in))
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.Execute()
	return out.String(), err
}

func must(t *testing.T, in string, args ...string) string {
	t.Helper()
	out, err := sightline(t, in, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out
}

func TestInfoSaysWhatIsInAMap(t *testing.T) {
	var info mapInfo
	if err := json.Unmarshal([]byte(must(t, "", "map", "info", fixtures+"r2.map", "--json")), &info); err != nil {
		t.Fatal(err)
	}
	if info.Solids != 7 || info.Spawns != 2 || info.Usable != 2 || info.SpawnNote != "" || info.Max != [3]float32{16.5, 8.5, 8.5} || len(info.Hash) != 64 || len(info.Warnings) != 0 {
		t.Errorf("%+v", info)
	}
	text := must(t, "", "map", "info", fixtures+"nospawn.map")
	if !strings.Contains(text, "usable 0") || !strings.Contains(text, "cannot be played") {
		t.Error(text)
	}
}

// The fixture's stated sight lines hold, in both units, one by one and in a
// batch.
func TestTraceAnswersStatedSightLines(t *testing.T) {
	var a mapAnswer
	out := must(t, "", "map", "trace", fixtures+"r2.map", "--from", "-384,-128,58", "--to", "384,-128,58", "--units", "map", "--mask", "sight", "--json")
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	if !a.Hit || a.Normal != [3]float32{-1, 0, 0} || a.End[0] > -8 || a.End[0] < -8.1 || a.StartSolid || a.Contents[0] != "solid" || a.Texture != "t" {
		t.Errorf("%+v", a)
	}
	if out := must(t, "", "map", "trace", fixtures+"r2.map", "--from=-12,5,1.8125", "--to=12,5,1.8125", "--mask=sight"); !strings.HasPrefix(out, "clear") {
		t.Error(out)
	}
	out = must(t, "# eye to eye\n-384,-128,58 384,-128,58\n\n-384,160,58 384,160,58\n-384,160,58 384,160,58 15,97,28 move\n-384,-128,58 -384,-128,-90 - shot\n",
		"map", "trace", fixtures+"r2.map", "--batch", "--units", "map", "--mask", "sight", "--json")
	var hits []bool
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		hits = append(hits, a.Hit)
	}
	if len(hits) != 4 || !hits[0] || hits[1] || !hits[2] || !hits[3] {
		t.Errorf("%v", hits)
	}
}

func TestDiffOfAMapWithItselfAndWithADivider(t *testing.T) {
	var d diffReport
	same := must(t, "", "map", "diff", fixtures+"r2.map", fixtures+"r2.map", "--rays", "2000", "--sweeps", "200", "--seed", "3", "--json")
	if err := json.Unmarshal([]byte(same), &d); err != nil {
		t.Fatal(err)
	}
	if d.Rays.Disagree != 0 || d.Sweeps.Disagree != 0 || d.Rays.Count != 2000 || d.Rays.HitShare < 0.3 || d.Rays.HitShare > 0.7 {
		t.Errorf("%+v", d)
	}
	if again := must(t, "", "map", "diff", fixtures+"r2.map", fixtures+"r2.map", "--rays", "2000", "--sweeps", "200", "--seed", "3", "--json"); again != same {
		t.Error("the same seed gives another answer")
	}
	out := must(t, "", "map", "diff", fixtures+"r1.map", fixtures+"r2.map", "--rays", "2000", "--sweeps", "200", "--json")
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Rays.Share < 0.01 || d.Sweeps.Share < 0.01 || len(d.Worst) != 10 {
		t.Errorf("a divider makes no difference: %+v", d)
	}
}

func TestDrawWritesAPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r2.png")
	must(t, "", "map", "draw", fixtures+"r2.map", "-o", file, "--size", "400")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[any]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			colours[img.At(x, y)]++
		}
	}
	if colours[any(inkSpawn)] < 50 || len(colours) < 20 {
		t.Errorf("%d colours, %d pixels of spawns", len(colours), colours[any(inkSpawn)])
	}
}

func TestMapInsideAPack(t *testing.T) {
	dir := t.TempDir()
	pack := filepath.Join(dir, "some.pk3")
	data, err := os.ReadFile(fixtures + "r1.map")
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for name, body := range map[string][]byte{"maps/R1.map": data, "scripts/t.shader": []byte("textures/t { surfaceparm trans }")} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pack, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{pack + ":maps/r1.map"}, {"R1", "--assets", dir}, {fixtures + "r1.map", "--assets", dir}} {
		var info mapInfo
		if err := json.Unmarshal([]byte(must(t, "", append([]string{"map", "info", "--json"}, args...)...)), &info); err != nil {
			t.Fatal(err)
		}
		if info.Contents["glass"] != 6 {
			t.Errorf("%v: the pack's script is not used: %v", args, info.Contents)
		}
	}
}

func TestMistakesAreSaidInOneLine(t *testing.T) {
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"map", "info", "nowhere.map"}, "no file nowhere.map"},
		{[]string{"map", "info", "."}, "folder"},
		{[]string{"map", "info", "map_test.go"}, "map_test.go:1"},
		{[]string{"map", "info", fixtures + "r1.map:maps/x.bsp"}, "no file"},
		{[]string{"map", "trace", fixtures + "r1.map"}, "--from"},
		{[]string{"map", "trace", fixtures + "r1.map", "--from", "1,2", "--to", "0,0,0"}, "three numbers"},
		{[]string{"map", "trace", fixtures + "r1.map", "--from", "nan,0,0", "--to", "0,0,0"}, "three numbers"},
		{[]string{"map", "trace", fixtures + "r1.map", "--from", "0,0,0", "--to", "0,0,1", "--mask", "x"}, "sight, move, shot"},
		{[]string{"map", "trace", fixtures + "r1.map", "--from", "0,0,0", "--to", "0,0,1", "--units", "ft"}, "units"},
		{[]string{"map", "trace", fixtures + "r1.map", "--from", "0,0,0", "--to", "0,0,1", "--box=-1,1,1"}, "negative"},
		{[]string{"map", "draw", fixtures + "r1.map"}, "-o"},
		{[]string{"map", "diff", fixtures + "nospawn.map", fixtures + "nospawn.map"}, "no playable space"},
		{[]string{"map", "info", "--assets", "nowhere", fixtures + "r1.map"}, "nowhere"},
	} {
		out, err := sightline(t, "", row.args...)
		if err == nil || !strings.Contains(err.Error(), row.says) || strings.Contains(err.Error(), "\n") || out != "" {
			t.Errorf("%v: %v %q", row.args, err, out)
		}
	}
}

// What opens, breaks, drives and is named is listed.
func TestInfoSaysWhatMovesAndBreaks(t *testing.T) {
	var info mapInfo
	yard := "../../examples/arena/maps/yard.map"
	if err := json.Unmarshal([]byte(must(t, "", "map", "info", yard, "--json")), &info); err != nil {
		t.Fatal(err)
	}
	if info.Doors <= info.Hinged || info.Hinged < 2 || info.Pieces["glass"] < 4 || info.Pieces["wood"] < 4 || info.Pieces["stone"] < 1 || info.Vehicles["buggy"] < 1 || info.Zones["bombsite"] != 2 {
		t.Errorf("%+v", info)
	}
	text := must(t, "", "map", "info", yard)
	for _, want := range []string{"hinged", "that break: wood", "buggy 1", "bombsite 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
