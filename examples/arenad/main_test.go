//go:build linux

package main_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// bin holds the server and its plugins, as make builds them.
var bin string

func TestMain(m *testing.M) {
	if addr := os.Getenv(childAddr); addr != "" { // started by TestStoppedProcessComesBack
		fmt.Fprintln(os.Stderr, playAsChild(addr))
		os.Exit(1)
	}
	code, err := func() (int, error) {
		dir, err := os.MkdirTemp("", "sl")
		if err != nil {
			return 1, err
		}
		defer os.RemoveAll(dir)
		bin = dir
		cmd := exec.Command("go", "build", "-ldflags=-s", "-o", dir+"/", ".",
			"../../plugins/policy-deaddrop", "../../plugins/policy-open", "../../plugins/rules-duel", "../../plugins/rules-teams", "../../tools/sightline",
			"../../plugins/host/testdata/plugin")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return 1, fmt.Errorf("build: %w\n%s", err, out)
		}
		for _, name := range []string{"policy-turncoat", "policy-hello", "rules-hello", "rules-exit3"} { // it does what it is called
			if err := os.Link(filepath.Join(dir, "plugin"), filepath.Join(dir, name)); err != nil {
				return 1, err
			}
		}
		return m.Run(), nil
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// lines is a text that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// process is a server that a test started.
type process struct {
	t        *testing.T
	cmd      *exec.Cmd
	in       io.WriteCloser // nil: standard input is at its end
	out, log lines
	addr     string
	ended    chan struct{}
}

// command makes the server's command, in the repository's root and a process group
// of its own, with no settings from this process's environment.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(bin, "arenad"), args...)
	cmd.Dir = filepath.Join("..", "..")
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SIGHTLINE_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// launch starts a server on a free port of the loopback and waits until it is
// ready. input is whether it gets a standard input.
func launch(t *testing.T, input bool, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: command(append(args, "+set", "sv.ip", "127.0.0.1")...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.log
	if input {
		in, err := p.cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		p.in = in
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
	})
	ready := regexp.MustCompile(`(?m)^arenad ready: .* on (127\.0\.0\.1:\d+), level`)
	p.until("the ready line", func() bool {
		if m := ready.FindStringSubmatch(p.out.String()); m != nil {
			p.addr = m[1]
		}
		return p.addr != ""
	})
	return p
}

// until waits for something that must come to pass while the server runs.
func (p *process) until(what string, f func() bool) {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); time.Sleep(20 * time.Millisecond) {
		select {
		case <-p.ended:
			if !f() {
				p.t.Fatalf("the server ended (%v) before %s\n%s\n%s", p.cmd.ProcessState, what, p.out.String(), p.log.String())
			}
			return
		default:
		}
		if time.Now().After(end) {
			p.t.Fatalf("waited too long for %s\n%s\n%s", what, p.out.String(), p.log.String())
		}
	}
}

// tell types a line at the server's console.
func (p *process) tell(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("console: %v", err)
	}
}

// fare is what the command status says.
type fare struct {
	level               string
	tick, clients       int
	kills, shots        int
	policy, rules       int // process ids
	text                string
	policyUps, rulesUps int // restarts
}

var fareLine = regexp.MustCompile(`(?s)server +level (\S+), tick (\d+), (\d+) clients \(\d+ bots\), (\d+) kills in (\d+) shots\n` +
	`.*policy +\S+ pid (\d+),[^\n]* (\d+) restarts\nrules +\S+ pid (\d+),[^\n]* (\d+) restarts\n`)

// status asks the server how it fares.
func (p *process) status() fare {
	p.t.Helper()
	from := len(p.out.String())
	p.tell("status")
	var m []string
	p.until("an answer to status", func() bool {
		if strings.Contains(p.out.String()[from:], "the server does not answer") { // within a second: ask again
			from = len(p.out.String())
			p.tell("status")
		}
		m = fareLine.FindStringSubmatch(p.out.String()[from:])
		return m != nil
	})
	n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
	return fare{level: m[1], tick: n(2), clients: n(3), kills: n(4), shots: n(5), policy: n(6), policyUps: n(7), rules: n(8), rulesUps: n(9), text: m[0]}
}

// end waits for the server's end and returns its exit status.
func (p *process) end(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		p.t.Fatalf("the server has not ended after %v\n%s\n%s", within, p.out.String(), p.log.String())
	}
	return p.cmd.ProcessState.ExitCode()
}

// alive reports whether a process is there and no corpse.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, ok := strings.Cut(string(data), ") ")
	return ok && rest[0] != 'Z' && rest[0] != 'X'
}

// cpu is how much processor time a process has used.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100
}

// refused runs a server that must not start, and returns what it said.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	cmd := command(args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(15*time.Second, func() { cmd.Process.Kill() })
	defer timer.Stop()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code == 0 || code > 1 || code < 0 {
		t.Errorf("exit status %d (%v), want 1\n%s", code, cmd.ProcessState, clip(out.String()))
	}
	noTrace(t, out.String())
	return out.String()
}

func noTrace(t *testing.T, text string) {
	t.Helper()
	for _, s := range []string{"panic:", "goroutine ", "runtime error", ".go:"} {
		if strings.Contains(text, s) {
			t.Errorf("a stack trace, or a part of one (%q):\n%s", s, clip(text))
			return
		}
	}
}

func clip(s string) string { return s[:min(len(s), 3000)] }
