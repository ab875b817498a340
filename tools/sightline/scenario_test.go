package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
)

var updatePolicies = flag.Bool("policies.update", false, "write docs/policies.md and its picture anew")

const (
	scenesAt     = "../../engine/scenario/testdata/fog"
	policiesPage = "../../docs/policies.md"
	policiesPic  = "../../docs/policies.png"
	drawnScene   = "T01 corner sprint, 64 Hz"
)

// TestPoliciesPageIsWhatTheyDo compares the page with all scenes played anew.
func TestPoliciesPageIsWhatTheyDo(t *testing.T) {
	scenes, err := readScenes([]string{scenesAt}, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, img, err := reportScenes(scenes, drawnScene, filepath.Base(policiesPic))
	if err != nil {
		t.Fatal(err)
	}
	if *updatePolicies {
		if err := os.WriteFile(policiesPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(policiesPic, img, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(policiesPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(was) != page {
		a, b := strings.Split(string(was), "\n"), strings.Split(page, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("docs/policies.md has drifted (make policies-report writes it), line %d:\n%s\nis now\n%s", i+1, a[i], b[i])
			}
		}
		t.Fatal("docs/policies.md has drifted; make policies-report writes it")
	}
	pic, err := os.ReadFile(policiesPic)
	if err != nil {
		t.Fatal(err)
	}
	old, err := png.Decode(bytes.NewReader(pic))
	if err != nil {
		t.Fatal(err)
	}
	now, err := png.Decode(bytes.NewReader(img))
	if err != nil {
		t.Fatal(err)
	}
	if old.Bounds() != now.Bounds() {
		t.Fatal("docs/policies.png has drifted; make policies-report writes it")
	}
	other := 0
	for y := range now.Bounds().Dy() {
		for x := range now.Bounds().Dx() {
			if old.At(x, y) != now.At(x, y) {
				other++
			}
		}
	}
	if all := now.Bounds().Dx() * now.Bounds().Dy(); other*1000 > all {
		t.Errorf("docs/policies.png has drifted in %d of %d pixels; make policies-report writes it", other, all)
	}
}

// scenarioRun runs the command and returns what it prints.
func scenarioRun(args ...string) (string, error) {
	c := newRoot()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(append([]string{"scenario", "run"}, args...))
	err := c.Execute()
	return out.String(), err
}

func TestScenarioRun(t *testing.T) {
	corner := filepath.Join(scenesAt, "t01-corner-64hz.toml")
	out, err := scenarioRun(corner)
	if err != nil || !strings.Contains(out, "deaddrop") || strings.Count(out, "  ok     ")+strings.Count(out, "  known  ") != 6 {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = scenarioRun("--policy", "all", corner)
	if err != nil || !strings.Contains(out, "by its nature: it sends everyone in range") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err = scenarioRun("--policy", "none", corner); err == nil {
		t.Error("a policy that there is not")
	}
	if _, err = scenarioRun("--draw", "x.png", scenesAt); err == nil || !strings.Contains(err.Error(), "--draw is for one scene") {
		t.Error(err)
	}

	// What fails and is not recorded, or is recorded and holds, is a fault.
	dir := t.TempDir()
	data, err := os.ReadFile(corner)
	if err != nil {
		t.Fatal(err)
	}
	worse := filepath.Join(dir, "worse.toml")
	if err := os.WriteFile(worse, bytes.Replace(data, []byte("missing = 0"), []byte("first = [0.0, 0.1]"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err = scenarioRun(worse); err == nil || !strings.Contains(out, "FAIL") || !strings.Contains(err.Error(), "1 of 6 expectations") {
		t.Errorf("%v\n%s", err, out)
	}
	better := filepath.Join(dir, "better.toml")
	if err := os.WriteFile(better, bytes.Replace(data, []byte("missing = 0\n[expect.fails]\nnetoptimize = "), []byte("missing = 0\n[expect.fails]\ndeaddrop = "), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err = scenarioRun(better); err == nil || !strings.Contains(out, "BETTER") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestScenarioRunJSONAndPicture(t *testing.T) {
	pic := filepath.Join(t.TempDir(), "out.png")
	out, err := scenarioRun("--json", "--draw", pic, filepath.Join(scenesAt, "t01-corner-64hz.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var got []scenario.Result
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || len(got[0].Pairs) != 2 {
		t.Fatalf("%+v", got)
	}
	p := got[0].Pairs[0]
	if len(p.Visible) != 1 || len(p.Sent) != 1 || len(p.Reveals) != 1 {
		t.Fatalf("%+v", p)
	}
	// The file says when a body of 32 units comes out: 2.240 to 2.656 s.
	if v := p.Visible[0]; v.From < 2.238 || v.From > 2.244 || v.To < 2.652 || v.To > 2.658 {
		t.Errorf("visible %+v", v)
	}
	r := p.Reveals[0]
	if d := r.A - r.S; d < 0.0299 || d > 0.0301 || r.R < r.A || r.R > r.A+1.0/144 || r.W == nil || r.Tail == nil || *r.H != (*r.V-r.S)*1000 {
		t.Errorf("%+v", r)
	}
	f, err := os.Open(pic)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[any]bool{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			colours[img.At(x, y)] = true
		}
	}
	for _, c := range []any{inkStone, inkGround, inkSent, inkSeen, inkViewer} {
		if !colours[c] {
			t.Errorf("%v is not in the picture", c)
		}
	}
}

// TestScenarioOnAMap plays a scene in a map that lies beside it.
func TestScenarioOnAMap(t *testing.T) {
	data, err := os.ReadFile("../../examples/arena/maps/corner.map")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "corner.map"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	scene := filepath.Join(dir, "scene.toml")
	text := "name = \"on a map\"\nabout = \"x\"\nseconds = 0.5\nmap = \"corner.map\"\n" +
		"[[player]]\nname = \"a\"\nfeet = [0, 0, 1]\n[[player]]\nname = \"b\"\nfeet = [0.8, 0, 1]\n" +
		"[[expect]]\nviewer = \"a\"\ntarget = \"b\"\nsent = true\n"
	if err := os.WriteFile(scene, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := scenarioRun("--draw", filepath.Join(dir, "out.png"), scene)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	gone := strings.Replace(text, "corner.map", "gone.map", 1)
	if err := os.WriteFile(scene, []byte(gone), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err = scenarioRun(scene); err == nil || !strings.Contains(err.Error(), "scene.toml:4:") {
		t.Error(err)
	}
}

// TestTheSceneOfThePageRuns plays the example of docs/scenarios.md.
func TestTheSceneOfThePageRuns(t *testing.T) {
	page, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```toml\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("there is no scene on the page")
	}
	scene := filepath.Join(t.TempDir(), "page.toml")
	if err := os.WriteFile(scene, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, policy := range []string{"", "open"} {
		if out, err := scenarioRun("--policy", policy, scene); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
