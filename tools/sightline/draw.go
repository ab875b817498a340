package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"sort"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// The picture's colours.
var (
	inkPaper    = color.RGBA{24, 27, 33, 255}
	inkWall     = color.RGBA{8, 9, 12, 255}
	inkText     = color.RGBA{225, 228, 232, 255}
	inkFaint    = color.RGBA{140, 146, 156, 255}
	inkSpawn    = color.RGBA{255, 255, 255, 255}
	inkRed      = color.RGBA{255, 92, 92, 255}
	inkBlue     = color.RGBA{92, 150, 255, 255}
	inkHealth   = color.RGBA{88, 214, 110, 255}
	inkArmor    = color.RGBA{255, 208, 64, 255}
	inkAmmo     = color.RGBA{196, 160, 110, 255}
	inkWeapon   = color.RGBA{255, 138, 48, 255}
	inkDoor     = color.RGBA{232, 122, 36, 255}
	inkLift     = color.RGBA{170, 120, 70, 255}
	inkPad      = color.RGBA{60, 220, 230, 255}
	inkTeleport = color.RGBA{206, 112, 255, 255}
)

// heights is the scale from the lowest floor to the highest.
var heights = []color.RGBA{
	{38, 62, 92, 255}, {44, 98, 112, 255}, {66, 128, 104, 255}, {138, 150, 98, 255}, {190, 166, 112, 255}, {226, 206, 176, 255},
}

const (
	margin = 24
	header = 40
	footer = 64
)

// canvas draws on an image in pixels.
type canvas struct {
	*image.RGBA
	r    *raster
	clip image.Rectangle // nothing is filled outside
}

// drawLevel draws a level from above; size is the longer side of the ground in
// pixels. It also returns the area of floor found, in square metres.
func drawLevel(l *level.Level, size int) (*image.RGBA, float32) {
	w := trace.New(l)
	floors := walkFloors(w)
	box := vec.EmptyBox()
	for _, f := range floors {
		box = box.Grow(vec.V3{X: float32(f.x) * floorStep, Y: float32(f.y) * floorStep, Z: f.z})
	}
	if box.IsEmpty() {
		box = l.Bounds
	}
	box = box.Pad(2)
	r := rasterise(w, floors, box, size)
	c := &canvas{image.NewRGBA(image.Rect(0, 0, max(r.w, 520)+2*margin, r.h+header+footer+margin)), r, image.Rect(margin, header, margin+r.w, header+r.h)}
	draw.Draw(c, c.Bounds(), image.NewUniform(inkPaper), image.Point{}, draw.Src)
	lo, hi := c.ground()
	c.things(l)
	c.clip = c.Bounds()
	c.caption(l, lo, hi)
	return c.RGBA, float32(len(floors)) * floorStep * floorStep
}

// ground paints floors and the walls around them, and returns the heights that
// its colours span.
func (c *canvas) ground() (lo, hi float32) {
	r := c.r
	var zs []float32
	for _, z := range r.z {
		if !math.IsInf(float64(z), 0) {
			zs = append(zs, z)
		}
	}
	if len(zs) == 0 {
		return 0, 0
	}
	// A few far places must not use up the scale.
	sort.Slice(zs, func(i, j int) bool { return zs[i] < zs[j] })
	lo, hi = zs[len(zs)/100], zs[len(zs)-1-len(zs)/100]
	light := vec.V3{X: -0.5, Y: 0.6, Z: 0.65}.Unit()
	for y := range r.h {
		for x := range r.w {
			i := y*r.w + x
			if math.IsInf(float64(r.z[i]), 0) {
				if r.near(x, y) {
					c.SetRGBA(x+margin, y+header, inkWall)
				}
				continue
			}
			col := ramp((r.z[i] - lo) / max(hi-lo, 1))
			switch {
			case r.liquid[i]&level.Lava != 0:
				col = blend(col, color.RGBA{255, 80, 20, 255}, 0.7)
			case r.liquid[i]&level.Slime != 0:
				col = blend(col, color.RGBA{120, 190, 40, 255}, 0.6)
			case r.liquid[i] != 0:
				col = blend(col, color.RGBA{40, 110, 220, 255}, 0.55)
			}
			shade := 0.62 + 0.5*max(r.n[i].Dot(light), 0)
			shade *= r.ledge(x, y)
			c.SetRGBA(x+margin, y+header, scale(col, shade))
		}
	}
	return lo, hi
}

