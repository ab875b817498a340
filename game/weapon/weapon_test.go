package weapon_test

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

func testSet() *tables.Set {
	s := &tables.Set{}
	s.Movement.RunSpeed = 10
	s.Weapons[tables.Rifle] = tables.Weapon{Name: "rifle", IntervalMS: 100, RaiseMS: 250, Damage: 10, SpreadDeg: 0.2,
		SpreadMove: 1, SpreadShot: 0.5, SpreadMax: 4, SpreadAim: 0.5, CoolMS: 200, AmmoMax: 100, Automatic: true}
	s.Weapons[tables.Rocket] = tables.Weapon{Name: "rocket", IntervalMS: 800, RaiseMS: 500, Projectile: true, Speed: 25,
		AmmoMax: 20, CoolMS: 100}
	return s
}

func soldier() state.Player {
	return state.Player{Flags: state.OnGround, Weapon: tables.Rifle, Owned: 1<<tables.Rifle | 1<<tables.Rocket,
		Ammo: [state.NumWeapons]uint16{0, 100, 20}, Health: 100}
}

func run(p *state.Player, set *tables.Set, rate, ticks int, cmd func(i int) state.Cmd) (fired []int, outs []weapon.Out) {
	for i := range ticks {
		o := weapon.Step(p, cmd(i), weapon.Env{Set: set, TickRate: rate, SpreadSeed: 7, Tick: state.Tick(i)})
		if o.Fired {
			fired = append(fired, i)
		}
		outs = append(outs, o)
	}
	return fired, outs
}

func hold(int) state.Cmd { return state.Cmd{Buttons: state.BtnFire} }

func TestFireRateIsExactInTicks(t *testing.T) {
	for _, c := range []struct{ rate, interval int }{{20, 2}, {30, 3}, {60, 6}, {64, 6}, {100, 10}, {128, 13}} {
		p := soldier()
		fired, _ := run(&p, testSet(), c.rate, 40*c.interval, hold)
		if len(fired) != 40 {
			t.Errorf("%d Hz: %d shots, want 40", c.rate, len(fired))
		}
		for i, f := range fired {
			if f != i*c.interval {
				t.Errorf("%d Hz: shot %d in tick %d, want %d", c.rate, i, f, i*c.interval)
			}
		}
		if p.Ammo[tables.Rifle] != 60 || p.ShotSeq != 40 {
			t.Errorf("%d Hz: ammo %d, seq %d", c.rate, p.Ammo[tables.Rifle], p.ShotSeq)
		}
	}
}

// A trigger pulled within the tick fires along the view of that moment, and from
// between the eyes; held on, the next shots go by their ticks. It changes nothing of
// the player's state.
func TestTriggerWithinTheTick(t *testing.T) {
	set := testSet()
	set.Weapons[tables.Rifle].SpreadDeg, set.Weapons[tables.Rifle].SpreadMove, set.Weapons[tables.Rifle].SpreadShot = 0, 0, 0
	env := weapon.Env{Set: set, TickRate: 64}
	before, after := vec.New(1, 0, 1), vec.New(2, 4, 1)
	for _, edge := range []uint8{0, 1, 64, 128, 255} {
		p, q := soldier(), soldier()
		p.Yaw, p.Pitch = state.AngleOf(40), state.AngleOf(3)
		q.Yaw, q.Pitch = p.Yaw, p.Pitch
		c := state.Cmd{Buttons: state.BtnFire, Edge: edge, EdgeYaw: state.AngleOf(20), EdgePitch: state.AngleOf(-10)}
		o := weapon.Step(&p, c, env)
		weapon.Step(&q, state.Cmd{Buttons: state.BtnFire}, env)
		yaw, pitch := c.EdgeYaw, c.EdgePitch
		if edge == 0 {
			yaw, pitch = p.Yaw, p.Pitch
		}
		if !o.Fired || o.Shot.Yaw != yaw || o.Shot.Pitch != pitch || o.Shot.Edge != edge || p != q {
			t.Errorf("edge %d: %+v", edge, o)
		}
		want := after.Lerp(before, float32(edge)/256)
		if got := o.Shot.Origin(before, after); got != want {
			t.Errorf("edge %d: leaves from %v, want %v", edge, got, want)
		}
		for range 20 { // held: no edge any more, whatever is claimed
			if o := weapon.Step(&p, c, env); o.Fired && (o.Shot.Edge != 0 || o.Shot.Yaw != p.Yaw) {
				t.Errorf("edge %d: a held trigger fires %+v", edge, o.Shot)
			}
		}
	}
	p := soldier() // a view beyond the vertical is as impossible as without an edge
	o := weapon.Step(&p, state.Cmd{Buttons: state.BtnFire, Edge: 9, EdgePitch: state.AngleOf(170)}, env)
	if d := o.Shot.Pitch.Deg(); d > 89.1 {
		t.Errorf("fires %v degrees up", d)
	}
}

