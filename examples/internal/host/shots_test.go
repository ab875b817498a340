package host_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
)

// What became of shots can be asked for in words, by player and by number, is
// written as lines of JSON where a file is set, and is handed to the window of who
// runs the server.
func TestShotsOfARunningServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shots.jsonl")
	w := tape(t, "sv.bots", "6", "sv.rotation", "pit", "lag.shots_file", file)
	if got := w.say("shots"); !strings.Contains(got, "no shot has been fired") && !strings.Contains(got, "tick ") {
		t.Errorf("at the start: %q", got)
	}
	w.TestedShots(nil, 1) // from now on those of the first player are kept
	tested := []server.Shot{}
	name := make(chan string, 1)
	for n := 0; len(tested) == 0; n++ {
		if n > 3000 {
			t.Fatal("the first bot never shoots")
		}
		<-w.ticks
		tested = w.TestedShots(tested, 1)
	}
	for i := range tested {
		if tested[i].Shooter != 1 {
			t.Errorf("a shot of player %d", tested[i].Shooter)
		}
	}
	w.Server().Do(func(s *server.Server) { name <- s.Name(1) })
	who := <-name
	for _, c := range []struct{ line, want string }{
		{"shots", "(round trip "}, {"shots " + who, "tick "}, {"shots " + who + " 1", who}, {"shots 1", "interpolation "},
		{"shots nobody", `nobody is named "nobody"`}, {"shots a b c", "usage"},
	} {
		got := w.say(c.line)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.line, got)
		}
		if strings.HasSuffix(c.line, " 1") && strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %q is not one line", c.line, got)
		}
	}
	if got := w.say("evidence"); !strings.Contains(got, "no shot has hit anybody who was not shown") && !strings.Contains(got, "tick ") {
		t.Errorf("evidence: %q", got)
	}
	w.Stop("to look at the file")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, last := 0, state.Tick(0)
	for sc := bufio.NewScanner(f); sc.Scan(); lines++ {
		var l struct {
			Tick    state.Tick
			Shooter state.ID
			Result  string
		}
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil || l.Tick < last || l.Shooter == 0 || l.Result == "" {
			t.Fatalf("line %d: %v: %s", lines+1, err, sc.Bytes())
		}
		last = l.Tick
	}
	if lines == 0 {
		t.Error("no line was written")
	}
}

// A file that cannot be written to is said at the start, by the setting's name.
func TestShotsFileThatCannotBe(t *testing.T) {
	r := newRoom(t, "plugin.linked", "true", "sv.bots", "0", "lag.shots_file", filepath.Join(t.TempDir(), "no", "such", "folder"))
	h, err := host.Start(host.Config{Settings: r.set, Levels: r.levels, Log: r.slog(), Offline: true})
	if err == nil {
		h.Stop("it started")
		t.Fatal("a server starts without its file")
	}
	if !strings.Contains(err.Error(), "lag.shots_file") {
		t.Errorf("%v", err)
	}
}