// near reports whether there is floor within two pixels.
func (r *raster) near(x, y int) bool {
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			u, v := x+dx, y+dy
			if u >= 0 && v >= 0 && u < r.w && v < r.h && !math.IsInf(float64(r.z[v*r.w+u]), 0) {
				return true
			}
		}
	}
	return false
}

// ledge darkens the foot of a step and lightens its rim, by the floors beside.
func (r *raster) ledge(x, y int) float32 {
	z, f := r.z[y*r.w+x], float32(1)
	for _, d := range [...][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		u, v := x+d[0], y+d[1]
		if u < 0 || v < 0 || u >= r.w || v >= r.h {
			continue
		}
		if q := r.z[v*r.w+u]; !math.IsInf(float64(q), 0) {
			switch dz := q - z; {
			case dz > 1:
				f = min(f, 0.55)
			case dz > 0.2:
				f = min(f, 0.8)
			case dz < -0.2:
				f = max(f, 1.14)
			}
		}
	}
	return f
}

func ramp(t float32) color.RGBA {
	t = vec.Clamp(t, 0, 1) * float32(len(heights)-1)
	i := min(int(t), len(heights)-2)
	return blend(heights[i], heights[i+1], t-float32(i))
}

func blend(a, b color.RGBA, t float32) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8(float32(x) + (float32(y)-float32(x))*t + 0.5) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

func scale(a color.RGBA, s float32) color.RGBA {
	m := func(x uint8) uint8 { return uint8(vec.Clamp(float32(x)*s, 0, 255)) }
	return color.RGBA{m(a.R), m(a.G), m(a.B), 255}
}

// at returns the pixel of a place.
func (c *canvas) at(p vec.V3) (x, y float32) {
	x, y = c.r.pixel(p.X, p.Y)
	return x + margin, y + header
}

// things draws what the entities mean.
func (c *canvas) things(l *level.Level) {
	for i := range l.Doors {
		d := &l.Doors[i]
		ink := inkDoor
		if d.Lift {
			ink = inkLift
		}
		b := l.Models[d.Model].Bounds
		c.rect(b, ink, 0.85)
		c.arrow(b.Center(), b.Center().Add(d.Move.Flat()), ink)
	}
	for i := range l.Pads {
		p := &l.Pads[i]
		c.rect(p.Box, inkPad, 0.75)
		// Where the throw is highest.
		from := p.Box.Center()
		c.arrow(from, from.Add(p.Vel.Flat().Scale(p.Vel.Z/(800.0/level.UnitsPerMetre))), inkPad)
	}
	for i := range l.Teleports {
		t := &l.Teleports[i]
		c.rect(t.Box, inkTeleport, 0.75)
		c.arrow(t.Box.Center(), t.Dest, inkTeleport)
	}
	for i := range l.Pickups {
		x, y := c.at(l.Pickups[i].Pos)
		c.pickup(l.Pickups[i].Kind, x, y)
	}
	for i := range l.Spawns {
		s := &l.Spawns[i]
		x, y := c.at(s.Pos)
		ink := inkSpawn
		switch s.Team {
		case 1:
			ink = inkRed
		case 2:
			ink = inkBlue
		}
		c.spawn(x, y, s.Yaw, ink)
	}
}

func (c *canvas) spawn(x, y, yaw float32, ink color.RGBA) {
	c.turned(x, y, yaw, 1.3, inkWall)
	c.turned(x, y, yaw, 1, ink)
}

