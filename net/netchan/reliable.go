package netchan

// MaxReason is the longest reason of a goodbye in bytes.
const MaxReason = 200

const (
	// maxSegment and maxReliable: three segments fill a packet of their own,
	// one fits beside a snapshot.
	maxSegment  = 380
	maxReliable = 400
	maxSegments = 4 // in one packet
	segmentHead = 5
	// segmentLimit bounds how many segments are under way, flightLimit how
	// many bytes: at a round trip of 100 ms that is 1.3 Mbit/s.
	segmentLimit = 256
	flightLimit  = 16 << 10

	controlGoodbye = 1 // why
	controlAsk     = 2 // a number: answer it from where you are
	controlAnswer  = 3 // that number
	controlProbe   = 4 // zeros
)

// outStream is the sending half of the reliable stream: a ring of bytes from
// base to end, cut into segments when first sent. A segment is sent again,
// whole, when the packet that carried it last is lost.
type outStream struct {
	ring            [Backlog]byte
	base, next, end uint64 // acknowledged, sent once, queued: up to here
	segments        [segmentLimit]segment
	first, count    uint64 // numbers of the segments under way
	waiting         int    // segments that are to be sent again
	flight          int    // bytes on their way
}

type segment struct {
	off     uint64
	n       uint16
	state   state
	carrier uint64 // newest packet that holds it
}

// QueueReliable adds a message of 1 to MaxMessage bytes that reaches the peer
// whole, once and in order, as long as the session lives. ErrBacklog leaves
// the stream as it was.
func (c *Channel) QueueReliable(msg []byte) error {
	if len(msg) == 0 {
		return ErrEmpty
	}
	if len(msg) > MaxMessage {
		return ErrTooLong
	}
	o := &c.out
	if o.end-o.base+uint64(len(msg))+2 > Backlog {
		return ErrBacklog
	}
	if len(msg) < 0x80 {
		o.put(byte(len(msg)))
	} else {
		o.put(byte(len(msg)) | 0x80)
		o.put(byte(len(msg) >> 7))
	}
	at := int(o.end % Backlog)
	k := copy(o.ring[at:], msg)
	copy(o.ring[:], msg[k:])
	o.end += uint64(len(msg))
	return nil
}

// Waits is how many bytes of reliable stream the next packet would take; it is
// never more than one packet has room for beside a payload.
func (c *Channel) Waits() int { return c.out.wants() }

// Unacked is how many bytes of the reliable stream the peer has yet to
// acknowledge, at most Backlog: who has something that can be left out asks.
func (c *Channel) Unacked() int { return int(c.out.end - c.out.base) }

func (o *outStream) put(b byte) {
	o.ring[o.end%Backlog] = b
	o.end++
}

// wants is how many bytes of the next packet to leave to reliable data.
func (o *outStream) wants() int {
	if o.waiting > 0 {
		return maxReliable
	}
	if !o.open() {
		return 0
	}
	return int(min(uint64(maxReliable), o.end-o.next+segmentHead))
}

// open reports whether new data may be sent.
func (o *outStream) open() bool {
	return o.next < o.end && o.count < segmentLimit && o.flight < flightLimit
}

// fill writes segments into dst and notes them in the packet's record.
func (o *outStream) fill(dst []byte, r *record) int {
	n, last := 0, -1
	add := func(number uint64) {
		s := &o.segments[number%segmentLimit]
		if last >= 0 {
			dst[last+4] |= 0x80 // another one follows
		}
		last = n
		n += putSegment(dst[n:], s.off, int(s.n), false)
		at := int(s.off % Backlog)
		k := copy(dst[n:n+int(s.n)], o.ring[at:])
		copy(dst[n+k:n+int(s.n)], o.ring[:])
		n += int(s.n)
		s.state, s.carrier = pending, r.seq
		o.flight += int(s.n)
		r.segment[r.segments] = number
		r.segments++
	}
	for i := uint64(0); i < o.count && o.waiting > 0 && r.segments < maxSegments; i++ {
		s := &o.segments[(o.first+i)%segmentLimit]
		if s.state == lost && n+segmentHead+int(s.n) <= len(dst) {
			o.waiting--
			add(o.first + i)
		}
	}
	for o.open() && r.segments < maxSegments {
		size := min(o.end-o.next, maxSegment)
		if room := len(dst) - n - segmentHead; room < int(size) {
			if room < 64 { // not worth a segment of its own
				break
			}
			size = uint64(room)
		}
		number := o.first + o.count
		o.segments[number%segmentLimit] = segment{off: o.next, n: uint16(size)}
		o.count++
		o.next += size
		add(number)
	}
	return n
}

// arrived notes that a segment is with the peer, and frees what is no longer
// needed.
func (o *outStream) arrived(number uint64) {
	if number < o.first || number >= o.first+o.count {
		return
	}
	s := &o.segments[number%segmentLimit]
	switch s.state {
	case pending:
		o.flight -= int(s.n)
	case lost:
		o.waiting--
	}
	s.state = arrived
	for o.count > 0 {
		s := &o.segments[o.first%segmentLimit]
		if s.state != arrived {
			return
		}
		o.base = s.off + uint64(s.n)
		o.first++
		o.count--
	}
}

