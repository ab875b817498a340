package scenario

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// The two logs of a match whose server and clients are in different processes. A file is
// eight bytes that say what it is (truthMagic, eyesMagic) and records: the record's
// length as a varint, and so many bytes. Numbers are little-endian; v is a varint, z one
// of a signed number in zigzag, f a float32's bits.
//
// The server's file has a record for each tick:
//
//	tick u32, at i64
//	players  v, each: id u16, position 3 z, velocity 3 z, yaw u16, pitch u16, duck u8, lean u8, teleports u8, alive u8
//	doors    u8: 0 as in the record before, 1 they follow: v, each: open u8, start u32, from u16
//	pieces   u8: likewise: v, each: broken u8, at u32
//	smokes   v, each: id u16, start u32, middle 3 f, radius u16
//	holes    v, each: id u16, smoke u16, start u32, middle 3 f, radius u16
//	told     v, each: viewer u16, target u16, reason u8
//
// A crew's file has two kinds of record, told apart by their first byte:
//
//	1, a frame:    on u8, viewer u16, now i64, arrived u32, tick u32, frac u8, eye 3 f, alive u8, teleports u8, blind u16, drawn v, each u16
//	2, a snapshot: viewer u16, now i64, tick u32, players v, each u16
//
// A reader refuses what is not of this form, and what is longer than a match can make
// it; it never believes a length before the bytes are there.
const (
	truthMagic = "sltruth1"
	eyesMagic  = "sleyes.1"

	maxLogRecord = 1 << 20 // bytes
	maxLogList   = 1 << 16 // of anything
)

// ErrLog is that a log's bytes are not what such a log is made of.
var ErrLog = errors.New("scenario: damaged log")

// logWriter writes records until so many bytes are full.
type logWriter struct {
	w    *bufio.Writer
	room int64
	full bool
	buf  []byte
	head [binary.MaxVarintLen64]byte
}

func newLogWriter(w io.Writer, magic string, most int64) logWriter {
	l := logWriter{w: bufio.NewWriterSize(w, 1<<16), room: most - int64(len(magic))}
	_, _ = l.w.WriteString(magic) // an error stays with the writer until Flush
	return l
}

// put writes buf as a record.
func (l *logWriter) put() {
	n := binary.PutUvarint(l.head[:], uint64(len(l.buf)))
	size := int64(n + len(l.buf))
	if l.full = l.full || size > l.room || len(l.buf) > maxLogRecord; l.full {
		return
	}
	l.room -= size
	_, _ = l.w.Write(l.head[:n])
	_, _ = l.w.Write(l.buf)
}

// Full reports whether the log's bytes were used up, and records left out.
func (l *logWriter) Full() bool { return l.full }

// Flush hands on what has been written so far.
func (l *logWriter) Flush() error { return l.w.Flush() }

// End hands on what has been written and takes no more, so that whoever reads the file
// from now on finds whole records. It reports whether records were left out before.
func (l *logWriter) End() (full bool, err error) {
	full, l.full = l.full, true
	return full, l.w.Flush()
}

// TruthLog writes what a server knows.
type TruthLog struct {
	logWriter
	doors  []state.DoorState
	pieces []state.Piece
	any    bool
}

// NewTruthLog begins a log of so many bytes at most.
func NewTruthLog(w io.Writer, most int64) *TruthLog {
	return &TruthLog{logWriter: newLogWriter(w, truthMagic, most)}
}

