package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/net/link"
)

// A short match is measured: the figures are there, agree with each other, and the
// same when it is run again, but for the times.
func TestBenchMeasuresAMatch(t *testing.T) {
	run := func(clock bool) scenario.Figures {
		cfg := config(maps{}, "pit", 6)
		cfg.Seconds = 4
		bad := link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02}
		cfg.Up, cfg.Down = bad, bad
		b := scenario.BenchConfig{Config: cfg, Policy: "deaddrop", Warm: 2}
		if clock {
			at := time.Unix(0, 0)
			b.Now = func() time.Time { at = at.Add(time.Millisecond); return at }
		}
		f, err := scenario.Bench(b)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := run(true)
	t.Logf("%+v", f)
	switch {
	case f.TickCPU == nil || f.TickCPU.P50 != 12 || f.StageMS["encode"] != 1 || *f.RelevanceP50 != 4:
		t.Errorf("times: %+v, %v", f.TickCPU, f.StageMS)
	case f.Commands < 6*4*60 || f.PredictionErrors != 0 || f.Dropped != 0:
		t.Errorf("%d commands, %d prediction errors, %d dropped", f.Commands, f.PredictionErrors, f.Dropped)
	case f.WireKbps.Down <= f.PayloadKbps.Down || f.WireKbps.Up <= f.PayloadKbps.Up || f.PayloadKbps.Down <= 0:
		t.Errorf("wire %+v, payload %+v", f.WireKbps, f.PayloadKbps)
	case f.Known <= 0 || f.Known > f.Candidates || f.Candidates > 5 || f.Rays <= 0:
		t.Errorf("known %g of %g candidates, %g rays", f.Known, f.Candidates, f.Rays)
	case f.HitAgreement == nil || *f.HitAgreement < 0.9:
		t.Errorf("%d shown hits, of which the server disagrees with too many: %v", f.ShownHits, f.HitsLost)
	case f.Peek == nil || f.Peek.Measured < 80 || f.Peek.Measured < f.Peek.Formula-25 || f.Peek.Measured > f.Peek.Formula+25:
		t.Errorf("peeker's advantage: %+v", f.Peek)
	case f.ExcessLate == nil || f.Preload == nil || f.HiddenKnown == nil || *f.ExcessShare > 0.05 || *f.HiddenKnown > 0.6:
		t.Errorf("excess late %v, preload %+v, hidden known %v", f.ExcessLate, f.Preload, f.HiddenKnown)
	case f.NaiveKbps < f.WireKbps.Down:
		t.Errorf("a plain encoder takes %g kbps, less than %g", f.NaiveKbps, f.WireKbps.Down)
	case f.PositionP99Near == nil || *f.PositionP99Near > 10 || f.Shots == 0:
		t.Errorf("positions p99 %v: %v; %d shots", *f.PositionP99Near, f.Positions, f.Shots)
	}
	causes := 0
	for _, n := range f.LateCauses {
		causes += n
	}
	if f.ExcessLate != nil && causes != *f.ExcessLate {
		t.Errorf("%d frames lack somebody, %d of them for a reason: %v", *f.ExcessLate, causes, f.LateCauses)
	}
	for _, c := range []struct {
		split map[string]float64
		kbps  float64
	}{{f.Categories.Down, f.WireKbps.Down}, {f.Categories.Up, f.WireKbps.Up}} {
		sum := 0.0
		for name, v := range c.split {
			if sum += v; v < 0 && name != "rounding" {
				t.Errorf("%g bytes of %s", v, name)
			}
		}
		if wire := c.kbps * 1000 / 8; sum < wire*0.999 || sum > wire*1.001 {
			t.Errorf("categories add up to %g bytes, the wire carried %g", sum, wire)
		}
	}
	g := run(false)
	if g.TickCPU != nil || g.StageMS != nil {
		t.Error("times without a clock")
	}
	if g.WireKbps != f.WireKbps || g.Shots != f.Shots || g.Known != f.Known || *g.PositionP99Near != *f.PositionP99Near || *g.ExcessLate != *f.ExcessLate || *g.Preload != *f.Preload {
		t.Errorf("the same match gave other figures:\n%+v\n%+v", f, g)
	}
}

func TestBenchSaysWhatItNeeds(t *testing.T) {
	cfg := config(maps{}, "pit", 0)
	if _, err := scenario.Bench(scenario.BenchConfig{Config: cfg}); err == nil || !strings.Contains(err.Error(), "needs players") {
		t.Error(err)
	}
	cfg = config(maps{}, "pit", 2)
	cfg.Up.Loss = 1
	if _, err := scenario.Bench(scenario.BenchConfig{Config: cfg, JoinSeconds: 1}); err == nil || !strings.Contains(err.Error(), "0 of 2 bots have joined") {
		t.Error(err)
	}
}
