package scenario_test

import (
	"flag"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/net/link"
)

var predictSeconds = flag.Float64("predict-seconds", 8, "length of the matches whose predictions are counted; 600 is what make bench-predict takes")

// usual is one direction of the line that netcode is measured on: 80 ms round trip,
// jitter, 2 % loss, doubles, overtaking.
var usual = link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02, Dup: 0.01, Reorder: 0.01}

// Sixteen bots fight over the usual line: no prediction is wrong that nothing from
// outside explains, whatever was lost.
func TestPredictionHoldsOverTheUsualLine(t *testing.T) {
	for _, name := range []string{"pit", "corner"} {
		t.Run(name, func(t *testing.T) {
			cfg := config(maps{}, name, 16)
			cfg.Up, cfg.Down, cfg.Seconds = usual, usual, *predictSeconds
			if testing.Short() {
				cfg.Seconds = min(cfg.Seconds, 4)
			}
			r, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("seed %d, %g s: %v", *seed, cfg.Seconds, r)
			if err := judge(r, 16); err != nil {
				t.Error(err)
			}
			if r.Explained == 0 || r.Commands < int(14*rate*(cfg.Seconds-1)) {
				t.Errorf("%d corrections in %d commands: nothing was tried", r.Corrections, r.Commands)
			}
		})
	}
}
