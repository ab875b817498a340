//go:build linux

package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/render/display"
)

// bin holds the program and its plugins, as make builds them; screen is a virtual
// display, or "" where noDisplay says why there is none.
var bin, screen, noDisplay string

func TestMain(m *testing.M) {
	code, err := func() (int, error) {
		dir, err := os.MkdirTemp("", "sl")
		if err != nil {
			return 1, err
		}
		defer os.RemoveAll(dir)
		bin = dir
		for cgo, what := range map[string][]string{"1": {"."}, "0": {"../../plugins/policy-deaddrop", "../../plugins/rules-duel"}} {
			cmd := exec.Command("go", append([]string{"build", "-ldflags=-s", "-o", dir + "/"}, what...)...)
			cmd.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
			if out, err := cmd.CombinedOutput(); err != nil {
				return 1, fmt.Errorf("build: %w\n%s", err, out)
			}
		}
		// A display of their own: they move windows and press keys.
		name, stop, err := display.Start()
		if err != nil {
			noDisplay = err.Error()
		}
		screen = name
		defer stop()
		return m.Run(), nil
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func needsDisplay(t *testing.T) {
	t.Helper()
	if screen == "" {
		t.Skip("needs a display: " + noDisplay)
	}
}

// program makes arena's command in the repository's root, on the virtual display
// and with no settings from this process's environment or the user's folder.
func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(bin, "arena"), append([]string{"-data", ""}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SIGHTLINE_") && !strings.HasPrefix(e, "DISPLAY=") && !strings.HasPrefix(e, "WAYLAND_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	if screen != "" {
		cmd.Env = append(cmd.Env, "DISPLAY="+screen)
	}
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// run lets the program end by itself.
func run(t *testing.T, within time.Duration, env []string, args ...string) (out, log string, code int) {
	t.Helper()
	cmd := program(t, env, args...)
	var o, l bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &l
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(within, func() { cmd.Process.Kill() })
	cmd.Wait()
	if !timer.Stop() {
		t.Fatalf("%v: still there after %v\n%s%s", args, within, o.String(), l.String())
	}
	return o.String(), l.String(), cmd.ProcessState.ExitCode()
}

// sentence is what a program that refuses says: one line, besides what it logged.
func sentence(t *testing.T, log string, code int) string {
	t.Helper()
	var said []string
	for l := range strings.Lines(log) {
		if !strings.HasPrefix(l, "time=") {
			said = append(said, l)
		}
	}
	if code != 1 || len(said) != 1 || !strings.HasPrefix(said[0], "arena: ") || strings.Contains(log, "goroutine ") {
		t.Errorf("exit status %d, want 1 and one line:\n%s", code, log)
	}
	return strings.Join(said, "")
}

func has(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in:\n%s", w, text)
		}
	}
}

// TestARunWithoutAPerson is the whole of it: a listen server with plugins, a window,
// a bot at the controls, a summary and a picture.
func TestARunWithoutAPerson(t *testing.T) {
	needsDisplay(t)
	shot := filepath.Join(t.TempDir(), "folder", "play.png")
	out, log, code := run(t, 40*time.Second, nil, "-plugins", bin, "-autoplay", "-seconds", "6", "-screenshot", shot, "-width", "640", "-height", "360")
	if code != 0 {
		t.Fatalf("exit status %d\n%s%s", code, out, log)
	}
	has(t, out, "renderer ", "prediction    0 errors", "picture ", "server ", "disclosure ", "policy-deaddrop pid", "rules-duel pid")
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 640 || b.Dy() != 360 {
		t.Errorf("the picture is %v", b)
	}
	shades := map[uint32]int{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 3 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 3 {
			r, g, b, _ := img.At(x, y).RGBA()
			shades[(r+g+b)/3>>11]++
		}
	}
	if len(shades) < 8 {
		t.Errorf("the picture has %d shades", len(shades))
	}
}

// Report O-32: what a machine lacks is said in one line, and the exit status tells.
func TestNoDisplayIsOneLine(t *testing.T) {
	_, log, code := run(t, 15*time.Second, []string{"DISPLAY="}, "-plugins", bin)
	has(t, sentence(t, log, code), "no window can be opened", "isplay")
	out, log, code := run(t, 15*time.Second, []string{"DISPLAY="}, "-plugins", bin, "-autoplay", "-seconds", "2")
	has(t, sentence(t, log, code), "isplay")
	if out != "" {
		t.Errorf("a summary of nothing:\n%s", out)
	}
}

func TestTooOldGLIsOneLine(t *testing.T) {
	needsDisplay(t)
	_, log, code := run(t, 15*time.Second, []string{"MESA_GL_VERSION_OVERRIDE=2.1", "LIBGL_ALWAYS_SOFTWARE=1"}, "-plugins", bin)
	has(t, sentence(t, log, code), "OpenGL 4.1")
}

// TestWrongWordsAreOneLine is what a person mistypes.
func TestWrongWordsAreOneLine(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "ticket")
	if err := os.WriteFile(bad, []byte("no ticket\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, want []string
	}{
		{[]string{"-map", "nope"}, []string{"nope", "pit.map"}},
		{[]string{"-map", "../../x"}, []string{"../../x"}},
		{[]string{"-map", "no.pk3:maps/x.bsp"}, []string{"no.pk3"}},
		{[]string{"pit"}, []string{"-map pit"}},
		{[]string{"-nope"}, []string{"-nope", "arena -help"}},
		{[]string{"-seconds", "x"}, []string{"-seconds", "x"}},
		{[]string{"-seconds", "-3"}, []string{"-seconds", "-3"}},
		{[]string{"-seconds", "NaN"}, []string{"-seconds"}},
		{[]string{"-width", "0"}, []string{"-width 0"}},
		{[]string{"-join", ""}, []string{"-join", "host:port"}},
		{[]string{"-join", "127.0.0.1:999999"}, []string{"999999"}},
		{[]string{"-token", "x"}, []string{"-token", "-join"}},
		{[]string{"-join", "127.0.0.1", "-token", "/nowhere/ticket"}, []string{"-token", "/nowhere/ticket"}},
		{[]string{"-join", "127.0.0.1", "-token", bad}, []string{"-token", bad, "sightline-ticket:"}},
		{[]string{"-plugins", "/nowhere/at/all"}, []string{"/nowhere/at/all"}},
		{[]string{"+set", "cl.fovv", "90"}, []string{"cl.fovv", "cl.fov"}},
	} {
		_, log, code := run(t, 15*time.Second, []string{"DISPLAY="}, c.args...)
		has(t, sentence(t, log, code), c.want...)
	}
}

// TestNobodyThere joins a server that is not there.
func TestNobodyThere(t *testing.T) {
	needsDisplay(t)
	t.Parallel()
	_, log, code := run(t, 25*time.Second, nil, "-join", "127.0.0.1:1", "-autoplay", "-seconds", "60", "-width", "160", "-height", "100")
	has(t, sentence(t, log, code), "not joined", "127.0.0.1:1")
}

// TestWindowIsPulledAboutAndLeft is reports O-30 and O-31 from outside: a window is
// resized 200 times, taken away and put back while a match goes on; then a key is
// held while another window gets the focus, and the body must not walk on.
func TestWindowIsPulledAboutAndLeft(t *testing.T) {
	needsDisplay(t)
	t.Parallel()
	tool, err := exec.LookPath("xdotool")
	if err != nil {
		t.Skip("needs xdotool (apt-get install xdotool)")
	}
	do := func(args ...string) string {
		cmd := exec.Command(tool, args...)
		cmd.Env = append(os.Environ(), "DISPLAY="+screen)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("xdotool %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	cmd := program(t, nil, "-plugins", bin, "-map", hall(t), "-seconds", "14", "-width", "320", "-height", "200", "+set", "sv.bots", "0", "+set", "plugin.linked", "true")
	var out, log bytes.Buffer
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(40*time.Second, func() { cmd.Process.Kill() })
	defer timer.Stop()
	shown := make(chan struct{})
	read := make(chan struct{})
	go func() {
		defer close(read)
		for sc := bufio.NewScanner(io.TeeReader(said, &log)); sc.Scan(); {
			if strings.Contains(sc.Text(), "level shown") {
				close(shown)
				break
			}
		}
		io.Copy(&log, said)
	}()
	select {
	case <-shown:
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
	case <-read:
	}
	id := do("search", "--all", "--onlyvisible", "--pid", strconv.Itoa(cmd.Process.Pid), "--name", "Sightline arena")
	if _, err := strconv.Atoi(id); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		<-read
		t.Fatalf("the window is not found: %q\n%s", id, log.String())
	}
	var storm []string
	for i := range 200 {
		w, h := 1+i*37%900, 1+i*53%500
		switch i % 20 {
		case 3:
			w, h = 1, 1
		case 9:
			w, h = 1, 400
		case 15:
			w, h = 4000, 2
		}
		storm = append(storm, "windowsize", id, strconv.Itoa(w), strconv.Itoa(h))
	}
	do(storm...)
	do("windowunmap", id, "sleep", "0.5", "windowmap", "--sync", id, "windowsize", id, "320", "200", "sleep", "0.5")
	began := time.Now()
	do("windowfocus", id, "sleep", "0.4", "keydown", "w", "sleep", "0.4", "windowfocus", root(do))
	held := time.Since(began)
	do("sleep", "0.5", "windowfocus", id, "sleep", "2") // back, and the key is still down
	cmd.Wait()
	<-read
	do("keyup", "w")
	if cmd.ProcessState.ExitCode() != 0 {
		t.Fatalf("%v\n%s%s", cmd.ProcessState, out.String(), log.String())
	}
	has(t, out.String(), "prediction    0 errors")
	if strings.Contains(log.String(), "NaN") || strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("log:\n%s", log.String())
	}
	m := regexp.MustCompile(`moved +([0-9.]+) m`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no way walked:\n%s", out.String())
	}
	moved, _ := strconv.ParseFloat(m[1], 64)
	t.Logf("walked %v m in %v", moved, held)
	// 10 m/s for as long as the key acted, and a little for the last frame and the slide.
	if most := 10*held.Seconds() + 4; moved < 0.5 || moved > most {
		t.Errorf("walked %v m, want 0.5 to %.1f: the key was held for %v with the focus and 2.5 s without", moved, most, held)
	}
}

// hall writes a level so wide that nobody reaches its walls in a test.
func hall(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("{\n\"classname\" \"worldspawn\"\n")
	box := func(x1, y1, z1, x2, y2, z2 int) {
		b.WriteString("{\n")
		for _, p := range [][9]int{
			{x1, y1, z1, x1, y1 + 1, z1, x1, y1, z1 + 1}, {x1, y1, z1, x1, y1, z1 + 1, x1 + 1, y1, z1}, {x1, y1, z1, x1 + 1, y1, z1, x1, y1 + 1, z1},
			{x2, y2, z2, x2, y2 + 1, z2, x2 + 1, y2, z2}, {x2, y2, z2, x2 + 1, y2, z2, x2, y2, z2 + 1}, {x2, y2, z2, x2, y2, z2 + 1, x2, y2 + 1, z2},
		} {
			fmt.Fprintf(&b, "( %d %d %d ) ( %d %d %d ) ( %d %d %d ) sl/wall 0 0 0 1 1\n", p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8])
		}
		b.WriteString("}\n")
	}
	const w, h, d = 4096, 256, 16
	box(-w, -w, -d, w, w, 0)
	box(-w, -w, h, w, w, h+d)
	box(-w-d, -w, 0, -w, w, h)
	box(w, -w, 0, w+d, w, h)
	box(-w, -w-d, 0, w, -w, h)
	box(-w, w, 0, w, w+d, h)
	b.WriteString("}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 32\"\n}\n")
	file := filepath.Join(t.TempDir(), "hall.map")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// root is the id of the display's root window.
func root(do func(...string) string) string {
	id, _, _ := strings.Cut(do("search", "--maxdepth", "0", ""), "\n")
	return id
}
