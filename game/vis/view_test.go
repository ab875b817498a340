package vis_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// told builds the View of v and returns its events.
func (s *scene) told(v int) []state.Event {
	vis.Build(&s.frame, &s.in, &s.ans, v, &s.view)
	return s.view.Events()
}

// TestEventsNameNobodyUnknown has viewer 1 know player 2 and not player 3, who is
// behind the wall.
func TestEventsNameNobodyUnknown(t *testing.T) {
	w := hall(t)
	front, behind := vec.V3{X: -2, Y: -3, Z: 1}, vec.V3{X: 2, Y: -3, Z: 1}
	wall := vec.V3{X: -0.25, Y: -3, Z: 1}
	type ev = state.Event
	for _, c := range []struct {
		name string
		in   ev
		want *ev // nil: not told
	}{
		{"shot of one shown", ev{Kind: state.EvFire, Actor: 2, Pos: front}, &ev{Kind: state.EvFire, Actor: 2, Pos: front}},
		{"shot of one hidden", ev{Kind: state.EvFire, Actor: 3, Pos: behind}, nil},
		{"shot of one hidden, seen place", ev{Kind: state.EvFire, Actor: 3, Pos: front}, nil},
		{"step of one hidden", ev{Kind: state.EvFootstep, Actor: 3, Pos: behind}, nil},
		{"step of one shown", ev{Kind: state.EvFootstep, Actor: 2}, &ev{Kind: state.EvFootstep, Actor: 2}},
		{"own step", ev{Kind: state.EvFootstep, Actor: 1}, nil},
		{"own shot", ev{Kind: state.EvFire, Actor: 1}, &ev{Kind: state.EvFire, Actor: 1}},
		{"mark on the wall", ev{Kind: state.EvImpact, Actor: 3, Target: 3, Pos: wall, Dir: vec.V3{X: -1}}, &ev{Kind: state.EvImpact, Pos: wall, Dir: vec.V3{X: -1}}},
		{"mark behind the wall", ev{Kind: state.EvImpact, Actor: 3, Pos: behind, Dir: vec.V3{X: 1}}, nil},
		{"mark of one shown behind the wall", ev{Kind: state.EvImpact, Actor: 2, Pos: behind}, nil},
		{"own mark behind the wall", ev{Kind: state.EvImpact, Actor: 1, Target: 3, Pos: behind}, &ev{Kind: state.EvImpact, Actor: 1, Pos: behind}},
		{"burst in sight", ev{Kind: state.EvExplode, Actor: 3, Pos: front}, &ev{Kind: state.EvExplode, Pos: front}},
		{"burst behind the wall", ev{Kind: state.EvExplode, Actor: 2, Pos: behind}, nil},
		{"door in sight", ev{Kind: state.EvDoor, Actor: 3, Param: 1, Pos: front}, &ev{Kind: state.EvDoor, Param: 1, Pos: front}},
		{"teleport in sight", ev{Kind: state.EvTeleport, Actor: 3, Pos: front}, &ev{Kind: state.EvTeleport, Pos: front}},
		{"where one shown came from", ev{Kind: state.EvTeleport, Actor: 2, Pos: behind}, nil},
		{"death in sight", ev{Kind: state.EvDeath, Actor: 3, Target: 4, Pos: front}, &ev{Kind: state.EvDeath, Target: 4, Pos: front}},
		{"death behind the wall", ev{Kind: state.EvDeath, Actor: 2, Target: 3, Pos: behind}, nil},
		{"own death", ev{Kind: state.EvDeath, Actor: 3, Target: 1, Pos: front}, &ev{Kind: state.EvDeath, Target: 1, Pos: front}},
		{"kill feed", ev{Kind: state.EvKill, Actor: 3, Target: 4, Weapon: 1, Pos: behind, Yaw: 3}, &ev{Kind: state.EvKill, Actor: 3, Target: 4, Weapon: 1}},
		{"who came", ev{Kind: state.EvJoin, Actor: 3, Pos: behind}, &ev{Kind: state.EvJoin, Actor: 3}},
		{"spawn hidden", ev{Kind: state.EvSpawn, Actor: 3, Pos: front}, nil},
		{"hit on one hidden", ev{Kind: state.EvHit, Actor: 1, Target: 3, Param: 9, Pos: behind, Only: 1}, &ev{Kind: state.EvHit, Actor: 1, Param: 9}},
		{"hit of another", ev{Kind: state.EvHit, Actor: 2, Target: 3, Only: 2}, nil},
		{"hurt by one hidden", ev{Kind: state.EvHurt, Actor: 3, Target: 1, Weapon: 1, Param: 5, Pos: behind, Dir: vec.V3{X: 0.9, Y: 0.1, Z: 0.3}, Only: 1},
			&ev{Kind: state.EvHurt, Target: 1, Param: 5, Dir: vec.V3{X: 1}}},
		{"hurt by one shown", ev{Kind: state.EvHurt, Actor: 2, Target: 1, Param: 5, Pos: front, Only: 1}, &ev{Kind: state.EvHurt, Actor: 2, Target: 1, Param: 5, Pos: front}},
		{"hit without a name", ev{Kind: state.EvHit, Actor: 1}, nil},
		{"no kind", ev{Pos: front}, nil},
		{"no place", ev{Kind: state.EvExplode, Pos: vec.V3{X: float32(nan())}}, nil},
	} {
		s := newScene()
		s.frame.Sight = vis.NewSight(w, 64)
		s.player(1, 0, -5, -3)
		s.player(2, 0, -3, -3)
		s.player(3, 0, 5, -3)
		s.player(4, 0, 6, -3)
		s.decide(func(v, i int) bool { return i == 1 })
		s.frame.Events = append(s.frame.Events, c.in)
		got := s.told(0)
		if c.want == nil {
			if len(got) != 0 {
				t.Errorf("%s: told %+v", c.name, got[0])
			}
			continue
		}
		if len(got) != 1 || got[0] != *c.want {
			t.Errorf("%s: told %+v, want %+v", c.name, got, *c.want)
		}
	}
}

