package client

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// TestScoresAreMerged: a board comes in parts and as changes, and is whole and in
// order all the same; who leaves is taken off.
func TestScoresAreMerged(t *testing.T) {
	c := &Client{players: map[state.ID]wire.Player{7: {ID: 7, Name: "seven"}}, hud: map[string]string{}}
	put := func(m wire.Message) { c.message(wire.Append(nil, m)) }
	var rows []state.Score
	for id := state.ID(1); id <= 100; id++ {
		rows = append(rows, state.Score{ID: id})
	}
	put(&wire.Scores{Rows: rows[:wire.MaxScores]})
	put(&wire.Scores{Rows: rows[wire.MaxScores:]})
	put(&wire.Scores{Rows: []state.Score{{ID: 7, Points: 3}, {ID: 90, Points: 5}}})
	got := c.Scores()
	if len(got) != 100 || got[0].ID != 90 || got[1].ID != 7 || got[1].Name != "seven" || got[2].ID != 1 {
		t.Fatalf("board of %d rows begins %+v", len(got), got[:min(3, len(got))])
	}
	put(&wire.Gone{ID: 90, Reason: "left"})
	if got = c.Scores(); len(got) != 99 || got[0].ID != 7 {
		t.Fatalf("after one left: %d rows, first %d", len(got), got[0].ID)
	}
}
