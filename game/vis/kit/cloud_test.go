package kit_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/kit"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

const hz = 64

// hall is a floor with a wall of a size across x = 0.
func hall(t *testing.T, lo, hi vec.V3) *trace.World {
	t.Helper()
	b := level.NewBuilder("hall")
	for _, x := range []vec.Box{{Min: vec.V3{X: -40, Y: -40, Z: -1}, Max: vec.V3{X: 40, Y: 40}}, {Min: lo, Max: hi}} {
		if err := b.AddBox(0, x, level.Solid, "t"); err != nil {
			t.Fatal(err)
		}
	}
	return trace.New(b.Build())
}

// stand is a player at a place.
func stand(id state.ID, at vec.V3) vis.Subject {
	up := func(z float32) vec.V3 { return at.Add(vec.V3{Z: z}) }
	return vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true, Pos: at, Eye: up(1.7), Chest: up(1.2),
		Box: vec.Box{Min: at.Sub(vec.V3{X: 0.45, Y: 0.45}), Max: at.Add(vec.V3{X: 0.45, Y: 0.45, Z: 1.75})}}
}

// A cloud of which only one side stands out from behind a wall is found by the lines to
// its rim, whichever side it is, and one that is all behind it is not. All of them end
// in the ball.
func TestTheRimOfACloudIsLookedFor(t *testing.T) {
	const r = 4
	sm := state.Smoke{ID: state.FirstThing, Pos: vec.V3{X: 6, Z: 4.2}, Radius: r * 256, Start: 1}
	cloud := vis.BallOf(&sm, 1+scenery.GrowMS*hz/1000+1, hz)
	if w := cloud.Box.Max.X - cloud.Box.Min.X; w < 2*r-0.01 {
		t.Fatalf("the cloud is %v m wide", w)
	}
	eye := stand(1, vec.V3{X: -14})
	// Seen from 14 m before the wall the cloud's rim, 6 m behind it, is 2.8 m out at the
	// wall, and 0.5 m of that is left open.
	open, shut := float32(2.3), float32(12)
	for _, c := range []struct {
		name        string
		left, right float32 // of the wall
		top         float32
		seen        bool
	}{
		{"all", -shut, shut, 12, false},
		{"left", -shut, open, 12, true},
		{"right", -open, shut, 12, true},
		{"above", -shut, shut, 1.7 + (4.2+r-1.7)*14/20 - 0.8, true},
	} {
		w := hall(t, vec.V3{X: -0.05, Y: c.left}, vec.V3{X: 0.05, Y: c.right, Z: c.top})
		sight := vis.NewSight(w, hz)
		var l kit.Bodies
		l.Between(&eye, &cloud, eye.Eye, cloud.Eye, eye.Eye, cloud.Eye, true)
		seen := false
		for _, line := range l.Line[:l.N] {
			if line.Reason == vis.Hidden {
				continue
			}
			if d := line.B.Dist(sm.Pos); d > r {
				t.Fatalf("%s: a line ends %v m from the middle", c.name, d)
			}
			seen = seen || sight.Bare().ClearTo(line.A, line.B)
		}
		if seen != c.seen {
			t.Errorf("%s: seen %v", c.name, seen)
		}
		// The same whoever is named first.
		var back kit.Bodies
		back.Between(&cloud, &eye, cloud.Eye, eye.Eye, cloud.Eye, eye.Eye, true)
		if back != l {
			t.Errorf("%s: other lines when the cloud is named first", c.name)
		}
	}
}

// Somebody blinded is told of nobody new by sight, is told of whom it knew until the
// hold is over, and of both again in time for the picture to come back; with the setting
// off it is told all along. The other way round nothing changes.
func TestTheBlindedAreToldOfNobodyNew(t *testing.T) {
	for _, p := range []struct {
		spec vis.Spec
		make func(vis.Env) (vis.Policy, error)
	}{{deaddrop.Spec(), deaddrop.New}, {reach.Spec(), reach.New}, {screen.Spec(), screen.New}} {
		for _, blind := range []float64{1, 0} {
			set, err := p.spec.Schema.Check(vis.Settings{"blind": blind})
			if err != nil {
				t.Fatal(err)
			}
			w := hall(t, vec.V3{X: -0.1, Y: -39}, vec.V3{X: 0.1, Y: 0, Z: 9})
			pol, err := p.make(vis.Env{World: w, TickRate: hz, Settings: set})
			if err != nil {
				t.Fatal(err)
			}
			dec := vis.Inline(pol)
			var in vis.Input
			in.Reset(1, hz)
			in.Subjects = []vis.Subject{stand(1, vec.V3{X: -12, Y: -14}), stand(2, vec.V3{X: 12, Y: -14}), stand(3, vec.V3{X: -12, Y: -20})}
			in.Viewers = []vis.Viewer{{Subject: 0, ID: 1, RTTms: 60}, {Subject: 1, ID: 2, RTTms: 60}, {Subject: 2, ID: 3, RTTms: 60}}
			var ans *vis.Answer
			run := func(ticks int) {
				for range ticks {
					in.Tick++
					vis.Candidates(&in, vis.DefaultRange)
					dec.Submit(&in)
					ans = dec.Collect()
					vis.Gate(&in, ans)
				}
			}
			says := func(when string, to, of int, want bool) {
				t.Helper()
				if ans.Permitted(to, of) != want {
					t.Errorf("%s, blind %v: %s: %d is told of %d: %v", p.spec.Name, blind, when, to+1, of+1, !want)
				}
			}
			run(20)
			says("at first", 0, 1, false)
			says("at first", 0, 2, true)
			in.Subjects[1] = stand(2, vec.V3{X: 12, Y: 14})
			in.Subjects[0] = stand(1, vec.V3{X: -12, Y: 14})
			in.Subjects[0].Blind = 1000
			run(3)
			says("blinded", 0, 1, blind == 0)
			says("blinded", 1, 0, true)
			says("blinded, in the hold", 0, 2, true)
			run(5 * hz)
			says("long blinded", 0, 1, blind == 0)
			says("long blinded", 0, 2, blind == 0)
			says("long blinded", 2, 0, true)
			in.Subjects[0].Blind = 2
			run(20)
			says("when it sees again", 0, 1, true)
			says("when it sees again", 0, 2, true)
		}
	}
}
