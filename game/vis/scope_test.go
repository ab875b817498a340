package vis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// eight is an optic like the strongest that is shipped.
func eight(since, last state.Tick) vis.Scope {
	return vis.Scope{Magnification: 8, HalfDeg: 5.625, RangeM: 1000, TurnDPS: 120, Since: since, Last: last}
}

var usual = vis.ConeRule{Pad: vis.ConePad, ConstantDeg: vis.ConeDeg, Linger: 32}

// TestConeIsTheAngleAndTheRange holds cones to their definition in plain words: an
// angle between two directions, and a distance. What is at the edge, within a body's
// reach, is left to either answer.
func TestConeIsTheAngleAndTheRange(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 0))
	f := func(lo, hi float64) float64 { return lo + rng.Float64()*(hi-lo) }
	inside := 0
	for n := range 20000 {
		s := newScene()
		s.player(1, 0, float32(f(-900, 900)), float32(f(-900, 900)))
		me, v := &s.in.Subjects[0], &s.in.Viewers[0]
		me.Yaw, me.Pitch = float32(f(-180, 180)), float32(f(-60, 60))
		v.RTTms, v.RenderMS = float32(f(0, 250)), float32(f(0, 150))
		v.Scope = eight(50, 100)
		v.Scope.HalfDeg, v.Scope.TurnDPS, v.Scope.RangeM = float32(f(1, 30)), float32(f(10, 300)), float32(f(50, 1500))
		rule := vis.ConeRule{Pad: float32(f(0, 2)), ConstantDeg: float32(f(0, 10)), Linger: 32}
		c, ok := s.in.Sector(0, &rule)
		if !ok {
			t.Fatalf("seed %d, %d: no cone", seed, n)
		}
		p := me.Eye.Mad(float32(f(5, 1500)), vec.Forward(me.Yaw+float32(f(-70, 70)), vec.Clamp(me.Pitch+float32(f(-30, 30)), -89, 89)))
		half := float64(v.Scope.HalfDeg) + float64(v.Scope.TurnDPS)*float64(v.RTTms+v.RenderMS)/1000*float64(rule.Pad) + float64(rule.ConstantDeg)
		half = min(half, 60)
		to := p.Sub(me.Eye)
		d := float64(to.Len())
		angle := math.Acos(min(max(float64(to.Dot(vec.Forward(me.Yaw, me.Pitch)))/d, -1), 1)) * 180 / math.Pi
		edge := math.Asin(min(4/d, 1))*180/math.Pi + 0.1
		switch got := c.Holds(p); {
		case math.Abs(angle-half) < edge || math.Abs(d-float64(v.Scope.RangeM)) < 4:
		case got != (angle < half && d < float64(v.Scope.RangeM)):
			t.Fatalf("seed %d, %d: %.1f m and %.2f degrees off, cone of %.2f degrees to %.0f m: %v", seed, n, d, angle, half, v.Scope.RangeM, got)
		case got:
			inside++
			if e := c.Effective(me.Eye, p); math.Abs(float64(e)*8-d) > 0.01 {
				t.Fatalf("seed %d, %d: %.1f m look like %.1f", seed, n, d, e)
			}
		}
	}
	if inside < 2000 {
		t.Errorf("only %d places were inside", inside)
	}
}

// TestConeIsTheSameMirroredAndTurned: a cone knows no direction of the map.
func TestConeIsTheSameMirroredAndTurned(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := range 3000 {
		yaw, x, y := rng.Float32()*360-180, rng.Float32()*1600-800, rng.Float32()*1600-800
		first := false
		for k := range 8 {
			px, py, a := x, y, yaw
			if k >= 4 {
				py, a = 0-py, 0-a
			}
			for range k % 4 {
				px, py, a = 0-py, px, a+90
			}
			s := newScene()
			s.player(1, 0, 0, 0)
			s.in.Subjects[0].Yaw = a
			s.in.Viewers[0].Scope = eight(50, 100)
			c, _ := s.in.Sector(0, &usual)
			got := c.Holds(vec.V3{X: px, Y: py})
			// The outermost millimetre is rounding.
			near := c.Holds(vec.V3{X: px * 1.0005, Y: py * 1.0005}) == got
			if k == 0 {
				first = got
			} else if got != first && near {
				t.Fatalf("seed %d, %d: turned by %d, mirrored %v: %v", seed, n, k%4*90, k >= 4, got)
			}
		}
	}
}

