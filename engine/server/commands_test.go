package server

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

const (
	rate   = 64
	tickNS = 1e9 / float64(rate)
)

func cmds(ticks ...int64) []state.Cmd {
	var out []state.Cmd
	for _, t := range ticks {
		out = append(out, state.Cmd{Tick: state.Tick(t), Forward: 100, Buttons: state.BtnFire | state.BtnCrouch})
	}
	return out
}

// Whatever arrives, in whatever order, twice or never: one command leaves per
// tick, that tick's own if it came in time, and each at most once.
func TestOneCommandPerTick(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, seed))
	for round := range 50 {
		var b commands
		next := state.Tick(rng.Uint32()) // wraps in some rounds
		if round == 0 {
			next = math.MaxUint32 - 100
		}
		sent := map[state.Tick]bool{}
		made, got := 0, 0
		for n := range 400 {
			for range rng.IntN(4) {
				c := next + state.Tick(rng.IntN(90)) - 10
				b.arrived([]state.Cmd{{Tick: c}}, next, int64(n)*int64(tickNS), tickNS)
				if ahead := int32(c - next); ahead >= 0 && ahead < cmdWindow {
					sent[c] = true
				}
			}
			c, starved := b.take(next)
			if c.Tick != next {
				t.Fatalf("seed %d: took tick %d, want %d", seed, c.Tick, next)
			}
			if starved == sent[next] {
				t.Fatalf("seed %d: tick %d starved %v, though it came: %v", seed, next, starved, sent[next])
			}
			if got++; starved {
				made++
			}
			next++
		}
		if b.Starved != made || got != 400 {
			t.Fatalf("seed %d: %d counted as made up, want %d", seed, b.Starved, made)
		}
	}
}

// The budget: in any second no more than 1.25 times its ticks, in no run of ticks
// more than that run and 6, and nothing saved up. Floods, silences and bursts of
// 400 ms and 2 s, the past and the far future are tried.
func TestCommandBudget(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, seed))
	for _, c := range []struct {
		name string
		send func(next state.Tick) []state.Cmd
	}{
		{"eight a tick, all ahead", func(n state.Tick) (out []state.Cmd) {
			for k := range state.Tick(8) {
				out = append(out, state.Cmd{Tick: n + rng.Uint32N(60) + k})
			}
			return out
		}},
		{"silent for 400 ms, then a burst of them all", func(n state.Tick) (out []state.Cmd) {
			if n%26 != 0 {
				return nil
			}
			for k := range state.Tick(26) {
				out = append(out, state.Cmd{Tick: n - 26 + k})
			}
			return out
		}},
		{"two seconds ahead at once", func(n state.Tick) (out []state.Cmd) {
			if n%128 != 0 {
				return nil
			}
			for k := range state.Tick(128) {
				out = append(out, state.Cmd{Tick: n + k})
			}
			return out
		}},
		{"anything", func(n state.Tick) (out []state.Cmd) {
			for range rng.IntN(20) {
				out = append(out, state.Cmd{Tick: rng.Uint32()}, state.Cmd{Tick: n + rng.Uint32N(200) - 100})
			}
			return out
		}},
	} {
		var b commands
		var own []bool // by tick: a command of the client's was run
		start := state.Tick(1000)
		for n := range state.Tick(20 * rate) {
			next := start + n
			b.arrived(c.send(next), next, int64(n)*int64(tickNS), tickNS)
			cmd, starved := b.take(next)
			if cmd.Tick != next {
				t.Fatalf("%s: ran the command of tick %d in %d", c.name, cmd.Tick, next)
			}
			own = append(own, !starved)
		}
		for from := range own {
			ran := 0
			for k := from; k < len(own) && k < from+rate; k++ {
				if own[k] {
					ran++
				}
				if span := k - from + 1; ran > span+6 || ran*4 > rate*5 {
					t.Fatalf("%s: %d commands ran in %d ticks", c.name, ran, span)
				}
			}
		}
		// Nothing is saved up: silence from now on starves when the window is through.
		for n := range state.Tick(4 * rate) {
			if _, starved := b.take(start + 20*rate + n); !starved && n >= cmdWindow {
				t.Fatalf("%s: a command was banked for %d ticks", c.name, n)
			}
		}
	}
}

// What stands in for a command pulls no trigger of its own, and whatever a client
// claims of its angles they are angles.
func TestMadeUpCommandsAndAnyAngles(t *testing.T) {
	var b commands
	b.arrived([]state.Cmd{{Tick: 5, Buttons: state.BtnFire, Edge: 77, EdgeYaw: 5, Pitch: 40000}}, 5, 0, tickNS)
	if c, _ := b.take(5); c.Edge != 77 {
		t.Errorf("%+v", c)
	}
	if c, starved := b.take(6); !starved || c.Edge != 0 {
		t.Errorf("made up: %+v", c)
	}
	for a := 0; a < 1<<16; a += 7 {
		if d := state.ClampPitch(state.Angle16(a)).Deg(); !(d >= -89.01 && d <= 89.01) {
			t.Fatalf("pitch %d is %v degrees", a, d)
		}
		if d := state.Angle16(a).Deg(); !(d >= -180 && d < 180) {
			t.Fatalf("yaw %d is %v degrees", a, d)
		}
	}
}

