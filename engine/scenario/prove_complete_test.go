package scenario_test

import (
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/net/link"
)

// onlook plays a match of bots under a policy and counts what they missed, at four
// frames for each tick.
func onlook(t *testing.T, spec vis.Spec, name string, bots int, seconds float64, line link.SimConfig) *scenario.Onlooker {
	t.Helper()
	return onlookWith(t, spec, name, bots, seconds, line, func(linked vis.Decider) vis.Decider { return linked })
}

// onlookWith does it with what is put in the place of the policy that is linked in.
func onlookWith(t *testing.T, spec vis.Spec, name string, bots int, seconds float64, line link.SimConfig, decider func(vis.Decider) vis.Decider) *scenario.Onlooker {
	t.Helper()
	got := maps{}
	cfg := config(got, name, bots)
	cfg.Up, cfg.Down = line, line
	start := cfg.Start
	cfg.Start = func(ref string) (*server.Match, error) {
		m, err := start(ref)
		if err != nil {
			return nil, err
		}
		set, err := spec.Schema.Check(nil)
		if err != nil {
			return nil, err
		}
		p, err := spec.New(vis.Env{World: m.World, TickRate: rate, Seed: *seed, Settings: set})
		m.Policy = decider(vis.Inline(p))
		return m, err
	}
	loaded, err := got.load(name)
	if err != nil {
		t.Fatal(err)
	}
	var o *scenario.Onlooker
	cfg.Truth = func(m *scenario.Match) { o.Tick(m.Server, m.Now) }
	cfg.Frame = func(m *scenario.Match, now int64) {
		for _, b := range m.Crew.Bots() {
			o.Frame(b.Client, now)
		}
	}
	set := tables.Arena()
	o = scenario.NewOnlooker(loaded.World, &set, rate)
	o.Range = vis.DefaultRange
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	const warm = 2 * rate // all join and the first reveals are over
	for k := range warm + int(seconds*rate) {
		o.On = k >= warm
		m.Step()
	}
	return o
}

// Whatever an honest client could have seen is on its screen in the frame in which an
// unfiltered server's would have it there, and what is not is counted.
func TestCompleteness(t *testing.T) {
	seconds, on := 2.5, []string{"pit"}
	if *proveWorlds >= 50 {
		seconds, on = 60, []string{"pit", "corner"}
	}
	for _, c := range []struct {
		spec vis.Spec
		most float64 // share of visible targets that may be missing; by measurement
	}{
		{open.Spec(), 0},
		{deaddrop.Spec(), 0.01},
		{reach.Spec(), 0.005},
		{screen.Spec(), 0.003},
		{netoptimize.Spec(), 1},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			for _, name := range on {
				o := onlook(t, c.spec, name, 8, seconds, link.SimConfig{LatencyMS: 30, JitterMS: 2, Loss: 0.01})
				mean := 0.0
				for _, v := range o.Preload {
					mean += v / float64(len(o.Preload))
				}
				t.Logf("%s: %s", name, fmt.Sprintf("%d frames, %d targets in sight, %d missing (%d of them more than a sliver, %d just after a spawn) in %d runs, longest %.1f ms; %d disclosures (%d never seen), preload %.0f ms on average; %.1f %% of the hidden known",
					o.Frames, o.Visible, o.Missing, o.Much, o.Before, o.Runs, o.LongestMS, len(o.Preload), o.Never, mean, 100*float64(o.Known)/float64(max(o.Hidden, 1))))
				if o.Visible < 1000 {
					t.Errorf("%s: only %d targets were in sight", name, o.Visible)
				}
				if float64(o.Missing) > c.most*float64(o.Visible) {
					t.Errorf("%s: %d of %d targets in sight are missing", name, o.Missing, o.Visible)
				}
			}
		})
	}
}
