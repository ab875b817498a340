package window_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/sightline-engine/sightline/render/display"
	"github.com/sightline-engine/sightline/render/window"
	"github.com/sightline-engine/sightline/render/window/input"
)

var runner = display.NewRunner()

// TestMain is also the child process of tests that need another environment:
// with SIGHTLINE_OPEN set it opens a window and prints what came of it.
func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv("SIGHTLINE_OPEN") != "" {
		w, err := window.Open(window.Config{Hidden: true})
		if err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			if errors.Is(err, window.ErrNoWindow) {
				os.Exit(3)
			}
			os.Exit(4)
		}
		w.Close()
		os.Exit(0)
	}
	os.Exit(runner.Main(m))
}

// with opens a window, hands it to f on the main thread, and closes it.
func with(t *testing.T, cfg window.Config, f func(w *window.Window)) {
	t.Helper()
	runner.Do(t, func() {
		w, err := window.Open(cfg)
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		f(w)
	})
}

// child runs this binary as a program that only opens a window.
func child(t *testing.T, env ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "SIGHTLINE_OPEN=1")...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestNoDisplayIsOneSentence(t *testing.T) {
	out, code := child(t, "DISPLAY=", "WAYLAND_DISPLAY=")
	if code != 3 || strings.Count(strings.TrimSpace(out), "\n") != 0 || !strings.Contains(out, "DISPLAY") && !strings.Contains(out, "open display") {
		t.Errorf("exit %d, output:\n%s", code, out)
	}
}

func TestTooOldGLIsOneSentence(t *testing.T) {
	with(t, window.Config{Hidden: true}, func(*window.Window) {}) // skips without a display
	out, code := child(t, "MESA_GL_VERSION_OVERRIDE=2.1", "LIBGL_ALWAYS_SOFTWARE=1")
	if code != 3 || strings.Count(strings.TrimSpace(out), "\n") != 0 || !strings.Contains(out, "OpenGL 4.1") {
		t.Errorf("exit %d, output:\n%s", code, out)
	}
}

func TestHintsAskForWhatMacOSGives(t *testing.T) {
	got := map[glfw.Hint]int{}
	for _, h := range window.Hints() {
		got[h.Hint] = h.Value
	}
	if v := got[glfw.ContextVersionMajor]*10 + got[glfw.ContextVersionMinor]; v > 41 || v < 32 {
		t.Errorf("context version %d", v)
	}
	if got[glfw.OpenGLForwardCompatible] != glfw.True || got[glfw.OpenGLProfile] != glfw.OpenGLCoreProfile {
		t.Errorf("hints %v", got)
	}
}

func TestCallsFromAnotherThreadPanicPlainly(t *testing.T) {
	with(t, window.Config{Hidden: true}, func(w *window.Window) {
		said := make(chan any, 1)
		go func() {
			defer func() { said <- recover() }()
			w.SetTitle("x")
		}()
		if s, _ := (<-said).(string); !strings.Contains(s, "SetTitle was called from another thread") {
			t.Errorf("panic: %q", s)
		}
	})
}

func TestDoAndRequestCloseComeFromAnywhere(t *testing.T) {
	with(t, window.Config{Hidden: true}, func(w *window.Window) {
		done := make(chan int, 1)
		go func() {
			n := 0
			for w.Do(func() { w.SetTitle("queued") }) {
				n++
			}
			w.RequestClose()
			w.RequestClose()
			done <- n
		}()
		if n := <-done; n < 1 || n > 1000 {
			t.Errorf("the queue took %d functions", n)
		}
		closes := 0
		for range 3 {
			for _, e := range w.Poll() {
				if e.Kind == input.Close {
					closes++
				}
			}
		}
		if closes != 1 {
			t.Errorf("%d requests to close were reported", closes)
		}
		if !w.Do(func() {}) {
			t.Error("the queue stays full after Poll")
		}
		// Leaving a server closes the window from inside the queue.
		w.Do(w.Close)
		w.Poll()
		if w.Do(func() {}) {
			t.Error("a closed window takes functions")
		}
	})
}

func TestResizeStormLeavesSaneSizes(t *testing.T) {
	with(t, window.Config{Width: 640, Height: 360, Hidden: true}, func(w *window.Window) {
		for i := range 200 {
			w.Resize(1+i*37%900, 1+i*53%500)
			if i%10 == 0 {
				w.Resize(1, 400)
			}
			w.Poll()
			if width, height := w.Framebuffer(); width < 0 || height < 0 || width > 1<<15 || height > 1<<15 {
				t.Errorf("framebuffer %d x %d", width, height)
			}
			w.Swap()
		}
		w.Iconify()
		w.Poll()
		w.Restore()
		w.Poll()
	})
}

// TestSyntheticKeyboard presses real keys through the X server.
func TestSyntheticKeyboard(t *testing.T) {
	tool, err := exec.LookPath("xdotool")
	if err != nil {
		t.Skip("needs xdotool (apt-get install xdotool)")
	}
	do := func(args ...string) {
		if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
			t.Errorf("xdotool %v: %v: %s", args, err, out)
		}
	}
	with(t, window.Config{Title: "sightline test keys", Width: 320, Height: 200}, func(w *window.Window) {
		var s input.State
		s.Bind(input.W, "forward")
		s.Bind(input.Space, "jump")
		pump := func(until func() bool) bool {
			for range 4000 {
				s.Begin()
				for _, e := range w.Poll() {
					s.Feed(e)
				}
				if until() {
					return true
				}
				w.Swap()
			}
			return false
		}
		out, err := exec.Command(tool, "search", "--name", "sightline test keys").Output()
		id := strings.TrimSpace(string(out))
		if _, bad := strconv.Atoi(id); err != nil || bad != nil {
			t.Errorf("the window is not found: %q %v", id, err)
			return
		}
		do("windowfocus", id)
		if !pump(w.Focused) {
			t.Error("no focus")
			return
		}
		do("keydown", "w")
		if !pump(func() bool { return s.Held("forward") }) {
			t.Error("a key that is down is not held")
		}
		// The root window takes the focus while the key stays down.
		do("mousemove", "1200", "700")
		do("windowfocus", rootWindow(tool))
		if !pump(func() bool { return !s.Held("forward") }) {
			t.Error("held without focus")
		}
		s.Take("forward")
		do("windowfocus", id)
		pump(w.Focused)
		do("keydown", "w") // what the keyboard's repeating sends
		do("keydown", "space")
		if !pump(func() bool { return s.Held("jump") }) {
			t.Error("a new key is not held after return")
		}
		if s.Held("forward") || s.Take("forward") {
			t.Error("a key still held on return acts without a new press")
		}
		do("keyup", "w")
		do("keyup", "space")
		pump(func() bool { return !s.Held("jump") })
		do("keydown", "w")
		if !pump(func() bool { return s.Held("forward") && !s.Held("jump") }) {
			t.Error("a new press after return is lost")
		}
		do("keyup", "w")
		pump(func() bool { return !s.Held("forward") })
	})
}

// rootWindow returns the number of the root window.
func rootWindow(tool string) string {
	out, err := exec.Command(tool, "search", "--maxdepth", "0", ".*").Output()
	if err != nil {
		return "0"
	}
	return strings.TrimSpace(strings.SplitN(string(out), "\n", 2)[0])
}
