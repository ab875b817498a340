package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/link"
)

// A View that one packet has no room for is told in several of the same tick, each
// of which counts for the client; and nothing of that is mispredicted.
func TestALargeViewIsToldInParts(t *testing.T) {
	m := maps{}
	cfg := config(m, "pit", 100)
	cfg.Up, cfg.Down = link.SimConfig{LatencyMS: 20, Loss: 0.02}, link.SimConfig{LatencyMS: 20, Loss: 0.02}
	cfg.Seconds = 3
	cfg.Start = func(ref string) (*server.Match, error) {
		match, err := m.start(ref)
		if err != nil {
			return nil, err
		}
		p, err := open.New(vis.Env{World: match.World, TickRate: rate})
		match.Policy = vis.Inline(p)
		return match, err
	}
	last := map[state.ID]state.Tick{}
	parts := 0
	cfg.Hooks.Sent = func(v *vis.View, bytes int) {
		if id := v.Own().ID; last[id] == v.Tick() {
			parts++
		} else {
			last[id] = v.Tick()
		}
	}
	most, dropped := 0, 0
	cfg.Each = func(m *scenario.Match) {
		dropped = 0
		for _, b := range m.Crew.Bots() {
			dropped += b.Stats().Dropped
		}
		if b := m.Crew.Bots()[0]; b.TickRate() > 0 {
			most = max(most, len(b.Others(nil)))
		}
	}
	r, err := scenario.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d more packets; %v", parts, r)
	if err := judge(r, 100); err != nil {
		t.Error(err)
	}
	if dropped > 0 { // nothing overtakes anything on these lines
		t.Errorf("clients took %d snapshots for old ones", dropped)
	}
	if parts == 0 || most < 99 {
		t.Errorf("%d more packets, at most %d others on a screen", parts, most)
	}
}
