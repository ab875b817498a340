package host

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/engine/tick"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/udp"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// Config is what a Host is started with.
type Config struct {
	Settings *Settings
	Levels   *Levels
	Log      *slog.Logger
	Hooks    server.Hooks
	// Notice is told, on any goroutine, what the operator should know and did not ask
	// for: a recording that has ended by itself. May be nil; the log has it too.
	Notice func(line string)
	// Offline opens no socket: only who is in this process can join.
	Offline bool
	// Key is the server's identity; the zero Key makes one for this run.
	Key handshake.Key
}

// Host is a server, its plugins and its bots, running.
type Host struct {
	set    *Settings
	levels *Levels
	log    *slog.Logger
	seed   uint64
	key    handshake.Key

	loop  *link.Loop
	local link.Addr
	sock  *udp.Conn
	srv   *server.Server
	crew  *bots.Crew
	demos *demos
	shots *shots
	look  server.Insights
	books *ledgers
	sims  []*link.Sim // of the bots' links; none without a simulated network
	epoch time.Time

	notice func(line string) // may be nil
	quiet  atomic.Bool       // plugin.policy is set to what is so

	mu         sync.Mutex
	plugins    running
	mode       liveRules // under mu
	live       live
	recordFile *os.File  // of the policy
	rulesTape  rulesTape // of the rules
	end        time.Time // of the present tick

	heard atomic.Int64 // when somebody was last on the server or at its door

	quit chan string // capacity 1: the reason to stop
	done chan struct{}
}

// Now returns nanoseconds since the host started: the clock of its server.
func (h *Host) Now() int64 { return int64(time.Since(h.epoch)) + 1 }

