package bot_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/bot"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Two rooms with a hinged door between: a bot that wanders opens it and goes through.
func TestABotOpensAHingedDoor(t *testing.T) {
	b := level.NewBuilder("rooms")
	add := func(m int, lo, hi vec.V3) {
		if err := b.AddBox(m, vec.Box{Min: lo, Max: hi}, level.Solid, "wall"); err != nil {
			t.Fatal(err)
		}
	}
	add(0, vec.New(-8, -4, -1), vec.New(8, 4, 0))
	add(0, vec.New(-8, -4.5, 0), vec.New(8, -4, 3))
	add(0, vec.New(-8, 4, 0), vec.New(8, 4.5, 3))
	add(0, vec.New(-8.5, -4, 0), vec.New(-8, 4, 3))
	add(0, vec.New(8, -4, 0), vec.New(8.5, 4, 3))
	add(0, vec.New(-0.1, -4, 0), vec.New(0.1, -1, 3))
	add(0, vec.New(-0.1, 1, 0), vec.New(0.1, 4, 3))
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	add(m, vec.New(-0.05, -1, 0), vec.New(0.05, 1, 3))
	b.AddSpawn(vec.New(-5, 0, 0.1), 0, 0)
	b.AddSpawn(vec.New(5, 0, 0.1), 0, 0)
	l := b.Build()
	d := level.Door{Model: m, Hinge: vec.New(0, -1, 0), Swing: 90, Ajar: 12, Use: true, Speed: 120, Wait: -1, Trigger: vec.EmptyBox()}
	l.Doors = []level.Door{d}
	w, set := trace.New(l), tables.Arena()
	g := nav.Build(w, &set.Movement)
	for seed := range uint64(4) {
		br := bot.New(bot.Config{World: w, Graph: g, Tables: &set, TickRate: 64, Seed: seed, Skill: 0.7})
		p := &state.Player{Health: 100, Ground: -1, Pos: vec.New(-5, 0, 0.05)}
		now := []state.DoorState{{}}
		poses, before := make([]level.Pose, len(l.Models)), make([]level.Pose, len(l.Models))
		scene := trace.Scene{W: w, Poses: poses}
		pressed, through, held := 0, false, false
		for tick := state.Tick(1000); tick < 1000+64*60 && !through; tick++ {
			copy(before, poses)
			scenery.Poses(l, now, tick, 0, 64, poses)
			eye := pmove.Eye(p, &set.Movement)
			cmd := br.Think(&bot.Senses{Self: 1, Own: p, Eye: eye, Tick: tick, Scene: scene})
			use := cmd.Buttons&state.BtnUse != 0
			if use && !held {
				pressed++
				hit := scene.Ray(eye, eye.Mad(2, vec.Forward(cmd.Yaw.Deg(), cmd.Pitch.Deg())), level.MaskMove)
				if int(hit.Model) != m {
					t.Fatalf("seed %d: it uses nothing at %v", seed, p.Pos)
				}
				to := scenery.Open
				if scenery.GoalOf(&d, now[0]) == scenery.Open {
					to = scenery.Close
				}
				now[0] = scenery.Send(&d, now[0], to, false, tick, 64)
			}
			held = use
			pmove.Step(p, cmd, pmove.Env{World: scene, Move: &set.Movement, TickRate: 64, Poses: poses, Before: before})
			through = p.Pos.X > 1
		}
		if !through || pressed == 0 {
			t.Errorf("seed %d: through %v after %d uses, at %v", seed, through, pressed, p.Pos)
		}
	}
}
