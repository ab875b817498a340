package sim_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/game/weapon"
)

// field is open ground, 120 m square, with a wall around, a block here and there and
// two buggies.
func field(t testing.TB) *trace.World {
	t.Helper()
	b := level.NewBuilder("field")
	for _, x := range []vec.Box{
		box(-61, -61, -1, 61, 61, 0), box(-61, -61, 0, -60, 61, 5), box(60, -61, 0, 61, 61, 5),
		box(-61, -61, 0, 61, -60, 5), box(-61, 60, 0, 61, 61, 5),
		box(20, 20, 0, 24, 24, 2), box(-30, 10, 0, -26, 11, 0.3), box(10, -40, 0, 11, -20, 4), box(-40, -40, 0, -30, -38, 1),
	} {
		if err := b.AddBox(0, x, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	b.AddSpawn(vec.New(0, 0, 0.1), 0, 0)
	if !b.AddVehicle("buggy", vec.New(0, 5, 0), 0) || !b.AddVehicle("buggy", vec.New(0, -12, 0), 90) || b.AddVehicle("tank", vec.V3{}, 0) {
		t.Fatal("places of vehicles")
	}
	return trace.New(b.Build())
}

func fieldRig(t testing.TB) *rig {
	return newRig(t, func(c *sim.Config) { c.World = field(t) })
}

// use presses and lets go.
func (r *rig) use(ids ...state.ID) {
	for _, id := range ids {
		r.press(id, state.BtnUse)
	}
	r.run(1)
	for _, id := range ids {
		r.press(id, 0)
	}
	r.run(1)
}

// board puts a player into the first buggy.
func (r *rig) board(id state.ID, side float32) *state.Player {
	r.t.Helper()
	p := r.enter(id, vec.New(0, 5+side, 0.1), 0)
	r.run(2)
	r.aim(id, vec.New(0, 5, 0.6))
	r.run(1)
	r.use(id)
	if p.Vehicle == 0 {
		r.t.Fatalf("player %d did not get in from %v", id, p.Pos)
	}
	return p
}

func TestTwoWantOneSeatTheLowerHasIt(t *testing.T) {
	r := fieldRig(t)
	a, b := r.enter(7, vec.New(0, 7.2, 0.1), 0), r.enter(3, vec.New(0, 2.8, 0.1), 0)
	r.run(2)
	r.aim(7, vec.New(0, 5, 0.6))
	r.aim(3, vec.New(0, 5, 0.6))
	r.run(1)
	r.use(7, 3)
	if b.Vehicle == 0 || b.Seat != 0 || a.Vehicle == 0 || a.Seat != 1 {
		t.Errorf("3 has seat %d of %d, 7 has seat %d of %d", b.Seat, b.Vehicle, a.Seat, a.Vehicle)
	}
	if r.count(state.EvSeat) != 2 {
		t.Errorf("%d events", r.count(state.EvSeat))
	}
}

func TestAFullVehicleTakesNobody(t *testing.T) {
	r := fieldRig(t)
	for id := state.ID(1); id <= 4; id++ {
		if p := r.board(id, 2.2); int(p.Seat) != int(id)-1 {
			t.Fatalf("player %d has seat %d", id, p.Seat)
		}
	}
	p := r.enter(5, vec.New(0, 7.2, 0.1), 0)
	r.run(1)
	r.aim(5, vec.New(0, 5, 0.6))
	r.run(1)
	r.use(5)
	if p.Vehicle != 0 {
		t.Error("a fifth found a seat")
	}
	for id := state.ID(1); id <= 4; id++ { // one after another gets out, to a place of its own
		r.use(id)
		if q := r.s.Player(id); q.Vehicle != 0 {
			t.Errorf("player %d cannot get out", id)
		}
	}
}

// The hands of the driver are busy; the others may shoot.
func TestWhoMayShootFromItsSeat(t *testing.T) {
	r := fieldRig(t)
	r.board(1, 2.2)
	r.board(2, 2.2)
	r.run(40)
	r.press(1, state.BtnFire)
	r.press(2, state.BtnFire)
	r.run(20)
	for _, e := range r.log {
		if e.Kind == state.EvFire && e.Actor == 1 {
			t.Fatal("the driver shoots")
		}
	}
	if r.count(state.EvFire) == 0 {
		t.Error("the passenger does not shoot")
	}
}

func TestDriverTakesEverybodyAlong(t *testing.T) {
	r := fieldRig(t)
	d, p := r.board(1, 2.2), r.board(2, 2.2)
	r.walk(1, 127, 0)
	r.run(64)
	if d.Pos.X < 2 || p.Pos.Dist(d.Pos) > 3 || d.Car.Vel.X < 5 || p.Car != (state.Car{}) {
		t.Errorf("driver at %v (%+v), passenger at %v", d.Pos, d.Car, p.Pos)
	}
	r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 1})
	r.run(64 * 4)
	if d.Vehicle != 0 || p.Vehicle == 0 || p.Vel.Len() > 0.01 {
		t.Errorf("without its driver: %+v, passenger moves %v", d.Vehicle, p.Vel)
	}
	r.s.Leave(2)
	r.run(2)
}

