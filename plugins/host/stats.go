package host

import (
	"math/bits"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/vis"
)

// Stats is how a plugin fares.
type Stats struct {
	Plugin   string
	Version  string
	PID      int // 0 while none runs
	State    string
	Restarts int
	Mailbox  bool // frames go through shared memory

	Ticks    uint64 // submitted
	Answers  uint64 // that were good
	Misses   uint64 // deadlines, late ticks of the host itself left out
	Nonsense uint64 // answers, or operations, that were dropped
	BytesOut uint64
	BytesIn  uint64
	Sent     uint64 // frames to the plugin, and answers from it: the crossings
	Received uint64
	P50, P99 time.Duration // of the round trip
	Stderr   []string      // the last lines
	Memory   int64         // bytes that the process has resident; 0: not known

	// Policy only: who decided the answers.
	FromPolicy, FromStanding, FromFallback uint64
	// Rules only: ticks that wait for an answer now, and that the journal holds.
	Behind, Journal int
	// Rules only: ticks that were answered otherwise when they were replayed.
	Differ uint64
}

// count is the part of Stats that is counted as it happens.
type count struct {
	mu sync.Mutex
	Stats
	trips histogram
}

func (c *count) add(f func(*Stats)) {
	c.mu.Lock()
	f(&c.Stats)
	c.mu.Unlock()
}

// sent counts a frame to the plugin.
func (s *Stats) sent(bytes int) {
	s.BytesOut += uint64(bytes)
	s.Sent++
}

func (c *count) trip(d time.Duration, bytes int) {
	c.mu.Lock()
	c.trips.add(d)
	c.Answers++
	c.BytesIn += uint64(bytes)
	c.Received++
	c.mu.Unlock()
}

func (c *count) source(s vis.Source) {
	c.mu.Lock()
	switch s {
	case vis.FromPolicy:
		c.FromPolicy++
	case vis.FromStanding:
		c.FromStanding++
	default:
		c.FromFallback++
	}
	c.mu.Unlock()
}

// stats completes the counts with what the supervisor knows.
func (v *supervisor) stats(c *count) Stats {
	c.mu.Lock()
	s := c.Stats
	s.P50, s.P99 = c.trips.quantile(0.5), c.trips.quantile(0.99)
	c.mu.Unlock()
	v.mu.Lock()
	s.Plugin, s.Restarts = v.s.name, v.restarts
	s.State = [...]string{"up", "starting", "resting", "off", "closed"}[v.phase]
	if v.phase == up && !v.cur.isDead() {
		s.PID, s.Version, s.Mailbox = v.cur.proc.pid(), v.cur.info.Version, v.cur.box != nil
	}
	out := v.outs
	v.mu.Unlock()
	s.Memory, _ = resident(s.PID)
	if out != nil {
		s.Stderr = out.tail(linesKept)
	}
	return s
}

// histogram counts durations in buckets of an eighth of an octave of microseconds:
// a quantile is at most 13 % too large.
type histogram struct {
	n       uint64
	buckets [256]uint64
}

func (h *histogram) add(d time.Duration) {
	h.n++
	h.buckets[bucket(uint64(max(0, d.Microseconds())))]++
}

func bucket(us uint64) int {
	if us < 8 {
		return int(us)
	}
	e := bits.Len64(us) - 4 // us>>e is 8..15
	return min(255, (e+1)*8+int(us>>e)-8)
}

// upper is the largest value of a bucket.
func upper(b int) uint64 {
	if b < 8 {
		return uint64(b)
	}
	e := b/8 - 1
	return uint64(b%8+9)<<e - 1
}

func (h *histogram) quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	left := uint64(q * float64(h.n-1))
	for i, n := range h.buckets {
		if left < n {
			return time.Duration(upper(i)) * time.Microsecond
		}
		left -= n
	}
	return 0
}
