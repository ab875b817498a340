package desktop

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// Above is the developer's view from above of what one viewer knows, while the match
// runs: the level cut at the height of its eye, who it is told of and who not. Its
// memory is reused.
type Above struct {
	on   bool
	of   state.ID // 0: whose eyes the picture looks through
	told server.Insight

	// The ground plan: rectangles of the map, made a few rows a frame.
	world  *trace.World
	x, y   float32 // of the plan's lower left corner
	span   float32
	z      float32
	rects  []planRect
	making []planRect
	row    int
	level  vec.Box
}

// planRect is a part of the plan, in cells from its lower left corner.
type planRect struct {
	x0, y0, x1, y1 uint8
	glass          bool
}

const (
	planCells = 128
	planRows  = 8   // made in a frame
	planStep  = 1.5 // metres that the eye rises before the plan is cut anew
	aboveSize = 330 // of the map, HUD units
)

// Inks of the map, those of the pictures of scenes.
var (
	inkFloor = scene.RGBA{R: 52, G: 58, B: 68, A: 255}
	inkStone = scene.RGBA{R: 14, G: 15, B: 19, A: 255}
	inkGlass = scene.RGBA{R: 92, G: 140, B: 160, A: 255}
	inkFaint = scene.RGBA{R: 150, G: 158, B: 170, A: 255}
)

// plan makes the ground plan go on, or begins another where the window has moved.
func (a *Above) plan(sc trace.Scene, bounds vec.Box, n *server.Insight, spanM float32) {
	a.level = bounds
	size := bounds.Size()
	span := max(size.X, size.Y) * 1.04
	mid := bounds.Center()
	if spanM > 0 && spanM < span {
		span = spanM
		step := span / 8 // the window follows in steps: the plan is good for a while
		mid = vec.V3{X: float32(vec.Floor(n.Feet.X/step+0.5)) * step, Y: float32(vec.Floor(n.Feet.Y/step+0.5)) * step}
	}
	x, y := mid.X-span/2, mid.Y-span/2
	if a.world != sc.W || x != a.x || y != a.y || span != a.span || vec.Abs(n.Eye.Z-a.z) > planStep {
		if a.world != sc.W || span != a.span {
			a.rects = a.rects[:0]
		}
		a.world, a.x, a.y, a.span, a.z = sc.W, x, y, span, n.Eye.Z
		a.making, a.row = a.making[:0], 0
		a.rects = a.rects[:0]
	}
	if a.row >= planCells {
		return
	}
	cell := a.span / planCells
	for range planRows {
		start, was := 0, uint8(0)
		for k := 0; k <= planCells; k++ {
			is := uint8(0)
			if k < planCells {
				p := vec.V3{X: a.x + (float32(k)+0.5)*cell, Y: a.y + (float32(a.row)+0.5)*cell, Z: a.z}
				switch in := sc.Contents(p); {
				case in&level.MaskSight != 0:
					is = 1
				case in&level.Glass != 0:
					is = 2
				}
			}
			if is == was {
				continue
			}
			if was != 0 {
				a.put(start, k, was == 2)
			}
			start, was = k, is
		}
		if a.row++; a.row == planCells {
			a.rects = append(a.rects[:0], a.making...)
			return
		}
	}
}

// put adds a run of a row, to a rectangle below it where that is as wide.
func (a *Above) put(x0, x1 int, glass bool) {
	for i := range a.making {
		if r := &a.making[i]; int(r.x0) == x0 && int(r.x1) == x1 && int(r.y1) == a.row && r.glass == glass {
			r.y1++
			return
		}
	}
	a.making = append(a.making, planRect{uint8(x0), uint8(a.row), uint8(x1), uint8(a.row + 1), glass})
}

