package pmove_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

func near(a, b, tol float32) bool { return vec.Abs(a-b) <= tol }

func TestPacesComeFromTheTable(t *testing.T) {
	m := tables.Arena().Movement
	for _, c := range []struct {
		name string
		cmd  state.Cmd
		want float32
	}{
		{"run", state.Cmd{Forward: 127}, m.RunSpeed},
		{"run diagonally", state.Cmd{Forward: 127, Right: 127}, m.RunSpeed},
		{"run back", state.Cmd{Forward: -128}, m.RunSpeed},
		{"half", state.Cmd{Right: 64}, m.RunSpeed * 64 / 127},
		{"walk", state.Cmd{Forward: 127, Buttons: state.BtnWalk}, m.WalkSpeed},
		{"crouch", state.Cmd{Forward: 127, Buttons: state.BtnCrouch}, m.CrouchSpeed},
		{"aim", state.Cmd{Forward: 127, Buttons: state.BtnAim}, m.AimSpeed},
		{"aim and walk", state.Cmd{Forward: 127, Buttons: state.BtnAim | state.BtnWalk}, min(m.AimSpeed, m.WalkSpeed)},
		{"slowest", state.Cmd{Forward: 4}, m.RunSpeed * 4 / 127},
	} {
		k := newWalker(t, worldOf(floor()), 64, vec.V3{Z: 0.01})
		k.settle()
		for range 128 {
			k.step(c.cmd)
		}
		if !near(k.p.Vel.Len(), c.want, 0.02) {
			t.Errorf("%s: %v m/s, want %v", c.name, k.p.Vel.Len(), c.want)
		}
	}
}

func TestAHeldJumpJumpsOnceUnlessTheTableSaysSo(t *testing.T) {
	for _, auto := range []bool{false, true} {
		k := newWalker(t, worldOf(floor()), 64, vec.V3{Z: 0.01})
		k.set.Movement.AutoJump = auto
		k.settle()
		jumps := 0
		for range 256 {
			if k.step(state.Cmd{Buttons: state.BtnJump}).Jumped {
				jumps++
			}
		}
		if (jumps == 1) == auto || jumps == 0 {
			t.Errorf("AutoJump %v: %d jumps in 4 s", auto, jumps)
		}
	}
}

func TestAJumpPressedInTheAirWaitsForTheFloor(t *testing.T) {
	k := newWalker(t, worldOf(floor()), 64, vec.V3{Z: 1})
	for range 64 {
		if k.step(state.Cmd{Buttons: state.BtnJump}).Jumped {
			return
		}
	}
	t.Fatal("never jumped")
}

func TestALandingTellsItsSpeed(t *testing.T) {
	k := newWalker(t, worldOf(floor()), 64, vec.V3{Z: 8})
	for range 128 {
		if out := k.step(state.Cmd{}); out.Landed {
			if !near(out.LandSpeed, vec.Sqrt(2*25*8), 0.3) {
				t.Fatalf("fell 8 m and landed with %v m/s", out.LandSpeed)
			}
			if k.p.Vel.Len() > 0.05 {
				t.Fatalf("the fall became a run: %v", k.p.Vel)
			}
			return
		}
	}
	t.Fatal("never landed")
}

func TestCrouchingFitsUnderAndStandsOnlyWithRoom(t *testing.T) {
	// A beam whose lower edge is 44 units up: too low to stand, high enough to crouch.
	w := worldOf(floor(), block(64, -64, 44, 160, 64, 100, level.Solid, 0))
	k := newWalker(t, w, 64, vec.V3{Z: 0.01})
	k.settle()
	for range 64 {
		k.step(state.Cmd{Forward: 127})
	}
	if k.p.Pos.X > 2 {
		t.Fatalf("ran under the beam upright, to %v", k.p.Pos)
	}
	for k.p.Pos.X < 3 {
		k.step(state.Cmd{Forward: 127, Buttons: state.BtnCrouch})
		k.free("crouched")
		if eye := pmove.Eye(&k.p, k.env.Move); w.Contents(eye) != 0 {
			t.Fatalf("the eye is in the beam at %v", eye)
		}
		if k.tick > 1000 {
			t.Fatalf("got no further than %v", k.p.Pos)
		}
	}
	for range 8 {
		k.step(state.Cmd{})
		if k.p.Flags&state.Ducked == 0 {
			t.Fatal("stood up into the beam")
		}
		k.free("under the beam")
	}
	for range 200 {
		k.step(state.Cmd{Forward: 127})
	}
	if k.p.Flags&state.Ducked != 0 || k.p.Duck != 0 || k.p.Pos.X < 5 {
		t.Fatalf("did not stand up behind the beam: %+v", k.p)
	}
	if e := pmove.Eye(&k.p, k.env.Move).Z - k.p.Pos.Z; e != k.set.Movement.StandEye {
		t.Fatalf("eye at %v", e)
	}
}

