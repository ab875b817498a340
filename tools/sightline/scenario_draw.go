package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Colours of a scene's picture, beside those of maps.
var (
	inkGround = color.RGBA{52, 58, 68, 255}
	inkStone  = color.RGBA{14, 15, 19, 255}
	inkGlass  = color.RGBA{92, 140, 160, 255}
	inkSent   = color.RGBA{255, 176, 60, 255}
	inkSeen   = color.RGBA{96, 220, 130, 255}
	inkViewer = color.RGBA{255, 255, 255, 255}
)

const (
	sceneLong = 900 // pixels of the longer side of the ground, at most
	sceneTall = 560
	rowTall   = 34 // of a row of times
	nameWide  = 210
)

func writePNG(name string, img image.Image) error {
	data, err := encodePNG(img)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

func encodePNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// drawScene draws a scene from above as it went with the first policy, and below it
// when who was sent to whom, with each.
func drawScene(s *scenario.Scene, results []*scenario.Result) *image.RGBA {
	box := vec.EmptyBox()
	names := s.Names()
	for i := range names {
		for k := range 101 {
			box = box.Grow(s.Feet(i, s.File.Seconds*float64(k)/100))
		}
	}
	size := box.Size()
	box = box.Pad(2 + 0.08*max(size.X, size.Y))
	box.Max.X += 0.1 * size.X // room for what is written beside a path
	size = box.Size()
	r := &raster{per: max(size.X/sceneLong, size.Y/sceneTall), x0: box.Min.X, y1: box.Max.Y}
	r.w, r.h = int(size.X/r.per), int(size.Y/r.per)
	rows := 0
	for _, res := range results {
		rows += len(rowsOf(results, res))
	}
	w := max(r.w, 900) + 2*margin
	c := &canvas{image.NewRGBA(image.Rect(0, 0, w, header+r.h+70+rows*rowTall+margin)), r, image.Rect(margin, header, margin+r.w, header+r.h)}
	draw.Draw(c, c.Bounds(), image.NewUniform(inkPaper), image.Point{}, draw.Src)
	c.stones(s)
	if len(results) > 0 {
		c.people(s, results[0])
	}
	c.clip = c.Bounds()
	title := s.File.Name
	if len(results) > 0 {
		title += ", from above: " + results[0].Policy
	}
	c.text(margin, 25, inkText, "%s", title)
	y := header + r.h + 22
	c.legend(y)
	y += 42
	for _, res := range results {
		for i := range rowsOf(results, res) {
			c.times(s, res, &res.Pairs[i], y)
			y += rowTall
		}
	}
	return c.RGBA
}

// rowsOf returns the pairs that are drawn of a result: of several policies the first
// alone, so that they can be compared.
func rowsOf(all []*scenario.Result, r *scenario.Result) []scenario.Pair {
	if len(all) > 1 && len(r.Pairs) > 1 {
		return r.Pairs[:1]
	}
	return r.Pairs
}

// stones paints what is solid at the height of an eye.
func (c *canvas) stones(s *scenario.Scene) {
	z := s.Eye(0, 0).Z
	sc := trace.Scene{W: s.World()}
	for y := range c.r.h {
		for x := range c.r.w {
			p := vec.V3{X: c.r.x0 + (float32(x)+0.5)*c.r.per, Y: c.r.y1 - (float32(y)+0.5)*c.r.per, Z: z}
			ink := inkGround
			switch in := sc.Contents(p); {
			case in&level.MaskSight != 0:
				ink = inkStone
			case in&level.Glass != 0:
				ink = inkGlass
			}
			c.SetRGBA(x+margin, y+header, ink)
		}
	}
	for _, d := range s.Doors() {
		c.rect(d, inkDoor, 0.9)
	}
}

// sentAt and seenAt say what holds of a pair at a time.
func sentAt(p *scenario.Pair, t float64) bool {
	for i := range p.Sent {
		if t >= p.Sent[i].From && (t < p.Sent[i].To || p.Sent[i].Open) {
			return true
		}
	}
	return false
}

func seenAt(p *scenario.Pair, t float64) bool {
	for _, v := range p.Visible {
		if t >= v.From && t <= v.To {
			return true
		}
	}
	return false
}

// people draws the first viewer among the pairs, and whoever is a target for it.
func (c *canvas) people(s *scenario.Scene, r *scenario.Result) {
	if len(r.Pairs) == 0 {
		return
	}
	viewer := s.Index(r.Pairs[0].Viewer)
	steps := int(s.File.Seconds * 20)
	c.trail(s, viewer, inkViewer)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if s.Index(p.Viewer) != viewer {
			continue
		}
		t := s.Index(p.Target)
		var last [2]float32
		for k := 0; k <= steps; k++ {
			now := float64(k) / 20
			x, y := c.at(s.Feet(t, now))
			if k > 0 && near2(last, x, y, 7) {
				continue
			}
			last = [2]float32{x, y}
			if s.Stands(t) {
				c.clock(s, p, x, y)
				continue
			}
			if seenAt(p, now) {
				c.fill(inkSeen, 1, ring(x, y, 6.5, 16)...)
				c.fill(inkGround, 1, ring(x, y, 5, 16)...)
			}
			c.dot(x, y, sentAt(p, now))
		}
		for _, rev := range p.Reveals {
			if rev.V != nil { // not what was told of otherwise than by sight
				c.ray(s.Eye(viewer, rev.S), s.Feet(t, rev.S), inkSent)
				c.ray(s.Eye(viewer, *rev.V), s.Feet(t, *rev.V), inkSeen)
			}
			x, y := c.at(s.Feet(t, rev.S))
			c.fill(inkSent, 1, [2]float32{x + 9, y - 0.7}, [2]float32{x + 26, y - 0.7}, [2]float32{x + 26, y + 0.7}, [2]float32{x + 9, y + 0.7})
			c.text(int(x)+30, int(y)+4, inkSent, "S %.3f", rev.S)
			if rev.V != nil {
				x, y := c.at(s.Feet(t, *rev.V))
				c.fill(inkSeen, 1, [2]float32{x - 26, y - 0.7}, [2]float32{x - 9, y - 0.7}, [2]float32{x - 9, y + 0.7}, [2]float32{x - 26, y + 0.7})
				c.text(int(x)-84, int(y)+4, inkSeen, "V %.3f", *rev.V)
			}
		}
		x, y := c.at(s.Feet(t, 0))
		c.text(int(x)+12, int(y)+14, inkText, "%s", p.Target)
	}
	x, y := c.at(s.Feet(viewer, 0))
	c.turned(x, y, s.Yaw(viewer, 0), 1.2, inkViewer)
	c.text(int(x)-20, int(y)+22, inkViewer, "%s", r.Pairs[0].Viewer)
}

