package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// recorded writes a small demo and returns its name.
func recorded(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	r, err := demo.NewRecorder(&b, demo.Header{Level: "pit", TickRate: 20, Server: "here", Seed: 3}, demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		r.Put(&demo.Frame{
			Tick:     state.Tick(1000 + i),
			Entities: []state.Entity{{ID: 1, Kind: state.KindPlayer, Pos: state.Q{X: int32(256 * i)}}, {ID: 2, Kind: state.KindPlayer}},
			Roster:   []state.Score{{ID: 1, Name: "one"}, {ID: 2, Name: "two", Bot: true}},
			Viewers:  []demo.Viewer{{ID: 1, Told: []demo.Told{{}, {Told: i >= 50, Reason: vis.EyeEye}}}},
		})
	}
	if _, err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "a.sldemo", b.Bytes())
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDemoInfoSaysWhatItIs(t *testing.T) {
	name := recorded(t)
	var d demoInfo
	if err := json.Unmarshal([]byte(must(t, "", "demo", "info", name, "--json")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Level != "pit" || d.First != 1000 || d.Last != 1099 || d.Frames != 100 || d.Keyframes != 3 || d.Seconds != 5 || d.Truncated {
		t.Errorf("%+v", d)
	}
	if text := must(t, "", "demo", "info", name); !strings.Contains(text, "5.0 s") || strings.Contains(text, "cut off") {
		t.Error(text)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	short := write(t, "b.sldemo", b[:len(b)*2/3])
	if text := must(t, "", "demo", "info", short); !strings.Contains(text, "cut off") {
		t.Error(text)
	}
	if text := must(t, "", "demo", "export", short); !strings.Contains(text, "was cut off") {
		t.Error("export of a cut file does not say so")
	}
}

func TestDemoExportIsALinePerTick(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(must(t, "", "demo", "export", recorded(t), "--from", "1045", "--to", "1055")), "\n")
	if len(lines) != 11 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines {
		var d demoTick
		if err := json.Unmarshal([]byte(l), &d); err != nil {
			t.Fatal(err)
		}
		told := d.Viewers[0].Told
		if d.Tick != state.Tick(1045+i) || d.Entities[0].Pos[0] != float32(45+i) || d.Roster[1].Name != "two" ||
			len(told) != min(max(i-4, 0), 1) || len(told) == 1 && (told[0].ID != 2 || told[0].Reason != vis.EyeEye.String()) {
			t.Errorf("%s", l)
		}
	}
}

// Demos of other engines, folders and nothing are refused with one sentence.
func TestForeignDemosAreRefused(t *testing.T) {
	foreign := append([]byte{1, 0, 0, 0, 0, 64, 0, 0}, make([]byte, 16384)...)
	for _, name := range []string{write(t, "x.dm_68", foreign), write(t, "x.sldemo", nil), t.TempDir(), "none.sldemo"} {
		for _, sub := range []string{"info", "export"} {
			out, err := sightline(t, "", "demo", sub, name)
			if err == nil || out != "" || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %s: %v %q", sub, name, err, out)
			}
		}
	}
}