// DrawAbove adds the map to a picture, with its upper right corner at a place.
func (a *Above) DrawAbove(hd *scene.HUD, n *server.Insight, right, top float32, name func(state.ID) string) {
	size := min(float32(aboveSize), hd.Height*0.5)
	x0, y0 := right-size, top
	per := size / max(a.span, 1)
	at := func(p vec.V3) (x, y float32, in bool) {
		x, y = x0+(p.X-a.x)*per, y0+size-(p.Y-a.y)*per
		return x, y, x >= x0 && y >= y0 && x <= x0+size && y <= y0+size
	}
	hd.Panel(x0-8, y0-30, size+16, size+62, 8, scene.RGBA{R: 12, G: 16, B: 22, A: 235}, scene.RGBA{R: 12, G: 16, B: 22, A: 235})
	hd.Rect(x0, y0, size, size, inkStone)
	lo, hi := a.level.Min, a.level.Max
	west, east := max(x0, x0+(lo.X-a.x)*per), min(x0+size, x0+(hi.X-a.x)*per)
	south, north := min(y0+size, y0+size-(lo.Y-a.y)*per), max(y0, y0+size-(hi.Y-a.y)*per)
	hd.Rect(west, north, east-west, south-north, inkFloor)
	cell := size / planCells
	for i := range a.rects {
		r := &a.rects[i]
		ink := inkStone
		if r.glass {
			ink = inkGlass
		}
		// Half a pixel wider, so that no seams show.
		hd.Rect(x0+float32(r.x0)*cell, y0+size-float32(r.y1)*cell, float32(r.x1-r.x0)*cell+0.4, float32(r.y1-r.y0)*cell+0.4, ink)
	}
	for i := range n.Smokes {
		c := &n.Smokes[i]
		if x, y, in := at(c.At); in {
			r := min(c.Radius*per, size/2)
			hd.Panel(x-r, y-r, 2*r, 2*r, r, inkSmoke.Alpha(0.3+0.4*c.Density), inkSmoke.Alpha(0.3+0.4*c.Density))
		}
	}
	line := func(from, to vec.V3, width float32, c scene.RGBA) {
		fx, fy, _ := at(from)
		tx, ty, _ := at(to)
		if fx, fy, tx, ty, ok := clipLine(fx, fy, tx, ty, x0, y0, size); ok {
			hd.Line(fx, fy, tx, ty, width, c)
		}
	}
	a.cone(n, line)
	if n.Alive {
		for i := range n.Bodies {
			c := &n.Bodies[i]
			switch {
			case c.Why == server.WhyRange || c.Why == server.WhyBody || c.Kind != state.KindPlayer:
			case c.Clear:
				line(n.Eye, c.To, 1.4, inkClear.Alpha(0.85))
			default:
				line(n.Eye, c.To, 1, inkBlock.Alpha(0.45))
			}
		}
	}
	for i := len(n.Bodies) - 1; i >= 0; i-- {
		c := &n.Bodies[i]
		x, y, in := at(c.Pos)
		if !in {
			continue
		}
		a.body(hd, n, c, x, y, x0+size*0.76, i < labelled, name)
	}
	if x, y, in := at(n.Feet); in && n.Alive {
		s, co := vec.SinCos(n.Yaw)
		ink := scene.RGBA{R: 255, G: 255, B: 255, A: 255}
		dark := scene.RGBA{R: 10, G: 12, B: 16, A: 255}
		hd.Line(x, y, x+15*co, y-15*s, 5, dark)
		hd.Panel(x-7, y-7, 14, 14, 7, dark, dark)
		hd.Panel(x-5, y-5, 10, 10, 5, ink, ink)
		hd.Line(x, y, x+14*co, y-14*s, 2.5, ink)
	}
	a.words(hd, n, x0, y0, size, name)
}

// cone draws the edges of the viewer's cone.
func (a *Above) cone(n *server.Insight, line func(from, to vec.V3, width float32, c scene.RGBA)) {
	c := &n.Cone
	if c.Magnification <= 1 {
		return
	}
	yaw, pitch := vec.Angles(c.Dir)
	if pitch > 60 || pitch < -60 {
		return // seen from above it is no wedge
	}
	const arc = 8
	var last vec.V3
	for k := 0; k <= arc; k++ {
		to := c.Eye.Mad(c.RangeM, vec.Forward(yaw+c.HalfDeg*(2*float32(k)/arc-1), 0))
		if k == 0 || k == arc {
			line(c.Eye, to, 1.4, inkCone)
		}
		if k > 0 {
			line(last, to, 1.4, inkCone)
		}
		last = to
	}
}

// body is one candidate: filled when told of, hollow when not, with a green rim while
// a line to it is clear, and a mark where it looks. Right of right its words stand on the
// other side.
func (a *Above) body(hd *scene.HUD, n *server.Insight, c *server.Candidate, x, y, right float32, words bool, name func(state.ID) string) {
	k := float32(1)
	if vec.Abs(c.Pos.Z-n.Feet.Z) > 3 {
		k = 0.6 // on another floor
	}
	disc := func(r float32, ink scene.RGBA) { hd.Panel(x-r, y-r, 2*r, 2*r, r, ink, ink) }
	if c.Kind != state.KindPlayer {
		ink := inkFaint
		if c.Told {
			ink = inkTold
		}
		disc(2.2, ink.Alpha(k))
		return
	}
	ink := inkHid
	if c.Told {
		ink = inkTold
	}
	s, co := vec.SinCos(c.Yaw)
	hd.Line(x, y, x+9*co, y-9*s, 1.6, ink.Alpha(k))
	if c.Clear {
		disc(7, inkClear.Alpha(k))
	}
	disc(5.4, ink.Alpha(k))
	if !c.Told {
		disc(3.9, inkFloor)
	}
	if !words {
		return
	}
	from := hd.Mark()
	hd.Bytes = append(hd.Bytes, name(c.ID)...)
	hd.Bytes = append(hd.Bytes, ' ')
	hd.Bytes = appendSince(hd.Bytes, n, c)
	side, dx := scene.Left, float32(9)
	if x > right {
		side, dx = scene.Right, -9
	}
	hd.TextFrom(from, x+dx, y-5, 10.5, scene.Sans, side, ink.Alpha(k))
}

