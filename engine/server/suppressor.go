package server

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// Suppressor gives a player of that name a suppressor, or takes it away; "all" is
// everybody who plays. It stays through its lives. It reports whether there is such a
// player. Use it from Do.
func (s *Server) Suppressor(name string, on bool) bool {
	op, found := rules.Op{Kind: rules.OpSetFlags}, false
	if op.Flags2 = state.Suppressed; on {
		op.Flags, op.Flags2 = state.Suppressed, 0
	}
	for _, c := range s.conns {
		if c == nil || !c.joined || name != "all" && c.name != name {
			continue
		}
		op.ID = c.id
		found = s.match.sim.Apply([]rules.Op{op}) == 0 || found
	}
	return found
}
