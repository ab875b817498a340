package vis_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// Ids of things go round in the whole world: when a thing comes into view and when it
// goes must not depend on its id, or it tells how many others there have been.
func TestTheIdOfAThingDoesNotDecideWhenItIsSeen(t *testing.T) {
	for _, spec := range []vis.Spec{deaddrop.Spec(), reach.Spec(), screen.Spec(), netoptimize.Spec()} {
		var first []int
		for id := state.FirstThing; id < state.FirstThing+24; id++ {
			set, err := spec.Schema.Check(nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := spec.New(vis.Env{World: hall(t), TickRate: 64, Settings: set})
			if err != nil {
				t.Fatal(err)
			}
			decider := vis.Inline(p)
			var turns []int // ticks in which it comes or goes
			was := false
			for tick := range 600 {
				s := newScene()
				s.in.Reset(state.Tick(100+tick), 64)
				y, vy := float32(tick%200)*0.12-8, float32(0.12*64)
				v := s.player(1, 0, -18, y)
				s.in.Subjects[v].Vel = vec.New(0, vy, 0)
				at := vec.New(19, 12, 0.2)
				i := s.subject(vis.Subject{ID: id, Kind: state.KindPickup, Alive: true, Pos: at, Eye: at, Chest: at,
					Box: vec.Box{Min: at.Sub(vec.New(0.3, 0.3, 0.2)), Max: at.Add(vec.New(0.3, 0.3, 0.3))}})
				vis.Candidates(&s.in, vis.DefaultRange)
				decider.Submit(&s.in)
				if now := decider.Collect().Permitted(v, i); now != was {
					turns, was = append(turns, tick), now
				}
			}
			if first == nil {
				first = turns
				if len(turns) < 4 && spec.Name != "netoptimize" {
					t.Fatalf("%s: it comes and goes in %v: nothing is tested", spec.Name, turns)
				}
			}
			if !slices.Equal(turns, first) {
				t.Errorf("%s: thing %d comes and goes in %v, thing %d in %v", spec.Name, id, turns, state.FirstThing, first)
			}
		}
	}
}
