package text

import (
	"fmt"
	"image"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/sightline-engine/sightline/render/scene"
)

// Size limits of a glyph in pixels. Smaller cannot be read, larger does not
// make a crosshair window better and would fill the atlas with one word.
const (
	MinSize = 4
	MaxSize = 160
)

// Glyph is one picture in the atlas: pixels X, Y, W, H of it, drawn at the pen
// plus DX, DY, after which the pen moves by Advance.
type Glyph struct {
	X, Y, W, H int
	DX, DY     float32
	Advance    float32
}

type glyphKey struct {
	font scene.Font
	size int16
	r    rune
}

type faceKey struct {
	font scene.Font
	size int16
}

// Atlas holds glyphs of all faces and sizes in one picture of coverage.
type Atlas struct {
	width, height int
	pix           []byte
	fonts         [scene.FontCount]*opentype.Font
	faces         map[faceKey]font.Face
	glyphs        map[glyphKey]Glyph

	x, y, row int // where the next glyph goes, and how high its shelf is
	y0, y1    int // rows changed since the last Clean
	resets    int
}

// New opens the compiled-in faces over an atlas of the given size.
func New(width, height int) (*Atlas, error) {
	a := &Atlas{width: max(width, 256), height: max(height, 256),
		faces: map[faceKey]font.Face{}, glyphs: map[glyphKey]Glyph{}}
	a.pix = make([]byte, a.width*a.height)
	for i, ttf := range [scene.FontCount][]byte{
		scene.Sans: goregular.TTF, scene.Bold: gobold.TTF, scene.Mono: gomono.TTF,
	} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, fmt.Errorf("open font %d: %w", i, err)
		}
		a.fonts[i] = f
	}
	a.y1 = a.height
	return a, nil
}

// Pixels returns the whole atlas, one byte of coverage per pixel.
func (a *Atlas) Pixels() (pix []byte, width, height int) { return a.pix, a.width, a.height }

// Dirty returns the rows that changed since Clean.
func (a *Atlas) Dirty() (y0, y1 int, dirty bool) { return a.y0, a.y1, a.y1 > a.y0 }

// Clean says that the rows have been uploaded.
func (a *Atlas) Clean() { a.y0, a.y1 = a.height, 0 }

// Resets counts how often the atlas was emptied because it was full. Glyphs
// looked up before a reset no longer name their pictures, so a drawer that sees
// the count change lays its texts out again.
func (a *Atlas) Resets() int { return a.resets }

// ClampSize returns the whole pixel size that a wish becomes.
func ClampSize(size float32) int {
	if !(size > MinSize) {
		return MinSize
	}
	return int(min(size, MaxSize) + 0.5)
}

// Glyph returns the picture of a rune, drawing it if it is new.
func (a *Atlas) Glyph(f scene.Font, size int, r rune) Glyph {
	if f >= scene.FontCount {
		f = scene.Sans
	}
	size = min(max(size, MinSize), MaxSize)
	k := glyphKey{f, int16(size), r}
	if g, ok := a.glyphs[k]; ok {
		return g
	}
	g := a.rasterise(k)
	a.glyphs[k] = g
	return g
}

// face returns a face at a size, opening it if it is new.
func (a *Atlas) face(k faceKey) font.Face {
	if f, ok := a.faces[k]; ok {
		return f
	}
	f, err := opentype.NewFace(a.fonts[k.font], &opentype.FaceOptions{
		Size: float64(k.size), DPI: 72, Hinting: font.HintingFull,
	})
	if err != nil { // only for options that are out of range, which ours are not
		panic("text: " + err.Error())
	}
	a.faces[k] = f
	return f
}

func (a *Atlas) rasterise(k glyphKey) Glyph {
	face := a.face(faceKey{k.font, k.size})
	r := k.r
	if r < ' ' || r == 0x7f {
		r = '\u00b7'
	}
	dr, mask, mp, advance, ok := face.Glyph(fixed.Point26_6{}, r)
	if !ok {
		dr, mask, mp, advance, ok = face.Glyph(fixed.Point26_6{}, '?')
		if !ok {
			return Glyph{}
		}
	}
	g := Glyph{W: dr.Dx(), H: dr.Dy(), DX: float32(dr.Min.X), DY: float32(dr.Min.Y),
		Advance: float32(advance) / 64}
	if g.W <= 0 || g.H <= 0 {
		g.W, g.H = 0, 0
		return g
	}
	g.X, g.Y = a.place(g.W, g.H)
	src, isAlpha := mask.(*image.Alpha)
	for y := range g.H {
		row := a.pix[(g.Y+y)*a.width+g.X:]
		for x := range g.W {
			if isAlpha {
				row[x] = src.AlphaAt(mp.X+x, mp.Y+y).A
				continue
			}
			_, _, _, v := mask.At(mp.X+x, mp.Y+y).RGBA()
			row[x] = byte(v >> 8)
		}
	}
	a.y0, a.y1 = min(a.y0, g.Y), max(a.y1, g.Y+g.H)
	return g
}

// gap keeps a glyph's neighbours out of its filtered edge.
const gap = 1

// place finds room on shelves, emptying the atlas when there is none. A glyph
// of MaxSize fits into an empty atlas of the smallest size.
func (a *Atlas) place(w, h int) (x, y int) {
	if a.x+w+gap > a.width {
		a.x, a.y, a.row = 0, a.y+a.row+gap, 0
	}
	if a.y+h+gap > a.height {
		clear(a.glyphs)
		clear(a.pix)
		// Faces of sizes that a resize passed through would pile up.
		clear(a.faces)
		a.x, a.y, a.row = 0, 0, 0
		a.y0, a.y1 = 0, a.height
		a.resets++
	}
	x, y = a.x, a.y
	a.x += w + gap
	a.row = max(a.row, h)
	return x, y
}

// Width returns how far the pen moves over a text.
func (a *Atlas) Width(f scene.Font, size int, s []byte) float32 {
	var w float32
	for len(s) > 0 {
		r, n := decode(s)
		s = s[n:]
		w += a.Glyph(f, size, r).Advance
	}
	return w
}

// CapHeight is the height of a capital as a part of the size, the same for the
// three faces within a hundredth.
const CapHeight = 0.72
