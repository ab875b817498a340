package server

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// admit gives a confirmed session a slot, or returns nil when there is none.
func (s *Server) admit(from peer, se *handshake.Session, ch *netchan.Channel, now int64) *conn {
	for i := range s.conns {
		if s.conns[i] != nil {
			continue
		}
		c := &conn{slot: i, id: state.ID(i + 1), ch: ch, row: -1, since: now}
		c.enc = s.encoder()
		s.conns[i] = c
		s.list(c, from, se)
		return c
	}
	return nil
}

// join takes a client's word on who it is and tells it what to load.
func (s *Server) join(c *conn, m *wire.Join, now int64) {
	name := s.freeName(c, m.Name)
	if c.joined {
		if name != c.name && c.maySay(now) {
			c.name = name
			s.tellAll(&wire.Player{ID: c.id, Team: s.team(c.id), Bot: c.bot, Name: name}, now)
		}
		return
	}
	c.name, c.bot, c.joined, c.since = name, m.Bot, true, now
	s.log.Info("joined", "player", c.name, "id", c.id, "bot", c.bot)
	if h := s.cfg.Hooks.Joined; h != nil {
		h(c.id, c.name, c.bot)
	}
	s.tellAll(&wire.Player{ID: c.id, Bot: c.bot, Name: c.name}, now)
	for _, o := range s.conns {
		if o != nil && o != c && o.joined {
			s.tell(c, &wire.Player{ID: o.id, Team: s.team(o.id), Bot: o.bot, Name: o.name}, now)
		}
	}
	s.welcome(c)
}

// freeName returns the wished name, with a number when somebody has it already.
func (s *Server) freeName(c *conn, wish string) string {
	if wish == "" {
		wish = "player"
	}
	name := wish
	for n := 2; ; n++ {
		taken := false
		for _, o := range s.conns {
			taken = taken || o != nil && o != c && o.joined && o.name == name
		}
		if !taken {
			return name
		}
		suffix := fmt.Sprintf(" (%d)", n)
		name = wire.Clean(wish, state.MaxName-len(suffix)) + suffix
	}
}

// welcome tells a client the level. Until it says that it has loaded it, it has
// no body and is sent nobody.
func (s *Server) welcome(c *conn) {
	if !c.joined {
		return
	}
	c.ready, c.row, c.look = false, -1, watch{observer: c.look.observer}
	c.since = s.lastNow
	c.cmds.reset()
	c.lag = lag{}
	s.match.sim.Seen().Forget(c.id)
	c.enc = s.encoder()
	c.pace.begun = false
	w := wire.Welcome{
		ID: c.id, MaxPlayers: uint16(s.cfg.MaxClients), TickRate: uint16(s.cfg.TickRate),
		Tick: s.match.sim.Tick(), Seed: s.match.sim.Reserve(c.id), Server: s.cfg.Name,
		Level: s.match.Level.Name, LevelHash: s.match.Level.Hash, TablesHash: s.match.tab.hash,
	}
	if s.match.tab.news {
		w.Tables = wire.TablesBlob(&s.match.Tables)
	}
	c.tablesHash, c.toldTables, c.hasTables = w.TablesHash, s.match.Tables.Version, 0
	s.tell(c, &w, s.lastNow)
	s.tellComing(c)
	s.askReveals(c)
}

// enter puts a client that has the level into the match.
func (s *Server) enter(c *conn) {
	m := s.match
	c.since = s.lastNow
	if m.scores[c.id] == nil { // otherwise it is in the match and has come back
		m.sim.Join(c.id, 0)
		m.joined = append(m.joined, rules.Member{ID: c.id, Bot: c.bot, Name: c.name})
		m.scores[c.id] = &state.Score{ID: c.id, Bot: c.bot, Name: c.name}
	}
	s.board()
	s.tellBoard(c, s.lastNow)
	s.tell(c, &wire.Phase{Phase: m.phase, End: m.phaseEnd}, s.lastNow)
}

// goodbyes is how many packets say that a session is over: any may be lost.
const goodbyes = 3

// drop ends a session and tells the client why.
func (s *Server) drop(c *conn, reason string, now int64) {
	if s.conns[c.slot] != c {
		return
	}
	for range goodbyes {
		if c.away {
			break // its session is over
		}
		pkt, _ := c.ch.SealGoodbye(s.out[:0], reason, now)
		s.transmit(c.peer, pkt)
	}
	s.forget(c, reason)
}

// forget frees a session's slot.
func (s *Server) forget(c *conn, reason string) {
	if s.conns[c.slot] != c {
		return
	}
	s.conns[c.slot] = nil
	s.gone.Starved += c.cmds.Starved
	s.gone.Late += c.cmds.Late
	s.unlist(c)
	m := s.match
	if m.scores[c.id] != nil {
		m.sim.Leave(c.id)
		m.left = append(m.left, c.id)
		delete(m.scores, c.id)
		delete(m.told, c.id)
		s.board()
	}
	if !c.joined {
		return
	}
	s.log.Info("left", "player", c.name, "id", c.id, "reason", reason)
	if h := s.cfg.Hooks.Left; h != nil {
		h(c.id, c.name, reason)
	}
	s.tellAll(&wire.Gone{ID: c.id, Reason: reason}, s.lastNow)
}

// Kick ends the session of the player with that name; it reports whether there
// was one.
func (s *Server) Kick(name, reason string) bool {
	for _, c := range s.conns {
		if c != nil && c.joined && c.name == name {
			s.drop(c, reason, s.lastNow)
			return true
		}
	}
	return false
}
