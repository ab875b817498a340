package rangecode

import "errors"

// ErrShort says that more was read than the stream holds.
var ErrShort = errors.New("rangecode: read past the end")

// ErrEnd says that a stream does not end where it should.
var ErrEnd = errors.New("rangecode: wrong end")

// Slack is how many bytes past its end a Decoder takes for zeros: those that are
// looked at before they matter, and the zeros that Finish leaves out. Of these
// there may be as many as a packet has bytes: a list of nothing but first symbols
// is all zeros.
const Slack = 1200

// Decoder reads what an Encoder wrote.
type Decoder struct {
	buf   []byte
	n     int
	code  uint32 // where the stream's value lies above low
	low   uint32 // of the interval, as the Encoder's without its carry
	width uint32
	err   error
}

// Reset starts anew with buf, which the Decoder only reads.
func (d *Decoder) Reset(buf []byte) {
	*d = Decoder{buf: buf, width: ^uint32(0)}
	for range 4 {
		d.code = d.code<<8 | uint32(d.next())
	}
}

func (d *Decoder) next() byte {
	if d.n >= len(d.buf) {
		if d.n++; d.n > len(d.buf)+Slack {
			d.Fail(ErrShort)
		}
		return 0
	}
	b := d.buf[d.n]
	d.n++
	return b
}

// Get reads a symbol. After an error it is 0.
func (d *Decoder) Get(t Table) int {
	if d.err != nil {
		return 0
	}
	r := d.width >> TotalBits
	at := min(d.code/r, Total-1)
	s := 0
	for int(t[s+1]) <= int(at) {
		s++
	}
	cum := uint32(t[s])
	d.code -= r * cum
	d.low += r * cum
	if s+2 < len(t) {
		d.width = r * (uint32(t[s+1]) - cum)
	} else {
		d.width -= r * cum
	}
	d.fill()
	return s
}

func (d *Decoder) fill() {
	for d.width < bottom {
		d.code = d.code<<8 | uint32(d.next())
		d.low <<= 8
		d.width <<= 8
	}
}

// End checks that the stream ends here, as Finish ends one: one content has one form,
// so that a stream that lacks a byte or has one too many is ErrEnd.
func (d *Decoder) End() {
	if v := last(uint64(d.low), d.width); uint32(v)-d.low != d.code || d.n < len(d.buf) || len(d.buf) > 0 && d.buf[len(d.buf)-1] == 0 {
		d.Fail(ErrEnd)
	}
}

// Raw reads n bits, 0 to 64.
func (d *Decoder) Raw(n int) uint64 {
	var v uint64
	for n > 0 && d.err == nil {
		k := min(n, 16)
		n -= k
		d.width >>= k
		part := min(d.code/d.width, 1<<k-1)
		d.code -= part * d.width
		d.low += part * d.width
		v = v<<k | uint64(part)
		d.fill()
	}
	if d.err != nil {
		return 0
	}
	return v
}

// Fail marks the stream as unusable with an error of the caller's; the first stays.
func (d *Decoder) Fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// Err is the first error, nil when all was well.
func (d *Decoder) Err() error { return d.err }
