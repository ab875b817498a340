package hitbox_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

var body = &tables.Movement{HalfWidth: 0.47, StandHeight: 1.75, CrouchHeight: 1.25, StandEye: 1.56, CrouchEye: 1.13, LeanOffset: 0.3}

func TestPartsAlongTheHeight(t *testing.T) {
	for _, c := range []struct {
		name       string
		z          float32
		duck       uint8
		lean       int8
		side       float32 // metres to the right of the middle
		want       hitbox.Part
		wantMissed bool
	}{
		{"eye", 1.56, 0, 0, 0, hitbox.Head, false},
		{"breast", 1.2, 0, 0, 0, hitbox.Chest, false},
		{"belt", 0.85, 0, 0, 0, hitbox.Pelvis, false},
		{"knee", 0.4, 0, 0, 0, hitbox.Legs, false},
		{"sole", 0, 0, 0, 0, hitbox.Legs, false},
		{"over the head", 1.76, 0, 0, 0, 0, true},
		{"under the feet", -0.01, 0, 0, 0, 0, true},
		{"beside the head", 1.56, 0, 0, 0.2, 0, true},
		{"beside the body", 1.2, 0, 0, 0.4, 0, true},
		{"over a ducked head", 1.56, 255, 0, 0, 0, true},
		{"ducked eye", 1.13, 255, 0, 0, hitbox.Head, false},
		{"leaned head to the right", 1.56, 0, 127, 0.3, hitbox.Head, false},
		{"leaned head left its place", 1.56, 0, 127, 0, 0, true},
		{"leaned head to the left", 1.56, 0, -127, -0.3, hitbox.Head, false},
	} {
		for yaw := float32(0); yaw < 360; yaw += 45 {
			pose := hitbox.Pose{Pos: vec.New(5, -3, 2), Yaw: state.AngleOf(yaw), Duck: c.duck, Lean: c.lean}
			fwd, right, _ := vec.Axes(yaw, 0)
			at := pose.Pos.Add(vec.New(0, 0, c.z)).Mad(c.side, right)
			hit, ok := hitbox.Ray(body, pose, at.Mad(10, fwd), at.Mad(-10, fwd))
			if ok == c.wantMissed || hit.Part != c.want {
				t.Errorf("%s at yaw %v: %v %v", c.name, yaw, hit, ok)
			}
		}
	}
}

func TestUnleanedPartsStayInsideTheMovementBox(t *testing.T) {
	for duck := 0; duck < 256; duck += 5 {
		for yaw := float32(0); yaw < 360; yaw += 3 {
			p := hitbox.Pose{Yaw: state.AngleOf(yaw), Duck: uint8(duck)}
			h := vec.Lerp(body.StandHeight, body.CrouchHeight, float32(duck)/255)
			s := hitbox.ShapeOf(body, p)
			if s.HeadAt.Z+s.HeadRadius > h+1e-5 || s.HeadRadius > body.HalfWidth {
				t.Fatalf("duck %d: head up to %v in a body of %v", duck, s.HeadAt.Z+s.HeadRadius, h)
			}
			for i, b := range s.Boxes {
				if b.Min.Z < 0 || b.Max.Z > h || b.IsEmpty() || b.Max.Len2() > body.HalfWidth {
					t.Fatalf("duck %d: part %d is %v", duck, i, b)
				}
			}
		}
	}
}

// Points marched along the line find the same part at the same place.
func TestRayMatchesMarching(t *testing.T) {
	const seed = 11
	r := vec.NewRand(seed)
	hits := 0
	for n := range 1500 {
		p := hitbox.Pose{Pos: vec.New(r.Signed()*50, r.Signed()*50, r.Signed()*10), Yaw: state.Angle16(r.Uint64()),
			Duck: uint8(r.Uint64()), Lean: int8(r.Uint64())}
		from := p.Pos.Add(vec.New(r.Signed()*4, r.Signed()*4, 1+r.Signed()*3))
		to := p.Pos.Add(vec.New(r.Signed()*0.6, r.Signed()*0.6, r.Float()*1.8))
		to = from.Add(to.Sub(from).Scale(1.5))
		got, ok := hitbox.Ray(body, p, from, to)
		const steps = 4000
		wantPart, wantAt := hitbox.None, -1
		for i := 0; i <= steps && wantPart == hitbox.None; i++ {
			wantPart, wantAt = inside(p, from.Lerp(to, float32(i)/steps)), i
		}
		if ok {
			hits++
		}
		if ok != (wantPart != hitbox.None) {
			// A line that only grazes may fall between two of the points.
			if ok && graze(p, from.Lerp(to, got.Frac)) {
				continue
			}
			t.Fatalf("seed %d case %d: ray %v %v, marching %v", seed, n, got, ok, wantPart)
		}
		if ok && math.Abs(float64(got.Frac)-float64(wantAt)/steps) > 2.0/steps {
			if graze(p, from.Lerp(to, got.Frac)) {
				continue
			}
			t.Fatalf("seed %d case %d: ray at %v, marching at %v", seed, n, got.Frac, float64(wantAt)/steps)
		}
	}
	if hits < 250 {
		t.Fatalf("only %d lines hit", hits)
	}
}

