package scenario_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/link"
)

// thinned is a policy whose permissions all have an interval.
type thinned struct {
	vis.Policy
	every uint8
}

func (p thinned) Decide(in *vis.Input, out *vis.Answer) {
	p.Policy.Decide(in, out)
	for i := range out.Interval {
		out.Interval[i] = p.every
	}
}

// Players that are updated ten times a second are drawn later, each where it was
// at its own instant. TestTargetsAreTestedWhereTheyAreDrawn is about shots at them.
func TestRarelyUpdatedPlayersAreDrawnWhereTheyWere(t *testing.T) {
	const every = 3
	m := maps{}
	cfg := config(m, "pit", 8)
	line := link.SimConfig{LatencyMS: 10, JitterMS: 1}
	cfg.Up, cfg.Down = line, line
	cfg.Start = func(ref string) (*server.Match, error) {
		match, err := m.start(ref)
		if err != nil {
			return nil, err
		}
		policy, err := newPolicy(match.World)
		match.Policy = vis.Inline(thinned{policy, every})
		return match, err
	}
	match, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer match.Close()
	var off []float64
	var shown []client.Shown
	late := 0
	want := (uint32(state.IntervalTicks(every, rate)) - uint32(state.PathGap(rate))) * 256
	for n := range 14 * rate {
		match.Step()
		w := match.Server.World()
		if n < 4*rate {
			continue
		}
		for _, b := range match.Crew.Bots() {
			tick, frac := b.Shown()
			if tick == 0 || !b.Own().Alive() {
				continue
			}
			shown = b.Others(shown[:0])
			for k := range shown {
				o := &shown[k]
				if o.Kind != state.KindPlayer || o.Pose&state.PoseDead != 0 {
					continue
				}
				if o.Late != want {
					continue
				}
				late++
				at, f := state.Earlier(tick, frac, o.Late)
				if truth, ok := w.History().At(o.ID, rewind.Time{Tick: at, Frac: f}); ok {
					off = append(off, float64(truth.Pos.Dist(o.At))*100)
				}
			}
		}
	}
	if len(off) < 2000 {
		t.Fatalf("%d samples, %d drawn late", len(off), late)
	}
	slices.Sort(off)
	p := func(f float64) float64 { return off[int(f*float64(len(off)-1))] }
	t.Logf("%d samples, cm: p50 %.2f, p90 %.2f, p99 %.2f", len(off), p(.5), p(.9), p(.99))
	if p(.9) > 8 {
		t.Errorf("p90 is %.1f cm", p(.9))
	}
}
