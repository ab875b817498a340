package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// A subject is sent less finely with distance, and the class does not change to and
// fro at its border.
func TestDetailFollowsDistance(t *testing.T) {
	var f vis.Frame
	var in vis.Input
	var ans vis.Answer
	var v vis.View
	tick := state.Tick(1)
	see := func(metres float32, aiming bool) state.Detail {
		tick++
		in.Reset(tick, 64)
		f.Reset(tick)
		at := vec.V3{X: metres}
		f.Own = append(f.Own, vis.Own{ID: 1})
		f.Entities = append(f.Entities, state.Entity{ID: 1}, state.Entity{ID: 2, Pos: state.Quant(at)})
		in.Subjects = append(in.Subjects,
			vis.Subject{ID: 1, Kind: state.KindPlayer, Alive: true, Aiming: aiming},
			vis.Subject{ID: 2, Kind: state.KindPlayer, Alive: true, Pos: at, Eye: at, Chest: at})
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: 0, ID: 1})
		in.SizeAsked()
		ans.Reset(&in)
		ans.Allow(0, 1, vis.Open, tick, 0)
		vis.Build(&f, &in, &ans, 0, &v)
		return v.Entities()[0].Detail
	}
	for _, c := range []struct {
		metres float32
		aiming bool
		want   state.Detail
	}{
		{3, false, state.Near}, {11.9, false, state.Near}, {12.1, false, state.Mid}, {11.9, false, state.Mid}, {10, false, state.Near},
		{49, false, state.Mid}, {51, false, state.Far}, {49, false, state.Far}, {51, true, state.Mid}, {20, true, state.Near}, {900, true, state.Far},
		{44, false, state.Mid}, {900, false, state.Far}, {1, false, state.Near},
	} {
		if d := see(c.metres, c.aiming); d != c.want {
			t.Errorf("%v m, aiming %v: detail %d, want %d", c.metres, c.aiming, d, c.want)
		}
	}
}
