package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
)

// Config is what a Server is made with.
type Config struct {
	Name       string
	TickRate   int // Hz, 20..240
	MaxClients int
	Seed       uint64
	// Links are the ways in: a socket, a loop, or both. The Server polls and
	// flushes them; closing them is their owner's.
	Links []link.Link
	// Local are ways in for who is in this process, bots and a listen server's own
	// player: neither tokens nor bans nor limits hold there.
	Local []link.Link
	// Tokens lets in only whom a matchmaker sends; nil lets in anybody.
	Tokens *handshake.Tokens
	Bans   Bans
	Key    handshake.Key // the server's lasting identity
	Rand   io.Reader     // secrets of handshakes; nil: the system's generator
	// Start makes the match of a level by its name in the rotation.
	Start    func(ref string) (*Match, error)
	Rotation []string

	Lag         Lag
	MaxRewindMS float32 // lag compensation reaches no further back; 0 means 250, and more where Pace.Hz is below 32; below 0 none
	TimeoutMS   float32 // of a silent client; 0 means 20000
	// ResumeMS is how long a client that is not heard of keeps its body, standing
	// still, and its score, counted from its last packet; 0: no longer than TimeoutMS.
	ResumeMS float32
	// PerAddress is how many clients one address (of IPv6, one /64) may have in the
	// match, this machine's own excepted; 0 means a quarter of MaxClients and at
	// least 4, below 0 any number.
	PerAddress int
	// Pace is how often clients are sent snapshots; the zero Pace adapts to need.
	Pace Pace
	// Naive writes snapshots as plain as can be, to compare with: the own state whole,
	// an event for each shot, bits instead of a range coder. Clients read both.
	Naive bool
	// FirstTick is the tick in which a level begins, 0 as a rule. Tests begin late, to
	// see it wrap.
	FirstTick state.Tick
	// OneClock says that clients run on the very clock that Step is given, as in stepped
	// time: what they report of times is then exact.
	OneClock bool
	Spectate Spectate  // what those see who have no body; the zero one is without delay
	Teams    sim.Teams // how mates stand to each other, until the rules say otherwise
	Drops    bool      // the dead leave the weapon in their hand
	// VehiclesBackMS is sim.Config's.
	VehiclesBackMS float32
	FullHz         float64 // full snapshots a client may ask for in a second; 0 means 2
	OverMS         float32 // how long the final score stands before the next level

	Log   *slog.Logger
	Hooks Hooks
}

func (c *Config) check() error {
	switch {
	case c.TickRate < 20 || c.TickRate > 240:
		return fmt.Errorf("server: tick rate %d is outside 20 to 240", c.TickRate)
	case c.MaxClients < 1 || c.MaxClients > state.MaxPlayers:
		return fmt.Errorf("server: max clients %d is outside 1 to %d", c.MaxClients, state.MaxPlayers)
	case c.Start == nil || len(c.Rotation) == 0:
		return errors.New("server: no level to play: the rotation is empty")
	case len(c.Links)+len(c.Local) == 0:
		return errors.New("server: no way in: there is no link")
	}
	if err := c.Pace.check(c.TickRate); err != nil {
		return err
	}
	switch {
	case c.MaxRewindMS == 0:
		c.MaxRewindMS = usualRewindMS(c.Pace.Hz)
	case c.MaxRewindMS < 0:
		c.MaxRewindMS = 0
	}
	c.Lag.check()
	if c.TimeoutMS == 0 {
		c.TimeoutMS = 20000
	}
	if c.PerAddress == 0 {
		c.PerAddress = max(4, c.MaxClients/4)
	}
	if !(c.FullHz > 0) {
		c.FullHz = 2
	}
	if c.OverMS == 0 {
		c.OverMS = 8000
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}

// Server hosts one match after another.
type Server struct {
	cfg    Config
	log    *slog.Logger
	tickNS float64

	match   *match
	matchNo uint32
	turn    int // of the rotation

	links   []link.Link         // those of Config, the local ones last
	hello   []*handshake.Server // by link
	bans    Bans
	conns   []*conn // by slot; nil is free
	byAddr  map[peer]*conn
	byTag   map[[8]byte]*conn // by the session's name in path packets
	buf     [link.MaxPacket]byte
	out     [link.MaxPacket]byte
	scratch []byte
	rows    []state.Score // reused
	packOf  []state.ID    // likewise
	plain   [netchan.MaxPayload]byte
	payload bits.Writer
	reader  bits.Reader
	lastNow int64

	inputs     []sim.Input
	in         vis.Input
	nobody     vis.Answer // while there is no viewer
	beside     beside
	frame      vis.Frame
	rulesIn    rules.TickIn
	tapes      tapes
	watched    []bool // by slot, in this tick
	present    []bool // slot has fired in this tick, for Subject.Fired
	column     []int  // by slot: its player's subject in this tick; -1 none
	lateMark   int
	wantRotate bool

	shot       Shot // being filed
	shotLog    shotRing
	evidence   shotRing
	evidenceAt int64
	sentTick   [256]state.Tick // of recent ticks, and when their packets left
	sentAt     [256]int64

	bytesIn, bytesOut, packetsIn, packetsOut int64
	badOps, kills, shots, badViews           int
	revealsOver                              int // reports of reveals left out
	fulls, fullsDropped                      int
	gone                                     commands // counters of sessions that have ended

	mu    sync.Mutex
	stats Stats
	do    []func(*Server)
	stop  bool

	took      [256]time.Duration
	tookN     int
	beganReal time.Time
	markReal  time.Time        // when the last stage ended
	now       func() time.Time // for statistics only; nil: no durations
}

// New makes a Server and starts the first level of the rotation that can be.
// Levels before it that cannot are named in the log; when none can, the error
// names them all.
func New(cfg Config) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, log: cfg.Log, tickNS: 1e9 / float64(cfg.TickRate),
		conns: make([]*conn, cfg.MaxClients), byAddr: map[peer]*conn{}, byTag: map[[8]byte]*conn{},
		links: append(append([]link.Link(nil), cfg.Links...), cfg.Local...), bans: cfg.Bans,
		present: make([]bool, cfg.MaxClients), watched: make([]bool, cfg.MaxClients), column: make([]int, cfg.MaxClients),
		scratch: make([]byte, 0, 4096),
	}
	s.shotLog.ring, s.evidence.ring = make([]Shot, shotsKept), make([]Shot, evidenceKept)
	if err := s.doors(cfg.Rand); err != nil {
		return nil, err
	}
	var failed []error
	for i, ref := range cfg.Rotation {
		err := s.try(ref)
		if err == nil {
			for k, e := range failed {
				s.log.Error("level cannot be started", "level", cfg.Rotation[k], "error", e)
			}
			s.turn = i
			s.publish(0)
			return s, nil
		}
		if i > 0 && err.Error() == failed[i-1].Error() {
			break // it does not name the level: the next one would fail alike
		}
		failed = append(failed, err)
	}
	return nil, fmt.Errorf("no level of the rotation can be started: %w", errors.Join(failed...))
}

