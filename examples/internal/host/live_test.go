package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/rules"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// hears waits for what the operator is told.
func (w *taping) hears(want string) {
	w.t.Helper()
	end := time.After(60 * time.Second)
	var all []string
	for {
		select {
		case line := <-w.told:
			if all = append(all, line); strings.Contains(line, want) {
				return
			}
		case <-w.ticks:
		case <-end:
			w.t.Fatalf("is never told %q, but %q; log:\n%s", want, all, w.log)
		}
	}
}

// value returns a variable's value.
func (w *taping) value(name string) string {
	in, _ := w.reg.Lookup(name)
	return in.Value
}

// An operator shadows a policy, changes to it, changes a setting of it, and names one
// that does not exist, while the match runs.
func TestPolicyChangesWhileTheMatchRuns(t *testing.T) {
	w := tape(t, "plugin.linked", "false", "plugin.wait", "true", "plugin.records", t.TempDir())
	w.playing()
	if got := w.say("plugin.shadow"); !strings.Contains(got, "there is no shadow") {
		t.Error(got)
	}
	if got := w.say("plugin.shadow policy-open"); !strings.Contains(got, "judges every tick from now on") {
		t.Fatal(got)
	}
	for range 30 {
		<-w.ticks
	}
	if got := w.say("plugin.shadow"); !strings.Contains(got, "policy-open judged") {
		t.Error(got)
	}
	if got := w.say("plugin.shadow off"); !strings.Contains(got, "policy-open judged") {
		t.Error(got)
	}
	before, _, _ := w.Plugins()
	w.say("plugin.policy policy-open")
	w.hears("policy-open decides")
	if after, _, ok := w.Plugins(); !ok || after.Plugin != "policy-open" || after.PID == before.PID {
		t.Errorf("before %+v, after %+v", before, after)
	}
	w.say("plugin.policy policy-nope")
	w.hears("no change, policy-open decides: plugin policy-nope was not found")
	if got := w.value("plugin.policy"); got != "policy-open" {
		t.Errorf("plugin.policy is %s", got)
	}
	if got := w.say("plugin.shadow policy-nope"); !strings.Contains(got, "was not found") {
		t.Error(got)
	}
	w.say("plugin.policy policy-deaddrop")
	w.hears("policy-deaddrop decides")
	old, _, _ := w.Plugins()
	w.say("vis.screen.hold_ms 90") // of one that does not run
	w.say("vis.hold_ms 333")
	w.say("vis.reach_m 2")
	w.hears("policy-deaddrop decides")
	if now, _, _ := w.Plugins(); now.PID == old.PID || now.Restarts != 0 {
		t.Errorf("settings: before %+v, after %+v", old, now)
	}
}

// What a policy is asked in a match can be asked again.
func TestPolicyIsRecorded(t *testing.T) {
	dir := t.TempDir()
	w := tape(t, "plugin.linked", "false", "plugin.wait", "true", "plugin.records", dir)
	w.playing()
	for line, want := range map[string]string{
		"plugin.record off": "nothing is being recorded", "plugin.record ../x": "is no name", "plugin.record": "usage",
	} {
		if got := w.say(line); !strings.Contains(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
	if got := w.say("plugin.record first"); !strings.Contains(got, "recording what policy-deaddrop is asked") || !strings.Contains(got, "recording what rules-duel is told") {
		t.Fatal(got)
	}
	if got := w.say("plugin.record first"); !strings.Contains(got, "exists") {
		t.Error(got)
	}
	for range 30 {
		<-w.ticks
	}
	if got := w.say("plugin.record off"); strings.Count(got, "ticks are in") != 2 {
		t.Error(got)
	}
	f, err := os.Open(filepath.Join(dir, "first.record"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := plugin.NewRecordReader(f)
	if err != nil || r.Head.Policy != "deaddrop" || r.Head.Level == nil || r.Head.Settings["hold_ms"] != 200 {
		t.Errorf("%v %+v", err, r)
	}
	g, err := os.Open(filepath.Join(dir, "first.rules.record"))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	rr, err := plugin.NewRulesRecordReader(g)
	if err != nil || rr.Head.Rules != "duel" || len(rr.Head.Match.Saved) == 0 {
		t.Fatalf("%v %+v", err, rr)
	}
	var in rules.TickIn
	if _, err := rr.Next(&in, nil); err != nil || in.Tick != rr.Head.Match.SavedTick+1 {
		t.Errorf("the first tick is %d, after a state of %d: %v", in.Tick, rr.Head.Match.SavedTick, err)
	}
}

// Where policies are linked in nothing of this is to be had, and a sentence says so.
func TestLinkedPoliciesDoNotChange(t *testing.T) {
	w := tape(t)
	w.playing()
	for _, line := range []string{"plugin.shadow policy-open", "plugin.record x"} {
		if got := w.say(line); !strings.Contains(got, "plugin.linked") {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// A server on which matches count runs what is locked, and nothing else.
func TestCompetitiveServersRunLockedPlugins(t *testing.T) {
	for _, set := range [][]string{{"sv.competitive", "true"}, {"plugin.unlocked", "false"}} {
		r := newRoom(t, append([]string{"plugin.linked", "false", "sv.rotation", "corner"}, set...)...)
		h := host.Stepped(r.set, r.levels, r.slog(), *seed)
		if _, err := h.StartMatch("corner"); err == nil || !strings.Contains(err.Error(), "sightline plugin lock") {
			t.Errorf("%v: %v", set, err)
		}
	}
}
