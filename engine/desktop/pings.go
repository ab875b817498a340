package desktop

import (
	"strconv"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
)

// How long a mark is shown, and of that how long it fades, seconds: long enough to turn
// round and look, by judgement.
const (
	pingShown = 8
	pingFades = 2
	maxPings  = 16 // two for each of a team of eight; the oldest goes first
)

// ping is a place that a mate has marked.
type ping struct {
	by  state.ID
	at  vec.V3
	age float32 // seconds
}

// pings are the marks that are shown, oldest first. One player has one.
type pings struct {
	list [maxPings]ping
	n    int
}

func (p *pings) add(by state.ID, at vec.V3) {
	p.remove(func(m *ping) bool { return m.by == by })
	if p.n == maxPings {
		p.n = copy(p.list[:], p.list[1:])
	}
	p.list[p.n] = ping{by: by, at: at}
	p.n++
}

func (p *pings) remove(what func(*ping) bool) {
	n := 0
	for i := range p.n {
		if !what(&p.list[i]) {
			p.list[n] = p.list[i]
			n++
		}
	}
	p.n = n
}

// step lets time pass, and puts a post into the world for each mark.
func (p *pings) step(f *scene.Frame, dt float32) {
	for i := range p.n {
		p.list[i].age += dt
	}
	p.remove(func(m *ping) bool { return m.age >= pingShown })
	for i := range p.n {
		m := &p.list[i]
		at := gl(m.at)
		f.Lines = append(f.Lines, scene.Line{A: at, B: at.Add(mgl32.Vec3{0, 0, pingUp}), Color: demoAccent.Alpha(0.9 * m.left()), OnTop: true})
	}
}

// pingUp is how high over its place a mark stands, metres.
const pingUp = 0.5

// left is how much of a mark is left: it fades in its last seconds.
func (m *ping) left() float32 { return vec.Clamp((pingShown-m.age)/pingFades, 0, 1) }

// draw writes on each mark whose it is and how far off, through walls.
func (p *pings) draw(f *scene.Frame, w, h int, eye vec.V3, c teller) {
	hd := &f.HUD
	if hd.Scale <= 0 {
		return
	}
	for i := range p.n {
		m := &p.list[i]
		px, py, ok := draw.Project(&f.Camera, w, h, gl(m.at).Add(mgl32.Vec3{0, 0, pingUp}))
		x, y := px/hd.Scale, py/hd.Scale
		if !ok || x < 0 || y < 0 || x > hd.Width || y > hd.Height {
			continue
		}
		k := m.left()
		grown := 1 + 0.8*vec.Clamp(1-m.age/0.25, 0, 1) // it comes with a start
		r := 9 * grown
		col, dark := demoAccent.Alpha(k), scene.RGBA{A: uint8(150 * k)}
		for _, width := range [2]float32{5, 2.5} {
			c := dark
			if width < 4 {
				c = col
			}
			hd.Line(x-r, y, x, y-r, width, c)
			hd.Line(x, y-r, x+r, y, width, c)
			hd.Line(x+r, y, x, y+r, width, c)
			hd.Line(x, y+r, x-r, y, width, c)
		}
		hd.Panel(x-2, y-2, 4, 4, 2, col, col)
		hd.Text(x, y-r-9, 14, scene.Bold, scene.Centre, nameColor(c, m.by).Alpha(k), playerName(c, m.by))
		from := hd.Mark()
		hd.Bytes = strconv.AppendInt(hd.Bytes, int64(m.at.Dist(eye)+0.5), 10)
		hd.Bytes = append(hd.Bytes, " m"...)
		hd.TextFrom(from, x, y+r+11, 13, scene.Sans, scene.Centre, demoInk.Alpha(k))
	}
}
