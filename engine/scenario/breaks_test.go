package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// Standing and walking on a piece is no correction; when it breaks below a player and
// is mended later every correction is explained by that. Somebody far off sees it break
// at the shown instant of the tick in which it broke, and not a tick before or after.
func TestStandingOnAPieceThatBreaksIsExplained(t *testing.T) {
	b := level.NewBuilder("deck")
	add := func(m int, box vec.Box) {
		if err := b.AddBox(m, box, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	add(0, vec.Box{Min: vec.New(-41, -21, -1), Max: vec.New(41, 21, 0)})
	add(m, vec.Box{Min: vec.New(-4, -4, 2), Max: vec.New(4, 4, 2.25)})
	b.AddPiece(level.Piece{Model: m, Health: 20})
	b.AddSpawn(vec.New(0, 0, 2.3), 0, 0)
	l := b.Build()
	line := link.SimConfig{LatencyMS: 40, JitterMS: 3, Loss: 0.02}
	rider := &actor{at: rules.Spawn{Pos: vec.New(0, 0, 2.3)}}
	far := &actor{at: rules.Spawn{Pos: vec.New(30, 10, 0.1)}}
	rider.input = func(_ *actor, tick state.Tick) state.Cmd { // round and round
		return state.Cmd{Forward: 127, Buttons: state.BtnWalk, Yaw: state.Angle16(tick * 1400)}
	}
	s := newStand(t, standConfig{loaded: client.Loaded{Level: l, World: trace.New(l)}, up: line, down: line, actors: []*actor{rider, far}})
	s.run(3000)
	if rider.Own().Ground != int16(m) || rider.Stats().Errors != 0 {
		t.Fatalf("stands on %d, %d errors", rider.Own().Ground, rider.Stats().Errors)
	}
	before := rider.Stats().Corrections
	s.run(2000)
	if n := rider.Stats().Corrections; n != before {
		t.Errorf("%d corrections while it stood", n-before)
	}
	s.rules.do = append(s.rules.do, rules.Op{Kind: rules.OpPiece, Value2: 1})
	shown := 0
	for range 1500 {
		s.run(1)
		p := s.srv.World().Pieces()[0]
		tick, _ := far.Shown()
		drawn := far.Scene().Poses[m].Off == scenery.Away
		if want := p.Gone(tick); p.Broken && drawn != want {
			t.Fatalf("shown tick %d: drawn broken %v, it broke in %d", tick, drawn, p.At)
		}
		if drawn {
			shown++
		}
	}
	if shown < 1000 {
		t.Errorf("drawn broken for %d ms", shown)
	}
	if z := rider.Own().Pos.Z; z > 0.01 {
		t.Errorf("has not fallen: %v", z)
	}
	s.rules.do = append(s.rules.do, rules.Op{Kind: rules.OpPiece})
	s.run(1000)
	if far.Scene().Poses[m].Off == scenery.Away || s.srv.World().Pieces()[0].Broken {
		t.Error("it was not mended")
	}
	for _, a := range []*actor{rider, far} {
		if st := a.Stats(); st.Errors != 0 {
			t.Errorf("%d errors of %d corrections, worst %v", st.Errors, st.Corrections, st.WorstError)
		}
	}
}
