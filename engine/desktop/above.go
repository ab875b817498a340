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

	world *trace.World
	level vec.Box
	plan  plan         // that is shown
	next  plan         // that is being made, a few rows a frame
	row   int          // of next; planCells: it is done
	said  [][3]float32 // where words stand in this frame: from, to and y
}

// plan is a ground plan: rectangles of a square part of the level.
type plan struct {
	x, y  float32 // of its lower left corner
	span  float32
	z     float32 // at which it is cut: of an eye
	feet  float32
	rects []planRect
}

// planRect is a part of the plan of one kind, in cells from its lower left corner.
type planRect struct{ x0, y0, x1, y1, kind uint8 }

// Kinds of cell: what is solid or glass at the height of the eye, and how high the ground
// is elsewhere, in bands of bandHigh metres around the viewer's feet.
const (
	cellBelow = iota // bands, the lowest first
	cellLow
	cellLevel
	cellRaised
	cellStone
	cellGlass
	cellNone
)

const (
	planCells = 128
	planRows  = 6   // made in a frame, about 0.3 ms each
	planFirst = 32  // while there is none yet
	planLook  = 160 // rectangles that a run is compared with
	planStep  = 1.2 // metres that the eye rises before the plan is cut anew
	planDeep  = 24  // metres that are looked down
	bandHigh  = 1.5
	aboveSize = 330 // of the map, HUD units
	aboveLeft = 32  // where it stands: between what is said above and health below
	aboveTop  = 128
)

// Inks of the map, those of the pictures of scenes.
var (
	inkFloor = scene.RGBA{R: 52, G: 58, B: 68, A: 255}
	inkStone = scene.RGBA{R: 14, G: 15, B: 19, A: 255}
	inkFaint = scene.RGBA{R: 150, G: 158, B: 170, A: 255}
	cellInks = [...]scene.RGBA{
		cellBelow: {R: 31, G: 35, B: 42, A: 255}, cellLow: {R: 41, G: 46, B: 55, A: 255}, cellLevel: inkFloor, cellRaised: {R: 68, G: 75, B: 87, A: 255},
		cellStone: inkStone, cellGlass: {R: 92, G: 140, B: 160, A: 255},
	}
)

// cut makes the ground plan go on, and begins another where the window has moved or the
// eye has risen. The first one of a level is made in
// a few frames.
func (a *Above) cut(sc trace.Scene, bounds vec.Box, n *server.Insight, spanM float32) {
	size := bounds.Size()
	span, mid := max(size.X, size.Y)*1.04, bounds.Center()
	if spanM > 0 && spanM < span {
		span = spanM
		step := span / 8 // the window follows in steps: the plan is good for a while
		mid = vec.V3{X: float32(vec.Floor(n.Feet.X/step+0.5)) * step, Y: float32(vec.Floor(n.Feet.Y/step+0.5)) * step}
	}
	x, y := mid.X-span/2, mid.Y-span/2
	rows := planRows
	if a.world != sc.W {
		a.world, a.level, a.row = sc.W, bounds, 0
		a.next.x, a.next.y, a.next.span, a.next.z, a.next.feet = x, y, span, n.Eye.Z, n.Feet.Z
		a.next.rects, a.plan.rects = a.next.rects[:0], a.plan.rects[:0]
	} else if p := &a.next; a.row >= planCells && (x != p.x || y != p.y || span != p.span || vec.Abs(n.Eye.Z-p.z) > planStep) {
		p.x, p.y, p.span, p.z, p.feet, p.rects, a.row = x, y, span, n.Eye.Z, n.Feet.Z, p.rects[:0], 0
	}
	if len(a.plan.rects) == 0 {
		rows = planFirst
	}
	for ; rows > 0 && a.row < planCells; rows-- {
		a.next.cut(sc, a.row)
		if a.row++; a.row == planCells {
			shown := a.plan.rects
			a.plan = a.next
			a.next.rects = append(shown[:0], a.plan.rects...)
		}
	}
}

// cut makes a row.
func (p *plan) cut(sc trace.Scene, row int) {
	start, was := 0, uint8(cellNone)
	cell := p.span / planCells
	for k := 0; k <= planCells; k++ {
		is := uint8(cellNone)
		if k < planCells {
			is = p.at(sc, vec.V3{X: p.x + (float32(k)+0.5)*cell, Y: p.y + (float32(row)+0.5)*cell, Z: p.z})
		}
		if is == was {
			continue
		}
		if was != cellNone {
			p.put(start, k, row, was)
		}
		start, was = k, is
	}
}

