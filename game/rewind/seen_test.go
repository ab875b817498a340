package rewind_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

const hz = 64

// screen is the plain client that Look is held against: it takes packets as they
// arrive and keeps a list of what it knows of one target.
type screen struct {
	ticks []state.Tick
	body  []state.Body
	here  []bool
	seen  bool // in the newest packet
	any   bool
}

func (c *screen) add(tick state.Tick, b state.Body, here bool) {
	if n := len(c.ticks); n > 0 && int32(tick-c.ticks[n-1]) <= 0 {
		return
	}
	c.ticks, c.body, c.here = append(c.ticks, tick), append(c.body, b), append(c.here, here)
}

func (c *screen) present() bool { return len(c.here) > 0 && c.here[len(c.here)-1] }

// packet takes one that arrived: with the target or not, with an update of it or
// not, as somebody new or not, with the way it came by.
func (c *screen) packet(tick state.Tick, in, up, fresh bool, b state.Body, path []state.Body) {
	if !in {
		if c.present() {
			c.add(tick, state.Body{}, false)
		}
		return
	}
	if !up {
		return
	}
	if fresh {
		if c.present() && int32(tick-1-c.ticks[len(c.ticks)-1]) > 0 {
			c.add(tick-1, state.Body{}, false)
		}
		gap := state.Tick(state.PathGap(hz))
		if len(path) > 0 {
			oldest := tick - gap*state.Tick(len(path))
			if n := len(c.ticks); n > 0 && !c.present() && int32(oldest-c.ticks[n-1]) <= 0 {
				c.ticks, c.body, c.here = c.ticks[:n-1], c.body[:n-1], c.here[:n-1]
			}
			for i := len(path) - 1; i >= 0; i-- {
				was := b
				was.Pos, was.Vel = path[i].Pos, path[i].Vel
				c.add(tick-gap*state.Tick(i+1), was, true)
			}
		}
	}
	c.add(tick, b, true)
}

func (c *screen) draw(t rewind.Time) (p state.Placed, shown bool) {
	i := len(c.ticks) - 1
	for i >= 0 && int32(c.ticks[i]-t.Tick) > 0 {
		i--
	}
	if i < 0 || !c.here[i] {
		if i+1 >= len(c.ticks) || !c.here[i+1] || int32(c.ticks[i+1]-t.Tick) > 64 {
			return p, false
		}
		return state.Carry(&c.body[i+1], -(int32(c.ticks[i+1]-t.Tick)*256 - int32(t.Frac)), hz), true
	}
	passed := uint32(t.Tick-c.ticks[i])*256 + uint32(t.Frac)
	if i+1 < len(c.ticks) && c.here[i+1] {
		return state.Blend(&c.body[i], &c.body[i+1], uint32(c.ticks[i+1]-c.ticks[i]), passed, hz), true
	}
	return state.Carry(&c.body[i], int32(passed), hz), true
}

