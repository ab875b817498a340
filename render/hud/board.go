package hud

import "github.com/sightline-engine/sightline/render/scene"

// board draws the table of players in the middle. Rows that do not fit are left
// out at the end.
func board(h *scene.HUD, b *Board) {
	const row, head = 27, 74
	w := min(h.Width-2*margin, 640)
	fit := int((h.Height - 200 - head) / row)
	rows := b.Rows
	if len(rows) > fit {
		rows = rows[:max(fit, 0)]
	}
	height := head + row*float32(len(rows)) + 34
	x, y := (h.Width-w)/2, max((h.Height-height)/2-20, 80)
	back := scene.RGBA{R: 9, G: 13, B: 19, A: 226}
	h.Panel(x, y, w, height, 12, back, back)
	h.Panel(x, y, w, 4, 2, accent, accent)
	h.Text(x+22, y+28, 23, scene.Bold, scene.Left, ink, b.Title)
	h.Text(x+w-22, y+28, 14, scene.Sans, scene.Right, dim, b.Sub)
	score, deaths, ping := x+w-210, x+w-118, x+w-26
	for _, c := range [3]struct {
		at   float32
		name string
	}{{score, "SCORE"}, {deaths, "DEATHS"}, {ping, "PING"}} {
		h.Text(c.at, y+58, 11, scene.Bold, scene.Right, faint, c.name)
	}
	h.Text(x+42, y+58, 11, scene.Bold, scene.Left, faint, "PLAYER")
	for i := range rows {
		r := &rows[i]
		ry := y + head + row*float32(i)
		switch {
		case r.Own:
			h.Panel(x+12, ry, w-24, row-3, 5, accent.Alpha(0.22), accent.Alpha(0.22))
		case i%2 == 0:
			h.Panel(x+12, ry, w-24, row-3, 5, ink.Alpha(0.04), ink.Alpha(0.04))
		}
		mid := ry + row/2 - 1.5
		c := ink
		if r.Dead {
			c = faint
		}
		team := orInk(r.Color)
		h.Panel(x+22, mid-5, 10, 10, 3, team, team)
		h.Text(x+42, mid, 15.5, scene.Bold, scene.Left, c, r.Name)
		h.Int(score, mid, 15.5, scene.Bold, scene.Right, c, r.Score)
		h.Int(deaths, mid, 15.5, scene.Sans, scene.Right, dim, r.Deaths)
		if r.Ping < 0 {
			h.Text(ping, mid, 13, scene.Sans, scene.Right, faint, "bot")
			continue
		}
		pc := good
		if r.Ping > 120 {
			pc = bad
		} else if r.Ping > 60 {
			pc = accent
		}
		h.Int(ping, mid, 15.5, scene.Sans, scene.Right, pc, r.Ping)
	}
	h.Text(h.Width/2, y+height-17, 12.5, scene.Sans, scene.Centre, faint, b.Foot)
}
