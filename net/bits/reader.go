package bits

import (
	"encoding/binary"
	"errors"
	"math"
)

// Errors of a Reader; the first one stays.
var (
	// ErrShort says that more was read than the buffer holds.
	ErrShort = errors.New("bits: read past the end")
	// ErrTooLong says that a length is above what the caller allows.
	ErrTooLong = errors.New("bits: length above the maximum")
	// ErrMalformed says that a code stands for no value.
	ErrMalformed = errors.New("bits: no such code")
)

// Reader takes values out of a buffer in the order in which a Writer put
// them there.
type Reader struct {
	buf []byte
	pos int
	err error
}

// Reset starts anew at the first bit of buf, which the Reader only reads.
func (r *Reader) Reset(buf []byte) { *r = Reader{buf: buf} }

// Bits reads n bits, 0 to 64.
func (r *Reader) Bits(n int) uint64 {
	if n <= 0 || r.err != nil {
		return 0
	}
	if n > 64 || r.pos+n > len(r.buf)*8 {
		r.fail(ErrShort)
		return 0
	}
	i, off := r.pos>>3, r.pos&7
	r.pos += n
	var v uint64
	if i+8 <= len(r.buf) {
		v = binary.LittleEndian.Uint64(r.buf[i:]) >> off
		if off+n > 64 {
			v |= uint64(r.buf[i+8]) << (64 - off)
		}
	} else {
		for k, b := range r.buf[i:] {
			v |= uint64(b) << (8 * k)
		}
		v >>= off
	}
	if n < 64 {
		v &= 1<<n - 1
	}
	return v
}

// Bool reads one bit.
func (r *Reader) Bool() bool { return r.Bits(1) == 1 }

// Golomb reads what Writer.Golomb wrote with the same order.
func (r *Reader) Golomb(k int) uint32 {
	if k < 0 || k > 31 {
		r.fail(ErrMalformed)
		return 0
	}
	n := k
	for r.Bits(1) == 1 {
		if n++; n > 32 {
			r.fail(ErrMalformed)
			return 0
		}
	}
	x := r.Bits(n)
	if r.err != nil {
		return 0
	}
	x = x + 1<<n - 1<<k
	if x > math.MaxUint32 {
		r.fail(ErrMalformed)
		return 0
	}
	return uint32(x)
}

// Uvar reads what Writer.Uvar wrote.
func (r *Reader) Uvar() uint32 { return r.Golomb(3) }

// Svar reads what Writer.Svar wrote.
func (r *Reader) Svar() int32 {
	u := r.Uvar()
	return int32(u>>1) ^ -int32(u&1)
}

// F32 reads 32 bits as a float. Any pattern may come, NaN and infinities
// included: the caller checks.
func (r *Reader) F32() float32 { return math.Float32frombits(uint32(r.Bits(32))) }

// Raw fills p. When the buffer is short, p is set to zeros.
func (r *Reader) Raw(p []byte) {
	if r.err == nil && r.pos+len(p)*8 > len(r.buf)*8 {
		r.fail(ErrShort)
	}
	if r.err != nil {
		clear(p)
		return
	}
	if r.pos&7 == 0 {
		copy(p, r.buf[r.pos>>3:])
		r.pos += len(p) * 8
		return
	}
	for len(p) >= 8 {
		binary.LittleEndian.PutUint64(p, r.Bits(64))
		p = p[8:]
	}
	for i := range p {
		p[i] = byte(r.Bits(8))
	}
}

// Blob reads a length and that many bytes into dst, whose length is the
// maximum, and returns the filled part.
func (r *Reader) Blob(dst []byte) []byte {
	n := r.length(len(dst))
	r.Raw(dst[:n])
	if r.err != nil {
		return dst[:0]
	}
	return dst[:n]
}

// String reads a length and a string of at most max bytes. It allocates.
func (r *Reader) String(max int) string {
	n := r.length(max)
	if n == 0 {
		return ""
	}
	b := make([]byte, n)
	r.Raw(b)
	return string(b)
}

// length reads a length, checked against both the maximum and what is left,
// before anything of that size is made.
func (r *Reader) length(max int) int {
	n := int64(r.Uvar())
	if r.err != nil {
		return 0
	}
	if n > int64(max) {
		r.fail(ErrTooLong)
		return 0
	}
	if n*8 > int64(r.Remaining()) {
		r.fail(ErrShort)
		return 0
	}
	return int(n)
}

// Align skips to the next whole byte. Bits other than zero there are an
// error, so that one content has one form.
func (r *Reader) Align() {
	if r.Bits(-r.pos&7) != 0 {
		r.fail(ErrMalformed)
	}
}

// Rest is what follows the next whole byte, in the buffer given to Reset;
// the Reader is then at its end.
func (r *Reader) Rest() []byte {
	r.Align()
	if r.err != nil {
		return nil
	}
	rest := r.buf[r.pos>>3:]
	r.pos = len(r.buf) * 8
	return rest
}

// Tell is the position in bits.
func (r *Reader) Tell() int { return r.pos }

// Remaining is the number of bits left, 0 after an error.
func (r *Reader) Remaining() int {
	if r.err != nil {
		return 0
	}
	return len(r.buf)*8 - r.pos
}

// Fail marks the buffer as unusable with an error of the caller's own, for a
// value that is out of its range. The first error stays.
func (r *Reader) Fail(err error) { r.fail(err) }

// Err is the first error, nil when all was well.
func (r *Reader) Err() error { return r.err }

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}
