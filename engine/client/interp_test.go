package client

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/snapshot"
)

const (
	testRate = 64
	most     = state.CarryMS * testRate / 1000.0 // ticks
)

// walker is a player at x metres who walks along x at v m/s.
func walker(x, v float32, teleports uint8) *state.Entity {
	return &state.Entity{
		ID: 3, Kind: state.KindPlayer, Pos: state.Quant(vec.V3{X: x}), Vel: state.Quant(vec.V3{X: v}), Teleports: teleports,
	}
}

func at(t *testing.T, tr *track, tick state.Tick, frac uint8) (Shown, bool) {
	t.Helper()
	var out Shown
	ok := tr.at(tick, frac, testRate, &out)
	return out, ok
}

// Between two updates a subject is on the line between them, whatever was lost.
func TestInterpolationIsLinear(t *testing.T) {
	for _, base := range []state.Tick{1000, math.MaxUint32 - 20} { // tick numbers wrap
		var tr track
		for _, n := range []state.Tick{0, 1, 2, 5, 6, 10} {
			tr.add(base+n, walker(float32(n), 0, 0))
		}
		tr.add(base+6, walker(99, 0, 0)) // older than the newest: ignored
		for n := range state.Tick(10) {
			for _, frac := range []uint8{0, 1, 64, 128, 255} {
				s, ok := at(t, &tr, base+n, frac)
				want := float32(n) + float32(frac)/256
				if !ok || math.Abs(float64(s.At.X-want)) > 0.01 || s.Extrapolated {
					t.Fatalf("tick %d+%d/256: at %v (%v, extrapolated %v), want %v", n, frac, s.At.X, ok, s.Extrapolated, want)
				}
			}
		}
	}
}

// A subject that was teleported or respawned is at one place or at the other,
// never between.
func TestInterpolationNeverCrossesATeleport(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		var tr track
		var tick state.Tick = 100
		var homes []float32 // by teleport number, 1000 m apart
		jumps := uint8(rng.Uint32())
		home := float32(0)
		first := tick
		for range 30 {
			if rng.IntN(4) == 0 {
				jumps++
				home += 1000
			}
			tr.add(tick, walker(home+rng.Float32(), 3, jumps))
			homes = append(homes, home)
			tick += 1 + state.Tick(rng.IntN(4))
		}
		for tk := first; tk < tick+20; tk++ {
			s, ok := at(t, &tr, tk, uint8(rng.Uint32()))
			if !ok {
				continue
			}
			near := false
			for _, h := range homes {
				near = near || s.At.X > h-0.5 && s.At.X < h+2
			}
			if !near {
				t.Fatalf("seed %d: shown at %v, between two places", seed, s.At.X)
			}
		}
	}
}

// Past the last update a subject is carried on for 100 ms and then stands; the
// dead, and things that lie, are not carried on.
func TestExtrapolationIsCapped(t *testing.T) {
	var tr track
	tr.add(100, walker(0, 4, 0))
	tr.add(101, walker(4.0/testRate, 4, 0))
	last := float32(4.0 / testRate)
	for n := range 200 {
		s, ok := at(t, &tr, 101+state.Tick(n), 0)
		want := last + min(float32(n), most)*4/testRate
		if !ok || math.Abs(float64(s.At.X-want)) > 0.01 {
			t.Fatalf("%d ticks past the last update: at %v, want %v", n, s.At.X, want)
		}
		if s.Extrapolated != (n > 0) {
			t.Fatalf("%d ticks past the last update: extrapolated %v", n, s.Extrapolated)
		}
	}
	for name, change := range map[string]func(*state.Entity){
		"dead": func(e *state.Entity) { e.Pose |= state.PoseDead }, "pickup": func(e *state.Entity) { e.Kind = state.KindPickup },
	} {
		e := walker(1, 4, 0)
		change(e)
		var tr track
		tr.add(100, e)
		if s, ok := at(t, &tr, 105, 0); !ok || s.At.X != 1 || s.Extrapolated {
			t.Errorf("%s: carried on to %v", name, s.At.X)
		}
	}
}