// Add writes a tick.
func (l *TruthLog) Add(t *Truth) {
	b := l.buf[:0]
	b = binary.LittleEndian.AppendUint32(b, t.Tick)
	b = binary.LittleEndian.AppendUint64(b, uint64(t.At))
	b = binary.AppendUvarint(b, uint64(len(t.IDs)))
	for i, id := range t.IDs {
		o := &t.Bodies[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(id))
		for _, q := range [2]state.Q{o.Pos, o.Vel} {
			b = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(b, int64(q.X)), int64(q.Y)), int64(q.Z))
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(o.Yaw))
		b = binary.LittleEndian.AppendUint16(b, uint16(o.Pitch))
		b = append(b, o.Duck, uint8(o.Lean), o.Teleports, bit(o.Alive))
	}
	if l.any && equal(l.doors, t.Doors) {
		b = append(b, 0)
	} else {
		l.doors = append(l.doors[:0], t.Doors...)
		b = binary.AppendUvarint(append(b, 1), uint64(len(t.Doors)))
		for i := range t.Doors {
			d := &t.Doors[i]
			b = binary.LittleEndian.AppendUint32(append(b, bit(d.Open)), d.Start)
			b = binary.LittleEndian.AppendUint16(b, d.From)
		}
	}
	if l.any && equal(l.pieces, t.Pieces) {
		b = append(b, 0)
	} else {
		l.pieces = append(l.pieces[:0], t.Pieces...)
		b = binary.AppendUvarint(append(b, 1), uint64(len(t.Pieces)))
		for i := range t.Pieces {
			b = binary.LittleEndian.AppendUint32(append(b, bit(t.Pieces[i].Broken)), t.Pieces[i].At)
		}
	}
	l.any = true
	b = binary.AppendUvarint(b, uint64(len(t.Smokes)))
	for i := range t.Smokes {
		s := &t.Smokes[i]
		b = appendBall(binary.LittleEndian.AppendUint16(b, uint16(s.ID)), s.Start, s.Pos, s.Radius)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Holes)))
	for i := range t.Holes {
		h := &t.Holes[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(h.ID))
		b = appendBall(binary.LittleEndian.AppendUint16(b, uint16(h.Smoke)), h.Start, h.Pos, h.Radius)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Told)))
	for i := range t.Told {
		w := &t.Told[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(w.Viewer))
		b = append(binary.LittleEndian.AppendUint16(b, uint16(w.Target)), uint8(w.Reason))
	}
	l.buf = b
	l.put()
}

func appendBall(b []byte, start state.Tick, at vec.V3, radius uint16) []byte {
	b = appendV3(binary.LittleEndian.AppendUint32(b, start), at)
	return binary.LittleEndian.AppendUint16(b, radius)
}

func appendV3(b []byte, v vec.V3) []byte {
	for _, f := range [3]float32{v.X, v.Y, v.Z} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func bit(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// The kinds of record of an EyeLog.
const (
	recFrame = 1
	recHeard = 2
)

// EyeLog writes what clients draw, and what comes to them.
type EyeLog struct{ logWriter }

// NewEyeLog begins a log of so many bytes at most.
func NewEyeLog(w io.Writer, most int64) *EyeLog { return &EyeLog{newLogWriter(w, eyesMagic, most)} }

// Frame writes a frame; on says that it counts.
func (l *EyeLog) Frame(g *Glimpse, on bool) {
	b := append(l.buf[:0], recFrame, bit(on))
	b = binary.LittleEndian.AppendUint16(b, uint16(g.Viewer))
	b = binary.LittleEndian.AppendUint64(b, uint64(g.Now))
	b = binary.LittleEndian.AppendUint32(b, g.Arrived)
	b = append(binary.LittleEndian.AppendUint32(b, g.Tick), g.Frac)
	b = append(appendV3(b, g.Eye), bit(g.Alive), g.Teleports)
	b = binary.LittleEndian.AppendUint16(b, g.Blind)
	l.buf = appendIDs(b, g.Drawn)
	l.put()
}

// Heard writes a snapshot that came.
func (l *EyeLog) Heard(h *Heard) {
	b := binary.LittleEndian.AppendUint16(append(l.buf[:0], recHeard), uint16(h.Viewer))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Now))
	l.buf = appendIDs(binary.LittleEndian.AppendUint32(b, h.Tick), h.IDs)
	l.put()
}

