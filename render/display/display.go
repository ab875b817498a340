// Package display gives tests a display and the main thread.
//
// A test binary that draws makes one Runner, calls Main from TestMain, and wraps
// what touches the window in Do. Where no display is set and Xvfb is installed,
// Main starts one on a free number and ends it, by its own process, at the end;
// where there is none, Do skips the test and says what to install.
package display

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// Runner runs functions on the main thread of a test binary.
type Runner struct {
	work  chan func()
	fails string // why there is no display
}

// NewRunner ties the calling goroutine, which must be the one that starts the
// program (a package variable's initialiser is), to the main thread.
func NewRunner() *Runner {
	runtime.LockOSThread()
	return &Runner{work: make(chan func())}
}

// Main runs the tests on a goroutine and what they pass to Do here. It returns
// the exit status.
func (r *Runner) Main(m *testing.M) int {
	stop, err := Ensure()
	if err != nil {
		r.fails = err.Error()
	}
	defer stop()
	code := make(chan int, 1)
	go func() { code <- m.Run() }()
	for {
		select {
		case f := <-r.work:
			f()
		case c := <-code:
			return c
		}
	}
}

// Do runs a function on the main thread and waits for it. It skips the test
// where there is no display.
func (r *Runner) Do(t testing.TB, f func()) {
	t.Helper()
	if r.fails != "" {
		t.Skip("needs a display: " + r.fails)
	}
	done := make(chan any, 1)
	r.work <- func() {
		failed := true // a test's FailNow ends the goroutine that it runs on
		defer func() {
			p := recover()
			if p == nil && failed {
				p = errors.New("ended early: use t.Error on the main thread")
			}
			done <- p
		}()
		f()
		failed = false
	}
	if p := <-done; p != nil {
		t.Fatalf("on the main thread: %v", p)
	}
}

// Ensure makes sure that there is a display, and returns what ends the one it
// started. stop is never nil.
func Ensure() (stop func(), err error) {
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" {
		return func() {}, nil
	}
	name, stop, err := Start()
	if err == nil {
		os.Setenv("DISPLAY", name)
	}
	return stop, err
}

// Start starts a virtual display of the caller's own on a number that is free, and
// returns its name and what ends it. stop is never nil. The error says what is
// missing.
func Start() (name string, stop func(), err error) {
	none := func() {}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return "", none, errors.New("there is no display and Xvfb is not installed (apt-get install xvfb libgl1-mesa-dri)")
	}
	// The server writes the number that it chose to this pipe once it listens.
	r, w, err := os.Pipe()
	if err != nil {
		return "", none, err
	}
	defer r.Close()
	// Without -noreset it begins anew when the last of its clients has gone, and
	// refuses whoever comes meanwhile.
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	dieWithParent(cmd)
	err = cmd.Start()
	w.Close()
	if err != nil {
		return "", none, fmt.Errorf("start Xvfb: %w", err)
	}
	stop = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		stop()
		return "", none, fmt.Errorf("Xvfb did not come up: %w", err)
	}
	return ":" + strings.TrimSpace(line), stop, nil
}
