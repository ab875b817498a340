// Package vec is the simulation's arithmetic: float32 vectors, angles and the
// few transcendental functions that movement needs.
//
// Everything here gives the same bits on every platform. A Go compiler may fuse
// x*y + z into one operation that rounds once (arm64, and amd64 built with
// GOAMD64=v3, do); an explicit conversion forbids it. So every product is
// written float32(a*b), sums are left-associative, and sines come from the
// polynomials in trig.go instead of package math. math.Sqrt is used: IEEE 754
// requires it to be correctly rounded, and rounding a float64 root of a float32
// to float32 is exact.
//
// Conventions: metres, z up, right-handed. Angles in degrees. Yaw turns from +x
// to +y; pitch is positive looking up; roll is positive leaning right.
//
// All values are plain values; any goroutine may use them.
package vec
