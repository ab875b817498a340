package host

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// nothing is what is said of a recording without a frame.
const nothing = ": nothing was recorded, so there is no file"

var errLevel = errors.New("the level has changed")

// demos records the host's matches, one at a time. The hooks run on the server's
// goroutine and never wait for a disk; the rest may be called from any other.
type demos struct {
	log    *slog.Logger
	notice func(line string) // may be nil
	folder func() string
	do     func(func(*server.Server)) bool
	every  func() bool               // whether every level is recorded
	disk   func(io.Writer) io.Writer // stands before every file; nil: nothing does

	mu    sync.Mutex
	head  demo.Header // of the present level
	now   *recording  // nil: nothing is being recorded
	autos sync.WaitGroup
}

// recording is one file.
type recording struct {
	name string
	file *demo.File     // nil until it has been made
	rec  *demo.Recorder // nil until the server's next tick
	over chan struct{}  // closed when the file is
	said string         // what came of it, once over
}

// hooked adds the recording to hooks.
func (d *demos) hooked(h server.Hooks) server.Hooks {
	level, scores, view, frame := h.Level, h.Scores, h.View, h.Frame
	h.Level = func(m *server.Match) {
		d.mu.Lock()
		d.head.Level, d.head.LevelHash, d.head.TablesHash = m.Level.Name, m.Level.Hash, m.Shipped().Hash()
		if r := d.now; r != nil && r.rec != nil {
			r.rec.Stop(errLevel)
		}
		first := d.head.Schema == [32]byte{}
		d.head.Schema = wire.SchemaHash()
		d.mu.Unlock()
		if !first && d.every() { // the first level is started before the server is there
			d.autos.Go(func() { d.auto(time.Now()) })
		}
		if level != nil {
			level(m)
		}
	}
	changed := h.Tables
	h.Tables = func(from state.Tick, set *tables.Set, vs []tables.Value) {
		if rec := d.live(); rec != nil {
			rec.Tables(wire.TablesBlob(set))
		}
		if changed != nil {
			changed(from, set, vs)
		}
	}
	h.Scores = func(rows []state.Score) {
		if rec := d.live(); rec != nil {
			rec.Roster(rows)
		}
		if scores != nil {
			scores(rows)
		}
	}
	h.View = func(v *vis.View) {
		if rec := d.live(); rec != nil {
			rec.View(v)
		}
		if view != nil {
			view(v)
		}
	}
	h.Frame = func(in *vis.Input, f *vis.Frame, ans *vis.Answer) {
		// An empty server is not worth a file.
		if rec := d.live(); rec != nil && len(in.Subjects) > 0 && in.Subjects[0].Kind == state.KindPlayer {
			rec.Frame(in, f, ans)
		}
		if frame != nil {
			frame(in, f, ans)
		}
	}
	return h
}

func (d *demos) live() *demo.Recorder {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now == nil {
		return nil
	}
	return d.now.rec
}

// record begins a demo with the server's next tick.
func (d *demos) record(name string) (string, error) {
	file, err := demo.FileName(name)
	if err != nil {
		return "", err
	}
	r := &recording{name: file, over: make(chan struct{})}
	d.mu.Lock()
	if d.now != nil {
		defer d.mu.Unlock()
		return "", fmt.Errorf("%s is being recorded already: stop it first", d.now.name)
	}
	d.now = r
	d.mu.Unlock()
	made, err := demo.Create(d.folder(), file)
	if err != nil {
		d.clear(r)
		return "", fmt.Errorf("demo.folder %s: %w", d.folder(), err)
	}
	d.mu.Lock()
	r.file = made
	d.mu.Unlock()
	if !d.do(func(s *server.Server) { d.begin(r, s) }) {
		d.clear(r)
		r.file.Close()
		return "", errors.New("the server is busy or has ended: try again")
	}
	return file, nil
}

// begin starts the recorder on the server's goroutine.
func (d *demos) begin(r *recording, s *server.Server) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != r {
		return // it was stopped before
	}
	w := io.Writer(r.file)
	if d.disk != nil {
		w = d.disk(w)
	}
	rec, err := demo.NewRecorder(w, d.head, demo.Options{})
	if err != nil {
		d.log.Error("demo", "error", err)
		return
	}
	rec.Roster(s.Scores())
	if set, own := s.Tables(); !own {
		rec.Tables(wire.TablesBlob(set))
	}
	r.rec = rec
	go d.attend(r)
}

// attend waits for the end of a recording and closes its file. A file that holds
// nothing to play is removed.
func (d *demos) attend(r *recording) {
	<-r.rec.Done()
	frames, why := r.rec.Close()
	kept, err := r.file.Close()
	if err != nil && why == nil {
		why = err
	}
	r.said = r.name + nothing
	if kept {
		r.said = fmt.Sprintf("%s: %d ticks recorded", r.name, frames)
	}
	if why != nil {
		r.said += "; recording ended: " + why.Error()
		d.log.Warn("recording ended by itself", "demo", r.name, "ticks", frames, "reason", why)
		if d.notice != nil {
			d.notice(r.said)
		}
	}
	d.clear(r)
	close(r.over)
}

func (d *demos) clear(r *recording) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now == r {
		d.now = nil
	}
}

// stop ends the recording and says what came of it.
func (d *demos) stop() (string, error) {
	d.mu.Lock()
	r := d.now
	if r == nil {
		d.mu.Unlock()
		return "", errors.New("nothing is being recorded")
	}
	if r.rec == nil { // no tick has come yet
		defer d.mu.Unlock()
		if r.file == nil {
			return "", errors.New("the recording is just being started: try again")
		}
		d.now = nil
		_, err := r.file.Close()
		return r.name + nothing, err
	}
	r.rec.Stop(nil)
	d.mu.Unlock()
	<-r.over
	return r.said, nil
}

// auto records the present level under a name made of the time and the level.
func (d *demos) auto(at time.Time) {
	d.mu.Lock()
	level, before := d.head.Level, d.now
	begun := before != nil && before.rec != nil
	d.mu.Unlock()
	if begun {
		<-before.over
	}
	name := stamped(at, level)
	if _, err := d.record(name); err != nil {
		d.log.Error("the match is not being recorded", "error", err)
	}
}

// stamped is the name of a file made of the time and the level.
func stamped(at time.Time, level string) string {
	level = strings.TrimSuffix(filepath.Base(level), filepath.Ext(level))
	level = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, level)
	return at.Format("20060102-150405.000-") + level[:min(len(level), 32)]
}

// close ends the recording with the host.
func (d *demos) close() {
	d.autos.Wait()
	if said, err := d.stop(); err == nil {
		d.log.Info("demo", "result", said)
	}
}
