package host

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// junkKept is how much of what a plugin printed instead of its handshake is kept.
const junkKept = 64 << 10

// proc is one plugin process: go-plugin's runner, so that how it is started,
// read and ended is ours. A thread is kept for it as long as it lives, because
// Linux ties the parent-death signal to the thread that started it.
type proc struct {
	cmd *exec.Cmd
	log *output
	// begun, when set, is told that the process has started, before it can have been
	// waited for.
	begun func(pid int)

	shake   *io.PipeReader // what go-plugin reads as stdout: one good line or nothing
	shakeW  *io.PipeWriter
	silent  *io.PipeReader // what go-plugin reads as stderr: nothing
	silentW *io.PipeWriter
	exited  chan struct{}
	drained chan struct{} // closed when all that it wrote was read
	waitErr error
	how     string // valid after exited: how it ended
	pumps   sync.WaitGroup
	mu      sync.Mutex
	reaped  bool
	junk    []byte // what came instead of a handshake
	line    string // the handshake
	killed  bool   // by us

	socket string // of a plugin that somebody else started: there is no process of ours
}

func newProc(cmd *exec.Cmd, log *output) *proc {
	p := &proc{cmd: cmd, log: log, exited: make(chan struct{}), drained: make(chan struct{})}
	p.shake, p.shakeW = io.Pipe()
	p.silent, p.silentW = io.Pipe()
	return p
}

// Start starts the process.
func (p *proc) Start(context.Context) error {
	if p.socket != "" {
		p.line = attachLine(p.socket)
		go io.WriteString(p.shakeW, p.line+"\n")
		return nil
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return err
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		outR.Close()
		outW.Close()
		return err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = nil, outW, errW
	prepare(p.cmd)
	started := make(chan error)
	go p.run(started, outW, errW)
	if err := <-started; err != nil {
		outR.Close()
		errR.Close()
		p.shakeW.Close()
		p.silentW.Close()
		return err
	}
	p.pumps.Add(2)
	go p.pumpStdout(outR)
	go p.pumpStderr(errR)
	go func() {
		<-p.exited
		// Children that inherited a pipe must not hold its reader: the rest of what
		// was written is here already.
		t := time.AfterFunc(200*time.Millisecond, func() { outR.Close(); errR.Close() })
		p.pumps.Wait()
		close(p.drained)
		t.Stop()
		outR.Close()
		errR.Close()
		p.silentW.Close()
	}()
	return nil
}

// drainLimit is how long the last lines of a process that has ended are waited for: they
// are here already, but where a child of it holds the pipe.
const drainLimit = 20 * time.Millisecond

// drain waits for the last lines of a process that has ended.
func (p *proc) drain() {
	select {
	case <-p.exited:
	default:
		return // it is still to be ended
	}
	if p.socket != "" {
		return
	}
	t := time.NewTimer(drainLimit)
	defer t.Stop()
	select {
	case <-p.drained:
	case <-t.C:
	}
}

// run starts the process, waits for its end on the same thread, ends its group
// and reaps it.
func (p *proc) run(started chan<- error, outW, errW *os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p.mu.Lock() // somebody may want to end it already
	err := p.cmd.Start()
	p.mu.Unlock()
	outW.Close()
	errW.Close()
	if err == nil && p.begun != nil {
		p.begun(p.cmd.Process.Pid)
	}
	started <- err
	if err != nil {
		return
	}
	zombie := awaitZombie(p.cmd.Process.Pid)
	p.mu.Lock()
	if zombie {
		killGroup(p.cmd)
		p.reaped = true
	}
	p.mu.Unlock()
	p.waitErr = p.cmd.Wait()
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	p.how = howItEnded(p.cmd.ProcessState)
	close(p.exited)
}

// signal runs send unless the process has been waited for: its id may be
// somebody else's then.
func (p *proc) signal(send func(*exec.Cmd)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd.Process != nil && !p.reaped {
		send(p.cmd)
	}
}

func (p *proc) kill() {
	if p.socket != "" {
		p.detach()
		return
	}
	p.signal(func(c *exec.Cmd) {
		p.killed = true
		killGroup(c)
	})
}

func (p *proc) pid() int {
	if p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

func (p *proc) isDead() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// pumpStdout passes the handshake on and logs what follows. What is no handshake
// is kept for the message, and go-plugin sees the end of the output at once.
func (p *proc) pumpStdout(r io.Reader) {
	defer p.pumps.Done()
	br := bufio.NewReaderSize(r, junkKept)
	line, err := br.ReadSlice('\n')
	text := strings.TrimSpace(string(line))
	p.mu.Lock()
	if err == nil && len(text) < 8<<10 && isHandshake(text) {
		p.line = text
	} else {
		p.junk = append(p.junk, line...)
	}
	good := p.line != ""
	p.mu.Unlock()
	if good {
		_, _ = io.WriteString(p.shakeW, text+"\n")
		p.log.read(br, "stdout")
	} else {
		if len(line) == 0 {
			// Its output ended before it began: it is ending. go-plugin would kill it
			// now, and its own status says more.
			select {
			case <-p.exited:
			case <-time.After(stopStep):
			}
		}
		p.shakeW.Close()
		_, _ = io.Copy(io.Discard, br)
	}
	p.shakeW.Close()
}

// isHandshake reports whether a line is "core|major|network|address|…".
func isHandshake(line string) bool {
	parts := strings.Split(line, "|")
	if len(parts) < 5 {
		return false
	}
	_, err1 := strconv.Atoi(parts[0])
	_, err2 := strconv.Atoi(parts[1])
	return err1 == nil && err2 == nil && (parts[2] == "unix" || parts[2] == "tcp")
}

func (p *proc) pumpStderr(r io.Reader) {
	defer p.pumps.Done()
	p.log.read(bufio.NewReaderSize(r, lineLimit), "stderr")
}

// The rest of go-plugin's runner.

// Diagnose adds nothing: our own diagnosis needs no help of go-plugin.
func (p *proc) Diagnose(context.Context) string { return "" }

// Stdout is where the handshake is read.
func (p *proc) Stdout() io.ReadCloser { return p.shake }

// Stderr ends when the process does; what is written there is read by output.
func (p *proc) Stderr() io.ReadCloser { return p.silent }

// Name is the file's.
func (p *proc) Name() string { return filepath.Base(p.cmd.Path) }

// ID is the process id.
func (p *proc) ID() string {
	if n := p.pid(); n != 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// Wait returns when the process has ended.
func (p *proc) Wait(ctx context.Context) error {
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Kill ends the group and does not wait.
func (p *proc) Kill(context.Context) error {
	p.kill()
	return nil
}

// PluginToHost and HostToPlugin translate nothing: both see the same files.
func (p *proc) PluginToHost(network, addr string) (string, string, error) {
	if network == "unix" && len(addr) > maxSocketPath+4 {
		return "", "", errors.New("the plugin's socket path is too long: " + addr)
	}
	return network, addr, nil
}

// HostToPlugin is the reverse of PluginToHost.
func (p *proc) HostToPlugin(network, addr string) (string, string, error) { return network, addr, nil }
