package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

func TestShotHitsWhatItIsAimedAt(t *testing.T) {
	for _, c := range []struct {
		name string
		z    float32
		part hitbox.Part
		want int32
	}{{"head", 1.56, hitbox.Head, 24}, {"chest", 1.2, hitbox.Chest, 12}, {"belt", 0.85, hitbox.Pelvis, 12}, {"knee", 0.4, hitbox.Legs, 11}} {
		r := newRig(t, nil)
		r.enter(1, vec.New(-15, -15, 0), 0)
		p := r.enter(2, vec.New(-5, -15, 0), 180)
		r.run(5)
		r.aim(1, p.Pos.Add(vec.New(0, 0, c.z)))
		s := r.shot(1)
		if s.Result != sim.ShotPlayer || s.Target != 2 || s.Part != c.part || s.Damage != c.want || int32(p.Health) != 100-c.want {
			t.Errorf("%s: %+v, health %d", c.name, s, p.Health)
		}
		if r.count(state.EvHit) != 1 || r.count(state.EvHurt) != 1 || r.count(state.EvFire) != 1 || r.count(state.EvImpact) != 0 {
			t.Errorf("%s: events %+v", c.name, r.log)
		}
	}
}

// The target runs across; the shooter aims at where it was a while ago.
func TestRewoundShotHitsWhatWasSeen(t *testing.T) {
	for _, c := range []struct {
		name          string
		aimBack, back uint32 // ticks
		want          sim.ShotResult
	}{
		{"seen 8 ticks ago, rewound", 8, 8, sim.ShotPlayer},
		{"seen 8 ticks ago, not rewound", 8, 0, sim.ShotWorld},
		{"aimed at the present, rewound", 0, 8, sim.ShotWorld},
		{"aimed at the present, not rewound", 0, 0, sim.ShotPlayer},
		{"at the cap", 16, 16, sim.ShotPlayer},
		{"seen beyond the cap", 24, 24, sim.ShotWorld},
		{"forged beyond everything", 8, 1 << 20, sim.ShotWorld},
	} {
		r := newRig(t, nil)
		r.enter(1, vec.New(-18, -2, 0), 0)
		p := r.enter(2, vec.New(-6, -18, 0), 90)
		r.walk(2, 127, 90)
		var trail []vec.V3
		for range 60 {
			r.run(1)
			trail = append(trail, p.Pos)
		}
		// The shot falls in the next tick, in which the target runs on.
		next := trail[59].Add(p.Vel.Scale(1.0 / rate))
		trail = append(trail, next)
		r.aim(1, trail[60-c.aimBack].Add(vec.New(0, 0, 1.2)))
		r.back[1] = c.back * 256
		before := *p
		s := r.shot(1)
		if s.Tick != 61 || s.Result != c.want {
			t.Errorf("%s: %+v", c.name, s)
		}
		if want := min(c.back*256, 16*256); s.Used256 != want || s.Claimed256 != c.back*256 {
			t.Errorf("%s: rewound by %d, want %d", c.name, s.Used256, want)
		}
		if d := p.Pos.Sub(next).Len(); d > 0.01 || p.Teleports != before.Teleports {
			t.Errorf("%s: the rewind moved the living target by %v", c.name, d)
		}
	}
}

// A trigger pulled within a tick fires at that moment: from where the eye was, along
// the view and at others as they were shown then, one and the same instant. Both run
// across each other's line.
func TestTriggerWithinTheTickFiresThen(t *testing.T) {
	for _, edge := range []uint8{0, 64, 128, 255} {
		r := newRig(t, nil)
		p := r.enter(1, vec.New(-18, -12, 0), 90)
		q := r.enter(2, vec.New(-6, -18, 0), 90)
		r.walk(1, 127, 90)
		r.walk(2, 127, 90)
		r.run(40)
		// Where both will be at the moment: they run evenly.
		back := float32(4) + float32(edge)/256
		eye := r.s.Eye(1).Mad((1-float32(edge)/256)/rate, p.Vel)
		seen := q.Pos.Mad((1-back)/rate, q.Vel).Add(vec.New(0, 0, 1.2))
		yaw, pitch := vec.Angles(seen.Sub(eye))
		c := r.cmds[1]
		c.Edge, c.EdgeYaw, c.EdgePitch, c.Buttons = edge, state.AngleOf(yaw), state.AngleOf(pitch), state.BtnFire
		if edge == 0 {
			c.Yaw, c.Pitch = c.EdgeYaw, c.EdgePitch
		}
		r.cmds[1] = c
		r.back[1] = 4 * 256
		r.run(1)
		s := r.s.LastShots()[0]
		if s.Result != sim.ShotPlayer || s.Target != 2 || s.Part != hitbox.Chest || s.Used256 != 4*256+uint32(edge) {
			t.Errorf("edge %d: %+v", edge, s)
		}
		if edge != 0 && s.Origin.Dist(eye) > 0.01 {
			t.Errorf("edge %d: from %v, want %v", edge, s.Origin, eye)
		}
		for _, e := range r.log {
			if e.Kind == state.EvFire && (e.Pos != s.Origin || e.Yaw != c.EdgeYaw) {
				t.Errorf("edge %d: told of %+v", edge, e)
			}
		}
	}
}

