package sim

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Carried returns how fast the mover on which a player stands takes it along, m/s:
// what its Vel, which is its own motion, does not hold. Zero on solid ground.
func (s *Sim) Carried(id state.ID) vec.V3 {
	p := s.Player(id)
	if p == nil || p.Flags&state.OnGround == 0 {
		return vec.V3{}
	}
	m := int(p.Ground)
	if m <= 0 || m >= len(s.poses) || s.poses[m] == s.before[m] {
		return vec.V3{}
	}
	if _, piece := s.pieceOf(p.Ground); piece {
		return vec.V3{}
	}
	now, was := &s.poses[m], &s.before[m]
	by := now.Off.Sub(was.Off)
	if now.IsTurned() || was.IsTurned() {
		by = p.Pos.Sub(was.Out(now.Into(p.Pos)))
	}
	return by.Scale(float32(s.cfg.TickRate))
}