func TestTheEyeTakesItsTimeToCrouch(t *testing.T) {
	for _, rate := range []int{20, 64, 128} {
		k := newWalker(t, worldOf(floor()), rate, vec.V3{Z: 0.01})
		k.settle()
		n := 0
		for k.p.Duck < 255 {
			k.step(state.Cmd{Buttons: state.BtnCrouch})
			n++
		}
		if got := float32(n*1000) / float32(rate); got < k.set.Movement.DuckMS-1 || got > k.set.Movement.DuckMS+1000/float32(rate)+8 {
			t.Errorf("%d Hz: the eye took %v ms", rate, got)
		}
		if k.body().Max.Z != k.set.Movement.CrouchHeight {
			t.Error("the body did not crouch at once")
		}
	}
}

func TestALeanMovesTheEyeAndStopsAtAWall(t *testing.T) {
	// A wall 0.3 m to the right of the body, which looks along +x.
	right := -(15*unit + 0.3) / unit
	w := worldOf(floor(), block(-64, right-16, 0, 64, right, 128, level.Solid, 0))
	k := newWalker(t, w, 64, vec.V3{Z: 0.01})
	k.settle()
	for range 64 {
		k.step(state.Cmd{Buttons: state.BtnLeanLeft})
	}
	if eye := pmove.Eye(&k.p, k.env.Move); !near(eye.Y, k.set.Movement.LeanOffset, 0.01) {
		t.Fatalf("leaned left, the eye is at %v", eye)
	}
	for range 64 {
		k.step(state.Cmd{Buttons: state.BtnLeanRight})
		if eye := pmove.Eye(&k.p, k.env.Move); w.Contents(eye.Add(vec.V3{Y: -0.1})) != 0 {
			t.Fatalf("the eye leaned into the wall: %v", eye)
		}
	}
	k.p.Pos.Y = -0.29 // now right at the wall, still leaning
	k.step(state.Cmd{Buttons: state.BtnLeanRight})
	if eye := pmove.Eye(&k.p, k.env.Move); w.Contents(eye.Add(vec.V3{Y: -0.1})) != 0 {
		t.Fatalf("a lean was kept that the wall leaves no room for: %v", eye)
	}
	for range 64 {
		k.step(state.Cmd{})
	}
	if k.p.Lean != 0 {
		t.Fatalf("lean %d with no key", k.p.Lean)
	}
}

// pool is a basin 4 m deep with its edge at z = 0.
func pool() *trace.World {
	return worldOf(
		block(-256, -256, -160, 256, 256, -128, level.Solid, 0),
		block(256, -256, -160, 512, 256, 8, level.Solid, 0), block(-512, -256, -160, -256, 256, 8, level.Solid, 0),
		block(-512, 256, -160, 512, 512, 8, level.Solid, 0), block(-512, -512, -160, 512, -256, 8, level.Solid, 0),
		block(-256, -256, -128, 256, 256, -4, level.Water, 0))
}