// TestConeBeginsAtOnceAndLingers: with the first command that asks, and after the last
// one as long as it was asked for, half a second at most.
func TestConeBeginsAtOnceAndLingers(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	var scope vis.Scope
	has := func(tick state.Tick, asks bool) bool {
		scope.Ask(asks, eight(0, 0), tick, 64)
		s.in.Tick, s.in.Viewers[0].Scope = tick, scope
		_, ok := s.in.Sector(0, &usual)
		return ok
	}
	for _, start := range []state.Tick{1000, math.MaxUint32 - 60} { // the second wraps
		for _, asked := range []int{1, 5, 31, 32, 33, 200} {
			scope = vis.Scope{}
			tick := start
			if has(tick, false) {
				t.Fatal("a cone before anything was asked")
			}
			for range asked {
				tick++
				if !has(tick, true) || !scope.Asks(tick) {
					t.Fatalf("none after %d of %d asking ticks", tick-start, asked)
				}
			}
			n := 0
			for range 300 {
				tick++
				if has(tick, false) {
					n++
				}
			}
			if want := min(asked, 32); n != want {
				t.Errorf("asked for %d ticks it lingers for %d, want %d", asked, n, want)
			}
			if scope != (vis.Scope{}) {
				t.Errorf("remembered for ever: %+v", scope)
			}
		}
	}
	// Who taps the key has the cone for as long as the key was down, twice.
	scope = vis.Scope{}
	open := 0
	for tick := state.Tick(5000); tick < 5000+640; tick++ {
		if has(tick, tick%32 == 0) {
			open++
		}
	}
	if open != 40 {
		t.Errorf("a tap every half second opens the cone in %d of 640 ticks", open)
	}
}

// TestCandidatesGoBeyondTheRangeInTheConeOnly, and for the one who looks.
func TestCandidatesGoBeyondTheRangeInTheConeOnly(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.player(2, 0, 800, 0)  // before the optic
	s.player(3, 0, -800, 0) // behind
	s.player(4, 0, 1200, 0) // beyond what it shows
	s.player(5, 0, 300, 0)  // within the range
	asked := func(v, i int) bool {
		vis.Candidates(&s.in, vis.DefaultRange)
		return s.in.IsAsked(v, i)
	}
	for i := 1; i < 4; i++ {
		if asked(0, i) {
			t.Errorf("the naked eye is asked about %d", i+1)
		}
	}
	s.in.Viewers[0].Scope = eight(90, 100)
	if !asked(0, 1) || asked(1, 0) {
		t.Errorf("in the cone: asked %v, and the other way %v", asked(0, 1), asked(1, 0))
	}
	if asked(0, 2) || asked(0, 3) || !asked(0, 4) || !asked(4, 0) {
		t.Error("behind, beyond the optic or within the range is asked otherwise")
	}
	s.in.Viewers[0].Scope = eight(10, 20) // long ago
	if asked(0, 1) {
		t.Error("a cone that is over asks")
	}
	s.in.Viewers[0].Scope = eight(90, 200) // from the future, as only nonsense is
	if asked(0, 1) {
		t.Error("a cone of the future asks")
	}
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), -1, 0} {
		s.in.Viewers[0].Scope = vis.Scope{Magnification: 8, HalfDeg: bad, RangeM: bad, TurnDPS: bad, Since: 90, Last: 100}
		if asked(0, 2) {
			t.Errorf("numbers of %v ask behind", bad)
		}
	}
}

// TestDoorsAndImpactsInTheCone are told of beyond the usual range; what lies elsewhere
// is not.
func TestDoorsAndImpactsInTheCone(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	at := func(x, y float32) vec.Box {
		return vec.Box{Min: vec.V3{X: x - 1, Y: y - 1}, Max: vec.V3{X: x + 1, Y: y + 1, Z: 2}}
	}
	s.frame.Doors = make([]state.DoorState, 3)
	s.frame.DoorAt = []vec.Box{at(100, 0), at(700, 0), at(0, 700)}
	s.frame.DoorRange, s.frame.EventRange = 350, 350
	s.frame.Sight = vis.NewSight(hall(t), 64)
	s.in.Subjects[0].Pos, s.in.Subjects[0].Eye = vec.V3{X: 5}, vec.V3{X: 5, Z: 1.6}
	s.frame.Events = []state.Event{
		{Kind: state.EvImpact, Actor: 9, Pos: vec.V3{X: 600, Z: 1}}, {Kind: state.EvImpact, Actor: 9, Pos: vec.V3{X: 5, Y: 600, Z: 1}},
	}
	told := func() (doors []int, events int) {
		s.decide(none)
		vis.Build(&s.frame, &s.in, &s.ans, 0, &s.view)
		for _, d := range s.view.Doors() {
			doors = append(doors, d.Index)
		}
		return doors, len(s.view.Events())
	}
	if d, e := told(); len(d) != 1 || e != 0 {
		t.Errorf("the naked eye: doors %v, %d impacts", d, e)
	}
	s.in.Viewers[0].Scope = eight(50, 100)
	if d, e := told(); len(d) != 2 || d[1] != 1 || e != 1 {
		t.Errorf("through the optic: doors %v, %d impacts", d, e)
	}
}

