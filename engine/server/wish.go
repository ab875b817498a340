package server

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// wish takes what a client asks for that is no part of a command.
func (s *Server) wish(c *conn, m *wire.Wish) {
	if m.What == wire.WishTables {
		s.wishTables(c, m.Value)
		return
	}
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

// step goes on to the next player whom a client may watch, or back, round the mates by
// their numbers and then the others, so that who has mates begins with them.
func (s *Server) step(c *conn, by int) {
	w, n := s.match.sim, len(s.conns)
	place := func(id state.ID) int { // in that round
		if id != 0 && !w.Mates(c.id, id) {
			return n + int(id)
		}
		return int(id)
	}
	from, next, dist := place(c.look.of), c.look.of, 0
	for id := state.ID(1); int(id) <= n; id++ {
		if id == c.look.of || !s.watchable(c, id) {
			continue
		}
		d := place(id) - from
		if by < 0 {
			d = -d
		}
		if d <= 0 {
			d += 2*n + 1
		}
		if by != 0 && (dist == 0 || d < dist) {
			next, dist = id, d
		}
	}
	c.look.of = next
}
