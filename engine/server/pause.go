package server

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// A match whose rules do not run stands still: nobody moves, fires or is hurt, and the
// clocks of its phases stop. What happens meanwhile waits for the rules.

const (
	still = state.Frozen | state.NoFire | state.Invulnerable
	// saidEvery is how often players are told why, seconds.
	saidEvery = 10
	// Most that waits: beyond it events and lines are lost, which is logged.
	maxWaiting = 4096
)

// pause is the part of a match that stands still now and then.
type pause struct {
	on     bool
	since  state.Tick
	lag    state.Tick // ticks that the match has stood still, which rules never see
	held   [state.MaxPlayers + 1]state.Flags
	events []state.Event // that the rules have not been told of
	lost   int
	rows   []rules.PlayerRow
	ops    []rules.Op
}

// stand begins or ends a pause, at the beginning of a tick, and keeps everybody still.
func (s *Server) stand() {
	m, p := s.match, &s.match.pause
	on := m.Halted != nil && m.Halted()
	switch {
	case on && !p.on:
		p.on, p.since = true, m.sim.Tick()
		s.log.Warn("the match stands still: its rules do not run", "level", m.Ref, "tick", p.since)
	case !on && p.on:
		p.on = false
		s.log.Info("the match goes on", "level", m.Ref, "after_ticks", m.sim.Tick()-p.since, "events_lost", p.lost)
		s.tellOne(0, &wire.Announce{Text: "The match goes on."}, s.lastNow)
		s.tellAll(&wire.Phase{Phase: m.phase, End: m.phaseEnd}, s.lastNow)
		p.ops = p.ops[:0]
		for id, f := range p.held {
			if f != 0 && m.sim.Present(state.ID(id)) {
				p.ops = append(p.ops, rules.Op{Kind: rules.OpSetFlags, ID: state.ID(id), Flags2: f})
			}
		}
		clear(p.held[:])
		m.sim.Apply(p.ops)
		return
	}
	if !p.on {
		return
	}
	p.ops = p.ops[:0]
	p.rows = m.sim.RulesRows(p.rows[:0])
	for i := range p.rows {
		r := &p.rows[i]
		if f := still &^ r.Flags; f != 0 && r.ID.IsPlayer() {
			p.held[r.ID] |= f
			p.ops = append(p.ops, rules.Op{Kind: rules.OpSetFlags, ID: r.ID, Flags: f})
		}
	}
	m.sim.Apply(p.ops)
	since, rate := m.sim.Tick()-p.since, state.Tick(s.cfg.TickRate)
	if since%(saidEvery*rate) == 0 {
		s.tellOne(0, &wire.Announce{Text: "The match is paused: its rules have stopped. Nothing is lost."}, s.lastNow)
	}
	p.lag++
	if m.phaseEnd != 0 {
		m.phaseEnd++
		if since%rate == 0 {
			s.tellAll(&wire.Phase{Phase: m.phase, End: m.phaseEnd}, s.lastNow)
		}
	}
}

// waits keeps a tick of a match that stands still for the rules; false when it does not.
func (s *Server) waits() bool {
	m, p := s.match, &s.match.pause
	if !p.on {
		return false
	}
	for _, e := range m.sim.Events() {
		if len(p.events) < maxWaiting {
			p.events = append(p.events, e)
		} else {
			p.lost++
		}
	}
	if n := len(m.chat) - maxWaiting; n > 0 {
		m.chat = m.chat[:maxWaiting]
		p.lost += n
	}
	return true
}
