package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
)

// Where nobody is hurt all live through a match in which shots are exchanged, and
// rounds do not run out.
func TestDeathlessPlayersLiveOn(t *testing.T) {
	cfg := config(maps{}, "pit", 6)
	cfg.Seconds = 40
	start := cfg.Start
	cfg.Start = func(ref string) (*server.Match, error) {
		m, err := start(ref)
		if err == nil {
			m.Rules = scenario.Deathless(m.Rules)
		}
		return m, err
	}
	hurt, hits := 0, 0
	cfg.Hooks.Event = func(_ state.Tick, e *state.Event) {
		if e.Kind == state.EvHurt {
			hurt++
		}
	}
	cfg.Each = func(m *scenario.Match) {
		for _, s := range m.Server.World().LastShots() {
			if s.Target != 0 {
				hits++
			}
		}
	}
	r, err := scenario.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v: %d hits", r, hits)
	if r.Kills != 0 || hurt > 0 || hits < 20 || r.Errors > 0 {
		t.Errorf("%d kills, %d hurt, %d hits, %d prediction errors", r.Kills, hurt, hits, r.Errors)
	}
}
