package kit

import (
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// slabs is a level of slabs in the plane x = 5.
func slabs(t testing.TB, at ...[2]float32) *vis.Sight {
	t.Helper()
	b := level.NewBuilder("slabs")
	for _, y := range at {
		if err := b.AddBox(0, vec.Box{Min: vec.New(5, y[0], -4), Max: vec.New(5.2, y[1], 8)}, level.Solid, "wall"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.AddBox(0, vec.Box{Min: vec.New(-40, -40, -5), Max: vec.New(40, 40, -4)}, level.Solid, "floor"); err != nil {
		t.Fatal(err)
	}
	b.AddSpawn(vec.New(0, 0, 1), 0, 0)
	return vis.NewSight(trace.New(b.Build()), 64)
}

// across is a Look from a metre to the left to a metre to the right at somebody's head,
// with what blocks each line.
func across(t testing.TB, s *vis.Sight, target vec.V3) (l *Look, by [MaxCasts]trace.Occluder) {
	t.Helper()
	l = &Look{}
	r := &l.Eyes[0]
	r.Left, r.clipped = vec.New(0, 1, 0), 1<<NumPlaces-1
	r.to[Left], r.to[HalfLeft], r.to[HalfRight], r.to[Right] = vec.New(0, 1, 0), vec.New(0, 0.5, 0), vec.New(0, -0.5, 0), vec.New(0, -1, 0)
	l.Move.Still(&vis.Subject{})
	for _, from := range []uint8{Ahead, Left, Right, HalfLeft, HalfRight} {
		l.Casts = append(l.Casts, Cast{From: from, Point: Head})
	}
	l.body[0].sight, l.body[0].point[Head] = s, target
	for i, c := range l.Casts {
		what, blocked := s.Occluded(r.to[c.From], target)
		if !blocked {
			return nil, by
		}
		by[i] = what
	}
	l.Seams = Seams(l.Casts)
	return l, by
}

// Between casts that two solids block a gap is found, down to a sixtieth of what
// lies between them; behind one solid, and where two overlap, no line is asked for.
func TestGapsBetweenCastsAreFound(t *testing.T) {
	var out vis.Answer
	for _, c := range []struct {
		name        string
		gap         float32 // its middle
		wide        float32
		found, free bool
	}{
		{"between ahead and half way", 0.15, 0.06, true, false},
		{"between half way and the end", -0.4, 0.06, true, false},
		{"a slit", 0.15, 0.02, true, false},
		{"a hair", 0.1519, 0.0005, false, false},
		{"none", 0.15, -0.1, false, true},
	} {
		s := slabs(t, [2]float32{-20, c.gap - c.wide/2}, [2]float32{c.gap + c.wide/2, 20})
		l, by := across(t, s, vec.New(10, 0, 0))
		if l == nil {
			t.Fatalf("%s: a cast is clear", c.name)
		}
		out.Rays = 0
		if got := l.seams(3, 64, by[:], &out, 1000) >= 0; got != c.found || c.free && out.Rays > 0 {
			t.Errorf("%s: found %v with %d rays", c.name, got, out.Rays)
		}
		out.Rays = 0
		if l.seams(0, 2, by[:], &out, 1000); out.Rays > 2 {
			t.Errorf("%s: %d rays of 2", c.name, out.Rays)
		}
		out.Rays = 9
		if l.seams(0, 64, by[:], &out, 10); out.Rays > 10 {
			t.Errorf("%s: %d rays with a cap of 10", c.name, out.Rays)
		}
	}
}

// What is said to be hidden without a ray is: where one solid blocks neighbours, no line
// between them is clear, of any solids at random. And what is said to be clear is clear.
func TestNothingIsSeenBetweenWhatOneSolidBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worlds, hidden, found := 0, 0, 0
	for range 400 {
		var at [][2]float32
		for y := float32(-3); y < 3; {
			w := 0.2 + 1.2*r.Float32()
			at = append(at, [2]float32{y, y + w})
			y += w - 0.1 + 0.2*r.Float32()
		}
		s := slabs(t, at...)
		l, by := across(t, s, vec.New(8+4*r.Float32(), 2*r.Float32()-1, 0))
		if l == nil {
			continue
		}
		worlds++
		clear := func(m Seam) (n int) {
			a, b := l.Eyes[0].to[l.Casts[m.A].From], l.Eyes[0].to[l.Casts[m.B].From]
			for k := range 500 {
				if _, blocked := s.Occluded(a.Lerp(b, float32(k)/500), l.body[0].point[Head]); !blocked {
					n++
				}
			}
			return n
		}
		one := func(m Seam) bool { // whether one solid blocks both
			a, b := l.Eyes[0].to[l.Casts[m.A].From], l.Eyes[0].to[l.Casts[m.B].From]
			to := l.body[0].point[Head]
			return by[m.A] == by[m.B] || s.Hides(by[m.A], b, to) || s.Hides(by[m.B], a, to)
		}
		for _, m := range l.Seams {
			var out vis.Answer
			l.Seams = []Seam{m}
			k := l.seams(0, 64, by[:], &out, 1000)
			switch n := clear(m); {
			case k >= 0 && n == 0:
				t.Error("a line is said to be clear, and none is")
			case one(m) && (n > 0 || out.Rays > 0):
				t.Errorf("%d lines of 500 are clear where one solid blocks both ends, %d rays", n, out.Rays)
			case k < 0 && n > 500/64+2:
				t.Errorf("a gap of %d of 500 was not found", n)
			case k < 0:
				hidden++
			default:
				found++
			}
		}
		l.Seams = Seams(l.Casts)
	}
	t.Logf("%d worlds: %d seams are hidden, through %d somebody is seen", worlds, hidden, found)
	if hidden < 50 || found < 10 {
		t.Errorf("%d hidden, %d found: nothing is tested", hidden, found)
	}
}

// A pad throws who may come to it in time, and who falls may land and jump: both are
// among the places of an eye, and in the volume that holds them.
func TestPadsAndLandingsAreForeseen(t *testing.T) {
	m := Moves{Speed: 10, Accel: 100, Rub: 6, Jump: 8, Lean: 0.5, LeanS: 0.15, Duck: 0.4, Will: 1}
	pad := level.Pad{Box: vec.Box{Min: vec.New(3, -1, 0), Max: vec.New(5, 1, 1)}, Vel: vec.New(4, 0, 18)}
	s := vis.Subject{Kind: state.KindPlayer, Pos: vec.New(2.5, 0, 0), Eye: vec.New(2.5, 0, 1.5)}
	above := func() vec.V3 {
		var r Reach
		r.Aim(&m, &s, vec.New(20, 0, 1), 0.15)
		if v := m.EyeVolume(&s, 0.15); !v.Pad(0.01).Contains(r.to[Above]) {
			t.Errorf("%v is outside %v", r.to[Above], v)
		}
		return r.to[Above]
	}
	without := above()
	m.Pads = []level.Pad{pad}
	with := above() // 0.05 s to the pad, then 0.1 s of its throw
	if up := with.Z - s.Eye.Z; up < 1.6 || up > 1.8 || with.Z <= without.Z {
		t.Errorf("thrown %.2f m high, jumping %.2f", up, without.Z-s.Eye.Z)
	}
	s.Pos.X, s.Eye.X = -9, -9
	if far := above(); far.Z-s.Eye.Z > 1.2 {
		t.Errorf("thrown %.2f m high from a pad that is not in reach", far.Z-s.Eye.Z)
	}
	s.Vel.Z = -8
	if landed := above(); landed.Z < s.Eye.Z+0.5 {
		t.Errorf("who falls is expected no higher than %.2f m below", s.Eye.Z-landed.Z)
	}
}
