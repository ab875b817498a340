package netchan

import (
	"crypto/cipher"
	"encoding/binary"
	mathbits "math/bits"
)

// Channel is one end of a session. Make it with New.
type Channel struct {
	sealer, opener cipher.AEAD
	nonce          [12]byte
	plain          [MaxPayload]byte // content of the packet being sealed
	content        [MaxPayload]byte // content of the packet opened last

	// Sending.
	sent      uint64 // newest sequence number used
	records   [sentWindow]record
	acked     uint64 // newest of ours that the peer has acknowledged
	ackSource uint64 // the peer's packet that said so
	resolved  uint64 // all up to here are acknowledged or lost
	events    [eventLimit]Ack
	eventHead int
	eventLen  int
	rtt       rtt

	// Receiving.
	newest   uint64 // newest sequence number received
	window   [Window / 64]uint64
	lastRecv int64
	err      error
	bye      []byte
	left     bool // the peer said goodbye
	path     pathControl

	out   outStream
	in    inStream
	stats Stats
}

const (
	// sentWindow is how many sent packets are remembered: 8 s at 128 Hz.
	sentWindow = 1024
	eventLimit = 2 * sentWindow
	// ackMask is how many packets before the newest an acknowledgement names.
	ackMask = 32
	// wideEvery is how often the wide form of an acknowledgement is sent in
	// any case.
	wideEvery = 16
)

const (
	flagData     = 0x40
	flagReliable = 0x20
	flagWide     = 0x10
)

// record is what is remembered of a packet that was sent.
type record struct {
	seq      uint64
	at       int64
	state    state
	segments uint8
	segment  [maxSegments]uint64 // numbers of the reliable segments in it
	ack      uint64              // newest received when it was sent
	mask     uint32              // and which of the 32 before
}

type state uint8

const (
	unused state = iota
	pending
	arrived
	lost
)

// New makes a Channel. lastRecv starts at now, so that a peer that never
// sends times out too.
func New(cfg Config, now int64) (*Channel, error) {
	sealer, err := cfg.Suite.aead(&cfg.Send)
	if err != nil {
		return nil, err
	}
	opener, err := cfg.Suite.aead(&cfg.Recv)
	if err != nil {
		return nil, err
	}
	c := &Channel{
		sealer: sealer, opener: opener,
		sent: cfg.Sent, acked: cfg.Sent, resolved: cfg.Sent,
		newest: cfg.Received, lastRecv: now,
	}
	for i := range c.window { // all before the first count as received
		c.window[i] = ^uint64(0)
	}
	return c, nil
}

// Budget is how many bytes of payload the next Seal takes, with room left
// for reliable data that waits.
func (c *Channel) Budget() int {
	return MaxPayload - maxAckSize - c.out.wants()
}

// Seal makes the next packet, appends it to dst (best: an empty slice with a
// capacity of MaxPacket) and gives its sequence number. An empty payload is a
// keep-alive, and leaves the whole packet to reliable data. The packet must
// be sent at once: now is when its round trip begins.
func (c *Channel) Seal(dst, payload []byte, now int64) (pkt []byte, seq uint64, err error) {
	if len(payload) > MaxPayload-maxAckSize {
		return dst, 0, ErrTooLong
	}
	r, flags, n := c.begin(now)
	room := MaxPayload - n - len(payload)
	if len(payload) > 0 && room > maxReliable {
		room = maxReliable
	}
	if k := c.out.fill(c.plain[n:n+room], r); k > 0 {
		flags |= flagReliable
		n += k
		c.stats.SegmentsOut += uint64(k)
	}
	n += copy(c.plain[n:], payload)
	return c.finish(dst, flags, n), c.sent, nil
}

// SealGoodbye makes a packet that ends the session and says why, in at most
// MaxReason bytes. Any packet may be lost: send several, each from a call of
// its own, and forget the Channel.
func (c *Channel) SealGoodbye(dst []byte, reason string, now int64) (pkt []byte, seq uint64) {
	if len(reason) > MaxReason {
		reason = reason[:MaxReason]
	}
	return c.sealControl(dst, controlGoodbye, []byte(reason), now), c.sent
}

// sealControl makes a packet that holds a control and nothing else.
func (c *Channel) sealControl(dst []byte, kind uint64, what []byte, now int64) []byte {
	_, flags, n := c.begin(now)
	n += putSegment(c.plain[n:], kind|uint64(len(what))<<8, 0, false)
	n += copy(c.plain[n:], what)
	return c.finish(dst, flags|flagReliable, n)
}

// begin opens the record of the next packet and writes its acknowledgement.
func (c *Channel) begin(now int64) (r *record, flags byte, n int) {
	c.settle(now)
	c.sent++
	r = &c.records[c.sent%sentWindow]
	if r.state == pending { // not heard of for a whole window
		c.lose(r)
	}
	*r = record{seq: c.sent, at: now, state: pending, ack: c.newest, mask: c.receivedMask()}
	if c.resolved+sentWindow <= c.sent {
		c.resolved = c.sent - sentWindow
	}

	flags = flagData
	c.plain[0] = byte(c.newest)
	n = 1
	if r.mask != ^uint32(0) || c.sent%wideEvery == 0 {
		flags |= flagWide
		c.plain[1] = byte(c.newest >> 8)
		n = 2
	}
	for i := range 4 {
		if b := byte(r.mask >> (8 * i)); b != 0xFF {
			flags |= 1 << i
			c.plain[n] = b
			n++
		}
	}
	c.stats.AcksOut += uint64(n)
	return r, flags, n
}

