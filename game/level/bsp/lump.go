package bsp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
)

// MaxSize bounds a file; the largest known to us has 23.5 MB.
const MaxSize = 256 << 20

// What a file can be instead of a map of this kind.
var (
	ErrNotBSP   = errors.New("not a compiled Quake III map (no IBSP in front)")
	ErrVersion  = errors.New("a compiled map of another version; only IBSP 46 is read")
	ErrTooLarge = errors.New("the compiled map is larger than 256 MiB")
	ErrCut      = errors.New("the file is cut short")
)

// The lumps, in the directory's order.
const (
	lumpEntities = iota
	lumpShaders
	lumpPlanes
	lumpNodes
	lumpLeafs
	lumpLeafSurfaces
	lumpLeafBrushes
	lumpModels
	lumpBrushes
	lumpBrushSides
	lumpVerts
	lumpIndexes
	lumpFogs
	lumpSurfaces
	lumpLightmaps
	lumpLightGrid
	lumpVisibility
	numLumps
)

// lumpNames and record sizes; 0 where a lump is no array.
var lumps = [numLumps]struct {
	name string
	size int
}{
	{"entities", 0}, {"shaders", 72}, {"planes", 16}, {"nodes", 36}, {"leafs", 48}, {"leaf surfaces", 4},
	{"leaf brushes", 4}, {"models", 40}, {"brushes", 12}, {"brush sides", 8}, {"vertices", 44}, {"indices", 4},
	{"fogs", 72}, {"surfaces", 104}, {"lightmaps", lightmapSize * lightmapSize * 3}, {"light grid", 0}, {"visibility", 0},
}

const lightmapSize = 128

// file is the data with its directory.
type file struct {
	name string
	lump [numLumps]table
}

// table is one lump's bytes as an array of records.
type table struct {
	kind, size int
	data       []byte
}

// open checks the header and the directory.
func open(name string, data []byte) (*file, error) {
	const header = 8 + 8*numLumps
	switch {
	case len(data) > MaxSize:
		return nil, ErrTooLarge
	case len(data) < 4 || string(data[:4]) != "IBSP":
		return nil, ErrNotBSP
	case len(data) < 8:
		return nil, ErrCut
	case binary.LittleEndian.Uint32(data[4:]) != 46:
		return nil, fmt.Errorf("version %d: %w", int32(binary.LittleEndian.Uint32(data[4:])), ErrVersion)
	case len(data) < header:
		return nil, ErrCut
	}
	f := &file{name: name}
	for i := range f.lump {
		at := int64(int32(binary.LittleEndian.Uint32(data[8+8*i:])))
		n := int64(int32(binary.LittleEndian.Uint32(data[12+8*i:])))
		if n == 0 {
			at = 0
		}
		if at < 0 || n < 0 || at+n > int64(len(data)) {
			return nil, fmt.Errorf("lump %q lies at %d, %d bytes long, in a file of %d: %w", lumps[i].name, at, n, len(data), ErrCut)
		}
		t := table{kind: i, size: max(lumps[i].size, 1), data: data[at : at+n : at+n]}
		if n%int64(t.size) != 0 {
			return nil, fmt.Errorf("lump %q is %d bytes long, no multiple of %d", lumps[i].name, n, t.size)
		}
		f.lump[i] = t
	}
	return f, nil
}

func (t table) len() int { return len(t.data) / t.size }

// record is one entry of a lump, read field by field.
type record []byte

func (t table) at(i int) record { return record(t.data[i*t.size : (i+1)*t.size]) }

// rangeOf checks that [first, first+n) lies in the table.
func (t table) rangeOf(first, n int, of int, what int) error {
	if first < 0 || n < 0 || first > t.len() || n > t.len()-first {
		return fmt.Errorf("lump %q [%d]: %s %d to %d of %d", lumps[of].name, what, lumps[t.kind].name, first, int64(first)+int64(n), t.len())
	}
	return nil
}

// index checks one index into the table.
func (t table) index(i int, of int, what int) error {
	if i < 0 || i >= t.len() {
		return fmt.Errorf("lump %q [%d]: index %d into %s, of which there are %d", lumps[of].name, what, i, lumps[t.kind].name, t.len())
	}
	return nil
}

// int reads the 32-bit whole number at byte off.
func (r record) int(off int) int { return int(int32(binary.LittleEndian.Uint32(r[off:]))) }

func (r record) uint(off int) uint32 { return binary.LittleEndian.Uint32(r[off:]) }

func (r record) float(off int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(r[off:])))
}

func (r record) v(off int) exact.V { return exact.V{r.float(off), r.float(off + 4), r.float(off + 8)} }

// string reads a NUL-padded text of n bytes.
func (r record) string(off, n int) string {
	b := r[off : off+n]
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// shaderOf is what a shader's record says.
type shaderOf struct {
	texture uint16
	level.Shader
}
