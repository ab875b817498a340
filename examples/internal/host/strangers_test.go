package host_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/examples/internal/host"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// strange builds the worked examples as somebody else's plugins, in a folder of their own.
func strange(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"policy", "rules"} {
		cmd := exec.Command("go", "build", "-ldflags=-s", "-o", filepath.Join(dir, name+"-new"+name), "../../new"+name)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}

// Settings of plugins that are not shipped are variables like all others: in files, on the
// command line, on the console while the match runs; misspelt and out of range they are
// refused in the same words.
func TestStrangersHaveSettings(t *testing.T) {
	dir := strange(t)
	w := tape(t, "plugin.dirs", dir, "plugin.linked", "false", "plugin.wait", "true", "plugin.records", dir,
		"plugin.policy", "policy-newpolicy", "plugin.rules", "rules-newrules",
		"vis.newpolicy.hold_ms", "90", "newrules.kill_limit", "3")
	w.playing()
	if got := w.say("vis.newpolicy.hold_ms"); !strings.Contains(got, "= 90 (default 200; 0 to 2000") || !strings.Contains(got, "after the last clear line") {
		t.Error(got)
	}
	if got := w.say("newrules.kill_limit"); !strings.Contains(got, "= 3 (default 10") {
		t.Error(got)
	}
	for line, want := range map[string]string{
		"vis.newpolicy.hold_mss 3": "did you mean vis.newpolicy.hold_ms", "vis.newpolicy.hold_ms 9999": "2000",
		"vis.nobody.hold_ms 3": "no setting or command is named", "vis.newpolicy.reach_m far": "vis.newpolicy.reach_m",
	} {
		if got := w.say(line); !strings.Contains(got, want) {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
	w.say("plugin.record one")
	for range 5 {
		<-w.ticks
	}
	w.say("plugin.record off")
	before, _, _ := w.Plugins()
	w.say("vis.newpolicy.hold_ms 120")
	w.hears("policy-newpolicy decides")
	if now, _, _ := w.Plugins(); now.PID == before.PID {
		t.Error("the setting changed nothing")
	}
	w.say("plugin.record two")
	for range 5 {
		<-w.ticks
	}
	w.say("plugin.record off")
	for name, want := range map[string]float64{"one": 90, "two": 120} {
		f, err := os.Open(filepath.Join(dir, name+".record"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := plugin.NewRecordReader(f)
		if err != nil || r.Head.Policy != "newpolicy" || r.Head.Settings["hold_ms"] != want {
			t.Errorf("%s: %v %+v", name, err, r.Head.Settings)
		}
		g, err := os.Open(filepath.Join(dir, name+".rules.record"))
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		rr, err := plugin.NewRulesRecordReader(g)
		if err != nil || rr.Head.Rules != "newrules" || rr.Head.Match.Settings["kill_limit"] != "3" {
			t.Errorf("%s: %v %+v", name, err, rr.Head.Match.Settings)
		}
	}
}

// In a file of settings, and in the environment.
func TestStrangersAreSetInFiles(t *testing.T) {
	dir := strange(t)
	file := filepath.Join(dir, "server.toml")
	text := "[plugin]\ndirs = [\"" + dir + "\"]\npolicy = \"policy-newpolicy\"\n[vis.newpolicy]\nhold_ms = 70\n[newrules]\nkill_limit = 4\n"
	load := func(text string, env ...string) (*console.Registry, error) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		reg := console.New()
		_, err := host.Declare(reg).Load(reg, host.Flags{Config: file, Plugins: dir}, env)
		return reg, err
	}
	reg, err := load(text, "SIGHTLINE_VIS_NEWPOLICY_REACH_M=3")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"vis.newpolicy.hold_ms": "70", "newrules.kill_limit": "4", "vis.newpolicy.reach_m": "3"} {
		if v, _ := reg.Lookup(name); v.Value != want {
			t.Errorf("%s is %q", name, v.Value)
		}
	}
	for says, bad := range map[string]string{
		"vis.newpolicy.hold_ms": strings.Replace(text, "hold_ms", "hold_mss", 1), "newrules.kill_limit": strings.Replace(text, "= 4", "= 4000", 1),
		"vis.newpolice": strings.Replace(text, "vis.newpolicy", "vis.newpolice", 1),
	} {
		if _, err := load(bad); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "server.toml:") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// What a plugin says of its settings cannot hurt the program that declares them.
func TestStrangersSettingsAreHarmless(t *testing.T) {
	r := newRoom(t)
	r.set.Know("policy-odd", []plugin.Described{
		{Name: "good", Default: 1, Max: 2},
		{Name: "good", Default: 1, Max: 2, Help: "twice"},
		{Name: "Bad Name", Max: 1}, {Name: "", Max: 1}, {Name: strings.Repeat("x", 99), Max: 1},
		{Name: "range", Default: 9, Max: 1}, {Name: "lines", Max: 1, Help: "one\ntwo\x00\xff" + strings.Repeat("y", 1000), Unit: "a\nb"},
	})
	r.set.Know("rules-sv", []plugin.Described{{Name: "port", Default: 1, Max: 9}})
	r.set.Know("rules-odd", []plugin.Described{{Name: "half", Default: 0.5, Max: 9}, {Name: "huge", Default: 1, Max: 1e300}, {Name: "fine", Default: 2, Max: 9}})
	r.set.Know("policy-../x", []plugin.Described{{Name: "good", Default: 1, Max: 2}})
	r.set.Know("policy-screen", []plugin.Described{{Name: "good", Default: 1, Max: 2}})
	var names []string
	for _, v := range append(r.reg.Vars("vis.odd"), r.reg.Vars("odd")...) {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "vis.odd.good vis.odd.lines odd.fine" {
		t.Error(got)
	}
	if v, _ := r.reg.Lookup("sv.port"); v.Kind != console.KindInt || v.Value == "1" {
		t.Errorf("%+v", v)
	}
}
