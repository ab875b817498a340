package kit_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// A cloud that comes through a wall by a little is in sight there, from wherever one
// stands before the wall, and is told of: it hides what is behind it, and whoever has it
// not would see neither. One that does not is told of to nobody.
func TestACloudThatComesThroughAWallIsToldOf(t *testing.T) {
	const r = 4
	for _, spec := range []vis.Spec{deaddrop.Spec(), reach.Spec(), screen.Spec()} {
		for _, out := range []float32{-0.1, 0.15, 0.6} { // metres before the wall, whose face is at x = -0.5
			sm := state.Smoke{ID: state.FirstThing, Pos: vec.New(r-0.5-out, 1, 1), Radius: r * 256, Start: 1}
			for y := float32(-12); y <= 12; y += 4 {
				set, err := spec.Schema.Check(nil)
				if err != nil {
					t.Fatal(err)
				}
				w := hall(t, vec.New(-0.5, -39, 0), vec.New(0.5, 39, 9))
				p, err := spec.New(vis.Env{World: w, TickRate: hz, Settings: set})
				if err != nil {
					t.Fatal(err)
				}
				dec := vis.Inline(p)
				var in vis.Input
				in.Reset(1+scenery.GrowMS*hz/1000+1, hz)
				var ans *vis.Answer
				for range 40 {
					in.Tick++
					in.Smokes = append(in.Smokes[:0], sm)
					in.Subjects = []vis.Subject{stand(1, vec.New(-7, y, 0)), vis.BallOf(&sm, in.Tick, hz)}
					in.Viewers = []vis.Viewer{{Subject: 0, ID: 1, RTTms: 60}}
					vis.Candidates(&in, vis.DefaultRange)
					dec.Submit(&in)
					ans = dec.Collect()
					vis.Gate(&in, ans)
				}
				if got := ans.Permitted(0, 1); got != (out > 0) {
					t.Errorf("%s: a cloud that comes %v m through the wall, seen from %v m aside: told of %v", spec.Name, out, y, got)
				}
			}
		}
	}
}