// turned fills an arrowhead.
func (c *canvas) turned(x, y, yaw, size float32, ink color.RGBA) {
	f := vec.Forward(yaw, 0)
	at := func(a, b float32) [2]float32 { // a ahead, b to the left
		a, b = a*size, b*size
		return [2]float32{x + f.X*a - f.Y*b, y - f.Y*a - f.X*b}
	}
	c.fill(ink, 1, at(9, 0), at(-6, 6), at(-3, 0), at(-6, -6))
}

func (c *canvas) pickup(k level.PickupKind, x, y float32) {
	ink, size := inkAmmo, float32(3)
	switch k {
	case level.PickHealth:
		ink = inkHealth
	case level.PickMega:
		ink, size = inkHealth, 6
	case level.PickArmor:
		ink, size = inkArmor, 5
	case level.PickShard:
		ink, size = inkArmor, 2.5
	case level.PickRifle, level.PickRocket:
		ink, size = inkWeapon, 5
	}
	switch k {
	case level.PickHealth, level.PickMega:
		for i, s := range [...]float32{size + 1, size} {
			in := [...]color.RGBA{inkWall, ink}[i]
			t := s * 0.42
			c.fill(in, 1, [2]float32{x - s, y - t}, [2]float32{x + s, y - t}, [2]float32{x + s, y + t}, [2]float32{x - s, y + t})
			c.fill(in, 1, [2]float32{x - t, y - s}, [2]float32{x + t, y - s}, [2]float32{x + t, y + s}, [2]float32{x - t, y + s})
		}
	case level.PickRifle, level.PickRocket:
		c.fill(inkWall, 1, ring(x, y, size+1.5, 4)...)
		c.fill(ink, 1, ring(x, y, size, 4)...)
	default:
		c.fill(inkWall, 1, ring(x, y, size+1.2, 12)...)
		c.fill(ink, 1, ring(x, y, size, 12)...)
	}
}

// ring returns a regular polygon.
func ring(x, y, r float32, n int) [][2]float32 {
	out := make([][2]float32, n)
	for i := range out {
		s, co := vec.SinCos(360 * float32(i) / float32(n))
		out[i] = [2]float32{x + co*r, y + s*r}
	}
	return out
}

// rect fills a box seen from above, at least a few pixels wide.
func (c *canvas) rect(b vec.Box, ink color.RGBA, alpha float32) {
	x0, y1 := c.at(b.Min)
	x1, y0 := c.at(b.Max)
	if x1-x0 < 4 {
		x0, x1 = (x0+x1)/2-2, (x0+x1)/2+2
	}
	if y1-y0 < 4 {
		y0, y1 = (y0+y1)/2-2, (y0+y1)/2+2
	}
	c.fill(ink, alpha, [2]float32{x0, y0}, [2]float32{x1, y0}, [2]float32{x1, y1}, [2]float32{x0, y1})
}

// arrow draws a line with a head, if it is long enough to be one.
func (c *canvas) arrow(from, to vec.V3, ink color.RGBA) {
	x0, y0 := c.at(from)
	x1, y1 := c.at(to)
	dx, dy := x1-x0, y1-y0
	n := vec.Sqrt(dx*dx + dy*dy)
	if n < 8 {
		return
	}
	dx, dy = dx/n, dy/n
	const half, head = 0.9, 7
	bx, by := x1-dx*head, y1-dy*head
	c.fill(ink, 0.8, [2]float32{x0 - dy*half, y0 + dx*half}, [2]float32{bx - dy*half, by + dx*half},
		[2]float32{bx + dy*half, by - dx*half}, [2]float32{x0 + dy*half, y0 - dx*half})
	c.fill(ink, 0.9, [2]float32{x1, y1}, [2]float32{bx - dy*3.5, by + dx*3.5}, [2]float32{bx + dy*3.5, by - dx*3.5})
}

