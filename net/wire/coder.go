package wire

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/rangecode"
)

// ErrRange says that a value on the wire is outside what the schema allows.
var ErrRange = errors.New("wire: value out of range")

// Coder walks a layout: it writes the values it is shown, or reads into them, or
// only notes what they are called and how they are coded. Snapshots are written and
// read in either of two ways: packed bit by bit, or range coded by trained tables.
// Everything else is packed.
type Coder struct {
	w    *bits.Writer
	r    *bits.Reader
	e    *rangecode.Encoder
	d    *rangecode.Decoder
	n    *Counts
	text *strings.Builder
	deep int
}

// Writing returns a Coder that writes.
func Writing(w *bits.Writer) Coder { return Coder{w: w} }

// Reading returns a Coder that reads.
func Reading(r *bits.Reader) Coder { return Coder{r: r} }

// Coding returns a Coder that range codes. Counts, which may be nil, are told of
// everything that is coded.
func Coding(e *rangecode.Encoder, n *Counts) Coder { return Coder{e: e, n: n} }

// Decoding returns a Coder that reads what is range coded.
func Decoding(d *rangecode.Decoder) Coder { return Coder{d: d} }

// reading reports whether values come in.
func (c *Coder) reading() bool { return c.r != nil || c.d != nil }

// Fail marks what is read as unusable; the first error stays.
func (c *Coder) Fail(err error) {
	switch {
	case c.r != nil:
		c.r.Fail(err)
	case c.d != nil:
		c.d.Fail(err)
	}
}

// Err is the first error of what is read.
func (c *Coder) Err() error {
	switch {
	case c.r != nil:
		return c.r.Err()
	case c.d != nil:
		return c.d.Err()
	}
	return nil
}

// End checks that what is read ends here.
func (c *Coder) End() {
	switch {
	case c.r != nil:
		if c.r.Align(); c.r.Remaining() > 0 {
			c.r.Fail(ErrRange)
		}
	case c.d != nil:
		c.d.End()
	}
}

// note adds a line to the description.
func (c *Coder) note(name, how string) {
	fmt.Fprintf(c.text, "%s%s %s\n", strings.Repeat("  ", c.deep+1), name, how)
}

// section starts the description of one layout.
func (c *Coder) section(name string) {
	c.deep = 0
	fmt.Fprintf(c.text, "%s\n", name)
}

type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

type integer interface {
	unsigned | ~int8 | ~int16 | ~int32
}

// fixed is the low n bits of an unsigned value.
func fixed[T unsigned](c *Coder, name string, v *T, n int) {
	switch {
	case c.w != nil:
		c.w.Bits(uint64(*v), n)
	case c.r != nil:
		*v = T(c.r.Bits(n))
	default:
		c.note(name, fmt.Sprintf("u%d", n))
	}
}

// signed is n bits of two's complement.
func signed[T ~int8 | ~int16 | ~int32](c *Coder, name string, v *T, n int) {
	switch {
	case c.w != nil:
		c.w.Bits(uint64(int64(*v)), n)
	case c.r != nil:
		*v = T(int64(c.r.Bits(n)<<(64-n)) >> (64 - n))
	default:
		c.note(name, fmt.Sprintf("s%d", n))
	}
}

// limited is n bits of a value that must stay below limit.
func limited[T unsigned](c *Coder, name string, v *T, n int, limit T) {
	switch {
	case c.w != nil:
		c.w.Bits(uint64(*v), n)
	case c.r != nil:
		if *v = T(c.r.Bits(n)); *v >= limit {
			*v = 0
			c.r.Fail(ErrRange)
		}
	default:
		c.note(name, fmt.Sprintf("u%d < %d", n, limit))
	}
}

// gap is the difference to a base, which wraps at the width of T, in a signed
// Golomb code of order k.
func gap[T integer](c *Coder, name string, v *T, base T, k int) {
	switch {
	case c.w != nil:
		c.w.Golomb(fold(narrow(*v-base)), k)
	case c.r != nil:
		*v = base + T(unfold(c.r.Golomb(k)))
	default:
		c.note(name, fmt.Sprintf("gap golomb%d", k))
	}
}