// Do runs f on the server's goroutine at the start of the next tick. At most 64
// wait; it reports whether f was taken.
func (s *Server) Do(f func(*Server)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.do) >= 64 || s.stop {
		return false
	}
	s.do = append(s.do, f)
	return true
}

// Stats returns a copy of the counters.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// Close tells every client why and ends the match. The links stay open.
func (s *Server) Close(reason string, now int64) {
	for _, c := range s.conns {
		if c != nil {
			s.drop(c, reason, now)
		}
	}
	for _, l := range s.links {
		link.Flush(l)
	}
	if s.match != nil && s.match.Close != nil {
		s.match.Close()
		s.match.Close = nil
	}
	s.beside.close()
	s.mu.Lock()
	s.stop = true
	s.mu.Unlock()
}

// Level returns the name of the level being played.
func (s *Server) Level() string { return s.match.Ref }

// Tick returns the last simulated tick.
func (s *Server) Tick() state.Tick { return s.match.sim.Tick() }

// Check verifies the invariants of the world: for tests.
func (s *Server) Check() error { return s.match.sim.Check() }

// World returns the simulation, for tests and developer views on the server's own
// goroutine. It must not be changed.
func (s *Server) World() *sim.Sim { return s.match.sim }

func (s *Server) begin(now int64) {
	s.lastNow = now
	if s.wantRotate {
		s.wantRotate = false
		s.rotate()
	}
	s.mu.Lock()
	todo := s.do
	s.do = nil
	s.mu.Unlock()
	for _, f := range todo {
		f(s)
	}
	if s.now != nil {
		s.beganReal = s.now()
		s.markReal = s.beganReal
	}
}

// mark ends a stage, for who measures them.
func (s *Server) mark(stage Stage) {
	if s.now == nil || s.cfg.Hooks.Stage == nil {
		return
	}
	t := s.now()
	s.cfg.Hooks.Stage(stage, t.Sub(s.markReal))
	s.markReal = t
}

func (s *Server) end() {
	var took time.Duration
	if s.now != nil {
		took = s.now().Sub(s.beganReal)
		s.took[s.tookN%len(s.took)] = took
		s.tookN++
	}
	if h := s.cfg.Hooks.TickDone; h != nil {
		h(s.Tick(), took)
	}
}

// Measure makes the Server time its ticks with a clock; without, Stats holds no
// durations.
func (s *Server) Measure(now func() time.Time) { s.now = now }

// SetLate says how many ticks the caller's clock has run late so far, for Stats.
func (s *Server) SetLate(n int) { s.lateMark = n }
