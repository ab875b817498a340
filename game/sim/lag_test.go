package sim_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// laneShot lets a target walk across a shooter's line and shoots at the middle of
// where it was some ticks ago, at the moment at which that was straight ahead.
func laneShot(t *testing.T, delay int, capMS float32, compensated bool) sim.ShotRecord {
	t.Helper()
	r := newRig(t, func(c *sim.Config) { c.MaxRewindMS = capMS })
	r.enter(1, vec.New(-18, 0, 0), 0)
	q := r.enter(2, vec.New(-6, -5, 0), 90)
	r.walk(2, 127, 90)
	r.press(2, state.BtnWalk)
	var was []vec.V3
	for range 200 {
		r.run(1)
		was = append(was, q.Pos)
		if n := len(was) - max(delay, 1); n >= 0 && was[n].Y >= 0 {
			break
		}
	}
	// The shot is fired in the next tick, by when everybody has moved on by one.
	seen := q.Pos.Mad(1.0/rate, q.Vel)
	if delay > 0 {
		seen = was[len(was)-delay]
	}
	if compensated {
		r.back[1] = uint32(delay) * 256
	}
	body := hitbox.ShapeOf(&r.s.Set().Movement, hitbox.PoseOf(q))
	r.aim(1, seen.Add(vec.New(0, 0, body.Boxes[0].Center().Z)))
	r.press(1, state.BtnFire)
	r.run(1)
	s := r.s.LastShots()
	if len(s) != 1 {
		t.Fatalf("delay %d: %d shots", delay, len(s))
	}
	return s[0]
}

// The lane: a target that walks across at v, whose chest is deep m from its middle
// to the front. Computed before any shot: uncompensated ones at the middle of what
// was seen miss from deep/v on, compensated ones from the cap and that on, and
// nothing else decides. Both are met within a tick.
func TestLaneMissesFromTheComputedDelayOn(t *testing.T) {
	set := tables.Arena()
	v := float64(set.Movement.WalkSpeed)
	deep := float64(hitbox.ShapeOf(&set.Movement, hitbox.Pose{}).Boxes[0].Max.X)
	const capMS = 125 // 8 ticks
	threshold := deep / v * rate
	t.Logf("walks at %g m/s, %g m deep: misses from %.2f ticks (%.1f ms) on, with a cap of %d ms from %.2f on", v, deep, threshold, deep/v*1000, capMS, threshold+capMS*rate/1000.0)
	for _, c := range []struct {
		name        string
		capMS       float32
		compensated bool
		want        float64 // ticks
	}{
		{"no compensation", 0, true, threshold},
		{"rewinds by nothing", 250, false, threshold},
		{"beyond the cap", capMS, true, threshold + capMS*rate/1000.0},
	} {
		first := -1
		for d := 0; d < 14; d++ {
			s := laneShot(t, d, c.capMS, c.compensated)
			hit := s.Result == sim.ShotPlayer
			if !hit && first < 0 {
				first = d
			}
			if hit && first >= 0 {
				t.Errorf("%s: hits again at %d ticks", c.name, d)
			}
			if c.capMS == capMS && s.Capped != (d > 8) {
				t.Errorf("%s, %d ticks: capped %v", c.name, d, s.Capped)
			}
			if !hit && s.Near != 2 {
				t.Errorf("%s, %d ticks: the record names %d: %+v", c.name, d, s.Near, s)
			}
		}
		if first < 0 || math.Abs(float64(first)-math.Ceil(c.want)) > 1 {
			t.Errorf("%s: misses from %d ticks on, computed %.2f", c.name, first, c.want)
		}
	}
	// Within the cap nothing misses.
	for d := range 14 {
		if s := laneShot(t, d, 250, true); s.Result != sim.ShotPlayer || s.Part != hitbox.Chest {
			t.Errorf("compensated, %d ticks: %+v", d, s)
		}
	}
}

// told drives a rig whose shooter 1 is sent player 2 in the ticks that tell says.
func told(r *rig, ticks int, tell func(tick state.Tick) (sent, in, arrived bool)) {
	for range ticks {
		r.run(1)
		tick := r.s.Tick()
		sent, in, arrived := tell(tick)
		if !sent {
			continue
		}
		seen := r.s.Seen()
		seen.Begin(1, tick)
		if in {
			seen.Tell(1, 2, tick, true, 0)
		}
		if arrived {
			seen.Arrived(1, tick)
		}
		r.had[1] = tick
	}
}

