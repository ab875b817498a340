package host

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/engine/tick"
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
	epoch time.Time

	mu      sync.Mutex
	plugins running
	end     time.Time // of the present tick

	quit chan string // capacity 1: the reason to stop
	done chan struct{}
}

// Now returns nanoseconds since the host started: the clock of its server.
func (h *Host) Now() int64 { return int64(time.Since(h.epoch)) + 1 }

// Start starts a host. Its goroutine runs until Stop.
func Start(cfg Config) (*Host, error) {
	s := cfg.Settings
	h := &Host{
		set: s, levels: cfg.Levels, log: cfg.Log, key: cfg.Key, epoch: time.Now(),
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
	links := []link.Link{port}
	if !cfg.Offline {
		at := net.JoinHostPort(s.IP.Get(), strconv.Itoa(s.Port.Get()))
		h.sock, err = udp.Listen(at, udp.Options{})
		if err != nil {
			return nil, fmt.Errorf("sv.ip, sv.port: %s cannot be listened on: %w", at, err)
		}
		links = append(links, h.sock)
	}
	h.srv, err = server.New(server.Config{
		Name: s.Name.Get(), TickRate: s.TickRate.Get(), MaxClients: max(s.MaxClients.Get(), s.Bots.Get()+1), Seed: h.seed,
		Links: links, Key: h.key, Start: h.start, Rotation: s.Rotation.Get(),
		MaxRewindMS: float32(s.Rewind.Get()), TimeoutMS: float32(s.Timeout.Get()),
		Log: cfg.Log, Hooks: cfg.Hooks,
	})
	if err != nil {
		h.close()
		return nil, err
	}
	h.srv.Measure(time.Now)
	if n := s.Bots.Get(); n > 0 {
		h.crew, err = bots.New(bots.Config{
			N: n, Server: h.local, Skill: float32(s.BotSkill.Get()), Seed: h.seed, Tables: TablesByHash,
			Dial: func(int) (link.Link, error) { return h.loop.Dial(512) },
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
	go h.run()
	return h, nil
}

// run steps the server and the bots until Stop.
func (h *Host) run() {
	defer close(h.done)
	clock, err := tick.New(h.set.TickRate.Get(), h.Now())
	if err != nil {
		h.log.Error("clock", "error", err)
		return
	}
	for {
		for range clock.Advance(h.Now()) {
			h.mu.Lock()
			h.end = h.epoch.Add(time.Duration(clock.Deadline(clock.Tick() + 1)))
			h.mu.Unlock()
			h.srv.Step(h.Now())
		}
		if h.crew != nil {
			h.crew.Advance(h.Now())
		}
		h.srv.SetLate(int(clock.Late().Ticks))
		wait := time.Duration(clock.Next() - h.Now())
		select {
		case why := <-h.quit:
			if h.crew != nil {
				h.crew.Close()
			}
			h.srv.Close(why, h.Now())
			h.close()
			return
		case <-time.After(max(min(wait, 4*time.Millisecond), 200*time.Microsecond)):
		}
	}
}

func (h *Host) close() {
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
	l, err := h.loop.Dial(1024)
	return l, h.local, err
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
