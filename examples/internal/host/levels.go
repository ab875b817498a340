package host

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/sightline-engine/sightline/engine/asset"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/level/shader"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Levels finds and loads levels.
type Levels struct {
	search asset.Path
	scale  float32

	mu    sync.Mutex
	known map[[32]byte]string // what the user called a level that was loaded, by hash
}

// Loaded is a level and what it was made from.
type Loaded struct {
	client.Loaded
	File    string
	Data    []byte
	Options level.Options
	Files   *asset.Path // pictures and shader scripts beside the map
	Shaders *shader.Set
}

// NewLevels opens the search path: the program's own maps, then places in order.
// A place that cannot be opened is an error that names it.
func NewLevels(own []string, places []string, unitsPerMetre float64) (*Levels, error) {
	l := &Levels{scale: float32(1 / unitsPerMetre), known: map[[32]byte]string{}}
	for _, dir := range own {
		if _, err := os.Stat(dir); err == nil {
			if err := l.search.AddDir(dir); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range places {
		st, err := os.Stat(p)
		switch {
		case err != nil:
			return nil, fmt.Errorf("assets %s: %w", p, err)
		case st.IsDir():
			err = l.search.AddDir(p)
		default:
			err = l.search.AddArchive(p)
		}
		if err != nil {
			return nil, fmt.Errorf("assets %s: %w", p, err)
		}
	}
	return l, nil
}

// Open loads the level that a local user names.
func (l *Levels) Open(ref string) (*Loaded, error) {
	r, err := asset.ParseMapRef(ref)
	if err != nil {
		return nil, err
	}
	m, err := asset.ResolveMap(r, &l.search)
	if err != nil {
		return nil, err
	}
	got, err := l.build(m)
	if err != nil {
		m.Close()
		return nil, err
	}
	l.mu.Lock()
	l.known[got.Level.Hash] = ref
	l.mu.Unlock()
	return got, nil
}

// Check says why a level could not be played, nil when it could.
func (l *Levels) Check(ref string) error {
	got, err := l.Open(ref)
	if err != nil {
		return err
	}
	defer got.Files.Close()
	_, _, err = spawns(got.Level, got.World)
	return err
}

// OpenNamed loads the level that a server names. The name may come from a
// stranger: it is only looked for in the search path, or among the levels that
// the user opened.
func (l *Levels) OpenNamed(name string, hash [32]byte) (*Loaded, error) {
	l.mu.Lock()
	ref := l.known[hash]
	l.mu.Unlock()
	if ref != "" {
		return l.Open(ref)
	}
	m, err := l.search.OpenMapName(name)
	if err != nil {
		return nil, err
	}
	got, err := l.build(m)
	if err != nil {
		m.Close()
	}
	return got, err
}

func (l *Levels) build(m *asset.Map) (*Loaded, error) {
	shaders, _ := shader.Load(m.Files)
	opt := level.Options{Scale: l.scale, Shaders: shaders.Lookup}
	lv, err := load.Bytes(m.File, m.Data, opt)
	if err != nil {
		return nil, err
	}
	lv.Name = m.Name
	return &Loaded{
		Loaded: client.Loaded{Level: lv, World: trace.New(lv)},
		File:   m.File, Data: m.Data, Options: opt, Files: m.Files, Shaders: shaders,
	}, nil
}

// spawns returns the places at which a player can enter a level, and a line for the
// log when some are left out. That there is none is an error: it is said when the
// level is loaded, not when somebody joins.
func spawns(lv *level.Level, w *trace.World) (ok []level.Spawn, note string, err error) {
	ok, note = level.CheckSpawns(lv, func(feet vec.V3) bool {
		return !w.Box(feet, feet, level.StandingBox, level.MaskMove).StartSolid
	})
	if len(ok) == 0 {
		return nil, "", errors.New(note)
	}
	return ok, note, nil
}

// Tables returns the shipped tables by name.
func Tables(name string) tables.Set {
	if strings.EqualFold(name, "tactical") {
		return tables.Tactical()
	}
	return tables.Arena()
}

// TablesByHash returns the shipped tables with a hash.
func TablesByHash(hash [32]byte) (tables.Set, bool) {
	for _, t := range []tables.Set{tables.Arena(), tables.Tactical()} {
		if t.Hash() == hash {
			return t, true
		}
	}
	return tables.Set{}, false
}
