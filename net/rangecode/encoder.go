package rangecode

import "math/bits"

// Chances are out of Total.
const (
	TotalBits = 14
	Total     = 1 << TotalBits
)

// bottom is the least width of an interval between two symbols: what is left for
// Total of it is 10 bits, so that rounding costs less than a thousandth.
const bottom = 1 << 24

// Encoder writes symbols into a buffer that the caller owns.
type Encoder struct {
	buf   []byte
	n     int    // bytes out
	low   uint64 // 33 bits: the carry is the top one
	width uint32
	cache byte // last byte, which a carry may still raise
	held  int  // bytes 0xFF after it, likewise
	begun bool // cache holds something
	over  bool
}

// Reset starts anew in buf, whose length is the limit.
func (e *Encoder) Reset(buf []byte) { *e = Encoder{buf: buf, width: ^uint32(0)} }

// Put codes a symbol whose share begins at cum and is freq wide, both out of Total.
func (e *Encoder) Put(cum, freq uint32) {
	r := e.width >> TotalBits
	e.low += uint64(r) * uint64(cum)
	if cum+freq < Total {
		e.width = r * freq
	} else {
		e.width -= r * cum // the last symbol takes what rounding left
	}
	for e.width < bottom {
		e.shift()
		e.width <<= 8
	}
}

// Raw codes the low n bits of v, 0 to 64, all values alike.
func (e *Encoder) Raw(v uint64, n int) {
	for n > 0 {
		k := min(n, 16)
		n -= k
		part := uint32(v>>n) & (1<<k - 1)
		e.width >>= k
		e.low += uint64(e.width) * uint64(part)
		for e.width < bottom {
			e.shift()
			e.width <<= 8
		}
	}
}

// shift takes the top byte off low.
func (e *Encoder) shift() {
	if e.low < 0xFF000000 || e.low > 0xFFFFFFFF {
		carry := byte(e.low >> 32)
		if e.begun {
			e.out(e.cache + carry)
		}
		for ; e.held > 0; e.held-- {
			e.out(0xFF + carry)
		}
		e.cache, e.begun = byte(e.low>>24), true
	} else {
		e.held++
	}
	e.low = e.low << 8 & 0xFFFFFFFF
}

func (e *Encoder) out(b byte) {
	if e.n == len(e.buf) {
		e.over = e.over || b != 0 // zeros past the end are read as such
		return
	}
	e.buf[e.n] = b
	e.n++
}

// Finish ends the stream with the fewest bytes and returns it. After an overflow
// it is not complete.
func (e *Encoder) Finish() []byte {
	e.low = last(e.low, e.width)
	for range 5 {
		e.shift()
	}
	for e.n > 0 && e.buf[e.n-1] == 0 && !e.over {
		e.n--
	}
	return e.buf[:e.n]
}

// last is the value of an interval with the most zero bits at its end.
func last(low uint64, width uint32) uint64 {
	top := low + uint64(width) - 1
	v := top
	for k := 1; k <= 32; k++ {
		w := top >> k << k
		if w < low {
			break
		}
		v = w
	}
	return v
}

// Overflowed reports whether the buffer was too small.
func (e *Encoder) Overflowed() bool { return e.over || e.n+e.held > len(e.buf) }

// Tell returns how much has been put, in 16ths of a bit, rounded.
func (e *Encoder) Tell() int {
	n := e.n + e.held
	if e.begun {
		n++
	}
	return n*8*16 + 32*16 - log16(e.width)
}

// log16 is 16 times the base 2 logarithm of v, rounded down, for v from 2^24 up.
func log16(v uint32) int {
	n := bits.Len32(v) - 1
	m := uint64(v) << (31 - n) // 1.31
	l := n
	for range 4 {
		m = m * m >> 31
		l <<= 1
		if m >= 1<<32 {
			m >>= 1
			l |= 1
		}
	}
	return l
}

// Bytes returns how many bytes the stream has at most if it ended now.
func (e *Encoder) Bytes() int { return (e.Tell()+127)/128 + 1 }

// Mark returns the state for Back.
func (e *Encoder) Mark() Encoder { return *e }

// Back undoes everything since a Mark of this Encoder.
func (e *Encoder) Back(m *Encoder) { *e = *m }
