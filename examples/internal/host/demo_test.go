package host_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
)

// taping is a host with bots, its console, and how to wait for its ticks.
type taping struct {
	*host.Host
	t      *testing.T
	reg    *console.Registry
	log    *logged
	told   chan string // notices
	folder string
	ticks  chan state.Tick
}

func tape(t *testing.T, set ...string) *taping {
	t.Helper()
	w := &taping{t: t, folder: filepath.Join(t.TempDir(), "demos"), ticks: make(chan state.Tick, 1)}
	r := newRoom(t, append([]string{"plugin.linked", "true", "sv.bots", "2", "sv.rotation", "corner", "demo.folder", w.folder}, set...)...)
	w.told = make(chan string, 8)
	h, err := host.Start(host.Config{Notice: func(line string) { w.told <- line }, Settings: r.set, Levels: r.levels, Log: r.slog(), Offline: true, Hooks: server.Hooks{
		TickDone: func(tick state.Tick, _ time.Duration) {
			select {
			case w.ticks <- tick:
			default:
			}
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.Host, w.reg, w.log = h, r.reg, r.log
	t.Cleanup(func() { h.Stop("the test is over") })
	host.Commands(w.reg, h, true)
	return w
}

func (w *taping) say(line string) string {
	var out bytes.Buffer
	w.reg.Exec(line, &out)
	return out.String()
}

// playing waits until both bots have been in the world for some ticks.
func (w *taping) playing() {
	w.t.Helper()
	for range 2000 {
		<-w.ticks
		n := make(chan int, 1)
		w.Server().Do(func(s *server.Server) { n <- len(s.World().IDs()) })
		if <-n == 2 {
			for range 10 {
				<-w.ticks
			}
			return
		}
	}
	w.t.Fatal("the bots do not play")
}

func (w *taping) files() []string {
	var names []string
	filepath.WalkDir(filepath.Dir(w.folder), func(p string, d os.DirEntry, _ error) error {
		if d != nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return nil
	})
	return names
}

// play plays a demo alone and returns what it is.
func (w *taping) play(name string) demo.Info {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.folder, name))
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := demo.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		w.t.Fatal(err)
	}
	n := 0
	var f demo.Frame
	for ; err == nil; n++ {
		if err = r.Next(&f); err == nil && (len(f.Roster) != 2 || f.Find(f.Roster[0].ID) < 0 || f.Find(f.Roster[1].ID) < 0) {
			w.t.Fatalf("tick %d: %+v in %+v", f.Tick, f.Roster, f.Entities)
		}
	}
	if i := r.Info(); err != io.EOF || n-1 != i.Frames || i.Truncated || i.Level != "corner" || i.TickRate != 64 || i.LevelHash == [32]byte{} || i.TablesHash == [32]byte{} {
		w.t.Errorf("%v after %d: %+v", err, n, i)
	}
	return r.Info()
}

// Recording from the middle of a match gives a demo that plays alone. Commands at
// the wrong time are answered, and leave no file.
func TestRecordAndStopAtAnyTime(t *testing.T) {
	w := tape(t)
	want := func(line, part string, files int) {
		t.Helper()
		if got := w.say(line); !strings.Contains(got, part) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %q, not %q", line, got, part)
		}
		if got := w.files(); len(got) != files {
			t.Errorf("%s: files %v", line, got)
		}
	}
	want("stop", "nothing is being recorded", 0)
	w.playing()
	want("record a", "recording a.sldemo", 1)
	want("record b", "a.sldemo is being recorded already", 1)
	for range 100 {
		<-w.ticks
	}
	want("stop", "ticks recorded", 1)
	if i := w.play("a.sldemo"); i.First < 10 || i.Frames < 50 {
		t.Errorf("%+v", i)
	}
	want("stop", "nothing is being recorded", 1)
	want("record a.sldemo", "already", 1)
	for _, bad := range []string{"../x", "/tmp/x", "C:x", "a/b", ".x", "-x", "..", "\"\"", "\"a\x00b\"", strings.Repeat("n", 300), `"a\\b"`} {
		got := w.say("record " + bad)
		if len(w.files()) != 1 || !strings.Contains(got, "name") {
			t.Errorf("record %.20s: %.200s, files %v", bad, got, w.files())
		}
		want("stop", "nothing is being recorded", 1)
	}
	// A link inside the folder that points out.
	out := filepath.Join(filepath.Dir(w.folder), "canary")
	if err := os.Symlink(out, filepath.Join(w.folder, "link.sldemo")); err != nil {
		t.Fatal(err)
	}
	if got := w.say("record link"); strings.Contains(got, "recording link") {
		t.Error(got)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the link was followed")
	}
	// Another level ends the recording, in a file that plays.
	want("record c", "recording c.sldemo", 3)
	for range 20 {
		<-w.ticks
	}
	w.Server().Do(func(s *server.Server) { s.Change("pit") })
	for range 2000 {
		<-w.ticks
		if got := w.say("stop"); strings.Contains(got, "nothing is being") || strings.Contains(got, "level has changed") {
			break
		}
	}
	w.play("c.sldemo")
}

