package scenario_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
)

// overheard passes every word of a game's rules on to a test.
type overheard struct {
	rules.Rules
	hear func(op *rules.Op)
}

func (o *overheard) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	ops = o.Rules.Tick(in, ops)
	for i := range ops {
		o.hear(&ops[i])
	}
	return ops
}

// startWith makes a match of the rules, as a server does: with the level's zones.
func (m maps) startWith(spec rules.Spec, set map[string]string, hear func(*rules.Op)) func(string) (*server.Match, error) {
	return func(ref string) (*server.Match, error) {
		match, err := m.start(ref)
		if err != nil {
			return nil, err
		}
		r := spec.New()
		at := &rules.Match{Level: ref, LevelHash: match.Level.Hash, Seed: *seed, TickRate: rate, Tables: tables.Arena(), Settings: set}
		for _, s := range match.Level.Spawns {
			at.Spawns = append(at.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
		}
		for _, z := range match.Level.Zones {
			at.Zones = append(at.Zones, rules.Zone{Name: z.Name, Box: z.Box})
		}
		if err := r.Start(at); err != nil {
			return nil, err
		}
		match.Rules, match.Range, match.VehicleRange = rules.Inline(&overheard{r, hear}), vis.DefaultRange, vis.DefaultRange
		return match, nil
	}
}

// Eight bots in the yard under each of the games, for a third of -seconds and, with the
// bomb, for all of them: nothing is mispredicted
// that no outside force explains, nobody stands about, doors are used, panes and crates
// break, and in rounds of the bomb it is planted, and rounds go by.
func TestBotsPlayTheYard(t *testing.T) {
	for _, game := range []struct {
		spec   rules.Spec
		set    map[string]string
		thirds float64
		skill  float32 // 0: the usual
	}{
		{duel.Spec(), nil, 1, 0},
		{teams.Spec(), nil, 1, 0},
		{bomb.Spec(), map[string]string{"warmup_s": "1", "freeze_s": "1", "round_s": "25", "bomb_s": "5", "after_s": "1", "plant_ms": "800", "defuse_ms": "3000"}, 3, 0.05}, // of good shots no attacker gets as far
	} {
		t.Run(game.spec.Name, func(t *testing.T) {
			m, said := maps{}, map[string]int{}
			cfg := config(m, "yard", 8)
			cfg.Seconds *= game.thirds / 3
			if testing.Short() {
				cfg.Seconds = 10
			}
			cfg.Start = m.startWith(game.spec, game.set, func(op *rules.Op) {
				if op.Kind == rules.OpAnnounce {
					said[op.Text]++
				}
			})
			if game.skill > 0 {
				cfg.Skill = game.skill
			}
			g, opened, broken := &gait{}, map[int]bool{}, map[int]bool{}
			cfg.Each = func(m *scenario.Match) {
				g.watch(m)
				for i, d := range m.Server.World().Doors() {
					if d.Open {
						opened[i] = true
					}
				}
				for i, p := range m.Server.World().Pieces() {
					if p.Broken {
						broken[i] = true
					}
				}
			}
			r, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			g.kills = r.Kills
			t.Logf("seed %d: %v", *seed, r)
			t.Logf("%v; %d doors opened, %d pieces broken; said %v", g, len(opened), len(broken), said)
			if err := judge(r, 8); err != nil {
				t.Error(err)
			}
			if s := g.stuckShare(); s > 0.07 && game.spec.Name != "bomb" { // there they stand before a round
				t.Errorf("the bots stood for %.0f %% of their time", 100*s)
			}
			if testing.Short() {
				return
			}
			if len(opened) == 0 || len(broken) == 0 {
				t.Errorf("%d doors opened and %d pieces broken", len(opened), len(broken))
			}
			if game.spec.Name == "bomb" {
				rounds, planted := 0, said["The bomb is planted."]
				for text, n := range said {
					if strings.Contains(text, "wins the round") {
						rounds += n
					}
				}
				if rounds == 0 || planted == 0 {
					t.Errorf("%d rounds, planted %d times: %v", rounds, planted, said)
				}
			}
		})
	}
}
