package server

// A packet is expected to be lost now and then above lossMore of the last 256; below
// lossLess it is not any more.
const (
	lossMore  = 0.005
	lossLess  = 0.002
	lossEvery = 250_000_000 // ns
)

// delayBase returns the interpolation delay of a client's line but for its jitter,
// in ticks: the interval of ClassHalf, so that the update after the shown instant is
// there, and where packets are lost that of ClassFull more, so that one may be lost
// while shots are exchanged. A whole interval of ClassHalf more would take 80 ms of
// round trip beyond the 200 ms that shots are rewound; what it would save is carried
// on along its velocity, 2 cm off in 99 of 100 cases.
func (s *Server) delayBase(c *conn, now int64) float64 {
	l := &c.lag
	if now-l.lossAt >= lossEvery {
		l.lossAt = now
		l.judgeLoss(c.ch.Stats(now).LossOut)
	}
	base := s.cfg.Pace.every(ClassHalf, s.cfg.TickRate)
	if l.lossy {
		base += s.cfg.Pace.every(ClassFull, s.cfg.TickRate)
	}
	return max(interpLeast, base)
}

func (l *lag) judgeLoss(share float64) {
	l.loss = share
	switch {
	case share > lossMore:
		l.lossy = true
	case share < lossLess:
		l.lossy = false
	}
}
