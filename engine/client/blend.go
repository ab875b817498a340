package client

import "github.com/sightline-engine/sightline/game/state"

// Blend fills out with a subject between two of its updates, span ticks apart, at
// an instant at256 256ths of a tick after the first: the curve that a client draws
// it by, for who has the updates from elsewhere, such as a demo.
func Blend(out *Shown, a, b *state.Entity, span, at256 uint32, tickRate int) {
	x, y := a.Body(), b.Body()
	near, d := a, float32(int16(b.Stride-a.Stride))
	switch {
	case !state.SameLife(&x, &y):
		d = 0
		if at256 >= span*256 {
			near = b
		}
	case at256 >= span*128:
		near = b
	}
	fill(out, near, state.Blend(&x, &y, span, at256, tickRate))
	if span > 0 {
		out.StrideM = (float32(a.Stride) + d*float32(at256)/float32(span*256)) / 64
	}
}
