package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// predictor is what a client knows when a state of tick at reaches it, and the
// commands that it has made since.
type predictor struct {
	at    state.Tick
	p     state.Player
	doors []state.DoorState
	cmds  []state.Cmd
}

// run replays the commands from what was known.
func (c *predictor) run(s *sim.Sim, seed uint64) state.Player {
	l := s.Scene().W.Level()
	now, before := make([]level.Pose, len(l.Models)), make([]level.Pose, len(l.Models))
	p := c.p
	scene := &trace.Scene{W: s.Scene().W, Poses: now}
	for i, cmd := range c.cmds {
		tick := c.at + state.Tick(i) + 1
		scenery.Poses(l, c.doors, tick-1, 0, s.TickRate(), before)
		scenery.Poses(l, c.doors, tick, 0, s.TickRate(), now)
		pmove.Step(&p, cmd, pmove.Env{
			World: scene, Move: &s.Set().Movement, TickRate: s.TickRate(), Pads: l.Pads, Poses: now, Before: before,
			AimSpeed: weapon.AimSpeed(&p, s.Set()),
		})
		weapon.Step(&p, cmd, weapon.Env{Set: s.Set(), TickRate: s.TickRate(), SpreadSeed: seed})
	}
	p.Health, p.Armor, p.Team = 0, 0, 0
	return p
}

// A client that replays its commands on an old state gets what
// the server has, bit for bit, unless Forced says that something else acted.
func TestForcedExplainsEveryPredictionError(t *testing.T) {
	same, forced := 0, 0
	for _, lag := range []int{2, 10, 20} {
		for seed := range uint64(2) {
			a, b := predictCrowd(t, lag, seed)
			same, forced = same+a, forced+b
		}
	}
	t.Logf("%d predictions right, %d forced", same, forced)
	if same < 4000 || forced < 500 {
		t.Errorf("%d right and %d forced prove little", same, forced)
	}
}

func predictCrowd(t *testing.T, lag int, seed uint64) (same, forced int) {
	c := newCrowd(t, 12, seed)
	known := make([]predictor, 12)
	s := c.r.s
	for range 1000 {
		c.step()
		for i := range c.in {
			id, k := c.in[i].ID, &known[i]
			now := *s.Player(id)
			k.cmds = append(k.cmds, c.in[i].Cmd)
			if len(k.cmds) == lag && k.at != 0 {
				got := k.run(s, s.SpreadSeed(id))
				want := now
				want.Health, want.Armor, want.Team = 0, 0, 0
				switch {
				case now.Forced != k.p.Forced:
					forced++
				case got != want:
					t.Fatalf("lag %d seed %d tick %d player %d: predicted\n%+v, is\n%+v", lag, seed, s.Tick(), id, got, want)
				default:
					same++
				}
			}
			if len(k.cmds) == lag || k.at == 0 {
				*k = predictor{at: s.Tick(), p: now, doors: append([]state.DoorState(nil), s.Doors()...), cmds: k.cmds[:0]}
			}
		}
	}
	return same, forced
}

// The shipped rules and the world together, from warmup to the end of a match.
func TestDuelPlaysOut(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.Set = tables.Arena() })
	l := r.s.Scene().W.Level()
	d := duel.New()
	m := &rules.Match{Level: l.Name, Seed: 3, TickRate: rate, Tables: *r.s.Set(),
		Settings: map[string]string{"frag_limit": "0", "time_limit_s": "20", "warmup_s": "1", "over_s": "1"}}
	for _, sp := range l.Spawns {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: sp.Pos, Yaw: sp.Yaw, Team: uint8(sp.Team)})
	}
	if err := d.Start(m); err != nil {
		t.Fatal(err)
	}
	run := rules.Inline(d)
	in := rules.TickIn{}
	for id := state.ID(1); id <= 4; id++ {
		r.s.Join(id, 0)
		in.Joined = append(in.Joined, rules.Member{ID: id})
	}
	rnd := vec.NewRand(9)
	phases, spawns := []rules.Phase{}, 0
	for range 23 * rate {
		ops := run.Take()
		r.apply(0, ops...)
		for _, op := range ops {
			switch op.Kind {
			case rules.OpPhase:
				phases = append(phases, op.Value)
			case rules.OpSpawn:
				spawns++
			}
		}
		for _, id := range r.s.IDs() {
			if rnd.Intn(10) == 0 {
				target := r.s.IDs()[rnd.Intn(4)]
				r.aim(id, r.s.Eye(target))
				c := r.cmds[id]
				c.Forward, c.Buttons = int8(rnd.Intn(2)*127), state.Buttons(rnd.Intn(2))*state.BtnFire
				r.cmds[id] = c
			}
		}
		r.run(1)
		in.Tick, in.Events = r.s.Tick(), r.s.Events()
		in.Players = r.s.RulesRows(in.Players[:0])
		run.Submit(&in)
		in.Joined = in.Joined[:0]
	}
	if len(phases) != 4 || phases[1] != rules.Live || phases[2] != rules.Over || spawns < 12 || r.count(state.EvKill) < 4 {
		t.Errorf("phases %v, %d spawns, %d kills", phases, spawns, r.count(state.EvKill))
	}
}