// finish encrypts n bytes of content behind a header.
func (c *Channel) finish(dst []byte, flags byte, n int) []byte {
	at := len(dst)
	dst = append(dst, flags, byte(c.sent), byte(c.sent>>8))
	binary.LittleEndian.PutUint64(c.nonce[4:], c.sent)
	dst = c.sealer.Seal(dst, c.nonce[:], c.plain[:n], dst[at:])
	c.stats.Sent++
	c.stats.BytesOut += uint64(len(dst) - at)
	return dst
}

// Open takes a packet that arrived. The payload is valid until the next Open;
// it is empty in a keep-alive. A packet that was overtaken is returned like
// any other: the caller compares seq. After any error the packet is to be
// dropped and nothing else; only after ErrProtocol is the session to end.
func (c *Channel) Open(pkt []byte, now int64) (payload []byte, seq uint64, err error) {
	if !IsData(pkt) {
		c.stats.Drops.NotData++
		return nil, 0, ErrNotData
	}
	seq = expand(c.newest, binary.LittleEndian.Uint16(pkt[1:]))
	if seq <= c.newest {
		switch {
		case c.newest-seq >= Window:
			c.stats.Drops.Old++
			return nil, 0, ErrOld
		case c.has(seq):
			c.stats.Drops.Replay++
			return nil, 0, ErrReplay
		}
	}
	binary.LittleEndian.PutUint64(c.nonce[4:], seq)
	content, err := c.opener.Open(c.content[:0], c.nonce[:], pkt[headerSize:], pkt[:headerSize])
	if err != nil {
		c.stats.Drops.Auth++
		return nil, 0, ErrAuth
	}

	// From here on it is the peer who speaks.
	flags := pkt[0]
	ack, mask, rest, ok := splitAck(flags, content)
	if ok && flags&flagReliable != 0 {
		rest, err = c.takeReliable(rest)
		if err == ErrFull {
			c.stats.Drops.Full++
			return nil, 0, err
		}
		ok = err == nil
	}
	inOrder := seq > c.newest
	c.mark(seq)
	c.lastRecv = now
	c.stats.Received++
	c.stats.BytesIn += uint64(len(pkt))
	if !ok {
		c.stats.Drops.Protocol++
		c.err = ErrProtocol
		return nil, 0, ErrProtocol
	}
	if inOrder {
		c.takeAck(seq, ack, mask, flags&flagWide != 0, now)
		c.settle(now)
	}
	return rest, seq, nil
}

// splitAck takes the acknowledgement off the front of a packet's content.
func splitAck(flags byte, content []byte) (ack uint16, mask uint32, rest []byte, ok bool) {
	n := 1 + mathbits.OnesCount8(flags&0x0F)
	if flags&flagWide != 0 {
		n++
	}
	if len(content) < n {
		return 0, 0, nil, false
	}
	ack, n = uint16(content[0]), 1
	if flags&flagWide != 0 {
		ack |= uint16(content[1]) << 8
		n = 2
	}
	mask = ^uint32(0)
	for i := range 4 {
		if flags&(1<<i) != 0 {
			mask &^= 0xFF << (8 * i)
			mask |= uint32(content[n]) << (8 * i)
			n++
		}
	}
	return ack, mask, content[n:], true
}

// has reports whether seq, inside the window, was received.
func (c *Channel) has(seq uint64) bool {
	return c.window[seq/64%(Window/64)]>>(seq%64)&1 != 0
}

// mark notes that seq was received.
func (c *Channel) mark(seq uint64) {
	if seq > c.newest {
		first := c.newest + 1
		if seq-c.newest > Window {
			first = seq - Window + 1
		}
		for s := first; s <= seq; s++ {
			c.window[s/64%(Window/64)] &^= 1 << (s % 64)
		}
		c.newest = seq
	}
	c.window[seq/64%(Window/64)] |= 1 << (seq % 64)
}

// receivedMask tells which of the 32 packets before the newest were received,
// the one just before it in the lowest bit.
func (c *Channel) receivedMask() (mask uint32) {
	if c.newest <= ackMask { // the first ones of a session
		mask = ^uint32(0)
		for i := uint64(0); i+1 < c.newest; i++ {
			if !c.has(c.newest - 1 - i) {
				mask &^= 1 << i
			}
		}
		return mask
	}
	first := c.newest - ackMask
	w := c.window[first/64%(Window/64)] >> (first % 64)
	if s := first % 64; s > 64-ackMask {
		w |= c.window[(first/64+1)%(Window/64)] << (64 - s)
	}
	return mathbits.Reverse32(uint32(w))
}

// Newest is the newest sequence number received, 0 before the first.
func (c *Channel) Newest() uint64 { return c.newest }

// Sent is the newest sequence number used.
func (c *Channel) Sent() uint64 { return c.sent }

// LastRecv is when the last authentic packet came; at first, when the Channel
// was made. Whether that is too long ago is the caller's decision.
func (c *Channel) LastRecv() int64 { return c.lastRecv }

// Err is ErrProtocol once the peer has broken the protocol. The session is
// then to end.
func (c *Channel) Err() error { return c.err }

// Goodbye tells whether the peer has ended the session, and why, in its own
// words: they may hold any byte.
func (c *Channel) Goodbye() (reason string, ok bool) {
	return string(c.bye), c.left
}