func TestHalfTickRewindIsBlended(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-18, -2, 0), 0)
	p := r.enter(2, vec.New(-6, -18, 0), 90)
	r.walk(2, 127, 90)
	r.run(50)
	r.back[1] = 256*4 + 128
	r.run(1)
	at, _ := r.s.History().Back(256*4 + 128)
	mid, ok := r.s.History().At(2, at)
	want := p.Pos.Y - float32(p.Vel.Y*4.5)/rate
	if !ok || vec.Abs(mid.Pos.Y-want) > 1.0/128 {
		t.Fatalf("at %v, want y %v", mid.Pos, want)
	}
}

func TestRespawnedBodyIsNotHitAtItsOldPlace(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-18, -2, 0), 0)
	r.enter(2, vec.New(-6, -2, 0), 0)
	r.run(30)
	r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 2})
	r.apply(0, rules.Op{Kind: rules.OpSpawn, ID: 2, Pos: vec.New(10, 0, 0)})
	r.back[1] = 8 * 256
	r.aim(1, vec.New(-6, -2, 1.2))
	if s := r.shot(1); s.Result != sim.ShotGone || s.Target != 2 || s.Damage != 0 || r.s.Player(2).Health != 100 {
		t.Fatalf("hit %+v", s)
	}
}

func TestDeadDoNotStopBullets(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-18, -2, 0), 0)
	r.enter(2, vec.New(-12, -2, 0), 0)
	r.enter(3, vec.New(-6, -2, 0), 0)
	r.run(20)
	r.aim(1, vec.New(-6, -2, 1.2))
	if s := r.shot(1); s.Target != 2 {
		t.Fatalf("the near one was not hit: %+v", s)
	}
	r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 2})
	r.run(20)
	if s := r.shot(1); s.Target != 3 {
		t.Fatalf("the dead one stops bullets: %+v", s)
	}
}

func TestShotsSeeDoorsAsTheShooterDid(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-15, 0, 0), 0)
	r.enter(2, vec.New(15, 0, 0), 180)
	r.run(10)
	r.aim(1, vec.New(15, 0, 1.2))
	if s := r.shot(1); s.Result != sim.ShotWorld || vec.Abs(s.HitPos.X+0.25) > 0.01 {
		t.Fatalf("a closed door lets a shot through: %+v", s)
	}
	r.apply(0, rules.Op{Kind: rules.OpDoor, Value: 0, Value2: 1})
	r.run(20) // open up to 1.9 m
	if s := r.shot(1); s.Target != 2 {
		t.Fatalf("an open door stops a shot: %+v", s)
	}
	r.back[1] = 16 * 256
	r.run(6)
	r.apply(0, rules.Op{Kind: rules.OpDoor, Value: 0, Value2: 0})
	r.run(25) // closed again, but at the shooter's screen still open enough
	if now := r.s.Scene(); !now.Blocked(vec.New(-15, 0, 1.4), vec.New(15, 0, 1.4), 1) {
		t.Fatal("the door should be nearly closed by now")
	}
	if s := r.shot(1); s.Target != 2 {
		t.Fatalf("the shot met the door of the present: %+v", s)
	}
}

