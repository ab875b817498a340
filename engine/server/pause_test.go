package server

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// A match whose rules do not run stands still: nobody moves or is hurt, the clock of
// the phase stops, players are told, and whoever joins, leaves or types meanwhile the
// rules are told of afterwards, in ticks that follow on those before.
func TestAMatchWithoutRulesStandsStill(t *testing.T) {
	halted := false
	st := newStage(t, nil)
	st.s.match.Halted = func() bool { return halted }
	g := st.join("one")
	st.run(40)
	st.rules.ops = []rules.Op{
		{Kind: rules.OpPhase, Value: rules.Live, Value2: 5000},
		{Kind: rules.OpSpawn, ID: g.wel.ID, Pos: st.level.Spawns[0].Pos, Value: 100},
	}
	st.run(5)
	m := st.s.match
	p := m.sim.Player(g.wel.ID)
	if !p.Alive() || m.phaseEnd != 5000 {
		t.Fatalf("not in play: %+v, phase ends at %d", p, m.phaseEnd)
	}
	before := st.rules.last
	halted = true
	st.run(1)
	if p.Flags&still != still {
		t.Errorf("flags %b", p.Flags)
	}
	m.sim.Apply([]rules.Op{{Kind: rules.OpDamage, ID: g.wel.ID, Value: 50}})
	late := st.join("two")
	st.run(199)
	if p.Health != 100 {
		t.Errorf("hurt while the match stands still: %d", p.Health)
	}
	if m.phaseEnd != 5200 || m.pause.lag != 200 {
		t.Errorf("the phase ends at %d, the match stood still for %d ticks", m.phaseEnd, m.pause.lag)
	}
	if st.rules.last != before || len(st.rules.joined) != 1 {
		t.Errorf("rules were told of tick %d, %d and %v", before, st.rules.last, st.rules.joined)
	}
	halted = false
	st.run(1)
	if p.Flags&still != 0 || m.sim.Player(late.wel.ID).Flags&still != 0 {
		t.Errorf("flags %b and %b afterwards", p.Flags, m.sim.Player(late.wel.ID).Flags)
	}
	if st.rules.last != before+1 || len(st.rules.joined) != 2 {
		t.Errorf("rules were told of tick %d, then %d; %v", before, st.rules.last, st.rules.joined)
	}
	st.rules.ops = []rules.Op{{Kind: rules.OpPhase, Value: rules.Over, Value2: 6000}}
	st.run(5)
	if m.phaseEnd != 6200 {
		t.Errorf("a phase until tick 6000 of the rules ends at %d", m.phaseEnd)
	}
	said, ends := "", map[state.Tick]bool{}
	for _, msg := range g.got {
		switch msg := msg.(type) {
		case *wire.Announce:
			said += msg.Text + " "
		case *wire.Phase:
			ends[msg.End] = true
		}
	}
	if !strings.Contains(said, "The match is paused") || !strings.Contains(said, "The match goes on.") || !ends[5200] || len(ends) < 4 {
		t.Errorf("the player is told %q, and ends %v", said, ends)
	}
	for _, want := range []string{"the match stands still", "the match goes on"} {
		if !strings.Contains(st.log.String(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
}