func nan() float64 { z := 0.0; return z / z }

func TestASpectatorHearsWhatTheWatchedHears(t *testing.T) {
	s := newScene()
	s.frame.Sight = vis.NewSight(hall(t), 64)
	s.player(1, 0, 5, -3)
	s.player(2, 0, -3, -3)
	s.player(3, 0, -5, -3)
	s.in.Subjects[0].Alive = false
	s.frame.Events = append(s.frame.Events,
		state.Event{Kind: state.EvHit, Actor: 2, Target: 3, Param: 1, Only: 2},
		state.Event{Kind: state.EvFootstep, Actor: 2},
		state.Event{Kind: state.EvFire, Actor: 3},
		state.Event{Kind: state.EvExplode, Pos: vec.V3{X: 3, Y: -3, Z: 1}},
	)
	s.decide(all)
	if got := s.told(0); len(got) != 0 {
		t.Errorf("the dead who waits is told %+v", got)
	}
	s.in.Viewers[0].Spectating = 2
	s.decide(all)
	if got := s.told(0); len(got) != 3 {
		t.Errorf("the spectator is told %+v", got)
	}
}

// TestTheHiddenNeverInfluenceAView changes whatever can be changed of subjects that
// a viewer may not know, one field at a time, and compares its View.
func TestTheHiddenNeverInfluenceAView(t *testing.T) {
	w := hall(t)
	fields := 0
	for seed := range uint64(100) {
		r := vec.NewRand(seed)
		s := newScene()
		s.frame.Sight = vis.NewSight(w, 64)
		for i := range 8 {
			s.player(state.ID(i+1), uint8(r.Intn(3)), r.Signed()*10, r.Signed()*10)
			s.in.Subjects[i].Alive = r.Intn(5) > 0
			if r.Intn(4) == 0 {
				s.in.Viewers[i].Spectating = state.ID(1 + r.Intn(8))
			}
		}
		for i := range 6 {
			s.subject(vis.Subject{ID: state.FirstThing + state.ID(i), Kind: state.KindRocket, Alive: true, Pos: vec.V3{X: r.Signed() * 10}})
			s.frame.Entities[8+i].Owner = state.ID(r.Intn(9))
		}
		for range 30 {
			s.frame.Events = append(s.frame.Events, state.Event{
				Kind: state.EventKind(r.Intn(int(state.NumEvents))), Actor: state.ID(r.Intn(9)), Target: state.ID(r.Intn(9)),
				Pos: vec.V3{X: r.Signed() * 10, Y: r.Signed() * 10, Z: 1}, Dir: vec.V3{X: 1}, Only: state.ID(max(0, r.Intn(40)-31)),
			})
		}
		s.decide(func(v, i int) bool { return r.Intn(2) == 0 })
		for v := range s.in.Viewers {
			before := s.print(v)
			for i := range s.in.Subjects {
				if s.ans.Permitted(v, i) || s.in.Subjects[i].ID == s.in.Viewers[v].ID {
					continue
				}
				subject, entity := s.in.Subjects[i], s.frame.Entities[i]
				own := vis.Own{}
				if i < len(s.frame.Own) {
					own = s.frame.Own[i]
				}
				for _, p := range []any{&s.in.Subjects[i], &s.frame.Entities[i]} {
					val := reflect.ValueOf(p).Elem()
					for f := range val.NumField() {
						if name := val.Type().Field(f).Name; name == "ID" || name == "Owner" {
							continue // who it is, and with whom it goes, is the gate's question
						}
						if _, ok := p.(*vis.Subject); ok && i == s.eyes(v) {
							continue // the watched player's own row decides
						}
						scramble(&r, val.Field(f))
						fields++
					}
				}
				if i < len(s.frame.Own) {
					s.frame.Own[i].Player.Pos.X++
				}
				if after := s.print(v); after != before {
					t.Fatalf("seed %d, viewer %d, hidden %d:\n%s\nbecame\n%s", seed, v, i, before, after)
				}
				s.in.Subjects[i], s.frame.Entities[i] = subject, entity
				if i < len(s.frame.Own) {
					s.frame.Own[i] = own
				}
			}
		}
	}
	if fields < 3000 {
		t.Fatalf("only %d changes", fields)
	}
}

