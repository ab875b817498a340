package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	"github.com/sightline-engine/sightline/plugins/internal/mailbox"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
)

// frameStream is the data plane of either kind.
type frameStream = grpc.BidiStreamingClient[basev1.Frame, basev1.Frame]

// life is one process from its start to its end. A new one is made for each
// start: a go-plugin client cannot be started twice.
type life struct {
	plugin string
	proc   *proc
	out    *output
	client *plugin.Client
	conn   *grpc.ClientConn
	info   *basev1.InfoReply
	stream frameStream
	box    *mailbox.Host      // nil: frames go over the stream; set before the life is anyone's
	noBox  bool               // the box cannot be used after all
	cancel context.CancelFunc // of the stream

	dead chan struct{} // closed when the process ended or the stream failed
	once sync.Once
	why  error // valid after dead
	bye  chan struct{}
	done sync.WaitGroup // the goroutines that use the stream
}

// starter knows how a plugin is started, again and again.
type starter struct {
	cfg  *Config
	kind string
	name string // for messages: the file's name
	path string
	dir  string // private folder
	log  *slog.Logger
	out  func(*output) // told of the output of each life

	manifest *Manifest // of the present start; nil: none
	socket   string    // of a plugin that runs already; "" starts one
}

// start runs the process as far as base.Info. The context bounds it together with
// startLimit.
func (s *starter) start(ctx context.Context) (*life, error) {
	if why, err := s.mayRun(); why != "" {
		return nil, &StartError{Plugin: s.name, Path: s.path, Why: why, Err: err}
	}
	l := &life{
		plugin: s.name, out: newOutput(s.log, s.cfg.Clock),
		dead: make(chan struct{}), bye: make(chan struct{}),
	}
	l.out.flood = l.fail
	s.out(l.out)
	quiet := hclog.New(&hclog.LoggerOptions{Output: io.Discard, Level: hclog.Off})
	cmd := exec.Command(s.path)
	cmd.Dir = s.dir
	cmd.Env = s.environment()
	l.proc = newProc(cmd, l.out)
	l.proc.socket = s.socket
	s.offerBox(l, cmd)
	l.client = plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  contract.Handshake(),
		Plugins:          plugin.PluginSet{s.kind: dispenser{}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		RunnerFunc: func(_ hclog.Logger, spec *exec.Cmd, _ string) (runner.Runner, error) {
			cmd.Env = append(cmd.Env, spec.Env...)
			return l.proc, nil
		},
		StartTimeout: s.cfg.StartLimit, SkipHostEnv: true, Logger: quiet,
		SyncStdout: l.out, SyncStderr: l.out,
		AutoMTLS:         s.socket == "" && (s.cfg.MTLS || needsMTLS),
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: s.dir},
		GRPCDialOptions:  contract.DialOptions(),
		MinPort:          0, MaxPort: 1,
	})
	if err := l.open(ctx, s); err != nil {
		why := s.diagnose(l, err)
		l.end(false)
		return nil, why
	}
	go func() {
		<-l.proc.exited
		l.fail(errors.New(l.proc.how))
	}()
	return l, nil
}

// open does the handshake and asks who answers.
func (l *life) open(ctx context.Context, s *starter) error {
	stop := context.AfterFunc(ctx, l.proc.kill)
	defer stop()
	p, err := l.client.Client()
	if err != nil {
		return err
	}
	raw, err := p.Dispense(s.kind)
	if err != nil {
		return err
	}
	l.conn = raw.(*grpc.ClientConn)
	ctx, cancel := context.WithTimeout(ctx, s.cfg.StartLimit)
	defer cancel()
	if l.info, err = basev1.NewBaseClient(l.conn).Info(ctx, &basev1.InfoRequest{Engine: s.cfg.Engine}); err != nil {
		return err
	}
	switch {
	case s.kind != "" && l.info.Kind != s.kind:
		return fmt.Errorf("is a %s plugin, and a %s plugin was wanted", l.info.Kind, s.kind)
	case l.info.ApiMajor != contract.Major:
		return versionError("contract", int(l.info.ApiMajor), contract.Major)
	case l.info.FrameVersion != codec.Version:
		return versionError("frame layout", int(l.info.FrameVersion), codec.Version)
	}
	if why := s.manifest.agrees(l.info.Kind, l.info.Name, l.info.Version, l.info.ApiMajor); why != "" {
		return errors.New(why)
	}
	return nil
}

func versionError(what string, theirs, ours int) error {
	older := "the plugin is older: rebuild it (make plugins)"
	if theirs > ours {
		older = "this engine is older: update it, or rebuild the plugin with its sources"
	}
	return fmt.Errorf("speaks %s %d and this engine speaks %d: %s", what, theirs, ours, older)
}

// environment is what a plugin gets to see of ours: an allow-list.
func (s *starter) environment() []string {
	env := []string{
		contract.EnvHost + "=" + strconv.Itoa(os.Getpid()),
		"TMPDIR=" + s.dir,
	}
	for _, k := range []string{"PATH", "HOME", "LANG", "TZ", "GODEBUG", "GOTRACEBACK", "GOMAXPROCS", "GOGC", "GOMEMLIMIT", "SystemRoot", "TEMP", "TMP"} {
		if v, ok := os.LookupEnv(k); ok {
			env = append(env, k+"="+v)
		}
	}
	return append(env, s.cfg.Env...)
}

// dispenser gives the plain connection: the clients of the services are made from
// it.
type dispenser struct{ plugin.NetRPCUnsupportedPlugin }

func (dispenser) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("a host is not a plugin")
}

func (dispenser) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return c, nil
}

