package text_test

import (
	"testing"

	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/text"
)

func open(t testing.TB) *text.Atlas {
	t.Helper()
	a, err := text.New(512, 512)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGlyphsDoNotOverlap(t *testing.T) {
	a := open(t)
	_, w, h := a.Pixels()
	used := make([]bool, w*h)
	for f := range scene.FontCount {
		for r := rune('!'); r < 127; r++ {
			g := a.Glyph(f, 14, r)
			if g.W == 0 || g.Advance <= 0 {
				t.Fatalf("font %d has no picture of %q", f, r)
			}
			for y := g.Y; y < g.Y+g.H; y++ {
				for x := g.X; x < g.X+g.W; x++ {
					if used[y*w+x] {
						t.Fatalf("font %d: %q overlaps", f, r)
					}
					used[y*w+x] = true
				}
			}
		}
	}
	if a.Resets() != 0 {
		t.Error("three faces at one size fill the atlas")
	}
}

func TestAnyBytesCanBeShown(t *testing.T) {
	a := open(t)
	for _, s := range []string{"", "\x00\x01\n\t", "\xff\xfe", "žluťoučký кот", "日本語", "👾"} {
		n := 0
		a.Layout(scene.Sans, 20, scene.Centre, 10, 10, []byte(s), func(g text.Glyph, x, y float32) { n++ })
		if s != "" && n == 0 {
			t.Errorf("%q shows nothing", s)
		}
	}
}

func TestFullAtlasStartsAnew(t *testing.T) {
	a := open(t)
	for size := text.MinSize; size <= text.MaxSize; size++ {
		for r := rune('A'); r <= 'Z'; r++ {
			g := a.Glyph(scene.Bold, size, r)
			if g.X+g.W > 512 || g.Y+g.H > 512 {
				t.Fatalf("size %d: %q lies outside", size, r)
			}
		}
	}
	if a.Resets() == 0 {
		t.Error("every size fits?")
	}
	if y0, y1, dirty := a.Dirty(); !dirty || y0 != 0 || y1 != 512 {
		t.Errorf("rows %d to %d are to be uploaded", y0, y1)
	}
}

func TestSizesAreClamped(t *testing.T) {
	for in, want := range map[float32]int{-1: text.MinSize, 0: text.MinSize, 13.4: 13, 13.6: 14, 1e9: text.MaxSize} {
		if got := text.ClampSize(in); got != want {
			t.Errorf("%g: %d", in, got)
		}
	}
	var zero float32
	if got := text.ClampSize(zero / zero); got != text.MinSize {
		t.Errorf("not a number: %d", got)
	}
}

func TestAlignment(t *testing.T) {
	a := open(t)
	s := []byte("12345")
	left := func(al scene.Align) float32 {
		least := float32(1e9)
		a.Layout(scene.Mono, 20, al, 500, 100, s, func(_ text.Glyph, x, _ float32) { least = min(least, x) })
		return least
	}
	w := a.Width(scene.Mono, 20, s)
	if d := left(scene.Left) - left(scene.Right); d < w-1 || d > w+1 {
		t.Errorf("right differs from left by %g, width %g", d, w)
	}
	if got := w / 5 / 20; got < text.MonoAdvance-0.05 || got > text.MonoAdvance+0.05 {
		t.Errorf("a mono rune is %g wide", got)
	}
}

func TestLayoutOfKnownGlyphsDoesNotAllocate(t *testing.T) {
	a := open(t)
	s := []byte("fps 144  ping 23 ms")
	var sum float32
	draw := func(g text.Glyph, x, y float32) { sum += x }
	lay := func() { a.Layout(scene.Mono, 15, scene.Right, 300, 20, s, draw) }
	lay()
	if n := testing.AllocsPerRun(100, lay); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
