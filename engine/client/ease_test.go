package client

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// A correction is spread over a tenth of a second in the view alone: a twentieth is
// left after it, whatever the frames are, and what is predicted does not know of it.
func TestCorrectionsAreSmoothedInTheViewOnly(t *testing.T) {
	for _, frames := range []int{1, 2, 6, 14, 100} {
		c := &Client{set: tables.Arena()}
		body := state.Player{Pos: vec.New(3, 4, 5), Ground: -1}
		c.pred.now = body
		c.pred.smooth = vec.New(0.5, 0, 0)
		at := c.Eye()
		for range frames {
			c.Ease(0.1 / float32(frames))
		}
		rest := c.Eye()
		c.pred.smooth = vec.V3{}
		there := c.Eye()
		if before, left := at.Dist(there), float64(rest.Dist(there)); before != 0.5 || math.Abs(left-0.5*math.Exp(-3)) > 1e-4 {
			t.Errorf("%d frames: %v of %v left", frames, left, before)
		}
		if c.pred.now != body {
			t.Errorf("%d frames: the prediction has changed", frames)
		}
		c.pred.smooth = vec.New(0.5, 0, 0)
		c.Ease(-5)
		if c.pred.smooth.X != 0.5 {
			t.Error("time went back, and the view with it")
		}
	}
}

// Corrections of less than a metre are smoothed and add up; beyond, and over a
// teleport, the view jumps.
func TestBeyondAMetreTheViewJumps(t *testing.T) {
	for _, c := range []struct {
		name      string
		was, off  vec.V3
		teleports uint8
		want      vec.V3
	}{
		{"small", vec.V3{}, vec.New(0.3, 0, 0), 0, vec.New(0.3, 0, 0)},
		{"on top of another", vec.New(0.2, 0.1, 0), vec.New(0.3, 0, 0), 0, vec.New(0.5, 0.1, 0)},
		{"too much together", vec.New(0.8, 0, 0), vec.New(0.3, 0, 0), 0, vec.V3{}},
		{"two metres", vec.New(0.1, 0, 0), vec.New(2, 0, 0), 0, vec.V3{}},
		{"teleport of a hand", vec.New(0.1, 0, 0), vec.New(0.1, 0, 0), 1, vec.V3{}},
	} {
		p := predictor{smooth: c.was}
		old := state.Player{Pos: c.off}
		p.now.Teleports = c.teleports
		p.corrected(&old)
		if p.smooth.Dist(c.want) > 1e-6 {
			t.Errorf("%s: the view lags by %v, want %v", c.name, p.smooth, c.want)
		}
	}
}
