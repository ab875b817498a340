package scenario_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// A rider is predicted in its lift's frame: no error at 80 ms, and on the screen the
// feet stay on the lift, which is drawn where the prediction has it. The door that
// somebody else opens is drawn on the shown timeline, where the server had it then.
func TestRidersAndDoorsAreDrawnOnTheirTimelines(t *testing.T) {
	line := link.SimConfig{LatencyMS: 40, JitterMS: 3}
	a := &actor{at: rules.Spawn{Pos: vec.New(-20, 6, 0.1), Yaw: 90}}
	b := &actor{at: rules.Spawn{Pos: vec.New(14, 0, 0.1)}}
	a.input = func(a *actor, tick state.Tick) state.Cmd { // on to the lift, and around on it
		c := state.Cmd{Yaw: state.AngleOf(90)}
		if y := a.Own().Pos.Y; y < 9.6 {
			c.Forward = 60
		}
		return c
	}
	b.input = func(_ *actor, tick state.Tick) state.Cmd { // to and fro before the door
		c := state.Cmd{Forward: 127}
		if tick/160%2 == 1 {
			c.Yaw = state.AngleOf(180)
		}
		return c
	}
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a, b}})
	l := a.Level().Level
	set := tables.Arena()
	stand := set.Movement.StandEye
	past := map[state.Tick][]state.DoorState{}
	s.each = func() {
		past[s.srv.Tick()] = append([]state.DoorState(nil), s.srv.World().Doors()...)
	}
	rode, moving, swings := 0, 0, 0
	worst, lag := 0.0, 0.0
	offs := make([]level.Pose, len(l.Models))
	for range 9000 {
		s.run(1)
		scene := a.Scene()
		if own := a.Own(); own.Ground == liftModel && own.Flags&state.OnGround != 0 {
			rode++
			floor := 0.25 + scene.Poses[liftModel].Off.Z
			if rode > 250 { // the lift has come to the predicted timeline
				off := math.Abs(float64(a.Eye().Z - stand - floor))
				worst = max(worst, off)
				tick, frac := a.Shown()
				lag = max(lag, float64(vec.Abs(scene.Poses[liftModel].Off.Z-scenery.Offset(&l.Doors[0], s.srv.World().Doors()[0], tick, frac, rate).Z)))
			}
			if z := scene.Poses[liftModel].Off.Z; z > 0.1 && z < 3.9 {
				moving++
			}
		}
		tick, frac := a.Shown()
		if doors := past[tick]; doors != nil {
			scenery.Poses(l, doors, tick, frac, rate, offs)
			if d := scene.Poses[doorModel]; d != offs[doorModel] {
				// A word that is late by a lost packet is allowed, a wrong timeline is not.
				if vec.Abs(d.Off.Z-offs[doorModel].Off.Z) > 0.01 {
					t.Fatalf("at %d+%d/256 the door is drawn at %v, the server had it at %v", tick, frac, d.Off.Z, offs[doorModel].Off.Z)
				}
			}
			if z := offs[doorModel].Off.Z; z > 0 && z < 2.9 {
				swings++
			}
		}
	}
	s.clean()
	if rode < 1000 || moving < 300 || swings < 300 || lag < 0.3 {
		t.Fatalf("rode for %d ms, %d of them in motion, the door moved for %d, lag %.2f m: no test", rode, moving, swings, lag)
	}
	if worst > 0.03 {
		t.Errorf("the feet leave the lift by %.3f m", worst)
	}
	t.Logf("rode %d ms, worst %.4f m; on the shown timeline it would be %.2f m off", rode, worst, lag)
}
