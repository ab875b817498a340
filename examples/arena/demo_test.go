//go:build linux

package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A listen server records the match that is played on it, and the same program
// shows it. What cannot be shown is refused in one line before a window opens.
func TestAMatchIsRecordedAndShown(t *testing.T) {
	needsDisplay(t)
	dir := t.TempDir()
	small := []string{"-width", "320", "-height", "200", "+set", "demo.folder", dir, "+set", "plugin.linked", "true"}
	out, log, code := run(t, 40*time.Second, nil, append([]string{"-autoplay", "-seconds", "5", "-screenshot", filepath.Join(dir, "a.png"), "+record", "a", "+sv.status"}, small...)...)
	file := filepath.Join(dir, "a.sldemo")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("exit status %d, %v\n%s%s", code, err, out, log)
	}
	shot := filepath.Join(dir, "demo.png")
	out, log, code = run(t, 40*time.Second, nil, append([]string{"-demo", file, "-seconds", "2", "-screenshot", shot, "+demo.seek", "1", "+demo.knew", "on"}, small...)...)
	if code != 0 || strings.Contains(log, "level=ERROR") {
		t.Fatalf("exit status %d\n%s%s", code, out, log)
	}
	has(t, out, "demo          a.sldemo, level pit", "picture ")
	if st, err := os.Stat(shot); err != nil || st.Size() < 10000 {
		t.Errorf("no picture: %v", err)
	}
	write := func(name string, b []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	cut := write("cut.sldemo", data[:len(data)*2/3])
	quake := append([]byte{12, 0, 0, 0, 100, 0, 0, 0}, make([]byte, 100)...)
	quake = append(quake, 13, 0, 0, 0, 9, 0, 0, 0)
	for _, c := range []struct {
		args, want []string
	}{
		{[]string{"-demo", cut}, []string{cut, "cut off", "at byte", "-partial"}},
		{[]string{"-demo", write("x.dm_68", append(quake, bytes.Repeat([]byte{7}, 9)...))}, []string{"x.dm_68", "Quake III"}},
		{[]string{"-demo", write("x.dem", append([]byte("HL2DEMO\x00"), quake...))}, []string{"x.dem", "Counter-Strike"}},
		{[]string{"-demo", write("empty", nil)}, []string{"empty"}},
		{[]string{"-demo", dir}, []string{dir, "not a file"}},
		{[]string{"-demo", filepath.Join(dir, "none")}, []string{"none", "no such file"}},
		{[]string{"-demo", ""}, []string{"-demo", "file"}},
		{[]string{"-demo", file, "-join", "127.0.0.1:1"}, []string{"-demo", "-join"}},
		{[]string{"-partial"}, []string{"-partial", "-demo"}},
	} {
		_, log, code := run(t, 15*time.Second, []string{"DISPLAY="}, c.args...)
		has(t, sentence(t, log, code), c.want...)
	}
	out, log, code = run(t, 40*time.Second, nil, append([]string{"-demo", cut, "-partial", "-seconds", "1"}, small...)...)
	if code != 0 || !strings.Contains(log, "cut off") {
		t.Errorf("exit status %d\n%s%s", code, out, log)
	}
}
