package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/game/state"
)

// Info is what a part of a ledger is.
type Info struct {
	Header
	First, Last state.Tick // of its records; Last also of the match, where it has an end
	Records     int
	Chunks      int
	// Whole is how many bytes can be read; Truncated says that the end is missing.
	Whole     int64
	Truncated bool
	why       string
}

// Cut says how a ledger that is not whole ends, nil when it is whole.
func (i *Info) Cut() error {
	if !i.Truncated {
		return nil
	}
	return fmt.Errorf("%w: %s at byte %d; its %d records up to tick %d are whole", ErrCut, i.why, i.Whole, i.Records, i.Last)
}

// Reader gives out the records of one part, in order.
type Reader struct {
	src  io.ReaderAt
	info Info
	from int64 // of the first chunk
	at   int64 // of the next chunk
	left uint32
	prev state.Tick
	last state.Tick // that the chunk may reach
	buf  []byte
	code code
}

// Open checks a file and finds its end: chunk by chunk, up to the first that is not
// as it was written. The error is one sentence.
func Open(src io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{src: src}
	var head [headSize]byte
	n, err := src.ReadAt(head[:min(headSize, max(size, 0))], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if n < len(magic) || string(head[:len(magic)]) != magic {
		return nil, foreign(src, size)
	}
	if n < headSize {
		return nil, fmt.Errorf("%w: it ends inside its header", ErrCut)
	}
	le := binary.LittleEndian
	if v := le.Uint16(head[8:]); v != Version {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrVersion, v, Version)
	}
	length := le.Uint32(head[10:])
	if length > maxHeader {
		return nil, fmt.Errorf("%w: its header cannot be read", ErrDamaged)
	}
	b := make([]byte, length)
	if n, _ := src.ReadAt(b, headSize); n < len(b) {
		return nil, fmt.Errorf("%w: it ends inside its header", ErrCut)
	}
	if crc32.ChecksumIEEE(b) != le.Uint32(head[14:]) {
		return nil, fmt.Errorf("%w: its header cannot be read", ErrDamaged)
	}
	if err := r.info.Header.parse(b); err != nil {
		return nil, err
	}
	r.from = headSize + int64(length)
	if err := r.walk(size); err != nil {
		return nil, err
	}
	r.Rewind()
	return r, nil
}

// walk finds the end of what is whole.
func (r *Reader) walk(size int64) error {
	i := &r.info
	i.First, i.Last, i.Truncated = i.Origin, i.Origin, true
	at, begun, gone := r.from, false, uint32(0)
	for {
		i.Whole = at
		h, err := r.chunk(at, size)
		if err != nil {
			if _, ok := err.(cut); !ok {
				return err
			}
			i.why = err.Error()
			return nil
		}
		if !begun {
			begun, i.First = true, h.first
		} else {
			// Ticks wrap, but a ledger is not as long as that.
			step := h.first - i.Last
			if step >= 1<<31 || gone+step >= 1<<31 {
				i.why = "its ticks go backwards"
				return nil
			}
			gone += step
		}
		gone += h.last - h.first
		if gone >= 1<<31 {
			i.why = "its ticks go backwards"
			return nil
		}
		i.Last = h.last
		i.Records += int(h.count)
		i.Chunks++
		at += int64(chunkHead + len(r.buf))
		if h.kind == kindEnd {
			i.Whole, i.Truncated = at, false
			if at != size {
				i.Truncated, i.why = true, "more follows its end"
			}
			return nil
		}
	}
}

// cut is why a chunk is not whole.
type cut string

func (c cut) Error() string { return string(c) }

type chunk struct {
	kind        byte
	first, last state.Tick
	count       uint32
}