// Whatever is sent, lost, left out or withdrawn, Look finds what a client that took
// the same packets draws, to the bit.
func TestLookIsWhatAClientDraws(t *testing.T) {
	const seed = 3
	shown, hidden, ways := 0, 0, 0
	for round := range 300 {
		r := vec.NewRand(seed, uint64(round))
		h := rewind.NewDeep(2, 0, hz, 250, 32)
		s := rewind.NewSeen(2, hz)
		var c screen
		in, fresh := false, true
		every := 1 + int(r.Float()*5)
		detail := state.Detail(round) % state.NumDetails
		loss := r.Float() * 0.4
		pos, vel := vec.V3{}, vec.V3{}
		teleports := uint8(0)
		for tick := state.Tick(1); tick < 160; tick++ {
			if r.Float() < 0.1 {
				vel = vec.New(r.Signed()*10, r.Signed()*10, 0)
			}
			if r.Float() < 0.01 {
				teleports++
				pos = pos.Add(vec.New(20, 0, 0))
			}
			pos = pos.Mad(1.0/hz, vel)
			b := rewind.Sample{Pos: state.Quant(pos), Vel: state.Quant(vel), Yaw: state.Angle16(tick * 700), Duck: uint8(tick * 3), Alive: true, Teleports: teleports}
			h.Begin(tick)
			h.Put(2, b)
			if r.Float() < 0.04 {
				in = !in
			}
			if int(tick)%every == 0 {
				up := in && (fresh || r.Float() < 0.7)
				got := r.Float() >= loss
				s.Begin(1, tick)
				var path []state.Body
				if in {
					s.Tell(1, 2, tick, up, detail)
				}
				if up && fresh && r.Float() < 0.5 {
					for i := 1; i <= 4; i++ {
						was, ok := h.Sample(2, tick-state.Tick(i*state.PathGap(hz)))
						if !ok || was.Teleports != b.Teleports {
							break
						}
						path = append(path, was)
					}
					s.TellPath(1, 2, tick, len(path))
				}
				for i := range path {
					path[i].Coarsen(detail)
				}
				b.Coarsen(detail) // as it is sent
				if got {
					s.Arrived(1, tick)
					c.packet(tick, in, up, fresh, b, path)
					ways += len(path)
				}
				// An encoder gives a new generation once; the client sees that in the first
				// packet of it that arrives.
				if got && up {
					fresh = false
				}
				if !in {
					fresh = true
				}
			}
			if tick < 20 {
				continue
			}
			at, _ := h.Back(uint32(r.Float() * 16 * 256))
			want, ok := c.draw(at)
			got, alive, _, how := s.Look(h, 1, 2, at, tick)
			if ok != how.Shown() || ok && (!alive || got != want) {
				t.Fatalf("seed %d round %d tick %d at %+v: %v %v, the client drew %v %v (loss %.2f, every %d)\nknows %v %v", seed, round, tick, at, got, how, want, ok, loss, every, c.ticks, c.here)
			}
			if ok {
				shown++
			} else {
				hidden++
			}
		}
	}
	if shown < 5000 || hidden < 2000 || ways < 100 {
		t.Fatalf("%d shown, %d not, %d places of paths", shown, hidden, ways)
	}
}

// What arrived after a command was made does not count for it.
func TestLookKnowsOnlyWhatTheClientHad(t *testing.T) {
	h := rewind.NewDeep(2, 0, hz, 250, 32)
	s := rewind.NewSeen(2, hz)
	for tick := state.Tick(1); tick <= 30; tick++ {
		h.Begin(tick)
		h.Put(2, rewind.Sample{Pos: state.Q{X: int32(tick * tick)}, Vel: state.Quant(vec.New(4, 0, 0)), Alive: true})
		s.Begin(1, tick)
		s.Tell(1, 2, tick, true, 0)
		s.Arrived(1, tick)
	}
	at := rewind.Time{Tick: 25, Frac: 128}
	p, _, _, how := s.Look(h, 1, 2, at, 30)
	a, _ := h.Sample(2, 25)
	b, _ := h.Sample(2, 26)
	if how != rewind.Blended || p != state.Blend(&a, &b, 1, 128, hz) {
		t.Fatalf("%v %v", p, how)
	}
	p, _, life, how := s.Look(h, 1, 2, at, 22)
	a, _ = h.Sample(2, 22)
	if how != rewind.Extended || life != 22 || p != state.Carry(&a, 3*256+128, hz) {
		t.Fatalf("%v %v", p, how)
	}
}

