package hud

import (
	"unicode/utf8"

	"github.com/sightline-engine/sightline/render/scene"
)

// Sizes of the console.
const (
	consoleText = 14
	consoleRow  = 19
	consolePart = 0.55 // of the height
	monoAdvance = 0.6  // of the size, as text.MonoAdvance
	// listRows bounds the completions that are shown at once.
	listRows = 9
)

// ConsoleRows returns how many lines of scrollback a HUD of this size shows, by
// which a page key scrolls.
func ConsoleRows(h *scene.HUD) int {
	return max(int((h.Height*consolePart-consoleRow*2-10)/consoleRow), 0)
}

// ConsoleColumns returns how many characters one line has; the console's owner
// wraps lines by it.
func ConsoleColumns(h *scene.HUD) int {
	return max(int((h.Width-2*margin)/(consoleText*monoAdvance)), 1)
}

// console draws the text console over everything else.
func console(h *scene.HUD, c *Console) {
	if c == nil || !(c.Open > 0) {
		return
	}
	open := min(c.Open, 1)
	height := h.Height * consolePart
	top := -height * (1 - open)
	back := scene.RGBA{R: 8, G: 12, B: 18, A: 236}
	h.Panel(0, top, h.Width, height, 0, scene.RGBA{R: 13, G: 19, B: 28, A: 240}, back)
	h.Rect(0, top+height-2, h.Width, 2, accent)
	h.Text(h.Width-margin, top+height-consoleRow*0.9, 11.5, scene.Mono, scene.Right, faint, c.Version)

	rows := ConsoleRows(h)
	last := len(c.Lines) - min(max(c.Scroll, 0), max(len(c.Lines)-1, 0))
	y := top + height - consoleRow*2 - 6
	for i := last - 1; i >= 0 && i >= last-rows; i-- {
		col := c.Lines[i].Color
		if col.A == 0 {
			col = scene.RGBA{R: 206, G: 214, B: 222, A: 255}
		}
		h.Text(margin, y, consoleText, scene.Mono, scene.Left, col, c.Lines[i].Text)
		y -= consoleRow
	}
	if last < len(c.Lines) {
		// More lies below: a broken line says so.
		for x := float32(margin); x < h.Width-margin && x < 4000; x += 48 {
			h.Rect(x, top+height-consoleRow*1.55, 24, 1.5, accent.Alpha(0.7))
		}
	}
	inputLine(h, c, top+height-consoleRow*0.9)
	completions(h, c, top+height+6)
}

// inputLine draws what is being typed, moved so that the cursor is in sight.
func inputLine(h *scene.HUD, c *Console, y float32) {
	h.Text(margin, y, consoleText, scene.Mono, scene.Left, accent, ">")
	columns := max(ConsoleColumns(h)-24, 4)
	cursor := min(max(c.Cursor, 0), len(c.Input))
	first := max(cursor-columns, 0)
	from := h.Mark()
	for i := first; i < len(c.Input) && i < first+columns+8; i++ {
		h.Bytes = utf8.AppendRune(h.Bytes, c.Input[i])
	}
	x := float32(margin) + 2*consoleText*monoAdvance
	h.TextFrom(from, x, y, consoleText, scene.Mono, scene.Left, ink)
	if c.Blink {
		// The drawer rounds a mono advance to whole pixels, and so does this.
		px := h.Scale * consoleText
		advance := float32(int(px*monoAdvance+0.5)) / max(h.Scale, 1e-6)
		h.Rect(x+float32(cursor-first)*advance, y-8, 2, 16, accent)
	}
}

// completions draws the ways to go on, with what each is for.
func completions(h *scene.HUD, c *Console, y float32) {
	n := len(c.Completions)
	if n == 0 {
		return
	}
	first := 0
	if c.Selected >= listRows {
		first = min(c.Selected-listRows+1, n-1)
	}
	shown := min(n-first, listRows)
	name, value := 12, 6
	for i := first; i < first+shown; i++ {
		name = max(name, min(len(c.Completions[i].Name), 40))
		value = max(value, min(len(c.Completions[i].Value), 24))
	}
	const ch = consoleText * monoAdvance
	w := min(h.Width-2*margin, 940)
	h.Panel(margin, y, w, consoleRow*float32(shown)+12, 6, plate2, scene.RGBA{R: 10, G: 14, B: 20, A: 232})
	for i := range shown {
		e := &c.Completions[first+i]
		ly := y + 6 + consoleRow*(float32(i)+0.5)
		if first+i == c.Selected {
			h.Panel(margin+4, ly-consoleRow/2, w-8, consoleRow, 4, accent.Alpha(0.25), accent.Alpha(0.25))
		}
		x := float32(margin) + 12
		h.Text(x, ly, consoleText, scene.Mono, scene.Left, ink, e.Name)
		x += ch * float32(name+2)
		h.Text(x, ly, consoleText, scene.Mono, scene.Left, accent, e.Value)
		x += ch * float32(value+2)
		if x < margin+w-80 {
			h.Text(x, ly, 13, scene.Sans, scene.Left, dim, e.Help)
		}
	}
}
