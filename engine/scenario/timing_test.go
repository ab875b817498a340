package scenario_test

import (
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

func timed(t *testing.T, c scenario.TimingConfig) scenario.Timing {
	t.Helper()
	c.Crossings, c.Seed = 2, *seed
	r, err := scenario.MeasureTiming(c)
	if err != nil {
		t.Fatal(err)
	}
	show := func(v *float64) float64 {
		if v == nil {
			return -1
		}
		return *v
	}
	t.Logf("%s, viewer moves %v, %d Hz, %g ms, loss %g: W %.0f ms, preload %.0f ms, %.1f %% of the hidden known, %d of %d frames late",
		r.Policy, r.ByViewer, r.SnapshotHz, r.RTTms, r.Loss, show(r.W), show(r.Preload), r.HiddenKnown*100, r.Late, r.Visible)
	if r.Visible < 100 {
		t.Errorf("only %d frames had the target in sight", r.Visible)
	}
	return r
}

// Past a corner, with a whole server and whole clients: an honest screen under deaddrop,
// reach and screen is that of an unfiltered server, frame by frame, whoever moves,
// also with lost packets; screen tells later than the others when the target moves; and
// with the viewer's motion given, a reveal by the target's motion is not told ahead.
func TestTimingAtACorner(t *testing.T) {
	given := vis.Settings{"swerve": 0}
	for _, c := range []struct {
		viewer bool
		hz     int
		rtt    float64
		loss   float64
	}{{false, 64, 60, 0}, {true, 64, 150, 0}, {true, 20, 60, 0}, {false, 64, 150, 0.01}, {true, 64, 60, 0.01}} {
		row := func(spec vis.Spec, set vis.Settings) scenario.Timing {
			return timed(t, scenario.TimingConfig{Policy: spec, Settings: set, ByViewer: c.viewer, SnapshotHz: c.hz, RTTms: c.rtt, Loss: c.loss})
		}
		all, dead, far, exact := row(open.Spec(), nil), row(deaddrop.Spec(), nil), row(reach.Spec(), nil), row(screen.Spec(), nil)
		if all.Late != 0 || all.W != nil || all.HiddenKnown != 1 {
			t.Errorf("open: %+v: the method is wrong", all)
		}
		for _, r := range []scenario.Timing{dead, far, exact} {
			if r.Late != 0 {
				t.Errorf("%s: %d frames are late by %.0f ms", r.Policy, r.Late, r.Longest)
			}
			if r.W == nil || r.Preload == nil || r.HiddenKnown > 0.5 {
				t.Errorf("%s: %+v: the corner hides nobody", r.Policy, r)
			}
		}
		if *exact.W >= *far.W || *exact.Preload >= *far.Preload {
			t.Errorf("screen tells no later than reach: W %.0f and %.0f, preload %.0f and %.0f", *exact.W, *far.W, *exact.Preload, *far.Preload)
		}
		if !c.viewer && (*exact.W >= *dead.W || exact.HiddenKnown > dead.HiddenKnown+0.01) {
			t.Errorf("the target moves: screen tells no later than deaddrop: W %.0f and %.0f", *exact.W, *dead.W)
		}
		if !c.viewer && c.loss == 0 {
			if as := row(screen.Spec(), given); *as.W > 16 || as.Late != 0 {
				t.Errorf("with the viewer's motion given, W is %.0f ms and %d frames are late", *as.W, as.Late)
			}
		}
		if c.viewer {
			if r := row(netoptimize.Spec(), nil); r.Late == 0 {
				t.Error("netoptimize, which looks ahead for nobody who stands, is late in no frame: the test would not see one")
			}
		}
	}
}

// The same row comes out the same, and what cannot be measured is refused.
func TestTimingRepeats(t *testing.T) {
	c := scenario.TimingConfig{Policy: screen.Spec(), RTTms: 60, JitterMS: 4, Loss: 0.05}
	if a, b := timed(t, c), timed(t, c); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v, and again %+v", a, b)
	}
	for _, bad := range []scenario.TimingConfig{{Crossings: -1}, {RTTms: -1}, {FPS: 5}, {Crossings: 1 << 30}} {
		bad.Policy = open.Spec()
		if _, err := scenario.MeasureTiming(bad); err == nil {
			t.Errorf("%+v is measured", bad)
		}
	}
}
