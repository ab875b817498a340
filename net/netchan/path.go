package netchan

import "encoding/binary"

// ProbeSize is the least length of a probe: a question, which answers it, is never
// longer.
const ProbeSize = headerSize + 1 + segmentHead + probeZeros + tagSize

const (
	numberSize = 8
	probeZeros = numberSize + maxAckSize - 1
)

// pathControl is what the peer has said of the path and nobody has taken yet. The
// newest counts.
type pathControl struct {
	ask, answer       uint64
	hasAsk, hasAnswer bool
}

// take takes a control; it reports whether it is one of the path and well formed.
func (p *pathControl) take(kind byte, what []byte) bool {
	switch {
	case kind == controlAsk && len(what) == numberSize:
		p.ask, p.hasAsk = binary.LittleEndian.Uint64(what), true
	case kind == controlAnswer && len(what) == numberSize:
		p.answer, p.hasAnswer = binary.LittleEndian.Uint64(what), true
	case kind == controlProbe && len(what) == probeZeros:
	default:
		return false
	}
	return true
}

// SealProbe makes a packet that says nothing, long enough to be answered by a
// question.
func (c *Channel) SealProbe(dst []byte, now int64) []byte {
	var zeros [probeZeros]byte
	return c.sealControl(dst, controlProbe, zeros[:], now)
}

// SealAsk makes a packet that asks the peer to answer with number.
func (c *Channel) SealAsk(dst []byte, number uint64, now int64) []byte {
	return c.sealNumber(dst, controlAsk, number, now)
}

// SealAnswer makes a packet that answers one.
func (c *Channel) SealAnswer(dst []byte, number uint64, now int64) []byte {
	return c.sealNumber(dst, controlAnswer, number, now)
}

func (c *Channel) sealNumber(dst []byte, kind, number uint64, now int64) []byte {
	var b [numberSize]byte
	binary.LittleEndian.PutUint64(b[:], number)
	return c.sealControl(dst, kind, b[:], now)
}

// Asked takes the number that the peer wants answered, if it does.
func (c *Channel) Asked() (number uint64, ok bool) {
	ok, c.path.hasAsk = c.path.hasAsk, false
	return c.path.ask, ok
}

// Answered takes the number that the peer has answered with, if it has.
func (c *Channel) Answered() (number uint64, ok bool) {
	ok, c.path.hasAnswer = c.path.hasAnswer, false
	return c.path.answer, ok
}
