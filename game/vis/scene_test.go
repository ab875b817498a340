package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// hall is a floor and a wall along x = 0 with a door in it, in metres.
func hall(t *testing.T) *trace.World {
	t.Helper()
	b := level.NewBuilder("hall")
	box := func(model int, x0, y0, z0, x1, y1, z1 float32, c level.Contents) {
		if err := b.AddBox(model, vec.Box{Min: vec.V3{X: x0, Y: y0, Z: z0}, Max: vec.V3{X: x1, Y: y1, Z: z1}}, c, "t"); err != nil {
			t.Fatal(err)
		}
	}
	box(0, -20, -20, -1, 20, 20, 0, level.Solid)
	box(0, -0.25, -20, 0, 0.25, -1, 8, level.Solid)
	box(0, -0.25, 1, 0, 0.25, 10, 8, level.Solid)
	box(0, 4, -20, 0, 4.2, 20, 8, level.Glass)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	box(m, -0.1, -1, 0, 0.1, 1, 8, level.Solid)
	l := b.Build()
	l.Doors = append(l.Doors, level.Door{Model: m, Move: vec.V3{Z: 2}, Speed: 2})
	return trace.New(l)
}

// scene is a tick of a few players, each with a viewer of the same index.
type scene struct {
	in    vis.Input
	ans   vis.Answer
	frame vis.Frame
	view  vis.View
}

func newScene() *scene {
	s := &scene{}
	s.in.Reset(100, 64)
	s.frame.Reset(100)
	return s
}

// player adds a living player and its viewer and returns their index.
func (s *scene) player(id state.ID, team uint8, x, y float32) int {
	i := s.subject(vis.Subject{ID: id, Kind: state.KindPlayer, Team: team, Alive: true, Pos: vec.V3{X: x, Y: y},
		Eye: vec.V3{X: x, Y: y, Z: 1.6}, Chest: vec.V3{X: x, Y: y, Z: 1.1}})
	v := len(s.in.Viewers)
	s.in.Viewers = append(s.in.Viewers, vis.Viewer{Subject: i, ID: id})
	s.frame.Own = append(s.frame.Own, vis.Own{ID: id})
	return v
}

func (s *scene) subject(sub vis.Subject) int {
	s.in.Subjects = append(s.in.Subjects, sub)
	s.frame.Entities = append(s.frame.Entities, state.Entity{ID: sub.ID, Kind: sub.Kind, Team: sub.Team, Pos: state.Quant(sub.Pos), Health: 77})
	return len(s.in.Subjects) - 1
}

// decide asks for candidates, lets a policy allow what is asked and wanted, and
// gates it.
func (s *scene) decide(want func(v, i int) bool) {
	vis.Candidates(&s.in, vis.DefaultRange)
	s.ans.Reset(&s.in)
	for v := range s.in.Viewers {
		for i := range s.in.Subjects {
			if want(v, i) {
				s.ans.Allow(v, i, vis.Open, s.in.Tick+10, 0)
			}
		}
	}
	vis.Gate(&s.in, &s.ans)
}

func all(v, i int) bool  { return true }
func none(v, i int) bool { return false }

// ids returns whom viewer v is shown.
func (s *scene) ids(v int) []state.ID {
	vis.Build(&s.frame, &s.in, &s.ans, v, &s.view)
	var out []state.ID
	for _, k := range s.view.Entities() {
		out = append(out, k.ID)
	}
	return out
}

// next goes on to the next tick, with everything where it is.
func (s *scene) next() {
	was := s.frame
	s.in.Tick++
	s.frame.Reset(s.in.Tick)
	s.frame.Entities, s.frame.Own, s.frame.Events, s.frame.Doors, s.frame.Pieces = was.Entities, was.Own, was.Events, was.Doors, was.Pieces
}