// chunk reads the chunk at a place into r.buf.
func (r *Reader) chunk(at, size int64) (h chunk, err error) {
	var head [chunkHead]byte
	if at == size {
		return h, cut("it has no end")
	}
	if err := r.read(head[:], at); err != nil {
		return h, err
	}
	le := binary.LittleEndian
	h.kind = head[0]
	n := le.Uint32(head[1:])
	if h.kind != kindRecords && h.kind != kindEnd || n < chunkBase || n > MaxChunk {
		return h, cut("it is damaged")
	}
	if cap(r.buf) < MaxChunk {
		r.buf = make([]byte, MaxChunk)
	}
	r.buf = r.buf[:n]
	if err := r.read(r.buf, at+chunkHead); err != nil {
		return h, err
	}
	if crc32.ChecksumIEEE(r.buf) != le.Uint32(head[5:]) {
		return h, cut("it is damaged")
	}
	h.first, h.last, h.count = le.Uint32(r.buf), le.Uint32(r.buf[4:]), le.Uint32(r.buf[8:])
	if h.last-h.first >= 1<<31 || h.count > n { // a record is longer than a byte
		return h, cut("it is damaged")
	}
	return h, nil
}

func (r *Reader) read(b []byte, at int64) error {
	n, err := r.src.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return cut("it ends inside a chunk")
	}
	return err
}

// Info returns what the part is.
func (r *Reader) Info() Info { return r.info }

// Rewind begins again with the first record.
func (r *Reader) Rewind() { r.at, r.left, r.code.buf = r.from, 0, nil }

// Next reads the next record; io.EOF ends what is whole.
func (r *Reader) Next(rec *Record) error {
	for r.left == 0 {
		if r.at >= r.info.Whole {
			return io.EOF
		}
		h, err := r.chunk(r.at, r.info.Whole)
		if err != nil {
			return fmt.Errorf("%w at byte %d", ErrDamaged, r.at) // it was whole in Open
		}
		r.at += int64(chunkHead + len(r.buf))
		r.left, r.prev, r.last = h.count, h.first, h.last
		r.code = code{buf: r.buf[chunkBase:]}
	}
	*rec = Record{}
	r.code.record(rec, r.prev)
	if r.code.err == nil && (rec.Tick-r.prev >= 1<<31 || int32(r.last-rec.Tick) < 0) {
		r.code.err = errRecord
	}
	if r.code.err != nil {
		r.left, r.at = 0, r.info.Whole
		return fmt.Errorf("%w: %w", ErrDamaged, r.code.err)
	}
	r.prev = rec.Tick
	r.left--
	return nil
}

// OpenFile opens the part in a file; done closes it. The error names the file.
func OpenFile(name string) (r *Reader, done func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("not a file")
	}
	if err == nil {
		r, err = Open(f, st.Size())
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, f.Close, nil
}

// foreign says in one sentence what a file is that is no ledger, as far as its
// beginning tells.
func foreign(src io.ReaderAt, size int64) error {
	var b [256]byte
	n, _ := src.ReadAt(b[:min(int64(len(b)), max(size, 0))], 0)
	head := b[:n]
	if n == 0 {
		return fmt.Errorf("%w: it is empty", ErrForeign)
	}
	for _, m := range [...]struct{ mark, what string }{
		{"SLDEMO\r\n", "a demo: sightline demo reads it"},
		{"PK\x03\x04", "a zip archive"},
		{"\x1f\x8b", "packed by gzip: unpack it first"},
		{"\x28\xb5\x2f\xfd", "packed by zstd: unpack it first"},
		{"\x7fELF", "a program"},
	} {
		if n >= len(m.mark) && string(head[:len(m.mark)]) == m.mark {
			return fmt.Errorf("%w: it is %s", ErrForeign, m.what)
		}
	}
	if n < len(magic) && magic[:n] == string(head) {
		return fmt.Errorf("%w: it ends inside its header", ErrCut)
	}
	for at := 0; at < n; {
		c, w := utf8.DecodeRune(head[at:])
		if c == utf8.RuneError && w == 1 && n-at >= utf8.UTFMax || c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return ErrForeign
		}
		at += w
	}
	return fmt.Errorf("%w: it is a text", ErrForeign)
}
