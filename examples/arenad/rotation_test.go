//go:build linux

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// place makes a folder of levels, each a copy of pit cut to a share of its length.
func place(t *testing.T, maps map[string]float64) string {
	t.Helper()
	dir := t.TempDir()
	data, err := os.ReadFile("../arena/maps/pit.map")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "maps"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, share := range maps {
		// A comment makes each a level of its own.
		text := fmt.Sprintf("// %s\n%s", name, data[:int(share*float64(len(data)))])
		if err := os.WriteFile(filepath.Join(dir, "maps", name+".map"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func rotation(t *testing.T, names ...string) string {
	return file(t, "[sv]\nport = 0\nbots = 2\nrotation = [\""+strings.Join(names, `", "`)+"\"]\n")
}

func TestRotationWithoutAnyLevel(t *testing.T) {
	got := refused(t, "-config", rotation(t, "nope1", "nope2"))
	for _, want := range []string{"nope1", "nope2", "no level of the rotation"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in: %s", want, got)
		}
	}
	got = refused(t, "-config", file(t, "[sv]\nport = 0\nrotation = []\n"))
	if !strings.Contains(got, "sv.rotation") || strings.Count(got, "\n") != 1 {
		t.Errorf("an empty rotation: %s", got)
	}
	dir := place(t, map[string]float64{"cut": 0.4, "void": 0})
	got = refused(t, "-assets", dir, "-config", rotation(t, "cut", "void"))
	for _, want := range []string{"cut", "void"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in: %s", want, got)
		}
	}
}

// One good level among twenty that are not there, and one that is cut off: each
// is named once, at the start, and the good one is played; at its end as well.
func TestRotationWithOneGoodLevel(t *testing.T) {
	dir := place(t, map[string]float64{"good": 1, "cut": 0.4})
	names := []string{}
	for i := range 10 {
		names = append(names, fmt.Sprintf("gone%02d", i))
	}
	names = append(names, "good", "cut")
	for i := range 10 {
		names = append(names, fmt.Sprintf("gone%02d", 10+i))
	}
	p := launch(t, true, "-assets", dir, "-config", rotation(t, names...))
	log := p.log.String()
	for _, n := range names {
		want := 1
		if n == "good" {
			want = 0
		}
		if got := strings.Count(log, "level="+n+" "); got != want {
			t.Errorf("%s is named %d times at the start, want %d", n, got, want)
		}
	}
	var a fare
	p.until("two bots", func() bool { a = p.status(); return a.clients == 2 })
	p.tell("next")
	p.until("the next match", func() bool { return strings.Contains(p.log.String(), `msg="level changed" level=good`) })
	var b fare
	p.until("play", func() bool { b = p.status(); return b.clients == 2 && b.tick > 32 })
	if b.level != "good" {
		t.Errorf("plays %s", b.level)
	}
	if n := strings.Count(p.log.String(), "left out of the rotation"); n != 21 {
		t.Errorf("%d levels were left out in one pass, want 21", n)
	}
	noTrace(t, p.log.String())
}

// Levels that are deleted while they are played: one pass, then the match goes on
// with whom it has.
func TestRotationOfDeletedLevels(t *testing.T) {
	dir := place(t, map[string]float64{"one": 1, "two": 1})
	maps := filepath.Join(dir, "maps")
	p := launch(t, true, "-assets", dir, "-config", rotation(t, "one", "two"))
	var a, b fare
	p.until("two bots", func() bool { a = p.status(); return a.clients == 2 && a.tick > 32 })
	if err := os.Rename(maps, maps+".away"); err != nil {
		t.Fatal(err)
	}
	p.tell("next")
	p.until("the pass to end", func() bool { return strings.Contains(p.log.String(), "the present one goes on") })
	p.until("play", func() bool { b = p.status(); return b.tick > a.tick+32 })
	if b.level != "one" || b.clients != 2 || b.policy != a.policy || b.rules != a.rules {
		t.Errorf("the match did not go on:\n%s\n%s", a.text, b.text)
	}
	if n := strings.Count(p.log.String(), "left out of the rotation"); n != 2 {
		t.Errorf("%d log lines of one pass over two levels\n%s", n, p.log.String())
	}

	// The console's map command is no way out of this either.
	p.tell("map ../../../../etc/passwd")
	p.tell("map nowhere")
	p.until("two refusals", func() bool { return strings.Count(p.log.String(), "level cannot be started") == 2 })

	if err := os.Rename(maps+".away", maps); err != nil {
		t.Fatal(err)
	}
	p.tell("next")
	p.until("the next level", func() bool { b = p.status(); return b.level == "two" && b.clients == 2 && b.tick > 32 })
	if b.policy == a.policy || b.rules == a.rules || alive(a.policy) || alive(a.rules) {
		t.Errorf("the plugins of the match before are still there\n%s", b.text)
	}
	if log := p.log.String(); strings.Contains(log, "msg=left") {
		t.Errorf("somebody was lost on the way\n%s", log)
	}
	noTrace(t, p.log.String())
}
