package state_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

const rate = 64

// thrown is a body in tick n of a parabola: accelerated evenly.
func thrown(n float32, v, a vec.V3) state.Body {
	t := n / rate
	return state.Body{Pos: state.Quant(v.Scale(t).Mad(t*t/2, a)), Vel: state.Quant(v.Mad(t, a)), Alive: true}
}

func dist(p, q vec.V3) float64 { return float64(p.Dist(q)) }

// Under an even acceleration the curve over missed ticks is the way itself; a line
// is centimetres off.
func TestBlendFollowsAnEvenAcceleration(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 0))
	r := func(m float32) float32 { return (rng.Float32()*2 - 1) * m }
	worst, line := 0.0, 0.0
	for range 500 {
		v, acc := vec.New(r(7), r(7), r(5)), vec.New(r(60), r(60), -20)
		span := 2 + rng.IntN(6)
		a, b := thrown(0, v, acc), thrown(float32(span), v, acc)
		for at := range span * 256 {
			p := state.Blend(&a, &b, uint32(span), uint32(at), rate)
			want := thrown(float32(at)/256, v, acc)
			worst = max(worst, dist(p.Pos, want.Pos.V3()))
			line = max(line, dist(a.Pos.V3().Lerp(b.Pos.V3(), float32(at)/float32(span*256)), want.Pos.V3()))
		}
	}
	if worst > 0.012 || line < 0.05 {
		t.Errorf("seed %d: the curve is up to %.4f m off, a line %.4f", seed, worst, line)
	}
}

// Where the velocities do not explain the way, the blend is the line: a body that
// ran into a wall, or that is carried by a lift.
func TestBlendIsALineWhereVelocitiesLie(t *testing.T) {
	at := func(x, v float32) state.Body {
		return state.Body{Pos: state.Quant(vec.New(x, 0, 0)), Vel: state.Quant(vec.New(v, 0, 0)), Alive: true}
	}
	for _, c := range []struct {
		name string
		a, b state.Body
		span uint32
	}{
		{"lift", at(0, 0), at(1, 0), 4},
		{"wall", at(0, 8), at(0.05, 0), 4},
		{"next tick", at(0, 8), at(0.1, -8), 1},
		{"long gap", at(0, 8), at(4, 8), 40},
	} {
		for k := uint32(0); k <= c.span*256; k += 16 {
			got := state.Blend(&c.a, &c.b, c.span, k, rate).Pos.X
			want := vec.Lerp(c.a.Pos.V3().X, c.b.Pos.V3().X, float32(k)/float32(c.span*256))
			if math.Abs(float64(got-want)) > 1e-4 {
				t.Fatalf("%s at %d: %v, want %v", c.name, k, got, want)
			}
		}
	}
}

// A blend begins and ends at the updates and is a place, whatever was sent.
func TestBlendOfAnything(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	q := func(m int32) state.Q {
		return state.Q{X: rng.Int32N(2*m+1) - m, Y: rng.Int32N(2*m+1) - m, Z: rng.Int32N(2*m+1) - m}
	}
	for range 3000 {
		a := state.Body{Pos: q(1 << 20), Vel: q(1 << 20), Yaw: state.Angle16(rng.Uint32()), Duck: uint8(rng.Uint32()), Lean: int8(rng.Uint32()), Alive: true}
		b := a
		b.Pos, b.Vel = q(1<<20), q(1<<20)
		span := 1 + rng.Uint32N(20)
		if p := state.Blend(&a, &b, span, 0, rate); p != a.Placed() {
			t.Fatalf("seed %d: begins at %+v", seed, p)
		}
		if p := state.Blend(&a, &b, span, span*256, rate); p != b.Placed() {
			t.Fatalf("seed %d: ends at %+v", seed, p)
		}
		p := state.Blend(&a, &b, span, rng.Uint32N(span*256), rate)
		if !p.Pos.IsFinite() {
			t.Fatalf("seed %d: %v", seed, p.Pos)
		}
	}
	for _, span := range []uint32{0, 1 << 20, math.MaxUint32} { // what only a broken stream holds
		a, b := state.Body{Alive: true}, state.Body{Pos: q(1 << 20), Alive: true}
		if p := state.Blend(&a, &b, span, 77, rate); p != a.Placed() {
			t.Errorf("span %d: %+v", span, p)
		}
	}
}

// A body is carried for 100 ms, ahead or back, and then stands; the dead lie.
func TestCarryIsCapped(t *testing.T) {
	b := state.Body{Vel: state.Quant(vec.New(8, 0, 0)), Alive: true}
	for by := int32(-4000); by <= 4000; by += 50 {
		want := 8 * vec.Clamp(float32(by)/(256*rate), -0.1, 0.1)
		if p := state.Carry(&b, by, rate); math.Abs(float64(p.Pos.X-want)) > 1e-4 {
			t.Fatalf("carried by %d/256 ticks to %v, want %v", by, p.Pos.X, want)
		}
	}
	if b.Alive = false; state.Carry(&b, 256, rate).Pos.X != 0 {
		t.Error("a dead body is carried")
	}
}