func TestDoorOpensWaitsAndCloses(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-10, 0, 0), 0)
	r.run(5)
	r.walk(1, 127, 0)
	forced := p.Forced
	r.run(120)
	if p.Pos.X < 5 {
		t.Fatalf("the door never let it through: at %v", p.Pos)
	}
	if p.Forced == forced {
		t.Error("a client that predicted a closed door has no explanation")
	}
	if r.count(state.EvDoor) != 1 {
		t.Errorf("%d door events", r.count(state.EvDoor))
	}
	r.run(250)
	if r.s.Doors()[0].Open || r.s.Scene().Poses[doorModel].Off.Z != 0 || r.count(state.EvDoor) != 2 {
		t.Errorf("the door did not close: %+v", r.s.Doors()[0])
	}
}

func TestClosingDoorSparesWhoStandsInIt(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.World.Level().Doors[0].Trigger = box(-30, -30, -30, -29, -29, -29) })
	r.apply(0, rules.Op{Kind: rules.OpDoor, Value: 0, Value2: 1})
	r.run(40)
	p := r.enter(1, vec.New(0, 0, 0), 0)
	r.run(400)
	if !p.Alive() || p.Health != 100 {
		t.Fatalf("crushed: health %d", p.Health)
	}
	if n := r.count(state.EvDoor); n < 4 {
		t.Errorf("the door turned %d times, want it to try again and again", n)
	}
	r.walk(1, 127, 0)
	r.run(250)
	if r.s.Doors()[0].Open || r.s.Scene().Poses[doorModel].Off.Z != 0 {
		t.Error("it does not close when free")
	}
}

func TestLiftCarries(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(10, 10, 0.3), 0)
	top, ground, lifted := float32(0), 0, 0
	for range 400 {
		was, stood := p.Pos, p.Ground == liftModel
		r.run(1)
		by := r.s.Carried(1)
		if by.Z > 1 {
			lifted++
		}
		if stood && p.Ground == liftModel && by.Scale(1.0/rate).Dist(p.Pos.Sub(was)) > 1e-3 {
			t.Fatalf("at %v it is taken along by %v, and came from %v", p.Pos, by, was)
		}
		top = max(top, p.Pos.Z)
		if p.Flags&state.OnGround != 0 && p.Ground == liftModel {
			ground++
		}
	}
	if vec.Abs(top-4.25) > 0.05 || ground < 350 || lifted < 50 {
		t.Fatalf("highest %v, on the lift for %d ticks, taken up for %d", top, ground, lifted)
	}
	if p.Health != 100 {
		t.Errorf("the ride hurts: %d", p.Health)
	}
}

// Who rides a lift is shown it where it is predicted, not where it was when others
// were seen: a shot at the floor strikes it under the feet.
func TestARiderShootsItsLiftWhereItIs(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(10, 10, 0.25), 0)
	for range 200 {
		r.run(1)
		if z := p.Pos.Z; z > 1 && z < 3 {
			break
		}
	}
	if p.Ground != liftModel {
		t.Fatalf("stands on %d at %v", p.Ground, p.Pos)
	}
	c := r.cmds[1]
	c.Pitch = state.AngleOf(-89)
	r.cmds[1] = c
	r.back[1] = 8 * 256
	s := r.shot(1)
	if s.Used256 != 8*256 || vec.Abs(s.HitPos.Z-p.Pos.Z) > 0.02 {
		t.Errorf("rewound by %d, struck at %v, stands at %v", s.Used256, s.HitPos, p.Pos)
	}
}

func TestTeleport(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-12, 8, 0), 180)
	r.run(5)
	tele, forced := p.Teleports, p.Forced
	r.walk(1, 127, 180)
	for p.Pos.X < 0 {
		r.run(1)
		if r.s.Tick() > 200 {
			t.Fatal("never arrived")
		}
	}
	if p.Teleports != tele+1 || p.Forced == forced || p.Yaw != state.AngleOf(-90) {
		t.Errorf("teleports %d, yaw %v", p.Teleports, p.Yaw.Deg())
	}
	if p.Vel.Y > -9 || vec.Abs(p.Vel.X) > 0.1 {
		t.Errorf("leaves it at %v", p.Vel)
	}
	if r.count(state.EvTeleport) != 2 {
		t.Errorf("%d teleport events", r.count(state.EvTeleport))
	}
}

func TestTelefrag(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-12, 8, 0), 180)
	victim := r.enter(2, vec.New(16, 16, 0), 0)
	r.walk(1, 127, 180)
	r.run(60)
	if victim.Alive() || !r.s.Player(1).Alive() {
		t.Fatal("nobody, or the wrong one, was killed")
	}
	for _, e := range r.log {
		if e.Kind == state.EvKill && (e.Actor != 1 || e.Target != 2) {
			t.Errorf("kill %+v", e)
		}
	}
}

