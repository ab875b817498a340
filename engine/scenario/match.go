// Package scenario runs whole matches headless and in stepped time: one server,
// bots as real clients, each behind a seeded simulated link, and a clock that is a
// counter. The same Config gives the same match on every machine.
//
// It starts no goroutine; policy and rules are handed in, linked in or processes
// alike (with plugin.wait, so that their answers are waited for).
//
// Scenes are the small form: a File says who is where when, a Scene of it is played
// with a policy on the way from vis.Input to packets (Scene.Run), without simulation,
// and measured against what could truly be seen. See docs/scenarios.md.
package scenario

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net/netip"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// Config is what a match is run with.
type Config struct {
	Bots     int
	Seconds  float64
	TickRate int
	Seed     uint64
	// Up and Down are the links of each bot; their seeds are set for each.
	Up, Down link.SimConfig
	// Start makes the match of the rotation's names.
	Start    func(ref string) (*server.Match, error)
	Rotation []string
	// Load finds the level for the clients.
	Load   func(name string, hash [32]byte) (client.Loaded, error)
	Tables func(hash [32]byte) (tables.Set, bool)
	Pace   server.Pace // of snapshots; the zero Pace adapts
	Naive  bool        // server.Config.Naive
	Skill  float32
	// Patience is for how long a bot fights before it goes its way, seconds; 0: it
	// fights on.
	Patience float32
	// Throws is in how many of its half minutes a bot throws a grenade, 0 to 1.
	Throws float32
	Hooks  server.Hooks
	// Spectate is server.Config's.
	Spectate server.Spectate
	// FirstTick is the tick in which the level begins; tests of its wrap begin late.
	FirstTick state.Tick
	// Stalled says which bots do not run in a tick: slow frames, suspended clients.
	// May be nil.
	Stalled func(bot, tick int) bool
	// Each is called after every tick, before time goes on. May be nil.
	Each func(m *Match)
	// Truth is called after each step of the server, and Frame after the bots have run,
	// which is several times a tick: for an Onlooker. May be nil.
	Truth func(m *Match)
	Frame func(m *Match, now int64)
	// Snapshot is told of what comes to a bot, at now. May be nil.
	Snapshot func(m *Match, bot int, s *snapshot.Snapshot, now int64)
	Log      *slog.Logger
}

// Report is how a match went.
type Report struct {
	Ticks        int
	Joined       int // bots that played at the end
	Kills, Shots int
	Commands     int
	Corrections  int
	Explained    int
	Errors       int // prediction errors that nothing from outside explains
	WorstError   float32
	Mismatches   int // of a predicted state with the server's hash
	Starved      int
	LateCmds     int
	Snapshots    int
	BadSnapshots int
	Resyncs      int
	OutOfWorld   int // ticks of a living player outside the level's bounds
	BytesDown    int64
	Known        float64 // enemies disclosed per viewer, mean
	Withheld     float64
	Spent        snapshot.Bits
	Check        error // of the world's invariants, the first
	Gone         []string
}

// Match is a running one.
type Match struct {
	cfg    Config
	Server *server.Server
	Crew   *bots.Crew
	Now    int64 // nanoseconds
	Report Report
	frame  int64 // when the bots run
	sims   []*link.Sim
}

// substeps is how many times per tick links and clients are run: packets do not
// wait for a whole tick.
const substeps = 4

// New starts a match.
func New(cfg Config) (*Match, error) {
	m := &Match{cfg: cfg, Now: 1}
	loop := link.NewLoop()
	addr := netip.MustParseAddrPort("127.0.0.1:27960")
	port, err := loop.Attach(addr, 4096)
	if err != nil {
		return nil, err
	}
	random := &stream{seed: cfg.Seed}
	key, err := handshake.NewKey(random)
	if err != nil {
		return nil, err
	}
	m.Server, err = server.New(server.Config{
		Name: "scenario", TickRate: cfg.TickRate, MaxClients: cfg.Bots, Seed: cfg.Seed,
		Links: []link.Link{port}, Key: key, Rand: random, Start: cfg.Start, Rotation: cfg.Rotation,
		OneClock: true, Log: cfg.Log, Hooks: cfg.Hooks, Pace: cfg.Pace, Naive: cfg.Naive, FirstTick: cfg.FirstTick, Spectate: cfg.Spectate,
	})
	if err != nil {
		return nil, err
	}
	m.Crew, err = bots.New(bots.Config{
		N: cfg.Bots, Server: addr, Load: cfg.Load, Tables: cfg.Tables, Skill: cfg.Skill, Patience: cfg.Patience, Throws: cfg.Throws, Seed: cfg.Seed, Log: cfg.Log,
		Snapshot: m.heard(),
		Hello:    func(int) handshake.ClientConfig { return handshake.ClientConfig{Rand: random} },
		Dial: func(i int) (link.Link, error) {
			p, err := loop.Dial(512)
			if err != nil {
				return nil, err
			}
			up, down := cfg.Up, cfg.Down
			up.Seed, down.Seed = cfg.Seed+uint64(i)*2+1, cfg.Seed+uint64(i)*2+2
			s, err := link.NewSim(p, up, down)
			if err != nil {
				return nil, err
			}
			m.sims = append(m.sims, s)
			return s, nil
		},
	})
	return m, err
}

// heard is what bots are told to do with their snapshots, nil for nothing.
func (m *Match) heard() func(int, *snapshot.Snapshot) {
	if m.cfg.Snapshot == nil {
		return nil
	}
	return func(i int, s *snapshot.Snapshot) { m.cfg.Snapshot(m, i, s, m.frame) }
}

