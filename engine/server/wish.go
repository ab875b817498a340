package server

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// wish takes what a client asks for that is no part of a command.
func (s *Server) wish(c *conn, m *wire.Wish) {
	p := s.match.sim.Player(c.id)
	if !c.playing() || p == nil {
		return
	}
	switch m.What {
	case wire.WishWatch:
		if id := state.ID(m.Value); m.Value == 0 || s.watchable(c, id) {
			c.look.of = id
		}
	case wire.WishStep:
		s.step(c, int(m.Value))
	case wire.WishRole:
		s.match.sim.LookOn(c.id, m.Value != 0)
	case wire.WishMark:
		s.mark1(c)
	}
}

// watchable reports whether a client may begin to watch a player: it has no living
// body itself, and the other one has.
func (s *Server) watchable(c *conn, id state.ID) bool {
	p, q := s.match.sim.Player(c.id), s.match.sim.Player(id)
	return id != c.id && p != nil && !p.Alive() && q != nil && q.Alive() && s.playing(id)
}

// step goes on to the next player whom a client may watch, or back; mates come before
// others, so that who has some begins with them.
func (s *Server) step(c *conn, by int) {
	by = min(max(by, -1), 1)
	n := len(s.conns)
	if by == 0 {
		return
	}
	from := int(c.look.of) - 1
	for _, mates := range [2]bool{true, false} {
		for k := 1; k <= n; k++ {
			id := state.ID(((from+by*k)%n+n)%n + 1)
			if s.watchable(c, id) && (!mates || s.match.sim.Mates(c.id, id)) && id != c.look.of {
				c.look.of = id
				return
			}
		}
	}
}