// at says what is at a place.
func (p *plan) at(sc trace.Scene, from vec.V3) uint8 {
	switch in := sc.Contents(from); {
	case in&level.MaskSight != 0:
		return cellStone
	case in&level.Glass != 0:
		return cellGlass
	}
	to := from
	to.Z -= planDeep
	hit := sc.Ray(from, to, level.MaskSight)
	if hit.StartSolid || hit.Frac >= 1 {
		return cellNone
	}
	band := vec.Floor((hit.End.Z-p.feet)/bandHigh + 0.5)
	return uint8(min(max(band+cellLevel, cellBelow), cellRaised))
}

// put adds a run of a row, to a rectangle below it where that is as wide.
func (p *plan) put(x0, x1, row int, kind uint8) {
	for i := len(p.rects) - 1; i >= max(len(p.rects)-planLook, 0); i-- {
		if r := &p.rects[i]; int(r.x0) == x0 && int(r.x1) == x1 && int(r.y1) == row && r.kind == kind {
			r.y1++
			return
		}
	}
	p.rects = append(p.rects, planRect{uint8(x0), uint8(row), uint8(x1), uint8(row + 1), kind})
}

// DrawAbove adds the map to a picture, with its upper left corner at a place.
func (a *Above) DrawAbove(hd *scene.HUD, n *server.Insight, left, top float32, name func(state.ID) string) {
	size := min(float32(aboveSize), hd.Height*0.5)
	x0, y0 := left, top
	per := size / max(a.plan.span, 1)
	at := func(p vec.V3) (x, y float32, in bool) {
		x, y = x0+(p.X-a.plan.x)*per, y0+size-(p.Y-a.plan.y)*per
		return x, y, x >= x0 && y >= y0 && x <= x0+size && y <= y0+size
	}
	hd.Panel(x0-8, y0-30, size+16, size+62, 8, scene.RGBA{R: 12, G: 16, B: 22, A: 235}, scene.RGBA{R: 12, G: 16, B: 22, A: 235})
	hd.Rect(x0, y0, size, size, inkStone)
	cell := size / planCells
	for i := range a.plan.rects {
		r := &a.plan.rects[i]
		ink := cellInks[min(int(r.kind), len(cellInks)-1)]
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
	a.said = a.said[:0]
	for i := len(n.Bodies) - 1; i >= 0; i-- { // the nearest last, on top
		if x, y, in := at(n.Bodies[i].Pos); in {
			candidate(hd, n, &n.Bodies[i], x, y)
		}
	}
	for i := range n.Bodies { // and first among those that have words
		if x, y, in := at(n.Bodies[i].Pos); in {
			a.name(hd, n, &n.Bodies[i], x, y, x0+size*0.76, name)
		}
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

// candidate is one of them: filled when told of, hollow when not, with a green rim while
// a line to it is clear, and a mark where it looks.
func candidate(hd *scene.HUD, n *server.Insight, c *server.Candidate, x, y float32) {
	k := floor(n, c)
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
}

// floor is how plain somebody is drawn: less so who is on another floor.
func floor(n *server.Insight, c *server.Candidate) float32 {
	if vec.Abs(c.Pos.Z-n.Feet.Z) > 3 {
		return 0.6
	}
	return 1
}

// name writes whose sign it is and since when it stands so. Right of right the words are
// on the other side.
func (a *Above) name(hd *scene.HUD, n *server.Insight, c *server.Candidate, x, y, right float32, name func(state.ID) string) {
	if c.Kind != state.KindPlayer {
		return
	}
	k, ink := floor(n, c), inkHid
	if c.Told {
		ink = inkTold
	}
	from := hd.Mark()
	hd.Bytes = append(hd.Bytes, name(c.ID)...)
	hd.Bytes = append(hd.Bytes, ' ')
	hd.Bytes = appendSince(hd.Bytes, n, c)
	side, dx := scene.Left, float32(9)
	wide := float32(len(hd.Bytes)-from) * 5.8
	x0, x1 := x+dx, x+dx+wide
	if x > right {
		side, dx = scene.Right, -9
		x0, x1 = x-9-wide, x-9
	}
	for _, o := range a.said {
		if x0 < o[1] && o[0] < x1 && vec.Abs(o[2]-y) < 12 || len(a.said) == labelled {
			hd.Bytes = hd.Bytes[:from] // the words of one that is nearer stand there
			return
		}
	}
	a.said = append(a.said, [3]float32{x0, x1, y})
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
	hd.Bytes = appendM(hd.Bytes, a.plan.span)
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
	a.cut(g.view.Scene, g.client.Level().Level.Bounds, &a.told, float32(g.vars.AboveSpan.Get()))
	a.DrawAbove(&g.frame.HUD, &a.told, aboveLeft, aboveTop, g.nameOf)
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