// full is a disk with room for n bytes.
type full struct {
	io.Writer
	n int
}

func (f *full) Write(b []byte) (int, error) {
	k := min(len(b), f.n)
	f.n -= k
	n, err := f.Writer.Write(b[:k])
	if err == nil && k < len(b) {
		err = errors.New("no space left on device")
	}
	return n, err
}

// A full disk ends the recording with one line in the log. The match goes on, and
// the next recording is as good as the first.
func TestFullDiskEndsTheRecordingNotTheMatch(t *testing.T) {
	w := tape(t)
	w.playing()
	w.Disk(func(out io.Writer) io.Writer { return &full{out, 4000} })
	w.say("record a")
	for range 2000 {
		if <-w.ticks; strings.Contains(w.log.String(), "ended by itself") {
			break
		}
	}
	tick := w.Server().Stats().Tick
	for range 64 {
		<-w.ticks
	}
	if now := w.Server().Stats().Tick; now < tick+32 || w.Server().Stats().Clients != 2 {
		t.Errorf("tick %d after %d", now, tick)
	}
	if n := strings.Count(w.log.String(), "recording ended by itself"); n != 1 || strings.Count(w.log.String(), "no space left") != 1 {
		t.Errorf("said %d times", n)
	}
	if line := <-w.told; !strings.Contains(line, "a.sldemo") || !strings.Contains(line, "no space left") || len(w.told) != 0 {
		t.Errorf("told %q", line)
	}
	w.Disk(nil)
	if got := w.say("record c"); !strings.Contains(got, "recording c.sldemo") {
		t.Error(got)
	}
	for range 20 {
		<-w.ticks
	}
	w.say("stop")
	w.play("c.sldemo")
}

// Nobody there: no frame and no file. A folder that cannot be made is named.
func TestRecordingNobodyLeavesNoFile(t *testing.T) {
	w := tape(t, "sv.bots", "0")
	<-w.ticks
	w.say("record a")
	for range 5 {
		<-w.ticks
	}
	if got := w.say("stop"); !strings.Contains(got, "nothing was recorded") || len(w.files()) != 0 {
		t.Error(got, w.files())
	}
	if err := os.Remove(w.folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.folder, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.say("record a"); !strings.Contains(got, "demo.folder") || len(w.files()) != 1 {
		t.Error(got, w.files())
	}
}

// With demo.auto every match is recorded, and the end of the host completes it.
func TestEveryMatchIsRecorded(t *testing.T) {
	w := tape(t, "demo.auto", "true")
	w.playing()
	w.Stop("enough")
	names := w.files()
	if len(names) != 1 || !strings.HasSuffix(names[0], "-corner.sldemo") {
		t.Fatal(names)
	}
	b, err := os.ReadFile(filepath.Join(w.folder, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	r, err := demo.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || r.Info().Truncated || r.Info().Frames < 10 {
		t.Error(err)
	}
}