func TestSwimming(t *testing.T) {
	k := newWalker(t, pool(), 64, vec.V3{Z: -3})
	k.step(state.Cmd{})
	if k.p.WaterLevel != 3 || k.p.Flags&state.Swimming == 0 {
		t.Fatalf("water level %d", k.p.WaterLevel)
	}
	for range 96 {
		k.step(state.Cmd{})
	}
	if k.p.Pos.Z > -3.2 {
		t.Fatalf("does not sink: %v", k.p.Pos)
	}
	for range 64 {
		k.step(state.Cmd{Forward: 127})
	}
	if s := k.p.Vel.Len(); s < k.set.Movement.SwimSpeed*0.7 || s > k.set.Movement.SwimSpeed*1.01 {
		t.Fatalf("swims at %v", s)
	}
	for range 400 { // up, and out over the edge
		k.step(state.Cmd{Forward: 127, Buttons: state.BtnJump})
		k.free("pool")
		if k.p.WaterLevel == 0 && k.p.Flags&state.OnGround != 0 {
			break
		}
	}
	for range 16 {
		k.step(state.Cmd{})
	}
	if k.p.WaterLevel != 0 || k.p.Flags&state.OnGround == 0 || k.p.Pos.Z < 0.2 {
		t.Fatalf("did not get out of the pool: %v, water level %d", k.p.Pos, k.p.WaterLevel)
	}
}

func TestLaddersAreClimbedUpAndDown(t *testing.T) {
	for name, w := range map[string]*trace.World{
		"surface": worldOf(floor(), block(64, -64, 0, 128, 64, 160, level.Solid, level.SurfLadder)),
		"volume":  worldOf(floor(), block(64, -64, 0, 128, 64, 160, level.Solid, 0), block(60, -64, 0, 64, 64, 160, level.Ladder, 0)),
	} {
		k := newWalker(t, w, 64, vec.V3{Z: 0.01})
		k.settle()
		for range 200 {
			k.step(state.Cmd{Forward: 127})
			k.free(name)
			if k.p.Pos.X > 2.2 {
				break
			}
		}
		if k.p.Pos.Z < 5 || k.p.Pos.X < 2 {
			t.Fatalf("%s: did not reach the top: %v %v", name, k.p.Pos, k.p.Vel)
		}
		// Half way up: hang, then down again, then jump off.
		k.p.Pos, k.p.Vel, k.p.Flags = vec.V3{X: 2 - 15*unit - 0.01, Z: 2}, vec.V3{}, 0
		if name == "volume" {
			k.p.Pos.X -= 4 * unit
		}
		k.step(state.Cmd{Forward: 127})
		if k.p.Flags&state.OnLadder == 0 {
			t.Fatalf("%s: does not hold", name)
		}
		z := k.p.Pos.Z
		for range 32 {
			k.step(state.Cmd{})
		}
		if k.p.Pos.Z != z {
			t.Fatalf("%s: slips from %v to %v", name, z, k.p.Pos.Z)
		}
		for range 32 {
			k.step(state.Cmd{Forward: 127, Pitch: state.AngleOf(-60)})
		}
		if k.p.Pos.Z >= z-1 {
			t.Fatalf("%s: does not climb down: %v", name, k.p.Pos)
		}
		if out := k.step(state.Cmd{Buttons: state.BtnJump}); !out.Jumped || k.p.Vel.X >= 0 {
			t.Fatalf("%s: no jump off the ladder: %v", name, k.p.Vel)
		}
	}
}

func TestPadsThrowOnceAndOverTheSameWayAtEveryTickRate(t *testing.T) {
	for _, rate := range []int{20, 32, 64, 128, 1000} {
		k := newWalker(t, worldOf(floor()), rate, vec.V3{Z: 0.01})
		k.env.Pads = []level.Pad{{Box: vec.Box{Min: vec.V3{X: 2, Y: -1}, Max: vec.V3{X: 4, Y: 1, Z: 0.25}}, Vel: vec.V3{X: 6, Z: 15}}}
		k.settle()
		n, top, land := 0, float32(0), float32(0)
		for k.seconds() < 3 && land == 0 {
			out := k.step(state.Cmd{Forward: 127})
			if out.Pad {
				n++
			}
			if top = max(top, k.p.Pos.Z); n > 0 && out.Landed {
				land = k.p.Pos.X
			}
		}
		if n != 1 || !near(top, 4.5, 0.15) {
			t.Errorf("%d Hz: thrown %d times, %v m high", rate, n, top)
		}
		t.Logf("%4d Hz: top %.3f m, lands at %.3f m", rate, top, land)
	}
}

