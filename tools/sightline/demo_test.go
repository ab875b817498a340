package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
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
			Viewers:  []demo.Viewer{{ID: 1, Own: demo.Own{Health: 77}, Told: []demo.Told{{}, {Told: i >= 50, Reason: vis.EyeEye}}}},
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
	// A cut file is described, and refused: the sentence says where it is cut.
	text, err := sightline(t, "", "demo", "info", short)
	if err == nil || !strings.Contains(err.Error(), short) || !strings.Contains(err.Error(), "ends inside a record at byte") || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(text, "cut off") || !strings.Contains(text, "player      2 two, bot: 0 points") {
		t.Error(text, err)
	}
	text, err = sightline(t, "", "demo", "info", short, "--json")
	if json.Unmarshal([]byte(text), &d) != nil || err == nil || !d.Truncated || !strings.Contains(err.Error(), d.Cut) || len(d.Players) != 2 {
		t.Error(text, err)
	}
	for _, sub := range []string{"export", "play"} {
		if text, err := sightline(t, "", "demo", sub, short); err == nil || !strings.Contains(err.Error(), "--partial") || text != "" {
			t.Errorf("%s: %q, %v", sub, text, err)
		}
	}
	if text := must(t, "", "demo", "export", short, "--partial"); !strings.Contains(text, "cut off") || strings.Count(text, "\"tick\"") < 30 {
		t.Error("export of a part", text)
	}
}

// What a player knew is exported without anything else of the match.
func TestDemoExportOfWhatAPlayerKnew(t *testing.T) {
	name := recorded(t)
	for _, who := range []string{"one", "ONE", "1"} {
		lines := strings.Split(strings.TrimSpace(must(t, "", "demo", "export", name, "--knew", who, "--from", "1048", "--to", "1051")), "\n")
		if len(lines) != 4 {
			t.Fatalf("%d lines", len(lines))
		}
		for i, l := range lines {
			var d demoKnew
			if err := json.Unmarshal([]byte(l), &d); err != nil {
				t.Fatal(err)
			}
			if !d.Present || d.ID != 1 || len(d.Entities) != 1+i/2 || len(d.Told) != i/2 || d.Own.Health != 77 || strings.Contains(l, "two") || strings.Contains(l, "roster") {
				t.Errorf("%s", l)
			}
		}
	}
	var d demoKnew
	if l := must(t, "", "demo", "export", name, "--knew", "two", "--from", "1099"); json.Unmarshal([]byte(l), &d) != nil || d.Present || len(d.Entities) != 0 {
		t.Errorf("%s", l)
	}
	if _, err := sightline(t, "", "demo", "export", name, "--knew", "three"); err == nil || !strings.Contains(err.Error(), "there are one, two") {
		t.Error(err)
	}
}

// demo play runs the window's program, and says what is missing when there is none.
func TestDemoPlayRunsTheWindow(t *testing.T) {
	name := recorded(t)
	if _, err := sightline(t, "", "demo", "play", name, "--arena", t.TempDir()); err == nil || !strings.Contains(err.Error(), "make arena") || !strings.Contains(err.Error(), "arena -demo "+name) {
		t.Error(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "arena"), []byte("#!/bin/sh\necho \"$@\"\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := sightline(t, "", "demo", "play", name, "--arena", dir, "--", "-width", "320")
	if err == nil || !strings.Contains(err.Error(), "status 3") || strings.TrimSpace(out) != "-demo "+name+" -width 320" {
		t.Errorf("%q, %v", out, err)
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
		for _, sub := range []string{"info", "export", "play"} {
			out, err := sightline(t, "", "demo", sub, name)
			if err == nil || out != "" || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %s: %v %q", sub, name, err, out)
			}
		}
	}
}
