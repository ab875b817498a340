package scenery_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// The curve of a cloud: a quarter of its radius at first, never smaller again, whole
// from 3 s on, never denser again, and gone after 19.25 s; the same however ticks wrap.
func TestSmokeCurve(t *testing.T) {
	for _, rate := range []int{20, 64, 128} {
		for _, start := range []state.Tick{0, 5000, ^state.Tick(0) - 300} {
			s := state.Smoke{ID: 1, Start: start, Radius: 1040} // 130 u
			last := scenery.Cloud{Density: 1}
			for k := range int(scenery.SmokeTicks(rate)) + 20 {
				for _, part := range []uint8{0, 100} {
					c := scenery.Smoke(&s, start+state.Tick(k), part, rate)
					ms := (float64(k) + float64(part)/256) * 1000 / float64(rate)
					want := 4.0625 * min(0.25+0.75*ms/3000, 1)
					if ms >= 19250 {
						want = 0
					}
					if math.Abs(float64(c.Radius)-want) > 1e-3 {
						t.Fatalf("%d Hz, %v ms: radius %v, want %v", rate, ms, c.Radius, want)
					}
					if want > 0 && (c.Radius < last.Radius || c.Density > last.Density) {
						t.Fatalf("%d Hz, %v ms: %+v after %+v", rate, ms, c, last)
					}
					last = c
				}
			}
			if c := scenery.Smoke(&s, start-1, 0, rate); c.Radius != 0 {
				t.Errorf("before it begins: %+v", c)
			}
		}
	}
}

// T09's figures: at its beginning the ball does not reach the line to the near feet
// corner, 47 ms later it does.
func TestSmokeGrowsOverACorner(t *testing.T) {
	const u = 1.0 / 32
	s := []state.Smoke{{ID: 1, Start: 100, Pos: vec.New(0, 0, 64*u), Radius: 1040}}
	eye, corner := vec.New(-300*u, 0, 64*u), vec.New(284*u, 16*u, 0)
	var c scenery.Smokes
	for k, want := range []bool{0: false, 3: true} {
		if k == 1 || k == 2 {
			continue
		}
		c.Set(s, nil, 100+state.Tick(k), 0, 64)
		if c.Hide(eye, corner) != want {
			t.Errorf("tick %d: hidden %v", k, !want)
		}
	}
}

// What hides a line is what a plain walk along it finds: balls that it is in, less
// those through whose holes it goes, with densities that add up. It is the same both
// ways.
func TestHideIsWhatSamplesSay(t *testing.T) {
	const seed, rate = 7, 64
	rng := rand.New(rand.NewPCG(seed, 0))
	r := func(m float32) float32 { return (rng.Float32()*2 - 1) * m }
	hidden, sum, through := 0, 0, 0
	for n := range 3000 {
		var smokes []state.Smoke
		var holes []state.Hole
		for i := range 1 + rng.IntN(4) {
			s := state.Smoke{ID: state.ID(2000 + i), Start: state.Tick(5000 - rng.IntN(1200)), Pos: vec.New(r(6), r(6), r(3)), Radius: uint16(300 + rng.IntN(1200))}
			smokes = append(smokes, s)
			if rng.IntN(2) == 0 {
				holes = append(holes, state.Hole{ID: state.ID(3000 + i), Smoke: s.ID, Start: state.Tick(5000 - rng.IntN(200)), Pos: s.Pos.Add(vec.New(r(3), r(3), r(2))), Radius: 800})
			}
		}
		var c scenery.Smokes
		c.Set(smokes, holes, 5000, 0, rate)
		a, b := vec.New(r(15), r(15), r(4)), vec.New(r(15), r(15), r(4))
		density, edge := float32(0), false
		for i := range smokes {
			cl := scenery.Smoke(&smokes[i], 5000, 0, rate)
			in, pierced := false, false
			least, leastHole := float32(1e9), float32(1e9)
			const steps = 4000
			for k := 0; k <= steps; k++ {
				p := a.Lerp(b, float32(k)/steps)
				d := p.Dist(cl.At) - cl.Radius
				least = min(least, d)
				if cl.Radius <= 0 || d > 0 {
					continue
				}
				in = true
				for h := range holes {
					if hd := p.Dist(holes[h].Pos) - float32(holes[h].Radius)/256; holes[h].Smoke == smokes[i].ID && scenery.HoleOpen(&holes[h], 5000, 0, rate) {
						leastHole = min(leastHole, max(hd, -hd))
						pierced = pierced || hd <= 0
					}
				}
			}
			edge = edge || vec.Abs(least) < 0.02 || leastHole < 0.02 && !pierced
			if in && !pierced {
				density += cl.Density
			}
			if in && pierced {
				through++
			}
		}
		if edge || vec.Abs(density-scenery.Opaque) < 0.01 {
			continue // between two samples
		}
		want := density >= scenery.Opaque
		if got := c.Hide(a, b); got != want {
			t.Fatalf("seed %d, case %d: hidden %v, samples say a density of %v", seed, n, got, density)
		}
		if c.Hide(a, b) != c.Hide(b, a) {
			t.Fatalf("seed %d, case %d: not the same both ways", seed, n)
		}
		if want {
			hidden++
		} else if density > 0 {
			sum++
		}
	}
	if hidden < 100 || sum < 20 || through < 50 {
		t.Errorf("seed %d: only %d hidden, %d thin, %d through holes", seed, hidden, sum, through)
	}
}

// Holes tell from their entity which cloud they are in, and nothing sent makes a cloud
// that is no number.
func TestHolesFindTheirCloud(t *testing.T) {
	smokes := []state.Smoke{{ID: 2001, Start: 70000, Pos: vec.New(1, 2, 3), Radius: 1040}, {ID: 2002, Start: 70100, Pos: vec.New(1, 2, 4), Radius: 1040}}
	h := state.Hole{ID: 2003, Smoke: 2002, Start: 70300, Pos: vec.New(1, 2, 3), Radius: 800}
	e := h.Entity(smokes[1].Start)
	if got := state.HoleOf(&e, 70310, smokes); got != h {
		t.Errorf("sent %+v, read %+v", h, got)
	}
	e.Pitch++
	if got := state.HoleOf(&e, 70310, smokes); got.Smoke != 0 {
		t.Errorf("of no cloud: %+v", got)
	}
	for low := range 1 << 16 {
		e := state.Entity{Kind: state.KindSmoke, Stride: uint16(low), Yaw: 65535}
		s := state.SmokeOf(&e, 5)
		if c := scenery.Smoke(&s, 5, 255, 64); !vec.Finite(c.Radius) || c.Radius < 0 || c.Radius > 256 {
			t.Fatalf("%d: %+v", low, c)
		}
	}
}
