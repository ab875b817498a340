package hud

import (
	"math"
	"strconv"

	"github.com/sightline-engine/sightline/render/scene"
)

// Colours of the interface.
var (
	ink    = scene.RGBA{R: 236, G: 240, B: 244, A: 255}
	dim    = scene.RGBA{R: 168, G: 178, B: 190, A: 255}
	faint  = scene.RGBA{R: 168, G: 178, B: 190, A: 110}
	plate  = scene.RGBA{R: 10, G: 14, B: 20, A: 150}
	plate2 = scene.RGBA{R: 10, G: 14, B: 20, A: 200}
	accent = scene.RGBA{R: 255, G: 158, B: 64, A: 255}
	good   = scene.RGBA{R: 104, G: 214, B: 132, A: 255}
	cool   = scene.RGBA{R: 92, G: 178, B: 255, A: 255}
	bad    = scene.RGBA{R: 255, G: 78, B: 66, A: 255}
)

// margin keeps things off the edges, where some displays cut.
const margin = 22

// Draw adds a model's marks to a HUD that has been given its size.
func Draw(h *scene.HUD, m *Model) {
	if !m.Hide {
		scope(h, &m.Scope)
		crosshair(h, m)
		hurts(h, m.Hurt)
		vitals(h, m)
		ammo(h, m)
		score(h, &m.Score)
		feed(h, m.Kills)
		notices(h, m.Notices)
		message(h, m)
	}
	netGraph(h, m.Net)
	stats(h, m.Stats)
	if m.Board != nil && !m.Hide {
		board(h, m.Board)
	}
	console(h, m.Console)
}

// fade returns how much of something is left at ms that stays for hold and then
// goes over the length out.
func fade(ms, hold, out float32) float32 {
	switch {
	case !(ms >= 0):
		return 0
	case ms <= hold:
		return 1
	case ms >= hold+out:
		return 0
	}
	return 1 - (ms-hold)/out
}

func crosshair(h *scene.HUD, m *Model) {
	c := &m.Cross
	x, y := h.Width/2, h.Height/2
	if !c.Hide && m.Alive {
		col := c.Color
		if col.A == 0 {
			col = scene.RGBA{R: 255, G: 255, B: 255, A: 235}
		}
		gap := min(max(sane(c.Gap), 3), 90)
		dark := scene.RGBA{A: 130}
		const long, wide = 8, 2
		for _, d := range [4][2]float32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			x0, y0 := x+d[0]*gap, y+d[1]*gap
			x1, y1 := x+d[0]*(gap+long), y+d[1]*(gap+long)
			h.Line(x0-d[0], y0-d[1], x1+d[0], y1+d[1], wide+2, dark)
			h.Line(x0, y0, x1, y1, wide, col)
		}
		h.Panel(x-2, y-2, 4, 4, 2, dark, dark)
		h.Panel(x-1.2, y-1.2, 2.4, 2.4, 1.2, col, col)
		if k := min(max(sane(c.Cool), 0), 1); k > 0 {
			h.Panel(x-14, y+26, 28, 3, 1.5, dark, dark)
			h.Panel(x-14, y+26, 28*(1-k), 3, 1.5, accent, accent)
		}
	}
	if k := fade(c.HitMs, 90, 180); k > 0 {
		col := scene.RGBA{R: 255, G: 255, B: 255, A: 255}
		in, out := float32(7), float32(15)
		if c.Killed {
			col, in, out = bad, 8, 20
		}
		for _, d := range [4][2]float32{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			h.Line(x+d[0]*in, y+d[1]*in, x+d[0]*out, y+d[1]*out, 4, scene.RGBA{A: 120}.Alpha(k))
			h.Line(x+d[0]*in, y+d[1]*in, x+d[0]*out, y+d[1]*out, 2.2, col.Alpha(k))
		}
	}
}

// hurts draws an arc towards where each blow came from.
func hurts(h *scene.HUD, list []Hurt) {
	x, y := h.Width/2, h.Height/2
	for i := range list {
		b := &list[i]
		k := fade(b.Ms, 400, 900)
		if k <= 0 {
			continue
		}
		const radius, parts = 130, 8
		half := 10 + min(max(sane(b.Amount), 0), 100)*0.16 // degrees
		at := func(t float32) (float32, float32) {
			// Straight ahead is up, left is left.
			s, c := math.Sincos(float64(sane(b.Yaw)+half*t) * math.Pi / 180)
			return x - radius*float32(s), y - radius*float32(c)
		}
		px, py := at(-1)
		for j := 1; j <= parts; j++ {
			t := float32(j)/parts*2 - 1
			qx, qy := at(t)
			mid := t - 1.0/parts
			h.Line(px, py, qx, qy, 7*(1-mid*mid)+1.5, bad.Alpha(k*0.85))
			px, py = qx, qy
		}
	}
}

