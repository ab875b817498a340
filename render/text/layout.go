package text

import (
	"unicode/utf8"

	"github.com/sightline-engine/sightline/render/scene"
)

// decode returns the first rune of a text; a broken one is shown as such and is
// one byte long, so that any bytes can be shown.
func decode(s []byte) (r rune, n int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRune(s)
}

// Layout calls draw for every glyph of a line that is not blank, with the
// pixel position of its upper left corner. x and y name the aligned point: the
// left end, middle or right end of the text, at half the height of a capital.
// Pens stand on whole pixels, so that glyphs stay as sharp as they were drawn.
func (a *Atlas) Layout(f scene.Font, size int, align scene.Align, x, y float32, s []byte, draw func(g Glyph, x, y float32)) {
	switch align {
	case scene.Centre:
		x -= a.Width(f, size, s) / 2
	case scene.Right:
		x -= a.Width(f, size, s)
	}
	pen := round(x)
	base := round(y + CapHeight*float32(size)/2)
	for len(s) > 0 {
		r, n := decode(s)
		s = s[n:]
		g := a.Glyph(f, size, r)
		if g.W > 0 {
			draw(g, pen+g.DX, base+g.DY)
		}
		pen += g.Advance
	}
}

func round(v float32) float32 {
	if v < 0 {
		return -float32(int64(-v + 0.5))
	}
	return float32(int64(v + 0.5))
}

// MonoAdvance is how far the pen moves over one rune of the Mono face, as a
// part of the size, before it is rounded to whole pixels.
const MonoAdvance = 0.6