// ray draws the line between a viewer and a target, at a moment that is marked.
func (c *canvas) ray(from, to vec.V3, ink color.RGBA) {
	x0, y0 := c.at(from)
	x1, y1 := c.at(to)
	dx, dy := x1-x0, y1-y0
	n := vec.Sqrt(dx*dx + dy*dy)
	if n < 1 {
		return
	}
	dx, dy = dx/n*0.6, dy/n*0.6
	c.fill(ink, 0.55, [2]float32{x0 - dy, y0 + dx}, [2]float32{x1 - dy, y1 + dx}, [2]float32{x1 + dy, y1 - dx}, [2]float32{x0 + dy, y0 - dx})
}

func near2(p [2]float32, x, y, d float32) bool {
	dx, dy := p[0]-x, p[1]-y
	return dx*dx+dy*dy < d*d
}

// dot is a place at a time: filled when it was sent, hollow when not.
func (c *canvas) dot(x, y float32, sent bool) {
	if sent {
		c.fill(inkSent, 1, ring(x, y, 3.6, 14)...)
		return
	}
	c.fill(inkFaint, 1, ring(x, y, 3.4, 14)...)
	c.fill(inkGround, 1, ring(x, y, 2.2, 14)...)
}

// clock is the place of one who stands: once round is the whole scene, filled while it
// was sent, with a rim while it was truly visible.
func (c *canvas) clock(s *scenario.Scene, p *scenario.Pair, x, y float32) {
	const sectors, r = 72, 8
	c.fill(inkFaint, 1, ring(x, y, r+0.8, 24)...)
	c.fill(inkGround, 1, ring(x, y, r, 24)...)
	for i := range sectors {
		at := s.File.Seconds * (float64(i) + 0.5) / sectors
		s0, c0 := vec.SinCos(360 * float32(i) / sectors)
		s1, c1 := vec.SinCos(360 * (float32(i) + 1.15) / sectors)
		if sentAt(p, at) {
			c.fill(inkSent, 1, [2]float32{x, y}, [2]float32{x + r*s0, y - r*c0}, [2]float32{x + r*s1, y - r*c1})
		}
		if seenAt(p, at) {
			const a, b = r + 2, r + 4
			c.fill(inkSeen, 1, [2]float32{x + a*s0, y - a*c0}, [2]float32{x + b*s0, y - b*c0}, [2]float32{x + b*s1, y - b*c1}, [2]float32{x + a*s1, y - a*c1})
		}
	}
}

