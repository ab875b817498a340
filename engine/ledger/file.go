package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/sightline-engine/sightline/game/state"
)

// Version counts changes of the file's layout.
const Version = 4

// Ext ends the names of ledger files.
const Ext = ".slledger"

const (
	magic     = "SLLEDG\r\n"
	headSize  = 8 + 2 + 4 + 4
	maxHeader = 1024
	maxName   = 128

	chunkHead = 1 + 4 + 4 // kind, length, CRC
	chunkBase = 4 + 4 + 4 // first and last tick, records
	// MaxChunk is the longest payload in bytes.
	MaxChunk = 1 << 16
	// flushAt is how long a payload becomes before it is written.
	flushAt = 24 << 10

	kindRecords = 1
	kindEnd     = 2 // the same, and the last
)

// ErrForeign says that a file is not a ledger of this engine, ErrVersion that it is
// one of another version, ErrDamaged that what it holds is not as it was written,
// ErrCut that it has no end.
var (
	ErrForeign = errors.New("not a ledger of this engine")
	ErrVersion = errors.New("a ledger of another version of this engine")
	ErrDamaged = errors.New("the ledger is damaged")
	ErrCut     = errors.New("the ledger is cut off")
)

// Header is what every part of a ledger begins with.
type Header struct {
	Level      string
	LevelHash  [32]byte
	TablesHash [32]byte
	Server     string
	Policy     string // its name, as the operator set it
	TickRate   int
	Seed       uint64
	Origin     state.Tick // the tick from which times of the match count
	Part       int        // 1 is the first
	Rate       float64    // of samples
}

// At returns the time of the match at a tick.
func (h *Header) At(t state.Tick) time.Duration {
	return time.Duration(float64(int32(t-h.Origin)) / float64(h.TickRate) * float64(time.Second))
}

// TickAt returns the tick in force at a time of the match: the last that had begun.
func (h *Header) TickAt(at time.Duration) state.Tick {
	// A nanosecond more: times that At has rounded down find their tick again.
	n := (at.Seconds() + 1e-6) * float64(h.TickRate)
	return h.Origin + state.Tick(int64(min(max(n, -1<<31), 1<<31-1)))
}

func (h *Header) check() error {
	switch {
	case h.TickRate < 20 || h.TickRate > 240:
		return fmt.Errorf("ledger: tick rate %d is outside 20 to 240", h.TickRate)
	case !(h.Rate >= 0 && h.Rate <= 1):
		return fmt.Errorf("ledger: rate of samples %v is outside 0 to 1", h.Rate)
	}
	return nil
}

// code walks the content of a header.
func (h *Header) code(c *code) {
	c.text(&h.Level, maxName)
	c.raw(h.LevelHash[:])
	c.raw(h.TablesHash[:])
	c.text(&h.Server, maxName)
	c.text(&h.Policy, maxName)
	rate, part, ppm := uint32(h.TickRate), uint32(h.Part), uint32(h.Rate*1e6+0.5)
	num(c, &rate, 1000)
	num(c, &h.Seed, 1<<64-1)
	num(c, &h.Origin, any32)
	num(c, &part, 1<<30)
	num(c, &ppm, 1e6)
	h.TickRate, h.Part, h.Rate = int(rate), int(part), float64(ppm)/1e6
}

// append writes the beginning of a file.
func (h Header) append(dst []byte) []byte {
	c := code{write: true}
	h.code(&c)
	le := binary.LittleEndian
	dst = le.AppendUint16(append(dst, magic...), Version)
	dst = le.AppendUint32(dst, uint32(len(c.buf)))
	dst = le.AppendUint32(dst, crc32.ChecksumIEEE(c.buf))
	return append(dst, c.buf...)
}

// parse reads the content of a header.
func (h *Header) parse(b []byte) error {
	c := code{buf: b}
	if h.code(&c); c.err != nil || len(c.buf) != 0 || h.check() != nil {
		return fmt.Errorf("%w: its header cannot be read", ErrDamaged)
	}
	return nil
}

// seal fills in the framing of a chunk whose payload lies behind chunkHead bytes.
func seal(b []byte, kind byte, first, last state.Tick, records uint32) {
	le := binary.LittleEndian
	b[0] = kind
	le.PutUint32(b[chunkHead:], first)
	le.PutUint32(b[chunkHead+4:], last)
	le.PutUint32(b[chunkHead+8:], records)
	le.PutUint32(b[1:], uint32(len(b)-chunkHead))
	le.PutUint32(b[5:], crc32.ChecksumIEEE(b[chunkHead:]))
}