// Step runs one tick of server and clients.
func (m *Match) Step() {
	tick := 1_000_000_000 / int64(m.cfg.TickRate)
	for k := range int64(substeps) {
		now := m.Now + tick*k/substeps
		m.frame = now
		for _, s := range m.sims {
			s.Advance(now)
		}
		if k == 0 {
			m.Server.Step(now)
			if m.cfg.Truth != nil {
				m.cfg.Truth(m)
			}
		}
		m.advance(now)
		if m.cfg.Frame != nil {
			m.cfg.Frame(m, now)
		}
	}
	m.Now += tick
	m.Report.Ticks++
	m.watch()
	if m.cfg.Each != nil {
		m.cfg.Each(m)
	}
}

// advance runs the bots that are not stalled.
func (m *Match) advance(now int64) {
	if m.cfg.Stalled == nil {
		m.Crew.Advance(now)
		return
	}
	for i, b := range m.Crew.Bots() {
		if !m.cfg.Stalled(i, m.Report.Ticks) {
			b.Advance(now)
		}
	}
}

// watch checks the world after a tick.
func (m *Match) watch() {
	w := m.Server.World()
	if err := w.Check(); err != nil && m.Report.Check == nil {
		m.Report.Check = fmt.Errorf("tick %d: %w", w.Tick(), err)
	}
	if m.Crew == nil || len(m.Crew.Bots()) == 0 {
		return
	}
	l := m.Crew.Bots()[0].Level().Level
	if l == nil {
		return
	}
	room := l.Bounds.Pad(2)
	for _, id := range w.IDs() {
		if p := w.Player(id); p.Alive() && p.Teleports != 0 && !room.Contains(p.Pos) {
			m.Report.OutOfWorld++
		}
	}
}

// Finish sums up; the match can go on afterwards.
func (m *Match) Finish() Report {
	r := m.Report
	for _, b := range m.Crew.Bots() {
		s := b.Stats()
		r.Commands += s.Commands
		r.Corrections += s.Corrections
		r.Explained += s.Explained
		r.Errors += s.Errors
		r.WorstError = max(r.WorstError, s.WorstError)
		r.Mismatches += s.Mismatches
		r.Snapshots += s.Snapshots
		r.BadSnapshots += s.BadSnapshots
		r.Resyncs += s.Resyncs
		r.BytesDown += s.BytesIn
		if b.State() == client.Playing {
			r.Joined++
		} else {
			r.Gone = append(r.Gone, fmt.Sprintf("%s: %s %s", b.Server(), b.State(), b.Reason()))
		}
	}
	st := m.Server.Stats()
	r.Kills, r.Shots, r.Starved, r.LateCmds = st.Kills, st.Shots, st.Starved, st.LateCmds
	r.Spent = st.Spent
	if st.KnownTicks > 0 {
		r.Known = st.KnownSum / float64(st.KnownTicks)
		r.Withheld = st.WithheldSum / float64(st.KnownTicks)
	}
	return r
}

// Close ends the match.
func (m *Match) Close() {
	m.Crew.Close()
	m.Server.Close("the match is over", m.Now)
}

// Run runs a match for its seconds and sums up.
func Run(cfg Config) (Report, error) {
	m, err := New(cfg)
	if err != nil {
		return Report{}, err
	}
	defer m.Close()
	for range int(cfg.Seconds * float64(cfg.TickRate)) {
		m.Step()
	}
	return m.Finish(), nil
}

func (r Report) String() string {
	s := fmt.Sprintf("%d ticks, %d bots, %d kills in %d shots, %d commands, %d starved, %d late, %d corrections (%d explained, %d errors), %d snapshots (%d bad), known %.1f withheld %.1f, out of world %d",
		r.Ticks, r.Joined, r.Kills, r.Shots, r.Commands, r.Starved, r.LateCmds, r.Corrections, r.Explained, r.Errors, r.Snapshots, r.BadSnapshots, r.Known, r.Withheld, r.OutOfWorld)
	if r.Check != nil {
		s += ", check: " + r.Check.Error()
	}
	return s
}

// headers is what a packet takes beside its snapshot: IP and UDP 28 bytes, netchan
// 19. The acknowledgement, a byte or two, is not in it.
const headers = 47

// Bits says what a snapshot took on average, by category, and what a player gets
// per second with a packet in each tick.
func (r Report) Bits(tickRate int) string {
	b := &r.Spent
	n := float64(max(b.Packets, 1))
	per := func(v int64) float64 { return float64(v) / n }
	bytes := per(b.Total()) / 8
	return fmt.Sprintf("bits per snapshot: head %.1f, own %.1f (%.1f %% as predicted), doors %.1f, removed %.1f, events %.1f, records %.1f; %.1f bytes, %.1f kbps with headers",
		per(b.Head), per(b.Own), per(b.Predicted)*100, per(b.Doors), per(b.Removed), per(b.Events), per(b.Records), bytes, (bytes+headers)*8*float64(tickRate)/1000)
}

// KeyID names a player by its bot.
func (m *Match) KeyID(i int) state.ID { return m.Crew.Bots()[i].ID() }

// stream is a seeded source of bytes, so that keys, and with them packet contents,
// repeat. Never for a real server.
type stream struct {
	seed, n uint64
	rest    []byte
}

var _ io.Reader = (*stream)(nil)

func (s *stream) Read(p []byte) (int, error) {
	for i := range p {
		if len(s.rest) == 0 {
			var b [16]byte
			binary.LittleEndian.PutUint64(b[:], s.seed)
			binary.LittleEndian.PutUint64(b[8:], s.n)
			h := sha256.Sum256(b[:])
			s.rest = h[:]
			s.n++
		}
		p[i] = s.rest[0]
		s.rest = s.rest[1:]
	}
	return len(p), nil
}
