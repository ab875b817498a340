//go:build unix

package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// TestGarbageFrames: bytes that are no frame, or no answer to what was asked, from either
// kind of plugin. Nothing of them is used; three in a row and it is off. What rules have
// answered so is answered by those who come after, once an operator starts them.
func TestGarbageFrames(t *testing.T) {
	for which := range 7 {
		t.Run(fmt.Sprintf("policy %d", which), func(t *testing.T) {
			t.Parallel()
			cfg, log := config(t, "rawpolicy")
			cfg.Wait, cfg.Env = true, append(cfg.Env, fmt.Sprintf("GARBAGE=%d", which))
			p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
			g := &guarded{t: t, p: p}
			var in vis.Input
			for tick := state.Tick(1); tick <= 20; tick++ {
				if a := g.tick(sample.Input(&in, tick, 6)); (a.Source == vis.FromPolicy) != (tick < 10) {
					t.Fatalf("tick %d is decided by the %v", tick, a.Source)
				}
			}
			eventually(t, 30*time.Second, "off", func() bool { return p.Stats().State == "off" })
			if s := p.Stats(); s.Nonsense != 3 || s.PID != 0 || !strings.Contains(log.String(), "policy answered nonsense") {
				t.Errorf("%+v", s)
			}
		})
		t.Run(fmt.Sprintf("rules %d", which), func(t *testing.T) {
			t.Parallel()
			cfg, log := config(t, "rawrules")
			cfg.Name, cfg.Wait = "plugin", true
			cfg.Env = append(cfg.Env, fmt.Sprintf("GARBAGE=%d", which))
			stage, err := host.StartRulesStage(t.Context(), host.RulesStageConfig{RulesConfig: host.RulesConfig{Config: cfg, Match: match()}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(stage.Close)
			m := match()
			value := sample.RulesSpec().New()
			if err := value.Start(&m); err != nil {
				t.Fatal(err)
			}
			var in rules.TickIn
			var want, got []rules.Op
			for tick := state.Tick(1); tick <= 20; tick++ {
				stage.Submit(sample.Tick(&in, tick, 6))
				ops := value.Tick(&in, nil)
				if tick >= 10 { // up to there they wanted nothing
					want = append(want, ops...)
				}
				if got := stage.Take(); len(got) != 0 {
					t.Fatalf("tick %d: %+v", tick, got)
				}
			}
			eventually(t, 30*time.Second, "off", func() bool { return stage.Stats().State == "off" })
			if s := stage.Stats(); s.Nonsense != 3 || s.PID != 0 || !strings.Contains(log.String(), "rules answered nonsense") {
				t.Errorf("%+v", s)
			}
			// The operator's answer: good ones.
			good, _ := config(t, "rules")
			good.Name, good.Wait = "plugin", true
			said := make(chan string, 1)
			if err := stage.Swap(host.RulesConfig{Config: good, Match: match()}, nil, func(s string, err error) { said <- fmt.Sprint(s, err) }); err != nil {
				t.Fatal(err)
			}
			for tick := state.Tick(21); tick <= 30; tick++ {
				stage.Submit(sample.Tick(&in, tick, 6))
				want = append(want, value.Tick(&in, nil)...)
				got = append(got, stage.Take()...)
			}
			if s := <-said; !strings.Contains(s, "with the scores and the round") {
				t.Error(s)
			}
			eventually(t, 30*time.Second, "every operation", func() bool { got = append(got, stage.Take()...); return len(got) >= len(want) })
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%d operations are not the %d that they should be", len(got), len(want))
			}
		})
	}
}

// TestFilesSpoiledInAMatch: the file of a plugin that runs is taken away, may not be
// executed any more, is another one than the lock names, is of another version, or
// prints before it serves; and then its process ends. The match goes on without it, the
// operator reads why it does not start, and once the file is mended it decides again.
func TestFilesSpoiledInAMatch(t *testing.T) {
	// Whatever is run is written before anything is (install).
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	for _, c := range []struct {
		name string
		by   string // the file that takes its place, "" none
		says []string
	}{
		{"missing", "", []string{"was not found"}},
		{"no execute permission", write("noexec", "\x7fELF", 0o644), []string{"chmod +x"}},
		{"wrong hash", filepath.Join(bins, "policy-open"), []string{"is not the file that was allowed", "sightline plugin lock"}},
		{"wrong version", write("old", "#!/bin/sh\necho '1|0|unix|/nowhere|grpc|'\nsleep 60\n", 0o755), []string{"speaks contract 0", "the plugin is older: rebuild it"}},
		{"prints before it serves", write("hello", "#!/bin/sh\necho hello\nsleep 60\n", 0o755), []string{"hello", "print to stderr"}},
	} {
		for _, kind := range []string{"policy", "rules"} {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				t.Parallel()
				spoilt(t, kind, c.name == "wrong hash", c.by, c.says)
			})
		}
	}
}

func spoilt(t *testing.T, kind string, locked bool, by string, says []string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "plugin")
	install(t, file, "plugin")
	clock := newStepped()
	cfg, log := config(t, kind)
	cfg.Path, cfg.Wait, cfg.Clock = file, true, clock
	if locked {
		hash, err := host.FileHash(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, host.LockName), []byte(`{"Plugin":[{"File":"plugin","SHA256":"`+hash+`"}]}`), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		cfg.Decode, cfg.LockedOnly = decode, true
	}
	failed := func() bool {
		for _, want := range append(says, "plugin did not start", "plugin="+"plugin") {
			if !strings.Contains(log.String(), want) {
				return false
			}
		}
		return true
	}
	fall := func(pid int) {
		err := os.Remove(file)
		if err == nil && by != "" {
			err = os.Link(by, file)
		}
		if err != nil {
			t.Fatal(err)
		}
		kill(t, pid, syscall.SIGKILL)
		eventually(t, 30*time.Second, "a sentence that says "+fmt.Sprint(says), failed)
	}
	mend := func(stats func() host.Stats) {
		install(t, file, "plugin")
		eventually(t, 30*time.Second, "another process", func() bool { clock.step(time.Second); return stats().PID != 0 })
	}
	if kind == "rules" {
		r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
		lossless(t, r, 60, func(tick int) {
			switch tick {
			case 20:
				fall(r.Stats().PID)
			case 30:
				mend(r.Stats)
			}
		})
		return
	}
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	g := &guarded{t: t, p: p}
	var in vis.Input
	others := 0
	for tick := state.Tick(1); tick <= 60; tick++ {
		switch tick {
		case 20:
			fall(p.Stats().PID)
		case 30:
			mend(p.Stats)
		}
		if a := g.tick(sample.Input(&in, tick, 6)); a.Source != vis.FromPolicy {
			others++
		}
	}
	if others < 10 || others > 12 {
		t.Errorf("%d ticks were decided by others", others)
	}
}
