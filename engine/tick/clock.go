// Package tick turns a clock reading into a number of fixed simulation steps.
//
// A Clock is a plain value: it never looks at the time, sleeps or starts a
// goroutine. Whoever owns it (server loop, client, test) passes the time in,
// as nanoseconds on any monotonic scale, and steps the simulation as often as
// Advance says. Deadlines are absolute: tick n is due at start + n/rate, kept as
// an exact fraction, so a rate such as 60 or 144 that does not divide a second
// never drifts.
//
// When the owner is late, Advance hands out at most MaxCatchUp ticks at once and
// drops the rest of the lost time: tick numbers stay consecutive and later
// deadlines move back by whole steps. What was late and what was dropped is
// counted, so that a report can say so.
//
// A Clock is not safe for concurrent use; one goroutine owns it. It may be
// copied to look ahead.
package tick

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Tick rates that a Clock accepts, in ticks per second.
const (
	MinRate = 20
	MaxRate = 240
)

// Speed factors that Dilate accepts.
const (
	MinSpeed = 0.5
	MaxSpeed = 2
)

// DefaultCatchUp is how many ticks Advance hands out at once unless CatchUp says
// otherwise. A judgement: at 64 Hz it bridges a pause of 125 ms, and a server
// that is later than that falls further behind by trying.
const DefaultCatchUp = 8

// one is a whole tick in the units of Clock.rem: rate × parts per million ×
// nanoseconds reaches it after exactly one step at speed 1.
const one = 1e15

// Clock is a fixed-step clock. Make one with New; the zero Clock never ticks.
type Clock struct {
	rate   int
	speed  uint64 // rate × speed in parts per million
	origin int64  // nanoseconds
	base   int64  // ticks due at origin …
	rem    uint64 // … and this part of the next one, in units of 1/one
	done   int64  // ticks handed out
	limit  int64
	late   Late
}

// Late counts what an owner that came too late has missed.
type Late struct {
	Ticks    uint64        // handed out a whole step or more after their deadline
	Dropped  uint64        // never handed out: time that was given up
	Episodes uint64        // calls of Advance that handed out late ticks
	Worst    time.Duration // longest wait of a tick after its deadline
}

// New returns a Clock whose tick n is due n/rate seconds after now.
func New(rate int, now int64) (Clock, error) {
	if rate < MinRate || rate > MaxRate {
		return Clock{}, fmt.Errorf("tick rate %d: out of range, allowed: %d to %d", rate, MinRate, MaxRate)
	}
	return Clock{rate: rate, speed: uint64(rate) * 1e6, origin: now, limit: DefaultCatchUp}, nil
}

// Rate returns the ticks per second at speed 1.
func (c Clock) Rate() int { return c.rate }

// Step returns the length of a tick at speed 1, rounded down to a nanosecond.
// Use Deadline, not multiples of Step, to wait.
func (c Clock) Step() time.Duration {
	if c.rate == 0 {
		return 0
	}
	return time.Second / time.Duration(c.rate)
}

// Tick returns the number of the newest tick that was handed out.
func (c Clock) Tick() uint32 { return uint32(c.done) }

// Late returns what has been late so far.
func (c Clock) Late() Late { return c.late }

// CatchUp sets how many ticks Advance may hand out at once; at least 1.
func (c *Clock) CatchUp(n int) { c.limit = int64(max(n, 1)) }

// Advance returns how many ticks are to be run now, 0 to the catch-up limit.
// A time that lies before an earlier one yields 0.
func (c *Clock) Advance(now int64) int {
	due, _ := c.position(now)
	n := due - c.done
	if n <= 0 {
		return 0
	}
	c.late.Worst = max(c.late.Worst, time.Duration(now-c.deadline(c.done+1)))
	if n > 1 {
		c.late.Episodes++
		c.late.Ticks += uint64(min(n-1, c.limit))
	}
	if dropped := n - c.limit; dropped > 0 {
		c.late.Dropped += uint64(dropped)
		c.base -= dropped
		n = c.limit
	}
	c.done += n
	return int(n)
}

// Deadline returns the earliest time at which tick n is due. The end of tick n
// is Deadline(n+1).
func (c Clock) Deadline(n uint32) int64 { return c.deadline(int64(n)) }

// Next returns the deadline of the next tick that Advance will hand out.
func (c Clock) Next() int64 { return c.deadline(c.done + 1) }

// Fraction returns how far now lies between the newest tick and the next one, 0
// to 1; 1 when the next one is due and has not been handed out.
func (c Clock) Fraction(now int64) float64 {
	due, rem := c.position(now)
	switch {
	case due < c.done:
		return 0
	case due > c.done:
		return 1
	}
	return float64(rem) / one
}

// Dilate runs the clock at factor times its rate from now on, within MinSpeed to
// MaxSpeed, without a jump: what was due stays due. A client uses it to drift
// towards the server's time. A factor that is not a number means 1.
func (c *Clock) Dilate(now int64, factor float64) {
	if math.IsNaN(factor) {
		factor = 1
	}
	factor = min(max(factor, MinSpeed), MaxSpeed)
	if now > c.origin {
		c.base, c.rem = c.position(now)
		c.origin = now
	}
	c.speed = uint64(c.rate) * uint64(math.Round(factor*1e6))
}

// Speed returns the factor that is in force.
func (c Clock) Speed() float64 {
	if c.rate == 0 {
		return 0
	}
	return float64(c.speed) / float64(uint64(c.rate)*1e6)
}

// Jump makes n the newest tick, due exactly now, whatever came before: the way
// to repair an offset too large to drift. Rate, speed and counts stay.
func (c *Clock) Jump(now int64, n uint32) {
	c.origin, c.base, c.rem, c.done = now, int64(n), 0, int64(n)
}

// position returns how many ticks are due at now, and the part of the next.
func (c Clock) position(now int64) (int64, uint64) {
	if now <= c.origin {
		return c.base, c.rem
	}
	// Unsigned subtraction is exact over the whole range of int64.
	hi, lo := bits.Mul64(uint64(now)-uint64(c.origin), c.speed)
	lo, carry := bits.Add64(lo, c.rem, 0)
	q, r := bits.Div64(hi+carry, lo, one)
	return c.base + int64(q), r
}

func (c Clock) deadline(n int64) int64 {
	if c.speed == 0 {
		return math.MaxInt64
	}
	if n <= c.base {
		hi, lo := bits.Mul64(uint64(c.base-n), one)
		lo, carry := bits.Add64(lo, c.rem, 0)
		q, _ := bits.Div64(hi+carry, lo, c.speed)
		return c.origin - int64(q)
	}
	hi, lo := bits.Mul64(uint64(n-c.base), one)
	lo, borrow := bits.Sub64(lo, c.rem, 0)
	q, r := bits.Div64(hi-borrow, lo, c.speed)
	if r > 0 {
		q++
	}
	return c.origin + int64(q)
}
