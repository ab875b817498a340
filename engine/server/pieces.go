package server

import (
	"github.com/sightline-engine/sightline/game/rules"
)

// Piece breaks or mends breakable piece i of the level, every one when i is -1, from
// the next tick on. It reports whether there is such a piece. Use it from Do.
func (s *Server) Piece(i int, broken bool) bool {
	op := rules.Op{Kind: rules.OpPiece, Value: int32(i)}
	if broken {
		op.Value2 = 1
	}
	return s.match.sim.Apply([]rules.Op{op}) == 0
}
