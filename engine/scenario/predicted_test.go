package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/link"
)

// truths keeps each player's state of the last ticks.
type truths map[state.ID]*[256]state.Player

func (h truths) note(m *scenario.Match) {
	w := m.Server.World()
	for _, id := range w.IDs() {
		if h[id] == nil {
			h[id] = new([256]state.Player)
		}
		h[id][w.Tick()%256] = *w.Player(id)
	}
}

// right reports whether what a client takes for the server's state is.
func (h truths) right(c *client.Client) bool {
	tick, p := c.Settled()
	return h[c.ID()] == nil || h[c.ID()][tick%256] == *p
}

// The server leaves most of the own state to the client's prediction. What each
// client ends up with is the server's, bit for bit and in every tick: also while
// it is starved, hit, killed, and doors move.
func TestWhatIsLeftToThePredictionIsTheServersState(t *testing.T) {
	for _, name := range []string{"pit", "corner"} {
		for _, stalls := range []bool{false, true} {
			h, wrong, seen := truths{}, 0, 0
			cfg := config(maps{}, name, 8)
			cfg.Seconds = 10
			cfg.Each = func(m *scenario.Match) {
				h.note(m)
				for _, b := range m.Crew.Bots() {
					if b.State() == client.Playing && b.Stats().Snapshots > 0 {
						if seen++; !h.right(b.Client) {
							wrong++
						}
					}
				}
			}
			if stalls {
				cfg.Stalled = func(bot, tick int) bool { return tick%(200+17*bot) < 24 || tick%(1+bot) != 0 }
			}
			r, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r, r.Bits(rate))
			if wrong > 0 || seen < 4000 {
				t.Errorf("%s, stalls %v: %d of %d states are not the server's", name, stalls, wrong, seen)
			}
			if err := judge(r, 8); err != nil {
				t.Error(err)
			}
			if r.Spent.Predicted*2 < r.Spent.Packets {
				t.Errorf("only %d of %d packets left the own state to the client", r.Spent.Predicted, r.Spent.Packets)
			}
		}
	}
}

// A client whose prediction goes wrong by the least bit learns of it within 16
// packets and is put right, unless something from outside has done that already.
func TestAWrongPredictionIsFoundAndRepaired(t *testing.T) {
	cfg := config(maps{}, "pit", 1)
	cfg.Up, cfg.Down = link.SimConfig{LatencyMS: 30}, link.SimConfig{LatencyMS: 30}
	cfg.Pace.Hz = rate // so that packets are ticks
	const (
		delay = 9 // ticks from a command to the answer to it
		every = 81
		times = 20
	)
	h := truths{}
	began, found, mended := 0, 0, 0
	cfg.Each = func(m *scenario.Match) {
		h.note(m)
		b, tick := m.Crew.Bots()[0], m.Report.Ticks
		if tick >= 4*every && tick%every == 0 {
			began = tick
			b.Own().Ammo[1]++
		}
		if began == 0 {
			return
		}
		if n := b.Stats().Mismatches; n > mended {
			if mended = n; tick <= began+delay+16 {
				found++
			}
		}
		if !h.right(b.Client) && tick > began+delay+16+delay {
			t.Fatalf("changed in tick %d, wrong in tick %d", began, tick)
		}
	}
	cfg.Seconds = float64((4+times)*every) / rate
	r, err := scenario.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r)
	if found < times*3/4 {
		t.Errorf("of %d changes %d were found", times, found)
	}
}
