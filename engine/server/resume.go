package server

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// A player who is not heard of any more keeps the place for a while (ResumeMS):
// the body stands in the world and can be shot, slot, name and score are as they
// were. A client that shows the ticket of its last session, or a token of the same
// user, takes it up again under new keys. The session before, if it still stands,
// ends at that moment and not earlier: only the true client can confirm.

// byPlace finds whom a resume ticket is of.
func (s *Server) byPlace(p handshake.Place) *conn {
	if p == (handshake.Place{}) {
		return nil
	}
	for _, c := range s.conns {
		if c != nil && c.place == p {
			return c
		}
	}
	return nil
}

// byUser finds the player whom a matchmaker knows as user; 0 is nobody.
func (s *Server) byUser(user uint64) *conn {
	if user == 0 || s.cfg.ResumeMS <= 0 {
		return nil
	}
	for _, c := range s.conns {
		if c != nil && c.user == user {
			return c
		}
	}
	return nil
}

// vanish ends the session of a client that is not heard of, and keeps its place if
// it had one worth keeping.
func (s *Server) vanish(c *conn, reason string, now int64) {
	c.lostAt = c.ch.LastRecv()
	if !c.joined || float32(now-c.lostAt) >= s.cfg.ResumeMS*1e6 {
		s.drop(c, reason, now)
		return
	}
	s.unlist(c)
	c.away, c.ready, c.row = true, false, -1
	s.log.Info("lost", "player", c.name, "id", c.id, "reason", reason, "kept_ms", s.cfg.ResumeMS)
}

// lapsed gives up a place that nobody came back to; it reports whether c is away.
func (s *Server) lapsed(c *conn, now int64) bool {
	if c.away && float32(now-c.lostAt) >= s.cfg.ResumeMS*1e6 {
		s.forget(c, "did not come back")
	}
	return c.away
}

// comeBack gives a player's place to a new session of the same player.
func (s *Server) comeBack(c *conn, from peer, se *handshake.Session, ch *netchan.Channel, now int64) {
	if !c.away {
		for range goodbyes {
			pkt, _ := c.ch.SealGoodbye(s.out[:0], "you came back on another connection", now)
			s.transmit(c.peer, pkt)
		}
		s.unlist(c)
	}
	c.away, c.ch, c.since, c.told, c.opened = false, ch, now, 0, 0
	c.bucket, c.path = bucket{}, handshake.Path[peer]{}
	s.list(c, from, se)
	s.log.Info("came back", "player", c.name, "id", c.id, "gone_ms", (now-c.lostAt)/1e6)
	if !c.joined {
		return
	}
	for _, o := range s.conns {
		if o != nil && o.joined {
			s.tell(c, &wire.Player{ID: o.id, Team: s.team(o.id), Bot: o.bot, Name: o.name}, now)
		}
	}
	watching := c.look.of
	s.welcome(c)
	c.look.of = watching
	for _, h := range c.hud {
		s.tell(c, &wire.HUD{Key: h.Key, Value: h.Value}, now)
	}
}

// maxHUD is how many values of the picture are kept for who comes back, as many as
// a client shows.
const maxHUD = 64

// noteHUD keeps what the rules put into the picture of id, 0 for everybody.
func (s *Server) noteHUD(id state.ID, key, value string) {
	for _, c := range s.conns {
		if c == nil || !c.joined || id != 0 && c.id != id || s.cfg.ResumeMS <= 0 {
			continue
		}
		i := slices.IndexFunc(c.hud, func(h wire.HUD) bool { return h.Key == key })
		switch {
		case i >= 0:
			c.hud[i].Value = value
		case len(c.hud) < maxHUD:
			c.hud = append(c.hud, wire.HUD{Key: key, Value: value})
		}
	}
}

// list makes a session known by its address and by its name.
func (s *Server) list(c *conn, from peer, se *handshake.Session) {
	c.peer, c.place, c.tag = from, se.Place, se.Name
	if se.User != 0 { // a ticket names no user
		c.user = se.User
	}
	s.byAddr[from], s.byTag[c.tag] = c, c
}

// unlist undoes list.
func (s *Server) unlist(c *conn) {
	if s.byAddr[c.peer] == c {
		delete(s.byAddr, c.peer)
	}
	if s.byTag[c.tag] == c {
		delete(s.byTag, c.tag)
	}
}

// named finds the session of a path packet and opens what is in it. A client that
// it came from by another way than before is asked whether that is so, and has
// moved when it says yes from there.
func (s *Server) named(from peer, tag [8]byte, data []byte, now int64) (*conn, []byte, error) {
	c := s.byTag[tag]
	if c == nil {
		return nil, nil, netchan.ErrNotData
	}
	c.ch.Answered() // one that came by another way says nothing about this one
	payload, seq, err := c.open(data, now)
	if err != nil {
		return c, nil, err
	}
	newest := seq == c.ch.Newest()
	if number, ok := c.ch.Answered(); ok && newest && c.path.Answered(from, number, now) {
		s.move(c, from, now)
		return c, payload, nil
	}
	if number, ask := c.path.Heard(from, c.peer, newest, s.draw, now); ask {
		if q := c.ch.SealAsk(s.out[:0], number, now); len(q) <= len(data)+handshake.PathHead {
			s.transmit(from, q)
		}
	}
	return c, payload, nil
}

// move notes that a client is reached elsewhere from now on.
func (s *Server) move(c *conn, to peer, now int64) {
	if o := s.byAddr[to]; o != nil && o != c { // its address is another's now
		s.vanish(o, "timed out", now)
	}
	s.log.Info("moved", "player", c.name, "id", c.id, "from", c.peer.addr, "to", to.addr)
	if s.byAddr[c.peer] == c {
		delete(s.byAddr, c.peer)
	}
	c.peer = to
	s.byAddr[to] = c
}

// draw is a number that nobody can guess.
func (s *Server) draw() uint64 {
	var b [8]byte
	if _, err := io.ReadFull(s.cfg.Rand, b[:]); err != nil {
		s.log.Error("no random numbers", "error", err)
	}
	return binary.LittleEndian.Uint64(b[:])
}