// A target that is sent more coarsely is tested where the grid of its detail puts it,
// and its path too.
func TestCoarserDetailsAreShiftsOfTheGrid(t *testing.T) {
	for detail := range state.NumDetails {
		h := rewind.NewDeep(2, 0, hz, 250, 32)
		s := rewind.NewSeen(2, hz)
		step := int32(1) << state.GridOf(detail).Place
		for tick := state.Tick(1); tick <= 20; tick++ {
			h.Begin(tick)
			h.Put(2, rewind.Sample{Pos: state.Q{X: 1003 + int32(tick), Y: -1003, Z: 7}, Vel: state.Q{X: 77}, Yaw: 12345, Alive: true})
			s.Begin(1, tick)
			if tick >= 12 {
				s.Tell(1, 2, tick, true, detail)
			}
			s.TellPath(1, 2, 12, 2)
			s.Arrived(1, tick)
		}
		for _, at := range []state.Tick{8, 15} {
			p, _, _, how := s.Look(h, 1, 2, rewind.Time{Tick: at}, 20)
			b, _ := h.Sample(2, at)
			b.Coarsen(detail)
			if want := b.Placed(); how != rewind.Blended || p.Pos != want.Pos || at == 15 && p != want {
				t.Errorf("detail %d, tick %d: %+v %v, want %+v", detail, at, p, how, want)
			}
			for _, v := range []float32{p.Pos.X, p.Pos.Y, p.Pos.Z} {
				if n := v * 256; n != float32(math.Round(float64(n))) || int32(n)%step != 0 {
					t.Errorf("detail %d: %v is not on its grid", detail, p.Pos)
				}
			}
		}
	}
}

func TestSeenForgets(t *testing.T) {
	h := rewind.NewDeep(2, 0, hz, 250, 32)
	h.Begin(1)
	h.Put(2, rewind.Sample{Alive: true})
	s := rewind.NewSeen(2, hz)
	look := func() rewind.Sight {
		_, _, _, how := s.Look(h, 1, 2, rewind.Time{Tick: 1}, 1)
		return how
	}
	if look() != rewind.Untold || s.Knows(1) {
		t.Fatal("knows before the first packet")
	}
	s.Begin(1, 1)
	s.Tell(1, 2, 1, true, 0)
	if look() != rewind.Lost || !s.Knows(1) {
		t.Fatal(look())
	}
	s.Arrived(1, 1)
	var d state.Delay
	d.Update(0, 8, hz)
	s.SetDelay(1, 2, d)
	if look() != rewind.Blended || s.Delay(1, 2, 50) == 0 {
		t.Fatal(look())
	}
	s.Forget(1)
	if look() != rewind.Untold || s.Knows(1) || s.Delay(1, 2, 50) != 0 {
		t.Fatal("remembers the client before")
	}
	// Ids without room, ticks that were not begun, acknowledgements of nothing.
	for _, id := range []state.ID{0, 3, 500} {
		s.Begin(id, 5)
		s.Tell(id, id, 5, true, 0)
		s.Arrived(id, 5)
		s.Forget(id)
		s.SetDelay(id, id, d)
		s.TellPath(id, id, 5, 3)
		if _, _, _, how := s.Look(h, id, id, rewind.Time{Tick: 1}, 5); how != rewind.Untold {
			t.Fatal(how)
		}
	}
	s.Begin(1, 9)
	s.Tell(1, 2, 8, true, 0)
	s.Arrived(1, 200)
	if look() != rewind.Untold {
		t.Fatal(look())
	}
}

func TestSeenOverTheWrapOfTicks(t *testing.T) {
	s := rewind.NewSeen(2, hz)
	h := rewind.NewDeep(2, 0, hz, 250, 32)
	for tick := ^state.Tick(0) - 20; tick != 20; tick++ {
		s.Begin(1, tick)
		s.Tell(1, 2, tick, true, 0)
		s.Arrived(1, tick)
		h.Begin(tick)
		h.Put(2, rewind.Sample{Alive: true})
	}
	if _, _, _, how := s.Look(h, 1, 2, rewind.Time{Tick: 12}, 19); how != rewind.Blended {
		t.Fatal(how)
	}
}

