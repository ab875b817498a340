package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Version is the frame layout's. A frame of another version is refused whole.
const Version = 2

// Magic is the first four bytes of every frame: "SLF1".
const Magic = 0x31464c53

// HeaderSize is the length of the header in bytes.
const HeaderSize = 16

// Limits of what is decoded.
const (
	MaxFrame    = 4 << 20 // bytes, either way
	MaxState    = 1 << 20 // bytes of a rules state
	MaxSubjects = state.MaxPlayers + state.MaxThings
	MaxViewers  = state.MaxPlayers
	MaxDoors    = 4096
	MaxPieces   = 4096
	MaxSmokes   = 1024
	MaxHoles    = 1024
	MaxEvents   = 16384
	MaxStanding = 1 << 18 // pairs: everybody of 500 by everybody
	MaxText     = 1024    // bytes of one text
)

// Kind says what a frame carries.
type Kind uint8

// The kinds of frame.
const (
	KindInput  Kind = 1 + iota // to a policy: vis.Input
	KindAnswer                 // from a policy: vis.Answer
	KindTick                   // to rules: rules.TickIn
	KindOps                    // from rules: the operations of a tick
	KindSave                   // to rules: please answer with the state
	KindState                  // from rules: the state as of a tick
	KindBye                    // to either: end the stream and exit
	numKinds
)