func TestPickups(t *testing.T) {
	for _, c := range []struct {
		name string
		at   vec.V3
		prep func(r *rig, p *state.Player)
		took bool
		want func(p *state.Player) bool
	}{
		{"health when hurt", vec.New(-10, 15, 0), hurtBy(50), true, func(p *state.Player) bool { return p.Health == 75 }},
		{"health up to its most", vec.New(-10, 15, 0), hurtBy(10), true, func(p *state.Player) bool { return p.Health == 100 }},
		{"health when whole", vec.New(-10, 15, 0), nil, false, func(p *state.Player) bool { return p.Health == 100 }},
		{"mega when whole", vec.New(4, -16, 0), nil, true, func(p *state.Player) bool { return p.Health == 200 }},
		{"armour", vec.New(16, -16, 0), nil, true, func(p *state.Player) bool { return p.Armor == 50 }},
		{"rockets", vec.New(-6, 15, 0), nil, true, func(p *state.Player) bool { return p.Ammo[tables.Rocket] == 10 }},
		{"rockets when full", vec.New(-6, 15, 0), give(tables.Rocket, 1000), false, func(p *state.Player) bool { return p.Ammo[tables.Rocket] == 50 }},
		{"not allowed to", vec.New(-6, 15, 0), flags(state.NoPickup), false, func(p *state.Player) bool { return p.Ammo[tables.Rocket] == 5 }},
	} {
		r := newRig(t, nil)
		p := r.enter(1, vec.New(-10, -5, 0), 0)
		r.run(2)
		if c.prep != nil {
			c.prep(r, p)
		}
		r.apply(0, rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: c.at})
		n := len(r.s.Things())
		r.run(3)
		if !c.want(p) || (r.count(state.EvPickup) == 1) != c.took || (len(r.s.Things()) == n-1) != c.took {
			t.Errorf("%s: health %d, armour %d, rounds %d, %d taken", c.name, p.Health, p.Armor, p.Ammo, r.count(state.EvPickup))
		}
	}
}

func hurtBy(n int32) func(*rig, *state.Player) {
	return func(r *rig, _ *state.Player) { r.apply(0, rules.Op{Kind: rules.OpDamage, ID: 1, Value: n}) }
}

func give(w uint8, n int32) func(*rig, *state.Player) {
	return func(r *rig, _ *state.Player) { r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: w, Value: n}) }
}

func flags(f state.Flags) func(*rig, *state.Player) {
	return func(r *rig, _ *state.Player) { r.apply(0, rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: f}) }
}

func TestPickupReturnsAfterItsDelay(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(16, -16, 0), 180)
	n := len(r.s.Things())
	r.run(1)
	if len(r.s.Things()) != n-1 {
		t.Fatal("not taken")
	}
	r.apply(0, rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(5, 5, 0)})
	r.run(rate - 1)
	if len(r.s.Things()) != n-1 {
		t.Fatal("back too early")
	}
	r.run(1)
	if len(r.s.Things()) != n {
		t.Fatal("not back after a second")
	}
}

func TestRocketJump(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(10, 0, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle})
	r.run(10)
	c := r.cmds[1]
	c.Pitch, c.Buttons = state.AngleOf(-88), state.BtnFire|state.BtnJump
	r.cmds[1] = c
	forced := p.Forced
	highest := float32(0)
	for range 60 {
		r.run(1)
		r.press(1, 0)
		highest = max(highest, p.Pos.Z)
	}
	if p.Weapon != tables.Rocket || r.count(state.EvExplode) != 1 {
		t.Fatalf("weapon %d, %d bursts", p.Weapon, r.count(state.EvExplode))
	}
	jump := r.s.Set().Movement
	plain := float32(jump.JumpSpeed*jump.JumpSpeed) / (2 * jump.Gravity)
	if highest < plain+1.5 {
		t.Errorf("rose %v m, a plain jump is %v", highest, plain)
	}
	if p.Forced == forced {
		t.Error("the client is not told of the outside force")
	}
	if p.Health >= 100 || p.Health <= 30 {
		t.Errorf("own splash left %d health", p.Health)
	}
}

