package nav_test

import (
	"os"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
)

func build(t testing.TB, path string) (*level.Level, *nav.Graph) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := mapfile.Parse(path, data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range l.Warnings {
		t.Errorf("warning: %+v", w)
	}
	set := tables.Arena()
	return l, nav.Build(trace.New(l), &set.Movement)
}

// Every spawn and pickup of the shipped maps can be reached from every spawn.
func TestShippedMapsAreOneConnectedPlace(t *testing.T) {
	for _, name := range []string{"pit", "corner"} {
		t.Run(name, func(t *testing.T) {
			l, g := build(t, "../../examples/arena/maps/"+name+".map")
			t.Logf("%d nodes, %d spawns, %d pickups, %d doors, %d pads, %d teleports", len(g.Nodes), len(l.Spawns), len(l.Pickups), len(l.Doors), len(l.Pads), len(l.Teleports))
			if len(l.Spawns) == 0 || len(l.Pickups) == 0 {
				t.Fatal("no spawns or no pickups")
			}
			f := nav.NewFinder(g)
			var p []nav.Step
			for i := range l.Spawns {
				from := g.Nearest(l.Spawns[i].Pos)
				if from < 0 || g.Nodes[from].Pos.Dist(l.Spawns[i].Pos) > 1.5 {
					t.Errorf("spawn %d at %v is not on the graph", i, l.Spawns[i].Pos)
					continue
				}
				for k := range l.Pickups {
					to := g.Nearest(l.Pickups[k].Pos)
					if to < 0 || g.Nodes[to].Pos.Dist(l.Pickups[k].Pos) > 2 {
						t.Errorf("pickup %d (%s) at %v is not on the graph", k, l.Pickups[k].Class, l.Pickups[k].Pos)
						continue
					}
					var ok bool
					if p, ok = f.Path(p[:0], from, to, 0); !ok {
						t.Errorf("no way from spawn %d %v to %s %v", i, l.Spawns[i].Pos, l.Pickups[k].Class, l.Pickups[k].Pos)
					}
				}
			}
		})
	}
}

// A searched path never costs more than the plain search without an estimate
// by more than the estimate's known error, and always ends at the goal.
func TestPathEndsAtItsGoal(t *testing.T) {
	_, g := build(t, "../level/testdata/r2.map")
	f := nav.NewFinder(g)
	if len(g.Nodes) < 100 {
		t.Fatalf("only %d nodes in a hall of 32 by 16 m", len(g.Nodes))
	}
	for i := 0; i < len(g.Nodes); i += 37 {
		p, ok := f.Path(nil, 0, int32(i), 0)
		if !ok {
			t.Fatalf("node %d %v cannot be reached", i, g.Nodes[i].Pos)
		}
		if i != 0 && p[len(p)-1].Node != int32(i) {
			t.Fatalf("path to %d ends at %d", i, p[len(p)-1].Node)
		}
	}
	if _, ok := f.Path(nil, -1, 0, 0); ok {
		t.Fatal("a path from nowhere")
	}
}

func TestSameLevelGivesSameGraph(t *testing.T) {
	_, a := build(t, "../level/testdata/r3.map")
	_, b := build(t, "../level/testdata/r3.map")
	if len(a.Nodes) != len(b.Nodes) {
		t.Fatalf("%d and %d nodes", len(a.Nodes), len(b.Nodes))
	}
	for i := range a.Nodes {
		if a.Nodes[i].Pos != b.Nodes[i].Pos || len(a.Edges(int32(i))) != len(b.Edges(int32(i))) {
			t.Fatalf("node %d differs", i)
		}
	}
}

func BenchmarkBuildPit(b *testing.B) {
	data, err := os.ReadFile("../../examples/arena/maps/pit.map")
	if err != nil {
		b.Fatal(err)
	}
	l, err := mapfile.Parse("pit.map", data, level.Options{})
	if err != nil {
		b.Fatal(err)
	}
	w, set := trace.New(l), tables.Arena()
	for b.Loop() {
		nav.Build(w, &set.Movement)
	}
}
