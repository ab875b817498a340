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

// Carried sums up what the packets to the present clients held beside snapshots, in
// bytes: acknowledgements, and segments of the reliable streams.
func (s *Server) Carried() (acks, segments int64) {
	for _, c := range s.conns {
		if c != nil {
			st := c.ch.Stats(s.lastNow)
			acks += int64(st.AcksOut)
			segments += int64(st.SegmentsOut)
		}
	}
	return acks, segments
}
