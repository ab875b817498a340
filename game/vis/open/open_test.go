package open_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
)

func TestEverybodyInRangeIsSent(t *testing.T) {
	for _, c := range []struct {
		set  vis.Settings
		x    float32
		want bool
	}{
		{nil, 349, true}, {nil, 351, false}, {vis.Settings{"range_m": 10}, 9, true}, {vis.Settings{"range_m": 10}, 11, false},
		{vis.Settings{"range_m": 0}, 5000, true},
	} {
		p, err := open.New(vis.Env{TickRate: 64, Settings: c.set})
		if err != nil {
			t.Fatal(err)
		}
		d := vis.Inline(p)
		var in vis.Input
		in.Reset(1, 64)
		for i := range 2 {
			in.Subjects = append(in.Subjects, vis.Subject{ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true, Pos: vec.V3{X: c.x * float32(i)}})
			in.Viewers = append(in.Viewers, vis.Viewer{Subject: i, ID: state.ID(i + 1)})
		}
		reach := float32(vis.DefaultRange)
		if c.set != nil {
			reach = float32(c.set["range_m"])
		}
		vis.Candidates(&in, reach)
		d.Submit(&in)
		a := d.Collect()
		if a.Permitted(0, 1) != c.want || a.Permitted(1, 0) != c.want {
			t.Errorf("%+v: %v", c, a.Reason)
		}
		if n := testing.AllocsPerRun(10, func() { d.Submit(&in) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
	if _, err := open.New(vis.Env{TickRate: 64, Settings: vis.Settings{"hold_ms": 1}}); err == nil {
		t.Error("an unknown setting is taken")
	}
}
