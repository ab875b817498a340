package vec_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/vec"
)

func TestSinCosIsWithinOneMillionth(t *testing.T) {
	for i := -72000; i <= 72000; i++ {
		d := float32(i) * 0.01
		s, c := vec.SinCos(d)
		r := float64(d) * math.Pi / 180
		if math.Abs(float64(s)-math.Sin(r)) > 1e-6 || math.Abs(float64(c)-math.Cos(r)) > 1e-6 {
			t.Fatalf("SinCos(%v) = %v, %v; want %v, %v", d, s, c, math.Sin(r), math.Cos(r))
		}
	}
}

func TestAtan2IsWithinATenthOfAMillidegree(t *testing.T) {
	for i := 0; i < 3600; i++ {
		r := float64(i) * math.Pi / 1800
		y, x := float32(math.Sin(r)*3), float32(math.Cos(r)*3)
		want := math.Atan2(float64(y), float64(x)) * 180 / math.Pi
		got := float64(vec.Atan2(y, x))
		if math.Abs(float64(vec.WrapDeg(float32(got-want)))) > 3e-4 {
			t.Fatalf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
		}
	}
}

func TestAnglesInvertForward(t *testing.T) {
	for yaw := float32(-180); yaw < 180; yaw += 7 {
		for pitch := float32(-88); pitch <= 88; pitch += 11 {
			y, p := vec.Angles(vec.Forward(yaw, pitch))
			if vec.Abs(vec.WrapDeg(y-yaw)) > 0.01 || vec.Abs(p-pitch) > 0.01 {
				t.Fatalf("(%v, %v) came back as (%v, %v)", yaw, pitch, y, p)
			}
		}
	}
}

func TestAxesAreRightHandedAndUnit(t *testing.T) {
	f, r, u := vec.Axes(30, 20)
	if f.Cross(u).Sub(r).Len() > 1e-5 {
		t.Fatalf("forward × up = %v, want right %v", f.Cross(u), r)
	}
	if _, r, _ := vec.Axes(0, 0); r != (vec.V3{X: 0, Y: -1, Z: 0}) {
		t.Fatalf("looking along +x, right is %v, want -y", r)
	}
}

func TestBadNumbersAreTamed(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	if vec.WrapDeg(nan) != 0 || vec.WrapDeg(inf) != 0 || vec.Floor(nan) != 0 || vec.Clamp(nan, 1, 2) != 1 {
		t.Fatal("NaN or infinity got through")
	}
	if vec.Finite(nan) || vec.Finite(inf) || !vec.Finite(0) {
		t.Fatal("Finite is wrong")
	}
	if math.Signbit(float64(vec.Canon(float32(math.Copysign(0, -1))))) {
		t.Fatal("Canon keeps -0")
	}
}

func TestWrapDegStaysInRange(t *testing.T) {
	for i := -100000; i < 100000; i++ {
		a := float32(i) * 0.37
		w := vec.WrapDeg(a)
		if !(w >= -180 && w < 180) {
			t.Fatalf("WrapDeg(%v) = %v", a, w)
		}
		if d := math.Mod(float64(a)-float64(w), 360); math.Abs(d) > 0.02 && math.Abs(math.Abs(d)-360) > 0.02 {
			t.Fatalf("WrapDeg(%v) = %v is another angle", a, w)
		}
	}
}

func TestTheWayIntoABox(t *testing.T) {
	b := vec.Box{Min: vec.V3{X: 1, Y: 1, Z: 1}, Max: vec.V3{X: 2, Y: 3, Z: 4}}
	for _, c := range []struct {
		name string
		a, d vec.V3
		frac float32
		ok   bool
	}{
		{"from outside", vec.V3{X: 0, Y: 2, Z: 2}, vec.V3{X: 4}, 0.25, true},
		{"from inside", vec.V3{X: 1.5, Y: 2, Z: 2}, vec.V3{X: 4}, 0, true},
		{"too short", vec.V3{X: 0, Y: 2, Z: 2}, vec.V3{X: 0.9}, 0, false},
		{"away from it", vec.V3{X: 0, Y: 2, Z: 2}, vec.V3{X: -4}, 0, false},
		{"beside it", vec.V3{X: 0, Y: 4, Z: 2}, vec.V3{X: 4}, 0, false},
		{"past its edge", vec.V3{X: 0, Y: 2.5, Z: 2}, vec.V3{X: 2, Y: 2}, 0, false},
		{"no way, inside", vec.V3{X: 1, Y: 1, Z: 1}, vec.V3{}, 0, true},
		{"no way, outside", vec.V3{}, vec.V3{}, 0, false},
	} {
		if frac, ok := b.Enter(c.a, c.d); ok != c.ok || frac != c.frac {
			t.Errorf("%s: %v, %v, wanted %v, %v", c.name, frac, ok, c.frac, c.ok)
		}
	}
}