// A hit on somebody whom the shooter's client was never told of, or not any more, or
// who is told of in packets that were lost, is decided like any other and named; with
// the setting it is refused, and the bullet flies on.
func TestShotsAtTheUnshown(t *testing.T) {
	always := func(state.Tick) (bool, bool, bool) { return true, true, true }
	for _, c := range []struct {
		name  string
		tell  func(tick state.Tick) (bool, bool, bool)
		sight rewind.Sight
	}{
		{"shown", always, rewind.Blended},
		{"every second tick", func(t state.Tick) (bool, bool, bool) { return t%2 == 0, true, true }, rewind.Blended},
		{"never told", func(state.Tick) (bool, bool, bool) { return true, false, true }, rewind.Untold},
		{"packets lost", func(t state.Tick) (bool, bool, bool) { return true, t > 5, t <= 5 }, rewind.Lost},
		{"withdrawn", func(t state.Tick) (bool, bool, bool) { return true, t < 20, true }, rewind.Ended},
		{"carried on", func(t state.Tick) (bool, bool, bool) { return t < 34, true, true }, rewind.Extended},
		{"comes into view", func(t state.Tick) (bool, bool, bool) { return true, t > 38, true }, rewind.Early},
	} {
		for _, refuse := range []bool{false, true} {
			r := newRig(t, func(c *sim.Config) { c.RefuseUnshown = refuse })
			r.had = map[state.ID]state.Tick{1: 0}
			r.enter(1, vec.New(-18, -2, 0), 0)
			q := r.enter(2, vec.New(-12, -2, 0), 0)
			p3 := r.enter(3, vec.New(-6, -2, 0), 0)
			told(r, 40, func(tick state.Tick) (bool, bool, bool) {
				sent, in, arrived := c.tell(tick)
				return sent, in, arrived
			})
			r.back[1] = 4 * 256
			r.aim(1, vec.New(-12, -2, 1.2))
			r.press(1, state.BtnFire)
			r.run(1)
			s := r.s.LastShots()[0]
			switch {
			case c.sight.Shown():
				if s.Result != sim.ShotPlayer || s.Target != 2 || s.Why != sim.WhyHit || s.Sight != c.sight || q.Health >= 100 {
					t.Errorf("%s, refuse %v: %+v", c.name, refuse, s)
				}
			case !refuse:
				if s.Result != sim.ShotPlayer || s.Target != 2 || s.Why != sim.WhyUnshown || s.Sight != c.sight || q.Health >= 100 {
					t.Errorf("%s: %+v", c.name, s)
				}
			default:
				if s.Result == sim.ShotPlayer || s.Refused != 2 || s.Why != sim.WhyRefused || q.Health != 100 || p3.Health != 100 {
					t.Errorf("%s, refused: %+v", c.name, s)
				}
			}
			r.had = nil
		}
	}
}

// Lifts are rewound like doors: a shot passes where the lift was not yet when its
// shooter saw it, and is stopped where it was although it has left.
func TestShotsSeeLiftsAsTheShooterDid(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(3, 11.5, 0), 0)
	r.enter(2, vec.New(9.3, 9.2, 0.3), 0) // rides it, aside of the line
	aim := r.cmds[1]
	aim.Yaw, aim.Pitch = 0, 0
	r.cmds[1] = aim
	height := func() float32 { return r.s.Scene().Poses[liftModel].Off.Z }
	stopped := func(s sim.ShotRecord) bool { return vec.Abs(s.HitPos.X-8) < 0.05 }
	eye := r.s.Eye(1).Z
	for n := 0; height() < eye-0.2; n++ {
		if n > 300 {
			t.Fatalf("the lift is at %v", height())
		}
		r.run(1)
	}
	if s := r.shot(1); !stopped(s) {
		t.Fatalf("the lift at %v does not stop a shot at %v: %+v", height(), eye, s)
	}
	for height() < eye+0.1 {
		r.run(1)
	}
	r.run(2)
	if s := r.shot(1); stopped(s) {
		t.Fatalf("the lift at %v stops a shot at %v: %+v", height(), eye, s)
	}
	// It rises by 1/16 m a tick.
	r.back[1] = uint32(vec.Floor((height()+1.0/16-eye+0.12)*16)) * 256
	r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rifle, Value: 5})
	for range 7 { // until the weapon may fire again, the lift goes on
		r.run(1)
	}
	r.back[1] = uint32(vec.Floor((height()+1.0/16-eye+0.12)*16)) * 256
	r.press(1, state.BtnFire)
	r.run(1)
	s := r.s.LastShots()
	if len(s) != 1 || !stopped(s[0]) || s[0].Used256 != r.back[1] {
		t.Fatalf("rewound by %d ticks, the lift at %v: %+v", r.back[1]/256, height(), s)
	}
}

