package main

import (
	"hash/fnv"
	"image"
	"image/color"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// picture is a texture in the making.
type picture struct {
	*image.NRGBA
	seed uint32
}

func draw(t texture) *image.NRGBA {
	h := fnv.New32a()
	h.Write([]byte(t.name))
	p := &picture{image.NewNRGBA(image.Rect(0, 0, size, size)), h.Sum32()}
	p.each(func(x, y int) int {
		p.SetNRGBA(x, y, t.base)
		return 0
	})
	t.draw(p)
	if t.label != "" {
		p.write(t.label)
	}
	return p.NRGBA
}

// each brightens every pixel by what f says, of 255.
func (p *picture) each(f func(x, y int) int) {
	b := p.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			d := f(x, y)
			c := p.NRGBAAt(x, y)
			c.R, c.G, c.B = shift(c.R, d), shift(c.G, d), shift(c.B, d)
			p.SetNRGBA(x, y, c)
		}
	}
}

func shift(v uint8, d int) uint8 { return uint8(min(max(int(v)+d, 0), 255)) }

// noise is 0..255 from a place.
func (p *picture) noise(x, y int) int {
	h := p.seed ^ uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca77
	h = (h ^ h>>15) * 0x2c1b3c6d
	h = (h ^ h>>12) * 0x297a2d39
	return int((h ^ h>>15) & 255)
}

// signed is -amp..amp from a place.
func (p *picture) signed(x, y, amp int) int { return (p.noise(x, y) - 128) * amp / 128 }

// grain roughens, coarse and fine.
func (p *picture) grain(amp int) {
	p.each(func(x, y int) int { return p.signed(x/4, y/4, amp) + p.signed(x+999, y, amp)/2 })
}

// brushed roughens along x, as brushed metal is.
func (p *picture) brushed(amp int) {
	p.each(func(x, y int) int { return p.signed(x/32, y, amp) })
}

// blocks draws courses of w×h with every other one half a block further.
func (p *picture) blocks(w, h, amp int) {
	p.each(func(x, y int) int {
		row := y / h
		bx, by := (x+row%2*(w/2))%w, y%h
		tone := p.signed((x+row%2*(w/2))%size/w, row+77, amp/3)
		switch {
		case bx < 2 || by < 2:
			return -2 * amp
		case bx < 4 || by < 4:
			return tone + amp/2
		}
		return tone
	})
}

// slabs draws square plates with a joint between.
func (p *picture) slabs(w, amp int) {
	p.each(func(x, y int) int {
		if x%w < 2 || y%w < 2 {
			return -2 * amp
		}
		return p.signed(x/w, y/w+55, amp/2)
	})
}

// slots draws dark bars with light rims.
func (p *picture) slots(w, amp int) {
	p.each(func(x, y int) int {
		switch x % w {
		case 0, 1:
			return amp / 2
		case w / 2, w/2 + 1, w/2 + 2, w/2 + 3:
			if y%64 > 6 {
				return -amp
			}
		}
		return 0
	})
}

// planks draws boards along x.
func (p *picture) planks(h, amp int) {
	p.each(func(x, y int) int {
		if y%h == 0 {
			return -3 * amp
		}
		return p.signed(7, y/h, amp) + p.signed(x/16, y, amp/2)
	})
}

// frame brightens a border.
func (p *picture) frame(w, amp int) {
	p.each(func(x, y int) int {
		if min(x, y, size-1-x, size-1-y) < w {
			return amp
		}
		return 0
	})
}

// rivets sets one near each corner of every plate of width w.
func (p *picture) rivets(w, amp int) {
	p.each(func(x, y int) int {
		dx, dy := min(x%w, w-1-x%w)-8, min(y%w, w-1-y%w)-8
		switch d := dx*dx + dy*dy; {
		case d <= 4:
			return amp
		case d <= 9:
			return -amp
		}
		return 0
	})
}

// stripes runs diagonally.
func (p *picture) stripes(w, amp int) {
	p.each(func(x, y int) int {
		if (x+y)%w < w/2 {
			return amp
		}
		return -amp
	})
}

// checks is what tools' textures wear.
func (p *picture) checks(w, amp int) {
	p.each(func(x, y int) int {
		if (x/w+y/w)%2 == 0 {
			return amp
		}
		return -amp
	})
}

// rings run around the middle.
func (p *picture) rings(w, amp int) {
	p.each(func(x, y int) int {
		dx, dy := 2*x-size+1, 2*y-size+1
		r := root(dx*dx+dy*dy) / 2
		if r > size/2-3 {
			return -2 * amp
		}
		return amp/2 - (r%w)*amp/w - r
	})
}

// glints are a few bright diagonals.
func (p *picture) glints(amp int) {
	p.each(func(x, y int) int {
		switch d := (x + y) % size; {
		case d < 10, d >= 18 && d < 22:
			return amp
		}
		return 0
	})
}

// waves are of liquids.
func (p *picture) waves(amp int) {
	p.each(func(x, y int) int {
		k := (x + root(((y+32)%64)*64)/2) % 32
		return (min(k, 32-k)-8)*amp/8 + p.signed(x/8, y/4, amp/2)
	})
}

// root is the whole part of a square root.
func root(v int) int {
	r := 0
	for b := 1 << 15; b > 0; b >>= 1 {
		if (r+b)*(r+b) <= v {
			r += b
		}
	}
	return r
}

// write puts a word across the middle, light on a dark bar.
func (p *picture) write(word string) {
	face := basicfont.Face7x13
	small := image.NewAlpha(image.Rect(0, 0, 7*len(word), 13))
	d := font.Drawer{Dst: small, Src: image.NewUniform(color.Alpha{A: 255}), Face: face, Dot: fixed.P(0, 11)}
	d.DrawString(word)
	const zoom = 2
	left, top := (size-small.Rect.Dx()*zoom)/2, size/2-13*zoom/2
	p.each(func(x, y int) int {
		if y < top-3 || y >= top+13*zoom+3 {
			return 0
		}
		if q := image.Pt((x-left)/zoom, (y-top)/zoom); x >= left && y >= top && q.In(small.Rect) && small.AlphaAt(q.X, q.Y).A > 0 {
			return 255
		}
		return -90
	})
}

// icon is an eye behind a corner: what is not in sight is not sent.
func icon() *image.NRGBA {
	const n = 32
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			c := color.NRGBA{R: 24, G: 28, B: 36, A: 255}
			dx, dy := x-12, 2*(y-16)
			eye := dx*dx + dy*dy
			iris := (x-12)*(x-12) + (y-16)*(y-16)
			switch {
			case x >= 21:
				c = color.NRGBA{R: 180, G: 170, B: 157, A: 255} // the wall
			case x >= 19:
				c = color.NRGBA{R: 231, G: 131, B: 60, A: 255} // its trim
			case iris <= 4:
				c = color.NRGBA{R: 16, G: 18, B: 24, A: 255}
			case iris <= 18:
				c = color.NRGBA{R: 57, G: 124, B: 191, A: 255}
			case eye <= 140:
				c = color.NRGBA{R: 235, G: 236, B: 238, A: 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}
