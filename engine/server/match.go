package server

import (
	"fmt"
	"slices"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// Match is what one level is played with. Whoever makes it says where policy and
// rules run; the Server only calls them.
type Match struct {
	Ref    string // what the operator calls it, for messages and Welcome
	Level  *level.Level
	World  *trace.World
	Tables tables.Set // what it begins with
	// Own is Tables without what the rules wanted it to begin with: what rules.ResetTables
	// goes back to with own; nil: Tables.
	Own    *tables.Set
	Policy vis.Decider
	Rules  rules.Runner
	// Range is how far apart two players can be and still be candidates, metres; 0
	// for no limit.
	Range float32
	// VehicleRange is how far off vehicles are told of, metres, whatever hides them; 0
	// for no limit.
	VehicleRange float32
	// Reveals asks clients when they were told of players and drew them; their word goes
	// to Hooks.Reveal.
	Reveals bool
	// Halted, asked at the beginning of each tick, says that nobody decides: the match
	// stands still until it says otherwise. May be nil.
	Halted func() bool
	Close  func() // ends what Policy and Rules run in; may be nil
}

// match is a Match being played.
type match struct {
	Match
	sim     *sim.Sim
	doorAt  []vec.Box // what space each door moves in
	pieceAt []vec.Box // where each breakable piece stands
	sight   *vis.Sight
	fade    float32 // ms that the white of a flash fades
	tab     announced

	joined []rules.Member // since the last submit
	left   []state.ID
	chat   []rules.Chat

	pause    pause
	phase    rules.Phase
	phaseEnd state.Tick
	over     bool
	overAt   state.Tick
	why      string
	scores   map[state.ID]*state.Score
	told     map[state.ID]state.Score // rows as every client has been sent them

	badSaid bool // the log has named an operation that was dropped, at badAt
	badAt   state.Tick
	badOps  int // dropped since
}

// start begins a match for the clients that are there.
func (s *Server) start(m *Match) error {
	if m.Level == nil || m.World == nil || m.Policy == nil || m.Rules == nil {
		return fmt.Errorf("match %s: level, world, policy and rules are all needed", m.Ref)
	}
	w, err := sim.New(sim.Config{
		World: m.World, Set: m.Tables, TickRate: s.cfg.TickRate, Seed: s.cfg.Seed,
		MaxPlayers: s.cfg.MaxClients, MaxRewindMS: s.cfg.MaxRewindMS,
		ProjectileMS: s.cfg.Lag.ProjectileMS, MeleeMS: s.cfg.Lag.MeleeMS, RefuseUnshown: s.cfg.Lag.RefuseUnshown, First: s.cfg.FirstTick,
		Teams: s.cfg.Teams, Drops: s.cfg.Drops, VehiclesBackMS: s.cfg.VehiclesBackMS,
	})
	if err != nil {
		return fmt.Errorf("match %s: %w", m.Ref, err)
	}
	if s.match != nil && s.match.Close != nil {
		s.match.Close()
	}
	s.match = &match{Match: *m, sim: w, sight: vis.NewSight(m.World, s.cfg.TickRate), fade: m.Tables.FlashFade(), scores: map[state.ID]*state.Score{}, told: map[state.ID]state.Score{}}
	for i := range m.Level.Doors {
		d := &m.Level.Doors[i]
		s.match.doorAt = append(s.match.doorAt, d.Sweep(m.Level.Models[d.Model].Bounds))
	}
	for i := range m.Level.Pieces {
		s.match.pieceAt = append(s.match.pieceAt, m.Level.Models[m.Level.Pieces[i].Model].Bounds)
	}
	s.match.tab.start(&s.match.Match, w.Tick()+1)
	s.frame.Sounds = &hear.Rules{Set: &s.match.Tables, TickRate: s.cfg.TickRate, Seed: s.cfg.Seed}
	s.matchNo++
	s.tapes.drop() // ticks begin anew
	if h := s.cfg.Hooks.Level; h != nil {
		h(m)
	}
	for _, c := range s.conns {
		if c != nil {
			s.welcome(c)
		}
	}
	return nil
}

// try makes the match of a level and starts it; when that fails nothing has
// changed.
func (s *Server) try(ref string) error {
	m, err := s.cfg.Start(ref)
	if err != nil {
		return err
	}
	if err = s.start(m); err != nil && m.Close != nil {
		m.Close()
	}
	return err
}

// rotate moves on after a match has ended: to the next level of the rotation that
// can be started, at most one pass, and otherwise the present match goes on.
func (s *Server) rotate() {
	n := len(s.cfg.Rotation)
	for i := 1; i <= n; i++ {
		k := (s.turn + i) % n
		err := s.try(s.cfg.Rotation[k])
		if err == nil {
			s.turn = k
			s.log.Info("level changed", "level", s.match.Ref)
			return
		}
		s.log.Error("level left out of the rotation this time", "level", s.cfg.Rotation[k], "error", err)
	}
	s.log.Error("no level of the rotation could be started: the present one goes on", "level", s.match.Ref)
	s.match.over = false
}

// Next ends the present match and goes on with the next level of the rotation.
func (s *Server) Next() { s.wantRotate = true }

// Change plays a level at once. When it cannot be started the present one goes on,
// and the error says why.
func (s *Server) Change(ref string) error {
	err := s.try(ref)
	if err != nil {
		s.log.Error("level cannot be started: the present one goes on", "level", ref, "present", s.match.Ref, "error", err)
		return err
	}
	if k := slices.Index(s.cfg.Rotation, ref); k >= 0 {
		s.turn = k // the rotation goes on from here
	}
	s.log.Info("level changed", "level", s.match.Ref)
	return nil
}

// Say tells everybody a line in the server's name.
func (s *Server) Say(text string) { s.tellAll(&wire.Chat{Text: text}, s.lastNow) }
