package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/net/link"
)

// A bot sees from where it stands, as somebody does who watches a screen: what its view
// lags behind after steps and corrections is caught up with within a tenth of a second.
func TestABotSeesFromWhereItStands(t *testing.T) {
	cfg := config(maps{}, "pit", 6)
	bad := link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02}
	cfg.Up, cfg.Down = bad, bad
	frames, off := 0, 0
	cfg.Frame = func(m *scenario.Match, _ int64) {
		for _, b := range m.Crew.Bots() {
			own := b.Own()
			if b.State() != client.Playing || !own.Alive() || own.Teleports == 0 || own.Vehicle != 0 {
				continue
			}
			frames++
			// Between two ticks lies no more than what is run in one.
			if at := pmove.Eye(own, &b.Tables().Movement); at.Dist(b.Eye()) > 0.3+own.Vel.Len()/rate {
				off++
			}
		}
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range 8 * rate {
		m.Step()
	}
	t.Logf("in %d of %d frames the view is more than 0.3 m from where it will be", off, frames)
	if frames < 6*6*rate*4 || off*50 > frames {
		t.Errorf("in %d of %d frames the view is elsewhere", off, frames)
	}
}