func TestSplashStopsAtWalls(t *testing.T) {
	r := newRig(t, nil)
	shooter := r.enter(1, vec.New(-8, 10, 0), 0)
	near := r.enter(2, vec.New(-2, 12, 0), 0)
	behind := r.enter(3, vec.New(1.5, 10, 0), 0) // one metre from the burst, behind the wall
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle})
	r.run(5)
	r.aim(1, vec.New(-0.5, 10, 1))
	r.shot(1)
	if things := r.s.Things(); things[len(things)-1].Kind != state.KindRocket || things[len(things)-1].Owner != 1 {
		t.Fatal("no rocket flies")
	}
	r.run(40)
	if near.Health >= 100 {
		t.Error("the splash spares who is in the open")
	}
	if behind.Health != 100 || behind.Vel.Len() > 0.01 {
		t.Errorf("the splash went through the wall: health %d, velocity %v", behind.Health, behind.Vel)
	}
	if shooter.Health != 100 {
		t.Errorf("the shooter lost %d", 100-shooter.Health)
	}
}

func TestRocketStrikesABody(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-15, 12, 0), 0)
	p := r.enter(2, vec.New(-5, 12, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle})
	r.run(5)
	r.aim(1, p.Pos.Add(vec.New(0, 0, 1)))
	r.shot(1)
	r.run(40)
	if p.Alive() || r.count(state.EvKill) != 1 || r.count(state.EvDeath) != 1 {
		t.Fatalf("health %d, %d kills", p.Health, r.count(state.EvKill))
	}
}

func TestArmourTakesTwoThirds(t *testing.T) {
	r := newRig(t, nil)
	r.s.Join(1, 0)
	r.apply(0, rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(-10, 0, 0), Value: 100, Value2: 40})
	p := r.s.Player(1)
	r.apply(0, rules.Op{Kind: rules.OpDamage, ID: 1, Value: 30})
	if p.Health != 90 || p.Armor != 20 {
		t.Errorf("health %d, armour %d", p.Health, p.Armor)
	}
	r.apply(0, rules.Op{Kind: rules.OpDamage, ID: 1, Value: 60})
	if p.Health != 50 || p.Armor != 0 {
		t.Errorf("health %d, armour %d", p.Health, p.Armor)
	}
}

func TestInvulnerableTakesNoDamageButTheVoidTakesIt(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-10, 0, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: state.Invulnerable})
	r.apply(0, rules.Op{Kind: rules.OpDamage, ID: 1, Value: 1000})
	if p.Health != 100 {
		t.Fatal("hurt")
	}
	p.Pos.Z = r.s.Scene().W.Level().KillZ - 1
	r.run(1)
	if p.Alive() {
		t.Fatal("lives under the world")
	}
	r.run(50)
	if p.Vel.Len() != 0 {
		t.Error("falls for ever")
	}
}

func TestLavaAndFalls(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-14, -10, 0.5), 0)
	r.run(10 * rate)
	if p.Alive() {
		t.Errorf("lava is survived: %d", p.Health)
	}
	q := r.enter(2, vec.New(10, 0, 10), 0)
	r.run(2 * rate)
	// 10 m at 25 m/s²: 22.4 m/s.
	if q.Health >= 100 || q.Health < 90 || r.count(state.EvLand) != 1 {
		t.Errorf("after the fall: %d", q.Health)
	}
}

// A volume that hurts does so 20 times a second, a slow one once a second, and a
// death in it has no killer.
func TestVolumesHurt(t *testing.T) {
	r := newRig(t, nil)
	fast, slow := r.enter(1, vec.New(17, 4, 0.1), 0), r.enter(2, vec.New(17, 7, 0.1), 0)
	r.run(rate / 5)
	if fast.Health > 70 || fast.Health < 50 || slow.Health != 90 {
		t.Errorf("after 0.2 s: %d and %d", fast.Health, slow.Health)
	}
	r.run(2 * rate)
	if fast.Alive() || slow.Health != 70 {
		t.Errorf("after 2.2 s: alive %v, slow %d", fast.Alive(), slow.Health)
	}
}

func TestOverlappingBodiesArePushedApart(t *testing.T) {
	r := newRig(t, nil)
	a, b := r.enter(1, vec.New(-10, -5, 0), 0), r.enter(2, vec.New(-9.9, 5, 0), 0)
	r.run(5)
	b.Pos = a.Pos
	forced := b.Forced
	r.run(rate)
	if d := a.Pos.Sub(b.Pos).Len2(); d < 0.7 {
		t.Errorf("still %v m from each other", d)
	}
	if b.Forced == forced {
		t.Error("the push is not told")
	}
}

