package server

import (
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// applyRules takes what the rules decided about an earlier tick: what concerns
// the world goes to sim.Apply, the rest is told to clients.
func (s *Server) applyRules() {
	m := s.match
	s.turnTables()
	s.stand()
	ops := m.Rules.Take()
	s.applyTables(ops)
	if len(ops) == 0 {
		return
	}
	if dropped := m.sim.Apply(ops); dropped > 0 {
		s.badOps += dropped
		s.sayBad(dropped)
	}
	for i := range ops {
		if m.sim.OpFault(&ops[i]) == sim.BadNone {
			s.present1(&ops[i])
		}
	}
}

// badEveryS is how often at most the log names an operation that was dropped, seconds.
const badEveryS = 10

// sayBad names in the log the last operation that was dropped, and how many were since
// the last that was named.
func (s *Server) sayBad(dropped int) {
	m := s.match
	m.badOps += dropped
	now := m.sim.Tick()
	if m.badSaid && now-m.badAt < badEveryS*state.Tick(s.cfg.TickRate) {
		return
	}
	op, why := m.sim.LastBad()
	s.log.Warn("the rules want what cannot be done: it is left out, the rest is done", "operation", op.String(), "why", why.Why(), "left_out", m.badOps)
	m.badSaid, m.badAt, m.badOps = true, now, 0
}

// present1 does the part of an operation that is not the simulation's.
func (s *Server) present1(op *rules.Op) {
	m, now := s.match, s.lastNow
	switch op.Kind {
	case rules.OpScore:
		if row := m.scores[op.ID]; row != nil {
			row.Kills, row.Deaths, row.Points = int16(op.Value), int16(op.Value2), int16(op.Value3)
		}
	case rules.OpPhase:
		m.phase, m.phaseEnd = op.Value, state.Tick(op.Value2)
		if m.phaseEnd != 0 {
			m.phaseEnd += m.pause.lag
		}
		s.tellAll(&wire.Phase{Phase: m.phase, End: m.phaseEnd}, now)
	case rules.OpAnnounce:
		s.tellOne(op.ID, &wire.Announce{Text: op.Text}, now)
	case rules.OpHUD:
		key, value := op.Text, ""
		for i := range op.Text {
			if op.Text[i] == '=' {
				key, value = op.Text[:i], op.Text[i+1:]
				break
			}
		}
		s.noteHUD(op.ID, key, value)
		s.tellOne(op.ID, &wire.HUD{Key: key, Value: value}, now)
	case rules.OpSetTeam:
		if c := s.byID(op.ID); c != nil {
			s.tellAll(&wire.Player{ID: c.id, Team: uint8(op.Value), Bot: c.bot, Name: c.name}, now)
			c.look.of = 0 // whom it watched it may not watch so any more
		}
	case rules.OpSpectate:
		if c := s.byID(op.ID); c != nil {
			c.look.of = state.ID(op.Value)
		}
	case rules.OpEndMatch:
		if !m.over {
			m.over, m.overAt, m.why = true, m.sim.Tick(), op.Text
			s.log.Info("match over", "level", m.Ref, "why", op.Text)
		}
	}
}

// rulesRoom is how full a client's reliable stream may be for a text of the rules to
// be put into it. Rules that talk without end lose lines, and no players.
const rulesRoom = netchan.Backlog * 3 / 4

// tellOne tells a text of the rules to id, or to everybody who has joined.
func (s *Server) tellOne(id state.ID, msg wire.Message, now int64) {
	for _, c := range s.conns {
		if c == nil || !c.joined || id != 0 && c.id != id {
			continue
		}
		if c.ch.Unacked() >= rulesRoom {
			s.badOps++
			continue
		}
		s.tell(c, msg, now)
	}
}

func (s *Server) byID(id state.ID) *conn {
	if id >= 1 && int(id) <= len(s.conns) {
		return s.conns[id-1]
	}
	return nil
}

// submit hands the tick to the policy, without waiting.
func (s *Server) submit() {
	s.observe()
	if len(s.in.Viewers) > 0 {
		s.match.Policy.Submit(&s.in)
	}
}

// submitRules hands the tick to the rules, without waiting.
func (s *Server) submitRules() {
	m := s.match
	if s.waits() {
		return
	}
	in := &s.rulesIn
	in.Tick = m.sim.Tick() - m.pause.lag
	in.Players = m.sim.RulesRows(in.Players[:0])
	for i := range in.Players {
		r := &in.Players[i]
		if r.Pos.Z < m.Level.KillZ {
			r.OutOfMap = true
		}
	}
	in.Events = append(append(in.Events[:0], m.pause.events...), m.sim.Events()...)
	m.pause.events = m.pause.events[:0]
	in.Joined, in.Left, in.Chat = m.joined, m.left, m.chat
	m.Rules.Submit(in)
	m.joined, m.left, m.chat = m.joined[:0], m.left[:0], m.chat[:0]
}

// meanwhile does what needs no answer while rules and policy are at work.
func (s *Server) meanwhile(now int64) {
	m := s.match
	tick := m.sim.Tick()
	for i := range m.sim.Events() {
		e := &m.sim.Events()[i]
		switch e.Kind {
		case state.EvKill:
			s.kills++
		case state.EvFire:
			s.shots++
		}
		if h := s.cfg.Hooks.Event; h != nil {
			h(tick, e)
		}
	}
	s.tellScores(now)
	if m.over && float32(tick-m.overAt) > s.cfg.OverMS*float32(s.cfg.TickRate)/1000 {
		s.wantRotate = true
	}
}

// publish refreshes the copy of the counters that Stats hands out.
func (s *Server) publish(now int64) {
	clients, bots, starved, late := 0, 0, s.gone.Starved, s.gone.Late
	var spent snapshot.Bits
	var classes [NumClasses]int64
	for _, c := range s.conns {
		if c == nil {
			continue
		}
		if clients++; c.bot {
			bots++
		}
		starved += c.cmds.Starved
		late += c.cmds.Late
		spent.Add(c.enc.Spent())
		for i, n := range c.pace.spent {
			classes[i] += n
		}
	}
	var mean, most time.Duration
	n := min(s.tookN, s.cfg.TickRate, len(s.took))
	for i := range n {
		d := s.took[(s.tookN-1-i)%len(s.took)]
		mean += d
		most = max(most, d)
	}
	if n > 0 {
		mean /= time.Duration(n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.stats
	st.Tick, st.Clients, st.Bots, st.Level = s.match.sim.Tick(), clients, bots, s.match.Ref
	st.Starved, st.LateCmds, st.LateTicks = starved, late, s.lateMark
	st.BytesIn, st.BytesOut, st.PacketsIn, st.PacketsOut = s.bytesIn, s.bytesOut, s.packetsIn, s.packetsOut
	st.BadViews = s.badViews
	st.RevealsLost = s.revealsOver
	st.Fulls, st.FullsLost, st.TapeBytes = s.fulls, s.fullsDropped, s.tapes.bytes
	st.Spent, st.Classes = spent, classes
	st.BadOps, st.Kills, st.Shots = s.badOps, s.kills, s.shots
	st.Tables = s.match.Tables.Version
	st.TickMean, st.TickMax = mean, most
}
