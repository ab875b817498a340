package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// turn makes the rig's tables others from the next tick on.
func (r *rig) turn(vs ...tables.Value) {
	r.t.Helper()
	set, err := r.s.Set().With(vs)
	if err == nil {
		err = r.s.SetTables(&set)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// Tables that are set hold from the next tick on, for who falls, walks and fires; those
// that cannot be change nothing.
func TestTablesHoldFromTheNextTick(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-18, 0, 0), 0)
	r.press(1, state.BtnJump)
	r.run(2)
	r.press(1, 0)
	before := p.Vel.Z
	r.run(1)
	if d := before - p.Vel.Z; d < 0.38 || d > 0.40 { // 25 / 64
		t.Fatalf("it falls by %v in a tick", d)
	}
	before = p.Vel.Z
	r.turn(tables.Value{Name: "movement.gravity", To: 5})
	r.run(1)
	if d := before - p.Vel.Z; d < 0.07 || d > 0.09 {
		t.Errorf("it falls by %v in the first tick of other tables", d)
	}
	if old := r.s.SetAt(r.s.Tick() - 1); old.Version != 1 || r.s.SetAt(r.s.Tick()).Version != 2 {
		t.Errorf("the tick before has version %d", old.Version)
	}
	bad := *r.s.Set()
	bad.Movement.Gravity = -1
	if r.s.SetTables(&bad) == nil || r.s.Set().Movement.Gravity != 5 {
		t.Error("tables that cannot be hold")
	}
}

// A shot is tested against the body that its shooter saw: as high as it was by the tables
// of then. One that went over its head still does after it has grown, and one at a head
// that is not so high any more hits.
func TestRewoundBodiesAreOfTheTablesOfThen(t *testing.T) {
	for _, c := range []struct {
		name string
		to   []tables.Value
		high float32 // aimed at
		hit  bool    // as it was
	}{
		{"it grows", []tables.Value{{Name: "movement.stand_height", To: 2.6}, {Name: "movement.stand_eye", To: 2.4}}, 2.3, false},
		{"it shrinks", []tables.Value{{Name: "movement.stand_height", To: 1.3}, {Name: "movement.stand_eye", To: 1.2}}, 1.6, true},
	} {
		for _, rewound := range []bool{true, false} {
			r := newRig(t, nil)
			r.enter(1, vec.New(-18, 0, 0), 0)
			r.enter(2, vec.New(-6, 0, 0), 90)
			r.run(40)
			r.turn(c.to...)
			r.run(3)
			r.aim(1, vec.New(-6, 0, c.high))
			r.press(1, state.BtnFire)
			if rewound {
				r.back[1] = 8 * 256
			}
			r.run(1)
			s := r.s.LastShots()
			if len(s) != 1 {
				t.Fatalf("%d shots", len(s))
			}
			if hit := s[0].Result == sim.ShotPlayer; hit != (c.hit == rewound) {
				t.Errorf("%s, rewound %v: hit %v", c.name, rewound, hit)
			}
		}
	}
}

// What is under way goes on as it began: a rocket keeps its speed, and rounds beyond a
// smaller magazine of the new tables stay.
func TestWhatIsUnderWayGoesOn(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-18, 0, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rocket, Value: 20})
	p.Weapon, p.Next, p.WTimer = tables.Rocket, 0, 0
	r.aim(1, vec.New(10, 0, 1.56))
	r.press(1, state.BtnFire)
	r.run(1)
	r.press(1, 0)
	where := func() (at vec.V3) {
		for _, th := range r.s.Things() {
			if th.Kind == state.KindRocket {
				at = th.Pos
			}
		}
		return at
	}
	r.run(5)
	a := where()
	r.run(1)
	step := where().Dist(a)
	if step == 0 {
		t.Fatal("no rocket flies")
	}
	rounds := p.Ammo[tables.Rocket]
	r.turn(tables.Value{Name: "weapon.rocket.speed", To: 5}, tables.Value{Name: "weapon.rocket.ammo_max", To: 3}, tables.Value{Name: "weapon.rocket.ammo_spawn", To: 1}, tables.Value{Name: "weapon.rocket.ammo_pickup", To: 1})
	a = where()
	r.run(1)
	if got := where().Dist(a); got < step*0.99 || got > step*1.01 {
		t.Errorf("the rocket flew %v m in a tick, and %v after", step, got)
	}
	if p.Ammo[tables.Rocket] != rounds || rounds <= 3 {
		t.Errorf("%d rounds of %d are left", p.Ammo[tables.Rocket], rounds)
	}
	if err := r.s.Check(); err != nil {
		t.Error(err)
	}
}