func (k Kind) String() string {
	if k > 0 && k < numKinds {
		return [...]string{"input", "answer", "tick", "ops", "save", "state", "bye"}[k-1]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// The ways in which a frame can be wrong.
var (
	ErrShort   = errors.New("frame is too short")
	ErrMagic   = errors.New("not a frame")
	ErrVersion = errors.New("frame of another version")
	ErrKind    = errors.New("frame of another kind")
	ErrLimit   = errors.New("frame is over a limit")
	ErrValue   = errors.New("frame holds a value out of range")
	ErrTick    = errors.New("frame is of another tick")
	ErrShape   = errors.New("answer does not have the input's shape")
)

// Header is what every frame begins with.
type Header struct {
	Kind  Kind
	Flags uint8
	Tick  state.Tick
}

// ReadHeader checks the header of a frame and that its stated length is its own.
func ReadHeader(b []byte) (Header, error) {
	if len(b) < HeaderSize {
		return Header{}, ErrShort
	}
	if len(b) > MaxFrame {
		return Header{}, ErrLimit
	}
	if binary.LittleEndian.Uint32(b) != Magic {
		return Header{}, ErrMagic
	}
	if v := binary.LittleEndian.Uint16(b[4:]); v != Version {
		return Header{}, fmt.Errorf("%w: %d, here %d", ErrVersion, v, Version)
	}
	h := Header{Kind: Kind(b[6]), Flags: b[7], Tick: binary.LittleEndian.Uint32(b[8:])}
	if h.Kind == 0 || h.Kind >= numKinds {
		return Header{}, ErrKind
	}
	if n := binary.LittleEndian.Uint32(b[12:]); uint64(n) != uint64(len(b)) {
		return Header{}, fmt.Errorf("%w: says %d bytes, has %d", ErrShort, n, len(b))
	}
	return h, nil
}

// AppendSimple appends a frame of a kind that is a header only (save, bye).
func AppendSimple(dst []byte, k Kind, tick state.Tick) []byte {
	w := begin(dst, k, 0, tick)
	return w.end()
}

// AppendState appends a state frame.
func AppendState(dst []byte, tick state.Tick, saved []byte) []byte {
	w := begin(dst, KindState, 0, tick)
	w.u32(uint32(len(saved)))
	w.b = append(w.b, saved...)
	return w.end()
}

// DecodeState appends the state of a frame to dst and returns it with its tick.
func DecodeState(b, dst []byte) ([]byte, state.Tick, error) {
	r, h, err := open(b, KindState)
	if err != nil {
		return dst, 0, err
	}
	n := r.count(MaxState, 1)
	dst = append(dst, r.take(n)...)
	return dst, h.Tick, r.close()
}

// writer appends the parts of one frame.
type writer struct {
	b     []byte
	start int // of the frame
}

func begin(dst []byte, k Kind, flags uint8, tick state.Tick) writer {
	w := writer{b: dst, start: len(dst)}
	w.u32(Magic)
	w.u16(Version)
	w.u8(uint8(k))
	w.u8(flags)
	w.u32(tick)
	w.u32(0) // the length, known at the end
	return w
}

func (w *writer) end() []byte {
	binary.LittleEndian.PutUint32(w.b[w.start+12:], uint32(len(w.b)-w.start))
	return w.b
}

func (w *writer) u8(v uint8)    { w.b = append(w.b, v) }
func (w *writer) u16(v uint16)  { w.b = binary.LittleEndian.AppendUint16(w.b, v) }
func (w *writer) u32(v uint32)  { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *writer) u64(v uint64)  { w.b = binary.LittleEndian.AppendUint64(w.b, v) }
func (w *writer) f32(v float32) { w.u32(math.Float32bits(v)) }
func (w *writer) v3(v vec.V3)   { w.f32(v.X); w.f32(v.Y); w.f32(v.Z) }

// text appends a length and the bytes, cut at MaxText.
func (w *writer) text(s string) {
	s = s[:min(len(s), MaxText)]
	w.u16(uint16(len(s)))
	w.b = append(w.b, s...)
}

// reader takes the parts of one frame. After the first part that is not there it
// gives zeros, and close says so: a decoder needs one check at its end, and one
// wherever it is about to make memory.
type reader struct {
	b   []byte
	off int
	err error
}

func open(b []byte, k Kind) (reader, Header, error) {
	h, err := ReadHeader(b)
	if err != nil {
		return reader{}, h, err
	}
	if h.Kind != k {
		return reader{}, h, fmt.Errorf("%w: %v, wanted %v", ErrKind, h.Kind, k)
	}
	return reader{b: b, off: HeaderSize}, h, nil
}

// close reports what went wrong, or that bytes are left over.
func (r *reader) close() error {
	if r.err == nil && r.off != len(r.b) {
		r.err = fmt.Errorf("%w: %d bytes left over", ErrValue, len(r.b)-r.off)
	}
	return r.err
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// take returns the next n bytes, and nil when they are not all there.
func (r *reader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.b)-r.off {
		r.fail(ErrShort)
		return nil
	}
	p := r.b[r.off : r.off+n : r.off+n]
	r.off += n
	return p
}

func (r *reader) u8() uint8 {
	if p := r.take(1); p != nil {
		return p[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if p := r.take(2); p != nil {
		return binary.LittleEndian.Uint16(p)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if p := r.take(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if p := r.take(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

func (r *reader) f32() float32 { return math.Float32frombits(r.u32()) }
func (r *reader) v3() vec.V3   { return vec.V3{X: r.f32(), Y: r.f32(), Z: r.f32()} }

// flag reads a byte that is 0 or 1.
func (r *reader) flag() bool {
	v := r.u8()
	if v > 1 {
		r.fail(ErrValue)
	}
	return v == 1
}

// count reads how many rows follow, of at least size bytes each, and gives 0 when
// there are more than limit or more than the frame can hold.
func (r *reader) count(limit, size int) int {
	n := r.u32()
	if r.err != nil {
		return 0
	}
	if uint64(n) > uint64(limit) {
		r.fail(ErrLimit)
		return 0
	}
	if uint64(n)*uint64(size) > uint64(len(r.b)-r.off) {
		r.fail(ErrShort)
		return 0
	}
	return int(n)
}

// text reads a text, giving old back when it is the same: no memory is made for a
// text that repeats.
func (r *reader) text(old string) string {
	n := int(r.u16())
	if n > MaxText {
		r.fail(ErrLimit)
		return ""
	}
	p := r.take(n)
	if string(p) == old {
		return old
	}
	return string(p)
}

// grow returns s with length n, reusing its memory; the contents are whatever was
// there.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		t := make([]T, n, n+n/2)
		copy(t, s[:cap(s)])
		return t
	}
	return s[:n]
}
