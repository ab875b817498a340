package link

// path is one direction of a Sim: a heap of packets by the time at which they
// are due, over a pool of buffers that are used again.
type path struct {
	cfg    SimConfig
	rng    uint64
	seeded bool
	bad    bool  // inside a burst of losses
	last   int64 // due time of the last packet in order
	free   int64 // when the line has sent all before
	count  uint64

	pool  []flight
	heap  []int32 // indices into pool, least (due, order) first
	spare []int32 // indices into pool that are not in use
	stats SimStats
}

// flight is one packet under way.
type flight struct {
	due   int64
	order uint64
	to    Addr
	data  []byte
}

const (
	// pathLimit bounds what is under way: a second of 100 clients at 128 Hz.
	pathLimit = 16384
	// lineWait is how long a packet waits for a slow line before it is lost.
	lineWait = 500_000_000
	// wireOverhead is the IPv4 and UDP header in bytes.
	wireOverhead = 28
	minHoldMS    = 20
	millis       = 1e6 // nanoseconds
)

func (p *path) configure(c SimConfig, salt uint64) {
	if !p.seeded || c.Seed != p.cfg.Seed {
		p.rng, p.seeded, p.bad = c.Seed^salt*0x9E3779B97F4A7C15, true, false
	}
	p.cfg = c
}

// draw is a random value in [0, 1): splitmix64, whole in one word of state.
func (p *path) draw() float64 {
	p.rng += 0x9E3779B97F4A7C15
	z := p.rng
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return float64((z^z>>31)>>11) / (1 << 53)
}

// idle reports whether packets pass at once.
func (p *path) idle() bool {
	return p.cfg.LatencyMS == 0 && p.cfg.JitterMS == 0 && p.cfg.Reorder == 0 && p.cfg.RateKbps == 0
}

func (p *path) push(pkt []byte, to Addr, now int64) {
	c := &p.cfg
	loss, jitter, dup, jitter2, reorder := p.draw(), p.draw(), p.draw(), p.draw(), p.draw()
	p.stats.Packets++
	if p.lost(loss) {
		p.stats.Lost++
		return
	}
	start := now
	if c.RateKbps > 0 {
		if p.free > start {
			start = p.free
		}
		if start-now > lineWait {
			p.stats.Overflowed++
			return
		}
		// bits / (kbit/s) is milliseconds.
		start += int64(float64((len(pkt)+wireOverhead)*8) / c.RateKbps * millis)
		p.free = start
	}
	due := start + int64((c.LatencyMS+jitter*c.JitterMS)*millis)
	if reorder < c.Reorder {
		p.stats.Reordered++
		due += int64(max(c.JitterMS, minHoldMS) * millis)
	} else {
		if due < p.last {
			due = p.last
		}
		p.last = due
	}
	p.add(pkt, to, due)
	if dup < c.Dup {
		p.stats.Doubled++
		p.add(pkt, to, due+int64(jitter2*c.JitterMS*millis))
	}
}

// lost decides by a chain of two states whose mean share of losses is Loss
// and whose mean run is Burst. draw is uniform in [0, 1).
func (p *path) lost(draw float64) bool {
	loss, burst := p.cfg.Loss, p.cfg.Burst
	if burst <= 1 || loss <= 0 || loss >= 1 {
		p.bad = false
		return draw < loss
	}
	if p.bad {
		p.bad = draw >= 1/burst
		return p.bad
	}
	p.bad = draw < loss/(burst*(1-loss))
	return p.bad
}

func (p *path) add(pkt []byte, to Addr, due int64) {
	if len(p.heap) >= pathLimit {
		p.stats.Overflowed++
		return
	}
	if len(p.spare) == 0 {
		p.pool = append(p.pool, flight{})
		p.spare = append(p.spare, int32(len(p.pool)-1))
	}
	i := p.spare[len(p.spare)-1]
	p.spare = p.spare[:len(p.spare)-1]
	f := &p.pool[i]
	f.due, f.order, f.to, f.data = due, p.count, to, append(f.data[:0], pkt...)
	p.count++
	p.heap = append(p.heap, i)
	for k := len(p.heap) - 1; k > 0; {
		up := (k - 1) / 2
		if !p.less(k, up) {
			break
		}
		p.heap[k], p.heap[up] = p.heap[up], p.heap[k]
		k = up
	}
}

// pop takes the first packet that is due; it is valid until the next push.
func (p *path) pop(now int64) (pkt []byte, to Addr, ok bool) {
	if len(p.heap) == 0 || p.pool[p.heap[0]].due > now {
		return nil, Addr{}, false
	}
	i, end := p.heap[0], len(p.heap)-1
	p.heap[0] = p.heap[end]
	p.heap = p.heap[:end]
	for k := 0; ; {
		least := k
		for c := 2*k + 1; c <= 2*k+2 && c < end; c++ {
			if p.less(c, least) {
				least = c
			}
		}
		if least == k {
			break
		}
		p.heap[k], p.heap[least] = p.heap[least], p.heap[k]
		k = least
	}
	p.spare = append(p.spare, i)
	p.stats.Delivered++
	return p.pool[i].data, p.pool[i].to, true
}

func (p *path) less(a, b int) bool {
	x, y := &p.pool[p.heap[a]], &p.pool[p.heap[b]]
	return x.due < y.due || x.due == y.due && x.order < y.order
}
