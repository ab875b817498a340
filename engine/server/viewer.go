package server

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// viewer says what a policy may know of a client and its line.
func (s *Server) viewer(c *conn, subject int, tick state.Tick) vis.Viewer {
	rtt, jitter := c.latency()
	v := vis.Viewer{
		Subject: subject, ID: c.id, RTTms: rtt, JitterMS: jitter, RenderMS: c.interpMS(s.cfg.TickRate),
		BufferMS: float32(min(max(c.lag.buffer, 0)*s.tickNS, upCapNS) / 1e6), Loss: float32(c.lag.loss),
		SendTicks: s.cfg.Pace.next(tick, s.cfg.TickRate), Scope: c.scope,
	}
	if p := s.match.sim.Player(c.id); p != nil && stands(p) {
		v.StillMS = float32(float64(c.cmds.still(tick+1)) * s.tickNS / 1e6)
	}
	return v
}

// next returns how many ticks after a tick the next packet can leave. A reveal waits
// for no class, so that it is 1 at adaptive rates.
func (p *Pace) next(tick state.Tick, tickRate int) uint8 {
	n := state.Tick(1)
	for p.Hz > 0 && n < 255 && !p.sends(tick+n, tickRate) {
		n++
	}
	return uint8(n)
}

// sends reports whether a packet leaves in a tick at a fixed rate.
func (p *Pace) sends(tick state.Tick, tickRate int) bool {
	k, hz, rate := uint64(tick), uint64(p.Hz), uint64(tickRate)
	return (k+1)*hz/rate != k*hz/rate
}

// stands reports whether a body stands upright and stays where it is, eye and all, as
// long as nothing acts on it.
func stands(p *state.Player) bool {
	return p.Alive() && p.Flags&state.OnGround != 0 && p.Flags&(state.Swimming|state.OnLadder) == 0 && p.Ground == 0 &&
		p.Vel.LenSq() < 1e-4 && p.Lean == 0 && p.Duck == 0
}

// moving is what makes a body move or its eye.
const moving = state.BtnJump | state.BtnCrouch | state.BtnLeanLeft | state.BtnLeanRight

// still returns for how many ticks from next on commands are here that do not move
// a body that stands upright.
func (b *commands) still(next state.Tick) int {
	n := 0
	for ; n < cmdWindow; n++ {
		t := next + state.Tick(n)
		c := &b.ring[t%cmdWindow]
		if !b.have[t%cmdWindow] || c.Tick != t || c.Buttons&moving != 0 || c.Forward != 0 || c.Right != 0 || c.Up != 0 {
			break
		}
	}
	return n
}