// A refused hit takes nothing from whoever is shown behind.
func TestRefusedBulletFliesOn(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.RefuseUnshown = true })
	r.had = map[state.ID]state.Tick{1: 0}
	r.enter(1, vec.New(-18, -2, 0), 0)
	r.enter(2, vec.New(-12, -2, 0), 0)
	r.enter(3, vec.New(-6, -2, 0), 0)
	for range 30 {
		r.run(1)
		seen, tick := r.s.Seen(), r.s.Tick()
		seen.Begin(1, tick)
		seen.Tell(1, 3, tick, true, 0)
		seen.Arrived(1, tick)
		r.had[1] = tick
	}
	r.back[1] = 3 * 256
	r.aim(1, vec.New(-6, -2, 1.2))
	r.press(1, state.BtnFire)
	r.run(1)
	if s := r.s.LastShots()[0]; s.Target != 3 || s.Refused != 2 || s.Why != sim.WhyHit || s.Damage == 0 {
		t.Fatalf("%+v", s)
	}
}

// Somebody who is sent more rarely is tested as long ago as it is shown, and where
// the cap does not leave enough for that the record says so.
func TestRarelySentAreTestedLater(t *testing.T) {
	for _, back := range []uint32{4 * 256, 14 * 256} {
		r := newRig(t, nil)
		r.had = map[state.ID]state.Tick{1: 0}
		r.enter(1, vec.New(-18, 0, 0), 0)
		q := r.enter(2, vec.New(-6, -12, 0), 90)
		r.walk(2, 127, 90)
		var was []vec.V3
		const every = 8
		for range 90 {
			r.run(1)
			seen, tick := r.s.Seen(), r.s.Tick()
			was = append(was, q.Pos)
			var d state.Delay
			d.Update(0, every, rate)
			if tick%2 == 0 {
				seen.Begin(1, tick)
				seen.Tell(1, 2, tick, tick%every == 0, 0)
				seen.Arrived(1, tick)
				seen.SetDelay(1, 2, d)
				r.had[1] = tick
			}
		}
		late := r.s.Seen().Delay(1, 2, r.s.Tick())
		if late != (every-uint32(state.PathGap(rate)))*256 {
			t.Fatalf("late by %d", late)
		}
		used := min(back+late, r.s.History().Cap256())
		at := len(was) - int(used/256) // one tick on when the shot falls
		r.back[1] = back
		r.aim(1, was[at].Add(vec.New(0, 0, 1.2)))
		r.press(1, state.BtnFire)
		r.run(1)
		s := r.s.LastShots()[0]
		if s.Target != 2 || s.Why != sim.WhyHit || s.Pose.Pos.Dist(was[at]) > 0.03 {
			t.Errorf("rewound by %d: %+v, was at %v", back/256, s, was[at])
		}
		if s.Short != (back+late > used) || s.View == s.NearView {
			t.Errorf("rewound by %d: short %v, instants %v and %v", back/256, s.Short, s.View, s.NearView)
		}
	}
}

