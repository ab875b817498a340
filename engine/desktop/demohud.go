package desktop

import (
	"strconv"

	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
)

// Colours of the demo's own part of the screen.
var (
	demoInk    = scene.RGBA{R: 236, G: 240, B: 244, A: 255}
	demoDim    = scene.RGBA{R: 168, G: 178, B: 190, A: 255}
	demoPlate  = scene.RGBA{R: 10, G: 14, B: 20, A: 170}
	demoPlate2 = scene.RGBA{R: 10, G: 14, B: 20, A: 215}
	demoAccent = scene.RGBA{R: 255, G: 158, B: 64, A: 255}
	demoTrack  = scene.RGBA{R: 255, G: 255, B: 255, A: 40}
)

const demoMargin = 22

// fillDemo makes the model of one frame of a demo.
func (s *status) fillDemo(t *theatre, scores bool) *hud.Model {
	v, m := &t.g.view, &s.model
	ms := v.DT * 1000
	*m = hud.Model{Hide: !t.g.vars.DrawHUD.Get(), Alive: v.Alive, Reserve: -1}
	for i := range s.kills {
		s.kills[i].Ms += ms
	}
	s.pickMs += ms
	m.Pickup, m.PickupMs = s.pickup, s.pickMs
	if !t.keys { // which stands in the same corner
		m.Kills = s.shownKills()
	}
	m.Score.Time = -1
	m.Cross.HitMs = 1e6
	s.vitals(m, v, t.g.vars, &t.g.stage)
	if scores {
		m.Board = s.fillBoard(t)
	}
	return m
}

// forget drops what is remembered for a while: the place in time is another.
func (s *status) forget() {
	n := newStatus()
	s.kills, s.notices, s.pickup, s.pickMs, s.centre = n.kills, n.notices, "", n.pickMs, ""
}

// clockText is a time as minutes, seconds and tenths.
func clockText(s float64) string { return string(appendClock(nil, s, true)) }

func appendClock(b []byte, s float64, tenths bool) []byte {
	n := int(max(s, 0)*10 + 0.001)
	if h := n / 36000; h > 0 {
		b = strconv.AppendInt(b, int64(h), 10)
		b = append(b, ':')
		if n/600%60 < 10 {
			b = append(b, '0')
		}
	}
	b = strconv.AppendInt(b, int64(n/600%60), 10)
	b = append(b, ':', byte('0'+n/100%6), byte('0'+n/10%10))
	if tenths {
		b = append(b, '.', byte('0'+n%10))
	}
	return b
}

// draw adds the bar, the title, the banner and the list of keys.
func (t *theatre) draw(h *scene.HUD, dt float32) {
	t.saidAge += dt
	t.timeBar(h)
	t.title(h)
	if t.knew {
		t.banner(h)
	}
	if t.keys {
		t.keyList(h)
	}
}

// timeBar stands between health and ammunition.
func (t *theatre) timeBar(h *scene.HUD) {
	const height = 62
	x := float32(demoMargin + 268 + 14)
	w := h.Width - 2*x
	y := h.Height - demoMargin - height
	h.Panel(x, y, w, height, 8, demoPlate, demoPlate2)
	mid := y + 20
	t.glyph(h, x+24, mid)
	from := h.Mark()
	h.Bytes = appendClock(h.Bytes, t.p.Seconds(), true)
	h.TextFrom(from, x+46, mid, 19, scene.Bold, scene.Left, demoInk)
	from = h.Mark()
	h.Bytes = append(h.Bytes, "/ "...)
	h.Bytes = appendClock(h.Bytes, t.p.Length(), false)
	h.TextFrom(from, x+122, mid+1, 14, scene.Sans, scene.Left, demoDim)
	if k := t.p.Speed(); k != 1 {
		from = h.Mark()
		h.Bytes = strconv.AppendFloat(h.Bytes, k, 'g', 3, 64)
		h.Bytes = append(h.Bytes, "\u00d7"...)
		h.TextFrom(from, x+192, mid+1, 15, scene.Bold, scene.Left, demoAccent)
	}
	t.whose(h, x+w-16, mid)

	bx, by, bw := x+16, y+42, w-32
	t.bar = [4]float32{bx, by, bw, 7}
	h.Panel(bx, by, bw, 7, 3.5, demoTrack, demoTrack)
	share := float32(0)
	if n := t.p.Length(); n > 0 {
		share = float32(min(max(t.p.Seconds()/n, 0), 1))
	}
	h.Panel(bx, by, max(bw*share, 7), 7, 3.5, demoAccent, demoAccent)
	t.drawMarks(h, bx, by, bw)
	h.Panel(bx+bw*share-6, by-3, 12, 13, 6, demoInk, demoInk)
	if over, on := t.onBar(); on || t.drag {
		from = h.Mark()
		h.Bytes = appendClock(h.Bytes, over*t.p.Length(), false)
		h.TextFrom(from, bx+bw*float32(over), by-14, 13, scene.Bold, scene.Centre, demoInk)
	}
	if t.said != "" && t.saidAge < 6 {
		h.Text(h.Width/2, y-20, 14, scene.Sans, scene.Centre, demoAccent, t.said)
	}
}

