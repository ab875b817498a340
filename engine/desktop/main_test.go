package desktop_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/render/window"
)

var (
	keep = flag.String("keep", "", "folder for pictures to look at")
	// work carries what must run on the main thread; noDisplay says why nothing can.
	work      = make(chan func())
	noDisplay string
)

func init() { window.Lock() }

// TestMain keeps the main thread for windows and runs the tests beside it.
func TestMain(m *testing.M) {
	flag.Parse()
	stop, err := display()
	if err != nil {
		noDisplay = err.Error()
	}
	code := make(chan int, 1)
	go func() { code <- m.Run() }()
	for {
		select {
		case f := <-work:
			f()
		case c := <-code:
			stop()
			os.Exit(c)
		}
	}
}

// onMain runs f on the main thread; it skips the test where there is no display.
func onMain(t testing.TB, f func() error) {
	t.Helper()
	if noDisplay != "" {
		t.Skip("needs a display: " + noDisplay)
	}
	done := make(chan error, 1)
	work <- func() {
		err := errors.New("panicked")
		defer func() { done <- err }()
		err = f()
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// display starts a virtual display where there is none and one can be had.
func display() (stop func(), err error) {
	stop = func() {}
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" {
		return stop, nil
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return stop, errors.New("DISPLAY is not set and Xvfb is not installed (apt-get install xvfb libgl1-mesa-dri)")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return stop, err
	}
	defer r.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	err = cmd.Start()
	w.Close()
	if err != nil {
		return stop, fmt.Errorf("start Xvfb: %w", err)
	}
	stop = func() { cmd.Process.Kill(); cmd.Wait() }
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return stop, fmt.Errorf("Xvfb did not come up: %w", err)
	}
	os.Setenv("DISPLAY", ":"+strings.TrimSpace(line))
	return stop, nil
}

// shipped loads a map that ships with the engine.
func shipped(t testing.TB, name string) *level.Level {
	t.Helper()
	file := filepath.Join("..", "..", "examples", "arena", "maps", name+".map")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := load.Bytes(name+".map", data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// look keeps a picture for a person, with -keep.
func look(t testing.TB, name string, img image.Image) {
	t.Helper()
	if *keep == "" {
		return
	}
	f, err := os.Create(filepath.Join(*keep, name+".png"))
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Error(err)
	}
}