// Somebody who is not disclosed any more is not shown past that moment, not even
// extrapolated; somebody who is first disclosed is shown on arrival.
func TestInterpolationEndsWithDisclosure(t *testing.T) {
	var tr track
	tr.add(100, walker(0, 1, 0))
	tr.add(102, walker(1, 1, 0))
	tr.leave(104)
	tr.leave(105)
	if _, ok := at(t, &tr, 103, 255); !ok {
		t.Error("gone before its time")
	}
	for _, tick := range []state.Tick{104, 105, 1000} {
		if _, ok := at(t, &tr, tick, 0); ok {
			t.Errorf("shown at %d, gone since 104", tick)
		}
	}
	var fresh track
	if _, ok := at(t, &fresh, 1, 0); ok {
		t.Error("shown without an update")
	}
	fresh.add(100, walker(7, 0, 0))
	if s, ok := at(t, &fresh, 95, 0); !ok || s.At.X != 7 || !s.Early {
		t.Errorf("a first reveal is shown at %v, %v", s.At.X, ok)
	}
	// One who runs is shown where it must have come from, a rocket is not.
	var runs, flies track
	runs.add(100, walker(7, 6.4, 0))
	if s, ok := at(t, &runs, 96, 128); !ok || math.Abs(float64(s.At.X)-7+6.4*3.5/testRate) > 0.01 {
		t.Errorf("a first reveal of a runner is shown at %v, %v", s.At.X, ok)
	}
	e := walker(7, 20, 0)
	e.Kind = state.KindRocket
	flies.add(100, e)
	if s, ok := at(t, &flies, 96, 0); !ok || s.At.X != 7 {
		t.Errorf("a rocket is shown at %v before its barrel", s.At.X)
	}
	// Back again: what was shown before stays before, nothing is drawn between them.
	tr.add(110, walker(50, 1, 0))
	for _, c := range []struct {
		tick  state.Tick
		x     float32
		early bool
	}{{101, 0.5, false}, {103, 1 + 1.0/64, false}, {107, 50 - 3.0/64, true}, {110, 50, false}} {
		if s, ok := at(t, &tr, c.tick, 0); !ok || math.Abs(float64(s.At.X-c.x)) > 0.02 || s.Early != c.early {
			t.Errorf("tick %d: shown at %v (%v, early %v), want %v", c.tick, s.At.X, ok, s.Early, c.x)
		}
	}
}

// A subject that comes with the way there is drawn on that way at once, and a short
// absence is filled by it.
func TestAPathIsDrawnOnArrival(t *testing.T) {
	item := &snapshot.Item{Entity: *walker(10, 6.4, 0), Tick: 100}
	for i := 1; i <= 3; i++ {
		item.Path = append(item.Path, walker(10-0.2*float32(i), 6.4, 0).Body())
	}
	for _, c := range []struct {
		name  string
		left  state.Tick // 0: never seen before
		tick  state.Tick
		x     float32
		early bool
		ok    bool
	}{
		{"new, at its oldest place", 0, 94, 9.4, false, true},
		{"new, between", 0, 97, 9.7, false, true},
		{"new, before the oldest", 0, 92, 9.2, true, true},
		{"left long ago", 80, 97, 9.7, false, true},
		{"left long ago, in the gap", 80, 92, 9.2, true, true},
		{"before it left", 80, 70, 2, false, true},
		{"left a moment ago, before that", 96, 94, 5, false, true}, // what was shown stands
		{"left a moment ago, after that", 96, 97, 9.7, false, true},
	} {
		tr := track{id: 3}
		if c.left != 0 {
			tr.add(70, walker(2, 0, 0))
			tr.add(c.left-2, walker(5, 0, 0))
			tr.leave(c.left)
		}
		tr.back(item, testRate)
		tr.add(item.Tick, &item.Entity)
		s, ok := at(t, &tr, c.tick, 0)
		if ok != c.ok || math.Abs(float64(s.At.X-c.x)) > 0.02 || s.Early != c.early {
			t.Errorf("%s: at %v (%v, early %v), want %v", c.name, s.At.X, ok, s.Early, c.x)
		}
	}
}

