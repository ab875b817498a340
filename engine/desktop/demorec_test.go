package desktop_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/net/wire"
)

// full is a disk with room for n bytes.
type full struct {
	io.Writer
	n int
}

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	k := min(len(b), f.n)
	f.n -= k
	n, err := f.Writer.Write(b[:k])
	if err == nil && k < len(b) {
		err = errFull
	}
	return n, err
}

// A client records what it is told, from the middle of a match, into a demo that
// plays alone and holds nothing else. Recording twice, stopping with nothing and a
// full disk are answered; a full disk ends the recording once and the match goes on
// (O-35).
func TestAClientRecordsWhatItIsTold(t *testing.T) {
	permitted := map[state.Tick]map[state.ID]bool{}
	m := newMatchWith(t, "corner", 5, server.Hooks{View: func(v *vis.View) {
		if v.Own().ID != 6 {
			return // the bots were there before
		}
		p := map[state.ID]bool{6: true}
		for _, e := range v.Entities() {
			p[e.ID] = true
		}
		permitted[v.Tick()] = p
	}}, deaddrop.Spec())
	for m.tick < 64 {
		m.clock()
	}
	cfg := m.config()
	cfg.Width, cfg.Height, cfg.Seconds = 120, 80, 14
	folder := filepath.Join(t.TempDir(), "demos")
	cfg.DemoFolder = func() string { return folder }
	room := 0
	cfg.Disk = func(w io.Writer) io.Writer {
		if room > 0 {
			return &full{w, room}
		}
		return w
	}
	notices := make(chan string, 1)
	notices <- "something that the program has to say"
	cfg.Notices = notices
	var log bytes.Buffer
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	said := map[string]string{}
	say := func(at int64, key, line string) {
		m.at[m.tick+at] = func() {
			var out strings.Builder
			cfg.Registry.Exec(line, &out)
			said[key] = out.String()
		}
	}
	say(200, "a", "record a")
	say(300, "twice", "record b")
	from, eye := state.Tick(0), float32(1.2)
	m.at[m.tick+310] = func() {
		var err error
		if from, err = m.srv.ChangeTables([]tables.Value{{Name: "movement.stand_eye", To: eye}}, 0); err != nil {
			t.Error(err)
		}
	}
	say(600, "stop", "stop")
	say(604, "again", "stop")
	say(608, "same", "record a")
	say(612, "out", "record ../../x")
	m.at[m.tick+616] = func() { room = 6000; cfg.Registry.Exec("record full", io.Discard) }
	say(840, "over", "stop")
	m.at[m.tick+842] = func() { room = 0 }
	say(844, "next", "record next")
	m.at[m.tick+860] = func() { m.srv.Next() }
	var sum desktop.Summary
	onMain(t, func() (err error) { sum, err = desktop.Run(cfg); return err })
	for key, want := range map[string]string{
		"a": "recording a.sldemo", "twice": "a.sldemo is being recorded already", "stop": "a.sldemo: ", "again": "nothing is being recorded",
		"same": "already", "out": "is no name for a demo", "over": "nothing is being recorded", "next": "recording next.sldemo",
	} {
		if got := said[key]; !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %q, not %q", key, got, want)
		}
	}
	for _, why := range []string{errFull.Error(), "the level has changed"} {
		if n := strings.Count(log.String(), why); n != 1 {
			t.Errorf("%q is told of %d times\n%s", why, n, log.String())
		}
	}
	if sum.Errors != 0 || sum.Reason != "" || sum.Snapshots < 500 {
		t.Errorf("the match did not go on: %+v", sum)
	}
	if len(notices) != 0 {
		t.Error("a notice was not taken")
	}
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(names) != 3 {
		t.Error(names)
	}
	r, done, err := demo.OpenFile(filepath.Join(folder, "full.sldemo"))
	if err != nil {
		t.Fatal(err)
	}
	if i := r.Info(); !i.Truncated || i.Frames == 0 {
		t.Errorf("%+v", i)
	}
	done()

	file := filepath.Join(folder, "a.sldemo")
	r, done, err = demo.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	i := r.Info()
	if i.Client != 6 || i.Cut() != nil || i.Frames < 200 || i.First < 200 || i.Level != "corner.map" && i.Level != "corner" {
		t.Errorf("%+v", i)
	}
	var f demo.Frame
	others, heard, named := 0, 0, 0
	for r.Next(&f) == nil {
		if after := int32(f.Tick-from) >= 0; after != (len(f.Tables) > 0) {
			t.Fatalf("tick %d has %d bytes of tables, which are others from %d on", f.Tick, len(f.Tables), from)
		} else if after {
			if set, err := wire.ParseTables(f.Tables); err != nil || set.Movement.StandEye != eye {
				t.Fatalf("tick %d: %v", f.Tick, err)
			}
		}
		if len(f.Viewers) != 1 || f.Viewers[0].ID != 6 || f.Viewers[0].Own.Health == 0 && f.Entities[0].Pose&state.PoseDead == 0 {
			t.Fatalf("tick %d: %+v", f.Tick, f.Viewers)
		}
		for _, e := range f.Entities {
			if e.Kind != state.KindPlayer || e.ID == 6 {
				continue
			}
			others++
			// A client keeps for some packets what it is not told of any more.
			ok := false
			for k := range state.Tick(64) {
				ok = ok || permitted[f.Tick-k][e.ID]
			}
			if !ok {
				t.Fatalf("tick %d: %d is in it, of whom the client was not told", f.Tick, e.ID)
			}
		}
		heard += len(f.Viewers[0].Events)
		for _, s := range f.Roster {
			if s.Name != "" {
				named++
			}
		}
	}
	if others < 50 || heard == 0 || named == 0 {
		t.Errorf("%d others, %d events, %d names", others, heard, named)
	}
	// It is shown like any other, and there is nothing but what the client knew.
	d := &taped{m: m}
	if d.file, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	s := d.show(t)
	if !s.Knew() || s.Who() != 6 {
		t.Error(s.Knew(), s.Who())
	}
	drawn := 0 // whoever is in sight at one instant is the match's affair
	for s.Seconds() < 4 {
		s.Frame(0.02)
		drawn += len(s.View().Others)
	}
	if got := s.say("demo.knew off"); !strings.Contains(got, "only what") || !s.Knew() {
		t.Errorf("%q", got)
	}
	s.must("demo.follow next")
	if s.Who() != 6 || s.View().Own == nil || drawn == 0 {
		t.Error("another's eyes are not in it")
	}
}
