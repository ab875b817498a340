package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level/gen"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Bots on a level with long ways take the vehicles that stand about, drive them along
// their way and get out again where they have come to or are stuck, over a bad line
// without a single prediction error; who finds the wheel taken is a passenger or waits.
func TestBotsDrive(t *testing.T) {
	t.Logf("seed %d", *seed)
	l, err := gen.Countryside(gen.Config{Seed: *seed, Towns: 2, SpawnTowns: 2, Trees: 400, Vehicles: 8})
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(maps{"countryside": client.Loaded{Level: l, World: trace.New(l)}}, "countryside", 10)
	cfg.Seconds, cfg.Patience = 50, 1
	start := cfg.Start
	cfg.Start = func(ref string) (m *server.Match, err error) {
		if m, err = start(ref); err == nil {
			m.Rules = scenario.Deathless(m.Rules)
		}
		return m, err
	}
	type trip struct {
		in   bool
		from vec.V3
	}
	trips := make([]trip, cfg.Bots+1)
	ticks, gotIn, gotOut, far := 0, 0, 0, float32(0)
	cfg.Each = func(m *scenario.Match) {
		for _, id := range m.Server.World().IDs() {
			p, tr := m.Server.World().Player(id), &trips[id]
			drives := p.Vehicle != 0 && p.Seat == 0
			switch {
			case drives && !tr.in:
				gotIn++
				tr.from = p.Pos
			case !drives && tr.in:
				gotOut++
			}
			if tr.in = drives; drives {
				far = max(far, tr.from.Dist(p.Pos))
				if p.Car.Vel.Len() > 2 {
					ticks++
				}
			}
		}
	}
	r, err := scenario.Run(cfg)
	if err != nil || r.Check != nil {
		t.Fatal(err, r.Check)
	}
	t.Logf("%d got in, %d out; %.0f s at the wheel, the longest way %.0f m; %d corrections", gotIn, gotOut, float32(ticks)/rate, far, r.Corrections)
	if gotIn < 3 || gotOut < 1 || ticks < 10*rate || far < 100 {
		t.Errorf("%d got in, %d out, %.0f s at the wheel, the longest way %.0f m: bots do not drive", gotIn, gotOut, float32(ticks)/rate, far)
	}
	if r.Errors > 0 || r.Mismatches > 0 {
		t.Errorf("%d prediction errors, the worst %.3f m, %d wrong hashes", r.Errors, r.WorstError, r.Mismatches)
	}
}
