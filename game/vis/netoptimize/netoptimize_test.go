package netoptimize_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
)

// Everything here is in map units, as the sources' figures are.
const unit = float32(1) / level.UnitsPerMetre

func world(t *testing.T, slabs ...vec.Box) *trace.World {
	t.Helper()
	b := level.NewBuilder("slabs")
	b.SetUnit(unit)
	for _, s := range append([]vec.Box{{Min: vec.V3{X: -4000, Y: -4000, Z: -16}, Max: vec.V3{X: 4000, Y: 4000}}}, slabs...) {
		if err := b.AddBox(0, s, level.Solid, "t"); err != nil {
			t.Fatal(err)
		}
	}
	return trace.New(b.Build())
}

func slab(x0, x1, y0, y1, z0, z1 float32) vec.Box {
	return vec.Box{Min: vec.V3{X: x0, Y: y0, Z: z0}, Max: vec.V3{X: x1, Y: y1, Z: z1}}
}

// body is a player whose feet are at a place, 72 high with the eye at 64.
func body(id state.ID, x, y, z, yaw float32, vel vec.V3) vis.Subject {
	p := vec.V3{X: x, Y: y, Z: z}.Scale(unit)
	box := vec.Box{Min: vec.V3{X: -16, Y: -16}, Max: vec.V3{X: 16, Y: 16, Z: 72}}
	return vis.Subject{
		ID: id, Kind: state.KindPlayer, Alive: true, Pos: p, Eye: p.Mad(64*unit, vec.Up), Chest: p.Mad(45*unit, vec.Up),
		Box: vec.Box{Min: box.Min.Scale(unit), Max: box.Max.Scale(unit)}.Move(p), Yaw: yaw, Vel: vel.Scale(unit),
	}
}

type game struct {
	dec  vis.Decider
	in   vis.Input
	ans  *vis.Answer
	tick state.Tick
	rate int
}