// trail draws the way of a viewer.
func (c *canvas) trail(s *scenario.Scene, player int, ink color.RGBA) {
	var last [2]float32
	for k := range int(s.File.Seconds*20) + 1 {
		x, y := c.at(s.Feet(player, float64(k)/20))
		if k > 0 && near2(last, x, y, 6) {
			continue
		}
		last = [2]float32{x, y}
		c.fill(ink, 0.55, ring(x, y, 1.6, 8)...)
	}
}

// legend says what the signs mean.
func (c *canvas) legend(y int) {
	x := margin
	sign := func(name string, paint func(x, y float32)) {
		paint(float32(x+6), float32(y-4))
		x = c.text(x+18, y, inkFaint, "%s", name) + 16
	}
	sign("sent", func(x, y float32) { c.dot(x, y, true) })
	sign("not sent", func(x, y float32) { c.dot(x, y, false) })
	sign("truly visible", func(x, y float32) {
		c.fill(inkSeen, 1, ring(x, y, 6, 16)...)
		c.fill(inkPaper, 1, ring(x, y, 4.4, 16)...)
	})
	sign("one who stands: once round is the scene", func(x, y float32) {
		c.fill(inkFaint, 1, ring(x, y, 6, 16)...)
		c.fill(inkPaper, 1, ring(x, y, 5, 16)...)
		c.fill(inkSent, 1, [2]float32{x, y}, [2]float32{x, y - 5}, [2]float32{x + 4, y - 3}, [2]float32{x + 5, y})
	})
	sign("viewer", func(x, y float32) { c.turned(x, y, 0, 0.8, inkViewer) })
	c.text(margin, y+16, inkFaint, "S first sent   A arrives   R first drawn   V truly visible, in seconds")
}

// times draws a row of time: above when the target is truly visible, below when it is
// sent, with S, A, R and V of each reveal.
func (c *canvas) times(s *scenario.Scene, r *scenario.Result, p *scenario.Pair, y int) {
	c.text(margin, y+13, inkText, "%s", r.Policy)
	c.text(margin+84, y+13, inkFaint, "%.18s", p.Target+" to "+p.Viewer)
	x0 := float32(margin + nameWide)
	wide := float32(c.Bounds().Dx()-margin-150) - x0
	at := func(t float64) float32 { return x0 + wide*float32(min(max(t/s.File.Seconds, 0), 1)) }
	bar := func(from, to float64, up, down int, ink color.RGBA) {
		a, b := at(from), at(to)
		c.fill(ink, 1, [2]float32{a, float32(y + up)}, [2]float32{b, float32(y + up)}, [2]float32{b, float32(y + down)}, [2]float32{a, float32(y + down)})
	}
	bar(0, s.File.Seconds, 2, 17, inkGround)
	for _, v := range p.Visible {
		bar(v.From, v.To, 2, 9, inkSeen)
	}
	for i := range p.Sent {
		bar(p.Sent[i].From, p.Sent[i].To, 10, 17, inkSent)
	}
	for _, rev := range p.Reveals {
		marks := []struct {
			t   float64
			ink color.RGBA
		}{{rev.S, inkSent}, {rev.A, inkRed}, {rev.R, inkBlue}}
		for _, m := range marks {
			x := at(m.t)
			c.fill(m.ink, 1, [2]float32{x - 0.8, float32(y - 1)}, [2]float32{x + 0.8, float32(y - 1)}, [2]float32{x + 0.8, float32(y + 20)}, [2]float32{x - 0.8, float32(y + 20)})
		}
		v := "V -"
		if rev.V != nil {
			v = "V " + seconds(*rev.V)
		}
		c.text(int(at(rev.S))-150, y+30, inkFaint, "S %.3f A %.3f R %.3f %s", rev.S, rev.A, rev.R, v)
	}
	right := int(x0+wide) + 10
	if len(p.Reveals) > 0 && p.Reveals[0].W != nil {
		c.text(right, y+13, inkFaint, "W %.0f L %.0f ms", *p.Reveals[0].W, *p.Reveals[0].L)
		return
	}
	c.text(right, y+13, inkFaint, "hidden known %.0f %%", p.HiddenKnown*100)
}
