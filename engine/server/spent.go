package server

import "github.com/sightline-engine/sightline/net/snapshot"

// Spent sums up what the snapshots of the present clients took, by what it was
// for.
func (s *Server) Spent() snapshot.Bits {
	var sum snapshot.Bits
	for _, c := range s.conns {
		if c != nil && c.enc != nil {
			sum.Add(c.enc.Spent())
		}
	}
	return sum
}
