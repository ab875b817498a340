package rewind_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// walk stores ticks first..last of player 1 running along x at v m/s.
func walk(h *rewind.History, first, last state.Tick, v float32, rate int) {
	for t := first; ; t++ {
		h.Begin(t)
		h.Put(1, rewind.Sample{Pos: state.Quant(vec.New(float32(v*float32(t))/float32(rate), 0, 0)), Alive: true})
		if t == last {
			return
		}
	}
}

func TestDepthCountsThePresentAndASpare(t *testing.T) {
	for _, c := range []struct {
		ms         float32
		rate, want int
	}{{250, 60, 17}, {250, 30, 10}, {200, 64, 15}, {200, 128, 28}, {0, 64, 2}, {250, 20, 7}} {
		if got := rewind.Depth(c.ms, c.rate); got != c.want {
			t.Errorf("%v ms at %d Hz: %d ticks, want %d", c.ms, c.rate, got, c.want)
		}
	}
}

func TestMidpointIsBlended(t *testing.T) {
	h := rewind.New(4, 0, 30, 250)
	walk(h, 1, 20, 7.5, 30) // 64 grid steps a tick
	at, used := h.Back(2*256 + 128)
	if at != (rewind.Time{Tick: 17, Frac: 128}) || used != 640 {
		t.Fatalf("instant %+v, used %d", at, used)
	}
	p, ok := h.At(1, at)
	if !ok || p.Pos.X != 17.5*0.25 {
		t.Fatalf("pose %+v %v", p, ok)
	}
	if _, ok := h.At(2, at); ok {
		t.Fatal("nobody has a pose")
	}
}

// 5 m/s for 250 ms is 1.25 m; the nearest tick would be half a tick of travel
// off: 0.083 m at 30 Hz, 0.042 m at 60 Hz.
func TestLaneFigures(t *testing.T) {
	for _, c := range []struct {
		rate int
		half float32
	}{{30, 0.0833}, {60, 0.0417}} {
		h := rewind.New(1, 0, c.rate, 250)
		walk(h, 100, 200, 5, c.rate)
		now, _ := h.At(1, rewind.Time{Tick: 200})
		at, _ := h.Back(h.Cap256())
		then, ok := h.At(1, at)
		if d := now.Pos.X - then.Pos.X; !ok || vec.Abs(d-1.25) > 2.0/256 {
			t.Errorf("%d Hz: %v m behind, want 1.25", c.rate, d)
		}
		mid, _ := h.At(1, rewind.Time{Tick: 195, Frac: 128})
		a, _ := h.At(1, rewind.Time{Tick: 195})
		if d := mid.Pos.X - a.Pos.X; vec.Abs(d-c.half) > 2.0/256 {
			t.Errorf("%d Hz: half a tick is %v m, want %v", c.rate, d, c.half)
		}
	}
}

func TestRewindIsCapped(t *testing.T) {
	h := rewind.New(1, 0, 60, 250)
	if at, used := h.Back(99); used != 0 || at != (rewind.Time{}) {
		t.Fatalf("an empty history goes back by %d", used)
	}
	walk(h, 1, 3, 5, 60)
	if at, used := h.Back(1 << 30); used != 512 || at.Tick != 1 {
		t.Fatalf("a young history goes back to %+v (%d)", at, used)
	}
	walk(h, 4, 50, 5, 60)
	if at, used := h.Back(^uint32(0)); used != 15*256 || at != (rewind.Time{Tick: 35}) {
		t.Fatalf("a forged rewind goes back to %+v (%d)", at, used)
	}
	if _, ok := h.At(1, rewind.Time{Tick: 33}); ok {
		t.Fatal("an overwritten tick answers")
	}
	if _, ok := h.At(1, rewind.Time{Tick: 51}); ok {
		t.Fatal("the future answers")
	}
	// The whole cap, and its fraction, lie within what is kept.
	for r := uint32(0); r <= h.Cap256(); r++ {
		at, used := h.Back(r)
		if _, ok := h.At(1, at); !ok || used != r || (50-at.Tick)*256-uint32(at.Frac) != r {
			t.Fatalf("rewind %d is %+v", r, at)
		}
	}
}