func play(t *testing.T, w *trace.World, set vis.Settings) *game {
	t.Helper()
	p, err := netoptimize.New(vis.Env{World: w, TickRate: 20, Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	return &game{dec: vis.Inline(p), rate: 20}
}

// tickOf decides one tick and returns whether the first is sent the second, and
// the other way round.
func (g *game) tickOf(a, b vis.Subject) (ab, ba bool) {
	g.tick++
	g.in.Reset(g.tick, g.rate)
	g.in.Subjects = append(g.in.Subjects, a, b)
	g.in.Viewers = append(g.in.Viewers, vis.Viewer{Subject: 0, ID: a.ID})
	if b.Kind == state.KindPlayer {
		g.in.Viewers = append(g.in.Viewers, vis.Viewer{Subject: 1, ID: b.ID})
	}
	vis.Candidates(&g.in, 0)
	g.dec.Submit(&g.in)
	g.ans = g.dec.Collect()
	return g.ans.Permitted(0, 1), len(g.in.Viewers) > 1 && g.ans.Permitted(1, 0)
}

var wall = slab(0, 16, -2000, 0, 0, 256)

// A target that runs is looked for 150 ms ahead, one that stands is not, whoever
// moves: so the two of a corner learn of each other at different times.
func TestOnlyAMovingTargetIsLookedForAhead(t *testing.T) {
	w := world(t, wall)
	still := body(1, -256, -64, 0, 0, vec.V3{})
	first := func(who int) int {
		g := play(t, w, nil)
		for n := range 60 {
			run := body(2, 272, -512+float32(n)*12.5, 0, 180, vec.V3{Y: 250})
			if ab, ba := g.tickOf(still, run); who == 0 && ab || who == 1 && ba {
				return n
			}
		}
		return -1
	}
	holder, runner := first(0), first(1)
	// The line of eyes is clear from y = 68: 46.4 ticks. Three ticks ahead are 37.5.
	if holder != 44 || runner != 47 {
		t.Errorf("the holder is told in tick %d, the runner in tick %d; want 44 and 47", holder, runner)
	}
}

func TestGrace(t *testing.T) {
	w := world(t, wall)
	g := play(t, w, nil)
	a := body(1, -256, 64, 0, 0, vec.V3{})
	open, shut := body(2, 256, 64, 0, 180, vec.V3{}), body(2, 256, -400, 0, 180, vec.V3{})
	if ab, _ := g.tickOf(a, open); !ab || g.ans.Reason[1] != vis.EyeEye {
		t.Fatal("a clear line is not sent")
	}
	rays := g.ans.Rays
	for n := 1; n <= 6; n++ {
		ab, _ := g.tickOf(a, shut)
		if want := n < 4; ab != want { // 200 ms are 4 ticks; the last is not within
			t.Errorf("%d ticks after: sent %v", n, ab)
		}
		if n == 1 && g.ans.Rays != 0 {
			t.Errorf("%d rays within the grace, %d before", g.ans.Rays, rays)
		}
	}
}

// Only shins show below the slab: the rule does not look there.
func TestShinsAreNotSeen(t *testing.T) {
	g := play(t, world(t, slab(24, 32, -3900, 3900, 20, 256)), nil)
	if ab, _ := g.tickOf(body(1, -256, 0, 0, 0, vec.V3{}), body(2, 64, 0, 0, 180, vec.V3{})); ab {
		t.Error("it saw shins")
	}
}

// The lowered ray goes to what is in front only.
func TestTheLoweredRayIsForTheFront(t *testing.T) {
	w := world(t, slab(24, 32, -3900, 3900, 56, 256)) // hides the eye at 64, not what is at 32
	for yaw, want := range map[float32]bool{0: true, 180: false} {
		g := play(t, w, nil)
		if ab, _ := g.tickOf(body(1, -256, 0, 0, yaw, vec.V3{}), body(2, 64, 0, 0, 180, vec.V3{})); ab != want {
			t.Errorf("yaw %v: sent %v", yaw, ab)
		}
	}
}

func TestModes(t *testing.T) {
	w := world(t, wall)
	a := body(1, -256, -100, 0, 0, vec.V3{})
	for _, c := range []struct {
		mode float64
		x    float32
		vel  float32
		want bool
	}{
		{0, 272, 0, true}, {2, 272, 0, false},
		{1, 272, 250, true},   // 528 units off, running
		{1, 500, 250, false},  // 756 units
		{1, 2000, 0, true},    // 2,256 units, standing: a quarter counts
		{1, 2600, 0, false},   // 2,856 units
		{1, 2000, 250, false}, // running
	} {
		g := play(t, w, vis.Settings{"mode": c.mode})
		if ab, _ := g.tickOf(a, body(2, c.x, -100, 0, 180, vec.V3{X: c.vel})); ab != c.want {
			t.Errorf("%+v: sent %v", c, ab)
		}
	}
}

// Beyond the far plane nobody is sent; behind one's back it is nearer.
func TestFarPlane(t *testing.T) {
	w := world(t)
	for _, c := range []struct {
		x, yaw float32
		want   bool
	}{{3000, 0, true}, {3700, 0, false}, {900, 180, true}, {1000, 180, false}} {
		g := play(t, w, vis.Settings{"far_plane_m": 3600 * float64(unit)})
		if ab, _ := g.tickOf(body(1, 0, 0, 0, c.yaw, vec.V3{}), body(2, c.x, 0, 0, 180, vec.V3{X: 250})); ab != c.want {
			t.Errorf("%+v: sent %v", c, ab)
		}
	}
}

func TestThingsAreNotWithheld(t *testing.T) {
	g := play(t, world(t, wall), nil)
	thing := body(1024, 272, -300, 0, 0, vec.V3{})
	thing.Kind = state.KindPickup
	if ab, _ := g.tickOf(body(1, -256, -300, 0, 0, vec.V3{}), thing); !ab {
		t.Error("a thing was withheld")
	}
}

// Nothing outlives the tick's wrap, and a tick allocates nothing.
func TestWrapAndMemory(t *testing.T) {
	g := play(t, world(t, wall), nil)
	g.tick = 1<<32 - 2
	a := body(1, -256, 64, 0, 0, vec.V3{})
	g.tickOf(a, body(2, 256, 64, 0, 180, vec.V3{}))
	shut := body(2, 256, -400, 0, 180, vec.V3{})
	for n := 1; n <= 10; n++ {
		if ab, _ := g.tickOf(a, shut); ab != (n < 4) {
			t.Errorf("%d ticks after, over the wrap: sent %v", n, ab)
		}
	}
	if n := testing.AllocsPerRun(20, func() { g.dec.Submit(&g.in); g.dec.Collect() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if _, err := netoptimize.New(vis.Env{World: nil, TickRate: 20}); err == nil {
		t.Error("it wants no world")
	}
}
