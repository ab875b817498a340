package desktop_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
)

// match is a server and its bots, stepped by the clock that a window reads: each
// reading lets some ticks pass, so a run is the same on every machine and as
// fast as its frames are drawn.
type match struct {
	srv  *server.Server
	crew *bots.Crew
	loop *link.Loop
	addr netip.AddrPort
	load func(string, [32]byte) (client.Loaded, error)
	rnd  *rand.ChaCha8
	now  int64
	at   map[int64]func() // what happens at a tick
	tick int64
}

const tickNS = 1_000_000_000 / 64

func newMatch(t testing.TB, level string, n int) *match {
	t.Helper()
	return newMatchWith(t, level, n, server.Hooks{}, open.Spec())
}

func newMatchWith(t testing.TB, level string, n int, hooks server.Hooks, policy vis.Spec) *match {
	t.Helper()
	l := shipped(t, level)
	got := client.Loaded{Level: l, World: trace.New(l)}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], 7)
	m := &match{
		loop: link.NewLoop(), addr: netip.MustParseAddrPort("127.0.0.1:27960"), rnd: rand.NewChaCha8(seed), now: 1, at: map[int64]func(){},
		load: func(string, [32]byte) (client.Loaded, error) { return got, nil },
	}
	port, err := m.loop.Attach(m.addr, 4096)
	if err != nil {
		t.Fatal(err)
	}
	key, err := handshake.NewKey(m.rnd)
	if err != nil {
		t.Fatal(err)
	}
	m.srv, err = server.New(server.Config{
		Name: "test", TickRate: 64, MaxClients: n + 1, Seed: 7, Links: []link.Link{port}, Key: key, Rand: m.rnd, Rotation: []string{level}, Hooks: hooks,
		Start: func(string) (*server.Match, error) {
			p, err := policy.New(vis.Env{World: got.World, TickRate: 64, Seed: 7})
			if err != nil {
				return nil, err
			}
			r := duel.Spec().New()
			rm := &rules.Match{Level: level, LevelHash: l.Hash, Seed: 7, TickRate: 64, Tables: tables.Arena()}
			for _, s := range l.Spawns {
				rm.Spawns = append(rm.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
			}
			if err := r.Start(rm); err != nil {
				return nil, err
			}
			return &server.Match{Ref: level, Level: l, World: got.World, Tables: tables.Arena(), Policy: vis.Inline(p), Rules: rules.Inline(r)}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.crew, err = bots.New(bots.Config{
		N: n, Server: m.addr, Load: m.load, Tables: arena, Skill: 0.6, Seed: 7,
		Hello: func(int) handshake.ClientConfig { return handshake.ClientConfig{Rand: m.rnd} },
		Dial:  func(int) (link.Link, error) { return m.loop.Dial(512) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func arena(hash [32]byte) (tables.Set, bool) {
	s := tables.Arena()
	return s, s.Hash() == hash
}

// ticksPerFrame is how much time passes at each reading: 16 frames per second.
const ticksPerFrame = 4

// clock lets time pass at every reading.
func (m *match) clock() int64 {
	for range ticksPerFrame {
		m.now += tickNS
		m.tick++
		if f := m.at[m.tick]; f != nil {
			f()
		}
		m.srv.Step(m.now)
		m.crew.Advance(m.now)
	}
	return m.now
}

func (m *match) config() desktop.Config {
	return desktop.Config{
		Title: "test", Width: 240, Height: 150, Hidden: true, Registry: console.New(), Name: "Tester",
		Dial: func() (link.Link, link.Addr, error) {
			p, err := m.loop.Dial(512)
			return p, m.addr, err
		},
		Hello: handshake.ClientConfig{Rand: m.rnd}, Load: m.load, Tables: arena, Now: m.clock, Seed: 7, Autoplay: true,
	}
}

// TestAMatchIsPlayedInAWindow goes the whole way: server, bots, net, prediction,
// a bot's brain at the window's controls, and pixels.
func TestAMatchIsPlayedInAWindow(t *testing.T) {
	m := newMatch(t, "pit", 7)
	cfg := m.config()
	cfg.Seconds = 12
	cfg.DataDir = t.TempDir()
	cfg.Screenshot = filepath.Join(t.TempDir(), "play.png")
	m.at[100] = func() { cfg.Registry.Exec("net.graph 3; r.vsync 0; r.max_fps 0", os.Stderr) }
	if *keep != "" {
		cfg.Screenshot = filepath.Join(*keep, "play.png")
		cfg.Width, cfg.Height, cfg.Seconds = 1280, 720, 25
	}
	var sum desktop.Summary
	onMain(t, func() (err error) { sum, err = desktop.Run(cfg); return err })
	var out bytes.Buffer
	sum.Print(&out)
	t.Log("\n" + out.String())
	if err := sum.Judge(); err != nil {
		t.Error(err)
	}
	if (&desktop.Summary{}).Judge() == nil {
		t.Error("a run that did nothing passes")
	}
	if sum.EnemySeenFrames == 0 || !sum.EnemyInShot {
		t.Errorf("%+v", sum)
	}
	if sum.Errors != 0 {
		t.Errorf("%d prediction errors", sum.Errors)
	}
	if _, err := os.Stat(cfg.Screenshot); err != nil {
		t.Error(err)
	}
	if err := m.srv.Check(); err != nil {
		t.Error(err)
	}
}

// TestAKickEndsTheWindow is O-34's part for the network: the end comes from the
// server while a menu is open, and is handled on the main thread.
func TestAKickEndsTheWindow(t *testing.T) {
	m := newMatch(t, "corner", 1)
	cfg := m.config()
	cfg.Autoplay, cfg.Seconds = false, 60
	m.at[60] = func() { cfg.Registry.Exec("menu", os.Stderr) }
	m.at[120] = func() { m.srv.Kick("Tester", "the operator said so") }
	var sum desktop.Summary
	onMain(t, func() (err error) { sum, err = desktop.Run(cfg); return err })
	if sum.Seconds > 10 || !strings.Contains(sum.Reason, "the operator said so") {
		t.Errorf("ended after %v s with %q", sum.Seconds, sum.Reason)
	}
}

// TestStopIsMarshalled is O-34: the wish to quit comes from another goroutine.
func TestStopIsMarshalled(t *testing.T) {
	m := newMatch(t, "corner", 1)
	cfg := m.config()
	cfg.Seconds = 3600
	stop := make(chan struct{})
	cfg.Stop = stop
	m.at[100] = func() { close(stop) }
	onMain(t, func() error {
		sum, err := desktop.Run(cfg)
		if err == nil && sum.Seconds > 3000 {
			err = fmt.Errorf("played on for %v s", sum.Seconds)
		}
		return err
	})
}

// TestLinesOfTheCommandLineAreRun gives a window every kind of line that can follow
// a plus sign, before there is a connection.
func TestLinesOfTheCommandLineAreRun(t *testing.T) {
	m := newMatch(t, "corner", 1)
	cfg := m.config()
	cfg.Seconds = 2
	cfg.Lines = []string{"status", "nosuch", "say hello", "kill", "weapnext", "weapon 2", "menu", "toggleconsole", "messagemode", "screenshot", "net.graph 2"}
	onMain(t, func() error { _, err := desktop.Run(cfg); return err })
	if v, ok := cfg.Registry.Lookup("net.graph"); !ok || v.Value != "2" {
		t.Errorf("net.graph is %v", v)
	}
}

func TestAServerThatDoesNotAnswerIsAnErrorInOneSentence(t *testing.T) {
	m := newMatch(t, "corner", 1)
	cfg := m.config()
	m.addr = netip.MustParseAddrPort("127.0.0.1:9")
	var log bytes.Buffer
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	var err error
	onMain(t, func() error { _, err = desktop.Run(cfg); return nil })
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}
