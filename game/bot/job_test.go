package bot_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/bot"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// field is a floor of 24 m with two zones in corners of it.
func field(t *testing.T) (*trace.World, *tables.Set) {
	t.Helper()
	b := level.NewBuilder("field")
	if err := b.AddBox(0, vec.Box{Min: vec.New(-12, -12, -1), Max: vec.New(12, 12, 0)}, level.Solid, "floor"); err != nil {
		t.Fatal(err)
	}
	b.AddSpawn(vec.New(0, 0, 0.1), 0, 0)
	l := b.Build()
	l.Zones = []level.Zone{
		{Name: "lobby", Box: vec.Box{Min: vec.New(-1, -1, -1), Max: vec.New(1, 1, 3)}},
		{Name: "site", Box: vec.Box{Min: vec.New(7, 7, -1), Max: vec.New(10, 10, 3)}},
		{Name: "site", Box: vec.Box{Min: vec.New(-10, -10, -1), Max: vec.New(-7, -7, 3)}},
	}
	set := tables.Arena()
	return trace.New(l), &set
}

// works runs a bot with a job until it has stood still with use held for two seconds,
// and returns where.
func works(t *testing.T, w *trace.World, g *nav.Graph, set *tables.Set, seed uint64, job bot.Job, others []bot.Other) (vec.V3, bool) {
	t.Helper()
	b := bot.New(bot.Config{World: w, Graph: g, Tables: set, TickRate: 64, Seed: seed, Skill: 0.7, Zone: "site"})
	p := &state.Player{Health: 100, Ground: -1, Pos: vec.New(0, 0, 0.05)}
	scene := w.Closed()
	held := 0
	for tick := state.Tick(1); tick < 64*40; tick++ {
		cmd := b.Think(&bot.Senses{Self: 1, Own: p, Eye: pmove.Eye(p, &set.Movement), Tick: tick, Scene: scene, Job: job, Others: others})
		pmove.Step(p, cmd, pmove.Env{World: scene, Move: &set.Movement, TickRate: 64})
		if cmd.Buttons&state.BtnUse != 0 && p.Vel.Len() < 0.1 {
			held++
		} else {
			held = 0
		}
		if held == 128 {
			return p.Pos, true
		}
	}
	return p.Pos, false
}

// Who carries goes to a zone and holds use there; who disarms goes where the thing
// lies, looking for it in the zones when it sees none; without a job nobody does.
func TestABotDoesItsJob(t *testing.T) {
	w, set := field(t)
	g := nav.Build(w, &set.Movement)
	zones := w.Level().Zones
	sites := map[int]bool{}
	for seed := range uint64(6) {
		at, ok := works(t, w, g, set, seed, bot.Plant, nil)
		if !ok || !zones[1].Box.Contains(at) && !zones[2].Box.Contains(at) {
			t.Errorf("seed %d: planting %v at %v", seed, ok, at)
		}
		if zones[1].Box.Contains(at) {
			sites[1] = true
		} else {
			sites[2] = true
		}
	}
	if len(sites) != 2 {
		t.Errorf("only these sites are chosen: %v", sites)
	}
	lies := bot.Other{ID: state.FirstThing, Kind: state.KindObjective, Pos: vec.New(-3, 5, 0)}
	if at, ok := works(t, w, g, set, 1, bot.Disarm, []bot.Other{lies}); !ok || at.Dist(lies.Pos) > 1.2 {
		t.Errorf("disarming %v at %v", ok, at)
	}
	lies.OwnedBy = 3 // carried: nothing to disarm
	for _, job := range []bot.Job{bot.NoJob, bot.Fetch, bot.Defend, bot.Disarm} {
		if at, ok := works(t, w, g, set, 2, job, []bot.Other{lies}); ok {
			t.Errorf("job %d: it works at %v", job, at)
		}
	}
}
