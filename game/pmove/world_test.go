package pmove_test

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

var seed = flag.Uint64("pmove.seed", 1, "first seed of the random worlds")

// Public report O-07: what hides you must stop you, from every side.
func TestPatchColumnsStopABodyFromEightDirections(t *testing.T) {
	w := fixture(t, "p1")
	for _, column := range []float32{0, 256} {
		center := vec.V3{X: column * unit, Z: 0.01}
		for d := range 8 {
			sin, cos := vec.SinCos(float32(d * 45))
			k := newWalker(t, w, 64, center.Mad(4, vec.V3{X: cos, Y: sin}))
			k.p.Yaw = state.AngleOf(float32(d*45 + 180))
			k.settle()
			for range 128 {
				k.step(state.Cmd{Forward: 127, Yaw: k.p.Yaw})
			}
			name := fmt.Sprintf("column %v from %d degrees", column, d*45)
			k.free(name)
			if k.out.Stuck {
				t.Fatalf("%s: stuck at %v", name, k.p.Pos)
			}
			// The drawn surface is a rounded square of 64 units' half width; the
			// body's near corner or side touches it.
			gap := k.scene.Box(k.p.Pos, k.p.Pos.Lerp(center.With(2, k.p.Pos.Z), 0.2), k.body(), level.MaskMove)
			if way := gap.Frac * k.p.Pos.Sub(center).Len2() * 0.2; way > 0.02 || k.p.Pos.Sub(center).Len2() > 4 {
				t.Fatalf("%s: stopped at %v, %v m before the surface", name, k.p.Pos, way)
			}
			if k.p.Pos.Sub(center).Len2() < 1.6 {
				t.Fatalf("%s: walked into the column, to %v", name, k.p.Pos)
			}
			eye := pmove.Eye(&k.p, k.env.Move)
			if across := center.With(2, eye.Z).Mad(4, vec.V3{X: 0 - cos, Y: 0 - sin}); !w.Blocked(eye, across, level.MaskSight) {
				t.Fatalf("%s: sight passes through the column", name)
			}
		}
	}
}

// lift is a plain with a plat of 2 by 2 metres at the origin, model 1.
func lift() *trace.World {
	l := &level.Level{Solids: []level.Brush{floor(), block(-32, -32, -16, 32, 32, 0.5, level.Solid, 0)}}
	l.Models = []level.Model{{NumSolids: 1}, {FirstSolid: 1, NumSolids: 1}}
	return trace.New(l)
}

// Public report S-05: a plat that rises, waits and falls carries its rider
// without a scratch.
func TestALiftCarriesItsRider(t *testing.T) {
	w := lift()
	for _, rate := range []int{20, 60, 64, 128} {
		for _, speed := range []float32{100, 200, 400, 800} { // units a second
			k := newWalker(t, w, rate, vec.V3{X: 0.3, Z: 0.1})
			poses, before := make([]level.Pose, 2), make([]level.Pose, 2)
			k.scene.Poses, k.env.Poses, k.env.Before = poses, poses, before
			k.settle()
			if k.p.Ground != 1 {
				t.Fatalf("stands on model %d", k.p.Ground)
			}
			place := func(tick int) float32 { // up for 8 m, rest, down
				s := float32(tick) / float32(rate)
				up := 8 / (speed * unit)
				switch {
				case s < up:
					return s * speed * unit
				case s < up+0.5:
					return 8
				}
				return max(8-(s-up-0.5)*speed*unit, 0)
			}
			ticks := int(float32(rate)*(2*8/(speed*unit)+0.5)) + 3
			for i := 1; i <= ticks; i++ {
				before[1].Off.Z, poses[1].Off.Z = place(i-1), place(i)
				out := k.step(state.Cmd{})
				above := k.p.Pos.Z - 0.5*unit - poses[1].Off.Z
				if out.LandSpeed > 0 || out.Stuck || above < 0 || above > 0.01 {
					t.Fatalf("%d Hz, %v u/s, tick %d: %v m above the plat, %+v", rate, speed, i, above, out)
				}
			}
			k.free("lift")
		}
	}
}

