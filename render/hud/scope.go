package hud

import (
	"math"
	"strconv"

	"github.com/sightline-engine/sightline/render/scene"
)

// ScopeUnits is how wide the round picture is: as high as the smallest layout, so that
// it holds what is as high as the optic's angle.
const ScopeUnits = scene.HUDHeight

// scope draws what is around the round picture of an optic, and its marks.
func scope(h *scene.HUD, s *Scope) {
	k := min(max(sane(s.Shown), 0), 1)
	if k <= 0 {
		return
	}
	x, y := h.Width/2, h.Height/2
	radius := h.Height / 2
	if full := h.Width / 2; radius > full {
		radius = full
	}
	dark := scene.RGBA{A: 255}.Alpha(k)
	// What is outside, in rows; the rim covers their steps.
	const rows = 120
	row := 2 * radius / rows
	for i := range rows {
		top := y - radius + float32(i)*row
		mid := (float32(i)+0.5)/rows*2 - 1
		half := radius * float32(math.Sqrt(float64(1-mid*mid)))
		h.Rect(0, top, x-half, row+0.5, dark)
		h.Rect(x+half, top, h.Width-x-half, row+0.5, dark)
	}
	h.Rect(0, 0, h.Width, y-radius, dark)
	h.Rect(0, y+radius, h.Width, h.Height-y-radius, dark)
	ring(h, x, y, radius-2, 9, dark)
	ring(h, x, y, radius-10, 8, scene.RGBA{A: 120}.Alpha(k))
	reticle(h, s, x, y, radius, k)
}

// ring is a circle of short lines.
func ring(h *scene.HUD, x, y, radius, wide float32, c scene.RGBA) {
	const parts = 96
	px, py := x+radius, y
	for i := 1; i <= parts; i++ {
		sin, cos := math.Sincos(float64(i) * 2 * math.Pi / parts)
		qx, qy := x+radius*float32(cos), y+radius*float32(sin)
		h.Line(px, py, qx, qy, wide, c)
		px, py = qx, qy
	}
}

// reticle is a fine cross that leaves the middle free, with heavier arms outside and
// marks to measure by: the gap is where the next shot may go.
func reticle(h *scene.HUD, s *Scope, x, y, radius, k float32) {
	fine, heavy := scene.RGBA{R: 8, G: 10, B: 12, A: 230}.Alpha(k), scene.RGBA{R: 6, G: 8, B: 10, A: 250}.Alpha(k)
	gap := min(max(sane(s.Gap), 3), radius*0.4)
	for _, d := range [4][2]float32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		at := func(r float32) (float32, float32) { return x + d[0]*r, y + d[1]*r }
		x0, y0 := at(gap)
		x1, y1 := at(radius * 0.55)
		x2, y2 := at(radius - 6)
		h.Line(x0, y0, x1, y1, 1.4, fine)
		h.Line(x1, y1, x2, y2, 4, heavy)
		for n := range 4 {
			mx, my := at(radius * 0.11 * float32(n+1))
			h.Line(mx-d[1]*5, my-d[0]*5, mx+d[1]*5, my+d[0]*5, 1.2, fine)
		}
	}
	red := scene.RGBA{R: 255, G: 60, B: 48, A: 240}.Alpha(k)
	h.Panel(x-2, y-2, 4, 4, 2, red, red)
	if z := sane(s.Zoom); z > 1 {
		pale := scene.RGBA{R: 200, G: 206, B: 214, A: 200}.Alpha(k)
		h.Text(x+radius*0.8, y+radius*0.76, 20, scene.Mono, scene.Left, pale, strconv.Itoa(int(z+0.5))+"x")
	}
}
