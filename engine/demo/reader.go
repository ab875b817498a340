package demo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sort"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// Info is what a demo is.
type Info struct {
	Header
	First, Last state.Tick
	Frames      int
	Keyframes   int
	// Truncated says that the file was cut off, or damaged from Last on, which is
	// Whole bytes from its beginning. Cut says it in a sentence.
	Truncated bool
	Whole     int64
	why       string
}

// Cut says how a demo that is not whole ends, nil when it is whole.
func (i *Info) Cut() error {
	if !i.Truncated {
		return nil
	}
	return fmt.Errorf("%w: %s at byte %d; its first %.1f s, up to tick %d, are whole", ErrCut, i.why, i.Whole, i.Seconds(), i.Last)
}

// Seconds returns how long it plays.
func (i *Info) Seconds() float64 {
	return float64(i.Last-i.First+1) / float64(i.TickRate)
}

// Reader plays a demo.
type Reader struct {
	src  io.ReaderAt
	end  int64 // of the records
	info Info
	keys []key

	at   int64 // of the next record
	have bool  // base is the frame before it
	base Frame
	next Frame
	none Frame // what a keyframe is coded against
	head [recordSize]byte
	buf  []byte
	bits bits.Reader
	code code
}

// Open reads the beginning and the index of a demo of size bytes. One that is not
// a demo of this program is refused with one sentence.
func Open(src io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{src: src}
	var head [headSize]byte
	if n, err := src.ReadAt(head[:min(int64(len(head)), max(size, 0))], 0); n < len(head) {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if string(head[:min(n, len(magic))]) == magic {
			return nil, fmt.Errorf("%w: it ends inside its header", ErrDamaged)
		}
		return nil, foreign(src, size)
	}
	le := binary.LittleEndian
	if string(head[:len(magic)]) != magic {
		return nil, foreign(src, size)
	}
	if v := le.Uint16(head[len(magic):]); v != Version {
		return nil, fmt.Errorf("%w: its layout is number %d, this program's %d", ErrVersion, v, Version)
	}
	n := le.Uint32(head[len(magic)+2:])
	if n > maxHeader || int64(n) > size-headSize {
		return nil, fmt.Errorf("%w: it ends inside its header", ErrDamaged)
	}
	b := make([]byte, n)
	if err := r.read(b, headSize); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(b) != le.Uint32(head[len(magic)+6:]) {
		return nil, fmt.Errorf("%w: its header is not as it was written", ErrDamaged)
	}
	if err := r.info.Header.parse(b); err != nil {
		return nil, err
	}
	start := int64(headSize) + int64(n)
	if r.info.Whole = size; !r.index(start, size) {
		r.info.Truncated = true
		if err := r.scan(start, size); err != nil {
			return nil, err
		}
		r.info.Whole = r.end
	}
	if len(r.keys) == 0 {
		return nil, fmt.Errorf("%w: there is no whole frame in it", ErrDamaged)
	}
	r.info.Keyframes = len(r.keys)
	r.code = code{r: &r.bits, c: wire.Reading(&r.bits), rate: r.info.TickRate}
	r.at = r.keys[0].at
	return r, nil
}

// Fork returns another Reader of the same demo, at its beginning, with a place and
// memory of its own. Two goroutines may each have one if the source may be read by
// both.
func (r *Reader) Fork() *Reader {
	n := &Reader{src: r.src, end: r.end, info: r.info, keys: r.keys, at: r.keys[0].at}
	n.code = code{r: &n.bits, c: wire.Reading(&n.bits), rate: n.info.TickRate}
	return n
}

// Info returns what the demo is.
func (r *Reader) Info() Info { return r.info }

func (r *Reader) read(b []byte, at int64) error {
	n, err := r.src.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: it is shorter than it says", ErrDamaged)
	}
	return err
}

// index reads the keyframes from the end of the file, if they are there.
func (r *Reader) index(start, size int64) bool {
	le := binary.LittleEndian
	var tail [endSize]byte
	if size-endSize < start || r.read(tail[:], size-endSize) != nil || string(tail[8:]) != endMagic {
		return false
	}
	at := le.Uint64(tail[:])
	if at < uint64(start) || at >= uint64(size) {
		return false
	}
	n := size - endSize - int64(at)
	if n < recordSize+indexSize+12 || n > recordSize+indexSize+12*maxIndex {
		return false
	}
	b := make([]byte, n)
	if r.read(b, int64(at)) != nil || b[0] != kindIndex || int64(le.Uint32(b[1:]))+recordSize != n ||
		crc32.ChecksumIEEE(b[recordSize:]) != le.Uint32(b[5:]) {
		return false
	}
	b = b[recordSize:]
	info := r.info
	info.First, info.Last, info.Frames = le.Uint32(b), le.Uint32(b[4:]), int(le.Uint32(b[8:]))
	before := key{at: start - 1}
	var keys []key
	for b = b[indexSize:]; len(b) >= 12; b = b[12:] {
		k := key{le.Uint32(b), int64(le.Uint64(b[4:]))}
		if k.at <= before.at || k.at >= int64(at) || len(keys) > 0 && k.tick <= before.tick {
			return false
		}
		keys, before = append(keys, k), k
	}
	if len(b) != 0 || keys[0].tick != info.First || before.tick > info.Last || info.Frames < len(keys) {
		return false
	}
	r.info, r.keys, r.end = info, keys, int64(at)
	return true
}