// words is the title and what the signs mean.
func (a *Above) words(hd *scene.HUD, n *server.Insight, x0, y0, size float32, name func(state.ID) string) {
	from := hd.Mark()
	b := append(hd.Bytes, name(n.Viewer)...)
	if n.Alive {
		b = append(b, " knows "...)
		b = strconv.AppendInt(b, int64(n.Told), 10)
		b = append(b, " of "...)
		b = strconv.AppendInt(b, int64(n.Told+n.Withheld), 10)
	} else {
		b = append(b, " has no living body"...)
	}
	hd.Bytes = b
	hd.TextFrom(from, x0+2, y0-16, 15, scene.Bold, scene.Left, inkHid)
	from = hd.Mark()
	hd.Bytes = appendM(hd.Bytes, a.span)
	hd.Bytes = append(hd.Bytes, " across, now"...)
	hd.TextFrom(from, x0+size-2, y0-16, 11, scene.Sans, scene.Right, inkFaint)

	y := y0 + size + 16
	x := x0 + 6
	sign := func(text string, wide float32, paint func(x, y float32)) {
		paint(x, y)
		hd.Text(x+10, y, 10.5, scene.Sans, scene.Left, inkFaint, text)
		x += wide
	}
	disc := func(x, y, r float32, ink scene.RGBA) { hd.Panel(x-r, y-r, 2*r, 2*r, r, ink, ink) }
	sign("told", 46, func(x, y float32) { disc(x, y, 5, inkTold) })
	sign("withheld", 68, func(x, y float32) { disc(x, y, 5, inkHid); disc(x, y, 3.5, scene.RGBA{R: 12, G: 16, B: 22, A: 255}) })
	sign("clear line", 72, func(x, y float32) { hd.Line(x-6, y, x+6, y, 1.6, inkClear) })
	sign("blocked", 62, func(x, y float32) { hd.Line(x-6, y, x+6, y, 1.6, inkBlock) })
	hd.Text(x-6, y, 10.5, scene.Sans, scene.Left, inkFaint, "s: for so long")
}

// clipLine cuts a line off at the sides of a square.
func clipLine(ax, ay, bx, by, x, y, size float32) (x0, y0, x1, y1 float32, ok bool) {
	lo, hi := float32(0), float32(1)
	for _, e := range [...][2]float32{{ax - bx, ax - x}, {bx - ax, x + size - ax}, {ay - by, ay - y}, {by - ay, y + size - ay}} {
		switch p, q := e[0], e[1]; {
		case p == 0 && q < 0:
			return 0, 0, 0, 0, false
		case p < 0:
			lo = max(lo, q/p)
		case p > 0:
			hi = min(hi, q/p)
		}
	}
	if !(lo <= hi) {
		return 0, 0, 0, 0, false
	}
	return ax + (bx-ax)*lo, ay + (by-ay)*lo, ax + (bx-ax)*hi, ay + (by-ay)*hi, true
}

// draw adds the map of the chosen viewer to the frame.
func (a *Above) draw(g *game) {
	of := a.of
	if of == 0 {
		of = g.view.ID
	}
	if !g.cfg.Insight(&a.told, of) {
		return
	}
	a.plan(g.view.Scene, g.client.Level().Level.Bounds, &a.told, float32(g.vars.AboveSpan.Get()))
	a.DrawAbove(&g.frame.HUD, &a.told, g.frame.HUD.Width-24, 128, g.nameOf)
}

// aboveCommand declares vis.above.
func (g *game) aboveCommand() {
	g.reg.Command(console.Command{
		Name: "vis.above", Usage: "[PLAYER|off]", Max: -1, Local: true,
		Help: "On a server of your own: shows from above, while the match runs, what a player knows and what not; without a name that of whose eyes you look through, again or off takes it away.",
		Run: func(c *console.Call) error {
			word := strings.Join(c.Args, " ")
			if why := g.refuseInsight(); why != "" {
				return errors.New("vis.above: " + why)
			}
			switch {
			case word == "off", word == "" && g.above.on:
				g.above.on = false
				return nil
			case word == "":
				g.above.on, g.above.of = true, 0
				return nil
			}
			id, err := findPlayer(g.client.Scores(), word)
			if err != nil {
				return fmt.Errorf("vis.above: %w", err)
			}
			g.above.on, g.above.of = true, id
			return nil
		},
	})
}