// vitals draws health and armour in the lower left corner.
func vitals(h *scene.HUD, m *Model) {
	if !m.Alive || h.Width < 400 {
		return
	}
	x, y := float32(margin), h.Height-margin-62
	h.Panel(x, y, 268, 62, 8, plate, plate2)
	col := ink
	if m.Health <= 25 {
		col = bad
	} else if m.Health > 100 {
		col = good
	}
	cross(h, x+24, y+25, 8, col)
	h.Int(x+108, y+26, 38, scene.Bold, scene.Right, col, m.Health)
	bar(h, x+14, y+48, 110, 5, float32(m.Health)/100, col)
	acol := ink
	if m.Armour == 0 {
		acol = faint
	}
	shield(h, x+158, y+25, 9, acol)
	h.Int(x+244, y+26, 38, scene.Bold, scene.Right, acol, m.Armour)
	bar(h, x+146, y+48, 108, 5, float32(m.Armour)/100, cool)
	if k := fade(m.PickupMs, 900, 500); k > 0 && m.Pickup != "" {
		h.Text(x+2, y-18, 17, scene.Bold, scene.Left, accent.Alpha(k), m.Pickup)
	}
}

func cross(h *scene.HUD, x, y, r float32, c scene.RGBA) {
	h.Panel(x-r, y-r*0.36, 2*r, r*0.72, 1.5, c, c)
	h.Panel(x-r*0.36, y-r, r*0.72, 2*r, 1.5, c, c)
}

func shield(h *scene.HUD, x, y, r float32, c scene.RGBA) {
	h.Panel(x-r*0.85, y-r, r*1.7, r*1.1, 2, c, c)
	h.Line(x-r*0.6, y-r*0.2, x, y+r*0.85, r*0.7, c)
	h.Line(x+r*0.6, y-r*0.2, x, y+r*0.85, r*0.7, c)
}

// bar draws a share of a whole; what is above it is drawn as a second bar.
func bar(h *scene.HUD, x, y, w, height, share float32, c scene.RGBA) {
	h.Panel(x, y, w, height, height/2, scene.RGBA{R: 255, G: 255, B: 255, A: 34}, scene.RGBA{R: 255, G: 255, B: 255, A: 34})
	if share > 0 {
		h.Panel(x, y, w*min(share, 1), height, height/2, c, c.Alpha(0.8))
	}
	if share > 1 {
		h.Panel(x, y, w*min(share-1, 1), height, height/2, ink, ink)
	}
}

// ammo draws the weapon and what is in it in the lower right corner.
func ammo(h *scene.HUD, m *Model) {
	if !m.Alive || m.Weapon == "" || h.Width < 720 {
		return
	}
	const w = 232
	x, y := h.Width-margin-w, h.Height-margin-62
	h.Panel(x, y, w, 62, 8, plate, plate2)
	h.Text(x+16, y+20, 16, scene.Bold, scene.Left, dim, m.Weapon)
	col := ink
	if !m.NoAmmo {
		if m.Ammo == 0 {
			col = bad
		}
		right := x + w - 16
		if m.Reserve >= 0 {
			h.Int(right, y+32, 20, scene.Bold, scene.Right, dim, m.Reserve)
			right -= 52
		}
		h.Int(right, y+30, 40, scene.Bold, scene.Right, col, m.Ammo)
	}
	sx := x + 16
	for i := range m.Weapons {
		s := &m.Weapons[i]
		c := faint
		switch {
		case s.Held:
			c = accent
		case !s.None:
			c = ink
		}
		if sx > x+w-100 {
			break
		}
		h.Panel(sx, y+36, 22, 16, 3, c.Alpha(0.22), c.Alpha(0.22))
		h.Text(sx+11, y+44, 12, scene.Bold, scene.Centre, c, s.Key)
		sx += 27
	}
}