func TestSlopes(t *testing.T) {
	// 30 degrees up is walked at full speed, 60 is slid down.
	gentle, steep := wedge(64, -256, 0, 64+443, 256, 256, true), wedge(64, -256, 0, 64+148, 256, 256, true)
	k := newWalker(t, worldOf(floor(), gentle), 64, vec.V3{Z: 0.01})
	k.settle()
	for k.p.Pos.Z < 4 && k.tick < 200 {
		k.step(state.Cmd{Forward: 127})
		k.free("slope")
		if k.p.Pos.X > 2.5 && k.p.Pos.X < 8 && k.p.Flags&state.OnGround == 0 {
			t.Fatalf("left the slope at %v", k.p.Pos)
		}
	}
	if k.p.Pos.Z < 4 || !near(k.p.Vel.Len(), k.set.Movement.RunSpeed, 0.2) {
		t.Fatalf("on the slope at %v with %v", k.p.Pos, k.p.Vel)
	}
	at := k.p.Pos
	for range 64 {
		k.step(state.Cmd{})
	}
	stop := k.p.Pos
	for range 64 {
		k.step(state.Cmd{})
	}
	if k.p.Pos.Dist(stop) > 0.001 || stop.Dist(at) > 2 {
		t.Fatalf("does not stand on the slope: %v, then %v", stop, k.p.Pos)
	}
	for range 60 { // and down again, feet on the floor all the way
		k.step(state.Cmd{Forward: -127})
		if k.p.Pos.X > 3 && k.p.Flags&state.OnGround == 0 {
			t.Fatalf("left the slope on the way down at %v", k.p.Pos)
		}
	}
	k = newWalker(t, worldOf(floor(), steep), 64, vec.V3{X: 4, Z: 6})
	for range 200 {
		k.step(state.Cmd{})
		k.free("steep")
	}
	if k.p.Pos.Z > 0.1 {
		t.Fatalf("holds on to a steep slope at %v", k.p.Pos)
	}
}

func TestStairsAreWalkedDownWithoutFlying(t *testing.T) {
	k := newWalker(t, fixture(t, "r3"), 64, vec.V3{X: 4, Z: 3.6})
	k.settle()
	for k.p.Pos.X > -1.5 && k.tick < 400 {
		k.step(state.Cmd{Forward: -127})
		if k.p.Flags&state.OnGround == 0 {
			t.Fatalf("flew off a step at %v", k.p.Pos)
		}
	}
	if k.p.Pos.Z > 0.02 {
		t.Fatalf("ended at %v", k.p.Pos)
	}
}

func TestFlushSeamsDoNotCatch(t *testing.T) {
	// A floor and a wall of tiles that meet in planes; the wall slants as well.
	var solids []level.Brush
	for x := float32(-1024); x < 1024; x += 16 {
		for y := float32(-64); y < 64; y += 16 {
			solids = append(solids, block(x, y, -8, x+16, y+16, 0, level.Solid, 0))
		}
		solids = append(solids, block(x, 64, 0, x+16, 80, 96, level.Solid, 0))
	}
	for _, yaw := range []float32{0, 10, 30, 45, 60} {
		k := newWalker(t, worldOf(solids...), 128, vec.V3{X: -20, Y: 1.4, Z: 0.01})
		k.settle()
		for range 64 {
			k.step(state.Cmd{Forward: 127, Yaw: state.AngleOf(yaw)})
		}
		pace := k.p.Vel.X
		for range 128 {
			x := k.p.Pos.X
			k.step(state.Cmd{Forward: 127, Yaw: state.AngleOf(yaw)})
			if way := (k.p.Pos.X - x) * 128; way < pace*0.9 || k.p.Vel.X < pace*0.9 {
				t.Fatalf("yaw %v: slowed from %v to %v at %v", yaw, pace, k.p.Vel, k.p.Pos)
			}
		}
	}
}

