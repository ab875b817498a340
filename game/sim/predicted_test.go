package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// thrown lets player 3 hit player 1, who runs and shoots at player 2 three ticks
// later, knowing the world as of so many ticks before the shot. It returns the record
// and the eye that the client of 1 predicts.
func thrown(t *testing.T, knows state.Tick, knock float32, change func(*rig)) (sim.ShotRecord, vec.V3, vec.V3) {
	t.Helper()
	r := newRig(t, func(c *sim.Config) { c.Set.Weapons[tables.Rifle].Knockback = knock })
	p := r.enter(1, vec.New(-18, -2, 0), 90)
	r.enter(2, vec.New(-6, 2, 0), 0)
	r.enter(3, vec.New(-18, -14, 0), 90)
	r.walk(1, 127, 90)
	r.run(20)
	var states []state.Player
	var cmds []state.Cmd
	run := func() {
		r.run(1)
		states, cmds = append(states, *p), append(cmds, r.cmds[1])
	}
	for range 10 {
		run()
	}
	r.aim(3, p.Pos.Add(vec.New(0, p.Vel.Y/rate, 1.2)))
	r.press(3, state.BtnFire)
	run()
	r.press(3, 0)
	if s := r.s.LastShots(); len(s) != 1 || s[0].Target != 1 {
		t.Fatalf("3 does not hit 1: %+v", s)
	}
	run()
	run()
	if change != nil {
		change(r)
	}
	r.had = map[state.ID]state.Tick{1: r.s.Tick() + 1 - knows}
	r.press(1, state.BtnFire)
	// What the client of 1 predicts: its commands from the state that it knows.
	at := len(states) - int(knows)
	c := predictor{at: r.had[1], p: states[at], doors: r.s.Doors(), cmds: append(append([]state.Cmd(nil), cmds[at+1:]...), r.cmds[1])}
	mine := c.run(r.s, r.s.SpreadSeed(1))
	predicted := pmove.Eye(&mine, &r.s.Set().Movement)
	r.run(1)
	for _, s := range r.s.LastShots() {
		if s.Shooter == 1 {
			return s, predicted, pmove.Eye(p, &r.s.Set().Movement)
		}
	}
	t.Fatal("1 does not fire")
	return sim.ShotRecord{}, predicted, predicted
}

// Somebody who was thrown, and does not know it yet, shoots from where its client
// shows it, to the bit; who knows it shoots from where it is.
func TestShotsOfTheThrownLeaveFromWhereTheyWereShown(t *testing.T) {
	s, predicted, eye := thrown(t, 6, 0.5, nil)
	if !s.Replayed || s.Origin != predicted || eye.Dist(predicted) < 0.1 {
		t.Fatalf("from %v, predicted %v, true eye %v: %+v", s.Origin, predicted, eye, s)
	}
	s, predicted, eye = thrown(t, 2, 0.5, nil)
	if s.Replayed || s.Origin != eye || predicted != eye {
		t.Fatalf("knew it: from %v, predicted %v, true eye %v", s.Origin, predicted, eye)
	}
}

// Within reach and within a life: otherwise from the true eye.
func TestThrownFarOrElsewhereShootFromTheTrueEye(t *testing.T) {
	if s, predicted, eye := thrown(t, 6, 5, nil); s.Replayed || s.Origin != eye || eye.Dist(predicted) < 1.5 {
		t.Errorf("thrown %v m: %+v", eye.Dist(predicted), s)
	}
	teleported := func(r *rig) {
		r.apply(0, rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(-17, -3, 0), Yaw: 90})
	}
	if s, _, eye := thrown(t, 6, 0.5, teleported); s.Replayed || s.Origin != eye {
		t.Errorf("teleported: %+v", s)
	}
}

// However many shoot in a tick, a bounded number of them is replayed, and a tick with
// them allocates nothing.
func TestReplaysAreBoundedAndAllocateNothing(t *testing.T) {
	r := newRig(t, nil)
	r.had = map[state.ID]state.Tick{}
	const n = 20
	in := make([]sim.Input, n)
	for i := range n {
		id := state.ID(i + 1)
		r.enter(id, vec.New(-18+float32(i%5)*2, -4+float32(i/5)*3, 0), 0)
		in[i] = sim.Input{ID: id, Tracked: true}
	}
	r.run(30)
	most, all := 0, 0
	step := func() {
		for i := range in {
			in[i].Cmd = state.Cmd{Tick: r.s.Tick() + 1, Buttons: state.BtnFire, Forward: 100, Yaw: state.Angle16(i * 3000)}
			in[i].Had = r.s.Tick() - 7
			r.s.Player(in[i].ID).Forced++ // pushed, for all that the client knows
			r.s.Player(in[i].ID).Health = 100
		}
		r.s.Step(in)
		replayed := 0
		for _, s := range r.s.LastShots() {
			if s.Replayed {
				replayed++
			}
		}
		most, all = max(most, replayed), all+replayed
	}
	for range 30 {
		step()
	}
	if a := testing.AllocsPerRun(60, step); a != 0 {
		t.Errorf("%v allocations a tick", a)
	}
	if most == 0 || most > 8 || all < 20 {
		t.Errorf("%d replayed in a tick at most, %d in all", most, all)
	}
}
