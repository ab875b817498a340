package server

// fullBurst is how many full snapshots a client may ask for at once; after them come
// Config.FullHz a second.
const fullBurst = 2

// full takes a client's request for its whole state. A full snapshot is made of the same
// View as any other; it costs room, so that requests beyond the rate are left out,
// counted and told to the log. Until one has arrived all snapshots are full anyway.
func (s *Server) full(c *conn, now int64) {
	every := int64(1e9 / float64(s.cfg.FullHz))
	for c.fulls > 0 && now-c.fullsAt >= every {
		c.fulls--
		c.fullsAt += every
	}
	if c.fulls == 0 {
		c.fullsAt = now
	}
	if c.fulls >= fullBurst {
		s.fullsDropped++
		if c.fullsLost++; now-c.fullsSaid >= 10e9 {
			c.fullsSaid = now
			s.log.Warn("asks for its whole state too often", "player", c.name, "id", c.id, "left out", c.fullsLost)
		}
		return
	}
	c.fulls++
	s.fulls++
	c.enc.Reset()
}
