package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Which doors a View holds is the same as if each had been measured: many doors and
// eyes at random, some of them just within the range and just beyond.
func TestDoorsInRangeAreThoseMeasuredOneByOne(t *testing.T) {
	r := vec.NewRand(7, 1)
	for round := range 40 {
		s := newScene()
		n := 1 + r.Intn(200)
		s.frame.Doors = make([]state.DoorState, n)
		for range n {
			at := vec.V3{X: 400 * (r.Float() - 0.5), Y: 400 * (r.Float() - 0.5), Z: 10 * r.Float()}
			s.frame.DoorAt = append(s.frame.DoorAt, vec.Box{Min: at, Max: at.Add(vec.V3{X: 6 * r.Float(), Y: 6 * r.Float(), Z: 3})})
		}
		s.frame.DoorRange = 20 + 100*r.Float()
		edge := &s.frame.DoorAt[0]
		for k := range 8 {
			x, y := 300*(r.Float()-0.5), 300*(r.Float()-0.5)
			if k < 2 { // at the very edge of one
				x, y = edge.Min.X-s.frame.DoorRange, edge.Min.Y
			}
			s.player(state.ID(k+1), 0, x, y)
		}
		s.decide(none)
		for v := range s.in.Viewers {
			s.ids(v)
			eye := s.in.Subjects[v].Eye
			var want []int
			for i := range s.frame.DoorAt {
				if !(s.frame.DoorAt[i].Dist(eye) > s.frame.DoorRange) {
					want = append(want, i)
				}
			}
			got := s.view.Doors()
			same := len(got) == len(want)
			for i := range got {
				same = same && got[i].Index == want[i]
			}
			if !same {
				t.Fatalf("round %d, eye %v, range %v: %d doors %+v, want %v", round, eye, s.frame.DoorRange, len(got), got, want)
			}
		}
	}
}