func TestNeverBlendsAcrossJumps(t *testing.T) {
	s := func(x float32, tele uint8, alive bool) rewind.Sample {
		return rewind.Sample{Pos: state.Quant(vec.New(x, 0, 0)), Teleports: tele, Alive: alive}
	}
	for _, c := range []struct {
		name string
		a, b rewind.Sample
		want float32
		ok   bool
	}{
		{"plain", s(0, 1, true), s(10, 1, true), 5, true},
		{"teleport", s(0, 1, true), s(10, 2, true), 0, true},
		{"teleport counter wraps", s(0, 255, true), s(10, 0, true), 0, true},
		{"death", s(0, 1, true), s(10, 1, false), 0, true},
		{"spawn", s(0, 1, false), s(10, 2, true), 0, false},
	} {
		h := rewind.New(1, 0, 64, 200)
		h.Begin(7)
		h.Put(1, c.a)
		h.Begin(8)
		h.Put(1, c.b)
		p, ok := h.At(1, rewind.Time{Tick: 7, Frac: 128})
		if ok != c.ok || (ok && p.Pos.X != c.want) {
			t.Errorf("%s: %v %v", c.name, p.Pos, ok)
		}
		if p, ok := h.At(1, rewind.Time{Tick: 8}); ok != c.b.Alive || (ok && p.Pos.X != 10) {
			t.Errorf("%s: arrived at %v %v", c.name, p.Pos, ok)
		}
	}
}

func TestAnglesTakeTheShortWay(t *testing.T) {
	h := rewind.New(1, 0, 64, 200)
	h.Begin(1)
	h.Put(1, rewind.Sample{Yaw: state.AngleOf(170), Lean: -100, Duck: 200, Alive: true})
	h.Begin(2)
	h.Put(1, rewind.Sample{Yaw: state.AngleOf(-170), Lean: 100, Duck: 0, Alive: true})
	p, _ := h.At(1, rewind.Time{Tick: 1, Frac: 128})
	if d := p.Yaw.Deg(); vec.Abs(vec.Abs(d)-180) > 0.02 || p.Lean != 0 || p.Duck != 100 {
		t.Fatalf("half way: yaw %v, lean %d, duck %d", d, p.Lean, p.Duck)
	}
}

func TestDoorsAreThoseOfTheTick(t *testing.T) {
	h := rewind.New(1, 2, 64, 200)
	if h.Doors(0) != nil {
		t.Fatal("doors before the first tick")
	}
	h.Begin(1)
	h.PutDoors([]state.DoorState{{}, {}})
	h.Begin(2)
	h.PutDoors([]state.DoorState{{Open: true, Start: 2}, {}})
	h.Begin(3) // kept from the tick before
	if h.Doors(1)[0].Open || !h.Doors(2)[0].Open || !h.Doors(3)[0].Open || h.Doors(4) != nil {
		t.Fatal("wrong doors")
	}
}

func TestTickWrapAndGaps(t *testing.T) {
	h := rewind.New(1, 0, 64, 200)
	walk(h, ^state.Tick(0)-20, ^state.Tick(0), 5, 64)
	h.Begin(0)
	h.Put(1, rewind.Sample{Alive: true})
	if at, used := h.Back(1000); used != 0 || at.Tick != 0 {
		t.Fatalf("over the wrap: %+v %d", at, used)
	}
	walk(h, 1, 40, 5, 64)
	h.Begin(60)
	if _, ok := h.At(1, rewind.Time{Tick: 40}); ok {
		t.Fatal("a tick before a gap answers")
	}
	h.Put(0, rewind.Sample{Alive: true})
	h.Put(2, rewind.Sample{Alive: true})
	if _, ok := h.At(2, rewind.Time{Tick: 60}); ok {
		t.Fatal("an id without room answers")
	}
}

func TestNothingIsAllocated(t *testing.T) {
	h := rewind.New(16, 3, 64, 200)
	walk(h, 1, 30, 5, 64)
	tick := state.Tick(30)
	if n := testing.AllocsPerRun(100, func() {
		tick++
		h.Begin(tick)
		for id := state.ID(1); id <= 16; id++ {
			h.Put(id, rewind.Sample{Alive: true})
		}
		at, _ := h.Back(700)
		h.At(3, at)
		h.Doors(at.Tick)
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}
