//go:build unix

package host_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// One frame each way per tick is all that crosses, but for a state of rules now and then:
// whatever a policy or rules ask, they ask of their own copy.
func TestOneFrameEachWayPerTick(t *testing.T) {
	const ticks = 256
	for _, stream := range []bool{true, false} {
		cfg, _ := config(t, "policy")
		cfg.Wait, cfg.Stream = true, stream
		p := startPolicy(t, host.PolicyConfig{Config: cfg})
		var in vis.Input
		for tick := state.Tick(1); tick <= ticks; tick++ {
			p.Submit(sample.Input(&in, tick, 12))
			p.Collect()
		}
		if s := p.Stats(); s.Sent != ticks || s.Received != ticks || s.BytesOut == 0 || s.BytesIn == 0 {
			t.Errorf("policy, stream %v: %d frames there, %d back in %d ticks", stream, s.Sent, s.Received, ticks)
		}
	}
	cfg, _ := config(t, "rules")
	cfg.Wait = true
	r := startRules(t, host.RulesConfig{Config: cfg, Match: *rulestest.Match(map[string]string{"hud": "1"}, true), Save: time.Second})
	var in rules.TickIn
	for tick := state.Tick(1); tick <= ticks; tick++ {
		r.Submit(sample.Tick(&in, tick, 12))
		r.Take()
	}
	if s := r.Stats(); s.Sent < ticks || s.Sent > ticks+ticks/64+1 || s.Received != ticks {
		t.Errorf("rules: %d frames there, %d back in %d ticks", s.Sent, s.Received, ticks)
	}
}

// With mTLS, which is always on where sockets are TCP, a plugin answers the same.
func TestAnswersAreTheSameWithMTLS(t *testing.T) {
	cfg, _ := config(t, "policy")
	cfg.Wait, cfg.Stream = true, true
	plain := startPolicy(t, host.PolicyConfig{Config: cfg, Seed: 5})
	cfg.MTLS = true
	secret := startPolicy(t, host.PolicyConfig{Config: cfg, Seed: 5})
	var in vis.Input
	for tick := state.Tick(1); tick <= 30; tick++ {
		sample.Input(&in, tick, 8)
		plain.Submit(&in)
		secret.Submit(&in)
		same(t, "mTLS", secret.Collect(), plain.Collect())
	}
	if s := secret.Stats(); s.FromPolicy != 30 {
		t.Errorf("%+v", s)
	}
	rc, _ := config(t, "rules")
	rc.Wait, rc.MTLS = true, true
	r := startRules(t, host.RulesConfig{Config: rc, Match: match()})
	var tick rules.TickIn
	r.Submit(sample.Tick(&tick, 1, 4))
	r.Take()
	if s := r.Stats(); s.Answers != 1 {
		t.Errorf("%+v", s)
	}
}

// A plugin is shown an allow-list of the host's environment, and what its Config adds.
func TestThePluginsEnvironmentIsAnAllowList(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "of the host alone")
	t.Setenv("SIGHTLINE_TOKEN", "of the host alone")
	t.Setenv("LANG", "de_DE.UTF-8")
	cfg, log := config(t, "environment")
	cfg.Wait = true
	cfg.Env = append(cfg.Env, "EXTRA=given")
	p := startPolicy(t, host.PolicyConfig{Config: cfg})
	var in vis.Input
	p.Submit(sample.Input(&in, 1, 2))
	p.Collect()
	eventually(t, 30*time.Second, "the environment", func() bool { return strings.Contains(log.String(), "msg=environment") })
	text := log.String()
	for _, want := range []string{"PATH=", "LANG=de_DE.UTF-8", "EXTRA=given", "TMPDIR=", "SIGHTLINE_HOST_PID="} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "of the host alone") || regexp.MustCompile(`AWS_|SIGHTLINE_TOKEN`).MatchString(text) {
		t.Error("the plugin sees what is the host's")
	}
}

// A new file that is renamed over the one that runs is taken by the next life, and the one
// that runs does not notice.
func TestInstallByRenaming(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "policy-open")
	for from, to := range map[string]string{"policy-open": file, "policy-deaddrop": file + ".new"} {
		if err := os.Link(filepath.Join(bins, from), to); err != nil {
			t.Fatal(err)
		}
	}
	w := plugintest.NewWorld(t, 3, 1, 6)
	cfg, _ := config(t, "")
	cfg.Path, cfg.Wait = file, true
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Level: host.LevelOf(w.Name, w.Data, level.Options{}, w.Level)})
	tick := func() *vis.Answer {
		p.Submit(w.Step())
		return p.Collect()
	}
	old := p.Stats()
	tick()
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if a := tick(); a.Source != vis.FromPolicy {
			t.Fatalf("tick %d is decided by %v", a.Tick, a.Source)
		}
	}
	if s := p.Stats(); s.PID != old.PID {
		t.Fatal("it has noticed")
	}
	kill(t, old.PID, syscall.SIGKILL)
	eventually(t, 30*time.Second, "the new one", func() bool {
		tick()
		s := p.Stats()
		return s.PID != 0 && s.PID != old.PID && s.Version != old.Version
	})
}