func TestADoorPushesWhatIsInItsWay(t *testing.T) {
	l := &level.Level{Solids: []level.Brush{floor(), block(-16, -64, 0.5, 0, 64, 96, level.Solid, 0)}}
	l.Models = []level.Model{{NumSolids: 1}, {FirstSolid: 1, NumSolids: 1}}
	w := trace.New(l)
	k := newWalker(t, w, 64, vec.V3{X: 0.5, Z: 0.01})
	poses, before := make([]level.Pose, 2), make([]level.Pose, 2)
	k.scene.Poses, k.env.Poses, k.env.Before = poses, poses, before
	k.settle()
	for i := 1; i <= 64; i++ {
		before[1] = poses[1]
		poses[1].Off.X = float32(i) * 3 / 64
		if out := k.step(state.Cmd{}); out.Stuck {
			t.Fatalf("tick %d: stuck at %v, the door is at %v", i, k.p.Pos, poses[1].Off)
		}
		k.free("door")
	}
	if k.p.Pos.X < 3.4 {
		t.Fatalf("left behind the door, at %v", k.p.Pos)
	}
}

// A squashed body says so.
func TestACrushedBodyIsReported(t *testing.T) {
	l := &level.Level{Solids: []level.Brush{floor(), block(-64, -64, 64, 64, 64, 128, level.Solid, 0), block(-64, -64, -64, 64, 64, 0.5, level.Solid, 0)}}
	l.Models = []level.Model{{NumSolids: 2}, {FirstSolid: 2, NumSolids: 1}}
	w := trace.New(l)
	k := newWalker(t, w, 64, vec.V3{Z: 0.1})
	poses, before := make([]level.Pose, 2), make([]level.Pose, 2)
	k.scene.Poses, k.env.Poses, k.env.Before = poses, poses, before
	k.settle()
	stuck := false
	for i := 1; i <= 60 && !stuck; i++ {
		before[1] = poses[1]
		poses[1].Off.Z = float32(i) * 0.02
		stuck = k.step(state.Cmd{}).Stuck
	}
	if !stuck {
		t.Fatalf("crushed between plat and ceiling and nobody said so: %v", k.p.Pos)
	}
}

// cage is a sealed room full of random solids and triangles.
func cage(r *vec.Rand) *trace.World {
	const s = 384
	l := &level.Level{Solids: []level.Brush{
		block(-s, -s, -32, s, s, 0, level.Solid, 0), block(-s, -s, 256, s, s, 288, level.Solid, 0),
		block(-s-32, -s, 0, -s, s, 256, level.Solid, 0), block(s, -s, 0, s+32, s, 256, level.Solid, 0),
		block(-s, -s-32, 0, s, -s, 256, level.Solid, 0), block(-s, s, 0, s, s+32, 256, level.Solid, 0),
	}}
	for range 50 {
		x, y, z := float32(s*r.Signed()), float32(s*r.Signed()), float32(100*r.Float())
		dx, dy, dz := 8+100*r.Float(), 8+100*r.Float(), 4+80*r.Float()
		switch r.Intn(4) {
		case 0:
			l.Solids = append(l.Solids, wedge(x, y, z, x+dx, y+dy, z+dz, r.Intn(2) == 0))
		case 1: // a random hull
			b := block(x, y, z, x+dx, y+dy, z+dz, level.Solid, 0)
			c := b.Bounds.Center()
			for range 1 + r.Intn(5) {
				n := vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Unit()
				b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: n, D: n.Dot(c) + 0.1 + r.Float()}})
			}
			l.Solids = append(l.Solids, b)
		default:
			c := []level.Contents{level.Solid, level.Solid, level.Glass, level.PlayerClip, level.Water, level.Ladder}[r.Intn(6)]
			l.Solids = append(l.Solids, block(x, y, z, x+dx, y+dy, z+dz, c, level.Surf(r.Intn(2))*level.SurfSlick))
		}
	}
	for range 30 {
		a := vec.V3{X: 11 * r.Signed(), Y: 11 * r.Signed(), Z: 5 * r.Float()}
		b, c := a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(3)), a.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Scale(3))
		l.Tris = append(l.Tris, level.Tri{A: a, B: b, C: c, N: b.Sub(a).Cross(c.Sub(a)).Unit(), Contents: level.Solid})
	}
	l.Models = []level.Model{{NumSolids: len(l.Solids), NumTris: len(l.Tris)}}
	return trace.New(l)
}