// eyes returns the subject through whose eyes viewer v looks.
func (s *scene) eyes(v int) int {
	w := &s.in.Viewers[v]
	if !s.in.Subjects[w.Subject].Alive && w.Spectating != 0 {
		return int(w.Spectating) - 1
	}
	return w.Subject
}

// print returns everything that a View tells.
func (s *scene) print(v int) string {
	vis.Build(&s.frame, &s.in, &s.ans, v, &s.view)
	return fmt.Sprintf("%d %+v\n%+v\n%+v\n%+v", s.view.Tick(), *s.view.Own(), s.view.Entities(), s.view.Events(), s.view.Doors())
}

func scramble(r *vec.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			scramble(r, v.Field(i))
		}
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float32:
		v.SetFloat(float64(r.Signed() * 10))
	default:
		if v.CanInt() {
			v.SetInt(v.Int() + 1)
		} else {
			v.SetUint(v.Uint() + 1)
		}
	}
}

func TestBuildingAViewDoesNotAllocate(t *testing.T) {
	s := newScene()
	s.frame.Sight = vis.NewSight(hall(t), 64)
	for i := range 20 {
		s.player(state.ID(i+1), 0, float32(i)-10, -3)
		s.frame.Events = append(s.frame.Events, state.Event{Kind: state.EvExplode, Actor: state.ID(i + 1), Pos: vec.V3{X: float32(i) - 10, Z: 1}})
	}
	views := make([]vis.View, 20)
	tick := func() {
		vis.Candidates(&s.in, 350)
		s.ans.Reset(&s.in)
		for v := range s.in.Viewers {
			for i := range s.in.Subjects {
				s.ans.Allow(v, i, vis.Open, 1, 0)
			}
		}
		vis.Gate(&s.in, &s.ans)
		for v := range views {
			vis.Build(&s.frame, &s.in, &s.ans, v, &views[v])
		}
	}
	tick()
	if n := testing.AllocsPerRun(50, tick); n > 0 {
		t.Fatalf("%v allocations", n)
	}
}

func TestDoorsGoByRange(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.decide(none)
	s.frame.Doors = make([]state.DoorState, 3)
	s.frame.DoorAt = []vec.Box{{}, {}, {}}
	for i, x := range []float32{5, 500, -30} {
		s.frame.DoorAt[i] = vec.Box{Min: vec.V3{X: x}, Max: vec.V3{X: x + 1, Y: 1, Z: 2}}
	}
	s.ids(0)
	if n := len(s.view.Doors()); n != 3 {
		t.Errorf("%d doors without a range", n)
	}
	s.frame.DoorRange = 100
	s.ids(0)
	if d := s.view.Doors(); len(d) != 2 || d[0].Index != 0 || d[1].Index != 2 || !d[0].Near || d[1].Near {
		t.Errorf("doors %+v", d)
	}
}
