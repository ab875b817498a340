package server

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
)

// What rules want and cannot have is named in the log, with the reason, and not more often
// than an operator wants to read; the rest of what they want is done.
func TestBadOperationsAreNamed(t *testing.T) {
	st := newStage(t, nil)
	_, c := st.seat("Ada")
	st.run(2)
	for range 3 * 64 {
		st.rules.ops = append(st.rules.ops,
			rules.Op{Kind: rules.OpScore, ID: c.id, Value: 7}, rules.Op{Kind: rules.OpSpawn, ID: 200, Value: 100})
		st.run(1)
	}
	log := st.log.String()
	if n := strings.Count(log, "what cannot be done"); n != 1 {
		t.Errorf("said %d times in 3 s:\n%s", n, log)
	}
	if !strings.Contains(log, `operation="spawn 200 values 100 0 0" why="there is no such player, or thing" left_out=1`) {
		t.Errorf("%s", log)
	}
	if st.s.Scores()[0].Kills != 7 {
		t.Error("what was good is not done")
	}
	for range 8 * 64 {
		st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpGive, ID: c.id, Weapon: 99})
		st.run(1)
	}
	if log := st.log.String(); strings.Count(log, "what cannot be done") != 2 || !strings.Contains(log, "operation=\"give 1 weapon 99\"") {
		t.Errorf("%s", log)
	}
	for b := range sim.NumBad {
		if w := b.Why(); w == "" || w == "unknown" {
			t.Errorf("%v has no sentence", b)
		}
	}
}