// A rocket begins where its shooter saw the world and meets now what it would have
// met since: with the rewind it strikes a body that has left its line meanwhile, and
// without it does not.
func TestRocketsBeginAtTheViewTime(t *testing.T) {
	for _, back := range []int{0, 7} {
		r := newRig(t, func(c *sim.Config) { c.ProjectileMS = 120 })
		r.enter(1, vec.New(-8, 10, 0), 0)
		q := r.enter(2, vec.New(-7, 7, 0), 90)
		r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle})
		r.walk(2, 127, 90)
		aim := r.cmds[1]
		aim.Yaw = 0
		r.cmds[1] = aim
		// Its middle was in the line 5 ticks ago, and is 0.8 m past it by now.
		for q.Pos.Y < 10+5*10.0/rate {
			r.run(1)
		}
		r.back[1] = uint32(back) * 256
		r.press(1, state.BtnFire)
		r.run(1)
		s := r.s.LastShots()[0]
		if back == 0 {
			if s.Result != sim.ShotFlies || s.Used256 != 0 || r.count(state.EvExplode) != 0 {
				t.Fatalf("not rewound: %+v", s)
			}
			continue
		}
		if s.Result != sim.ShotPlayer || s.Target != 2 || r.count(state.EvExplode) != 1 || q.Health >= 100 {
			t.Fatalf("rewound: %+v, health %d", s, q.Health)
		}
	}
}

// The cap of projectiles is theirs, what has caught up flies like any other, and a
// wall that stands in the first metres ends it at once.
func TestRocketsCatchUp(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.ProjectileMS = 62.5 }) // 4 ticks
	r.enter(1, vec.New(-18, 15, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle})
	r.run(20)
	r.back[1] = 14*256 + 100
	r.press(1, state.BtnFire)
	r.run(1)
	s := r.s.LastShots()[0]
	things := func() (at vec.V3) {
		for _, th := range r.s.Things() {
			if th.Kind == state.KindRocket {
				at = th.Pos
			}
		}
		return at
	}
	speed := r.s.Set().Weapons[tables.Rocket].Speed / rate
	if s.Used256 != 4*256 || !s.Capped || s.Result != sim.ShotFlies || vec.Abs(things().Dist(s.Origin)-4*speed) > 0.01 {
		t.Fatalf("%+v; at %v, %v from its origin", s, things(), things().Dist(s.Origin))
	}
	r.run(3)
	if d := things().Dist(s.Origin); vec.Abs(d-7*speed) > 0.01 {
		t.Fatalf("three ticks later %v m away, want %v", d, 7*speed)
	}

	r = newRig(t, func(c *sim.Config) { c.ProjectileMS = 120 })
	r.enter(1, vec.New(-19, 15, 0), 180)
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle})
	r.run(20)
	r.back[1] = 5 * 256
	r.press(1, state.BtnFire)
	r.run(1)
	if n := r.count(state.EvExplode); n != 1 || things() != (vec.V3{}) {
		t.Fatalf("%d bursts at a wall", n)
	}
}

// A knife strikes a volume within its reach, at where its owner saw the other, under
// its own cap, and never through a wall.
func TestKnife(t *testing.T) {
	strike := func(from, to vec.V3, aside float32, back int, change func(*rig)) sim.ShotRecord {
		r := newRig(t, func(c *sim.Config) { c.MeleeMS = 125 })
		r.enter(1, from, 0)
		r.enter(2, to, 90)
		r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle}, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rocket})
		r.run(40)
		if p := r.s.Player(1); p.Weapon != tables.Knife {
			t.Fatalf("weapon %d in hand", p.Weapon)
		}
		r.back[1] = uint32(back) * 256
		r.aim(1, to.Add(vec.New(0, aside, 1.3)))
		if change != nil {
			change(r)
		}
		return r.shot(1)
	}
	a, b := vec.New(-15, 14, 0), vec.New(-13.5, 14, 0)
	if s := strike(a, b, 0, 0, nil); s.Result != sim.ShotPlayer || s.Target != 2 || s.Damage != 45 {
		t.Errorf("straight: %+v", s)
	}
	if s := strike(a, b, 0.33, 0, nil); s.Target != 2 {
		t.Errorf("beside the body, within the sweep: %+v", s)
	}
	if s := strike(a, b, 1.2, 0, nil); s.Target != 0 {
		t.Errorf("far beside: %+v", s)
	}
	if s := strike(a, vec.New(-12, 14, 0), 0, 0, nil); s.Target != 0 || s.Near != 2 {
		t.Errorf("out of reach: %+v", s)
	}
	if s := strike(vec.New(-1.2, 5, 0), vec.New(1.2, 5, 0), 0, 0, nil); s.Target != 0 {
		t.Errorf("through the wall: %+v", s)
	}
	away := func(r *rig) { // the other leaves; its owner saw it still there
		r.walk(2, 127, 90)
		r.run(12)
	}
	if s := strike(a, b, 0, 0, away); s.Target != 0 {
		t.Errorf("it has left: %+v", s)
	}
	if s := strike(a, b, 0, 8, away); s.Target != 2 {
		t.Errorf("it was still there: %+v", s)
	}
	if s := strike(a, b, 0, 14, away); !s.Capped || s.Used256 != 8*256 {
		t.Errorf("beyond the cap of blows: %+v", s)
	}
}

