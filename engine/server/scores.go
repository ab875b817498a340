package server

import (
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// Changed rows of the scoreboard are sent once in scoresMS, and a ping that is all
// that changed once in pingsMS: with a hundred players whole boards took more
// bytes than the snapshots.
const (
	scoresMS = 500
	pingsMS  = 8000
	pingStep = 5 // ms; a smaller change is none
)

// tellScores sends everybody the rows that have changed, when it is time.
func (s *Server) tellScores(now int64) {
	tick := s.match.sim.Tick()
	due := func(ms int) bool { return tick%state.Tick(ms*s.cfg.TickRate/1000) == 0 }
	if !due(scoresMS) {
		return
	}
	pings := due(pingsMS)
	rows := s.rows[:0]
	for _, c := range s.conns {
		if c == nil || s.match.scores[c.id] == nil {
			continue
		}
		row, told := s.row(c), s.match.told[c.id]
		if d := int(row.Ping) - int(told.Ping); !pings || -pingStep < d && d < pingStep {
			row.Ping = told.Ping
		}
		if row != told {
			s.match.told[c.id] = row
			rows = append(rows, row)
		}
	}
	s.rows = rows
	if len(rows) == 0 {
		return
	}
	s.board()
	for part := range slices.Chunk(rows, wire.MaxScores) {
		s.tellAll(&wire.Scores{Rows: part}, now)
	}
}

// tellBoard sends one client the whole board.
func (s *Server) tellBoard(c *conn, now int64) {
	rows := s.rows[:0]
	for _, o := range s.conns {
		if o != nil && s.match.scores[o.id] != nil {
			rows = append(rows, s.row(o))
		}
	}
	s.rows = rows
	for part := range slices.Chunk(rows, wire.MaxScores) {
		s.tell(c, &wire.Scores{Rows: part}, now)
	}
}

// row returns a player's row as of now, without the name, which Player tells.
func (s *Server) row(c *conn) state.Score {
	r := *s.match.scores[c.id]
	r.Name, r.Team = "", s.team(c.id)
	r.Ping = uint16(min(c.rttNS/1e6, 9999))
	return r
}

// board reports the board to the hook.
func (s *Server) board() {
	if h := s.cfg.Hooks.Scores; h != nil {
		h(s.Scores())
	}
}

// Scores returns the board, best first, with names.
func (s *Server) Scores() []state.Score {
	rows := make([]state.Score, 0, len(s.match.scores))
	for _, r := range s.match.scores {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, state.CompareScores)
	return rows
}
