//go:build unix

package host_test

import (
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// stepped is a clock that moves when it is told to.
type stepped struct {
	mu     sync.Mutex
	cond   *sync.Cond
	now    time.Time
	timers []*steppedTimer
	arm    chan struct{} // capacity 1: a timer was set
}

type steppedTimer struct {
	s  *stepped
	c  chan time.Time
	at time.Time // zero: not running
}

func newStepped() *stepped {
	s := &stepped{now: time.Unix(1000, 0), arm: make(chan struct{}, 1)}
	s.cond = sync.NewCond(&s.mu)
	return s
}

func (s *stepped) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stepped) Timer() host.Timer {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &steppedTimer{s: s, c: make(chan time.Time, 1)}
	s.timers = append(s.timers, t)
	return t
}

// armed waits until a timer runs and returns how long it has to go.
func (s *stepped) armed() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for _, t := range s.timers {
			if !t.at.IsZero() {
				return t.at.Sub(s.now)
			}
		}
		s.cond.Wait()
	}
}

func (s *stepped) step(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
	for _, t := range s.timers {
		if !t.at.IsZero() && !t.at.After(s.now) {
			t.at = time.Time{}
			t.c <- s.now
		}
	}
}

// collect is p.Collect; late lets the time of the deadline pass while it waits, unless
// the answer is there first.
func (s *stepped) collect(p *host.Policy, late bool) *vis.Answer {
	if !late {
		return p.Collect()
	}
	done := make(chan *vis.Answer)
	go func() { done <- p.Collect() }()
	for {
		select {
		case a := <-done:
			return a
		case <-s.arm:
			s.mu.Lock()
			var d time.Duration
			for _, t := range s.timers {
				if left := t.at.Sub(s.now); !t.at.IsZero() && (d == 0 || left < d) {
					d = left
				}
			}
			s.mu.Unlock()
			s.step(d)
		}
	}
}

func (t *steppedTimer) C() <-chan time.Time { return t.c }

func (t *steppedTimer) Reset(d time.Duration) {
	t.Stop()
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if d <= 0 {
		t.c <- t.s.now
		return
	}
	t.at = t.s.now.Add(d)
	t.s.cond.Broadcast()
	select {
	case t.s.arm <- struct{}{}:
	default:
	}
}

func (t *steppedTimer) Stop() {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.at = time.Time{}
	select {
	case <-t.c:
	default:
	}
}

// TestDeadlineIsTheClocks: on a clock that is told to move, a stopped plugin is
// waited for until 40 % of a tick, or until a quarter of a tick before its end;
// misses of a late host are not counted; after 250 ms it is replaced.
func TestDeadlineIsTheClocks(t *testing.T) {
	t.Parallel()
	const tickLen = time.Second / 64
	clock := newStepped()
	end := time.Time{}
	cfg, _ := config(t, "policy")
	cfg.Clock = clock
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}, TickEnd: func() time.Time { return end }})
	pid := p.Stats().PID
	var in vis.Input
	tick := state.Tick(0)
	step := func(left time.Duration, stopped bool) (*vis.Answer, time.Duration) {
		tick++
		end = clock.Now().Add(left)
		p.Submit(sample.Input(&in, tick, 4))
		if !stopped {
			return p.Collect(), 0
		}
		waited := make(chan time.Duration)
		go func() {
			d := clock.armed()
			clock.step(d)
			waited <- d
		}()
		a := p.Collect()
		return a, <-waited
	}
	if a, _ := step(tickLen, false); a.Source != vis.FromPolicy {
		t.Fatalf("with a running plugin: %v", a.Source)
	}
	kill(t, pid, syscall.SIGSTOP)
	if _, d := step(tickLen, true); d != tickLen*2/5 {
		t.Errorf("waited %v, wanted 40 %% of a tick", d)
	}
	if n := p.Stats().Misses; n != 1 {
		t.Errorf("%d misses", n)
	}
	if _, d := step(tickLen/2, true); d != tickLen/2-tickLen/4 {
		t.Errorf("waited %v in a tick that ends early", d)
	}
	if n := p.Stats().Misses; n != 1 {
		t.Errorf("%d misses: one of a late host is counted", n)
	}
	clock.step(300 * time.Millisecond)
	step(tickLen, false) // the submission sees the silence and ends the process
	eventually(t, 30*time.Second, "another process", func() bool { s := p.Stats(); return s.PID != 0 && s.PID != pid })
}
