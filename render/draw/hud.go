package draw

import (
	"math"
	"unsafe"

	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/text"
)

// hudVertex is what hud.vert reads.
type hudVertex struct {
	pos, at [2]float32
	box     [4]float32 // half size, radius, mode
	color   [4]uint8
}

// hudBatch turns marks into triangles.
type hudBatch struct {
	atlas   *text.Atlas
	texture *gpu.Texture
	buffer  *gpu.Buffer
	array   *gpu.VertexArray
	list    []hudVertex
	name    []byte

	color  scene.RGBA // of the glyphs that glyph adds
	dx, dy float32
	glyph  func(g text.Glyph, x, y float32)
}

// atlasSize holds every printable character of all faces at the sizes of a HUD
// on a display 2160 pixels high.
const atlasSize = 1024

func newHUDBatch() (*hudBatch, error) {
	a, err := text.New(atlasSize, atlasSize)
	if err != nil {
		return nil, err
	}
	pix, w, h := a.Pixels()
	b := &hudBatch{atlas: a, buffer: gpu.NewBuffer(gpu.Vertices), array: gpu.NewVertexArray()}
	b.texture = gpu.NewBlank(w, h, gpu.R8, pix, gpu.Sampling{Clamp: true, Nearest: true})
	b.array.Attributes(b.buffer, unsafe.Sizeof(hudVertex{}), false,
		gpu.Attr{Location: 0, Size: 2}, gpu.Attr{Location: 1, Size: 2, Offset: unsafe.Offsetof(hudVertex{}.at)},
		gpu.Attr{Location: 2, Size: 4, Offset: unsafe.Offsetof(hudVertex{}.box)},
		gpu.Attr{Location: 3, Size: 4, Offset: unsafe.Offsetof(hudVertex{}.color), Bytes: true})
	// Made once: a closure made per text would allocate.
	b.glyph = func(g text.Glyph, x, y float32) {
		x, y = x+b.dx, y+b.dy
		x0, y0, x1, y1 := float32(g.X), float32(g.Y), float32(g.X+g.W), float32(g.Y+g.H)
		b.quad([4][2]float32{{x, y}, {x + x1 - x0, y}, {x + x1 - x0, y + y1 - y0}, {x, y + y1 - y0}},
			[4][2]float32{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, [4]float32{0, 0, 0, 1}, b.color, b.color)
	}
	return b, nil
}

// quad adds two triangles; the corners run clockwise from the upper left one.
func (b *hudBatch) quad(p, at [4][2]float32, box [4]float32, top, bottom scene.RGBA) {
	var q [4]hudVertex
	for i := range q {
		c := top
		if i >= 2 {
			c = bottom
		}
		q[i] = hudVertex{p[i], at[i], box, [4]uint8{c.R, c.G, c.B, c.A}}
	}
	b.list = append(b.list, q[0], q[1], q[2], q[0], q[2], q[3])
}

// rect adds a box in pixels. It is drawn a pixel larger than it is, so that its
// edge can be soft.
func (b *hudBatch) rect(x, y, w, h, radius float32, top, bottom scene.RGBA) {
	hw, hh := w/2, h/2
	cx, cy := x+hw, y+hh
	ox, oy := hw+1, hh+1
	b.quad([4][2]float32{{cx - ox, cy - oy}, {cx + ox, cy - oy}, {cx + ox, cy + oy}, {cx - ox, cy + oy}},
		[4][2]float32{{-ox, -oy}, {ox, -oy}, {ox, oy}, {-ox, oy}}, [4]float32{hw, hh, min(radius, hw, hh), 0}, top, bottom)
}

// line adds a bar between two points in pixels.
func (b *hudBatch) line(x0, y0, x1, y1, width float32, c scene.RGBA) {
	dx, dy := x1-x0, y1-y0
	l := float32(math.Hypot(float64(dx), float64(dy)))
	if !(l > 0) {
		return
	}
	dx, dy = dx/l, dy/l
	hw, hh := l/2, width/2
	ox, oy := hw+1, hh+1
	cx, cy := (x0+x1)/2, (y0+y1)/2
	var p, at [4][2]float32
	for i, s := range [4][2]float32{{-ox, -oy}, {ox, -oy}, {ox, oy}, {-ox, oy}} {
		p[i] = [2]float32{cx + s[0]*dx - s[1]*dy, cy + s[0]*dy + s[1]*dx}
		at[i] = s
	}
	b.quad(p, at, [4]float32{hw, hh, 0, 0}, c, c)
}

// text adds a line of text in pixels, with a soft shadow of one pixel or more.
func (b *hudBatch) text(m *scene.Mark, scale, x, y float32, s []byte) {
	px := m.Size * scale
	if !(px >= 3) { // cannot be read, and would be drawn larger than its place
		return
	}
	size := text.ClampSize(px)
	if m.Shadow && m.Color.A > 0 {
		b.color = scene.RGBA{A: uint8(int(m.Color.A) * 150 / 255)}
		b.dx, b.dy = max(1, px/18), max(1, px/18)
		b.dx, b.dy = float32(int(b.dx)), float32(int(b.dy))
		b.atlas.Layout(m.Font, size, m.Align, x, y, s, b.glyph)
	}
	b.color, b.dx, b.dy = m.Color, 0, 0
	b.atlas.Layout(m.Font, size, m.Align, x, y, s, b.glyph)
}

// build turns the marks of a HUD, and the names of figures, into triangles.
func (b *hudBatch) build(f *scene.Frame, r *Renderer) {
	for range 2 { // again if the atlas was emptied on the way
		resets := b.atlas.Resets()
		b.list = b.list[:0]
		b.names(f, r)
		h := &f.HUD
		k := h.Scale
		if !(k > 0) {
			k = 1
		}
		for i := range h.Marks {
			m := &h.Marks[i]
			switch m.Kind {
			case scene.RectMark:
				b.rect(m.X*k, m.Y*k, m.W*k, m.H*k, m.Radius*k, m.Color, m.Color2)
			case scene.LineMark:
				b.line(m.X*k, m.Y*k, m.W*k, m.H*k, max(m.Size*k, 1), m.Color)
			case scene.TextMark:
				if m.From >= 0 && m.From <= m.To && int(m.To) <= len(h.Bytes) {
					b.text(m, k, m.X*k, m.Y*k, h.Bytes[m.From:m.To])
				}
			}
		}
		if b.atlas.Resets() == resets {
			break
		}
	}
}

// names adds the names over the heads of figures that show theirs and that no smoke
// hides.
func (b *hudBatch) names(f *scene.Frame, r *Renderer) {
	view := &r.view
	for i := range f.Figures {
		g := &f.Figures[i]
		if !g.ShowName || g.Name == "" {
			continue
		}
		top := g.Pos.Add(v(0, 0, mix(2.02, 1.50, clamp01(g.Crouch))))
		x, y, depth, ok := view.project(top)
		if !ok || depth > 60 || r.veiled(f, top) {
			continue
		}
		fade := clamp01((60 - depth) / 20)
		c := g.Color
		tone := func(x float32) uint8 { return uint8(min(max(90+165*math.Sqrt(float64(clamp01(x))), 0), 255)) }
		size := text.ClampSize(max(float32(view.height)/720*15*min(1, 8/depth+0.55), 9))
		b.name = append(b.name[:0], g.Name...)
		b.color, b.dx, b.dy = scene.RGBA{A: uint8(160 * fade)}, 1, 1
		b.atlas.Layout(scene.Bold, size, scene.Centre, x, y, b.name, b.glyph)
		b.color, b.dx, b.dy = scene.RGBA{R: tone(c[0]), G: tone(c[1]), B: tone(c[2]), A: uint8(240 * fade)}, 0, 0
		b.atlas.Layout(scene.Bold, size, scene.Centre, x, y, b.name, b.glyph)
	}
}

// draw draws what build made over the target.
func (b *hudBatch) draw(p *programs, width, height int) {
	if y0, y1, dirty := b.atlas.Dirty(); dirty {
		pix, _, _ := b.atlas.Pixels()
		b.texture.Update(pix, y0, y1)
		b.atlas.Clean()
	}
	if len(b.list) == 0 {
		return
	}
	gpu.Stream(b.buffer, b.list)
	gpu.State{Blend: gpu.Alpha, Cull: gpu.CullNone}.Apply()
	p.hud.Use()
	p.hudSize.Vec2(float32(width), float32(height))
	b.texture.Bind(0)
	b.array.Bind()
	gpu.DrawTriangles(0, len(b.list))
}

func (b *hudBatch) delete() {
	b.array.Delete()
	b.buffer.Delete()
	b.texture.Delete()
}
