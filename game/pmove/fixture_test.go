package pmove_test

import (
	"os"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

const unit = float32(1.0 / level.UnitsPerMetre)

// fixture loads one of the maps of game/level/testdata.
func fixture(t testing.TB, name string) *trace.World {
	t.Helper()
	data, err := os.ReadFile("../level/testdata/" + name + ".map")
	if err != nil {
		t.Fatal(err)
	}
	l, err := mapfile.Parse(name, data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace.New(l)
}

// block is an axial solid, in map units.
func block(x1, y1, z1, x2, y2, z2 float32, c level.Contents, surf level.Surf) level.Brush {
	lo, hi := vec.V3{X: x1, Y: y1, Z: z1}.Scale(unit), vec.V3{X: x2, Y: y2, Z: z2}.Scale(unit)
	b := level.Brush{Contents: c, Bounds: vec.Box{Min: lo, Max: hi}}
	for i := range 3 {
		var n vec.V3
		b.Sides = append(b.Sides,
			level.Side{Plane: level.Plane{N: n.With(i, -1), D: 0 - lo.At(i)}, Surf: surf},
			level.Side{Plane: level.Plane{N: n.With(i, 1), D: hi.At(i)}, Surf: surf})
	}
	return b
}

// wedge is a block whose top falls from z2 at x1 to z1 at x2, or rises with x
// when up is set.
func wedge(x1, y1, z1, x2, y2, z2 float32, up bool) level.Brush {
	b := block(x1, y1, z1, x2, y2, z2, level.Solid, 0)
	n := vec.V3{X: z2 - z1, Z: x2 - x1}
	at := vec.V3{X: x2, Y: y1, Z: z1}
	if up {
		n.X, at.X = 0-n.X, x1
	}
	n = n.Unit()
	b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: n, D: n.Dot(at.Scale(unit))}})
	return b
}

func worldOf(solids ...level.Brush) *trace.World {
	return trace.New(&level.Level{Solids: solids, Models: []level.Model{{NumSolids: len(solids)}}})
}

// floor is a big empty plain, its top at z = 0.
func floor() level.Brush { return block(-20000, -20000, -64, 20000, 20000, 0, level.Solid, 0) }

// walker is a player in a world, with everything that a step needs.
type walker struct {
	t     testing.TB
	p     state.Player
	scene trace.Scene
	set   tables.Set
	env   pmove.Env
	out   pmove.Out // of the last step
	tick  int
}

func newWalker(t testing.TB, w *trace.World, rate int, feet vec.V3) *walker {
	k := &walker{t: t, scene: w.Closed(), set: tables.Arena()}
	k.p.Pos = feet
	k.p.Ground = -1
	k.env = pmove.Env{World: &k.scene, Move: &k.set.Movement, TickRate: rate, Pads: w.Level().Pads}
	return k
}

func (k *walker) step(c state.Cmd) pmove.Out {
	k.t.Helper()
	k.out = pmove.Step(&k.p, c, k.env)
	k.tick++
	if !k.p.Pos.IsFinite() || !k.p.Vel.IsFinite() {
		k.t.Fatalf("tick %d: not finite: %+v", k.tick, k.p)
	}
	return k.out
}

// seconds is the time that passed.
func (k *walker) seconds() float64 { return float64(k.tick) / float64(k.env.TickRate) }

func (k *walker) body() vec.Box { return pmove.Body(&k.p, k.env.Move) }

// free fails when the body is inside something.
func (k *walker) free(what string) {
	k.t.Helper()
	if k.scene.Overlaps(k.body().Move(k.p.Pos), level.MaskMove) {
		k.t.Fatalf("%s: tick %d: inside something at %v (vel %v)", what, k.tick, k.p.Pos, k.p.Vel)
	}
}

// settle lets it fall to the floor.
func (k *walker) settle() {
	k.t.Helper()
	for range 3 * k.env.TickRate {
		k.step(state.Cmd{Yaw: k.p.Yaw})
		if k.p.Flags&state.OnGround != 0 {
			return
		}
	}
	k.t.Fatalf("no floor below %v", k.p.Pos)
}
