package link

import "math"

// Sim is a Link that makes another one worse: delay, jitter, loss, bursts of
// loss, duplication, reordering and a slow line, for each direction apart. It
// owns the inner link, and it has no clock: Advance says what time it is.
//
// With the same seeds, settings, traffic and times it does the same. Each
// packet draws the same number of random values whatever the settings, so
// that changing one setting leaves the others' choices as they were.
type Sim struct {
	inner   Link
	now     int64 // nanoseconds
	out, in path
	scratch [MaxPacket]byte
	closed  bool
}

// SimStats counts what one direction did.
type SimStats struct {
	Packets    uint64 // that entered
	Delivered  uint64 // that left, doubles counted
	Lost       uint64 // by chance
	Overflowed uint64 // waited too long for the line, or the queue was full
	Doubled    uint64
	Reordered  uint64
}

// NewSim wraps inner. out is what Send goes through, in what Recv does.
func NewSim(inner Link, out, in SimConfig) (*Sim, error) {
	s := &Sim{inner: inner}
	if err := s.Configure(out, in); err != nil {
		return nil, err
	}
	return s, nil
}

// Configure changes the settings; packets under way keep their times. The
// random sequence starts anew where the seed differs.
func (s *Sim) Configure(out, in SimConfig) error {
	if err := out.Validate(); err != nil {
		return err
	}
	if err := in.Validate(); err != nil {
		return err
	}
	s.out.configure(out, 0x6f7574)
	s.in.configure(in, 0x696e)
	return nil
}

// Advance sets the time in nanoseconds, which never goes back, takes what the
// inner link has received and sends on what is due.
func (s *Sim) Advance(now int64) {
	if now > s.now {
		s.now = now
	}
	s.pull()
	for {
		pkt, to, ok := s.out.pop(s.now)
		if !ok {
			return
		}
		_ = s.inner.Send(pkt, to) // the network tells no sender either
	}
}

// Next is the time at which the next packet under way is due.
func (s *Sim) Next() (at int64, ok bool) {
	at = math.MaxInt64
	for _, p := range []*path{&s.out, &s.in} {
		if len(p.heap) > 0 && p.pool[p.heap[0]].due < at {
			at, ok = p.pool[p.heap[0]].due, true
		}
	}
	return at, ok
}

// Send implements Link.
func (s *Sim) Send(pkt []byte, to Addr) error {
	if s.closed {
		return ErrClosed
	}
	if len(pkt) > MaxPacket {
		return ErrTooLong
	}
	s.out.push(pkt, to, s.now)
	if s.out.idle() { // no delay set: pass through without waiting for Advance
		for {
			p, a, ok := s.out.pop(s.now)
			if !ok {
				break
			}
			if err := s.inner.Send(p, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// Recv implements Link.
func (s *Sim) Recv(buf []byte) (n int, from Addr, ok bool) {
	if s.closed {
		return 0, Addr{}, false
	}
	s.pull()
	for {
		pkt, from, ok := s.in.pop(s.now)
		if !ok {
			return 0, Addr{}, false
		}
		if len(pkt) <= len(buf) {
			return copy(buf, pkt), from, true
		}
	}
}

// Flush implements Flusher for an inner link that needs it.
func (s *Sim) Flush() error { return Flush(s.inner) }

// Close implements Link and closes the inner link. What is under way is lost.
func (s *Sim) Close() error {
	s.closed = true
	return s.inner.Close()
}

// Stats counts what both directions did so far.
func (s *Sim) Stats() (out, in SimStats) { return s.out.stats, s.in.stats }

func (s *Sim) pull() {
	for {
		n, from, ok := s.inner.Recv(s.scratch[:])
		if !ok {
			return
		}
		s.in.push(s.scratch[:n], from, s.now)
	}
}
