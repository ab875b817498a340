//go:build unix

package host_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// debugged starts a plugin as under a debugger and returns the address that it prints.
func debugged(t *testing.T, name string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bins, name), "-debug")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	r := bufio.NewScanner(out)
	for r.Scan() {
		if at, ok := strings.CutPrefix(r.Text(), "plugin.attach "); ok {
			return cmd, at
		}
	}
	t.Fatal("it prints no line to attach with")
	return nil, ""
}

// A plugin that runs already is attached; while it stands still, as at a breakpoint,
// the tick stands still with it, and it is not killed for that.
func TestAttachedPluginFreezesTheTick(t *testing.T) {
	t.Parallel()
	cmd, at := debugged(t, "policy-open")
	w := plugintest.NewWorld(t, 5, 1, 6)
	cfg, _ := config(t, "")
	cfg.Path, cfg.Attach = "", at
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Seed: 5, Level: host.LevelOf(w.Name, w.Data, level.Options{}, w.Level)})
	tick := func() *vis.Answer {
		p.Submit(w.Step())
		return p.Collect()
	}
	for range 5 {
		if a := tick(); a.Source != vis.FromPolicy {
			t.Fatalf("the %v decides", a.Source)
		}
	}
	kill(t, cmd.Process.Pid, syscall.SIGSTOP)
	answered := make(chan *vis.Answer, 1)
	go func() { answered <- tick() }()
	select {
	case a := <-answered:
		t.Fatalf("the tick does not wait: the %v decided", a.Source)
	case <-time.After(700 * time.Millisecond): // more than any deadline and what counts as frozen
	}
	kill(t, cmd.Process.Pid, syscall.SIGCONT)
	if a := <-answered; a.Source != vis.FromPolicy {
		t.Errorf("then the %v decides", a.Source)
	}
	p.Close()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("it did not end by itself: %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it does not end when the server lets go of it")
	}
}

func TestWhatCannotBeAttached(t *testing.T) {
	for at, says := range map[string]string{
		"tcp:127.0.0.1:1": "-debug", "unix:": "-debug", "unix:/nowhere/p.sock": "there is no socket",
		"unix:" + filepath.Join(bins, "policy-open"): "there is no socket",
	} {
		cfg, _ := config(t, "")
		cfg.Path, cfg.Attach = "", at
		if _, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", at, err)
		}
		if _, err := host.StartRules(t.Context(), host.RulesConfig{Config: cfg, Match: match()}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", at, err)
		}
		if _, err := host.Attached(t.Context(), at); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", at, err)
		}
	}
	cfg, _ := config(t, "")
	_, cfg.Attach = debugged(t, "policy-open")
	cfg.LockedOnly = true
	if _, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg}); err == nil || !strings.Contains(err.Error(), "only locked plugins") {
		t.Error(err)
	}
}

// Rules that run already take over between two rounds with the state of those before,
// and decide as those would have. While they stand still the tick does, and whoever asks
// how they fare need not wait; let go of, they end, and others go on with the match.
func TestAttachedRulesFreezeTheTick(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Pause)
	cmd, at := debugged(t, "rules-duel")
	d, err := host.Attached(t.Context(), at)
	if err != nil || d.Kind != "rules" || d.Name != "duel" {
		t.Fatalf("%+v %v", d, err)
	}
	swap := func(cfg host.RulesConfig) {
		t.Helper()
		said := make(chan string, 1)
		if err := a.stage.Swap(cfg, nil, func(s string, err error) {
			if err != nil {
				s = err.Error()
			}
			said <- s
		}); err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			select {
			case s := <-said:
				if !strings.Contains(s, "with the scores and the round") {
					t.Fatal(s)
				}
				return
			default:
			}
			if n == 1000 {
				t.Fatal("no round ends")
			}
			a.tick(nil)
		}
	}
	for range 50 {
		a.tick(nil)
	}
	own := a.stage.Stats().PID
	attached := a.cfg
	attached.Name, attached.Attach = "attached", at
	swap(attached)
	if name, _ := a.stage.Name(); name != "attached" || a.stage.Stats().PID == own {
		t.Errorf("%s decides: %+v", name, a.stage.Stats())
	}
	for range 100 {
		a.tick(nil)
	}
	kill(t, cmd.Process.Pid, syscall.SIGSTOP)
	done := make(chan bool)
	go func() { defer close(done); a.tick(nil); a.tick(nil) }()
	asked := make(chan host.Stats, 1)
	select {
	case <-done:
		t.Fatal("the tick does not wait")
	case <-time.After(700 * time.Millisecond): // more than what counts as frozen
		go func() { asked <- a.stage.Stats() }()
	}
	select {
	case s := <-asked:
		if s.State != "up" || s.Restarts != 0 {
			t.Errorf("%+v", s)
		}
	case <-time.After(5 * time.Second):
		t.Error("who asks waits for the tick")
	}
	kill(t, cmd.Process.Pid, syscall.SIGCONT)
	<-done
	swap(a.cfg)
	for range 100 {
		a.tick(nil)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case err := <-over:
		if err != nil {
			t.Errorf("it did not end by itself: %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it does not end when the server lets go of it")
	}
	if a.ops == 0 || a.stage.Stats().PID == 0 {
		t.Errorf("%d operations, %+v", a.ops, a.stage.Stats())
	}
}