// scan finds the keyframes of a file without an index by walking through it, up
// to the first record that is not whole.
func (r *Reader) scan(start, size int64) error {
	in := bufio.NewReaderSize(io.NewSectionReader(r.src, start, size-start), 1<<16)
	var head [recordSize]byte
	for r.end = start; ; {
		if n, err := io.ReadFull(in, head[:]); err != nil {
			if r.info.why = "it ends inside a record"; n == 0 {
				r.info.why = "it has no index and ends"
			}
			return cut(err)
		}
		n, ok := span(&head)
		r.info.why = "it is not as it was written"
		if ok && int64(n) > size-r.end-recordSize {
			r.info.why = "it ends inside a record"
			return nil
		}
		if head[0] == kindIndex {
			r.info.why = "its index ends early or is not as it was written"
		}
		if !ok {
			return nil
		}
		r.room(n)
		if _, err := io.ReadFull(in, r.buf); err != nil {
			return cut(err)
		}
		tick := binary.LittleEndian.Uint32(r.buf)
		frames := r.info.Frames
		switch {
		case crc32.ChecksumIEEE(r.buf) != binary.LittleEndian.Uint32(head[5:]):
			return nil
		case frames == 0 && head[0] != kindKey, frames > 0 && tick <= r.info.Last:
			return nil
		case head[0] == kindKey:
			r.keys = append(thin(r.keys), key{tick, r.end})
		}
		if frames == 0 {
			r.info.First = tick
		}
		r.info.Last, r.info.Frames = tick, frames+1
		r.end += recordSize + int64(n)
	}
}

// cut is nil when a read failed because there was no more.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// span returns the length of a frame's payload, and whether it can be one.
func span(head *[recordSize]byte) (int, bool) {
	n := binary.LittleEndian.Uint32(head[1:])
	return int(n), (head[0] == kindKey || head[0] == kindTick) && n >= 4 && n <= MaxRecord
}

// room makes buf n bytes long.
func (r *Reader) room(n int) {
	if cap(r.buf) < n {
		r.buf = make([]byte, n, n+n/4)
	}
	r.buf = r.buf[:n]
}

// damaged is what a record is that cannot be played.
func (r *Reader) damaged() error {
	return fmt.Errorf("%w at byte %d", ErrDamaged, r.at)
}

// load reads the record at r.at into buf; io.EOF is the end.
func (r *Reader) load() (kind byte, tick state.Tick, err error) {
	if r.at >= r.end {
		return 0, 0, io.EOF
	}
	if r.end-r.at < recordSize {
		return 0, 0, r.damaged()
	}
	if err := r.read(r.head[:], r.at); err != nil {
		return 0, 0, err
	}
	n, ok := span(&r.head)
	if !ok || int64(n) > r.end-r.at-recordSize {
		return 0, 0, r.damaged()
	}
	r.room(n)
	if err := r.read(r.buf, r.at+recordSize); err != nil {
		return 0, 0, err
	}
	if crc32.ChecksumIEEE(r.buf) != binary.LittleEndian.Uint32(r.head[5:]) {
		return 0, 0, r.damaged()
	}
	return r.head[0], binary.LittleEndian.Uint32(r.buf), nil
}

// advance decodes the loaded record into base.
func (r *Reader) advance(kind byte, tick state.Tick) error {
	base := &r.base
	if kind == kindKey {
		base = &r.none
	} else if !r.have || tick <= base.Tick {
		return r.damaged()
	}
	r.next.Tick = tick
	r.bits.Reset(r.buf[4:])
	r.code.frame(&r.next, base)
	if r.bits.Err() != nil {
		return r.damaged()
	}
	r.base, r.next = r.next, r.base
	r.have = true
	r.at += recordSize + int64(len(r.buf))
	return nil
}

// Next reads the next frame into f. The end is io.EOF, that of a file that was
// cut off too.
func (r *Reader) Next(f *Frame) error {
	kind, tick, err := r.load()
	if err == nil {
		err = r.advance(kind, tick)
	}
	if err == nil {
		f.copyFrom(&r.base)
	}
	return err
}

// At fills f with the last frame at or before a tick, so that Next gives the one
// after it; a tick before the demo means its first frame.
func (r *Reader) At(tick state.Tick, f *Frame) error {
	tick = max(tick, r.info.First)
	k := r.keys[max(sort.Search(len(r.keys), func(i int) bool { return r.keys[i].tick > tick })-1, 0)]
	if !r.have || r.base.Tick > tick || r.base.Tick < k.tick { // else it is on the way
		r.at, r.have = k.at, false
	}
	for {
		kind, t, err := r.load()
		if r.have && (errors.Is(err, io.EOF) || err == nil && t > tick) {
			f.copyFrom(&r.base)
			return nil
		}
		if err != nil {
			return err
		}
		if !r.have && kind != kindKey {
			return r.damaged()
		}
		if err := r.advance(kind, t); err != nil {
			return err
		}
	}
}

// Seek makes the next frame the first one at or after a tick; a tick outside the
// demo means its first or last one.
func (r *Reader) Seek(tick state.Tick) error {
	tick = min(max(tick, r.info.First), r.info.Last)
	k := sort.Search(len(r.keys), func(i int) bool { return r.keys[i].tick > tick }) - 1
	r.at, r.have = r.keys[max(k, 0)].at, false
	for {
		kind, t, err := r.load()
		if err != nil {
			return err
		}
		if !r.have && kind != kindKey {
			return r.damaged()
		}
		if t >= tick {
			return nil
		}
		if err := r.advance(kind, t); err != nil {
			return err
		}
	}
}
