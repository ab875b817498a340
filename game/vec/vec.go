package vec

import "math"

// V3 is a point or a direction, in metres unless said otherwise.
type V3 struct{ X, Y, Z float32 }

// Up is +z.
var Up = V3{0, 0, 1}

// New returns (x, y, z).
func New(x, y, z float32) V3 { return V3{x, y, z} }

// At returns component i: 0 is X, 1 is Y, 2 is Z.
func (a V3) At(i int) float32 {
	switch i {
	case 0:
		return a.X
	case 1:
		return a.Y
	}
	return a.Z
}

// With returns a with component i replaced by v.
func (a V3) With(i int, v float32) V3 {
	switch i {
	case 0:
		a.X = v
	case 1:
		a.Y = v
	default:
		a.Z = v
	}
	return a
}

// Add returns a + b.
func (a V3) Add(b V3) V3 { return V3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a V3) Sub(b V3) V3 { return V3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Neg returns -a, with +0 for a zero component.
func (a V3) Neg() V3 { return V3{0 - a.X, 0 - a.Y, 0 - a.Z} }

// Scale returns a times s.
func (a V3) Scale(s float32) V3 {
	return V3{float32(a.X * s), float32(a.Y * s), float32(a.Z * s)}
}

// Mul returns the component-wise product.
func (a V3) Mul(b V3) V3 {
	return V3{float32(a.X * b.X), float32(a.Y * b.Y), float32(a.Z * b.Z)}
}

// Mad returns a + b*s, with the product rounded first.
func (a V3) Mad(s float32, b V3) V3 {
	return V3{a.X + float32(b.X*s), a.Y + float32(b.Y*s), a.Z + float32(b.Z*s)}
}

// Dot returns the scalar product.
func (a V3) Dot(b V3) float32 {
	return float32(a.X*b.X) + float32(a.Y*b.Y) + float32(a.Z*b.Z)
}

// Cross returns the vector product a × b.
func (a V3) Cross(b V3) V3 {
	return V3{
		float32(a.Y*b.Z) - float32(a.Z*b.Y),
		float32(a.Z*b.X) - float32(a.X*b.Z),
		float32(a.X*b.Y) - float32(a.Y*b.X),
	}
}

// LenSq returns the squared length.
func (a V3) LenSq() float32 { return a.Dot(a) }

// Len returns the length.
func (a V3) Len() float32 { return Sqrt(a.LenSq()) }

// Len2 returns the length of the horizontal part.
func (a V3) Len2() float32 { return Sqrt(float32(a.X*a.X) + float32(a.Y*a.Y)) }

// Dist returns the distance from a to b.
func (a V3) Dist(b V3) float32 { return b.Sub(a).Len() }

// DistSq returns the squared distance from a to b.
func (a V3) DistSq(b V3) float32 { return b.Sub(a).LenSq() }

// Norm returns a scaled to length 1 and the length that it had. The zero vector
// stays zero.
func (a V3) Norm() (V3, float32) {
	l := a.Len()
	if l == 0 {
		return V3{}, 0
	}
	return V3{a.X / l, a.Y / l, a.Z / l}, l
}

// Unit returns a scaled to length 1; the zero vector stays zero.
func (a V3) Unit() V3 { u, _ := a.Norm(); return u }

// Lerp returns a + (b-a)*t.
func (a V3) Lerp(b V3, t float32) V3 { return a.Mad(t, b.Sub(a)) }

// Min returns the component-wise minimum.
func (a V3) Min(b V3) V3 { return V3{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }

// Max returns the component-wise maximum.
func (a V3) Max(b V3) V3 { return V3{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// Abs returns the component-wise absolute value.
func (a V3) Abs() V3 { return V3{Abs(a.X), Abs(a.Y), Abs(a.Z)} }

// Flat returns a with Z = 0.
func (a V3) Flat() V3 { return V3{a.X, a.Y, 0} }

// IsFinite reports whether no component is NaN or infinite.
func (a V3) IsFinite() bool { return Finite(a.X) && Finite(a.Y) && Finite(a.Z) }

// Box is an axis-aligned box.
type Box struct{ Min, Max V3 }

// EmptyBox contains nothing; growing it by a point gives that point.
func EmptyBox() Box {
	inf := float32(math.Inf(1))
	return Box{V3{inf, inf, inf}, V3{-inf, -inf, -inf}}
}

// Grow returns the smallest box that holds b and p.
func (b Box) Grow(p V3) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Union returns the smallest box that holds both.
func (b Box) Union(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Pad returns b grown by d on every side.
func (b Box) Pad(d float32) Box {
	return Box{V3{b.Min.X - d, b.Min.Y - d, b.Min.Z - d}, V3{b.Max.X + d, b.Max.Y + d, b.Max.Z + d}}
}

// Move returns b shifted by d.
func (b Box) Move(d V3) Box { return Box{b.Min.Add(d), b.Max.Add(d)} }

// Overlaps reports whether the closed boxes share a point.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && b.Max.X >= c.Min.X &&
		b.Min.Y <= c.Max.Y && b.Max.Y >= c.Min.Y &&
		b.Min.Z <= c.Max.Z && b.Max.Z >= c.Min.Z
}

// Contains reports whether p lies in the closed box.
func (b Box) Contains(p V3) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y && p.Z >= b.Min.Z && p.Z <= b.Max.Z
}

// Dist returns how far a point is from the box, 0 inside.
func (b Box) Dist(p V3) float32 { return p.Max(b.Min).Min(b.Max).Dist(p) }

// Enter returns where the way from a along d enters the box, as a fraction of d: 0 when a
// is in it. ok is false when the way misses it.
func (b Box) Enter(a, d V3) (frac float32, ok bool) {
	lo, hi := float32(0), float32(1)
	for i := range 3 {
		p, v, mn, mx := a.At(i), d.At(i), b.Min.At(i), b.Max.At(i)
		if v == 0 {
			if p < mn || p > mx {
				return 0, false
			}
			continue
		}
		t0, t1 := (mn-p)/v, (mx-p)/v
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		lo, hi = max(lo, t0), min(hi, t1)
		if lo > hi {
			return 0, false
		}
	}
	return lo, true
}

// Center returns the middle.
func (b Box) Center() V3 { return b.Min.Add(b.Max).Scale(0.5) }

// Size returns the edge lengths.
func (b Box) Size() V3 { return b.Max.Sub(b.Min) }

// IsEmpty reports whether the box holds no point.
func (b Box) IsEmpty() bool { return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z }

// Sqrt returns the correctly rounded square root; 0 for negative input.
func Sqrt(x float32) float32 {
	if x <= 0 {
		return 0
	}
	return float32(math.Sqrt(float64(x)))
}

// Abs returns |x|.
func Abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}

// Clamp returns x limited to [lo, hi]. NaN gives lo.
func Clamp(x, lo, hi float32) float32 {
	if x >= hi {
		return hi
	}
	if x > lo {
		return x
	}
	return lo
}

// Lerp returns a + (b-a)*t.
func Lerp(a, b, t float32) float32 { return a + float32((b-a)*t) }

// Finite reports whether x is neither NaN nor infinite.
func Finite(x float32) bool { return x-x == 0 }

// Canon returns x with NaN and -0 replaced by +0, the only form that predicted
// state may hold.
func Canon(x float32) float32 {
	if x != x || x == 0 {
		return 0
	}
	return x
}

// CanonV is Canon for each component.
func CanonV(a V3) V3 { return V3{Canon(a.X), Canon(a.Y), Canon(a.Z)} }

// Floor returns the largest whole number not above x, for |x| < 2^31; it is a
// comparison and a conversion, so the same on every platform.
func Floor(x float32) int32 {
	if !(x > -2147483500 && x < 2147483500) {
		return 0
	}
	i := int32(x)
	if float32(i) > x {
		i--
	}
	return i
}
