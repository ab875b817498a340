package server

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// claim makes a client's command for tick 1000, seen at a view time, and returns
// how far back it is judged.
func claim(c *conn, view state.Tick, frac uint8) uint32 {
	const tick = state.Tick(1000)
	l := &c.lag
	l.follow(float64(c.interp))
	l.claimed = int64(int32(tick-view))*256 - int64(frac)
	l.waited = c.cmds.takenAhead
	l.measure(c, tickNS, 1)
	return c.rewind256(tickNS)
}

// The rewind of a shot is what the client says that it saw, at most what the server
// measured, and nothing from the future. (The caps are the simulation's.)
func TestRewindIsClamped(t *testing.T) {
	c := &conn{rttNS: 40e6, interp: 2 * 256}
	c.cmds.arrived(cmds(1002), 1000, 0, tickNS) // two ticks of slack
	c.cmds.takenAhead = 2
	tick := state.Tick(1000)
	// Round trip, buffer, interpolation; one send interval and no jitter.
	measured := uint32((float64(c.rttNS)/tickNS + 2 + 2 + 1) * 256)
	for _, v := range []struct {
		name string
		view state.Tick
		frac uint8
		want uint32
	}{
		{"honest", tick - 4, 0, 4 * 256},
		{"honest, part of a tick", tick - 4, 64, 4*256 - 64},
		{"now", tick, 0, 0},
		{"a little in the future", tick, 1, 0},
		{"five seconds in the future", tick + 5*rate, 0, 0},
		{"half the numbers in the future", tick + 1<<31, 0, 0},
		{"one second old", tick - rate, 0, measured},
		{"as old as can be", tick - (1<<31 - 1), 0, measured},
		{"never", 0, 0, measured},
	} {
		if got := claim(c, v.view, v.frac); got != v.want {
			t.Errorf("%s: rewound %d/256 ticks, want %d", v.name, got, v.want)
		}
	}
}

// Whatever a client does to its round trip, its buffer, its jitter and its delay, no
// more than 250 ms of the one and 150 ms of the other count.
func TestLinesExplainNoMoreThanTheCaps(t *testing.T) {
	c := &conn{rttNS: 900e6, interp: 60 * 256}
	c.cmds.takenAhead = 60
	for range c.cmds.slack {
		c.cmds.note(60, 1000, 0, tickNS)
	}
	c.cmds.jitter = 0
	got := claim(c, 1000-500, 0)
	most := uint32(math.Ceil((400e6/tickNS + 1) * 256))
	if got > most || got < most-4 {
		t.Errorf("rewound %d/256 ticks, want the caps: %d", got, most)
	}
}

// A command that came late is tested as if it had waited like its neighbours, and
// one early command does not stretch the others by more than the jitter does.
func TestBufferIsThatOfTheCommand(t *testing.T) {
	c := &conn{rttNS: 40e6, interp: 2 * 256}
	for i := range c.cmds.slack {
		c.cmds.slack[i] = 3
	}
	c.cmds.slackN = len(c.cmds.slack)
	c.cmds.jitter = 0
	for _, v := range []struct {
		ahead int32
		lead  int8
		want  float64
	}{{3, 3, 3}, {2, 3, 3}, {0, 3, 1}, {5, 3, 5}, {2, 60, 3}, {-4, 3, 1}} {
		c.cmds.takenAhead, c.cmds.slack[0] = v.ahead, v.lead
		claim(c, 0, 0)
		if c.lag.buffer != v.want {
			t.Errorf("came %d ticks early, the earliest %d: %v, want %v", v.ahead, v.lead, c.lag.buffer, v.want)
		}
	}
}

// After the dictated delay has been lowered a client approaches it slowly, and until
// then it has still shown others at the old one.
func TestDelayIsFollowedSlowly(t *testing.T) {
	var l lag
	l.follow(8 * 256)
	if l.shownI != 8*256 {
		t.Fatal("the first delay is taken at once")
	}
	n := 0
	for l.shownI > 2*256 {
		before := l.shownI
		l.follow(2 * 256)
		if n++; before-l.shownI > followShare*256+1e-9 || n > 1000 {
			t.Fatalf("after %d ticks from %v to %v", n, before, l.shownI)
		}
	}
	if n < 300 || n > 301 { // 6 ticks at 2 %
		t.Errorf("%d ticks, want 300", n)
	}
	l.follow(4 * 256)
	if l.shownI != 4*256 {
		t.Error("a longer delay is allowed for at once")
	}
}

func TestLeastOfTwoSeconds(t *testing.T) {
	var l least
	if _, ok := l.get(0); ok {
		t.Fatal("nothing was measured")
	}
	now := int64(5e9)
	l.sample(40, now)
	for range 7 {
		now += 250e6
		l.sample(90, now)
		if v, ok := l.get(now); !ok || v != 40 {
			t.Fatalf("%v %v after %d ms", v, ok, (now-5e9)/1e6)
		}
	}
	if now += 250e6; true {
		l.sample(95, now)
	}
	if v, _ := l.get(now); v != 90 {
		t.Fatalf("%v after two seconds", v)
	}
	if _, ok := l.get(now + 3e9); ok {
		t.Fatal("old samples count")
	}
}

// The usual cap covers the interpolation delay of a slow fixed rate.
func TestUsualRewindGrowsWhereSnapshotsAreRare(t *testing.T) {
	for hz, want := range map[int]float32{0: 250, 64: 250, 32: 250, 20: 300, 10: 400} {
		c := Config{Pace: Pace{Hz: hz}}
		if got := usualRewindMS(c.Pace.Hz); got != want {
			t.Errorf("%d Hz: %v ms, want %v", hz, got, want)
		}
	}
}