func TestTriggerRules(t *testing.T) {
	tap := func(on ...int) func(int) state.Cmd {
		return func(i int) state.Cmd {
			for _, k := range on {
				if k == i {
					return state.Cmd{Buttons: state.BtnFire}
				}
			}
			return state.Cmd{}
		}
	}
	for _, c := range []struct {
		name string
		mod  func(p *state.Player)
		cmd  func(int) state.Cmd
		want int
	}{
		{"automatic while held", func(*state.Player) {}, hold, 10},
		{"semi-automatic once while held", func(p *state.Player) { p.Weapon = tables.Rocket }, hold, 1},
		{"semi-automatic per press", func(p *state.Player) { p.Weapon = tables.Rocket }, tap(0, 55), 2},
		{"semi-automatic too early is lost", func(p *state.Player) { p.Weapon = tables.Rocket }, tap(0, 20), 1},
		{"dead", func(p *state.Player) { p.Flags |= state.Dead }, hold, 0},
		{"spectating", func(p *state.Player) { p.Flags |= state.Spectating }, hold, 0},
		{"frozen", func(p *state.Player) { p.Flags |= state.Frozen }, hold, 0},
		{"no fire", func(p *state.Player) { p.Flags |= state.NoFire }, hold, 0},
		{"no weapon", func(p *state.Player) { p.Weapon = 0 }, hold, 0},
		{"not owned", func(p *state.Player) { p.Owned = 0 }, hold, 0},
		{"impossible weapon", func(p *state.Player) { p.Weapon = 250 }, hold, 0},
		{"three rounds", func(p *state.Player) { p.Owned, p.Ammo[1] = 2, 3 }, hold, 3},
	} {
		p := soldier()
		c.mod(&p)
		if fired, _ := run(&p, testSet(), 64, 60, c.cmd); len(fired) != c.want {
			t.Errorf("%s: %d shots, want %d", c.name, len(fired), c.want)
		}
	}
}

func TestSwitchWaitsForTheShotAndTheRaise(t *testing.T) {
	set, p := testSet(), soldier()
	_, outs := run(&p, set, 64, 60, func(i int) state.Cmd {
		c := state.Cmd{}
		switch i {
		case 0:
			c.Buttons = state.BtnFire
		case 1:
			c.Weapon = tables.Rocket // pressed for a single tick
		case 20:
			c.Buttons = state.BtnFire // still raising
		}
		return c
	})
	for i, o := range outs {
		// Shot in tick 0, 6 ticks of interval, of which one is gone; 32 of raising.
		if want := i == 1+5+32; o.Switched != want {
			t.Errorf("tick %d: switched %v", i, o.Switched)
		}
		if o.Fired != (i == 0) {
			t.Errorf("tick %d: fired %v", i, o.Fired)
		}
	}
	if p.Weapon != tables.Rocket || p.Next != 0 {
		t.Errorf("in hand %d, next %d", p.Weapon, p.Next)
	}
}

func TestChangingOnesMindNeverShortensTheWait(t *testing.T) {
	set, p := testSet(), soldier()
	env := weapon.Env{Set: set, TickRate: 64}
	weapon.Step(&p, state.Cmd{Weapon: tables.Rocket}, env)
	was := p.WTimer
	weapon.Step(&p, state.Cmd{Weapon: tables.Rifle}, env)
	if p.Next != 0 || p.Weapon != tables.Rifle || p.WTimer != was-1 {
		t.Fatalf("after going back: %+v", p)
	}
	weapon.Step(&p, state.Cmd{Weapon: 77}, env)
	weapon.Step(&p, state.Cmd{Weapon: 3}, env)
	if p.Next != 0 {
		t.Fatal("a weapon that does not exist is being raised")
	}
}

func TestEmptyClicksOnceAndRaisesAnother(t *testing.T) {
	set, p := testSet(), soldier()
	p.Ammo[tables.Rifle] = 0
	_, outs := run(&p, set, 64, 40, hold)
	dry := 0
	for _, o := range outs {
		if o.DryFire {
			dry++
		}
	}
	if dry != 1 || p.Weapon != tables.Rocket {
		t.Fatalf("%d clicks, weapon %d", dry, p.Weapon)
	}
}

func TestSpreadStaysInItsConeAndGrows(t *testing.T) {
	set := testSet()
	for seed := uint64(0); seed < 50; seed++ {
		p := soldier()
		p.Yaw, p.Pitch = state.AngleOf(float32(seed)*7), state.AngleOf(float32(seed)*3-75)
		for i := range 100 {
			cone := weapon.SpreadOf(&p, set)
			aim := vec.Forward(p.Yaw.Deg(), p.Pitch.Deg())
			o := weapon.Step(&p, state.Cmd{Buttons: state.BtnFire}, weapon.Env{Set: set, TickRate: 64, SpreadSeed: seed})
			if !o.Fired {
				continue
			}
			off := vec.Atan2(aim.Cross(o.Shot.Dir).Len(), aim.Dot(o.Shot.Dir))
			if off > cone+0.02 {
				t.Fatalf("seed %d step %d: %v degrees off in a cone of %v", seed, i, off, cone)
			}
		}
		if p.Shots == 0 {
			t.Fatal("a burst is not counted")
		}
		hot := weapon.SpreadOf(&p, set)
		run(&p, set, 64, 600, func(int) state.Cmd { return state.Cmd{} })
		if cold := weapon.SpreadOf(&p, set); p.Shots != 0 || cold != 0.2 || hot <= cold || hot > 4 {
			t.Fatalf("seed %d: hot %v, cold %v, shots %d", seed, hot, cold, p.Shots)
		}
	}
}