func TestMissingCommandsRepeatAndThenStandStill(t *testing.T) {
	var b commands
	b.arrived(cmds(10), 10, 0, tickNS)
	b.take(10)
	for n := state.Tick(1); n <= 6; n++ {
		c, starved := b.take(10 + n)
		if !starved {
			t.Fatalf("tick %d came from nowhere", 10+n)
		}
		moving := c.Forward != 0 && c.Buttons&state.BtnFire != 0
		if want := n <= cmdRepeat; moving != want {
			t.Errorf("missing for %d ticks: moving %v, want %v", n, moving, want)
		}
		if c.Buttons&state.BtnCrouch == 0 {
			t.Errorf("missing for %d ticks: stands up by itself", n)
		}
	}
	b.arrived(cmds(17), 17, 0, tickNS)
	if c, starved := b.take(17); starved || c.Forward != 100 || b.missed != 0 {
		t.Errorf("back again: %+v starved %v", c, starved)
	}
}

func TestLateEarlyAndBankedCommandsAreCounted(t *testing.T) {
	var b commands
	b.arrived(cmds(100, 101, 102), 100, 0, tickNS)
	b.arrived(cmds(100, 101, 102), 100, 0, tickNS) // a repeat
	if b.Got != 3 || b.Late != 0 || b.Early != 0 {
		t.Errorf("got %d late %d early %d, want 3 0 0", b.Got, b.Late, b.Early)
	}
	for n := state.Tick(100); n < 110; n++ {
		b.take(n)
	}
	b.arrived(cmds(101, 102), 110, 0, tickNS) // repeats of what was used are nothing
	if b.Late != 0 {
		t.Errorf("%d repeats count as late", b.Late)
	}
	b.arrived(cmds(105), 110, 0, tickNS)
	if b.Late != 1 {
		t.Errorf("late %d, want 1", b.Late)
	}
	// Nobody banks more than the window, whatever is claimed.
	for _, far := range []int64{110 + cmdWindow, 110 + cmdWindow + 1, 1 << 30, 110 + 1<<31 - 1} {
		b.arrived(cmds(far), 110, 0, tickNS)
	}
	if b.Early != 4 || b.Got != 3 {
		t.Errorf("early %d got %d, want 4 and 3", b.Early, b.Got)
	}
	for n := state.Tick(110); n < 110+2*cmdWindow; n++ {
		if _, starved := b.take(n); !starved {
			t.Errorf("tick %d was banked", n)
		}
	}
}

func TestMarginIsTheSmallestOfRecentPackets(t *testing.T) {
	var b commands
	if b.margin() != slackUnknown {
		t.Errorf("margin %d before anything came", b.margin())
	}
	b.arrived(cmds(105), 100, 0, tickNS)
	b.arrived(cmds(106), 105, 0, tickNS)
	b.arrived(cmds(110), 106, 0, tickNS)
	if b.margin() != 1 {
		t.Errorf("margin %d, want 1", b.margin())
	}
	for n := int64(0); n < int64(len(b.slack)); n++ { // the small one is forgotten
		b.arrived(cmds(120+n), state.Tick(117+n), 0, tickNS)
	}
	if b.margin() != 3 {
		t.Errorf("margin %d, want 3", b.margin())
	}
	b.arrived(cmds(153), 160, 0, tickNS)
	if b.margin() != -7 {
		t.Errorf("margin %d of a late one, want -7", b.margin())
	}
	b.reset()
	if b.margin() != slackUnknown || b.Late != 1 {
		t.Errorf("after reset: margin %d, late %d", b.margin(), b.Late)
	}
}

// The delay that clients show others at follows the jitter within its bounds, and
// does not flutter.
func TestDictatedDelay(t *testing.T) {
	c := &conn{}
	c.dictate(tickNS, interpLeast)
	if c.interp != interpLeast*256 {
		t.Errorf("calm: %d", c.interp)
	}
	c.cmds.jitter = 8e6
	c.dictate(tickNS, interpLeast)
	have := c.interp
	if want := uint16((2 + 2.5*c.cmds.jitter/tickNS) * 256); have < want-64 || have > want+64 {
		t.Errorf("8 ms of jitter: %d, want about %d", have, want)
	}
	c.cmds.jitter = 8.2e6
	if c.dictate(tickNS, interpLeast); c.interp != have {
		t.Errorf("fluttered from %d to %d", have, c.interp)
	}
	c.cmds.jitter = 1e15
	if c.dictate(tickNS, interpLeast); float64(c.interp) > interpCapMS*1e6/tickNS*256 {
		t.Errorf("%d is above the cap", c.interp)
	}
}
