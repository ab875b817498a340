package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// An operator locks a folder, replaces a plugin, and is told; an author replays a
// record through another policy and sees where they differ.
func TestPluginFolders(t *testing.T) {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../../plugins/policy-open", "../../plugins/policy-deaddrop", "../../plugins/rules-duel", "../../plugins/rules-teams")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must(t, "", "plugin", "lock", dir)
	list := must(t, "", "plugin", "list", dir)
	if strings.Count(list, "  locked  ") != 4 || !strings.Contains(list, "deaddrop") {
		t.Errorf("%s", list)
	}
	if info := must(t, "", "plugin", "info", filepath.Join(dir, "rules-duel")); !strings.Contains(info, "rules duel, version") || !strings.Contains(info, "frag_limit") {
		t.Errorf("%s", info)
	}
	other, err := os.ReadFile(filepath.Join(dir, "policy-open"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "policy-open")
	if err := os.WriteFile(file+".new", append(other, 0), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	if list := must(t, "", "plugin", "list", dir); !strings.Contains(list, "changed") {
		t.Errorf("%s", list)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy-note"), []byte("not a program\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if list := must(t, "", "plugin", "list", dir); !strings.Contains(list, "is a text file") {
		t.Errorf("%s", list)
	}
	if out, err := sightline(t, "", "plugin", "lock", dir); err == nil || !strings.Contains(err.Error(), "nothing is written") {
		t.Errorf("%v %s", err, out)
	}
	if out, err := sightline(t, "", "plugin", "list", t.TempDir()); err == nil || !strings.Contains(err.Error(), "make plugins") {
		t.Errorf("%v %s", err, out)
	}

	w := plugintest.NewWorld(t, 3, 1, 6)
	set, err := deaddrop.Spec().Schema.Check(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := deaddrop.New(vis.Env{World: w.Trace, TickRate: plugintest.TickRate, Seed: 3, Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r, err := host.NewRecorder(vis.Inline(p), &b, host.RecordHead{
		Policy: "deaddrop", TickRate: plugintest.TickRate, Seed: 3, Settings: set, Level: host.LevelOf(w.Name, w.Data, level.Options{}, w.Level),
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // fewer than may wait for the disk
		r.Submit(w.Step())
		r.Collect()
	}
	if kept, missed, err := r.Close(); missed > 0 || err != nil {
		t.Fatalf("%d kept and %d missed: %v", kept, missed, err)
	}
	record := filepath.Join(t.TempDir(), "a.record")
	if err := os.WriteFile(record, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "", "plugin", "replay", filepath.Join(dir, "policy-deaddrop"), record); !strings.Contains(out, "100 ticks of deaddrop") || !strings.Contains(out, " 0 sent that were withheld, 0 withheld that were sent") {
		t.Errorf("%s", out)
	}
	out, err := sightline(t, "", "plugin", "replay", file, record)
	if err == nil || !strings.Contains(err.Error(), "decisions differ") || !strings.Contains(out, "was withheld, is sent (open)") {
		t.Errorf("%v %s", err, out)
	}
	if out := must(t, "", "plugin", "call", "--tick", "50", filepath.Join(dir, "policy-deaddrop"), record); !strings.Contains(out, "tick 50: 6 viewers") || !strings.Contains(out, "viewer 1 knows") {
		t.Errorf("%s", out)
	}
	if _, err := sightline(t, "", "plugin", "call", "--tick", "5000", file, record); err == nil || !strings.Contains(err.Error(), "it has 1 to 100") {
		t.Errorf("%v", err)
	}
	if _, err := sightline(t, "", "plugin", "replay", file, filepath.Join(dir, host.LockName)); err == nil || !strings.Contains(err.Error(), "plugin.record") {
		t.Errorf("%v", err)
	}

	// The same of rules.
	wild, matched := rulestest.New(6, 3), rulestest.Match(map[string]string{"warmup_s": "0", "gravity_pct": "80"}, true)
	var told bytes.Buffer
	rr, err := host.NewRulesRecorder(rules.Inline(rulestest.Start(t, duel.Spec(), matched)), &told, host.RulesRecordHead{Rules: "duel", Match: *matched})
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		wild.Chaos()
		rr.Submit(wild.Advance())
		wild.Done(rr.Take())
	}
	if kept, _, err := rr.Close(); kept != 200 || err != nil {
		t.Fatal(kept, err)
	}
	told200 := filepath.Join(t.TempDir(), "a.rules.record")
	if err := os.WriteFile(told200, told.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "", "plugin", "replay", filepath.Join(dir, "rules-duel"), told200); !strings.Contains(out, "200 ticks of duel") || !strings.Contains(out, " alike, 0 differ") {
		t.Errorf("%s", out)
	}
	out, err = sightline(t, "", "plugin", "replay", "--show", "2", filepath.Join(dir, "rules-teams"), told200)
	if err == nil || !strings.Contains(err.Error(), "operations differ") || strings.Count(out, "no longer ") != 2 || !strings.Contains(out, "would begin with the server's tables, and began with movement.gravity = 20\n") {
		t.Errorf("%v %s", err, out)
	}
	if out := must(t, "", "plugin", "call", "--tick", "1", filepath.Join(dir, "rules-duel"), told200); !strings.HasPrefix(out, "a match begins with movement.gravity = 20\ntick 1: 6 players") || !strings.Contains(out, "\nspawn 1 ") {
		t.Errorf("%s", out)
	}
	if _, err := sightline(t, "", "plugin", "call", "--tick", "5000", filepath.Join(dir, "rules-duel"), told200); err == nil || !strings.Contains(err.Error(), "it has 1 to 200") {
		t.Errorf("%v", err)
	}
	if _, err := sightline(t, "", "plugin", "replay", filepath.Join(dir, "policy-deaddrop"), told200); err == nil || !strings.Contains(err.Error(), "is a policy plugin, and a rules plugin was wanted") {
		t.Errorf("%v", err)
	}

	// A plugin plays scenes as the same policy does that is linked in.
	for _, scene := range []string{"t08-door-arc", "t09-into-the-shadow", "t27-orientations", "t29-break"} {
		file := scenesAt + "/" + scene + ".toml"
		apart := must(t, "", "scenario", "run", "--policy", filepath.Join(dir, "policy-deaddrop"), file)
		if linked := must(t, "", "scenario", "run", "--policy", "deaddrop", file); apart != linked || !strings.Contains(apart, "  ok ") {
			t.Errorf("%s\n%s", apart, linked)
		}
	}
	for says, path := range map[string]string{
		"a policy is wanted": filepath.Join(dir, "rules-duel"), "not the file of a plugin": "nobody", "there is no file": dir + "/policy-nope",
	} {
		if out, err := sightline(t, "", "scenario", "run", "--policy", path, scenesAt+"/t08-door.toml"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v %s", path, err, out)
		}
	}
}