// Whoever has died since it was seen takes the bullet and no harm.
func TestShotAtTheDeadExplainsItself(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-18, -2, 0), 0)
	r.enter(2, vec.New(-12, -2, 0), 0)
	p3 := r.enter(3, vec.New(-6, -2, 0), 0)
	r.run(20)
	r.aim(1, vec.New(-6, -2, 1.2))
	r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 2})
	r.back[1] = 5 * 256
	if s := r.shot(1); s.Result != sim.ShotGone || s.Why != sim.WhyDead || s.Target != 2 || s.Damage != 0 || p3.Health != 100 {
		t.Fatalf("%+v", s)
	}
}

// The reasons of misses: beside, behind the level, and seen longer ago than the cap.
func TestMissesAreExplained(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.MaxRewindMS = 60 })
	r.enter(1, vec.New(-15, 0, 0), 0)
	r.enter(2, vec.New(15, 0, 0), 180)
	r.run(20)
	r.aim(1, vec.New(15, 0, 1.2))
	if s := r.shot(1); s.Why != sim.WhyBlocked || s.Near != 2 || s.Result != sim.ShotWorld {
		t.Errorf("through a closed door: %+v", s)
	}
	r.enter(3, vec.New(-8, 6, 0), 0)
	r.run(20)
	r.aim(1, vec.New(-8, 5, 1.2))
	if s := r.shot(1); s.Why != sim.WhyMissed || s.Near != 3 || vec.Abs(s.NearGap-0.9) > 0.3 {
		t.Errorf("a metre beside: %+v", s)
	}
	r.back[1] = 9 * 256
	if s := r.shot(1); s.Why != sim.WhyCapped || s.Near != 3 || !s.Capped {
		t.Errorf("a metre beside, beyond the cap: %+v", s)
	}
	r.aim(1, vec.New(-15, 15, 1))
	if s := r.shot(1); s.Why != sim.WhyNothing || s.Near != 0 {
		t.Errorf("at nobody: %+v", s)
	}
}

// Report S-15: a target that ducks and rises every 200 ms is tested in the stance
// that was seen.
func TestStanceIsTheOneThatWasSeen(t *testing.T) {
	r := newRig(t, nil)
	r.enter(1, vec.New(-18, 5, 0), 0)
	q := r.enter(2, vec.New(-8, 5, 0), 180)
	r.run(20)
	var ducks []uint8
	over, under := 0, 0
	const back = 10
	for n := range 400 {
		b := state.Buttons(0)
		if n/(rate/5)%2 == 1 {
			b = state.BtnCrouch
		}
		r.press(2, b)
		ducks = append(ducks, q.Duck)
		r.aim(1, vec.New(-8, 5, 1.62)) // through the head of one who stands
		r.back[1] = back * 256
		r.press(1, state.BtnFire)
		r.run(1)
		r.apply(0, rules.Op{Kind: rules.OpHeal, ID: 2, Value: 90}, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rifle, Value: 1})
		for _, s := range r.s.LastShots() {
			if len(ducks) < back {
				continue
			}
			was := ducks[len(ducks)-back]
			hit := s.Result == sim.ShotPlayer
			if s.Near == 2 && s.Pose.Duck != was || was < 10 && !hit || was > 150 && hit {
				t.Fatalf("tick %d: seen ducked by %d, tested by %d, hit %v", s.Tick, was, s.Pose.Duck, hit)
			}
			if hit {
				over++
			} else {
				under++
			}
		}
	}
	if over < 5 || under < 5 {
		t.Fatalf("%d hits, %d misses", over, under)
	}
}

