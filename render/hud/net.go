package hud

import (
	"math"
	"strconv"

	"github.com/sightline-engine/sightline/render/scene"
)

// netGraph draws the connection in the upper left: one column per snapshot, up
// from the line for the time that it came too early by, down for too late, and
// below it how many bytes it had.
func netGraph(h *scene.HUD, n *NetGraph) {
	if n == nil || h.Width < 300 {
		return
	}
	const w, height, column = 268, 138, 2
	x, y := float32(margin), float32(margin)
	h.Panel(x, y, w, height, 8, plate2, plate2)
	samples := n.Samples
	if most := (w - 24) / column; len(samples) > most {
		samples = samples[len(samples)-most:]
	}
	line, floor := y+43, y+75
	h.Rect(x+12, line, w-24, 1, faint)
	sx := x + w - 12 - column*float32(len(samples))
	for i := range samples {
		s := &samples[i]
		c := good
		switch s.Kind {
		case Late:
			c = accent
		case Lost:
			h.Rect(sx, y+20, column, floor-y-20, bad.Alpha(0.75))
			sx += column
			continue
		case Choked:
			c = scene.RGBA{R: 240, G: 220, B: 90, A: 255}
		case Predicted:
			c = scene.RGBA{R: 220, G: 120, B: 255, A: 255}
		}
		m := sane(s.MarginMs)
		if m >= 0 {
			t := min(m*0.5, 22)
			h.Rect(sx, line-t, column, max(t, 1), c)
		} else {
			h.Rect(sx, line+1, column, min(-m*0.5, 12), c)
		}
		t := min(float32(max(s.Bytes, 0))/60, 18)
		h.Rect(sx, floor-t, column, t, cool.Alpha(0.8))
		sx += column
	}
	h.Rect(x+12, floor, w-24, 1, faint.Alpha(0.5))

	left, right := x+12, x+w-12
	from := h.Mark()
	h.Bytes = fixed(append(h.Bytes, "ping "...), n.PingMs, 0)
	h.Bytes = fixed(append(h.Bytes, " ms  jitter "...), n.JitterMs, 1)
	h.Bytes = fixed(append(h.Bytes, "  delay "...), n.DelayMs, 0)
	h.TextFrom(from, left, y+87, 11.5, scene.Mono, scene.Left, ink)

	from = h.Mark()
	h.Bytes = fixed(append(h.Bytes, "in "...), n.InBps/1000, 1)
	h.Bytes = fixed(append(h.Bytes, " kB/s "...), n.InHz, 0)
	h.Bytes = fixed(append(h.Bytes, "/s  out "...), n.OutBps/1000, 1)
	h.Bytes = fixed(append(h.Bytes, " "...), n.OutHz, 0)
	h.Bytes = append(h.Bytes, "/s"...)
	h.TextFrom(from, left, y+103, 11.5, scene.Mono, scene.Left, dim)

	from = h.Mark()
	c := dim
	if n.LossShare > 0.01 || n.ChokeShare > 0.01 {
		c = bad
	}
	h.Bytes = fixed(append(h.Bytes, "lost "...), n.LossShare*100, 1)
	h.Bytes = fixed(append(h.Bytes, "% choked "...), n.ChokeShare*100, 1)
	h.Bytes = strconv.AppendInt(append(h.Bytes, "% miss "...), int64(n.Errors), 10)
	h.TextFrom(from, left, y+119, 11.5, scene.Mono, scene.Left, c)

	from = h.Mark()
	h.Bytes = strconv.AppendInt(append(h.Bytes, "known "...), int64(n.Known), 10)
	if n.Withheld >= 0 {
		h.Bytes = strconv.AppendInt(append(h.Bytes, " / withheld "...), int64(n.Withheld), 10)
	}
	h.TextFrom(from, right, y+12, 11, scene.Mono, scene.Right, accent)
}

// sane returns a number that can be drawn.
func sane(v float32) float32 {
	if v != v || math.IsInf(float64(v), 0) {
		return 0
	}
	return v
}

// fixed appends a number with a fixed count of decimals.
func fixed(b []byte, v float32, decimals int) []byte {
	return strconv.AppendFloat(b, float64(sane(v)), 'f', decimals, 32)
}

// stats draws names and values in the upper left, below the net graph's place.
func stats(h *scene.HUD, list []Stat) {
	x, y := float32(margin), float32(margin)+150
	if len(list) == 0 {
		return
	}
	const row = 16
	most := max(int((h.Height-y-200)/row), 0)
	list = list[:min(len(list), most)]
	if len(list) == 0 {
		return
	}
	h.Panel(x, y, 268, row*float32(len(list))+14, 8, plate2, plate2)
	for i := range list {
		ly := y + 15 + row*float32(i)
		h.Text(x+12, ly, 12, scene.Mono, scene.Left, dim, list[i].Name)
		h.Text(x+256, ly, 12, scene.Mono, scene.Right, ink, list[i].Value)
	}
}
