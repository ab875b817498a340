package vec

// Rand is a small seeded generator (splitmix64) for simulation randomness: seed
// it from the match seed, the tick and a purpose, never from a clock.
type Rand struct{ s uint64 }

// NewRand mixes its arguments into a seed, so that (seed, tick, purpose) name one
// stream each.
func NewRand(parts ...uint64) Rand {
	r := Rand{}
	for _, p := range parts {
		r.s ^= p
		r.s = r.Uint64() ^ 0x9e3779b97f4a7c15
	}
	return r
}

// Uint64 returns the next 64 bits.
func (r *Rand) Uint64() uint64 {
	r.s += 0x9e3779b97f4a7c15
	z := r.s
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// Intn returns a number in [0, n); n must be positive.
func (r *Rand) Intn(n int) int { return int((r.Uint64() >> 32) * uint64(n) >> 32) }

// Float returns a number in [0, 1).
func (r *Rand) Float() float32 { return float32(r.Uint64()>>40) / (1 << 24) }

// Signed returns a number in [-1, 1).
func (r *Rand) Signed() float32 { return float32(r.Float()*2) - 1 }
