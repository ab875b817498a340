package bits

import (
	"encoding/binary"
	"errors"
	"math"
	mathbits "math/bits"
	"unicode/utf8"
)

// ErrOverflow says that a Writer had no room for what was written.
var ErrOverflow = errors.New("bits: buffer is full")

// Writer appends to the buffer given to Reset and never past its length.
type Writer struct {
	buf  []byte
	pos  int // in bits; bits at and above pos in byte pos/8 are zero
	over bool
}

// Reset starts anew in buf. len(buf), not its capacity, is the limit.
func (w *Writer) Reset(buf []byte) { *w = Writer{buf: buf} }

// Bits writes the low n bits of v; n is 0 to 64.
func (w *Writer) Bits(v uint64, n int) {
	if n <= 0 {
		return
	}
	if n > 64 || w.over || w.pos+n > len(w.buf)*8 {
		w.over = true
		return
	}
	if n < 64 {
		v &= 1<<n - 1
	}
	i, off := w.pos>>3, w.pos&7
	w.pos += n
	lo := v << off
	if off > 0 {
		lo |= uint64(w.buf[i])
	}
	if i+8 <= len(w.buf) {
		binary.LittleEndian.PutUint64(w.buf[i:], lo)
		if off+n > 64 {
			w.buf[i+8] = byte(v >> (64 - off))
		} else if w.pos&7 == 0 && w.pos>>3 < len(w.buf) {
			w.buf[w.pos>>3] = 0
		}
		return
	}
	for end := (w.pos + 7) >> 3; i < end; i++ {
		w.buf[i] = byte(lo)
		lo >>= 8
	}
}

// Bool writes one bit.
func (w *Writer) Bool(v bool) {
	if v {
		w.Bits(1, 1)
		return
	}
	w.Bits(0, 1)
}

// Golomb writes v as an exponential Golomb code of order k (0 to 31): short
// for small values, 2·log2(v) at worst, one code per value. Order 0 suits
// values that are mostly 0; order k those that are mostly below 1<<k.
func (w *Writer) Golomb(v uint32, k int) {
	if k < 0 || k > 31 {
		w.over = true
		return
	}
	x := uint64(v) + 1<<k
	n := mathbits.Len64(x) - 1 // k to 32
	// n-k ones, a zero, then n bits below the leading one.
	w.Bits(1<<(n-k)-1, n-k+1)
	w.Bits(x&(1<<n-1), n)
}

// Uvar writes an unsigned value in 4 bits when it is below 8, 6 below 24, 8
// below 56 and so on: Golomb of order 3.
func (w *Writer) Uvar(v uint32) { w.Golomb(v, 3) }

// Svar writes a signed value as Uvar does, folded so that small magnitudes
// of either sign are short.
func (w *Writer) Svar(v int32) { w.Uvar(uint32(v<<1) ^ uint32(v>>31)) }

// F32 writes the IEEE 754 bits of v as they are, a NaN's payload included.
func (w *Writer) F32(v float32) { w.Bits(uint64(math.Float32bits(v)), 32) }

// Raw writes p without a length.
func (w *Writer) Raw(p []byte) {
	if w.over || w.pos+len(p)*8 > len(w.buf)*8 {
		w.over = true
		return
	}
	if w.pos&7 == 0 {
		copy(w.buf[w.pos>>3:], p)
		w.pos += len(p) * 8
		return
	}
	for len(p) >= 8 {
		w.Bits(binary.LittleEndian.Uint64(p), 64)
		p = p[8:]
	}
	for _, b := range p {
		w.Bits(uint64(b), 8)
	}
}

// Blob writes a length and p. The reader must allow at least len(p).
func (w *Writer) Blob(p []byte) {
	w.Uvar(uint32(len(p)))
	w.Raw(p)
}

// String writes a length and at most max bytes of s; a longer one is cut,
// not inside a character. The content is not looked at: any byte may occur.
func (w *Writer) String(s string, max int) {
	if len(s) > max {
		for max > 0 && !utf8.RuneStart(s[max]) {
			max--
		}
		s = s[:max]
	}
	w.Uvar(uint32(len(s)))
	if w.over || w.pos+len(s)*8 > len(w.buf)*8 {
		w.over = true
		return
	}
	for i := range len(s) {
		w.Bits(uint64(s[i]), 8)
	}
}

// Align fills up to a whole byte with zero bits.
func (w *Writer) Align() { w.Bits(0, -w.pos&7) }

// Tell is the position in bits, a mark for Truncate.
func (w *Writer) Tell() int { return w.pos }

// Len is the number of bits written.
func (w *Writer) Len() int { return w.pos }

// Room is how many bits may still be written.
func (w *Writer) Room() int {
	if w.over {
		return 0
	}
	return len(w.buf)*8 - w.pos
}

// Truncate goes back to a position that Tell gave and clears an overflow. A
// position that was not written yet is ignored.
func (w *Writer) Truncate(pos int) {
	if pos < 0 || pos > w.pos {
		return
	}
	w.pos, w.over = pos, false
	if off := pos & 7; off > 0 {
		w.buf[pos>>3] &= 1<<off - 1
	}
}

// Overflowed reports whether something did not fit.
func (w *Writer) Overflowed() bool { return w.over }

// Err is ErrOverflow when something did not fit.
func (w *Writer) Err() error {
	if w.over {
		return ErrOverflow
	}
	return nil
}

// Bytes is what was written so far, in the buffer given to Reset, the last
// byte filled up with zero bits.
func (w *Writer) Bytes() []byte { return w.buf[:(w.pos+7)>>3] }
