package kit

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/game/state"
)

// Writer appends a state, little-endian.
type Writer struct{ B []byte }

// U8, U16 and U32 append a number, Bits up to eight truths, Text at most 255 bytes.
func (w *Writer) U8(v uint8) { w.B = append(w.B, v) }

// U16 appends 16 bits.
func (w *Writer) U16(v uint16) { w.B = binary.LittleEndian.AppendUint16(w.B, v) }

// U32 appends 32 bits.
func (w *Writer) U32(v uint32) { w.B = binary.LittleEndian.AppendUint32(w.B, v) }

// Bits appends up to eight truths.
func (w *Writer) Bits(flags ...bool) {
	var b uint8
	for i, f := range flags {
		if f {
			b |= 1 << i
		}
	}
	w.U8(b)
}

// Text appends at most 255 bytes.
func (w *Writer) Text(s string) {
	s = s[:min(len(s), 255)]
	w.U8(uint8(len(s)))
	w.B = append(w.B, s...)
}

// Reader reads what a Writer wrote. After the first thing that cannot be, Bad is set
// and everything reads as zero: look at it once, at the end.
type Reader struct {
	B   []byte
	Bad bool
}

func (r *Reader) take(n int) []byte {
	if r.Bad || n > len(r.B) {
		r.Bad = true
		return nil
	}
	b := r.B[:n]
	r.B = r.B[n:]
	return b
}

// U8 reads a number up to most.
func (r *Reader) U8(most uint8) uint8 {
	b := r.take(1)
	if b == nil || b[0] > most {
		r.Bad = true
		return 0
	}
	return b[0]
}

// U16 reads 16 bits.
func (r *Reader) U16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads 32 bits.
func (r *Reader) U32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Bits reads n truths into flags.
func (r *Reader) Bits(flags ...*bool) {
	b := r.U8(uint8(1<<len(flags) - 1))
	for i, f := range flags {
		*f = b&(1<<i) != 0
	}
}

// Text reads at most n bytes of clean UTF-8.
func (r *Reader) Text(n int) string {
	b := r.take(int(r.U8(uint8(min(n, 255)))))
	if !utf8.Valid(b) {
		r.Bad = true
		return ""
	}
	return string(b)
}

// ID reads a player's id greater than the one before, so that a list of players has
// one form only.
func (r *Reader) ID(before state.ID) state.ID {
	id := state.ID(r.U16())
	if id <= before || !id.IsPlayer() {
		r.Bad = true
		return 0
	}
	return id
}

// Done reports whether everything was read and was as it can be.
func (r *Reader) Done() bool { return !r.Bad && len(r.B) == 0 }
