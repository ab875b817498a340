package host_test

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/net/link"
)

var (
	seed    = flag.Uint64("seed", 1, "seed of the matches")
	seconds = flag.Float64("seconds", 60, "length of the matches over a bad network")
	update  = flag.Bool("update", false, "write the settings' page anew")

	pluginDir string
)

const arenaDir = "../../arena"

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := func() (int, error) {
		dir, err := os.MkdirTemp("", "sl")
		if err != nil {
			return 1, err
		}
		defer os.RemoveAll(dir)
		pluginDir = dir
		cmd := exec.Command("go", "build", "-ldflags=-s", "-o", dir+string(filepath.Separator),
			"../../../plugins/policy-deaddrop", "../../../plugins/policy-netoptimize", "../../../plugins/policy-open", "../../../plugins/policy-pvs",
			"../../../plugins/policy-reach", "../../../plugins/policy-screen", "../../../plugins/rules-duel")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return 1, fmt.Errorf("build the plugins: %w\n%s", err, out)
		}
		return m.Run(), nil
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// logged is a log that can be read while it is written.
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

// room is settings, levels and a log, ready for a match.
type room struct {
	reg    *console.Registry
	set    *host.Settings
	levels *host.Levels
	log    *logged
}

// newRoom declares the settings and sets some: sv.bots=3.
func newRoom(t *testing.T, set ...string) *room {
	t.Helper()
	reg := console.New()
	r := &room{reg: reg, set: host.Declare(reg), log: &logged{}}
	f := host.Flags{Plugins: pluginDir}
	for i := 0; i < len(set); i += 2 {
		f.Plus = append(f.Plus, config.Plus{Name: "set", Args: set[i : i+2]})
	}
	if _, err := r.set.Load(reg, f, nil); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.levels, err = host.NewLevels([]string{arenaDir}, nil, r.set.Scale.Get()); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *room) slog() *slog.Logger {
	return slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (r *room) load(name string, hash [32]byte) (client.Loaded, error) {
	got, err := r.levels.OpenNamed(name, hash)
	if err != nil {
		return client.Loaded{}, err
	}
	defer got.Files.Close()
	return got.Loaded, nil
}

// scene is a match in stepped time with processes for policy and rules, of bots
// over a bad network: 100 ms there and back, 3 % loss, jitter.
func (r *room) scene(h *host.Host, level string, bots int) scenario.Config {
	bad := link.SimConfig{LatencyMS: 50, JitterMS: 8, Loss: 0.03}
	return scenario.Config{
		Bots: bots, Seconds: *seconds, TickRate: r.set.TickRate.Get(), Seed: *seed, Up: bad, Down: bad,
		Start: h.StartMatch, Rotation: []string{level}, Load: r.load, Tables: host.TablesByHash, Skill: 0.7, Log: r.slog(),
	}
}
