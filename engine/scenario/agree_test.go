package scenario_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/link"
)

// changing is a policy whose intervals change all the time, pair by pair.
type changing struct{ vis.Policy }

func (p changing) Decide(in *vis.Input, out *vis.Answer) {
	p.Policy.Decide(in, out)
	for i := range out.Interval {
		out.Interval[i] = [...]uint8{0, 2, 3}[(int(in.Tick)/48+i)%3]
	}
}

// Where the server tests a shot at somebody is where its shooter's client drew that
// player, whatever was lost, and while intervals change.
func TestTargetsAreTestedWhereTheyAreDrawn(t *testing.T) {
	m := maps{}
	for _, c := range []struct {
		name    string
		line    link.SimConfig
		changes bool
	}{
		{"clean line", link.SimConfig{LatencyMS: 10}, false},
		{"clean line, intervals change", link.SimConfig{LatencyMS: 10}, true},
		{"bad line", link.SimConfig{LatencyMS: 20, JitterMS: 5, Loss: 0.02, Dup: 0.01, Reorder: 0.01}, false},
		{"bad line, intervals change", link.SimConfig{LatencyMS: 10, JitterMS: 5, Loss: 0.02, Dup: 0.01, Reorder: 0.01}, true},
	} {
		cfg := config(m, "pit", 8)
		cfg.Up, cfg.Down = c.line, c.line
		if c.changes {
			cfg.Start = func(ref string) (*server.Match, error) {
				match, err := m.start(ref)
				if err != nil {
					return nil, err
				}
				policy, err := newPolicy(match.World)
				match.Policy = vis.Inline(changing{policy})
				return match, err
			}
		}
		match, err := scenario.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		type shot struct {
			by   state.ID
			tick state.Tick // of the command: a shot that was predicted wrongly is none
		}
		drawn := map[shot]map[state.ID]vec.V3{}
		var shown []client.Shown
		for _, b := range match.Crew.Bots() {
			b.Watch = func(e *state.Event, predicted bool) {
				if !predicted || e.Kind != state.EvFire {
					return
				}
				shown = b.Others(shown[:0])
				at := map[state.ID]vec.V3{}
				for i := range shown {
					if o := &shown[i]; o.Kind == state.KindPlayer && o.Pose&state.PoseDead == 0 {
						at[o.ID] = o.At
					}
				}
				drawn[shot{b.ID(), b.Commanded()}] = at
			}
		}
		var off []float64
		for range 12 * rate {
			match.Step()
			shots := match.Server.World().LastShots()
			for i := range shots {
				r := &shots[i]
				k := shot{r.Shooter, r.Tick}
				at, ok := drawn[k][r.Near]
				delete(drawn, k)
				if flies := tables.Arena().Weapons[r.Weapon].Projectile; ok && !flies && r.Near != 0 && !r.Capped && !r.Short {
					off = append(off, 100*float64(r.Pose.Pos.Dist(at)))
				}
			}
		}
		match.Close()
		if len(off) < 30 {
			t.Fatalf("%s: only %d shots near somebody", c.name, len(off))
		}
		slices.Sort(off)
		q := func(f float64) float64 { return off[int(f*float64(len(off)-1))] }
		t.Logf("%s: %d shots, cm: p50 %.3f, p90 %.3f, p99 %.2f, most %.1f", c.name, len(off), q(.5), q(.9), q(.99), q(1))
		if c.line.Loss == 0 && q(1) > 1 || q(.9) > 1 {
			t.Errorf("%s: p90 %.2f, p99 %.2f, up to %.1f cm", c.name, q(.9), q(.99), q(1))
		}
	}
}