// Start starts a host. Its goroutine runs until Stop.
func Start(cfg Config) (*Host, error) {
	s := cfg.Settings
	if len(s.Rotation.Get()) == 0 {
		return nil, errors.New("sv.rotation: there is no level to play: name at least one")
	}
	h := &Host{
		set: s, levels: cfg.Levels, log: cfg.Log, key: cfg.Key, epoch: time.Now(), notice: cfg.Notice,
		loop: link.NewLoop(), local: netip.MustParseAddrPort("127.0.0.1:1"),
		quit: make(chan string, 1), done: make(chan struct{}),
	}
	if h.seed = uint64(s.Seed.Get()); h.seed == 0 {
		var b [8]byte
		rand.Read(b[:])
		h.seed = binary.LittleEndian.Uint64(b[:])>>12 | 1
	}
	if h.key == (handshake.Key{}) {
		var err error
		if h.key, err = handshake.NewKey(nil); err != nil {
			return nil, err
		}
	}
	port, err := h.loop.Attach(h.local, 4096)
	if err != nil {
		return nil, err
	}
	var links []link.Link
	if !cfg.Offline {
		at := net.JoinHostPort(strings.Trim(s.IP.Get(), "[]"), strconv.Itoa(s.Port.Get()))
		h.sock, err = udp.Listen(at, udp.Options{Answer: true})
		if err != nil {
			return nil, fmt.Errorf("sv.ip, sv.port: %s cannot be listened on: %w", at, err)
		}
		links = append(links, h.sock)
	}
	bans, err := server.ParseBans(s.Bans.Get())
	if err != nil {
		h.close()
		return nil, fmt.Errorf("sv.bans: %w", err)
	}
	tokens, err := h.tokens()
	if err != nil {
		h.close()
		return nil, err
	}
	h.demos = &demos{
		log: h.log, notice: cfg.Notice, folder: s.DemoFolder.Get,
		do: func(f func(*server.Server)) bool { return h.srv.Do(f) }, every: s.DemoAuto.Get,
	}
	h.demos.head.TickRate, h.demos.head.Seed, h.demos.head.Server = s.TickRate.Get(), h.seed, s.Name.Get()
	h.books = &ledgers{log: h.log, notice: cfg.Notice, set: s, seed: h.seed}
	if h.shots, err = openShots(s.ShotsFile.Get(), h.log); err != nil {
		h.close()
		return nil, err
	}
	h.srv, err = server.New(server.Config{
		Name: s.Name.Get(), TickRate: s.TickRate.Get(), MaxClients: max(s.MaxClients.Get(), s.Bots.Get()+1), Seed: h.seed,
		Links: links, Local: []link.Link{port}, Tokens: tokens, Bans: bans, Key: h.key, Start: h.start, Rotation: s.Rotation.Get(),
		Lag: server.Lag{
			ProjectileMS: rewindMS(s.Flight.Get()), MeleeMS: rewindMS(s.Melee.Get()), RefuseUnshown: s.Unshown.Get() == "refuse",
		},
		MaxRewindMS: float32(s.Rewind.Get()), TimeoutMS: float32(s.Timeout.Get()), ResumeMS: float32(s.Resume.Get() * 1000),
		Pace: server.Pace{Hz: s.Snapshots.Get()}, Naive: s.Encoder.Get() == "naive",
		Spectate: s.spectate(), Teams: s.teams(), Drops: s.DropWeapons.Get(), VehiclesBackMS: s.vehiclesBack(), FullHz: s.FullHz.Get(),
		OverMS: 1, // the rules have shown the final score before they end a match
		Log:    cfg.Log, Hooks: h.look.Hook(h.books.hooked(h.shots.hooked(h.demos.hooked(cfg.Hooks))), s.TickRate.Get()),
	})
	if err != nil {
		h.close()
		return nil, err
	}
	h.ban()
	h.looks()
	h.watch()
	h.srv.Measure(time.Now)
	h.inspect(s.Rotation.Get())
	if n := s.Bots.Get(); n > 0 {
		h.crew, err = bots.New(bots.Config{
			N: n, Server: h.local, Skill: float32(s.BotSkill.Get()), Seed: h.seed, Tables: TablesByHash,
			Dial: h.dialBot,
			Load: func(name string, hash [32]byte) (client.Loaded, error) {
				got, err := h.levels.OpenNamed(name, hash)
				if err != nil {
					return client.Loaded{}, err
				}
				defer got.Files.Close()
				return got.Loaded, nil
			},
			Hello: func(int) handshake.ClientConfig {
				return handshake.ClientConfig{Server: "this process", Key: &h.key.Public}
			},
			Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			h.srv.Close("could not start", h.Now())
			h.close()
			return nil, err
		}
	}
	if s.DemoAuto.Get() {
		h.demos.auto(h.epoch)
	}
	s.reg.HoldLatched(true)
	go h.run()
	return h, nil
}

// rewindMS says the setting in the server's words, to which 0 is the usual one.
func rewindMS(v float64) float32 {
	if v == 0 {
		return -1
	}
	return float32(v)
}

// inspect names the levels of the rotation that could not be played now, before
// their turn comes. Those before the present one the server has named itself.
func (h *Host) inspect(rotation []string) {
	at := slices.Index(rotation, h.srv.Level())
	for _, ref := range rotation[at+1:] {
		if err := h.levels.Check(ref); err != nil {
			h.log.Error("level of the rotation cannot be played", "level", ref, "error", err)
		}
	}
}

const (
	// botsEvery is how often the bots look at their links between two ticks.
	botsEvery = 4 * time.Millisecond
	// A server that nobody is on, and that has heard nothing for idleAfter, stands
	// nearly still: one tick every idleEvery. A packet wakes it at once.
	idleAfter = 2 * time.Second
	idleEvery = 200 * time.Millisecond
)

// run steps the server and the bots until Stop. It sleeps until the next tick is
// due: what arrives before waits in the socket's queue, since nothing is answered
// between ticks anyway.
func (h *Host) run() {
	defer close(h.done)
	clock, err := tick.New(h.set.TickRate.Get(), h.Now())
	if err != nil {
		h.log.Error("clock", "error", err)
		return
	}
	wake := time.NewTimer(0)
	defer wake.Stop()
	for idle := false; ; {
		if idle { // time has stood still: exactly one tick is due
			clock.Jump(h.Now()-int64(clock.Step())-1, clock.Tick())
		}
		for range clock.Advance(h.Now()) {
			h.mu.Lock()
			h.end = h.epoch.Add(time.Duration(clock.Deadline(clock.Tick() + 1)))
			h.mu.Unlock()
			h.srv.Step(h.Now())
		}
		if h.crew != nil {
			now := h.Now()
			for _, s := range h.sims {
				s.Advance(now)
			}
			h.crew.Advance(now)
		}
		h.srv.SetLate(int(clock.Late().Ticks))
		wait, packets := time.Duration(clock.Next()-h.Now()), (<-chan struct{})(nil)
		if h.crew != nil {
			wait = min(wait, botsEvery)
		}
		if idle = h.idle(); idle {
			wait = idleEvery
			if h.sock != nil {
				packets = h.sock.Ready()
			}
		}
		wake.Reset(max(wait, 0))
		select {
		case why := <-h.quit:
			if h.crew != nil {
				h.crew.Close()
			}
			h.srv.Close(why, h.Now())
			h.demos.close()
			h.close()
			return
		case <-packets:
			h.heard.Store(h.Now())
		case <-wake.C:
		}
	}
}

// idle reports whether nobody is on the server, or about to be.
func (h *Host) idle() bool {
	if h.crew != nil || h.srv.Stats().Clients > 0 {
		h.heard.Store(h.Now())
		return false
	}
	return h.Now()-h.heard.Load() > int64(idleAfter)
}

func (h *Host) close() {
	if h.books != nil {
		h.books.close()
	}
	if h.shots != nil {
		h.shots.close()
	}
	if h.sock != nil {
		h.sock.Flush()
		h.sock.Close()
	}
}

// Stop tells everybody why, ends the plugins and waits for all of it.
func (h *Host) Stop(reason string) {
	select {
	case h.quit <- reason:
	default:
	}
	<-h.done
	h.set.reg.HoldLatched(false)
}

// Done is closed when the host has ended.
func (h *Host) Done() <-chan struct{} { return h.done }

// tickEnd returns when the present tick ends.
func (h *Host) tickEnd() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.end
}

