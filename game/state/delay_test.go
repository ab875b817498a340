package state_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// A changed interval moves the delay by at most 8 % of the time that passes, up and
// down, from wherever it is; a first one is there at once.
func TestDelayGlides(t *testing.T) {
	var d state.Delay
	d.Update(1000, 8, rate)
	if d.Back(0) != 6*256 || d.Back(5000) != 6*256 {
		t.Fatalf("first: %d", d.Back(1000))
	}
	tick := ^state.Tick(0) - 300 // wraps
	d = state.Delay{}
	d.Update(tick, 0, rate)
	last := d.Back(tick)
	intervals := []uint8{0, 4, 8, 2, 255, 255, 0}
	for n := range 3000 {
		if n%400 == 0 && n/400 < len(intervals) {
			d.Update(tick, intervals[n/400], rate)
		}
		d.Still(tick)
		got := d.Back(tick)
		if step := int32(got - last); step > 20 || step < -20 {
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

// A change in the middle of a glide does not move what is asked for just before it:
// the timeline is behind the newest update.
func TestDelayBeforeAChangeStands(t *testing.T) {
	var d state.Delay
	d.Update(100, 0, rate)
	d.Still(199)
	d.Update(200, 8, rate)
	d.Still(249)
	was := d.Back(240)
	d.Update(250, 0, rate)
	if got := d.Back(240); got != was || was != 40*20 {
		t.Errorf("at 240: %d, before the change %d", got, was)
	}
	if a, b := d.Back(249), d.Back(251); a != 49*20 || b != 49*20 {
		t.Errorf("around the change: %d and %d", a, b)
	}
}

// Who was away for more than a quarter of a second begins anew, who was not glides.
func TestDelayAfterAnAbsence(t *testing.T) {
	for _, c := range []struct {
		away state.Tick
		want uint32
	}{{16, 0}, {17, 6 * 256}, {5000, 6 * 256}} {
		var d state.Delay
		d.Update(100, 0, rate)
		d.Update(100+c.away, 8, rate)
		if got := d.Back(100 + c.away); got != c.want {
			t.Errorf("away for %d ticks: %d, want %d", c.away, got, c.want)
		}
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
