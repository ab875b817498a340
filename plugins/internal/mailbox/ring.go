package mailbox

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"sync/atomic"
	"unsafe"

	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// Capability is the word by which a plugin says that it can use a box. The layout of
// the memory is part of it: another layout has another word.
const Capability = "mailbox1"

// EnvFirst names the variable with the first of the four descriptors that a plugin
// is handed: requests, answers, the bell for requests, the bell for answers.
const EnvFirst = "SIGHTLINE_MAILBOX"

// Slots is how many frames each way can be under way.
const Slots = 4

// The layout of a piece, in bytes. Memory that nothing was written to is not there:
// room for the longest frame costs nothing.
const (
	page     = 4096
	newestAt = 64 // in the head: how many frames have been put, u32
	slotHead = 64 // sequence u32, length u32, stamp i64, sum u32
	slotSize = codec.MaxFrame + page
	pieceLen = page + Slots*slotSize
)

// The ways in which a frame in a box can be wrong.
var (
	ErrTorn        = errors.New("a frame in shared memory changed while it was read")
	ErrLength      = errors.New("a frame in shared memory is longer than any may be")
	ErrSum         = errors.New("a frame in shared memory does not agree with its sum")
	ErrUnsupported = errors.New("this system has no shared memory for plugins")
)

// word is a number in shared memory, which the other side may change at any time.
func word(mem []byte, at int) *uint32 { return (*uint32)(unsafe.Pointer(&mem[at])) }
func long(mem []byte, at int) *int64  { return (*int64)(unsafe.Pointer(&mem[at])) }

// slotAt is where the slot of the n-th frame begins.
func slotAt(n uint32) int { return page + int(n%Slots)*slotSize }

// summer sums a frame with its number, length and stamp.
type summer struct {
	table *crc32.Table
	head  [16]byte
}

func newSummer() summer { return summer{table: crc32.MakeTable(crc32.Castagnoli)} }

func (s *summer) sum(n uint32, stamp int64, frame []byte) uint32 {
	binary.LittleEndian.PutUint32(s.head[0:], n)
	binary.LittleEndian.PutUint32(s.head[4:], uint32(len(frame)))
	binary.LittleEndian.PutUint64(s.head[8:], uint64(stamp))
	return crc32.Update(crc32.Checksum(s.head[:], s.table), s.table, frame)
}

// Writer puts frames into a piece. Make it with NewWriter.
type Writer struct {
	mem []byte
	n   uint32 // frames put
	sum summer
}

// NewWriter writes into a piece of PieceLen bytes.
func NewWriter(mem []byte) Writer { return Writer{mem: mem, sum: newSummer()} }

// Put puts a frame, with the writer's clock in nanoseconds. A frame that is too long
// is not put.
func (w *Writer) Put(frame []byte, stamp int64) bool {
	if len(frame) > codec.MaxFrame {
		return false
	}
	w.n++
	at := slotAt(w.n)
	atomic.StoreUint32(word(w.mem, at), 2*w.n-1)
	atomic.StoreUint32(word(w.mem, at+4), uint32(len(frame)))
	atomic.StoreInt64(long(w.mem, at+8), stamp)
	copy(w.mem[at+slotHead:], frame)
	atomic.StoreUint32(word(w.mem, at+16), w.sum.sum(w.n, stamp, frame))
	atomic.StoreUint32(word(w.mem, at), 2*w.n)
	atomic.StoreUint32(word(w.mem, newestAt), w.n)
	return true
}

// Reader takes frames out of a piece. Make it with NewReader.
type Reader struct {
	mem  []byte
	seen uint32 // the newest frame that was taken, or given up
	sum  summer
}

// NewReader reads a piece of PieceLen bytes.
func NewReader(mem []byte) Reader { return Reader{mem: mem, sum: newSummer()} }

// tries is how often a frame may be overtaken while it is read.
const tries = 8

// Take copies the newest frame over dst and returns it with its stamp; ok is false
// when there is none that was not taken before. After an error the frame counts as
// taken.
func (r *Reader) Take(dst []byte) (frame []byte, stamp int64, ok bool, err error) {
	for range tries {
		n := atomic.LoadUint32(word(r.mem, newestAt))
		if n == r.seen {
			return dst[:0], 0, false, err
		}
		if frame, stamp, err = r.read(n, dst); err != ErrTorn {
			r.seen = n
			return frame, stamp, err == nil, err
		}
		dst = frame
	}
	r.seen = atomic.LoadUint32(word(r.mem, newestAt))
	return dst[:0], 0, false, ErrTorn
}

// read copies frame n out, and then looks whether it was whole.
func (r *Reader) read(n uint32, dst []byte) ([]byte, int64, error) {
	at := slotAt(n)
	if atomic.LoadUint32(word(r.mem, at)) != 2*n {
		return dst[:0], 0, ErrTorn
	}
	length := atomic.LoadUint32(word(r.mem, at+4))
	if length > codec.MaxFrame {
		return dst[:0], 0, ErrLength
	}
	stamp := atomic.LoadInt64(long(r.mem, at+8))
	want := atomic.LoadUint32(word(r.mem, at+16))
	dst = append(dst[:0], r.mem[at+slotHead:at+slotHead+int(length)]...)
	if atomic.LoadUint32(word(r.mem, at)) != 2*n {
		return dst[:0], 0, ErrTorn
	}
	if r.sum.sum(n, stamp, dst) != want {
		return dst[:0], 0, ErrSum
	}
	return dst, stamp, nil
}