// glyph says whether it plays.
func (t *theatre) glyph(h *scene.HUD, x, y float32) {
	if t.ended {
		h.Panel(x-6, y-6, 12, 12, 1, demoInk, demoInk)
		return
	}
	if t.p.Paused {
		h.Panel(x-7, y-8, 5, 16, 1, demoInk, demoInk)
		h.Panel(x+2, y-8, 5, 16, 1, demoInk, demoInk)
		return
	}
	for i := range 8 { // a triangle out of lines
		k := float32(i)
		h.Line(x-6+k*1.7, y-8+k, x-6+k*1.7, y+8-k, 2, demoInk)
	}
}

// whose says from where the demo is looked at, right-aligned.
func (t *theatre) whose(h *scene.HUD, x, y float32) {
	switch {
	case t.flying:
		h.Text(x, y, 17, scene.Bold, scene.Right, demoInk, "free camera")
	case t.g.view.Own == nil:
		from := h.Mark()
		h.Bytes = append(h.Bytes, playerName(t, t.who)...)
		h.Bytes = append(h.Bytes, " is not in the match"...)
		h.TextFrom(from, x, y, 15, scene.Sans, scene.Right, demoDim)
	default:
		h.Text(x, y, 17, scene.Bold, scene.Right, nameColor(t, t.who), playerName(t, t.who))
	}
}

// title says what is shown, in the upper left corner.
func (t *theatre) title(h *scene.HUD) {
	const x, y = demoMargin, demoMargin + 4
	h.Panel(x, y-9, 46, 19, 4, demoAccent, demoAccent)
	h.Text(x+23, y, 12, scene.Bold, scene.Centre, scene.RGBA{R: 20, G: 14, B: 8, A: 255}, "DEMO")
	h.Text(x+56, y, 15, scene.Bold, scene.Left, demoInk, t.name)
	from := h.Mark()
	h.Bytes = append(h.Bytes, t.lvl.Level.Name...)
	h.Bytes = append(h.Bytes, ", "...)
	h.Bytes = append(h.Bytes, t.p.Info().Server...)
	h.TextFrom(from, x+56, y+19, 12.5, scene.Sans, scene.Left, demoDim)
	h.Text(x, y+42, 12.5, scene.Sans, scene.Left, demoDim, "F1 keys")
}

// banner says whose knowledge is shown, and how much that is.
func (t *theatre) banner(h *scene.HUD) {
	const w = 400
	x, y := h.Width/2, float32(14)
	h.Panel(x-w/2, y, w, 46, 8, demoPlate, demoPlate2)
	h.Panel(x-w/2, y, w, 3, 1.5, toldRGBA, toldRGBA)
	from := h.Mark()
	h.Bytes = append(h.Bytes, "what "...)
	h.Bytes = append(h.Bytes, playerName(t, t.who)...)
	h.Bytes = append(h.Bytes, " knew"...)
	h.TextFrom(from, x, y+17, 17, scene.Bold, scene.Centre, demoInk)
	if t.p.Info().Client != 0 {
		h.Text(x, y+35, 12.5, scene.Sans, scene.Centre, demoDim, "recorded by this client: there is nothing else in the demo")
		return
	}
	from = h.Mark()
	h.Bytes = append(h.Bytes, "told of "...)
	h.Bytes = strconv.AppendInt(h.Bytes, int64(t.known), 10)
	h.TextFrom(from, x-8, y+35, 13, scene.Bold, scene.Right, toldRGBA)
	from = h.Mark()
	h.Bytes = append(h.Bytes, "withheld "...)
	h.Bytes = strconv.AppendInt(h.Bytes, int64(t.kept), 10)
	h.TextFrom(from, x+8, y+35, 13, scene.Bold, scene.Left, withheldRGBA)
}

// keyList is the list that F1 opens.
func (t *theatre) keyList(h *scene.HUD) {
	const row, w = 20, 380
	n := len(DemoKeys) + len(flyKeys)
	height := float32(n)*row + 58
	x, y := h.Width-demoMargin-w, max((h.Height-height)/2-52, 16)
	h.Panel(x, y, w, height, 12, scene.RGBA{R: 13, G: 19, B: 28, A: 238}, scene.RGBA{R: 8, G: 12, B: 18, A: 238})
	h.Panel(x, y, w, 4, 2, demoAccent, demoAccent)
	h.Text(x+20, y+27, 18, scene.Bold, scene.Left, demoInk, "Keys of a demo")
	ly := y + 54
	line := func(key, help string) {
		h.Text(x+132, ly, 13.5, scene.Mono, scene.Right, demoAccent, key)
		h.Text(x+148, ly, 13.5, scene.Sans, scene.Left, demoInk, help)
		ly += row
	}
	for i := range DemoKeys {
		line(DemoKeys[i].Key, DemoKeys[i].Help)
	}
	for i := range flyKeys {
		line(flyKeys[i][0], flyKeys[i][1])
	}
}

// onBar returns where on the time bar the pointer is, 0 to 1, and whether it is on
// it at all.
func (t *theatre) onBar() (share float64, on bool) {
	k := float64(t.g.frame.HUD.Scale) / t.g.overlay.PixelsPerUnit()
	if t.bar[2] <= 0 || k <= 0 || t.g.captured || t.g.controls.UI() {
		return 0, false
	}
	x, y := t.pointer[0]/k, t.pointer[1]/k
	share = (x - float64(t.bar[0])) / float64(t.bar[2])
	on = share >= -0.01 && share <= 1.01 && y >= float64(t.bar[1])-12 && y <= float64(t.bar[1]+t.bar[3])+12
	return min(max(share, 0), 1), on
}
