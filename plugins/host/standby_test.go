//go:build unix

package host_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// In lockstep, killing the process that decides costs no tick: the one that stands by
// has seen the same ticks and answers as the first would have. The first stands by
// then, and may come back in the same way.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	s, alone := newStage(t, "policy-deaddrop"), newStage(t, "policy-deaddrop")
	s.Standby(s.start("policy-deaddrop"))
	pids := map[int]bool{}
	for tick := 1; tick <= 60; tick++ {
		if tick == 20 || tick == 40 {
			pid := s.Stats().PID
			pids[pid] = true
			kill(t, pid, syscall.SIGKILL)
		}
		a, _ := s.tick()
		b, _ := alone.tick()
		if a.Source != vis.FromPolicy {
			t.Fatalf("tick %d is decided by the %v", tick, a.Source)
		}
		if tick < 40 {
			same(t, "with a standby that took over", a, b)
			continue
		}
		// The first has lost what it had seen, and taken over what stood: it looks in other
		// ticks than one that has seen everything.
		for i := range b.Permit {
			if gone := b.Permit[i] &^ a.Permit[i]; gone != 0 {
				t.Errorf("tick %d: %b is not known any more", tick, gone)
			}
		}
	}
	if len(pids) != 2 || pids[s.Stats().PID] || !s.HasStandby() {
		t.Errorf("killed %v, now %d", pids, s.Stats().PID)
	}
}

// On a clock that stands still the same holds without lockstep: whoever stands by is
// asked with the tick, and waited for no longer than the deadline.
func TestStandbyTakesOverWithinTheTick(t *testing.T) {
	t.Parallel()
	clock := newStepped()
	start := func() *host.Policy {
		cfg, _ := config(t, "held")
		cfg.Clock = clock
		p, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	s := host.NewStage(start(), "held")
	t.Cleanup(s.Close)
	s.Standby(start())
	var in vis.Input
	stale := 0
	for tick := state.Tick(1); tick <= 30; tick++ {
		if tick == 10 {
			pid := s.Stats().PID
			kill(t, pid, syscall.SIGKILL)
			eventually(t, 5*time.Second, "its end", func() bool { return !runs(pid) })
		}
		s.Submit(sample.Input(&in, tick, 6))
		if a := s.Collect(); a.Source != vis.FromPolicy {
			stale++
		}
	}
	if stale > 1 {
		t.Errorf("%d ticks without a fresh answer, wanted one at most", stale)
	}
}

// Another policy that takes over ends the standby of the one before.
func TestStandbyEndsWithItsPolicy(t *testing.T) {
	t.Parallel()
	s := newStage(t, "policy-deaddrop")
	s.Standby(s.start("policy-deaddrop"))
	s.Switch(s.start("policy-open"), "policy-open", nil)
	for range 20 {
		s.tick()
	}
	if _, name := s.Live(); name != "policy-open" || s.HasStandby() {
		t.Errorf("%s decides; a standby: %v", name, s.HasStandby())
	}
}
