package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// raise takes a weapon into the hand.
func (r *rig) raise(id state.ID, w uint8) {
	r.t.Helper()
	c := r.cmds[id]
	c.Buttons, c.Weapon = 0, w
	r.cmds[id] = c
	r.run(80)
	c.Weapon = 0
	r.cmds[id] = c
	if r.s.Player(id).Weapon != w {
		r.t.Fatalf("holds %d, not %d", r.s.Player(id).Weapon, w)
	}
}

// A thrown grenade bounces, comes to lie on the floor, goes off at its fuse, and leaves
// a cloud that grows, lasts and goes, whose piece is gone from the hand.
func TestSmokeIsThrownAndGoes(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-15, 0, 0), 90)
	r.raise(1, tables.SmokeGrenade)
	r.shot(1)
	if p.Ammo[tables.SmokeGrenade] != 0 {
		t.Errorf("%d are left", p.Ammo[tables.SmokeGrenade])
	}
	w := &r.s.Set().Weapons[tables.SmokeGrenade]
	fuse := int(w.FuseMS*rate/1000 + 0.5)
	r.run(fuse - 1)
	if len(r.s.Smokes()) != 0 || r.count(state.EvBounce) == 0 {
		t.Fatalf("before the fuse: %d clouds, %d bounces", len(r.s.Smokes()), r.count(state.EvBounce))
	}
	r.run(1)
	if len(r.s.Smokes()) != 1 || r.count(state.EvSmoke) != 1 {
		t.Fatalf("at the fuse: %d clouds", len(r.s.Smokes()))
	}
	c := r.s.Smokes()[0]
	if c.Pos.Z < 0 || c.Pos.Z > 13 || c.Pos.X < -21 || c.Pos.Y > 20 {
		t.Errorf("the cloud is at %v", c.Pos)
	}
	if p.Weapon == tables.SmokeGrenade {
		t.Error("the empty hand is still up")
	}
	for _, th := range r.s.Things() {
		if th.Kind == state.KindGrenade {
			t.Error("the grenade is still there")
		}
	}
	e := c.Entity()
	if back := state.SmokeOf(&e, r.s.Tick()); back != c {
		t.Errorf("sent %+v, read %+v", c, back)
	}
	r.run(int(scenery.SmokeTicks(rate)))
	if len(r.s.Smokes()) != 0 {
		t.Error("the cloud stays")
	}
}

// A burst makes a hole in the clouds it reaches, unless a wall stands between, and not
// in what begins after it.
func TestBurstBlowsAHole(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    vec.V3
		later bool
		want  int
	}{
		{"inside", vec.New(-10, 1, 2), false, 1},
		{"behind the wall", vec.New(2, 5, 2), false, 0},
		{"before the smoke", vec.New(-10, 1, 2), true, 0},
		{"too far", vec.New(-10, 14, 2), false, 0},
	} {
		r := newRig(t, nil)
		r.run(1)
		middle := vec.New(-10, 0, 2)
		if c.at.X > 0 {
			middle = vec.New(-2, 5, 2)
		}
		if !c.later {
			r.s.Smoke(middle, 0, tables.SmokeGrenade)
			r.run(200)
		}
		r.s.Blast(c.at, 3.125)
		if c.later {
			r.s.Smoke(middle, 0, tables.SmokeGrenade)
		}
		r.run(1)
		if n := len(r.s.Holes()); n != c.want {
			t.Errorf("%s: %d holes, want %d", c.name, n, c.want)
		}
		r.run(int(scenery.HoleTicks(rate)) + rate + 1)
		if n := len(r.s.Holes()); n != 0 {
			t.Errorf("%s: %d holes stay", c.name, n)
		}
	}
}

// A flash blinds who has it in view: not who looks away, is behind a wall or in smoke.
// Blindness runs out by itself, as its client predicts it.
func TestFlashBlindsWhoLooks(t *testing.T) {
	r := newRig(t, nil)
	looks := r.enter(1, vec.New(-15, 0, 0), 0)
	away := r.enter(2, vec.New(-15, 5, 0), 180)
	walled := r.enter(3, vec.New(6, 5, 0), 180)
	smoked := r.enter(4, vec.New(-15, -16, 0), 45)
	r.s.Smoke(vec.New(-15, -16, 1), 0, tables.SmokeGrenade)
	r.run(rate * 4)
	r.s.Flash(vec.New(-8, 0, 1.5), 0, tables.FlashGrenade)
	if looks.Blind == 0 || away.Blind != 0 || walled.Blind != 0 || smoked.Blind != 0 {
		t.Fatalf("blind: looking %d, away %d, behind the wall %d, in smoke %d", looks.Blind, away.Blind, walled.Blind, smoked.Blind)
	}
	w := &r.s.Set().Weapons[tables.FlashGrenade]
	if scenery.Blinded(looks.Blind, w.FadeMS, rate) == 0 || scenery.White(looks.Blind, w.FadeMS, rate) != 1 {
		t.Errorf("%d ticks are not all white", looks.Blind)
	}
	left := int(looks.Blind)
	r.run(left - 1)
	if looks.Blind != 1 {
		t.Errorf("%d ticks are left", looks.Blind)
	}
	r.run(1)
	if looks.Blind != 0 || r.count(state.EvFlash) != 1 {
		t.Errorf("%d ticks are left, %d flashes", looks.Blind, r.count(state.EvFlash))
	}
}

// A shot through smoke hits as any other, and its record says that it went through
// smoke as the shooter saw it: not what began since.
func TestShotThroughSmoke(t *testing.T) {
	for _, c := range []struct {
		name   string
		before int // ticks before the shot in which the smoke begins
		back   uint32
		want   bool
	}{
		{"smoke for long", 250, 0, true},
		{"no smoke", 0, 0, false},
		{"seen before it began", 6, 10 * 256, false},
		{"seen after it began", 20, 4 * 256, true},
	} {
		r := newRig(t, nil)
		r.enter(1, vec.New(-18, 0, 0), 0)
		r.enter(2, vec.New(-8, 0, 0), 180)
		r.run(80)
		r.aim(1, r.s.Eye(2))
		if c.before > 0 {
			r.s.Smoke(vec.New(-13, 0, 1.5), 0, tables.SmokeGrenade)
			r.run(c.before)
		}
		r.back = map[state.ID]uint32{1: c.back}
		rec := r.shot(1)
		if rec.Target != 2 || rec.Smoked != c.want {
			t.Errorf("%s: hit %d, through smoke %v, want %v", c.name, rec.Target, rec.Smoked, c.want)
		}
	}
}
