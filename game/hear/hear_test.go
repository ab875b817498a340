package hear_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// senses knows some ids and sees what is at x < 0.
type senses map[state.ID]bool

func (s senses) Knows(id state.ID) bool { return s[id] }
func (s senses) Sees(p vec.V3) bool     { return p.X < 0 }

// TestWhatIsToldIsKnownOrSeen routes random events and checks what is left in
// them, whatever their kind.
func TestWhatIsToldIsKnownOrSeen(t *testing.T) {
	told := [state.NumEvents]int{}
	for seed := range uint64(20000) {
		r := vec.NewRand(seed)
		l := hear.Listener{Self: 1, Ears: state.ID(1 + r.Intn(2)), Team: uint8(r.Intn(3))}
		s := senses{1: true, 2: true, 3: r.Intn(2) == 0, 4: r.Intn(2) == 0}
		in := state.Event{
			Kind: state.EventKind(r.Intn(int(state.NumEvents) + 2)), Weapon: uint8(r.Intn(3)),
			Actor: state.ID(r.Intn(6)), Target: state.ID(r.Intn(6)), Param: int32(r.Intn(5)),
			Pos: vec.V3{X: r.Signed() * 9, Y: 1}, Dir: vec.V3{X: 0.6, Y: 0.8}, Yaw: 5, Only: state.ID(max(0, r.Intn(8)-4)),
		}
		e, ok := hear.Route(&l, s, &in)
		if !ok {
			if e != (state.Event{}) {
				t.Fatalf("seed %d: %+v is not told, but filled", seed, e)
			}
			continue
		}
		told[e.Kind]++
		mine := func(id state.ID) bool { return id == l.Self || id == l.Ears }
		public := e.Kind == state.EvKill || e.Kind == state.EvJoin || e.Kind == state.EvLeave
		switch {
		case e.Kind == state.EvPing && in.Only == 0:
			if l.Team == 0 || in.Param != int32(l.Team) || e != (state.Event{Kind: e.Kind, Actor: in.Actor, Pos: in.Pos}) {
				t.Fatalf("seed %d: team %d is told of a mark: %+v of %+v", seed, l.Team, e, in)
			}
			continue
		case in.Only != 0 && !mine(in.Only):
			t.Fatalf("seed %d: %+v is another's", seed, in)
		case e.Only != 0:
			t.Fatalf("seed %d: Only is passed on", seed)
		case public && in.Only == 0:
			if e.Pos != (vec.V3{}) || e.Dir != (vec.V3{}) || e.Yaw != 0 {
				t.Fatalf("seed %d: %+v has a place", seed, e)
			}
			continue
		case e.Actor != 0 && !s[e.Actor] && !mine(e.Actor):
			t.Fatalf("seed %d: names actor %d: %+v", seed, e.Actor, in)
		case e.Kind == state.EvDeath && s.Sees(e.Pos):
			// Who falls in sight is seen to fall.
		case e.Target != 0 && !s[e.Target] && !mine(e.Target):
			t.Fatalf("seed %d: names target %d: %+v", seed, e.Target, in)
		}
		known := s[in.Actor] || s[in.Target] || mine(in.Actor) || mine(in.Target)
		if e.Pos != (vec.V3{}) && !known && in.Pos.X >= 0.1 && in.Only == 0 {
			t.Fatalf("seed %d: a place nobody known is at: %+v", seed, in)
		}
	}
	for k := state.EvSpawn; k < state.NumEvents; k++ {
		if told[k] == 0 {
			t.Errorf("kind %d is never told", k)
		}
	}
}

// A thing's number in the world counts everybody's shots: a burst is told without.
func TestABurstDoesNotTellTheNumberOfItsRocket(t *testing.T) {
	s := senses{1: true, 2: true}
	for _, actor := range []state.ID{1, 2, 3} {
		e, ok := hear.Route(&hear.Listener{Self: 1, Ears: 1}, s, &state.Event{
			Kind: state.EvExplode, Actor: actor, Weapon: 2, Pos: vec.V3{X: -1}, Param: int32(state.FirstThing) + 7,
		})
		if !ok || e.Param != 0 {
			t.Errorf("the burst of %d's rocket: told %v as %+v", actor, ok, e)
		}
	}
}
