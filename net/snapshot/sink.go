package snapshot

import (
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/rangecode"
	"github.com/sightline-engine/sightline/net/wire"
)

// spare is kept free for the ends of lists, in bytes.
const spare = 6

// sink is where a snapshot is written: range coded, or packed bit by bit.
type sink struct {
	packed bool
	plain  bool // said of a packed one
	rc     rangecode.Encoder
	bw     bits.Writer
	room   int // bytes
	buf    [MaxPayload]byte
}

// mark is a place to come back to.
type mark struct {
	rc rangecode.Encoder
	at int
}

// begin starts a snapshot of at most room bytes and returns what writes it.
func (s *sink) begin(room int, n *wire.Counts) wire.Coder {
	s.room = min(room, len(s.buf))
	if s.packed {
		s.bw.Reset(s.buf[:s.room])
		s.bw.Bits(1<<16-1, 16)
		s.bw.Bool(s.plain)
		return wire.Writing(&s.bw)
	}
	s.rc.Reset(s.buf[:s.room])
	c := wire.Coding(&s.rc, n)
	c.Packed()
	return c
}

func (s *sink) mark() mark {
	if s.packed {
		return mark{at: s.bw.Tell()}
	}
	return mark{rc: s.rc.Mark()}
}

func (s *sink) back(m *mark) {
	if s.packed {
		s.bw.Truncate(m.at)
		return
	}
	s.rc.Back(&m.rc)
}

// tell is what was written, in 16ths of a bit.
func (s *sink) tell() int {
	if s.packed {
		return s.bw.Tell() * 16
	}
	return s.rc.Tell()
}

// tight reports whether fewer than free bytes are left.
func (s *sink) tight(free int) bool {
	if s.packed {
		return s.bw.Overflowed() || s.bw.Room() < free*8
	}
	return s.rc.Overflowed() || s.rc.Bytes()+free > s.room
}

// left is how many bytes are free.
func (s *sink) left() int {
	if s.packed {
		return s.bw.Room() / 8
	}
	return max(s.room-s.rc.Bytes(), 0)
}

// finish returns the snapshot; false when it did not fit.
func (s *sink) finish() ([]byte, bool) {
	if s.packed {
		return s.bw.Bytes(), !s.bw.Overflowed()
	}
	b := s.rc.Finish()
	return b, !s.rc.Overflowed()
}
