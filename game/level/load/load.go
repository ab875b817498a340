// Package load reads a map of whichever kind a file is: it looks at the first
// bytes, then at the name, calls level/bsp, level/mapfile or, for the description
// of a generated level, level/gen, for one of boxes, level/boxes, and says in a sentence why it refuses anything
// else.
//
// It opens no files: who calls it has read them. Any goroutine may call it.
package load

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/boxes"
	"github.com/sightline-engine/sightline/game/level/bsp"
	"github.com/sightline-engine/sightline/game/level/gen"
	"github.com/sightline-engine/sightline/game/level/mapfile"
)

// RefusedError says what a file is instead of a map.
type RefusedError struct{ Name, Why string }

func (e *RefusedError) Error() string { return e.Name + ": " + e.Why }

// Bytes reads a map from a file's contents. name is used in messages and gives
// the level its name.
func Bytes(name string, data []byte, opt level.Options) (*level.Level, error) {
	if why := refuse(name, data); why != "" {
		return nil, &RefusedError{name, why}
	}
	if strings.EqualFold(path.Ext(name), ".gen") {
		return gen.Parse(name, data)
	}
	if strings.EqualFold(path.Ext(name), boxes.Ext) {
		return boxes.Parse(name, data)
	}
	if bytes.HasPrefix(data, []byte("IBSP")) {
		return bsp.Parse(name, data, opt)
	}
	if strings.EqualFold(path.Ext(name), ".bsp") {
		return nil, fmt.Errorf("%s: %w", name, bsp.ErrNotBSP)
	}
	return mapfile.Parse(name, data, opt)
}

// refuse recognises what is often taken for a map. "" means: try.
func refuse(name string, data []byte) string {
	has := func(magic string) bool { return bytes.HasPrefix(data, []byte(magic)) }
	ext := strings.ToLower(path.Ext(name))
	switch {
	case len(data) == 0:
		return "the file is empty"
	case has("EAAS"), ext == ".aas":
		return "this is bot navigation data of another engine, not a map"
	case has("DATA"), has("ATAD"):
		return "this is a two-dimensional map (Teeworlds, DDNet), which this engine cannot play"
	case has("VBSP"):
		return "this is a compiled Source map; only Quake III's kind (IBSP 46) is read"
	case has("RBSP"), has("FBSP"):
		return "this is a compiled map of a relative of Quake III; only IBSP 46 is read"
	case has("PK\x03\x04"):
		return "this is a pack; name a map in it as PACK:maps/NAME.bsp"
	case strings.HasPrefix(ext, ".dm_"), ext == ".dem":
		return "this is a demo of another engine, not a map"
	case has("IDP3"), has("glTF"), has("\x89PNG"), has("OggS"), has("RIFF"):
		return "this is a model, a picture or a sound, not a map"
	case has("\x1d\x00\x00\x00"), has("\x1e\x00\x00\x00"):
		return "this is a compiled map of Quake or Half-Life; only Quake III's kind (IBSP 46) is read"
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0 && !has("IBSP"):
		return "this is neither map text nor a compiled Quake III map"
	}
	return ""
}
