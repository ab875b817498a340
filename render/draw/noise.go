package draw

import "image"

const (
	noiseSize   = 512 // pixels along a side
	noisePeriod = 64  // units along a side, as common.glsl has it
)

// noisePicture draws the noise that all shaders read: red is value noise with one
// bump per unit, green the sum of three octaves. It repeats without a seam.
func noisePicture() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, noiseSize, noiseSize))
	for y := range noiseSize {
		for x := range noiseSize {
			px := (float32(x) + 0.5) * noisePeriod / noiseSize
			py := (float32(y) + 0.5) * noisePeriod / noiseSize
			one := valueNoise(px, py, 1)
			sum := 0.5*one + 0.25*valueNoise(px, py, 2) + 0.125*valueNoise(px, py, 4) + 0.0625
			i := img.PixOffset(x, y)
			img.Pix[i], img.Pix[i+1], img.Pix[i+3] = byte(255*one), byte(255*sum), 255
		}
	}
	return img
}

// valueNoise blends the random values of the four corners around a point.
func valueNoise(x, y float32, frequency int) float32 {
	n := uint32(noisePeriod * frequency)
	x, y = x*float32(frequency), y*float32(frequency)
	ix, iy := uint32(x), uint32(y)
	fx, fy := x-float32(ix), y-float32(iy)
	fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
	corner := func(i, j uint32) float32 {
		h := (i%n)*0x9E3779B1 ^ (j%n)*0x85EBCA77 ^ uint32(frequency)*0xC2B2AE3D
		h ^= h >> 15
		h *= 0x2C1B3C6D
		h ^= h >> 12
		h *= 0x297A2D39
		h ^= h >> 15
		return float32(h>>8) / (1 << 24)
	}
	return mix(mix(corner(ix, iy), corner(ix+1, iy), fx), mix(corner(ix, iy+1), corner(ix+1, iy+1), fx), fy)
}