// TestDetailThroughAnOptic: somebody is sent as finely as if he stood where he seems to
// stand.
func TestDetailThroughAnOptic(t *testing.T) {
	for _, c := range []struct {
		x    float32
		want state.Detail
	}{{80, state.Near}, {392, state.Mid}, {600, state.Far}} {
		s := newScene()
		s.player(1, 0, 0, 0)
		s.player(2, 0, c.x, 0)
		s.in.Subjects[0].Aiming = true
		s.in.Viewers[0].Scope = eight(50, 100)
		s.decide(all)
		s.ids(0)
		if k := s.view.Entities()[0]; k.Detail != c.want || k.Nearer != 8 {
			t.Errorf("%v m through 8x: detail %v, nearer %v", c.x, k.Detail, k.Nearer)
		}
	}
}

// TestCandidatesAskWhoeverTheWidestConeHolds: what is looked up quickly is what asking
// of everything by itself gives.
func TestCandidatesAskWhoeverTheWidestConeHolds(t *testing.T) {
	const seed = 14
	rng := rand.New(rand.NewPCG(seed, 0))
	rule := vis.ConeRule{Pad: vis.MostConePad, ConstantDeg: vis.MostConeDeg, Linger: 64}
	asked := 0
	for n := range 300 {
		s := newScene()
		for i := range 40 {
			s.player(state.ID(i+1), 0, rng.Float32()*2000-1000, rng.Float32()*2000-1000)
			me, v := &s.in.Subjects[i], &s.in.Viewers[i]
			me.Pos.Z, me.Yaw, me.Pitch = rng.Float32()*100, rng.Float32()*360, rng.Float32()*160-80
			me.Eye = me.Pos.Add(vec.V3{Z: 1.6})
			v.RTTms, v.RenderMS = rng.Float32()*300, rng.Float32()*150
			v.Scope = eight(50, 60+uint32(rng.IntN(60)))
		}
		vis.Candidates(&s.in, vis.DefaultRange)
		for v := range s.in.Viewers {
			c, _ := s.in.Sector(v, &rule)
			for i := range s.in.Subjects {
				p := s.in.Subjects[i].Pos
				want := i != v && (p.Dist(s.in.Subjects[v].Pos) <= vis.DefaultRange || c.Holds(p))
				if got := s.in.IsAsked(v, i); got != want {
					t.Fatalf("seed %d, %d: viewer %d asks about %d: %v, want %v", seed, n, v, i, got, want)
				}
				if want && p.Dist(s.in.Subjects[v].Pos) > vis.DefaultRange {
					asked++
				}
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d pairs were asked by a cone", asked)
	}
}

// BenchmarkCandidates is what asking costs in a large match, without optics and with a
// third of the players looking through one.
func BenchmarkCandidates(b *testing.B) {
	for _, scoped := range []int{0, 10, 33, 100} {
		b.Run(map[int]string{0: "none", 10: "tenth", 33: "third", 100: "all"}[scoped], func(b *testing.B) {
			s := newScene()
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range 100 {
				s.player(state.ID(i+1), 0, rng.Float32()*2000, rng.Float32()*2000)
				s.in.Subjects[i].Yaw = rng.Float32() * 360
				if i < scoped {
					s.in.Viewers[i].Scope = eight(50, 100)
				}
			}
			for i := range 300 {
				s.subject(vis.Subject{ID: state.FirstThing + state.ID(i), Kind: state.KindPickup, Alive: true, Pos: vec.V3{X: rng.Float32() * 2000, Y: rng.Float32() * 2000}})
			}
			b.ReportAllocs()
			for b.Loop() {
				vis.Candidates(&s.in, vis.DefaultRange)
			}
		})
	}
}

// TestWhoWatchesSeesThroughTheOptic: a spectator is told what the watched player is told,
// as finely, and its own look does not count.
func TestWhoWatchesSeesThroughTheOptic(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.player(2, 0, 392, 0)
	w := s.player(3, 0, 0, 900)
	s.in.Subjects[2].Alive = false
	s.in.Subjects[2].Yaw = 90
	s.in.Viewers[w].Spectating = 1
	s.in.Viewers[w].Scope = eight(50, 100) // of a life that is over
	s.decide(all)
	expect(t, "the naked eye", s.ids(w), 1)
	s.in.Viewers[0].Scope = eight(50, 100)
	s.in.Subjects[0].Aiming = true
	s.decide(all)
	expect(t, "through the watched player's optic", s.ids(w), 1, 2)
	for _, k := range s.view.Entities() {
		if k.ID == 2 && (k.Nearer != 8 || k.Detail != state.Mid) {
			t.Errorf("2 is %v times nearer, detail %v", k.Nearer, k.Detail)
		}
	}
}