// Report S-16: a target that moves at 1,600 units a second, 2.5 m a tick at 20 Hz, is
// rewound like any other: only what is flagged as a teleport snaps.
func TestFastTargetsAreRewound(t *testing.T) {
	h := rewind.New(2, 0, 20, 250)
	for tick := state.Tick(1); tick <= 10; tick++ {
		h.Begin(tick)
		h.Put(1, rewind.Sample{Pos: state.Quant(vec.New(float32(tick)*2.5, 0, 0)), Vel: state.Quant(vec.New(50, 0, 0)), Alive: true})
	}
	at, used := h.Back(2*256 + 128)
	p, ok := h.At(1, at)
	if !ok || used != 640 || vec.Abs(p.Pos.X-7.5*2.5) > 0.02 {
		t.Fatalf("at %v %v", p, ok)
	}
}

// Report S-17: a hit on a rewound body throws the live one, from where it is now,
// and leaves nobody inside anything: nothing live was moved for the test.
func TestKnockUpOfARewoundHitLeavesNobodyStuck(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.Set.Weapons[tables.Rifle].Knockback = 1 })
	r.enter(1, vec.New(-18, 0, 0), 0)
	q := r.enter(2, vec.New(-6, -4, 0), 90)
	r.walk(2, 127, 90)
	hits := 0
	for range 120 {
		before, speed := q.Pos, q.Vel.Len()
		var was hitbox.Pose
		if at, used := r.s.History().Back(8 * 256); used == 8*256 {
			was, _ = r.s.History().At(2, rewind.Time{Tick: at.Tick + 1})
		}
		r.aim(1, was.Pos.Add(vec.New(0, 0, 1.2)))
		r.back[1] = 8 * 256
		r.press(1, state.BtnFire)
		r.run(1) // checks the world after each tick
		for _, s := range r.s.LastShots() {
			if s.Target == 2 {
				hits++
			}
		}
		if q.Pos.Dist(before) > max(speed, q.Vel.Len())/rate+0.3 {
			t.Fatalf("from %v to %v in a tick", before, q.Pos)
		}
		if h := r.s.Scene().Box(q.Pos, q.Pos, vec.Box{Min: vec.New(-0.4, -0.4, 0.05), Max: vec.New(0.4, 0.4, 1.2)}, level.MaskMove); h.StartSolid {
			t.Fatalf("stuck at %v", q.Pos)
		}
		r.apply(0, rules.Op{Kind: rules.OpHeal, ID: 2, Value: 100})
	}
	if hits < 3 {
		t.Fatalf("%d hits", hits)
	}
}

// A shot through all of it, with what clients were sent, allocates nothing.
func TestTrackedShotsAllocateNothing(t *testing.T) {
	r := newRig(t, func(c *sim.Config) { c.ProjectileMS, c.MeleeMS = 120, 120 })
	r.had = map[state.ID]state.Tick{1: 0}
	r.enter(1, vec.New(-18, -2, 0), 0)
	r.enter(2, vec.New(-12, -2, 0), 0)
	told(r, 60, func(state.Tick) (bool, bool, bool) { return true, true, true })
	in := []sim.Input{{ID: 1, Cmd: state.Cmd{Buttons: state.BtnFire}, Rewind256: 900, Tracked: true}, {ID: 2}}
	shots := 0
	n := testing.AllocsPerRun(300, func() {
		tick := r.s.Tick()
		in[0].Had = tick
		seen := r.s.Seen()
		seen.Begin(1, tick)
		seen.Tell(1, 2, tick, true, 0)
		seen.Arrived(1, tick)
		r.s.Step(in)
		shots += len(r.s.LastShots())
		if p := r.s.Player(2); p.Health < 50 {
			p.Health = 100
		}
	})
	if n != 0 || shots < 10 {
		t.Fatalf("%v allocations a tick, %d shots", n, shots)
	}
}
