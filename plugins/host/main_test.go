//go:build unix

package host_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
	"go.uber.org/goleak"
)

// envHelper makes this test program be a host that is about to be killed.
const envHelper = "SIGHTLINE_TEST_HOST"

// bins is where the plugins of all tests were built, once.
var bins string

func TestMain(m *testing.M) {
	if file := os.Getenv(envFull); file != "" {
		fullHost(file)
		return
	}
	if file := os.Getenv(envHelper); file != "" {
		helperHost(file)
		return
	}
	flag.Parse()
	if fuzzing := flag.Lookup("test.fuzz"); fuzzing.Value.String() != "" || flag.Lookup("test.fuzzworker").Value.String() == "true" {
		os.Exit(m.Run()) // what is fuzzed needs no plugin
	}
	code := 1
	func() {
		dir, err := os.MkdirTemp("", "bins")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		defer os.RemoveAll(dir)
		bins = dir
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", dir+string(filepath.Separator), // linked in half the time
			"./testdata/plugin", "../policy-deaddrop", "../policy-netoptimize", "../policy-open", "../policy-pvs", "../policy-reach", "../policy-screen",
			"../rules-bomb", "../rules-duel", "../rules-teams")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the plugins: %v\n%s", err, out)
			return
		}
		if code = m.Run(); code == 0 {
			if err := goleak.Find(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
	}()
	os.Exit(code)
}

// helperHost starts two plugins, writes their ids and sleeps.
func helperHost(file string) {
	p, err := host.StartPolicy(context.Background(), host.PolicyConfig{Config: host.Config{Path: file}})
	if err == nil {
		var r *host.Rules
		if r, err = host.StartRules(context.Background(), host.RulesConfig{Config: host.Config{Path: file, Env: []string{"SAMPLE=rules"}}}); err == nil {
			fmt.Println(p.Stats().PID, r.Stats().PID)
			time.Sleep(time.Minute)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// logged is a log that a test can read.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func config(t *testing.T, mode string) (host.Config, *logged) {
	t.Helper()
	l := &logged{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log:\n%s", l)
		}
	})
	return host.Config{
		Path: filepath.Join(bins, "plugin"), Env: []string{"SAMPLE=" + mode},
		TickRate: 64, StartLimit: 30 * time.Second, Log: slog.New(slog.NewTextHandler(l, nil)),
	}, l
}

func startPolicy(t *testing.T, cfg host.PolicyConfig) *host.Policy {
	t.Helper()
	p, err := host.StartPolicy(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func startRules(t *testing.T, cfg host.RulesConfig) *host.Rules {
	t.Helper()
	r, err := host.StartRules(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// install puts a plugin that was built into another folder. It is a link: a copy that
// was written a moment ago may still be open in a child that another test forks, and
// cannot be run then.
func install(t *testing.T, dst, name string) {
	t.Helper()
	if err := os.Link(filepath.Join(bins, name), dst+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dst+".new", dst); err != nil {
		t.Fatal(err)
	}
}

func linked(t *testing.T, spec vis.Spec, env vis.Env) vis.Policy {
	t.Helper()
	set, err := spec.Schema.Check(env.Settings)
	if err != nil {
		t.Fatal(err)
	}
	env.Settings = set
	p, err := spec.New(env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// eventually waits for something that another process does.
func eventually(t *testing.T, within time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", within, what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func runs(pid int) bool {
	st, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	_, rest, _ := strings.Cut(string(st), ") ")
	return !strings.HasPrefix(rest, "Z")
}

var _ io.Writer = (*logged)(nil)
var _ vis.Decider = (*host.Policy)(nil)
var _ rules.Runner = (*host.Rules)(nil)
var _ = sample.Input
