package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Vehicles are told of by distance alone: no policy is asked, none can hide or add
// one, and who has no living body is told of none.
func TestVehiclesByDistanceAlone(t *testing.T) {
	for _, c := range []struct {
		name  string
		far   float32
		alive bool
		want  bool
		every uint8
	}{
		{"near", 10, true, true, 0}, {"mid", 100, true, true, 3}, {"far", 290, true, true, 8},
		{"beyond", 301, true, false, 0}, {"dead viewer", 10, false, false, 0},
	} {
		var in vis.Input
		in.Reset(5, 64)
		in.VehicleRange = 300
		in.Subjects = append(in.Subjects,
			vis.Subject{ID: 1, Kind: state.KindPlayer, Alive: c.alive},
			vis.Subject{ID: state.FirstThing + 9, Kind: state.KindVehicle, Alive: true, Pos: vec.New(c.far, 0, 0)},
			vis.Subject{ID: 2, Kind: state.KindPlayer, Alive: true, Pos: vec.New(c.far, 0, 0)})
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: 0, ID: 1})
		vis.Candidates(&in, 400)
		if in.IsAsked(0, 1) {
			t.Errorf("%s: a policy is asked about a vehicle", c.name)
		}
		for _, policy := range []bool{false, true} {
			var ans vis.Answer
			ans.Reset(&in)
			if policy {
				ans.Allow(0, 1, vis.Open, 5, 0)
			}
			vis.Gate(&in, &ans)
			if ans.Permitted(0, 1) != c.want || c.want && (ans.Reason[1] != vis.Distance || ans.Interval[1] != c.every) {
				t.Errorf("%s, policy %v: %v for %v every %d", c.name, policy, ans.Permitted(0, 1), ans.Reason[1], ans.Interval[1])
			}
			if ans.Permitted(0, 2) {
				t.Errorf("%s: who sits in it is told of", c.name)
			}
		}
	}
}