// dirs returns the folders in which plugins are looked for.
func (h *Host) dirs() []string {
	dirs := append([]string{}, h.set.Dirs.Get()...)
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	return dirs
}

// Dial joins from inside the process.
func (h *Host) Dial() (link.Link, link.Addr, error) {
	h.heard.Store(h.Now())
	l, err := h.loop.Dial(1024)
	return l, h.local, err
}

// dialBot gives a bot its link, through the simulated network when one is set.
func (h *Host) dialBot(i int) (link.Link, error) {
	l, err := h.loop.Dial(512)
	if err != nil {
		return nil, err
	}
	up, down, on := h.set.Sim(h.seed + 2*uint64(i))
	if !on {
		return l, nil
	}
	s, err := link.NewSim(l, up, down)
	if err != nil {
		return nil, fmt.Errorf("net.sim_*: %w", err)
	}
	h.sims = append(h.sims, s)
	return s, nil
}

// Key returns the server's public key.
func (h *Host) Key() [32]byte { return h.key.Public }

// Addr returns where the socket listens; the zero Addr when there is none.
func (h *Host) Addr() link.Addr {
	if h.sock == nil {
		return link.Addr{}
	}
	return h.sock.LocalAddr()
}

// Insight copies what a player is told of and what is withheld from it: how the player
// who runs a server looks into it. It may be called from any goroutine.
func (h *Host) Insight(dst *server.Insight, of state.ID) bool { return h.look.Look(dst, of) }

// Server returns the server: only its Do, Stats and Stop may be called from here.
func (h *Host) Server() *server.Server { return h.srv }

// Plugins returns how policy and rules fare; ok is false when they are linked in.
func (h *Host) Plugins() (policy, rules plugin.Stats, ok bool) {
	h.mu.Lock()
	p := h.plugins
	h.mu.Unlock()
	if p.policy == nil {
		return policy, rules, false
	}
	return p.policy.Stats(), p.rules.Stats(), true
}