func appendIDs(b []byte, ids []state.ID) []byte {
	b = binary.AppendUvarint(b, uint64(len(ids)))
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint16(b, uint16(id))
	}
	return b
}

// logReader reads records.
type logReader struct {
	r   *bufio.Reader
	buf []byte
	in  []byte // what is left of the record
	bad bool
}

func newLogReader(r io.Reader, magic string) (logReader, error) {
	l := logReader{r: bufio.NewReaderSize(r, 1<<16)}
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(l.r, head); err != nil || string(head) != magic {
		return l, fmt.Errorf("%w: it does not begin with %q", ErrLog, magic)
	}
	return l, nil
}

// next reads a record; io.EOF where there is none any more.
func (l *logReader) next() error {
	n, err := binary.ReadUvarint(l.r)
	switch {
	case errors.Is(err, io.EOF) && n == 0 && !errors.Is(err, io.ErrUnexpectedEOF):
		return io.EOF
	case err != nil:
		return fmt.Errorf("%w: %w", ErrLog, err)
	case n > maxLogRecord:
		return fmt.Errorf("%w: a record of %d bytes", ErrLog, n)
	}
	for l.buf = l.buf[:0]; uint64(len(l.buf)) < n; {
		from := len(l.buf)
		l.buf = append(l.buf, make([]byte, min(n-uint64(from), 1<<16))...)
		if _, err := io.ReadFull(l.r, l.buf[from:]); err != nil {
			return fmt.Errorf("%w: a record ends in the middle", ErrLog)
		}
	}
	l.in, l.bad = l.buf, false
	return nil
}

// done reports whether the record was read without a fault, to its end.
func (l *logReader) done(what string) error {
	if l.bad || len(l.in) > 0 {
		return fmt.Errorf("%w: a record of %s is not of its form", ErrLog, what)
	}
	return nil
}

func (l *logReader) take(n int) []byte {
	if len(l.in) < n {
		l.in, l.bad = nil, true
		return make([]byte, 8)[:n]
	}
	b := l.in[:n]
	l.in = l.in[n:]
	return b
}

func (l *logReader) u8() uint8   { return l.take(1)[0] }
func (l *logReader) u16() uint16 { return binary.LittleEndian.Uint16(l.take(2)) }
func (l *logReader) u32() uint32 { return binary.LittleEndian.Uint32(l.take(4)) }
func (l *logReader) i64() int64  { return int64(binary.LittleEndian.Uint64(l.take(8))) }

func (l *logReader) flag() bool {
	v := l.u8()
	l.bad = l.bad || v > 1
	return v == 1
}

// coord reads a signed number of 32 bits.
func (l *logReader) coord() int32 {
	v, n := binary.Varint(l.in)
	if n <= 0 || v != int64(int32(v)) {
		l.in, l.bad = nil, true
		return 0
	}
	l.in = l.in[n:]
	return int32(v)
}

func (l *logReader) q() state.Q { return state.Q{X: l.coord(), Y: l.coord(), Z: l.coord()} }

func (l *logReader) v3() vec.V3 {
	f := func() float32 { return math.Float32frombits(l.u32()) }
	return vec.V3{X: f(), Y: f(), Z: f()}
}

// list reads how many entries follow, of so many bytes at least each.
func (l *logReader) list(most, least int) int {
	n, k := binary.Uvarint(l.in)
	if k <= 0 || n > uint64(most) || n*uint64(least) > uint64(len(l.in)-k) {
		l.in, l.bad = nil, true
		return 0
	}
	l.in = l.in[k:]
	return int(n)
}

func (l *logReader) ids(dst []state.ID) []state.ID {
	for range l.list(state.MaxPlayers, 2) {
		dst = append(dst, state.ID(l.u16()))
	}
	return dst
}

// TruthReader reads what a TruthLog wrote.
type TruthReader struct {
	logReader
	doors  []state.DoorState
	pieces []state.Piece
}