// inside says which part holds a point, by the plain definition.
func inside(p hitbox.Pose, at vec.V3) hitbox.Part {
	s := hitbox.ShapeOf(body, p)
	yaw := float64(p.Yaw.Deg()) * math.Pi / 180
	d := at.Sub(p.Pos)
	x := float64(d.X)*math.Cos(yaw) + float64(d.Y)*math.Sin(yaw)
	y := float64(d.Y)*math.Cos(yaw) - float64(d.X)*math.Sin(yaw)
	l := vec.New(float32(x), float32(y), d.Z)
	if l.Sub(s.HeadAt).Len() <= s.HeadRadius {
		return hitbox.Head
	}
	for i, b := range s.Boxes {
		if b.Contains(l) {
			return hitbox.Chest + hitbox.Part(i)
		}
	}
	return hitbox.None
}

// graze reports whether a millimetre to some side of the point is outside.
func graze(p hitbox.Pose, at vec.V3) bool {
	for i := range 3 {
		for _, d := range []float32{-0.002, 0.002} {
			if inside(p, at.With(i, at.At(i)+d)) != hitbox.None {
				return true
			}
		}
	}
	return false
}

func TestBoundsHoldWhatCanBeHit(t *testing.T) {
	r := vec.NewRand(5)
	for range 20000 {
		p := hitbox.Pose{Pos: vec.New(1, 2, 3), Yaw: state.Angle16(r.Uint64()), Duck: uint8(r.Uint64()), Lean: int8(r.Uint64())}
		at := p.Pos.Add(vec.New(r.Signed(), r.Signed(), r.Signed()*2.5))
		if inside(p, at) != hitbox.None && !hitbox.Bounds(body, p).Pad(1e-4).Contains(at) {
			t.Fatalf("%+v: a part at %v is outside the bounds", p, at)
		}
	}
}

func TestLongAndBrokenLines(t *testing.T) {
	nan := float32(math.NaN())
	p := hitbox.Pose{}
	for _, c := range []struct {
		name     string
		from, to vec.V3
		want     hitbox.Part
	}{
		{"from 4 km at the head", vec.New(4000, 0, 1.56), vec.New(-4000, 0, 1.56), hitbox.Head},
		{"away from it", vec.New(1, 0, 1.2), vec.New(9, 0, 1.2), hitbox.None},
		{"ends before it", vec.New(9, 0, 1.2), vec.New(1, 0, 1.2), hitbox.None},
		{"point inside", vec.New(0, 0, 0.3), vec.New(0, 0, 0.3), hitbox.Legs},
		{"point outside", vec.New(3, 0, 0.3), vec.New(3, 0, 0.3), hitbox.None},
		{"not a number", vec.New(nan, nan, nan), vec.New(nan, 0, 0), hitbox.None},
	} {
		hit, ok := hitbox.Ray(body, p, c.from, c.to)
		if hit.Part != c.want || ok != (c.want != hitbox.None) || (ok && !(hit.Frac >= 0 && hit.Frac <= 1)) {
			t.Errorf("%s: %v %v", c.name, hit, ok)
		}
	}
}

func TestFactors(t *testing.T) {
	w := &tables.Weapon{HeadFactor: 2, LimbFactor: 0.75}
	for part, want := range map[hitbox.Part]float32{hitbox.Head: 2, hitbox.Chest: 1, hitbox.Pelvis: 1, hitbox.Legs: 0.75} {
		if got := hitbox.Factor(part, w); got != want {
			t.Errorf("%v: %v, want %v", part, got, want)
		}
	}
}

func TestRayAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		hitbox.Ray(body, hitbox.Pose{}, vec.New(3, 0, 1), vec.New(-3, 0, 1))
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

// A blow of a radius meets what is that far from its way, from every side, and of
// radius 0 it is the line.
func TestSweepIsWiderByItsRadius(t *testing.T) {
	const seed, radius = 21, 0.2
	r := vec.NewRand(seed)
	wider := 0
	for n := range 3000 {
		p := hitbox.Pose{Pos: vec.New(r.Signed()*9, r.Signed()*9, r.Signed()), Yaw: state.Angle16(r.Uint64()), Duck: uint8(r.Uint64()), Lean: int8(r.Uint64())}
		from := p.Pos.Add(vec.New(r.Signed()*2, r.Signed()*2, 1+r.Signed()))
		to := p.Pos.Add(vec.New(r.Signed(), r.Signed(), r.Float()*1.8))
		line, hit := hitbox.Ray(body, p, from, to)
		if zero, ok := hitbox.Sweep(body, p, from, to, 0); ok != hit || zero != line {
			t.Fatalf("seed %d case %d: radius 0 gives %v %v, the line %v %v", seed, n, zero, ok, line, hit)
		}
		blow, met := hitbox.Sweep(body, p, from, to, radius)
		if hit && (!met || blow.Frac > line.Frac) {
			t.Fatalf("seed %d case %d: the line hits at %v, the blow %v at %v", seed, n, line, met, blow)
		}
		if met && !hit {
			wider++
		}
		if at := from.Lerp(to, blow.Frac); met && !hitbox.Bounds(body, p).Pad(radius*1.42).Contains(at) {
			t.Fatalf("seed %d case %d: nothing is near %v", seed, n, at)
		}
	}
	if wider < 100 {
		t.Fatalf("only %d are wider", wider)
	}
}