func TestStarvedInputsAreTold(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-10, -5, 0), 0)
	r.run(3)
	f := p.Forced
	r.s.Step([]sim.Input{{ID: 1, Starved: true}})
	r.s.Step(nil)
	r.s.Step([]sim.Input{{ID: 1}, {ID: 1, Starved: true}, {ID: 9}, {ID: 0}, {ID: 60000}})
	if p.Forced != f+2 {
		t.Errorf("forced %d times, want 2", p.Forced-f)
	}
}

func TestBothMayDieInOneTick(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.Set.Weapons[tables.Rifle].Damage = 500 })
	a, b := r.enter(1, vec.New(-15, -15, 0), 0), r.enter(2, vec.New(-5, -15, 0), 180)
	r.run(5)
	r.aim(1, vec.New(-5, -15, 1.2))
	r.aim(2, vec.New(-15, -15, 1.2))
	r.press(2, state.BtnFire)
	r.shot(1)
	if a.Alive() || b.Alive() {
		t.Fatal("the lower id has an advantage")
	}
}

func TestThingIdsRestForASecond(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.Set.Weapons[tables.Rocket].IntervalMS = 20 })
	r.enter(1, vec.New(-3, 12, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle}, rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: state.Invulnerable})
	r.press(1, state.BtnFire)
	last := map[state.ID]state.Tick{}
	live := map[state.ID]bool{}
	for range 20 {
		r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rocket, Value: 50})
		for range 16 {
			r.run(1)
			now := map[state.ID]bool{}
			for _, th := range r.s.Things() {
				if th.Kind != state.KindRocket {
					continue
				}
				now[th.ID] = true
				if was, ok := last[th.ID]; ok && !live[th.ID] && r.s.Tick()-was < rate {
					t.Fatalf("thing %d is used again after %d ticks", th.ID, r.s.Tick()-was)
				}
				last[th.ID] = r.s.Tick()
			}
			live = now
		}
	}
	if len(last) < 100 {
		t.Fatalf("only %d rockets", len(last))
	}
}

func TestLeaveForgets(t *testing.T) {
	r := newRig(t, nil)
	a := r.s.Join(3, 0)
	if a == 0 || r.s.Join(3, 0) != a || r.s.Join(0, 0) != 0 || r.s.Join(33, 0) != 0 {
		t.Fatal("seeds")
	}
	r.s.Join(1, 0)
	r.s.Leave(3)
	r.s.Leave(3)
	if len(r.s.IDs()) != 1 || r.s.Present(3) || r.s.Player(3) != nil || r.s.SpreadSeed(3) != 0 {
		t.Fatal("still there")
	}
	if r.s.Join(3, 0) == a {
		t.Error("the next life of a slot has the same secret")
	}
}

func TestNewRefusesNonsense(t *testing.T) {
	w := fixture(t)
	good := sim.Config{World: w, Set: tables.Arena(), TickRate: 64, MaxPlayers: 8, MaxRewindMS: 200}
	for name, change := range map[string]func(*sim.Config){
		"no world":     func(c *sim.Config) { c.World = nil },
		"no rate":      func(c *sim.Config) { c.TickRate = 0 },
		"no players":   func(c *sim.Config) { c.MaxPlayers = 0 },
		"many players": func(c *sim.Config) { c.MaxPlayers = 513 },
		"rewind":       func(c *sim.Config) { c.MaxRewindMS = -1 },
		"tables":       func(c *sim.Config) { c.Set.Movement.Gravity = -5 },
	} {
		c := good
		change(&c)
		if _, err := sim.New(c); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := sim.New(good); err != nil {
		t.Error(err)
	}
}

// A seed that was reserved is the one that the player joins with, and the next
// player in the slot gets another.
func TestReservedSeedIsJoinedWith(t *testing.T) {
	r := newRig(t, nil)
	a := r.s.Reserve(3)
	if a == 0 || r.s.SpreadSeed(3) != 0 || r.s.Join(3, 0) != a || r.s.SpreadSeed(3) != a || r.s.Reserve(3) != a {
		t.Errorf("reserved %d, joined with %d", a, r.s.SpreadSeed(3))
	}
	r.s.Leave(3)
	if r.s.Reserve(3) == a || r.s.Reserve(0) != 0 || r.s.Reserve(33) != 0 {
		t.Error("a seed was given twice, or to nobody")
	}
}
