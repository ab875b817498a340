//go:build unix

package host_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
)

// TestStartFailuresNameFileAndCause is reports O-22 and O-24: each row within the
// start limit, with the file's name and what to do, of a policy and of rules.
func TestStartFailuresNameFileAndCause(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, mode os.FileMode, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	good, err := os.ReadFile(filepath.Join(bins, "plugin"))
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(good[:4096])
	other[18], other[19] = 0xf3, 0 // e_machine: RISC-V
	name, data, lv := room(t)
	wrong := host.LevelOf(name, data, level.Options{}, lv)
	wrong.Hash[0]++
	for _, c := range []struct {
		name, path, mode string
		policy, rules    bool // of that kind only
		level            *host.Level
		set              vis.Settings
		want             []string
	}{
		{name: "init prints hello", mode: "hello", want: []string{`"hello"`, "print to stderr", "plugin"}},
		{name: "init prints a megabyte", mode: "megabyte", want: []string{`"xxxx`, "print to stderr", "65536"}},
		{name: "prints nothing and sleeps", mode: "silent", want: []string{"printed nothing", "hangs"}},
		{name: "panics", mode: "panic", want: []string{"exit status 2", "about to give up", "no such thing"}},
		{name: "exits with 3", mode: "exit3", want: []string{"exit status 3", "cannot find my table"}},
		{name: "is another kind", mode: "rules", policy: true, want: []string{"is a rules plugin", "policy plugin was wanted"}},
		{name: "is another kind than rules", mode: "policy", rules: true, want: []string{"is a policy plugin", "rules plugin was wanted"}},
		{name: "has no such setting", mode: "policy", policy: true, set: vis.Settings{"shrae": 1}, want: []string{`unknown setting "shrae"`}},
		{name: "setting out of range", mode: "policy", policy: true, set: vis.Settings{"share": 99}, want: []string{"share", "1 to 10"}},
		{name: "reads the map differently", mode: "policy", policy: true, level: wrong, want: []string{"hash", "room.map", "make plugins"}},
		{name: "is not there", path: filepath.Join(dir, "none"), want: []string{"was not found", "none"}},
		{name: "is not executable", path: write("noexec", 0o644, good[:4096]), want: []string{"chmod +x", "noexec"}},
		{name: "is a text file", path: write("text", 0o755, []byte("hello, I am a note\n")), want: []string{"text file", "hello, I am a note"}},
		{name: "is a folder", path: dir, want: []string{"is a folder"}},
		{name: "is empty", path: write("empty", 0o755, nil), want: []string{"empty file"}},
		{name: "is for another processor", path: write("riscv", 0o755, other), want: []string{"another processor", "RISCV"}},
		{name: "is damaged", path: write("half", 0o755, good[:4096]), want: []string{"half"}},
		{name: "is a script that does nothing", path: write("script", 0o755, []byte("#!/bin/sh\nexit 0\n")), want: []string{"ended before it served", "exit status 0", "script"}},
		{name: "is some other program", path: "/bin/ls", want: []string{"print to stderr", "ls"}},
	} {
		for _, kind := range []string{"policy", "rules"} {
			if c.policy && kind != "policy" || c.rules && kind != "rules" {
				continue
			}
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				cfg, _ := config(t, c.mode)
				if c.mode == "silent" {
					cfg.StartLimit = 2 * time.Second
				}
				if c.path != "" {
					cfg.Path = c.path
				}
				at := time.Now()
				var p interface{ Close() }
				var err error
				if kind == "policy" {
					p, err = host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg, Level: c.level, Settings: c.set})
				} else {
					p, err = host.StartRules(t.Context(), host.RulesConfig{Config: cfg, Match: match()})
				}
				if err == nil {
					p.Close()
					t.Fatal("it started")
				}
				if d := time.Since(at); d > 40*time.Second {
					t.Errorf("took %v", d)
				}
				var se *host.StartError
				if !errors.As(err, &se) {
					t.Errorf("%T", err)
				}
				for _, want := range c.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("does not say %q:\n%v", want, err)
					}
				}
				if strings.Contains(err.Error(), "goroutine ") && c.mode != "panic" {
					t.Errorf("a stack trace:\n%v", err)
				}
			})
		}
	}
}

func TestFindLooksInTheFoldersInOrder(t *testing.T) {
	cfg, _ := config(t, "policy")
	cfg.Path, cfg.Name, cfg.Dirs = "", "plugin", []string{t.TempDir(), bins}
	startPolicy(t, host.PolicyConfig{Config: cfg})
	for _, name := range []string{"../plugin", "", "..", "policy-none"} {
		if _, err := host.Find(name, []string{bins}); err == nil {
			t.Errorf("found %q", name)
		}
	}
	if _, err := host.Find("policy-none", []string{"/a", "/b"}); err == nil || !strings.Contains(err.Error(), "/a, /b") {
		t.Error(err)
	}
}

// TestLongOrMissingTMPDIR is report O-23.
func TestLongOrMissingTMPDIR(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("d", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{long, "/nowhere/at/all", "/proc"} {
		t.Setenv("TMPDIR", dir)
		cfg, _ := config(t, "policy")
		p := startPolicy(t, host.PolicyConfig{Config: cfg})
		rcfg, _ := config(t, "rules")
		r := startRules(t, host.RulesConfig{Config: rcfg, Match: match()})
		if p.Stats().PID == 0 || r.Stats().PID == 0 {
			t.Errorf("TMPDIR=%s", dir)
		}
	}
}

func TestABinaryRunByHandSaysWhatItIs(t *testing.T) {
	cmd := exec.Command(filepath.Join(bins, "policy-open"))
	cmd.Env = []string{}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "this is a Sightline plugin") || !strings.Contains(string(out), `"open"`) {
		t.Errorf("%v: %s", err, out)
	}
}
