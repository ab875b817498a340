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

// guardInput is an Input of n players in which not every pair is asked, one is dead, and
// two are of one team.
func guardInput(in *vis.Input, tick state.Tick, n int) *vis.Input {
	sample.Input(in, tick, n)
	in.Subjects[n-1].Alive = false
	in.Subjects[0].Team, in.Subjects[2].Team = 1, 1
	vis.Candidates(in, 4)
	return in
}

// gated counts, behind the gate, what is permitted; and fails for whoever is neither
// asked about nor the viewer itself nor a mate.
func gated(t *testing.T, in *vis.Input, a *vis.Answer) (asked, others int) {
	t.Helper()
	vis.Gate(in, a)
	for v := range in.Viewers {
		for s := range in.Subjects {
			if !a.Permitted(v, s) {
				continue
			}
			me := &in.Subjects[in.Viewers[v].Subject]
			it := &in.Subjects[s]
			switch {
			case in.IsAsked(v, s) && it.Alive:
				asked++
			case me == it && it.Alive, me.Team != 0 && me.Team == it.Team && it.Alive:
				others++
			default:
				t.Errorf("tick %d: viewer %d is told of %d (%v), about whom nobody asked", in.Tick, v, s, a.Reason[v*a.Subjects+s])
			}
		}
	}
	return asked, others
}

// TestAPolicyIsBoundByWhatItIsAsked: one that permits everything gives what was asked
// and no more; one that permits nothing takes nobody himself or his mates; and both
// are the policy's own answers, as the ledger says.
func TestAPolicyIsBoundByWhatItIsAsked(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"everything", "nothing"} {
		cfg, _ := config(t, mode)
		cfg.Wait = true
		p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
		var in vis.Input
		for tick := state.Tick(1); tick <= 30; tick++ {
			guardInput(&in, tick, 7)
			want := 0
			for v := range in.Viewers {
				for s := range in.Subjects {
					if in.IsAsked(v, s) && in.Subjects[s].Alive {
						want++
					}
				}
			}
			p.Submit(&in)
			a := p.Collect()
			if a.Source != vis.FromPolicy {
				t.Fatalf("%s, tick %d: %v decides", mode, tick, a.Source)
			}
			asked, others := gated(t, &in, a)
			if tick <= 10 {
				continue
			}
			if mode == "nothing" {
				want = 0
			}
			if asked != want || others < 6 || want == 0 && mode == "everything" {
				t.Errorf("%s, tick %d: %d of those asked about are told, want %d, and %d selves and mates", mode, tick, asked, want, others)
			}
		}
	}
}

// TestEverythingEndsWithItsProcess: what a policy permitted for ever, it permitted for
// 62 ms after its end; from then on the fallback decides alone.
func TestEverythingEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t, "everything")
	clock := newStepped()
	cfg.Clock = clock
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	stopped(t, p, clock, 14, func(in *vis.Input, since int, a *vis.Answer) {
		for v := range in.Viewers {
			for s := range in.Subjects {
				if since > 4 && a.Permitted(v, s) && (v+s)%2 == 0 {
					t.Errorf("%d ticks after its end %d is told of %d (%v)", since, v, s, a.Reason[v*a.Subjects+s])
				}
			}
		}
	})
}

// stopped lets a policy decide 12 ticks, stops its process, and checks each of so many
// ticks after.
func stopped(t *testing.T, p *host.Policy, clock *stepped, ticks int, check func(in *vis.Input, since int, a *vis.Answer)) {
	t.Helper()
	var in vis.Input
	tick := state.Tick(0)
	for ; tick < 12; clock.step(time.Second / 64) {
		tick++
		p.Submit(sample.Input(&in, tick, 6))
		if a := p.Collect(); a.Source != vis.FromPolicy {
			t.Fatalf("tick %d: %v decides", tick, a.Source)
		}
	}
	kill(t, p.Stats().PID, syscall.SIGSTOP)
	for since := 1; since <= ticks; since++ {
		tick++
		p.Submit(sample.Input(&in, tick, 6))
		waited := make(chan struct{})
		go func() { // the deadline passes
			clock.step(clock.armed())
			close(waited)
		}()
		a := p.Collect()
		<-waited
		want := vis.FromFallback
		if since <= 3 { // 62 ms are 4 ticks less what the ticks took
			want = vis.FromStanding
		}
		if a.Source != want && since != 4 {
			t.Errorf("%d ticks after it was stopped %v decides, want %v", since, a.Source, want)
		}
		check(&in, since, a)
		clock.step(time.Second/64 - time.Second*2/5/64)
	}
}

// TestAStoppedPolicyIsHeldForAMoment: with SIGSTOP what the last answer holds goes on
// for 62 ms, pair by pair, and everything else is the fallback's.
func TestAStoppedPolicyIsHeldForAMoment(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t, "held")
	clock := newStepped()
	cfg.Clock = clock
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	stopped(t, p, clock, 12, func(in *vis.Input, since int, a *vis.Answer) {
		for v := range in.Viewers {
			for s := range in.Subjects {
				if !in.IsAsked(v, s) {
					continue
				}
				if odd := (v+s)%2 == 1; odd && !a.Permitted(v, s) {
					t.Errorf("%d ticks after: %d of %d is withheld against the fallback", since, v, s)
				} else if !odd && a.Permitted(v, s) != (since <= 4) {
					t.Errorf("%d ticks after: %d of %d is told: %v, held for 4", since, v, s, a.Permitted(v, s))
				}
			}
		}
	})
}

// TestBadAnswersAreDroppedWhole: an answer to a tick of the last match, about somebody
// who is not there, or with values that there are not, is dropped as a whole: holds
// of the last good one and the fallback decide, and after three the plugin is off.
func TestBadAnswersAreDroppedWhole(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"lastmatch", "strangers", "garbage"} {
		cfg, _ := config(t, mode)
		cfg.Wait = true
		p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
		g := &guarded{t: t, p: p}
		var in vis.Input
		for tick := state.Tick(1); tick <= 30; tick++ {
			a := g.tick(sample.Input(&in, tick, 6))
			switch want := a.Source; {
			case tick <= 10 && want != vis.FromPolicy, tick > 10 && want == vis.FromPolicy:
				t.Errorf("%s, tick %d: %v decides", mode, tick, a.Source)
			case tick > 14 && want != vis.FromFallback:
				t.Errorf("%s, tick %d: %v decides: holds of 62 ms are over", mode, tick, a.Source)
			}
		}
		if s := p.Stats(); s.Nonsense != 3 || s.State == "up" {
			t.Errorf("%s: %d dropped answers, and the plugin is %s", mode, s.Nonsense, s.State)
		}
	}
}