// A subject that is updated rarely is drawn so much later that two updates surround
// its instant, and glides there when that changes.
func TestRareUpdatesAreDrawnLater(t *testing.T) {
	const interval, i256 = 8, 3 * 256 // of the usual updates, in ticks
	tr := track{id: 3}
	x := func(n float32) float32 { return n * 0.1 }
	last := state.Tick(0)
	slow := false
	var before float32
	for now := float32(100); now < 1100; now += 0.25 {
		n := state.Tick(now)
		rare := now >= 300 && now < 700
		every := state.Tick(2)
		if rare {
			every = interval
		}
		if n%every == 0 && n != last {
			e := walker(x(float32(n)), x(testRate), 0)
			if rare {
				e.Interval = interval
			}
			tr.add(n, e)
			tr.late.Update(n, e.Interval, testRate)
			last = n
		}
		at256 := uint32(now*256) - i256
		s, ok := at(t, &tr, at256>>8, uint8(at256))
		if now < 110 {
			continue
		}
		want := x(float32(at256-s.Late) / 256)
		if !ok || math.Abs(float64(s.At.X-want)) > 0.01 || s.Late > (interval-2)*256 {
			t.Fatalf("at %v: drawn at %v (%v), want %v, late %d", now, s.At.X, ok, want, s.Late)
		}
		if step := (s.At.X - before) / x(0.25); before != 0 && (step < 0.6 || step > 1.4) { // the grid is 1/256 m
			t.Fatalf("at %v: a step of %v", now, step)
		}
		before = s.At.X
		slow = slow || s.Late == (interval-2)*256
		if now > 650 && now < 700 && s.Extrapolated {
			t.Fatalf("at %v: extrapolated, late %d", now, s.Late)
		}
	}
	if !slow || tr.late.Back(1100) != 0 {
		t.Errorf("late %d in the end", tr.late.Back(1100))
	}
}

// Angles go the short way round and long tracks forget their beginning.
func TestInterpolationOfAnglesAndLongTracks(t *testing.T) {
	var tr track
	a, b := walker(0, 0, 0), walker(0, 0, 0)
	a.Yaw, b.Yaw = state.Angle16(65000), state.Angle16(500)
	tr.add(10, a)
	tr.add(12, b)
	s, _ := at(t, &tr, 11, 0)
	if mid := a.Yaw + state.Angle16((500+65536-65000)/2); math.Abs(float64(vec.WrapDeg(s.YawDeg-mid.Deg()))) > 0.1 {
		t.Errorf("half way from %v to %v is %v", a.Yaw.Deg(), b.Yaw.Deg(), s.YawDeg)
	}
	for n := range state.Tick(1000) {
		tr.add(20+n, walker(float32(n), 0, 0))
	}
	if s, ok := at(t, &tr, 1009, 128); !ok || math.Abs(float64(s.At.X-989.5)) > 0.01 || tr.n > trackLen {
		t.Errorf("at %v, %d updates kept", s.At.X, tr.n)
	}
	if _, ok := at(t, &tr, 20, 0); ok {
		t.Error("shown at a time that is forgotten")
	}
}

func TestInterpolationDoesNotAllocate(t *testing.T) {
	var tr track
	e := walker(0, 1, 0)
	var out Shown
	tick := state.Tick(1)
	if n := testing.AllocsPerRun(1000, func() {
		tr.add(tick, e)
		tr.at(tick-1, 7, testRate, &out)
		tick++
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
