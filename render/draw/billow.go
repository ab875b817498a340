package draw

import "github.com/go-gl/mathgl/mgl32"

const (
	billowSize  = 32 // cells of the block along a side
	billowLumps = 4  // large lumps along a side; there are small ones of half the size
	billowSlope = 16 // of the gradients that fit, per side of the block
)

// billowBlock returns the lumps of smoke that cloud.frag reads, a block that repeats
// without a seam: red is how far a lump stands out, the others are its gradient.
func billowBlock() []byte {
	const n = billowSize
	high := make([]float32, n*n*n)
	for _, o := range []struct {
		lumps int
		share float32
	}{{billowLumps, 0.68}, {2 * billowLumps, 0.32}} {
		addLumps(high, o.lumps, o.share)
	}
	at := func(x, y, z int) float32 { return high[((z&(n-1))*n+y&(n-1))*n+x&(n-1)] }
	pix := make([]byte, 4*n*n*n)
	unit := func(v float32) byte { return byte(255*clamp01(v) + 0.5) }
	for z := range n {
		for y := range n {
			for x := range n {
				p := pix[4*((z*n+y)*n+x):]
				p[0] = unit(at(x, y, z))
				const k = n / 2.0 / billowSlope
				p[1] = unit(0.5 + k*(at(x+1, y, z)-at(x-1, y, z)))
				p[2] = unit(0.5 + k*(at(x, y+1, z)-at(x, y-1, z)))
				p[3] = unit(0.5 + k*(at(x, y, z+1)-at(x, y, z-1)))
			}
		}
	}
	return pix
}

// addLumps adds domes around points of which there is one, somewhere, in each of so many
// boxes along a side.
func addLumps(high []float32, lumps int, share float32) {
	const n = billowSize
	points := make([]mgl32.Vec3, lumps*lumps*lumps)
	h := uint32(lumps) * 0x9E3779B1
	rnd := func() float32 {
		h ^= h << 13
		h ^= h >> 17
		h ^= h << 5
		return float32(h>>8) / (1 << 24)
	}
	for i := range points {
		points[i] = mgl32.Vec3{rnd(), rnd(), rnd()}
	}
	for i := range high {
		p := mgl32.Vec3{float32(i % n), float32(i / n % n), float32(i / n / n)}.Mul(float32(lumps) / n)
		b := [3]int{int(p[0]), int(p[1]), int(p[2])}
		near := float32(9)
		for k := range 27 {
			c := [3]int{b[0] + k%3 - 1, b[1] + k/3%3 - 1, b[2] + k/9 - 1}
			m := func(i int) int { return (c[i] + lumps) % lumps }
			d := points[(m(2)*lumps+m(1))*lumps+m(0)].Add(mgl32.Vec3{float32(c[0]), float32(c[1]), float32(c[2])}).Sub(p)
			near = min(near, d.Dot(d))
		}
		high[i] += share * max(1-near/1.1, 0)
	}
}
