package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// A player who runs up to another and touches it over 80 ms is not corrected once;
// walking on, into the other, both are pushed apart, which is a force and no error,
// and no correction is a jump. S-08.
func TestTouchingAPlayerIsNoCorrection(t *testing.T) {
	line := link.SimConfig{LatencyMS: 40, JitterMS: 3}
	a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}}
	b := &actor{at: rules.Spawn{Pos: vec.New(-4.1, 5, 0.1), Yaw: 180}} // not on the grid of the wire
	on := false
	a.input = func(a *actor, _ state.Tick) state.Cmd {
		c := state.Cmd{}
		half := a.Tables().Movement.HalfWidth
		p := a.Own()
		switch left := -4.1 - 2*half - p.Pos.X; {
		case on, left > 3:
			c.Forward = 127
		case left > p.Vel.X*0.4: // it comes to a stand as it touches
			c.Forward = 20
		}
		return c
	}
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a, b}})
	s.run(700) // over the start
	before := a.Stats().Corrections
	touched := 0
	s.each = func() {
		if d := s.player(1).Pos.X - s.player(0).Pos.X; d < 2*a.Tables().Movement.HalfWidth+0.02 {
			touched++
		}
	}
	s.run(4000)
	if n := a.Stats().Corrections - before; n != 0 || touched < 100 {
		t.Errorf("%d corrections in %d ticks of touching", n, touched)
	}
	on = true
	was, most := a.Eye(), float32(0)
	for range 2000 {
		s.run(1)
		most = max(most, a.Eye().Dist(was))
		was = a.Eye()
	}
	if a.Stats().Corrections == before || most > 0.3 {
		t.Errorf("pushed: %d corrections, the view jumps by %.2f m in a millisecond or a frame", a.Stats().Corrections-before, most)
	}
	s.clean()
}

// Standing, walking and jumping on a closed door and on a model that never moves,
// over 100 ms: not one correction. S-09.
func TestStandingOnModelsIsNoCorrection(t *testing.T) {
	loaded := hallLevel(t)
	loaded.Level.Doors[1].Trigger.Max.Z = 2 // who stands on it does not open it
	line := link.SimConfig{LatencyMS: 50, JitterMS: 3}
	for _, c := range []struct {
		name  string
		at    vec.V3
		model int16
		walk  float32
	}{
		{"closed door", vec.New(20, 0, 3.1), doorModel, 1.2}, {"deck", vec.New(30, 10, 0.4), deckModel, 1.5},
	} {
		a := &actor{at: rules.Spawn{Pos: c.at, Yaw: 90}}
		a.input = func(a *actor, tick state.Tick) state.Cmd {
			cmd := state.Cmd{Yaw: state.AngleOf(90), Forward: 30}
			if a.Own().Pos.Y > c.at.Y {
				cmd.Yaw = state.AngleOf(-90)
			}
			if tick%200 < 100 {
				cmd.Forward = 0
			}
			if tick%200 == 150 {
				cmd.Buttons = state.BtnJump
			}
			return cmd
		}
		s := newStand(t, standConfig{loaded: loaded, up: line, down: line, actors: []*actor{a}})
		s.run(1500)
		before := a.Stats().Corrections
		stood := 0
		s.each = func() {
			if s.player(0).Ground == c.model {
				stood++
			}
		}
		s.run(10000)
		if n := a.Stats().Corrections - before; n != 0 || stood < 400 {
			t.Errorf("%s: %d corrections, %d ticks on it, at %v", c.name, n, stood, s.player(0).Pos)
		}
		s.clean()
	}
}

// A remote player that stops is drawn at its exact final place, on the
// grid that it is sent on, after the interpolation delay. S-11.
func TestWhoStopsIsDrawnAtItsFinalPlace(t *testing.T) {
	line := link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02, Reorder: 0.02}
	a := &actor{at: rules.Spawn{Pos: vec.New(-30, 5, 0.1)}}
	b := &actor{at: rules.Spawn{Pos: vec.New(0, 10, 0.1)}}
	stop := state.Tick(0)
	a.input = func(_ *actor, tick state.Tick) state.Cmd {
		if tick/64%3 == 2 { // two seconds of running, one of standing
			return state.Cmd{}
		}
		stop = tick
		return state.Cmd{Forward: 127, Yaw: state.Angle16(tick / 192 * 9000)}
	}
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a, b}})
	s.run(1000)
	var shown []client.Shown
	exact := 0
	for range 12000 {
		s.run(1)
		still := s.player(0)
		if still.Vel != (vec.V3{}) || s.srv.Tick()-stop < 45 { // it slides to a stand, then 80 ms and the delay
			continue
		}
		shown = b.Others(shown[:0])
		for i := range shown {
			if shown[i].ID != a.ID() {
				continue
			}
			// Exactly, on one of the grids that places are sent on.
			at, want := shown[i].At, state.Quant(still.Pos)
			ok := false
			for d := range state.Exact {
				ok = ok || at == state.RoundQ(want, state.GridOf(d).Place).V3()
			}
			if !ok {
				t.Fatalf("at %d ms, %d ticks after the last step: drawn at %v, stands at %v", s.ms, s.srv.Tick()-stop, at, want.V3())
			}
			exact++
		}
	}
	if exact < 500 {
		t.Fatalf("only %d frames of standing", exact)
	}
	s.clean()
}

// A teleport is shown at once, however short it is: the view is where the body is.
func TestTeleportsAreShownAtOnce(t *testing.T) {
	for _, fps := range []float64{30, 144, 1000} {
		line := link.SimConfig{LatencyMS: 40}
		a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}, fps: fps}
		s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a}})
		s.run(1500)
		lag := func() float64 { // of the view behind the body
			eye := a.Own().Pos
			eye.Z += a.Tables().Movement.StandEye
			return float64(a.Eye().Dist(eye))
		}
		if lag() > 1e-3 {
			t.Fatalf("%v frames/s: the view is %v off at rest", fps, lag())
		}
		for _, c := range []struct {
			name  string
			by    vec.V3
			jumps bool
		}{{"teleport of half a metre", vec.New(0.5, 0, 0), true}, {"teleport", vec.New(9, 2, 0), true}} {
			to := s.player(0).Pos.Add(c.by)
			s.rules.do = append(s.rules.do, rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: to})
			for range 400 {
				s.run(1)
				if lag() > 0.02 {
					t.Fatalf("%v frames/s, %s: the view is %.2f m behind", fps, c.name, lag())
				}
			}
			if a.Own().Pos.Dist(to) > 0.1 {
				t.Fatalf("%s: at %v, want %v", c.name, a.Own().Pos, to)
			}
		}
	}
}
