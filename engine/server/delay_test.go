package server

import "testing"

// The delay of a line is an interval of the 32 Hz class where nothing is lost, and
// one of the fastest class more where more than 0.5 % is, until all of the last 256
// packets have arrived.
func TestDelayAllowsForALossWhereThereAreSome(t *testing.T) {
	for _, c := range []struct {
		rate, hz int
		lossy    bool
		want     float64 // ticks
	}{
		{64, 0, false, 2}, {64, 0, true, 3}, {128, 0, false, 4}, {128, 0, true, 5}, {32, 0, false, 2}, {32, 0, true, 2},
		{20, 0, false, 2}, {64, 20, false, 3.2}, {64, 20, true, 6.4}, {64, 64, false, 2}, {64, 64, true, 2},
	} {
		s := &Server{cfg: Config{TickRate: c.rate, Pace: Pace{Hz: c.hz}}}
		cl := &conn{lag: lag{lossy: c.lossy}}
		cl.lag.lossAt = 1
		if got := s.delayBase(cl, 1); got != c.want {
			t.Errorf("%d Hz, packets at %d, lossy %v: %v ticks, want %v", c.rate, c.hz, c.lossy, got, c.want)
		}
	}
	var l lag
	for i, c := range []struct {
		share float64
		want  bool
	}{{0, false}, {1.0 / 256, false}, {2.0 / 256, true}, {1.0 / 256, true}, {0, false}, {0.02, true}, {0.004, true}} {
		if l.judgeLoss(c.share); l.lossy != c.want {
			t.Errorf("step %d, %v lost: %v", i, c.share, l.lossy)
		}
	}
}