func TestSlickFloorsAndKnocksHaveNoFriction(t *testing.T) {
	slick := block(-2000, -2000, -64, 2000, 2000, 0, level.Solid, level.SurfSlick)
	k := newWalker(t, worldOf(slick), 64, vec.V3{Z: 0.01})
	k.settle()
	k.p.Vel = vec.V3{X: 8}
	for range 64 {
		k.step(state.Cmd{})
	}
	if !near(k.p.Vel.X, 8, 0.1) {
		t.Fatalf("slid from 8 to %v m/s on ice", k.p.Vel.X)
	}
	k = newWalker(t, worldOf(floor()), 64, vec.V3{Z: 0.01})
	k.settle()
	k.p.Vel, k.p.MoveTimer = vec.V3{X: 8}, 8
	for range 7 {
		k.step(state.Cmd{})
	}
	if !near(k.p.Vel.X, 8, 0.1) {
		t.Fatalf("braked to %v m/s right after a knock", k.p.Vel.X)
	}
	for range 64 {
		k.step(state.Cmd{})
	}
	if k.p.Vel.X != 0 {
		t.Fatalf("never stops: %v", k.p.Vel)
	}
}

func TestFrozenDeadAndSpectating(t *testing.T) {
	go1 := state.Cmd{Forward: 127, Yaw: state.AngleOf(90), Buttons: state.BtnJump}
	for _, f := range []state.Flags{state.Frozen, state.Dead} {
		k := newWalker(t, worldOf(floor()), 64, vec.V3{Z: 0.5})
		k.p.Flags |= f
		for range 64 {
			k.step(go1)
		}
		if k.p.Pos.Flat() != (vec.V3{}) || k.p.Pos.Z > 0.02 {
			t.Fatalf("flags %b: moved to %v", f, k.p.Pos)
		}
		if turned := k.p.Yaw != 0; turned != (f == state.Frozen) {
			t.Fatalf("flags %b: turned %v", f, turned)
		}
	}
	k := newWalker(t, fixture(t, "r1"), 64, vec.V3{Z: 2})
	k.p.Flags |= state.Spectating
	for range 300 {
		k.step(state.Cmd{Forward: 127, Pitch: state.AngleOf(20)})
		k.free("spectator")
	}
	if k.p.Pos.X < 10 || k.p.Pos.Z < 3 || k.p.Flags&state.OnGround != 0 {
		t.Fatalf("the spectator is at %v", k.p.Pos)
	}
}

func TestFootstepsFollowTheWayAndNotTheCrouched(t *testing.T) {
	for _, c := range []struct {
		b    state.Buttons
		want int
	}{{0, 13}, {state.BtnCrouch, 0}, {state.BtnWalk, 0}} {
		k := newWalker(t, worldOf(floor()), 64, vec.V3{Z: 0.01})
		k.settle()
		n := 0
		for range 128 {
			if k.step(state.Cmd{Forward: 127, Buttons: c.b}).Footstep {
				n++
			}
		}
		if n < c.want-1 || n > c.want+1 {
			t.Errorf("buttons %b: %d steps in 2 s, want about %d", c.b, n, c.want)
		}
	}
}

func TestAStepDoesNotAllocate(t *testing.T) {
	k := newWalker(t, fixture(t, "r3"), 64, vec.V3{X: -2, Z: 0.1})
	r := vec.NewRand(3)
	var c state.Cmd
	if n := testing.AllocsPerRun(500, func() {
		c = randomCmd(&r, c)
		pmove.Step(&k.p, c, k.env)
	}); n != 0 {
		t.Fatalf("%v allocations a step", n)
	}
}

func BenchmarkStep(b *testing.B) {
	k := newWalker(b, fixture(b, "r3"), 64, vec.V3{X: -2, Z: 0.1})
	r := vec.NewRand(3)
	var c state.Cmd
	b.ReportAllocs()
	for b.Loop() {
		c = randomCmd(&r, c)
		pmove.Step(&k.p, c, k.env)
	}
}
