package demo

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// Version counts changes of the file's layout.
const Version = 5

// MaxRecord is the longest payload in bytes.
const MaxRecord = 4 << 20

const (
	magic     = "SLDEMO\r\n"
	endMagic  = "SLDEMOIX"
	maxHeader = 4096
	maxIndex  = 1 << 17 // keyframes; twelve bytes each fit a record
	maxText   = 128

	headSize   = 8 + 2 + 4 + 4
	recordSize = 1 + 4 + 4
	endSize    = 8 + 8
	indexSize  = 4 + 4 + 4 // first tick, last tick, frames; then the keyframes

	kindKey   = 1
	kindTick  = 2
	kindIndex = 3
)

// ErrForeign says that a file is not a demo of this engine, ErrVersion that it is
// one of another version, ErrDamaged that what it holds is not as it was written,
// ErrCut that it has no end.
var (
	ErrForeign = errors.New("not a demo of this engine")
	ErrVersion = errors.New("a demo of another version of this engine")
	ErrDamaged = errors.New("the demo is damaged")
	ErrCut     = errors.New("the demo is cut off")
)

// Header is what a demo begins with.
type Header struct {
	Schema     [32]byte // wire.SchemaHash of the program that wrote it
	Level      string
	LevelHash  [32]byte
	TablesHash [32]byte
	TickRate   int
	Seed       uint64
	Server     string
	// Client is whose recording it is, of what that one was told alone; 0 says that
	// the server made it, of everything.
	Client state.ID
}

// key is one entry of the index.
type key struct {
	tick state.Tick
	at   int64
}

func (h *Header) check() error {
	if h.TickRate < 20 || h.TickRate > 240 {
		return fmt.Errorf("demo: tick rate %d is outside 20 to 240", h.TickRate)
	}
	return nil
}

// append writes the beginning of a file.
func (h *Header) append(dst []byte) []byte {
	var buf [maxHeader]byte
	var w bits.Writer
	w.Reset(buf[:])
	w.Raw(h.Schema[:])
	w.String(wire.Clean(h.Level, maxText), maxText)
	w.Raw(h.LevelHash[:])
	w.Raw(h.TablesHash[:])
	w.Bits(uint64(h.TickRate), 16)
	w.Bits(h.Seed, 64)
	w.String(wire.Clean(h.Server, maxText), maxText)
	w.Bits(uint64(h.Client), 16)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint16(dst, Version)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(w.Bytes())))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(w.Bytes()))
	return append(dst, w.Bytes()...)
}

// parse reads the content of a header.
func (h *Header) parse(b []byte) error {
	var r bits.Reader
	r.Reset(b)
	r.Raw(h.Schema[:])
	if want := wire.SchemaHash(); r.Err() == nil && h.Schema != want {
		return fmt.Errorf("%w: its schema is %s, this program's %s", ErrVersion, hex.EncodeToString(h.Schema[:4]), hex.EncodeToString(want[:4]))
	}
	h.Level = wire.Clean(r.String(maxText), maxText)
	r.Raw(h.LevelHash[:])
	r.Raw(h.TablesHash[:])
	h.TickRate = int(r.Bits(16))
	h.Seed = r.Bits(64)
	h.Server = wire.Clean(r.String(maxText), maxText)
	h.Client = state.ID(r.Bits(16))
	if r.Err() != nil || h.check() != nil {
		return fmt.Errorf("%w: its header cannot be read", ErrDamaged)
	}
	return nil
}

// thin makes room in an index that is full, of a recording of days: every second
// keyframe will do.
func thin(keys []key) []key {
	if len(keys) < maxIndex {
		return keys
	}
	for i := range maxIndex / 2 {
		keys[i] = keys[2*i]
	}
	return keys[:maxIndex/2]
}

// seal fills in the framing of a record whose payload lies behind recordSize bytes.
func seal(b []byte, kind byte) {
	b[0] = kind
	binary.LittleEndian.PutUint32(b[1:], uint32(len(b)-recordSize))
	binary.LittleEndian.PutUint32(b[5:], crc32.ChecksumIEEE(b[recordSize:]))
}

// footer returns the index, and where to find it.
func footer(keys []key, first, last state.Tick, frames uint32, at int64) []byte {
	le := binary.LittleEndian
	b := make([]byte, recordSize, recordSize+indexSize+12*len(keys)+endSize)
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, first), last), frames)
	for _, k := range keys {
		b = le.AppendUint64(le.AppendUint32(b, k.tick), uint64(k.at))
	}
	seal(b, kindIndex)
	return append(le.AppendUint64(b, uint64(at)), endMagic...)
}
