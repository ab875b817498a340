package vec

// Angles here are degrees. Reduction to an octant is exact for |angle| below
// 2^21 degrees; the polynomials are the Taylor series to x^9 and x^8, whose
// truncation error on ±45° (2e-9) is below half a unit in the last place of 1.

const degToRad = float32(0.017453292519943295)

// WrapDeg returns a in [-180, 180). Not finite or absurdly large gives 0.
func WrapDeg(a float32) float32 {
	if a >= -180 && a < 180 {
		return a
	}
	if !(a > -2097152 && a < 2097152) {
		return 0
	}
	n := Floor((a + 180) / 360)
	a -= float32(float32(n) * 360)
	if a >= 180 {
		a -= 360
	}
	if a < -180 {
		a += 360
	}
	return a
}

// SinCos returns the sine and cosine of an angle in degrees.
func SinCos(deg float32) (sin, cos float32) {
	a := WrapDeg(deg)
	q := Floor((a + 45) / 90) // quadrant -2..2
	r := a - float32(float32(q)*90)
	x := float32(r * degToRad)
	x2 := float32(x * x)
	s := float32(2.7557319e-6)
	s = -1.9841270e-4 + float32(s*x2)
	s = 8.3333333e-3 + float32(s*x2)
	s = -1.6666667e-1 + float32(s*x2)
	s = x + float32(float32(s*x2)*x)
	c := float32(2.4801587e-5)
	c = -1.3888889e-3 + float32(c*x2)
	c = 4.1666667e-2 + float32(c*x2)
	c = -0.5 + float32(c*x2)
	c = 1 + float32(c*x2)
	switch q & 3 {
	case 0:
		return s, c
	case 1:
		return c, 0 - s
	case 2:
		return 0 - s, 0 - c
	}
	return 0 - c, s
}

// Sin returns the sine of an angle in degrees.
func Sin(deg float32) float32 { s, _ := SinCos(deg); return s }

// Cos returns the cosine of an angle in degrees.
func Cos(deg float32) float32 { _, c := SinCos(deg); return c }

// Atan2 returns the angle of (x, y) in degrees, in (-180, 180]; 0 for (0, 0).
// Largest error 2e-4 degrees.
func Atan2(y, x float32) float32 {
	ax, ay := Abs(x), Abs(y)
	if ax == 0 && ay == 0 {
		return 0
	}
	swap := ay > ax
	if swap {
		ax, ay = ay, ax
	}
	t := ay / ax // 0..1
	// atan(t) = base + atan((t-k)/(1+k*t)) keeps the argument within tan(22.5°).
	base := float32(0)
	if t > 0.41421356 {
		base = 45
		t = (t - 1) / (t + 1)
	}
	t2 := float32(t * t)
	p := float32(-0.06489999)
	p = 0.10673000 + float32(p*t2)
	p = -0.14270000 + float32(p*t2)
	p = 0.19999500 + float32(p*t2)
	p = -0.33333330 + float32(p*t2)
	r := t + float32(float32(p*t2)*t)
	d := base + float32(r*57.29577951308232)
	if swap {
		d = 90 - d
	}
	if x < 0 {
		d = 180 - d
	}
	if y < 0 {
		return 0 - d
	}
	return d
}

// Forward returns the unit vector that yaw and pitch look along.
func Forward(yaw, pitch float32) V3 {
	sy, cy := SinCos(yaw)
	sp, cp := SinCos(pitch)
	return V3{float32(cp * cy), float32(cp * sy), sp}
}

// Axes returns the directions forward, right and up of a view without roll.
func Axes(yaw, pitch float32) (fwd, right, up V3) {
	sy, cy := SinCos(yaw)
	sp, cp := SinCos(pitch)
	fwd = V3{float32(cp * cy), float32(cp * sy), sp}
	right = V3{sy, 0 - cy, 0}
	up = V3{0 - float32(sp*cy), 0 - float32(sp*sy), cp}
	return
}

// Angles returns the yaw and pitch that look along d.
func Angles(d V3) (yaw, pitch float32) {
	return Atan2(d.Y, d.X), Atan2(d.Z, d.Len2())
}
