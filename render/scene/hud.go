package scene

import "strconv"

// RGBA is an sRGB colour with straight alpha.
type RGBA struct{ R, G, B, A uint8 }

// Alpha returns the colour with its alpha multiplied by a, which is clamped to
// 0…1.
func (c RGBA) Alpha(a float32) RGBA {
	if !(a > 0) { // also NaN
		a = 0
	}
	c.A = uint8(float32(c.A)*min(a, 1) + 0.5)
	return c
}

// Font names one of the faces that the drawer knows.
type Font uint8

// Fonts.
const (
	Sans Font = iota // labels
	Bold             // numbers and headings
	Mono             // console and tables
	FontCount
)

// Align says which point of a text its position names.
type Align uint8

// Alignments. Vertically the position is always the middle of a capital.
const (
	Left Align = iota
	Centre
	Right
)

// MarkKind is what a Mark is.
type MarkKind uint8

// Kinds of mark.
const (
	RectMark MarkKind = iota
	LineMark
	TextMark
)

// Mark is one thing on the HUD. Which fields count depends on Kind:
// a rectangle has X, Y, W, H, Radius and runs from Color at its top to Color2
// at its bottom; a line goes from X, Y to W, H and is Size wide; a text stands
// at X, Y, is Size high, and is HUD.Bytes[From:To].
type Mark struct {
	Kind          MarkKind
	Font          Font
	Align         Align
	Shadow        bool
	X, Y, W, H    float32
	Size, Radius  float32
	Color, Color2 RGBA
	From, To      int32
}

// HUDHeight and HUDWidth are the size in units of the smallest layout: a window
// of 16:9 is exactly HUDHeight units high. A window that is narrower than
// HUDWidth:HUDHeight scales by its width instead, so that nothing is cut off.
const (
	HUDHeight = 720
	HUDWidth  = 960
)

// HUD is a list of marks in units that do not depend on pixels, drawn in order.
// Width and Height are the drawable size in those units; y grows downwards.
// Texts live in one byte slice so that numbers can be appended without
// allocating.
type HUD struct {
	Width, Height float32
	Scale         float32 // framebuffer pixels per unit
	Marks         []Mark
	Bytes         []byte
}

// Reset empties the list and keeps its memory and size.
func (h *HUD) Reset() {
	h.Marks = h.Marks[:0]
	h.Bytes = h.Bytes[:0]
}

// Resize sets the drawable size from a framebuffer's size in pixels. A size of
// zero counts as one pixel, so nothing that is computed from it is not a number.
func (h *HUD) Resize(width, height int) {
	w, t := float32(max(width, 1)), float32(max(height, 1))
	h.Scale = min(t/HUDHeight, w/HUDWidth)
	h.Width, h.Height = w/h.Scale, t/h.Scale
}

// Rect adds a filled rectangle.
func (h *HUD) Rect(x, y, w, height float32, c RGBA) {
	h.Panel(x, y, w, height, 0, c, c)
}

// Panel adds a rectangle with round corners and a gradient from top to bottom.
// One without area is left out.
func (h *HUD) Panel(x, y, w, height, radius float32, top, bottom RGBA) {
	if !(w > 0) || !(height > 0) {
		return
	}
	h.Marks = append(h.Marks, Mark{Kind: RectMark, X: x, Y: y, W: w, H: height,
		Radius: min(radius, w/2, height/2), Color: top, Color2: bottom})
}

// Line adds a line that is width units wide.
func (h *HUD) Line(x0, y0, x1, y1, width float32, c RGBA) {
	h.Marks = append(h.Marks, Mark{Kind: LineMark, X: x0, Y: y0, W: x1, H: y1,
		Size: width, Color: c, Color2: c})
}

// Text adds a line of text.
func (h *HUD) Text(x, y, size float32, f Font, a Align, c RGBA, s string) {
	from := h.Mark()
	h.Bytes = append(h.Bytes, s...)
	h.TextFrom(from, x, y, size, f, a, c)
}

// Int adds a whole number.
func (h *HUD) Int(x, y, size float32, f Font, a Align, c RGBA, n int) {
	from := h.Mark()
	h.Bytes = strconv.AppendInt(h.Bytes, int64(n), 10)
	h.TextFrom(from, x, y, size, f, a, c)
}

// Mark returns the place in Bytes from which a text that is appended by hand
// will begin; TextFrom then shows it.
func (h *HUD) Mark() int { return len(h.Bytes) }

// TextFrom adds a text that the caller has appended to Bytes since from.
func (h *HUD) TextFrom(from int, x, y, size float32, f Font, a Align, c RGBA) {
	if from < 0 || from >= len(h.Bytes) {
		return
	}
	h.Marks = append(h.Marks, Mark{Kind: TextMark, Font: f, Align: a, X: x, Y: y, Size: size,
		Color: c, Color2: c, Shadow: true, From: int32(from), To: int32(len(h.Bytes))})
}