func TestSeenAllocatesNothing(t *testing.T) {
	s := rewind.NewSeen(128, hz)
	h := rewind.NewDeep(128, 0, hz, 250, 32)
	tick := state.Tick(0)
	step := func() {
		tick++
		h.Begin(tick)
		s.Begin(1, tick)
		for id := state.ID(2); id <= 128; id++ {
			h.Put(id, rewind.Sample{Alive: true})
			s.Tell(1, id, tick, true, 0)
		}
		s.Arrived(1, tick)
		s.Look(h, 1, 7, rewind.Time{Tick: tick - 3}, tick)
	}
	step()
	if n := testing.AllocsPerRun(300, step); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

// The figures of the cheat sheet for wrong rewinds: 100 ms of round trip, 100 ms of
// interpolation, 5 m/s. Latency alone is 0.5 m off what was seen, one way 0.75 m.
func TestWrongRewindsAreOff(t *testing.T) {
	for _, rate := range []int{30, 60} {
		h := rewind.New(1, 0, rate, 250)
		walk(h, 100, 200, 5, rate)
		at := func(ms float32) float32 {
			when, _ := h.Back(rewind.Cap256(ms, rate))
			p, ok := h.At(1, when)
			if !ok {
				t.Fatal("not stored")
			}
			return p.Pos.X
		}
		seen := at(200)
		for ms, want := range map[float32]float32{100: 0.5, 50: 0.75, 200: 0} {
			if d := at(ms) - seen; vec.Abs(d-want) > 2.0/256 {
				t.Errorf("%d Hz, rewound by %v ms: %v m off, want %v", rate, ms, d, want)
			}
		}
	}
}

// 35 ms of round trip, a server of 128 Hz that buffers two frames, a client that
// buffers three: about 101 ms at 60 frames per second and 71 at 144.
func TestPeekersAdvantage(t *testing.T) {
	for fps, want := range map[float32]float32{60: 101, 144: 71.5} {
		if got := rewind.PeekersAdvantage(35, 128, 2, fps, 3); vec.Abs(got-want) > 0.5 {
			t.Errorf("%v FPS: %v ms, want about %v", fps, got, want)
		}
	}
	// The peeker's own latency is not in it, and less buffering is less of it.
	if rewind.PeekersAdvantage(35, 128, 1, 144, 3) >= rewind.PeekersAdvantage(35, 128, 2, 144, 3) {
		t.Error("less buffering is no less advantage")
	}
}

func TestSightNames(t *testing.T) {
	seen := map[string]bool{}
	for s := rewind.Blended; s <= rewind.Later; s++ {
		if n := s.String(); n == "" || n == "unknown" || seen[n] || s.Shown() != (s <= rewind.Early) {
			t.Errorf("%d: %q shown %v", s, n, s.Shown())
		}
		seen[s.String()] = true
	}
	if rewind.Sight(200).String() != "unknown" {
		t.Error("an unknown sight has a name")
	}
}

// Whatever is called, in whatever order, with whatever numbers: nothing breaks, and a
// target is drawn only when it has a body in the history.
func TestSeenTakesAnything(t *testing.T) {
	const seed = 9
	for round := range 40 {
		r := vec.NewRand(seed, uint64(round))
		n := func(most int) state.ID { return state.ID(r.Uint64() % uint64(most)) }
		s, h := rewind.NewSeen(5, hz), rewind.NewDeep(5, 0, hz, 250, 16)
		base := state.Tick(r.Uint64())
		tick := func() state.Tick { return base + state.Tick(r.Uint64()%200) - 30 }
		for range 3000 {
			switch r.Uint64() % 8 {
			case 0:
				base++
				h.Begin(base)
			case 1:
				h.Put(n(8), rewind.Sample{Pos: state.Q{X: int32(r.Uint64())}, Vel: state.Q{Y: int32(r.Uint64())}, Alive: true, Teleports: uint8(n(2))})
			case 2:
				s.Begin(n(8), tick())
			case 3:
				s.Tell(n(8), n(8), tick(), n(2) == 0, state.Detail(n(256)))
			case 4:
				s.Arrived(n(8), tick())
			case 5:
				s.TellPath(n(8), n(8), tick(), int(n(300))-5)
			case 6:
				var d state.Delay
				d.Update(tick(), uint8(n(256)), hz)
				s.SetDelay(n(8), n(8), d)
				if n(50) == 0 {
					s.Forget(n(8))
				}
			case 7:
				by, of := n(8), n(8)
				p, _, _, how := s.Look(h, by, of, rewind.Time{Tick: tick(), Frac: uint8(n(256))}, tick())
				if !how.Shown() && p != (state.Placed{}) || how.String() == "unknown" {
					t.Fatalf("seed %d round %d: %v at %v", seed, round, how, p)
				}
				s.Delay(by, of, tick())
			}
		}
	}
}