// fill fills a polygon with smooth edges, within the ground or the caption.
func (c *canvas) fill(ink color.RGBA, alpha float32, pts ...[2]float32) {
	minX, minY := float32(math.Inf(1)), float32(math.Inf(1))
	maxX, maxY := -minX, -minY
	for _, p := range pts {
		minX, maxX = min(minX, p[0]), max(maxX, p[0])
		minY, maxY = min(minY, p[1]), max(maxY, p[1])
	}
	b := c.clip
	if !(maxX > 0 && maxY > 0 && minX < float32(b.Max.X) && minY < float32(b.Max.Y)) || maxX-minX > 1e5 || maxY-minY > 1e5 {
		return
	}
	box := image.Rect(int(minX)-1, int(minY)-1, int(maxX)+2, int(maxY)+2).Intersect(b)
	if box.Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	ox, oy := float32(box.Min.X), float32(box.Min.Y)
	z.MoveTo(pts[0][0]-ox, pts[0][1]-oy)
	for _, p := range pts[1:] {
		z.LineTo(p[0]-ox, p[1]-oy)
	}
	z.ClosePath()
	ink = color.RGBA{uint8(float32(ink.R) * alpha), uint8(float32(ink.G) * alpha), uint8(float32(ink.B) * alpha), uint8(255 * alpha)}
	z.Draw(c, box, image.NewUniform(ink), image.Point{})
}

func (c *canvas) text(x, y int, ink color.RGBA, format string, args ...any) int {
	d := font.Drawer{Dst: c, Src: image.NewUniform(ink), Face: basicfont.Face7x13, Dot: fixed.P(x, y)}
	s := fmt.Sprintf(format, args...)
	d.DrawString(s)
	return d.Dot.X.Ceil()
}

// caption writes the title, the scales and what the signs mean.
func (c *canvas) caption(l *level.Level, lo, hi float32) {
	size := l.Bounds.Size()
	x := c.text(margin, 25, inkText, "%s", l.Name)
	c.text(x+14, 25, inkFaint, "%s   %.0f x %.0f x %.0f m   %d spawns", l.Format, size.X, size.Y, size.Z, len(l.Spawns))

	y := c.Bounds().Dy() - footer
	metres := float32(1)
	for metres/c.r.per < 60 {
		metres *= 2
		if metres == 4 || metres == 40 {
			metres = metres * 5 / 4
		}
	}
	n := metres / c.r.per
	bar := float32(y + 4)
	c.fill(inkText, 1, [2]float32{margin, bar}, [2]float32{margin + n, bar}, [2]float32{margin + n, bar + 3}, [2]float32{margin, bar + 3})
	x = c.text(margin+int(n)+8, y+10, inkText, "%.0f m", metres) + 24

	x = c.text(x, y+10, inkFaint, "height %.0f", lo) + 6
	for i := range 90 {
		for j := range 9 {
			c.SetRGBA(x+i, y+1+j, ramp(float32(i)/89))
		}
	}
	c.text(x+96, y+10, inkFaint, "%.0f m", hi)

	x, y = margin, y+36
	sign := func(name string, paint func(x, y float32)) {
		if x+len(name)*7+30 > c.Bounds().Dx()-margin/2 {
			x, y = margin, y+18
		}
		paint(float32(x+6), float32(y-4))
		x = c.text(x+16, y, inkFaint, "%s", name) + 12
	}
	box := func(ink color.RGBA) func(x, y float32) {
		return func(x, y float32) {
			c.fill(ink, 1, [2]float32{x - 5, y - 4}, [2]float32{x + 5, y - 4}, [2]float32{x + 5, y + 4}, [2]float32{x - 5, y + 4})
		}
	}
	take := func(k level.PickupKind) func(x, y float32) { return func(x, y float32) { c.pickup(k, x, y) } }
	sign("spawn", func(x, y float32) { c.spawn(x, y, 90, inkSpawn) })
	sign("health", take(level.PickHealth))
	sign("armour", take(level.PickArmor))
	sign("weapon", take(level.PickRocket))
	sign("ammo", take(level.PickAmmo))
	sign("door", box(inkDoor))
	sign("lift", box(inkLift))
	sign("jump pad", box(inkPad))
	sign("teleport", box(inkTeleport))
}
