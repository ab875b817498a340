package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Each frame that lacks somebody is put down to what the server could have known: two
// players on either side of the end of a wall, who stand here or there on the server, in
// the picture and by the viewer's own prediction.
func TestWhyAFrameLacksSomebody(t *testing.T) {
	b := level.NewBuilder("late")
	for _, x := range [][6]float32{{-200, -80, -1, 200, 80, 0}, {0, -70, 0, 0.5, 0, 8}} {
		if err := b.AddBox(0, vec.Box{Min: vec.New(x[0], x[1], x[2]), Max: vec.New(x[3], x[4], x[5])}, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	b.AddSpawn(vec.New(-8, -2, 0.1), 0, 0)
	l := b.Build()
	set := tables.Arena()
	hidden, seen := vec.New(-8, -6, 0), vec.New(-8, 6, 0) // of the viewer, whether it sees who stands at (8, -2)
	stands := vec.New(8, -2, 0)
	for _, c := range []struct {
		name                     string
		viewer, eye              vec.V3 // on the server, and by prediction
		target, shown            vec.V3 // on the server, and in the picture
		reason                   vis.Reason
		unasked, unlogged, fresh bool
		drawn                    bool
		want                     scenario.Cause
		none                     bool
	}{
		{name: "in sight near", viewer: seen, eye: seen, target: stands, shown: stands, want: scenario.CauseNear},
		{name: "in sight far", viewer: vec.New(-100, 6, 0), eye: vec.New(-100, 6, 0), target: vec.New(60, 6, 0), shown: vec.New(60, 6, 0), want: scenario.CauseFar},
		{name: "drawn", viewer: seen, eye: seen, target: stands, shown: stands, drawn: true, none: true},
		{name: "hidden", viewer: hidden, eye: hidden, target: stands, shown: stands, none: true},
		{name: "permitted", viewer: seen, eye: seen, target: stands, shown: stands, reason: vis.EyeEye, want: scenario.CauseOnWay},
		{name: "not asked", viewer: seen, eye: seen, target: stands, shown: stands, unasked: true, want: scenario.CauseUnasked},
		{name: "not logged", viewer: seen, eye: seen, target: stands, shown: stands, unlogged: true, want: scenario.CauseUnknown},
		{name: "just come", viewer: seen, eye: seen, target: stands, shown: stands, fresh: true, want: scenario.CauseSpawn},
		{name: "own motion", viewer: hidden, eye: seen, target: stands, shown: stands, want: scenario.CauseEye},
		{name: "where it was", viewer: seen, eye: seen, target: vec.New(3, -60, 0), shown: stands, want: scenario.CauseShown},
		{name: "both", viewer: vec.New(-8, -14, 0), eye: vec.New(-8, -1, 0), target: vec.New(3, -60, 0), shown: vec.New(3, 0.2, 0), want: scenario.CauseBoth},
	} {
		o := scenario.NewOnlooker(trace.New(l), &set, rate)
		o.On, o.Range = true, 350
		const first = 100
		for tick := state.Tick(first); tick <= first+8; tick++ {
			at := c.shown // until the tick that the picture is of; then it is somewhere else at once
			if tick > first+2 {
				at = c.target
			}
			m := scenario.Truth{Tick: tick, IDs: []state.ID{1, 2}, Bodies: []state.Body{
				{Pos: state.Quant(c.viewer), Teleports: 1, Alive: true}, {Pos: state.Quant(at), Teleports: 1, Alive: true},
			}}
			if !c.unlogged {
				m.Told = append(m.Told, scenario.Told{Viewer: 1, Target: 9, Reason: vis.EyeEye})
				if !c.unasked {
					m.Told = append(m.Told, scenario.Told{Viewer: 1, Target: 2, Reason: c.reason})
				}
			}
			o.Truth(&m)
		}
		for _, tick := range []state.Tick{first + 1, first + 2, first + 8} {
			o.Heard(&scenario.Heard{Viewer: 1, Tick: tick})
		}
		g := scenario.Glimpse{Viewer: 1, Now: 1, Arrived: first + 8, Tick: first + 2, Eye: c.eye.Add(vec.New(0, 0, set.Movement.StandEye)), Alive: true, Teleports: 1}
		if c.fresh {
			g.Teleports = 2
		}
		if c.drawn {
			g.Drawn = append(g.Drawn, 2)
		}
		o.Look(&g)
		want := [scenario.NumCauses]int{}
		if !c.none {
			want[c.want] = 1
		}
		if o.Causes != want || o.Missing != want[c.want] {
			t.Errorf("%s: %d missing, by cause %v, want %v", c.name, o.Missing, o.Causes, c.want)
		}
	}
}