// NewTruthReader begins to read.
func NewTruthReader(r io.Reader) (*TruthReader, error) {
	l, err := newLogReader(r, truthMagic)
	return &TruthReader{logReader: l}, err
}

// Next reads a tick into t; io.EOF after the last one.
func (l *TruthReader) Next(t *Truth) error {
	if err := l.next(); err != nil {
		return err
	}
	t.Tick, t.At = l.u32(), l.i64()
	t.IDs, t.Bodies = t.IDs[:0], t.Bodies[:0]
	for range l.list(state.MaxPlayers, 16) {
		t.IDs = append(t.IDs, state.ID(l.u16()))
		o := state.Body{Pos: l.q(), Vel: l.q(), Yaw: state.Angle16(l.u16()), Pitch: state.Angle16(l.u16())}
		o.Duck, o.Lean, o.Teleports, o.Alive = l.u8(), int8(l.u8()), l.u8(), l.flag()
		t.Bodies = append(t.Bodies, o)
	}
	if l.flag() {
		l.doors = l.doors[:0]
		for range l.list(maxLogList, 7) {
			l.doors = append(l.doors, state.DoorState{Open: l.flag(), Start: l.u32(), From: l.u16()})
		}
	}
	if l.flag() {
		l.pieces = l.pieces[:0]
		for range l.list(maxLogList, 5) {
			l.pieces = append(l.pieces, state.Piece{Broken: l.flag(), At: l.u32()})
		}
	}
	t.Doors, t.Pieces = append(t.Doors[:0], l.doors...), append(t.Pieces[:0], l.pieces...)
	t.Smokes = t.Smokes[:0]
	for range l.list(maxLogList, 20) {
		t.Smokes = append(t.Smokes, state.Smoke{ID: state.ID(l.u16()), Start: l.u32(), Pos: l.v3(), Radius: l.u16()})
	}
	t.Holes = t.Holes[:0]
	for range l.list(maxLogList, 22) {
		t.Holes = append(t.Holes, state.Hole{ID: state.ID(l.u16()), Smoke: state.ID(l.u16()), Start: l.u32(), Pos: l.v3(), Radius: l.u16()})
	}
	t.Told = t.Told[:0]
	for range l.list(state.MaxPlayers*state.MaxPlayers, 5) {
		w := Told{state.ID(l.u16()), state.ID(l.u16()), vis.Reason(l.u8())}
		l.bad = l.bad || w.Reason >= vis.NumReasons
		t.Told = append(t.Told, w)
	}
	return l.done("a tick")
}

// EyeReader reads what an EyeLog wrote.
type EyeReader struct{ logReader }

// NewEyeReader begins to read.
func NewEyeReader(r io.Reader) (*EyeReader, error) {
	l, err := newLogReader(r, eyesMagic)
	return &EyeReader{l}, err
}

// Next reads a record: a frame into g, and whether it counts, or a snapshot into h, of
// which heard tells; io.EOF after the last one.
func (l *EyeReader) Next(g *Glimpse, h *Heard) (heard, on bool, err error) {
	if err := l.next(); err != nil {
		return false, false, err
	}
	switch l.u8() {
	case recFrame:
		on = l.flag()
		*g = Glimpse{
			Viewer: state.ID(l.u16()), Now: l.i64(), Arrived: l.u32(), Tick: l.u32(), Frac: l.u8(),
			Eye: l.v3(), Alive: l.flag(), Teleports: l.u8(), Blind: l.u16(), Drawn: l.ids(g.Drawn[:0]),
		}
		return false, on, l.done("a frame")
	case recHeard:
		*h = Heard{Viewer: state.ID(l.u16()), Now: l.i64(), Tick: l.u32(), IDs: l.ids(h.IDs[:0])}
		return true, false, l.done("a snapshot")
	}
	return false, false, fmt.Errorf("%w: a record of an unknown kind", ErrLog)
}