func TestSpreadIsAFunctionOfSeedAndNumber(t *testing.T) {
	shoot := func(seed uint64, seq uint8, tick state.Tick) weapon.Shot {
		p := soldier()
		p.ShotSeq = seq
		s := weapon.Step(&p, hold(0), weapon.Env{Set: testSet(), TickRate: 64, SpreadSeed: seed, Tick: tick}).Shot
		s.Tick = 0
		return s
	}
	if shoot(1, 5, 10) != shoot(1, 5, 999) {
		t.Error("the tick changes the spread: a late command would be predicted wrongly")
	}
	if shoot(1, 5, 0).Dir == shoot(2, 5, 0).Dir || shoot(1, 5, 0).Dir == shoot(1, 6, 0).Dir {
		t.Error("seed or number do not matter")
	}
}

func TestRocketPathIsStraightAndSteady(t *testing.T) {
	o, d := vec.New(1, 2, 3), vec.Forward(30, 10)
	for _, rate := range []int{20, 64, 128} {
		p := weapon.RocketPos(o, d, 25, float32(2*rate), rate)
		if p.Sub(o.Mad(50, d)).Len() > 1e-4 {
			t.Errorf("%d Hz: after 2 s at %v", rate, p)
		}
	}
	if weapon.RocketPos(o, d, 25, 5, 0) != o {
		t.Error("a rate of 0 moves it")
	}
}

// The hash is of every field over a long script; it must be the same on every
// platform and Go version.
func TestGoldenScript(t *testing.T) {
	set, p := testSet(), soldier()
	h := fnv.New64a()
	r := vec.NewRand(3)
	fired := 0
	for range 4000 {
		bits := r.Uint64()
		c := state.Cmd{Buttons: state.Buttons(bits&1) * state.BtnFire, Weapon: uint8(bits >> 8 & 3)}
		if bits>>16&15 != 0 {
			c.Weapon = 0
		}
		c.Edge, c.EdgeYaw, c.EdgePitch = uint8(bits>>40), state.Angle16(bits>>44), state.Angle16(bits>>48)
		p.Yaw, p.Pitch = state.Angle16(bits>>20), state.AngleOf(float32(r.Signed()*80))
		p.Vel.X = float32(r.Float() * 12)
		p.Ammo[1], p.Ammo[2] = max(p.Ammo[1], 5), max(p.Ammo[2], 2)
		o := weapon.Step(&p, c, weapon.Env{Set: set, TickRate: 64, SpreadSeed: 99})
		if o.Fired {
			fired++
		}
		if err := binary.Write(h, binary.LittleEndian, o); err != nil {
			t.Fatal(err)
		}
		if err := binary.Write(h, binary.LittleEndian, p); err != nil {
			t.Fatal(err)
		}
	}
	const want = 0x95817e74571ffd64
	if got := h.Sum64(); got != want || fired < 100 {
		t.Fatalf("hash %#x, want %#x; %d shots", got, uint64(want), fired)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	set, p := testSet(), soldier()
	if n := testing.AllocsPerRun(200, func() {
		p.Ammo[1] = 50
		weapon.Step(&p, hold(0), weapon.Env{Set: set, TickRate: 64, SpreadSeed: 1})
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

// With everything else empty a knife is raised, and it needs no ammunition.
func TestKnifeIsTheLastResort(t *testing.T) {
	set := testSet()
	set.Weapons[tables.Knife] = tables.Weapon{Name: "knife", IntervalMS: 100, RaiseMS: 100, Range: 1.5, Melee: true}
	env := weapon.Env{Set: set, TickRate: 64}
	p := &state.Player{Health: 100, Weapon: tables.Rifle, Owned: 1<<tables.Rifle | 1<<tables.Rocket | 1<<tables.Knife}
	p.Ammo[tables.Rifle], p.Ammo[tables.Rocket] = 1, 1
	used := []uint8{}
	for range 400 {
		if out := weapon.Step(p, state.Cmd{Buttons: state.BtnFire}, env); out.Fired {
			used = append(used, out.Shot.Weapon)
		}
		if len(used) > 4 {
			break
		}
		// The trigger is let go between shots, so that an empty weapon is noticed.
		weapon.Step(p, state.Cmd{}, env)
	}
	want := []uint8{tables.Rifle, tables.Rocket, tables.Knife, tables.Knife, tables.Knife}
	for i := range want {
		if len(used) <= i || used[i] != want[i] {
			t.Fatalf("used %v, want %v", used, want)
		}
	}
}
