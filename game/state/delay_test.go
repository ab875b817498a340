package state_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// A changed interval moves the delay by at most 2 % of the time that passes, up and
// down, from wherever it is; a first one is there at once.
func TestDelayGlides(t *testing.T) {
	var d state.Delay
	d.First(1000, 8, rate)
	if d.Back(0) != 6*256 || d.Back(5000) != 6*256 {
		t.Fatalf("first: %d", d.Back(1000))
	}
	tick := ^state.Tick(0) - 300 // wraps
	d.First(tick, 0, rate)
	last := d.Back(tick)
	intervals := []uint8{0, 4, 8, 2, 255, 255, 0}
	for n := range 3000 {
		if n%400 == 0 && n/400 < len(intervals) {
			d.Update(tick, intervals[n/400], rate)
		}
		got := d.Back(tick)
		if step := int32(got - last); step > 5 || step < -5 {
			t.Fatalf("tick %d: from %d to %d", n, last, got)
		}
		if n%400 == 399 {
			want := uint32(max(int(intervals[min(n/400, 6)])-2, 0)) * 256
			if intervals[min(n/400, 6)] != 255 && n < 5*400 && got != want {
				t.Errorf("after 400 ticks of interval %d: %d, want %d", intervals[n/400], got, want)
			}
		}
		last = got
		tick++
	}
	if d.Back(tick-1) > 253*256 || last >= 253*256 {
		t.Errorf("does not come back: %d", last)
	}
}

func TestEarlier(t *testing.T) {
	for _, c := range []struct {
		tick state.Tick
		frac uint8
		by   uint32
		want state.Tick
		f    uint8
	}{{10, 5, 0, 10, 5}, {10, 5, 5, 10, 0}, {10, 5, 6, 9, 255}, {10, 0, 256, 9, 0}, {10, 0, 700, 7, 68}, {0, 0, 1, ^state.Tick(0), 255}} {
		if tick, f := state.Earlier(c.tick, c.frac, c.by); tick != c.want || f != c.f {
			t.Errorf("%+v: %d %d", c, tick, f)
		}
	}
}