// lost notes that the packet seq did not bring its segment.
func (o *outStream) lost(number, seq uint64) {
	if number < o.first || number >= o.first+o.count {
		return
	}
	if s := &o.segments[number%segmentLimit]; s.state == pending && s.carrier == seq {
		s.state = lost
		o.flight -= int(s.n)
		o.waiting++
	}
}

func putSegment(dst []byte, off uint64, n int, more bool) int {
	dst[0], dst[1], dst[2] = byte(off), byte(off>>8), byte(off>>16)
	dst[3], dst[4] = byte(n), byte(n>>8)
	if more {
		dst[4] |= 0x80
	}
	return segmentHead
}

// inStream is the receiving half: a ring of bytes that starts at base, whole
// up to ready, with islands beyond.
type inStream struct {
	ring        [Backlog]byte
	base, ready uint64
	islands     [maxIslands]span
	count       int
	message     [MaxMessage]byte
}

// span is the bytes from lo up to and without hi.
type span struct{ lo, hi uint64 }

// maxIslands bounds the gaps; a packet that would make one more counts as
// lost. What only fills gaps is always taken, or a full set of islands would
// keep out the very bytes that empty it (TestFullIslandsLetTheGapsBeFilled).
const maxIslands = 64

// takeReliable takes all segments off the front of a packet's content, or
// none of them.
func (c *Channel) takeReliable(p []byte) (rest []byte, err error) {
	in := &c.in
	var got [maxSegments]struct {
		span
		data []byte
	}
	n := 0
	for more := true; more; {
		if len(p) < segmentHead || n == maxSegments {
			return nil, ErrProtocol
		}
		off := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16
		size := int(p[3]) | int(p[4]&0x7F)<<8
		more = p[4]&0x80 != 0
		p = p[segmentHead:]
		if size == 0 {
			size = int(off >> 8)
			if size > len(p) || !c.path.take(byte(off), p[:size]) && (off&0xFF != controlGoodbye || size > MaxReason) {
				return nil, ErrProtocol
			}
			if off&0xFF == controlGoodbye && !c.left {
				c.left, c.bye = true, append(c.bye, p[:size]...)
			}
			p = p[size:]
			continue
		}
		if size > len(p) {
			return nil, ErrProtocol
		}
		// The offset nearest to what is whole so far.
		d := int64(int32((off-in.ready)<<8)) >> 8
		if d < 0 && in.ready < uint64(-d) {
			return nil, ErrProtocol
		}
		lo := in.ready + uint64(d)
		hi := lo + uint64(size)
		if hi > in.base+Backlog {
			return nil, ErrFull
		}
		got[n].span, got[n].data = span{lo, hi}, p[:size]
		n++
		p = p[size:]
	}
	islands := in.count
	for _, g := range got[:n] {
		if !in.touches(g.span) {
			islands++
		}
	}
	if islands > maxIslands {
		return nil, ErrFull
	}
	for _, g := range got[:n] {
		in.add(g.span, g.data)
	}
	return p, nil
}

// touches reports whether a segment continues what is there, so that it makes
// no further island.
func (in *inStream) touches(s span) bool {
	if s.lo <= in.ready {
		return true
	}
	for _, i := range in.islands[:in.count] {
		if i.hi >= s.lo && i.lo <= s.hi {
			return true
		}
	}
	return false
}

// add stores one segment that fits. Bytes that are there already stay as they
// are: a message may have been read up to the middle of them.
func (in *inStream) add(s span, data []byte) {
	if s.hi <= in.ready {
		return
	}
	if s.lo < in.ready {
		data = data[in.ready-s.lo:]
		s.lo = in.ready
	}
	at := int(s.lo % Backlog)
	k := copy(in.ring[at:], data)
	copy(in.ring[:], data[k:])

	// Merge with the islands that it touches, then with the main land.
	kept := in.islands[:0]
	for _, i := range in.islands[:in.count] {
		if i.hi < s.lo || i.lo > s.hi {
			kept = append(kept, i)
			continue
		}
		s.lo, s.hi = min(s.lo, i.lo), max(s.hi, i.hi)
	}
	if s.lo <= in.ready {
		in.ready = max(in.ready, s.hi)
	} else {
		kept = append(kept, s)
	}
	in.count = len(kept)
}

// ReliableIn gives the next message that has arrived whole. It is valid until
// the next call. Who does not call it stops the peer's stream, nothing else.
func (c *Channel) ReliableIn() (msg []byte, ok bool) {
	in := &c.in
	have := in.ready - in.base
	if have < 2 || c.err != nil { // a message has two bytes at least
		return nil, false
	}
	n, head := uint64(in.ring[in.base%Backlog]), uint64(1)
	if n&0x80 != 0 {
		n, head = n&0x7F|uint64(in.ring[(in.base+1)%Backlog])<<7, 2
	}
	if n == 0 || n > MaxMessage {
		c.err = ErrProtocol
		c.stats.Drops.Protocol++
		return nil, false
	}
	if have < head+n {
		return nil, false
	}
	at := int((in.base + head) % Backlog)
	k := copy(in.message[:n], in.ring[at:])
	copy(in.message[k:n], in.ring[:])
	in.base += head + n
	return in.message[:n], true
}
