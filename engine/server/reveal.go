package server

import (
	"math"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// Limit of what a client may report of reveals: an honest one sends two messages a
// second. What is beyond it is left out and counted.
const (
	revealBurst   = 6
	revealEveryNS = 250_000_000
)

// revealRing is how many packets a report can be about: 8 s of them at 64 Hz.
const revealRing = 512

// driftPPM is how much two clocks are thought to run apart, in millionths: what was
// learnt of the offset between them counts for so much less as time goes on.
const driftPPM = 100

// reveals is what the server knows of a client's clock, and of the packets that the
// client's reports are about.
//
// The offset between the clocks is bounded from both sides, as time protocols do: no
// packet came before it left, neither down nor up. A − S therefore has a least and a
// most, and the estimate lies in the middle, where it is right if both ways take
// equally long.
type reveals struct {
	sent [revealRing]sentPacket

	lo, hi float64 // the client's clock less the server's, ns
	known  bool
	at     int64

	took   int // messages lately, for their limit
	tookAt int64
	over   int // left out
}

type sentPacket struct {
	seq   uint64
	tick  state.Tick
	at    int64
	acked int64 // when the server heard of its arrival; 0 not yet
}

// askReveals asks a client for its reports, with its Welcome.
func (s *Server) askReveals(c *conn) {
	c.reveals = nil
	if s.match.Reveals {
		c.reveals = &reveals{}
		s.tell(c, &wire.Var{Name: wire.RevealReports, Value: "1"}, s.lastNow)
	}
}

// wrote notes a packet with a snapshot.
func (r *reveals) wrote(seq uint64, tick state.Tick, now int64) {
	r.sent[seq%revealRing] = sentPacket{seq: seq, tick: tick, at: now}
}

func (r *reveals) acked(seq uint64, now int64) {
	if p := r.packet(seq); p != nil && p.acked == 0 {
		p.acked = now
	}
}

func (r *reveals) packet(seq uint64) *sentPacket {
	if p := &r.sent[seq%revealRing]; p.seq == seq && p.at != 0 {
		return p
	}
	return nil
}

// may counts a message; it reports whether it is within the limit.
func (r *reveals) may(now int64) bool {
	for r.took > 0 && now-r.tookAt >= revealEveryNS {
		r.took--
		r.tookAt += revealEveryNS
	}
	if r.took == 0 {
		r.tookAt = now
	}
	if r.took >= revealBurst {
		r.over++
		return false
	}
	r.took++
	return true
}

// learn narrows the offset: a packet that left at sent was there at came by the
// client's clock, and what the client wrote at wrote is here now.
func (r *reveals) learn(came float64, sent int64, wrote float64, now int64) {
	wide := float64(now-r.at) * driftPPM / 1e6
	r.at = now
	lo, hi := wrote-float64(now), came-float64(sent)
	if r.known {
		r.lo, r.hi = max(r.lo-wide, lo), min(r.hi+wide, hi)
	}
	if !r.known || r.lo > r.hi { // the first word, or one that contradicts what was known
		r.lo, r.hi, r.known = lo, hi, lo <= hi
	}
}

// reported takes a client's word on when it was told of players and drew them. It is
// evidence at best: it decides nothing, and goes nowhere but into the ledger.
func (s *Server) reported(c *conn, m *wire.Reveals, now int64) {
	r := c.reveals
	if r == nil || !c.playing() {
		return
	}
	if !r.may(now) {
		s.revealsOver++
		return
	}
	wrote := float64(m.Now) * 1000
	if p := r.packet(m.Seq); p != nil {
		r.learn(wrote-float64(m.Came)*1000, p.at, wrote, now)
	}
	if s.cfg.OneClock {
		r.lo, r.hi, r.known = 0, 0, true
	}
	h := s.cfg.Hooks.Reveal
	if h == nil || !r.known {
		return
	}
	for i := range m.Rows {
		row := &m.Rows[i]
		p := r.packet(m.Seq - uint64(row.Back))
		if p == nil || uint64(row.Back) > m.Seq || !row.ID.IsPlayer() || row.ID == c.id {
			continue // of a packet that was never sent, or too long ago
		}
		h(c.id, row.ID, p.seq, p.tick, r.claim(p, row, wrote, now))
	}
}

// claim brings a client's word into the server's time and what can be.
func (r *reveals) claim(p *sentPacket, row *wire.Reveal, wrote float64, now int64) ledger.Claim {
	came := wrote - float64(row.Came)*1000 // A, by the client's clock
	look := float64(row.Look) * 1000
	if r.lo == r.hi {
		look = 0 // nothing comes between two steps of one clock
	}
	heard := float64(now - p.at) // by then it was there
	if p.acked != 0 {
		heard = float64(p.acked - p.at)
	}
	least, most := came-r.hi-float64(p.at)-look, came-r.lo-float64(p.at)
	mid := (came - r.hi + came - r.lo) / 2
	m := ledger.Claim{Drawn: row.Drawn, DrawnUS: row.Drew, LookUS: uint32(look / 1000)}
	bring := func(v, lo, hi float64) uint32 {
		const rounding = 1000 // a microsecond
		if v < lo-rounding || v > hi+rounding {
			m.Clamped = true
		}
		return uint32(min(max(v, lo, 0), hi, math.MaxUint32*1000.0)/1000 + 0.5)
	}
	m.CameUS = bring(mid-float64(p.at), 0, heard)
	clamped := m.Clamped
	m.LeastUS, m.MostUS = bring(least, 0, heard), bring(most, 0, heard)
	m.Clamped = clamped // the bounds may well lie outside: that is what they are cut for
	if m.Drawn {
		m.DrawnUS = bring(float64(row.Drew)*1000, 0, float64(now-p.at)-float64(m.LeastUS)*1000)
	}
	return m
}