// randomCmd changes its mind a few times a second.
func randomCmd(r *vec.Rand, c state.Cmd) state.Cmd {
	if r.Intn(12) == 0 {
		c.Forward, c.Right, c.Up = int8(r.Intn(256)-128), int8(r.Intn(256)-128), int8(r.Intn(256)-128)
		if r.Intn(2) == 0 {
			c.Forward, c.Right = 127, 0
		}
		c.Buttons = state.Buttons(r.Uint64())
		if r.Intn(2) == 0 {
			c.Buttons &^= state.BtnCrouch
		}
	}
	c.Yaw += state.Angle16(r.Intn(1600)) - 800
	c.Pitch = state.Angle16(r.Intn(32768) - 16384)
	return c
}

func TestNobodyGetsStuckOrOutOfRandomGeometry(t *testing.T) {
	for n := uint64(0); n < 24; n++ {
		r := vec.NewRand(*seed, n)
		w := cage(&r)
		for try := 0; try < 4; try++ {
			rate := []int{20, 32, 64, 128, 500}[r.Intn(5)]
			k := newWalker(t, w, rate, vec.V3{})
			for { // a free place
				k.p.Pos = vec.V3{X: 11 * r.Signed(), Y: 11 * r.Signed(), Z: 6 * r.Float()}
				if !w.Closed().Overlaps(k.body().Move(k.p.Pos), level.MaskMove) {
					break
				}
			}
			var c state.Cmd
			for range 6 * rate {
				c = randomCmd(&r, c)
				if r.Intn(3*rate) == 0 { // thrown about
					k.p.Vel = vec.V3{X: 30 * r.Signed(), Y: 30 * r.Signed(), Z: 20 * r.Signed()}
					k.p.MoveTimer = 8
				}
				if out := k.step(c); out.Stuck {
					t.Fatalf("seed %d world %d: stuck at %v", *seed, n, k.p.Pos)
				}
				k.free(fmt.Sprintf("seed %d world %d at %d Hz", *seed, n, rate))
				if p := k.p.Pos; vec.Abs(p.X) > 12 || vec.Abs(p.Y) > 12 || p.Z < 0 || p.Z > 8 {
					t.Fatalf("seed %d world %d: out of the world, at %v", *seed, n, p)
				}
			}
		}
	}
}

func TestWildStatesAreTamed(t *testing.T) {
	w := fixture(t, "r1")
	bad := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32, 1e-45, 0}
	r := vec.NewRand(*seed, 99)
	for i := range 400 {
		k := newWalker(t, w, 64, vec.V3{X: bad[r.Intn(7)], Y: bad[r.Intn(7)], Z: bad[r.Intn(7)]})
		k.p.Vel = vec.V3{X: bad[r.Intn(7)], Y: bad[r.Intn(7)], Z: bad[r.Intn(7)]}
		k.p.Flags, k.p.Ground = state.Flags(r.Uint64()), int16(r.Uint64())
		k.p.Duck, k.p.Lean, k.p.LadderHold, k.p.MoveTimer = uint8(r.Uint64()), int8(r.Uint64()), uint8(r.Uint64()), uint8(r.Uint64())
		var c state.Cmd
		for range 8 {
			k.step(randomCmd(&r, c))
			for _, x := range []float32{k.p.Pos.X, k.p.Pos.Y, k.p.Pos.Z, k.p.Vel.X, k.p.Vel.Y, k.p.Vel.Z} {
				if x == 0 && math.Signbit(float64(x)) {
					t.Fatalf("state %d: negative zero in %+v", i, k.p)
				}
			}
			if !pmove.Eye(&k.p, k.env.Move).IsFinite() || !pmove.Chest(&k.p, k.env.Move).IsFinite() {
				t.Fatalf("state %d: the eye is not finite", i)
			}
		}
	}
	if out := pmove.Step(&state.Player{}, state.Cmd{}, pmove.Env{}); out != (pmove.Out{}) {
		t.Fatal("an empty Env moved somebody")
	}
}