// diagnose turns whatever stopped a start into one sentence.
func (s *starter) diagnose(l *life, err error) error {
	p := l.proc
	e := &StartError{Plugin: s.name, Path: s.path, Err: err}
	if t := (*tablesError)(nil); errors.As(err, &t) {
		e.Why = fmt.Sprintf("%v (%s)", t, s.path)
		return e
	}
	if p.socket != "" {
		e.Why = fmt.Sprintf("could not be attached at %s: %v; start it with -debug and give the line that it prints", p.socket, err)
		return e
	}
	if p.cmd.Process == nil {
		e.Why = fmt.Sprintf("could not be run: %v", err)
		return e
	}
	p.mu.Lock()
	junk, line, killed := string(p.junk), p.line, p.killed
	p.mu.Unlock()
	if junk == "" && line == "" && !killed {
		// It may be ending this very moment: then its status says more.
		select {
		case <-p.exited:
		case <-time.After(200 * time.Millisecond):
		}
	}
	dead := p.isDead()
	if dead {
		p.pumps.Wait()
	}
	e.Stderr = l.out.tail(8)
	var se *status.Status
	if st, ok := status.FromError(err); ok {
		se = st
	}
	switch {
	case junk != "":
		n := ""
		if len(junk) >= junkKept {
			n = fmt.Sprintf(", and more than %d bytes in all", junkKept)
		}
		e.Why = fmt.Sprintf("printed %q%s to stdout before it served, where the handshake belongs: print to stderr (%s)",
			printable(strings.TrimSpace(junk), 60), n, s.path)
	case line != "" && handshakeMajor(line) != contract.Major:
		e.Why = versionError("contract", handshakeMajor(line), contract.Major).Error() + " (" + s.path + ")"
	case line == "" && dead && !killed:
		e.Why = fmt.Sprintf("ended before it served: %s (%s)", p.how, s.path)
	case line == "":
		e.Why = fmt.Sprintf("printed nothing for %v: it hangs before it serves, or is no Sightline plugin (%s)", s.cfg.StartLimit, s.path)
	case se != nil && dead && !killed:
		e.Why = fmt.Sprintf("ended while it was being configured: %s (%s)", p.how, s.path)
	case se != nil:
		e.Why = fmt.Sprintf("refused: %s (%s)", se.Message(), s.path)
	default:
		e.Why = fmt.Sprintf("%v (%s)", err, s.path)
	}
	return e
}

func handshakeMajor(line string) int {
	n, _ := strconv.Atoi(strings.Split(line, "|")[1])
	return n
}

// run opens the stream and starts its two goroutines.
func (l *life) run(open func(context.Context) (frameStream, error), send func(), recv func()) error {
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	stream, err := open(ctx)
	if err != nil {
		cancel()
		return err
	}
	l.stream = stream
	l.done.Add(2)
	go func() { defer l.done.Done(); send() }()
	go func() { defer l.done.Done(); recv() }()
	return nil
}

// fail ends the life now: whoever waits for an answer stops waiting, and the
// process group is killed. It never blocks.
func (l *life) fail(why error) {
	l.once.Do(func() {
		l.why = why
		close(l.dead)
		l.proc.kill()
	})
}

func (l *life) isDead() bool {
	select {
	case <-l.dead:
		return true
	default:
		return false
	}
}

// reason says why it ended: the process's own end explains more than the error
// that the stream saw of it.
func (l *life) reason() error {
	if status.Code(l.why) == codes.Unavailable || errors.Is(l.why, io.EOF) || errors.Is(l.why, errGone) {
		select {
		case <-l.proc.exited:
			return errors.New(l.proc.how)
		case <-time.After(stopStep): // it was killed, so it ends
		}
	}
	return l.why
}

// end ends the life for good and waits until nothing of it is left: bye when
// asked, SIGTERM, SIGKILL, and go-plugin's own clean-up. Each step is bounded.
func (l *life) end(orderly bool) {
	if orderly && l.stream != nil && !l.isDead() {
		close(l.bye)
		l.exitedWithin(stopStep)
	}
	if orderly && !l.proc.isDead() {
		l.proc.signal(terminateGroup)
		l.exitedWithin(stopStep)
	}
	l.fail(errors.New("stopped"))
	l.proc.kill()
	if l.proc.cmd.Process != nil {
		l.exitedWithin(stopStep)
	}
	if l.cancel != nil {
		l.cancel()
	}
	if l.box != nil {
		l.box.Close()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.client.Kill()
		if l.conn != nil {
			_ = l.conn.Close()
		}
		l.done.Wait()
		if l.proc.cmd.Process != nil {
			l.proc.pumps.Wait()
		}
	}()
	select {
	case <-done:
	case <-time.After(2 * stopStep):
	}
}

func (l *life) exitedWithin(d time.Duration) {
	select {
	case <-l.proc.exited:
	case <-time.After(d):
	}
}

// discard removes what newStarter made, of a plugin that is not started.
func (s *starter) discard() { _ = os.RemoveAll(s.dir) }

// newStarter finds the file and makes the private folder.
func newStarter(cfg *Config, kind string) (*starter, error) {
	if cfg.Attach != "" {
		return attacher(cfg, kind)
	}
	path, name := cfg.Path, cfg.Name
	if path == "" {
		var err error
		if path, err = Find(name, cfg.Dirs); err != nil {
			return nil, err
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = filepath.Base(path)
	}
	if why, err := examine(path); why != "" {
		return nil, &StartError{Plugin: name, Path: path, Why: why, Err: err}
	}
	dir, err := privateDir(tempDirs())
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	return &starter{
		cfg: cfg, kind: kind, name: name, path: path, dir: dir,
		log: cfg.Log.With("plugin", name), out: func(*output) {},
	}, nil
}