func TestEndsWithItsVehicle(t *testing.T) {
	r := fieldRig(t)
	p := r.board(1, 2.2)
	q := r.enter(2, vec.New(0, -6, 0.1), 90)
	r.run(40)
	r.apply(0, rules.Op{Kind: rules.OpGive, ID: 2, Weapon: tables.Rifle, Value: 200})
	hull := vec.New(0.5, 5, 0.55)
	for range 64 * 12 {
		r.aim(2, hull)
		r.press(2, state.BtnFire)
		r.run(1)
		if p.Vehicle == 0 {
			break
		}
	}
	if p.Vehicle != 0 || r.count(state.EvExplode) != 1 || p.Alive() && p.Health > 40 || !q.Alive() {
		t.Fatalf("rider %+v, bursts %d", p, r.count(state.EvExplode))
	}
	if n := len(r.s.Vehicles(nil)); n != 1 {
		t.Errorf("%d vehicles are left", n)
	}
	r.press(2, 0)
	r.run(int(float32(rate) * (tables.Arena().Vehicles[tables.Buggy].RespawnMS/1000 + 2)))
	if n := len(r.s.Vehicles(nil)); n != 2 {
		t.Errorf("%d vehicles after its time", n)
	}
}

// Who gets out is never in a wall, wherever the vehicle stands; with no room on any
// side it stays in.
func TestExitsAreNeverInAWall(t *testing.T) {
	out, stays := 0, 0
	for seed := range uint64(40) {
		rnd := vec.NewRand(seed, 9)
		b := level.NewBuilder("nook")
		if err := b.AddBox(0, box(-30, -30, -1, 30, 30, 0), level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
		for range 14 { // blocks close around
			a := vec.Forward(float32(rnd.Signed()*180), 0).Scale(2.7 + float32(rnd.Float()*2))
			w := 0.2 + float32(rnd.Float()*0.8)
			if err := b.AddBox(0, box(a.X-w, a.Y-w, 0, a.X+w, a.Y+w, 3), level.Solid, "plain"); err != nil {
				t.Fatal(err)
			}
		}
		b.AddSpawn(vec.New(20, 20, 0.1), 0, 0)
		b.AddVehicle("buggy", vec.New(0, 0, 0), float32(rnd.Signed()*180))
		r := newRig(t, func(c *sim.Config) { c.World = trace.New(b.Build()) })
		if len(r.s.Vehicles(nil)) == 0 {
			continue
		}
		p := r.enter(1, vec.New(0, 0, 1.4), 0)
		r.run(30)
		r.aim(1, p.Pos.Sub(vec.New(0, 0, 1)))
		r.run(1)
		r.use(1)
		if p.Vehicle == 0 {
			continue
		}
		r.use(1) // r.run checks that nobody is stuck in the level
		if p.Vehicle == 0 {
			out++
		} else {
			stays++
		}
	}
	t.Logf("%d got out, %d stayed in", out, stays)
	if out < 10 {
		t.Errorf("%d got out", out)
	}
}

// In a lane as wide as the vehicle, closed in front and by another one behind, nobody
// gets out, however often use is pressed; once the other one is gone there is room.
func TestWhereThereIsNoRoomOneStaysIn(t *testing.T) {
	b := level.NewBuilder("lane")
	for _, x := range []vec.Box{
		box(-30, -10, -1, 10, 10, 0), box(-30, 1, 0, 10, 2, 4), box(-30, -2, 0, 10, -1, 4), box(2, -1, 0, 3, 1, 4),
	} {
		if err := b.AddBox(0, x, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	b.AddSpawn(vec.New(-20, 0, 0.1), 0, 0)
	if !b.AddVehicle("buggy", vec.New(0, 0, 0), 0) || !b.AddVehicle("buggy", vec.New(-3.6, 0, 0), 0) {
		t.Fatal("places of vehicles")
	}
	r := newRig(t, func(c *sim.Config) { c.World = trace.New(b.Build()) })
	cars := r.s.Vehicles(nil)
	if len(cars) != 2 {
		t.Fatalf("%d vehicles", len(cars))
	}
	p := r.enter(1, vec.New(0.5, 0, 1.4), 0)
	r.run(30)
	r.aim(1, p.Pos.Sub(vec.New(0, 0, 1)))
	r.run(1)
	r.use(1)
	if p.Vehicle == 0 || p.Seat != 0 {
		t.Fatalf("did not get in: %+v", p)
	}
	was := p.Pos
	for range 5 {
		if r.use(1); p.Vehicle == 0 || p.Seat != 0 {
			t.Fatalf("got out to %v", p.Pos)
		}
	}
	if p.Pos.Dist(was) > 0.01 {
		t.Errorf("was moved from %v to %v", was, p.Pos)
	}
	if n := r.count(state.EvSeat); n != 1 {
		t.Errorf("%d seats were changed", n)
	}
	for _, id := range cars {
		if c, ok := r.s.Vehicle(id); ok && c.Pos.X < -1 && !r.s.RemoveVehicle(id) {
			t.Fatal("the other one stays")
		}
	}
	r.use(1)
	if p.Vehicle != 0 || p.Pos.X > -1.75 || p.Pos.X < -4 {
		t.Errorf("with room behind it is at %v, in %d", p.Pos, p.Vehicle)
	}
}

func TestRunOver(t *testing.T) {
	r := fieldRig(t)
	r.board(1, 2.2)
	q := r.enter(2, vec.New(25, 5, 0.1), 90)
	r.walk(1, 127, 0)
	r.run(64 * 3)
	if q.Alive() && q.Health > 60 {
		t.Errorf("was hit and has %d health at %v", q.Health, q.Pos)
	}
}

func TestVehiclesByHand(t *testing.T) {
	r := fieldRig(t)
	id, err := r.s.AddVehicle("buggy", vec.New(-20, -20, 0), 45)
	if err != nil || id < state.FirstThing || len(r.s.Vehicles(nil)) != 3 {
		t.Fatalf("%v: %v", id, err)
	}
	for name, c := range map[string]struct {
		kind string
		pos  vec.V3
		says string
	}{
		"unknown": {"tank", vec.V3{}, `no vehicle "tank"`},
		"wall":    {"buggy", vec.New(60, 0, 0), "no room"},
		"taken":   {"buggy", vec.New(-20, -20, 0), "no room"},
		"outside": {"buggy", vec.New(0, 0, -900), "no room"},
	} {
		if _, err := r.s.AddVehicle(c.kind, c.pos, 0); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !r.s.RemoveVehicle(id) || r.s.RemoveVehicle(id) || r.s.RemoveVehicle(3) {
		t.Error("removed twice")
	}
	r.run(3)
	for range 200 { // by rules, more often than there are places
		ids := r.s.Vehicles(nil)
		r.apply(0, rules.Op{Kind: rules.OpVehicle, Value: 1, Pos: vec.New(-20, -20, 0), Yaw: 30})
		if now := r.s.Vehicles(nil); len(now) != len(ids)+1 {
			t.Fatalf("%d vehicles after %d", len(now), len(ids))
		}
		r.run(1)
		for _, id := range r.s.Vehicles(nil) {
			if c, _ := r.s.Vehicle(id); c.Pos.X < -15 {
				r.apply(0, rules.Op{Kind: rules.OpVehicle, ID: id})
			}
		}
		r.run(1)
	}
}

// A vehicle comes back when the match says, or not at all.
func TestWhenVehiclesComeBack(t *testing.T) {
	for _, c := range []struct {
		ms    float32
		ticks int
		want  int
	}{{500, rate/2 - 8, 1}, {500, rate/2 + 8, 2}, {-1, 40 * rate, 1}} {
		r := newRig(t, func(cfg *sim.Config) { cfg.World, cfg.VehiclesBackMS = field(t), c.ms })
		r.enter(1, vec.New(0, -2, 0.1), -90)
		r.run(2)
		r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rifle, Value: 400})
		for n := 0; len(r.s.Vehicles(nil)) == 2; n++ {
			if n > 20*rate {
				t.Fatal("it does not burst")
			}
			r.aim(1, vec.New(0, -12, 0.55))
			r.press(1, state.BtnFire)
			r.run(1)
		}
		r.press(1, 0)
		r.run(c.ticks)
		if n := len(r.s.Vehicles(nil)); n != c.want {
			t.Errorf("%v ms: %d vehicles after %d ticks, want %d", c.ms, n, c.ticks, c.want)
		}
	}
}

// A driver that replays its commands on an old state gets what the server has, bit for
// bit, unless Forced says that something else acted.
func TestADriverPredictsItsVehicle(t *testing.T) {
	r := fieldRig(t)
	p := r.board(1, 2.2)
	rnd := vec.NewRand(4)
	var old state.Player
	var cmds []state.Cmd
	set := r.s.Set()
	right, forced := 0, 0
	for n := range 64 * 40 {
		if n%12 == 0 {
			old, cmds = *p, cmds[:0]
		}
		if n%50 == 0 {
			c := r.cmds[1]
			c.Forward, c.Right = int8(rnd.Intn(255)-127), int8(rnd.Intn(255)-127)
			if rnd.Intn(2) == 0 {
				c.Forward = 127
			}
			r.cmds[1] = c
		}
		r.run(1)
		cmds = append(cmds, r.cmds[1])
		if n%12 != 11 {
			continue
		}
		if old.Forced != p.Forced {
			forced++
			continue
		}
		q := old
		scene := r.s.Scene()
		for _, c := range cmds {
			c = vehicle.Hands(&q, set.Vehicles[:], c)
			pmove.Step(&q, c, pmove.Env{World: &scene, Move: &set.Movement, TickRate: rate, Vehicles: set.Vehicles[:]})
			weapon.Step(&q, c, weapon.Env{Set: set, TickRate: rate, SpreadSeed: r.s.SpreadSeed(1)})
		}
		if q != *p {
			t.Fatalf("tick %d: predicted\n%+v, is\n%+v", n, q, *p)
		}
		right++
	}
	t.Logf("%d right, %d forced", right, forced)
	if right < 150 {
		t.Errorf("%d right", right)
	}
}