// narrow sign-extends a difference from the width of T.
func narrow[T integer](d T) int32 {
	switch most := T(0) - 1; {
	case most < 0: // signed already
		return int32(d)
	case uint64(most) == math.MaxUint8:
		return int32(int8(d))
	case uint64(most) == math.MaxUint16:
		return int32(int16(d))
	}
	return int32(d)
}

func fold(v int32) uint32   { return uint32(v<<1) ^ uint32(v>>31) }
func unfold(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }

// uvar is an unsigned value in a Golomb code of order k.
func uvar[T ~uint8 | ~uint16 | ~uint32](c *Coder, name string, v *T, k int) {
	switch {
	case c.w != nil:
		c.w.Golomb(uint32(*v), k)
	case c.r != nil:
		u := c.r.Golomb(k)
		if *v = T(u); uint32(*v) != u {
			c.r.Fail(ErrRange)
		}
	default:
		c.note(name, fmt.Sprintf("golomb%d", k))
	}
}

// float is 32 bits as they are.
func float(c *Coder, name string, v *float32) {
	switch {
	case c.w != nil:
		c.w.F32(*v)
	case c.r != nil:
		*v = c.r.F32()
	default:
		c.note(name, "f32")
	}
}

// flag is one bit.
func flag(c *Coder, name string, v *bool) {
	switch {
	case c.w != nil:
		c.w.Bool(*v)
	case c.r != nil:
		*v = c.r.Bool()
	default:
		c.note(name, "bit")
	}
}

// has is one bit that says whether what follows in the braces is there. The
// caller ends the braces with done.
func (c *Coder) has(name string, is bool) bool {
	switch {
	case c.w != nil:
		c.w.Bool(is)
		return is
	case c.r != nil:
		return c.r.Bool()
	}
	c.note(name, "bit, if set:")
	c.deep++
	return true
}

// group begins a group of values in the description; done ends it.
func (c *Coder) group(name string) {
	if c.text != nil {
		c.note(name, "of")
		c.deep++
	}
}

// done ends what a has, a count or a group began.
func (c *Coder) done() { c.deep-- }

// count is a number of repeated parts, at most most. A description sees one.
func (c *Coder) count(name string, n, most, width int) int {
	switch {
	case c.w != nil:
		c.w.Bits(uint64(n), width)
		return n
	case c.r != nil:
		if n = int(c.r.Bits(width)); n > most {
			c.r.Fail(ErrRange)
			return 0
		}
		return n
	}
	c.note(name, fmt.Sprintf("u%d <= %d, times:", width, most))
	c.deep++
	return 1
}

// text is a length and that many bytes of clean UTF-8.
func text(c *Coder, name string, v *string, most int) {
	switch {
	case c.w != nil:
		c.w.String(Clean(*v, most), most)
	case c.r != nil:
		*v = Clean(c.r.String(most), most)
	default:
		c.note(name, fmt.Sprintf("text <= %d bytes", most))
	}
}

// blob is a length and that many bytes.
func blob(c *Coder, name string, v *[]byte, most int) {
	switch {
	case c.w != nil:
		b := *v
		if len(b) > most {
			b = nil
		}
		c.w.Blob(b)
	case c.r != nil:
		n := int(c.r.Uvar())
		if n > most || n*8 > c.r.Remaining() {
			c.r.Fail(ErrRange)
			return
		}
		*v = make([]byte, n)
		c.r.Raw(*v)
	default:
		c.note(name, fmt.Sprintf("blob <= %d bytes", most))
	}
}

// hash is 32 bytes.
func hash(c *Coder, name string, v *[32]byte) {
	switch {
	case c.w != nil:
		c.w.Raw(v[:])
	case c.r != nil:
		c.r.Raw(v[:])
	default:
		c.note(name, "32 bytes")
	}
}