// score draws the line at the top.
func score(h *scene.HUD, s *Score) {
	if s.Label == "" && s.Time < 0 && s.Own == 0 && s.Best == 0 && s.Limit == 0 {
		return
	}
	const w = 300
	x, y := h.Width/2, float32(14)
	h.Panel(x-w/2, y, w, 44, 8, plate, plate2)
	left, right := cool, accent
	if !s.Teams {
		left, right = ink, dim
	}
	h.Int(x-w/2+54, y+22, 30, scene.Bold, scene.Right, left, s.Own)
	h.Int(x+w/2-54, y+22, 30, scene.Bold, scene.Left, right, s.Best)
	if s.Time >= 0 {
		from := h.Mark()
		h.Bytes = clock(h.Bytes, s.Time)
		c := ink
		if s.Time <= 10 {
			c = bad
		}
		h.TextFrom(from, x, y+17, 22, scene.Bold, scene.Centre, c)
	}
	from := h.Mark()
	h.Bytes = append(h.Bytes, s.Label...)
	if s.Limit > 0 {
		if s.Label != "" {
			h.Bytes = append(h.Bytes, "  to "...)
		} else {
			h.Bytes = append(h.Bytes, "to "...)
		}
		h.Bytes = strconv.AppendInt(h.Bytes, int64(s.Limit), 10)
	}
	h.TextFrom(from, x, y+35, 11.5, scene.Sans, scene.Centre, dim)
	if s.Leader != "" {
		h.Text(x, y+56, 12.5, scene.Sans, scene.Centre, dim, s.Leader)
	}
}

// clock appends minutes and seconds.
func clock(b []byte, seconds int) []byte {
	b = strconv.AppendInt(b, int64(seconds/60), 10)
	b = append(b, ':')
	if seconds%60 < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(seconds%60), 10)
}

// widthOf is about how wide a text is. Layout needs no more; what must meet
// exactly is aligned by the drawer, which knows its glyphs.
func widthOf(s string, size float32) float32 {
	n := 0
	for range s {
		n++
	}
	return float32(n) * size * 0.60
}

// feed draws who was killed by whom, newest at the bottom.
func feed(h *scene.HUD, list []Kill) {
	y := float32(margin) + 12
	const most = 6
	if len(list) > most {
		list = list[len(list)-most:]
	}
	for i := range list {
		k := &list[i]
		a := fade(k.Ms, 5000, 700)
		if a <= 0 {
			continue
		}
		x := h.Width - margin - 10
		const size = 15
		victim, with, killer := widthOf(k.Victim, size), widthOf(k.With, 12.5), widthOf(k.Killer, size)
		w := victim + with + killer + 56
		back := plate
		if k.Own {
			back = scene.RGBA{R: 96, G: 48, B: 10, A: 190}
		}
		h.Panel(x+10-w, y-13, w, 26, 5, back.Alpha(a), back.Alpha(a))
		h.Text(x, y, size, scene.Bold, scene.Right, orInk(k.VictimColor).Alpha(a), k.Victim)
		x -= victim + 14
		h.Text(x, y, 12.5, scene.Sans, scene.Right, dim.Alpha(a), k.With)
		x -= with + 14
		h.Text(x, y, size, scene.Bold, scene.Right, orInk(k.KillerColor).Alpha(a), k.Killer)
		y += 31
	}
}

func orInk(c scene.RGBA) scene.RGBA {
	if c.A == 0 {
		return ink
	}
	return c
}

// notices draws chat and news above the health, newest at the bottom.
func notices(h *scene.HUD, list []Notice) {
	const most = 6
	if len(list) > most {
		list = list[len(list)-most:]
	}
	y := h.Height - margin - 62 - 44
	for i := len(list) - 1; i >= 0; i-- {
		n := &list[i]
		if a := fade(n.Ms, 6000, 1000); a > 0 {
			h.Text(margin, y, 15, scene.Sans, scene.Left, orInk(n.Color).Alpha(a), n.Text)
			y -= 22
		}
	}
}

// message draws the large text, and whom we watch.
func message(h *scene.HUD, m *Model) {
	c := &m.Centre
	if c.Text != "" {
		a := float32(1)
		if c.ForMs > 0 {
			a = fade(c.Ms, c.ForMs, 300)
		}
		if a > 0 {
			w := max(widthOf(c.Text, 34), widthOf(c.Sub, 17)) + 60
			y := h.Height*0.30 - 8
			height := float32(58)
			if c.Sub != "" {
				height = 86
			}
			h.Panel(h.Width/2-w/2, y-30, w, height, 10, plate.Alpha(a*0.85), plate.Alpha(a*0.85))
			h.Text(h.Width/2, y, 34, scene.Bold, scene.Centre, ink.Alpha(a), c.Text)
			h.Text(h.Width/2, y+34, 17, scene.Sans, scene.Centre, dim.Alpha(a), c.Sub)
		}
	}
	if m.Spectate != "" {
		h.Text(h.Width/2, h.Height-margin-40, 20, scene.Bold, scene.Centre, accent, m.Spectate)
	} else if m.Hint != "" {
		h.Text(h.Width/2, h.Height-margin-40, 18, scene.Bold, scene.Centre, ink, m.Hint)
	}
}
