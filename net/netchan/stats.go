package netchan

// Stats is what a net graph shows. Counts are since the Channel was made.
type Stats struct {
	Sent, Received    uint64 // packets
	BytesOut, BytesIn uint64 // of packets, without IP and UDP headers
	Acked, Lost       uint64 // of the packets sent, as known so far
	ReliableOut       int    // bytes of reliable stream not acknowledged yet
	// Of BytesOut: acknowledgements, and segments of the reliable stream.
	AcksOut, SegmentsOut uint64

	// RTT is the last round trip, MinRTT the least of the last two seconds,
	// Jitter the mean deviation; nanoseconds, 0 before the first.
	RTT, MinRTT, Jitter int64
	// LossOut and LossIn are shares of the last 256 packets each way.
	LossOut, LossIn float64

	Drops Drops
}

// Drops counts packets, or parts of them, that were refused, by reason.
type Drops struct {
	NotData  uint64 // not the form of a data packet
	Old      uint64 // behind the replay window
	Replay   uint64 // received before
	Auth     uint64 // forged or damaged
	Full     uint64 // reliable data that nobody took
	Protocol uint64 // authentic, but breaks the protocol
	BadAck   uint64 // acknowledges what was never sent
}

// Stats is a copy of the counters at now.
func (c *Channel) Stats(now int64) Stats {
	s := c.stats
	s.RTT, s.MinRTT, s.Jitter = c.rtt.last, c.rtt.least(now), c.rtt.jitter
	s.ReliableOut = int(c.out.end - c.out.base)
	const recent = 256
	var gone, known int
	for i := uint64(0); i < sentWindow && i < c.sent && known < recent; i++ {
		r := &c.records[(c.sent-i)%sentWindow]
		if r.state == unused {
			break
		}
		switch r.state {
		case lost:
			gone++
			known++
		case arrived:
			known++
		}
	}
	if known > 0 {
		s.LossOut = float64(gone) / float64(known)
	}
	gone, known = 0, 0
	for i := uint64(0); i < recent && i < c.newest; i++ {
		if known++; !c.has(c.newest - i) {
			gone++
		}
	}
	if known > 0 {
		s.LossIn = float64(gone) / float64(known)
	}
	return s
}

// RTT is the last round trip in nanoseconds and the least of the last two
// seconds, both 0 before the first acknowledgement.
func (c *Channel) RTT(now int64) (last, least int64) { return c.rtt.last, c.rtt.least(now) }
