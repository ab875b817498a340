package link

import (
	"fmt"
	"math"
)

// SimConfig says what one direction of a Sim does to packets. The zero value
// does nothing.
type SimConfig struct {
	// LatencyMS delays every packet, in milliseconds, one way.
	LatencyMS float64
	// JitterMS adds a random delay between 0 and this many milliseconds.
	// Packets keep their order, as in a queue that fills and empties.
	JitterMS float64
	// Loss is the share of packets lost, 0 to 1.
	Loss float64
	// Burst is the mean number of packets lost in a row, 1 or more; 0 means
	// that losses are independent.
	Burst float64
	// Dup is the share of packets that arrive twice, 0 to 1.
	Dup float64
	// Reorder is the share of packets that are held back by another JitterMS
	// (20 ms at least), so that later ones overtake them, 0 to 1.
	Reorder float64
	// RateKbps is the speed of the line in kilobits per second, IP and UDP
	// headers counted; 0 is no limit. Packets wait their turn, and one that
	// would wait more than half a second is lost.
	RateKbps float64
	// Seed makes the random choices. Two Sims with equal settings, seeds and
	// traffic do the same.
	Seed uint64
}

// maxDelayMS bounds latency and jitter: beyond any real path.
const maxDelayMS = 10000

// Validate says in one sentence what is wrong with the first bad setting.
func (c SimConfig) Validate() error {
	for _, f := range []struct {
		name     string
		v, limit float64
		unit     string
	}{
		{"latency", c.LatencyMS, maxDelayMS, " ms"},
		{"jitter", c.JitterMS, maxDelayMS, " ms"},
		{"loss", c.Loss, 1, " (a share, not percent)"},
		{"burst", c.Burst, 1000, " packets"},
		{"duplication", c.Dup, 1, " (a share, not percent)"},
		{"reordering", c.Reorder, 1, " (a share, not percent)"},
		{"rate", c.RateKbps, 1e7, " kbps"},
	} {
		if math.IsNaN(f.v) || f.v < 0 || f.v > f.limit {
			return fmt.Errorf("network simulator: %s is %g, allowed is 0 to %g%s", f.name, f.v, f.limit, f.unit)
		}
	}
	if c.Burst > 0 && c.Burst < 1 {
		return fmt.Errorf("network simulator: burst is %g, allowed is 0 (independent losses) or 1 and more packets", c.Burst)
	}
	if c.Burst >= 1 && c.Loss < 1 && c.Loss > c.Burst/(c.Burst+1) {
		return fmt.Errorf("network simulator: loss %g needs bursts of at least %.3g packets, burst is %g", c.Loss, c.Loss/(1-c.Loss), c.Burst)
	}
	return nil
}
