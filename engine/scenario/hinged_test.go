package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// Report S-09 for hinged doors: who stands at or walks along a leaf that is ajar, or
// that somebody else swings to and fro, is corrected when the door turns and not in a
// stream, and every correction is explained.
func TestWalkingAlongAHingedDoorIsNoCorrection(t *testing.T) {
	b := level.NewBuilder("hinge")
	add := func(m int, lo, hi vec.V3) {
		if err := b.AddBox(m, vec.Box{Min: lo, Max: hi}, level.Solid, "wall"); err != nil {
			t.Fatal(err)
		}
	}
	add(0, vec.New(-20, -20, -1), vec.New(20, 20, 0))
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	add(m, vec.New(-0.05, -1, 0), vec.New(0.05, 3, 3))
	b.AddSpawn(vec.New(-8, -8, 0.1), 0, 0)
	l := b.Build()
	l.Doors = []level.Door{{Model: m, Hinge: vec.New(0, -1, 0), Swing: 90, Ajar: 12, Use: true, Speed: 60, Wait: -1, Trigger: vec.EmptyBox()}}
	line := link.SimConfig{LatencyMS: 40, JitterMS: 3}
	a := &actor{at: rules.Spawn{Pos: vec.New(-1.2, 1, 0.1), Yaw: 60}}
	user := &actor{at: rules.Spawn{Pos: vec.New(1, 0, 0.1), Yaw: 180}}
	a.input = func(_ *actor, tick state.Tick) state.Cmd { // against the leaf and along it
		c := state.Cmd{Yaw: state.AngleOf(60), Forward: 127}
		if tick/128%2 == 1 {
			c.Yaw = state.AngleOf(-60)
		}
		return c
	}
	turns := 0
	user.input = func(_ *actor, tick state.Tick) state.Cmd {
		c := state.Cmd{Yaw: state.AngleOf(180)}
		if tick%256 < 3 { // lightly: ajar, and shut
			c.Buttons = state.BtnUse | state.BtnWalk
		}
		return c
	}
	s := newStand(t, standConfig{up: line, down: line, loaded: client.Loaded{Level: l, World: trace.New(l)}, actors: []*actor{a, user}})
	was := state.DoorState{}
	s.each = func() {
		if d := s.srv.World().Doors()[0]; d != was {
			was = d
			turns++
		}
	}
	s.run(20000)
	s.clean()
	st := a.Stats()
	t.Logf("%d turns of the door, %d corrections, %d explained", turns, st.Corrections, st.Explained)
	if turns < 4 {
		t.Errorf("the door turned %d times: no test", turns)
	}
	// The word of a turn is late by a trip: what was run meanwhile is corrected once
	// for each snapshot on the way.
	if most := uint64(24 * (turns + 1)); uint64(st.Corrections) > most {
		t.Errorf("%d corrections for %d turns of the door: a stream", st.Corrections, turns)
	}
}
