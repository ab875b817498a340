package scenario_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// tuner is rules that change tables by a script, by the ticks that it is told.
type tuner struct {
	rules.Rules
	began  state.Tick
	script map[state.Tick]func(now state.Tick) []rules.Op
}

func (u *tuner) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if u.began == 0 {
		u.began = in.Tick
	}
	ops = u.Rules.Tick(in, ops)
	if f := u.script[in.Tick-u.began]; f != nil {
		ops = append(ops, f(in.Tick)...)
	}
	return ops
}

func to(name string, to float32, from state.Tick) rules.Op {
	return rules.SetTable(tables.Value{Name: name, To: to}, from)
}

// Rules begin a match with tables of their own and change them while it runs, eight bots
// play it: each change holds from the tick that was asked for, at the earliest a second
// later, as a whole or not at all; "back" is what the match began with; rules that take
// over forget what was still to come. Nothing is mispredicted that no outside force
// explains.
func TestRulesChangeTables(t *testing.T) {
	t.Logf("seed %d", *seed)
	cfg := config(maps{}, "pit", 8)
	cfg.Seconds = 22
	const soon = state.Tick(rate)
	u := &tuner{script: map[state.Tick]func(state.Tick) []rules.Op{
		2 * soon: func(now state.Tick) []rules.Op { // asked for in time, and too late
			return []rules.Op{to("movement.run_speed", 14, now+3*soon), to("weapon.rifle.interval_ms", 60, now+3*soon), to("sounds.step", 5, now+1)}
		},
		6 * soon: func(now state.Tick) []rules.Op { // half of it cannot be, the other half of the answer can
			return []rules.Op{
				to("movement.gravity", 9, now+2*soon), to("movement.crouch_height", 1.9, now+2*soon), to("movement.friction", 3, 0),
				to("movement.friction", float32(math.NaN()), 0), to("movement.no_such", 1, now+3*soon),
			}
		},
		8 * soon:  func(now state.Tick) []rules.Op { return []rules.Op{rules.ResetTables(0, false)} },
		10 * soon: func(now state.Tick) []rules.Op { return []rules.Op{to("movement.gravity", 3, now+5*soon)} },
		11 * soon: func(now state.Tick) []rules.Op { // as others that take over begin
			return []rules.Op{rules.ResetTables(0, true), to("movement.gravity", 30, 0), to("movement.auto_jump", 1, 0)}
		},
		14 * soon: func(now state.Tick) []rules.Op { return []rules.Op{to("movement.run_speed", 6, 0)} },
		16 * soon: func(now state.Tick) []rules.Op { return []rules.Op{rules.ResetTables(0, false)} },
	}}
	for i := range state.Tick(4) { // as many as may be announced, and then others that take over
		u.script[18*soon+i] = func(state.Tick) []rules.Op { return []rules.Op{to("movement.gravity", float32(20+i), 0)} }
	}
	u.script[18*soon+5] = func(now state.Tick) []rules.Op {
		return []rules.Op{rules.ResetTables(0, true), to("movement.run_speed", 7, 0)}
	}
	m := maps{}
	cfg.Start = func(ref string) (*server.Match, error) {
		match, err := m.start(ref)
		if err != nil {
			return nil, err
		}
		own := match.Tables
		match.Tables, err = rules.Begin(&own, []tables.Value{{Name: "movement.gravity", To: 15}})
		match.Own = &own
		if err != nil {
			return nil, err
		}
		u.Rules = duel.New()
		at := &rules.Match{Level: ref, LevelHash: match.Level.Hash, Seed: *seed, TickRate: rate, Tables: own}
		for _, s := range match.Level.Spawns {
			at.Spawns = append(at.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
		}
		match.Rules = rules.Inline(u)
		return match, u.Rules.Start(at)
	}
	var held []string
	cfg.Hooks.Tables = func(from state.Tick, _ *tables.Set, changed []tables.Value) {
		held = append(held, fmt.Sprintf("%d: %v", (from-u.began+soon/2)/soon, changed))
	}
	g, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if set, own := g.Server.Tables(); set.Movement.Gravity != 15 || own {
		t.Errorf("the match begins with a gravity of %v", set.Movement.Gravity)
	}
	for range int(cfg.Seconds) * rate {
		g.Step()
	}
	r := g.Finish()
	t.Log(r)
	if err := judge(r, 8); err != nil {
		t.Error(err)
	}
	want := []string{
		"3: [sounds.step = 5]",
		"5: [movement.run_speed = 14 weapon.rifle.interval_ms = 60]",
		"7: [movement.friction = 3]",
		"9: [movement.run_speed = 10 movement.friction = 6 weapon.rifle.interval_ms = 110 sounds.step = 18]",
		"12: [movement.gravity = 30 movement.auto_jump = 1]",
		"15: [movement.run_speed = 6]",
		"17: [movement.run_speed = 10]",
		"19: [movement.gravity = 20]", "19: [movement.gravity = 21]", "19: [movement.gravity = 22]", "19: [movement.gravity = 23]",
		"20: [movement.run_speed = 7 movement.gravity = 25 movement.auto_jump = 0]", // as soon as there was room
	}
	if len(held) == 0 || !slices.Equal(held, want) {
		t.Errorf("held:\n%s\nwant:\n%s", strings.Join(held, "\n"), strings.Join(want, "\n"))
	}
	set, _ := g.Server.Tables()
	for i, b := range g.Crew.Bots() {
		if s := b.Stats(); b.Tables().Hash() != set.Hash() || s.TablesWrong != 0 || s.TablesLacked != 0 {
			t.Errorf("bot %d: the server's tables %v, wrong %d times, lacked %d times", i, b.Tables().Hash() == set.Hash(), s.TablesWrong, s.TablesLacked)
		}
	}
	if bad := g.Server.Stats().BadOps; bad != 4 { // two of the change that contradicts, NaN, and the unknown name
		t.Errorf("%d operations were left out", bad)
	}
}
