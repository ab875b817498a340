package pvs_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/pvs"
)

// rooms are three clusters along x, 10 m each from 0; the first sees the second
// and the second the third.
func rooms(t *testing.T, sets bool) *trace.World {
	t.Helper()
	b := level.NewBuilder("rooms")
	if err := b.AddBox(0, vec.Box{Min: vec.V3{X: -50, Y: -50, Z: -1}, Max: vec.V3{X: 50, Y: 50}}, level.Solid, "t"); err != nil {
		t.Fatal(err)
	}
	l := b.Build()
	if sets {
		l.Vis = &level.Vis{
			Planes:   []level.Plane{{N: vec.V3{X: 1}, D: 10}, {N: vec.V3{X: 1}, D: 20}, {N: vec.V3{X: 1}, D: 30}},
			Nodes:    []level.VisNode{{Plane: 0, Children: [2]int{1, -1}}, {Plane: 1, Children: [2]int{2, -2}}, {Plane: 2, Children: [2]int{-4, -3}}},
			Leafs:    []level.VisLeaf{{Cluster: 0}, {Cluster: 1}, {Cluster: 2}, {Cluster: -1}},
			Clusters: 3, RowBytes: 1, Rows: []byte{0b011, 0b111, 0b110},
		}
	}
	return trace.New(l)
}

func TestWhoIsInTheSetIsSent(t *testing.T) {
	for _, c := range []struct {
		sets bool
		a, b float32
		set  vis.Settings
		want bool
	}{
		{true, 5, 8, nil, true}, {true, 5, 15, nil, true}, {true, 5, 25, nil, false}, {true, 15, 25, nil, true},
		{true, 5, 20.2, nil, true}, // a shoulder is still in the second room
		{true, 5, 40, nil, true},   // outside all rooms
		{false, 5, 25, nil, true},
		{false, 5, 25, vis.Settings{"range_m": 10}, false},
	} {
		p, err := pvs.New(vis.Env{World: rooms(t, c.sets), TickRate: 64, Settings: c.set})
		if err != nil {
			t.Fatal(err)
		}
		d := vis.Inline(p)
		var in vis.Input
		in.Reset(1, 64)
		for i, x := range []float32{c.a, c.b} {
			at := vec.V3{X: x}
			in.Subjects = append(in.Subjects, vis.Subject{
				ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true, Pos: at, Eye: at.Mad(1.6, vec.Up), Chest: at.Mad(1.1, vec.Up),
				Box: vec.Box{Min: vec.V3{X: -0.4, Y: -0.4}, Max: vec.V3{X: 0.4, Y: 0.4, Z: 1.8}}.Move(at),
			})
			in.Viewers = append(in.Viewers, vis.Viewer{Subject: i, ID: state.ID(i + 1)})
		}
		vis.Candidates(&in, 0)
		d.Submit(&in)
		ans := d.Collect()
		if ans.Permitted(0, 1) != c.want || ans.Permitted(1, 0) != c.want {
			t.Errorf("%+v: sent %v and %v", c, ans.Permitted(0, 1), ans.Permitted(1, 0))
		}
		if ans.Rays != 0 {
			t.Errorf("%d rays", ans.Rays)
		}
		if n := testing.AllocsPerRun(10, func() { d.Submit(&in); d.Collect() }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}
