package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
)

// TestScopedMatchHasNoPredictionErrors: everybody carries an optic, looks through it and
// leaves it again over bad links, and no client predicts its raise, its speed or its
// spread otherwise than the server. Run twice it is the same match.
func TestScopedMatchHasNoPredictionErrors(t *testing.T) {
	run := func() (scenario.Report, int, int, uint64) {
		m := maps{}
		cfg := config(m, "corner", 8)
		cfg.Seconds, cfg.Patience = 12, 1 // who leaves a fight looks around through the optic
		cfg.Start = func(ref string) (*server.Match, error) {
			out, err := m.start(ref)
			if err != nil {
				return nil, err
			}
			r := duel.Spec().New()
			match := &rules.Match{
				Level: ref, LevelHash: out.Level.Hash, Seed: *seed, TickRate: rate, Tables: tables.Arena(),
				Settings: map[string]string{"scoped_pct": "100"},
			}
			for _, s := range out.Level.Spawns {
				match.Spawns = append(match.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw})
			}
			out.Rules = rules.Inline(r)
			return out, r.Start(match)
		}
		up, scoped, sum := 0, 0, uint64(14695981039346656037)
		cfg.Hooks.Decided = func(in *vis.Input, ans *vis.Answer) {
			for i := range in.Viewers {
				if in.Viewers[i].Scope.Asks(in.Tick) {
					scoped++
				}
			}
			for _, w := range ans.Permit {
				sum = (sum ^ w) * 1099511628211
			}
		}
		cfg.Each = func(m *scenario.Match) {
			w := m.Server.World()
			for _, id := range w.IDs() {
				if w.Player(id).Raise == 255 {
					up++
				}
			}
		}
		r, err := scenario.Run(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return r, up, scoped, sum
	}
	r, up, scoped, sum := run()
	t.Logf("seed %d: %v; %d ticks with a raised optic, %d asking", *seed, r, up, scoped)
	if r.Errors != 0 || r.Mismatches != 0 || r.Check != nil {
		t.Errorf("%d prediction errors, %d wrong hashes, check %v", r.Errors, r.Mismatches, r.Check)
	}
	if up < 100 || scoped < up {
		t.Errorf("an optic was at the eye in %d ticks, and asked for in %d", up, scoped)
	}
	if _, up2, scoped2, sum2 := run(); up2 != up || scoped2 != scoped || sum2 != sum {
		t.Errorf("run again: %d and %d ticks, answers %x; before %d, %d, %x", up2, scoped2, sum2, up, scoped, sum)
	}
}
