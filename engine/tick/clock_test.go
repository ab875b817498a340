package tick_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-engine/sightline/engine/tick"
)

func newClock(t interface{ Fatal(...any) }, rate int, now int64) tick.Clock {
	c, err := tick.New(rate, now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRateOutsideRangeIsRefused(t *testing.T) {
	for _, rate := range []int{-1, 0, 19, 241, 1000000000} {
		if _, err := tick.New(rate, 0); err == nil {
			t.Errorf("rate %d was accepted", rate)
		}
	}
}

func TestZeroClockNeverTicks(t *testing.T) {
	var c tick.Clock
	if n := c.Advance(math.MaxInt64); n != 0 {
		t.Fatalf("zero clock handed out %d ticks", n)
	}
	if c.Next() != math.MaxInt64 || c.Step() != 0 || c.Fraction(5) != 0 {
		t.Fatal("zero clock has a next tick")
	}
}

func TestHourOfAnyRateHasNoDrift(t *testing.T) {
	for rate := tick.MinRate; rate <= tick.MaxRate; rate++ {
		c := newClock(t, rate, 12345)
		n := uint32(rate * 3600)
		if got, want := c.Deadline(n), int64(12345)+3600*int64(time.Second); got != want {
			t.Errorf("rate %d: tick %d due at %d, want %d", rate, n, got, want)
		}
	}
}

// A tick is due at its deadline and not a nanosecond before, at any rate,
// speed and history of speeds.
func TestDeadlineIsTheFirstDueInstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(tick.MinRate, tick.MaxRate).Draw(t, "rate")
		now := rapid.Int64Range(-1e18, 1e18).Draw(t, "start")
		c := newClock(t, rate, now)
		for range rapid.IntRange(0, 4).Draw(t, "dilations") {
			now += rapid.Int64Range(0, 1e10).Draw(t, "gap")
			c.Dilate(now, rapid.Float64Range(0.4, 2.1).Draw(t, "factor"))
		}
		c.CatchUp(1 << 40)
		c.Advance(now)
		at := c.Deadline(c.Tick() + uint32(rapid.IntRange(1, 1e6).Draw(t, "ahead")))
		before, at1 := c, c
		nb, na := before.Advance(at-1), at1.Advance(at)
		if na != nb+1 {
			t.Fatalf("%d ticks due before the deadline, %d at it", nb, na)
		}
	})
}

// However the readings fall, the ticks handed out and dropped are those that
// time has brought, and the fraction stays within 0 and 1.
func TestTicksHandedOutAndDroppedAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(tick.MinRate, tick.MaxRate).Draw(t, "rate")
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		c := newClock(t, rate, 0)
		c.CatchUp(limit)
		now, sum := int64(0), 0
		for range rapid.IntRange(1, 50).Draw(t, "readings") {
			now += rapid.Int64Range(0, 3e8).Draw(t, "gap")
			if f := c.Fraction(now); f < 0 || f > 1 {
				t.Fatalf("fraction %v", f)
			}
			n := c.Advance(now)
			if n < 0 || n > limit {
				t.Fatalf("%d ticks at once, limit %d", n, limit)
			}
			sum += n
			if next := c.Next(); next <= now {
				t.Fatalf("next tick due at %d, now %d", next, now)
			}
		}
		want := int(now * int64(rate) / int64(time.Second))
		if got := sum + int(c.Late().Dropped); got != want {
			t.Fatalf("%d handed out + %d dropped, want %d", sum, c.Late().Dropped, want)
		}
		if int(c.Tick()) != sum {
			t.Fatalf("tick %d after %d", c.Tick(), sum)
		}
	})
}

func TestLateTicksAreCounted(t *testing.T) {
	c := newClock(t, 100, 0) // 10 ms steps
	step := int64(10 * time.Millisecond)
	if n := c.Advance(step); n != 1 || c.Late() != (tick.Late{}) {
		t.Fatalf("on time: %d ticks, late %+v", n, c.Late())
	}
	if n := c.Advance(4*step + step/2); n != 3 {
		t.Fatalf("catch up by 3, got %d", n)
	}
	want := tick.Late{Ticks: 2, Episodes: 1, Worst: 25 * time.Millisecond}
	if c.Late() != want {
		t.Fatalf("late %+v, want %+v", c.Late(), want)
	}
	if n := c.Advance(1000 * step); n != tick.DefaultCatchUp {
		t.Fatalf("catch-up handed out %d", n)
	}
	if got := c.Late().Dropped; got != 996-tick.DefaultCatchUp {
		t.Fatalf("dropped %d", got)
	}
	if got := c.Next(); got != 1001*step {
		t.Fatalf("phase moved: next at %d", got)
	}
}

func TestTimeGoingBackwardsHandsOutNothing(t *testing.T) {
	c := newClock(t, 64, 1000)
	c.Advance(2e9)
	before := c
	for _, now := range []int64{1.5e9, 0, -5e18, math.MinInt64} {
		if n := c.Advance(now); n != 0 {
			t.Fatalf("%d ticks at %d", n, now)
		}
	}
	if c != before {
		t.Fatal("clock changed")
	}
}

func TestDilateChangesSpeedWithoutAJump(t *testing.T) {
	c := newClock(t, 50, 0)
	c.Advance(int64(time.Second / 40)) // 1 tick, a quarter into the next
	now := int64(time.Second / 40)
	before := c.Fraction(now)
	c.Dilate(now, 1.25)
	if after := c.Fraction(now); after != before {
		t.Fatalf("fraction %v became %v", before, after)
	}
	// Three quarters of 20 ms at 1.25 × speed.
	if got, want := c.Next(), now+12*int64(time.Millisecond); got != want {
		t.Fatalf("next at %d, want %d", got, want)
	}
	if c.Speed() != 1.25 {
		t.Fatalf("speed %v", c.Speed())
	}
	c.Dilate(now, math.NaN())
	if c.Speed() != 1 {
		t.Fatalf("speed after NaN %v", c.Speed())
	}
}

func TestJumpRepairsALargeOffset(t *testing.T) {
	c := newClock(t, 64, 0)
	c.Advance(1e9)
	c.Jump(13e9, 900)
	if c.Tick() != 900 || c.Deadline(900) != 13e9 || c.Advance(13e9) != 0 {
		t.Fatal("tick 900 is not the newest")
	}
	if n := c.Advance(13e9 + 1e9/64); n != 1 {
		t.Fatalf("one step later: %d", n)
	}
}

func TestAdvanceDoesNotAllocate(t *testing.T) {
	c := newClock(t, 128, 0)
	now := int64(0)
	if n := testing.AllocsPerRun(100, func() { now += 1e7; c.Advance(now); _ = c.Next() }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func ExampleClock() {
	c, err := tick.New(64, 0)
	if err != nil {
		panic(err)
	}
	for now := int64(0); now < 1e9; now += 4e6 { // a loop that wakes each 4 ms
		for range c.Advance(now) {
			_ = c.Tick() // step the simulation here
		}
	}
	// Output:
}
