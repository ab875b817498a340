package netchan

// Ack tells what became of a packet that was sent.
type Ack struct {
	Seq uint64
	// RTT is the time from Seal to the acknowledgement, in nanoseconds. Only
	// the newest packet that an acknowledgement names measures the path.
	RTT int64
	// Lost is set when the packet is given up. It may have been late only:
	// the same Seq can come once more, without Lost.
	Lost bool
}

// DrainAcks appends what has become known since the last call. Events beyond
// 2,048 that nobody drained are forgotten, the oldest first.
func (c *Channel) DrainAcks(dst []Ack) []Ack {
	for ; c.eventLen > 0; c.eventLen-- {
		dst = append(dst, c.events[c.eventHead])
		c.eventHead = (c.eventHead + 1) % eventLimit
	}
	return dst
}

// SentAck tells what our packet seq said about the peer's packets: the newest
// one received and which of the 32 before it, the one just before in the
// lowest bit. It is known for the last 1,024 packets.
func (c *Channel) SentAck(seq uint64) (newest uint64, mask uint32, ok bool) {
	r := &c.records[seq%sentWindow]
	if r.seq != seq || r.state == unused {
		return 0, 0, false
	}
	return r.ack, r.mask, true
}

// AckSource is the peer's packet from which acknowledgements were last taken.
// A peer that is told this number knows, by SentAck, which of our packets we
// know it to have.
func (c *Channel) AckSource() uint64 { return c.ackSource }

// NewestAcked is the newest of our packets that the peer has acknowledged.
func (c *Channel) NewestAcked() uint64 { return c.acked }

// takeAck applies the acknowledgement of the peer's packet seq, which is the
// newest so far: an older one knows less.
func (c *Channel) takeAck(seq uint64, low uint16, mask uint32, wide bool, now int64) {
	d := uint64(low - uint16(c.acked))
	if !wide {
		if c.sent-c.acked > 0xFF {
			return // could be either of two packets: the wide form follows
		}
		d &= 0xFF
	}
	newest := c.acked + d
	if newest > c.sent {
		c.stats.Drops.BadAck++
		return
	}
	c.ackSource = seq
	c.acked = newest
	if r := &c.records[newest%sentWindow]; r.seq == newest && (r.state == pending || r.state == lost) {
		c.rtt.sample(now-r.at, now)
		c.arrive(r, now)
	}
	for i := range uint64(ackMask) {
		if newest <= i+1 {
			return
		}
		s := newest - 1 - i
		if r := &c.records[s%sentWindow]; mask>>i&1 != 0 && r.seq == s && (r.state == pending || r.state == lost) {
			c.arrive(r, now)
		}
	}
}

// settle gives up packets of which nothing was heard. A packet is lost when
// it has left the mask; when four newer ones arrived and it is later than
// jitter explains; or when nothing at all is heard for a while.
func (c *Channel) settle(now int64) {
	late, silent := c.rtt.limits()
	for s := c.resolved + 1; s <= c.sent; s++ {
		r := &c.records[s%sentWindow]
		if r.seq == s && r.state == pending {
			age := now - r.at
			switch {
			case c.acked > s+ackMask, c.acked >= s+4 && age > late, age > silent:
				c.lose(r)
			case age <= late && c.acked <= s+ackMask:
				return // younger ones are not lost either
			default:
				continue
			}
		}
		if s == c.resolved+1 {
			c.resolved = s
		}
	}
}

func (c *Channel) arrive(r *record, now int64) {
	if r.state == lost {
		c.stats.Lost--
	}
	r.state = arrived
	c.stats.Acked++
	for _, n := range r.segment[:r.segments] {
		c.out.arrived(n)
	}
	c.event(Ack{Seq: r.seq, RTT: now - r.at})
}

func (c *Channel) lose(r *record) {
	r.state = lost
	c.stats.Lost++
	for _, n := range r.segment[:r.segments] {
		c.out.lost(n, r.seq)
	}
	c.event(Ack{Seq: r.seq, Lost: true})
}

func (c *Channel) event(a Ack) {
	if c.eventLen == eventLimit {
		c.eventHead = (c.eventHead + 1) % eventLimit
		c.eventLen--
	}
	c.events[(c.eventHead+c.eventLen)%eventLimit] = a
	c.eventLen++
}
