package host

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
)

// shots keeps what the host does with the records of shots: a file of them, and the
// newest ones of the player in this process for its developer view.
type shots struct {
	log  *slog.Logger
	file *shotFile

	mu    sync.Mutex
	watch state.ID // whose shots are kept; 0: nobody's
	kept  []server.Shot
}

// keptShots bounds what waits for the developer view.
const keptShots = 64

// openShots opens the file that records go to; without a path there is none.
func openShots(path string, log *slog.Logger) (*shots, error) {
	s := &shots{log: log, kept: make([]server.Shot, 0, keptShots)}
	if path == "" {
		return s, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lag.shots_file: %w", err)
	}
	s.file = &shotFile{f: f, log: log, blocks: make(chan []byte, 8), done: make(chan struct{})}
	go s.file.run()
	return s, nil
}

// hooked adds what is done with shots to a server's hooks.
func (s *shots) hooked(h server.Hooks) server.Hooks {
	shot, tick := h.Shot, h.TickDone
	h.Shot = func(sh *server.Shot) {
		if shot != nil {
			shot(sh)
		}
		s.keep(sh)
		if s.file != nil {
			s.file.add(sh)
		}
	}
	h.TickDone = func(t state.Tick, took time.Duration) {
		if tick != nil {
			tick(t, took)
		}
		if s.file != nil && t%256 == 0 {
			s.file.hand()
		}
	}
	return h
}

func (s *shots) keep(sh *server.Shot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch == 0 || sh.Shooter != s.watch {
		return
	}
	if len(s.kept) == keptShots {
		s.kept = append(s.kept[:0], s.kept[1:]...)
	}
	s.kept = append(s.kept, *sh)
}

func (s *shots) close() {
	if s.file != nil {
		s.file.close()
	}
}

// TestedShots appends to dst what the server tested of the shots of one player since
// the last call, and keeps records of that player from now on. It may be called
// from any goroutine: it is how the player who runs a server looks into it.
func (h *Host) TestedShots(dst []server.Shot, of state.ID) []server.Shot {
	s := h.shots
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch != of {
		s.watch, s.kept = of, s.kept[:0]
	}
	dst = append(dst, s.kept...)
	s.kept = s.kept[:0]
	return dst
}

// shotFile writes records as lines of JSON. A disk that does not keep up costs
// lines, not ticks.
type shotFile struct {
	f      *os.File
	log    *slog.Logger
	buf    []byte
	blocks chan []byte // capacity 8: when full, a block is given up
	lost   int
	done   chan struct{}
}

const shotBlock = 16 << 10

func (f *shotFile) add(sh *server.Shot) {
	if f.buf = sh.AppendJSON(f.buf); len(f.buf) >= shotBlock {
		f.hand()
	}
}

// hand gives what was gathered to the writer.
func (f *shotFile) hand() {
	if len(f.buf) == 0 {
		return
	}
	select {
	case f.blocks <- f.buf:
	default:
		f.lost++
	}
	f.buf = make([]byte, 0, shotBlock+1024)
}

func (f *shotFile) run() {
	defer close(f.done)
	said := false
	for b := range f.blocks {
		if _, err := f.f.Write(b); err != nil && !said {
			said = true
			f.log.Error("records of shots are not written", "error", err)
		}
	}
	if err := f.f.Close(); err != nil && !said {
		f.log.Error("records of shots are not written", "error", err)
	}
}

func (f *shotFile) close() {
	f.hand()
	close(f.blocks)
	<-f.done
	if f.lost > 0 {
		f.log.Warn("records of shots were lost: the disk did not keep up", "blocks", f.lost)
	}
}

// shotLines is how many shots are explained when no number is given.
const shotLines = 12

// explain prints what became of the last shots, of one player or of all, so that a
// death can be explained.
func (h *Host) explain(c *console.Call) error {
	return h.explained(c, "shots", (*server.Server).Shots, "no shot has been fired")
}

// evidence prints the last shots at players whom the shooter's client did not show.
func (h *Host) evidence(c *console.Call) error {
	return h.explained(c, "evidence", (*server.Server).Evidence, "no shot has hit anybody who was not shown")
}

func (h *Host) explained(c *console.Call, command string, get func(*server.Server, []server.Shot, state.ID, int) []server.Shot, none string) error {
	name, most := "", shotLines
	for i, a := range c.Args {
		if n, err := strconv.Atoi(a); err == nil && n > 0 && i == len(c.Args)-1 {
			most = min(n, 200)
			continue
		}
		name = a
	}
	return h.printed(c, command, func(s *server.Server) (lines []string, err error) {
		of := state.ID(0)
		if name != "" {
			id, ok := s.ByName(name)
			if !ok {
				return nil, fmt.Errorf("nobody is named %q; status lists the players", name)
			}
			of = id
		}
		list := get(s, nil, of, most)
		for i := range list {
			lines = append(lines, s.Explain(&list[i]))
		}
		if len(lines) == 0 {
			lines = []string{none}
		}
		return lines, nil
	})
}
