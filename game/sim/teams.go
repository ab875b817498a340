package sim

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Teams is how players of one team stand to each other. Teams are the numbers 1 to
// 255; who is of team 0 has no mates.
type Teams struct {
	// FreeForAll makes everyone everyone's enemy, whatever the teams.
	FreeForAll bool
	// Shield is the percentage of a blow that a mate is spared, 0 to 100: 0 is friendly
	// fire in full.
	Shield int32
}

// Teams returns how mates stand to each other now.
func (s *Sim) Teams() Teams { return s.teams }

// SetTeams changes it from the next tick on.
func (s *Sim) SetTeams(t Teams) {
	t.Shield = min(max(t.Shield, 0), 100)
	s.teams = t
}

// Side returns a player's team as it counts now: 0 in a free-for-all, and of who is
// not present.
func (s *Sim) Side(id state.ID) uint8 {
	if s.teams.FreeForAll || !s.Present(id) {
		return 0
	}
	return s.bodies[id].p.Team
}

// Mates reports whether two different players are of one side.
func (s *Sim) Mates(a, b state.ID) bool {
	side := s.Side(a)
	return a != b && side != 0 && side == s.Side(b)
}

// shielded takes out of a blow what its target is spared for being a mate; false when
// nothing is left.
func (s *Sim) shielded(b *blow) bool {
	if s.teams.Shield == 0 || b.certain || !s.Mates(b.target, b.by) {
		return true
	}
	b.amount = float32(float32(b.amount*float32(100-s.teams.Shield)) / 100)
	return vec.Floor(b.amount+0.5) > 0
}

// Mark lets a mark of a player be known, between two ticks.
func (s *Sim) Mark(e state.Event) { s.emit(e) }

// LookOn notes that a player asks to look on, or to play again. Rules are told by its
// flag and bring it in or take it out.
func (s *Sim) LookOn(id state.ID, on bool) {
	if !s.Present(id) {
		return
	}
	p := &s.bodies[id].p
	if on != (p.Flags&state.Bystander != 0) {
		p.Flags ^= state.Bystander
		p.Forced++
	}
}
