package client

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// track of a clock against a pretended server, whose tick is the true time: each
// step takes snapshots that have travelled and reports the slack of commands that
// have travelled, the least of the last 32 as a server does.
type rig struct {
	c      clock
	now    int64
	rate   float64
	up     float64 // ns
	down   float64
	jitter float64
	rng    *rand.Rand

	nextTick uint32
	snaps    []arriving
	slack    []float64
	lastCmd  uint32
}

type arriving struct {
	at    int64
	tick  uint32
	slack float64
}

const step = 1_000_000

func newRig(rate, up, down, jitter float64, seed uint64) *rig {
	r := &rig{rate: rate, up: up * 1e6, down: down * 1e6, jitter: jitter * 1e6, rng: rand.New(rand.NewPCG(seed, 1))}
	r.c.reset(int(rate))
	r.now = 1e9
	r.nextTick = uint32(r.serverTick())
	return r
}

func (r *rig) serverTick() float64 { return float64(r.now) / 1e9 * r.rate }

// run runs for so long and returns the least and the greatest slack and speed.
func (r *rig) run(seconds float64) (low, high, slow, fast float64) {
	low, high, slow, fast = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for end := r.now + int64(seconds*1e9); r.now < end; r.now += step {
		for r.nextTick <= uint32(r.serverTick()) {
			at := r.now + int64(r.down+r.jitter*r.rng.Float64())
			r.snaps = append(r.snaps, arriving{at, r.nextTick, r.worst()})
			r.nextTick++
		}
		before, resyncs := r.c.cmd, r.c.resyncs
		r.c.advance(r.now)
		if r.c.synced && before != 0 && resyncs == r.c.resyncs {
			v := (r.c.cmd - before) / (step / r.c.tickNS)
			slow, fast = min(slow, v), max(fast, v)
		}
		for len(r.snaps) > 0 && r.snaps[0].at <= r.now {
			s := r.snaps[0]
			r.snaps = r.snaps[1:]
			r.c.snapshot(s.tick, r.now, r.up+r.down, r.up+r.down+r.jitter*2*r.rng.Float64(), 2)
			r.c.slack(s.slack, r.jitter/r.c.tickNS/4)
		}
		if !r.c.synced {
			continue
		}
		if cmd := uint32(r.c.cmd); cmd != r.lastCmd {
			r.lastCmd = cmd
			arrives := float64(r.now) + r.up + r.jitter*r.rng.Float64()
			early := math.Floor(float64(cmd) - arrives/1e9*r.rate)
			r.slack = append(r.slack, early)
			if len(r.slack) > 32 {
				r.slack = r.slack[1:]
			}
			low, high = min(low, early), max(high, early)
		}
	}
	return low, high, slow, fast
}

func (r *rig) worst() float64 {
	if len(r.slack) == 0 {
		return slackWanted
	}
	w := math.Inf(1)
	for _, s := range r.slack {
		w = min(w, s)
	}
	return w
}

// From any offset the commands soon arrive a little early, and while the clock
// gets there it never runs more than a tenth off real time.
func TestClockConverges(t *testing.T) {
	for _, rate := range []float64{20, 64, 128} {
		for _, link := range [][3]float64{{0, 0, 0}, {50, 50, 8}, {20, 180, 2}, {150, 150, 20}} {
			for _, offMS := range []float64{0, -60, 60, -200, 200, -400, 400, -5000, 5000} {
				t.Run(fmt.Sprintf("%v Hz/%v ms/off %v ms", rate, link, offMS), func(t *testing.T) {
					r := newRig(rate, link[0], link[1], link[2], 5)
					r.run(1)
					if !r.c.synced {
						t.Fatal("a second of snapshots and no time")
					}
					before := r.c.resyncs
					r.c.cmd += offMS / 1000 * rate
					_, _, slow, fast := r.run(12)
					low, high, s, f := r.run(10)
					if slow, fast = min(slow, s), max(fast, f); slow < 1-drift-1e-6 || fast > 1+driftStarve+1e-6 {
						t.Errorf("ran at %.3f to %.3f of real time", slow, fast)
					}
					jitter := link[2] / 1000 * rate
					if low < -1 || high > slackWanted+6+3*jitter {
						t.Errorf("commands come %v to %v ticks early in the end", low, high)
					}
					if math.Abs(offMS) >= 1000 && r.c.resyncs == before {
						t.Errorf("%v ms were drifted, not jumped", offMS)
					}
					if offMS == 0 && r.c.resyncs != before {
						t.Error("jumped without a reason")
					}
				})
			}
		}
	}
}

