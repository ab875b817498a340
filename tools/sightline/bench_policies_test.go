package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
)

// No policy spends more rays in a tick than it is given, in no tick of a match in which
// it would need more.
func TestNoPolicyExceedsItsCap(t *testing.T) {
	for _, name := range benchedPolicies() {
		cap, is := map[string]string{"deaddrop": "20", "reach": "60", "screen": "60"}[name]
		if f := (&matchFlags{Policy: name}); (f.raysCap() != nil) != is {
			t.Errorf("%s has a cap: %v", name, f.raysCap() != nil)
		}
		if !is {
			continue
		}
		out, err := runTool(t, "bench", "match", "--stepped", "--map", pit, "--players", "8", "--seconds", "2", "--warm", "0", "--policy", name, "--set", "rays_per_tick="+cap, "--json")
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		var f scenario.Figures
		if err := json.Unmarshal([]byte(out), &f); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.0f rays a tick, most %d, cap %s", name, f.Rays, f.MostRays, cap)
		if f.RaysCap == nil || f.MostRays > *f.RaysCap {
			t.Errorf("%s: %d rays in a tick, cap %v", name, f.MostRays, f.RaysCap)
		}
		if f.RaysCap != nil && f.MostRays < *f.RaysCap*9/10 {
			t.Errorf("%s: the cap of %d was not reached: at most %d", name, *f.RaysCap, f.MostRays)
		}
	}
}

// The table goes into the page where it belongs, and nowhere else.
func TestBenchPoliciesWritesItsTable(t *testing.T) {
	if testing.Short() {
		t.Skip("builds plugins")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../../plugins/policy-open", "../../plugins/policy-deaddrop", "../../plugins/rules-duel")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page := filepath.Join(dir, "page.md")
	args := []string{"bench", "policies", "--map", pit, "--players", "4", "--seconds", "0.5", "--warm", "0", "--plugins", dir, "--policies", "open,deaddrop", "-o", page}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# A page\n")
	if _, err := runTool(t, args...); err == nil || !strings.Contains(err.Error(), "between which the table belongs") {
		t.Error(err)
	}
	write("# A page\n" + policiesBegin + "\nold\n" + policiesEnd + "\nfoot\n")
	if out, err := runTool(t, args...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	if !strings.HasPrefix(text, "# A page\n") || !strings.HasSuffix(text, policiesEnd+"\nfoot\n") || strings.Contains(text, "old") ||
		strings.Count(text, "\n| `") != 2 || !strings.Contains(text, "| `open` | ") {
		t.Errorf("%s", text)
	}
	page2, err := os.ReadFile("../../docs/bench.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := between(string(page2), policiesBegin, policiesEnd, ""); err != nil {
		t.Error(err)
	}
}