// The clock is dilated by 2 % either way and by 10 % only while starving; a
// correction begins beyond slackCalm and goes on until the slack is right, so that it
// does not flutter at the edge.
func TestDilationAndItsHysteresis(t *testing.T) {
	var c clock
	c.reset(64)
	for i, s := range []struct{ slack, jitter, want float64 }{
		{1, 0, 1}, {2, 0, 1}, {0, 0, 1}, // within
		{3, 0, 0.98}, {2, 0, 0.98}, {1.5, 0, 0.98}, {1, 0, 1}, {2, 0, 1}, // slower, until right
		{0, 2, 1.02}, {0, 1, 1.02}, {0.5, 0, 1.02}, {1, 0, 1}, {0, 0, 1}, // faster
		{-1, 0, 1.10}, {-30, 0, 1.10}, {0, 0, 1.02}, {1.5, 0, 1}, // starving
		{40, 0, 0.98}, {-1, 0, 1.10}, {2, 0, 1}, // straight from too much to too little
		{3, 4, 1}, {1, 4, 1.02}, {5, 8, 1}, {5, 100, 1}, // jitter wants more, within slackMost
	} {
		if c.slack(s.slack, s.jitter); math.Abs(c.speed-s.want) > 1e-9 {
			t.Errorf("step %d, slack %v and jitter %v: speed %v, want %v", i, s.slack, s.jitter, c.speed, s.want)
		}
	}
}

// Up to 250 ms off is drifted, beyond is jumped, whichever way; and a round trip
// that was measured long once is no reason to jump.
func TestResyncBeyondAQuarterSecond(t *testing.T) {
	for _, rate := range []int{20, 64, 128} {
		ticks := func(ms float64) float64 { return ms / 1000 * float64(rate) }
		for _, c := range []struct {
			offMS, lastMS float64 // from the command time that is wanted; the last round trip
			jumps         bool
		}{
			{0, 40, false}, {-249, 40, false}, {-251, 40, true}, {-12000, 40, true}, {249, 40, false},
			{251 + 8000/float64(rate), 40, true}, {300, 400, false}, {-249, 900, false}, {12000, 40, true},
		} {
			var k clock
			k.reset(rate)
			k.snapshot(1000, 1e9, 40e6, 40e6, 2)
			k.cmd += ticks(c.offMS)
			k.snapshot(1000, 1e9, 40e6, c.lastMS*1e6, 2)
			if got := k.resyncs == 1; got != c.jumps {
				t.Errorf("%d Hz, %v ms off, last round trip %v ms: jumped %v", rate, c.offMS, c.lastMS, got)
			}
			if want := 1000 + slackWanted + 1 + ticks(40); c.jumps && math.Abs(k.cmd-want) > 1e-6 {
				t.Errorf("%d Hz, %v ms off: jumped to %v, want %v", rate, c.offMS, k.cmd, want)
			}
		}
	}
}

// The shown timeline runs behind the arrival of snapshots by the dictated delay,
// follows a new delay at most 2 % off real time, and jumps when the server's time
// has.
func TestShownTimeline(t *testing.T) {
	r := newRig(64, 20, 30, 0, 1)
	r.run(5)
	shown := func() float64 {
		tick, frac := r.c.shown(r.now)
		return float64(tick) + float64(frac)/256
	}
	want := func(delay float64) float64 { return r.serverTick() - 0.030*64 - delay }
	if d := shown() - want(2); math.Abs(d) > 0.3 {
		t.Errorf("shown is %.2f ticks off", d)
	}
	before := shown()
	for range 1000 { // a new delay, a second long
		r.now += step
		r.c.target = 6
		r.c.advance(r.now)
		at := shown()
		if v := (at - before) / (step / r.c.tickNS); v < 0.98-0.07 || v > 1.02+0.07 { // a 256th of a tick is 6 % of a step
			t.Fatalf("shown ran at %.3f of real time", v)
		}
		before = at
	}
	if r.c.interp < 2.5 || r.c.interp > 6 {
		t.Errorf("the delay is %v after a second on its way from 2 to 6", r.c.interp)
	}
	tick, _ := r.c.shown(r.now)
	r.c.snapshot(tick+10000, r.now, 50e6, 50e6, 2)
	if now, _ := r.c.shown(r.now); now < tick+9990 {
		t.Errorf("shown is at %d, the server at %d", now, tick+10000)
	}
}

// A pause of the whole process is no reason to run wild.
func TestClockAfterAPause(t *testing.T) {
	r := newRig(64, 25, 25, 0, 1)
	r.run(3)
	r.now += 2e9
	r.snaps = nil
	r.nextTick = uint32(r.serverTick())
	r.run(12)
	if low, high, _, _ := r.run(5); low < -1 || high > slackWanted+6 {
		t.Errorf("commands come %v to %v ticks early", low, high)
	}
	r.c.advance(r.now - 1e9) // time that goes back is no time
	if c := r.c.cmd; math.IsNaN(c) || c < 0 {
		t.Errorf("command time %v", c)
	}
}
