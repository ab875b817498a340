package desktop

import (
	"strings"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window/input"
)

// Field is what has the keyboard instead of the game.
type Field uint8

// The fields.
const (
	NoField Field = iota
	ConsoleField
	ChatField // to everybody
	TeamField // to the own team
	MenuField
)

// Limits of the console.
const (
	maxLines = 1000
	maxInput = 1024 // runes
)

// Overlay is the console, the line of chat and the menu: everything that is typed.
// It is an io.Writer for what commands print.
type Overlay struct {
	// Submit runs a finished line; Clipboard returns what is to be pasted, may be
	// nil; Pick does what a menu's line says.
	Submit    func(f Field, line string)
	Pick      func(item int)
	Clipboard func() string

	reg     *console.Registry
	History console.History

	field    Field
	open     float32
	lines    []hud.Line
	partial  []byte
	columns  int
	rows     int
	scroll   int
	input    []rune
	cursor   int
	back     int
	draft    string
	matches  []console.Match
	shown    []hud.Completion
	selected int
	cycling  bool
	blink    float64
	item     int
	model    hud.Console
	pointer  [2]float64 // window units
	pixels   float64    // per window unit
	menuBox  [3]float32 // left, top, scale of the menu as drawn last
}

// MenuItems are the lines of the menu.
var MenuItems = [...]string{"Back to the game", "Console", "Leave"}

// Indexes of MenuItems.
const (
	MenuBack = iota
	MenuConsole
	MenuLeave
)

// NewOverlay returns a closed overlay over a registry.
func NewOverlay(r *console.Registry) *Overlay {
	return &Overlay{reg: r, columns: 120, rows: 20, selected: -1, pixels: 1}
}

// Field returns what is open.
func (o *Overlay) Field() Field { return o.field }

// Open gives the keyboard to a field; NoField closes whatever is open.
func (o *Overlay) Open(f Field) {
	o.field = f
	o.setInput("")
	o.back, o.scroll, o.item, o.blink = 0, 0, 0, 0
}

// Toggle opens a field, or closes it when it is open.
func (o *Overlay) Toggle(f Field) {
	if o.field == f {
		f = NoField
	}
	o.Open(f)
}

// Write adds what a command prints to the scrollback.
func (o *Overlay) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := 0
		for i < len(p) && p[i] != '\n' {
			i++
		}
		if len(o.partial) < 4*console.MaxLine {
			o.partial = append(o.partial, p[:i]...)
		}
		if i == len(p) {
			break
		}
		o.Print(string(o.partial), scene.RGBA{})
		o.partial = o.partial[:0]
		p = p[i+1:]
	}
	return n, nil
}

// Print adds a line, wrapped to the width of the picture. The zero colour is the
// usual one.
func (o *Overlay) Print(text string, c scene.RGBA) {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	for first := true; first || text != ""; first = false {
		cut, n := len(text), 0
		for i := range text {
			if n == o.columns {
				cut = i
				break
			}
			n++
		}
		if len(o.lines) >= maxLines {
			o.lines = append(o.lines[:0], o.lines[maxLines/4:]...)
		}
		o.lines = append(o.lines, hud.Line{Text: text[:cut], Color: c})
		if o.scroll > 0 {
			o.scroll++
		}
		text = text[cut:]
	}
}

// Clear empties the scrollback.
func (o *Overlay) Clear() { o.lines, o.scroll = o.lines[:0], 0 }

// Input returns what is typed so far.
func (o *Overlay) Input() string { return string(o.input) }

// Feed takes one event while a field is open.
func (o *Overlay) Feed(e input.Event) {
	o.blink = 0
	switch e.Kind {
	case input.Char:
		if o.field != MenuField {
			o.insert(e.Rune)
		}
	case input.Press, input.Repeat:
		if o.field == MenuField {
			o.menuKey(e)
			return
		}
		o.key(e)
	case input.Scroll:
		o.move(int(e.Y * 3))
	case input.Cursor:
		o.pointer = [2]float64{e.X, e.Y}
	}
}

func (o *Overlay) menuKey(e input.Event) {
	switch e.Key {
	case input.Escape:
		o.Pick(MenuBack)
	case input.Up, input.W:
		o.item = (o.item + len(MenuItems) - 1) % len(MenuItems)
	case input.Down, input.S, input.Tab:
		o.item = (o.item + 1) % len(MenuItems)
	case input.Enter, input.PadEnter, input.Space:
		o.Pick(o.item)
	case input.Mouse1:
		if o.overItem() >= 0 {
			o.Pick(o.overItem())
		}
	}
}

func (o *Overlay) key(e input.Event) {
	ctrl := e.Mods&input.Control != 0
	if e.Key != input.Tab {
		o.cycling = false
	}
	switch {
	case e.Key == input.Escape:
		o.Open(NoField)
	case e.Key == input.Enter || e.Key == input.PadEnter:
		o.submit()
	case e.Key == input.Backspace && ctrl, ctrl && e.Key == input.W:
		i := o.cursor
		for i > 0 && o.input[i-1] == ' ' {
			i--
		}
		for i > 0 && o.input[i-1] != ' ' {
			i--
		}
		o.cut(i, o.cursor)
	case e.Key == input.Backspace:
		o.cut(o.cursor-1, o.cursor)
	case e.Key == input.Delete:
		o.cut(o.cursor, o.cursor+1)
	case ctrl && e.Key == input.U:
		o.cut(0, o.cursor)
	case ctrl && e.Key == input.L:
		o.Clear()
	case ctrl && e.Key == input.V:
		if o.Clipboard != nil {
			for _, r := range o.Clipboard() {
				if r == '\n' || r == '\r' {
					break
				}
				o.insert(r)
			}
		}
	case e.Key == input.Left:
		o.cursor = max(o.cursor-1, 0)
	case e.Key == input.Right:
		o.cursor = min(o.cursor+1, len(o.input))
	case e.Key == input.Home:
		o.cursor = 0
	case e.Key == input.End:
		o.cursor, o.scroll = len(o.input), 0
	case e.Key == input.Up && o.field == ConsoleField:
		o.recall(1)
	case e.Key == input.Down && o.field == ConsoleField:
		o.recall(-1)
	case e.Key == input.PageUp:
		o.move(max(o.rows-2, 1))
	case e.Key == input.PageDown:
		o.move(-max(o.rows-2, 1))
	case e.Key == input.Tab && o.field == ConsoleField:
		o.complete(e.Mods&input.Shift != 0)
	}
}

func (o *Overlay) move(by int) {
	o.scroll = min(max(o.scroll+by, 0), max(len(o.lines)-1, 0))
}

func (o *Overlay) insert(r rune) {
	if r < ' ' || r == 0x7f || !utf8.ValidRune(r) || len(o.input) >= maxInput {
		return
	}
	o.input = append(o.input, 0)
	copy(o.input[o.cursor+1:], o.input[o.cursor:])
	o.input[o.cursor] = r
	o.cursor++
	o.edited()
}

func (o *Overlay) cut(from, to int) {
	from, to = max(from, 0), min(to, len(o.input))
	if from >= to {
		return
	}
	o.input = append(o.input[:from], o.input[to:]...)
	o.cursor = from
	o.edited()
}

func (o *Overlay) setInput(s string) {
	o.input = append(o.input[:0], []rune(s)...)
	o.cursor = len(o.input)
	o.edited()
}

// edited looks up what the line could become.
func (o *Overlay) edited() {
	o.cycling, o.selected = false, -1
	o.matches, o.shown = o.matches[:0], o.shown[:0]
	line := string(o.input)
	if o.field != ConsoleField || strings.TrimSpace(line) == "" {
		return
	}
	o.matches = o.reg.Complete(line)
	if len(o.matches) == 1 && strings.HasSuffix(line, o.matches[0].Text) {
		// Typed out already: what it is stays in sight.
		o.selected = 0
	}
	for _, m := range o.matches[:min(len(o.matches), 64)] {
		c := hud.Completion{Name: m.Text, Help: m.Help}
		if info, ok := o.reg.Lookup(m.Text); ok {
			c.Value = info.Value
		}
		o.shown = append(o.shown, c)
	}
}

// complete finishes the last word as far as it is certain, then goes through the
// ways to go on.
func (o *Overlay) complete(backwards bool) {
	if len(o.matches) == 0 {
		return
	}
	if !o.cycling {
		if len(o.matches) == 1 {
			o.setInput(o.head() + o.matches[0].Text + " ")
			return
		}
		common := o.matches[0].Text
		for _, m := range o.matches[1:] {
			for !strings.HasPrefix(m.Text, common) {
				_, n := utf8.DecodeLastRuneInString(common)
				common = common[:len(common)-n]
			}
		}
		head := o.head()
		if len(common) > len(string(o.input))-len(head) {
			o.setInput(head + common)
			return
		}
		o.cycling = true
	}
	step := 1
	if backwards {
		step = -1
		if o.selected < 0 {
			o.selected = 0
		}
	}
	n := len(o.shown)
	o.selected = (o.selected + step + n) % n
	o.input = append(o.input[:0], []rune(o.head()+o.shown[o.selected].Name)...)
	o.cursor = len(o.input)
}

// head is the line up to its last word.
func (o *Overlay) head() string {
	line := string(o.input)
	return line[:strings.LastIndexAny(line, " ;")+1]
}

func (o *Overlay) recall(step int) {
	if o.back == 0 {
		o.draft = string(o.input)
	}
	n := o.back + step
	if n < 0 || n > o.History.Len() {
		return
	}
	o.back = n
	if n == 0 {
		o.setInput(o.draft)
		return
	}
	o.setInput(o.History.Back(n))
}

func (o *Overlay) submit() {
	line, f := string(o.input), o.field
	o.setInput("")
	o.back, o.scroll = 0, 0
	if f != ConsoleField {
		o.Open(NoField)
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	if f == ConsoleField && !o.reg.Sensitive(line) {
		o.History.Add(line)
		o.Print("> "+line, scene.RGBA{R: 255, G: 190, B: 120, A: 255})
	}
	if o.Submit != nil {
		o.Submit(f, line)
	}
}

// Draw adds the overlay to a picture that has everything else on it already.
func (o *Overlay) Draw(h *scene.HUD, dt float32, version string) *hud.Console {
	goal := float32(0)
	if o.field == ConsoleField {
		goal = 1
	}
	o.open = min(max(towards(o.open, goal, 0.05, dt), 0), 1)
	if o.open < 0.01 {
		o.open = 0
	}
	o.blink += float64(dt)
	o.columns, o.rows = hud.ConsoleColumns(h), hud.ConsoleRows(h)
	switch o.field {
	case ChatField, TeamField:
		o.chat(h)
	case MenuField:
		o.menu(h)
	}
	if o.open == 0 {
		return nil
	}
	o.model = hud.Console{
		Open: o.open, Lines: o.lines, Scroll: o.scroll, Version: version, Selected: o.selected,
		Input: o.input, Cursor: o.cursor, Blink: o.blink-float64(int(o.blink)) < 0.5 && o.field == ConsoleField,
	}
	if o.field == ConsoleField {
		o.model.Completions = o.shown
	}
	return &o.model
}

func (o *Overlay) chat(h *scene.HUD) {
	y := h.Height - 170
	label, lx := "Say", float32(66)
	if o.field == TeamField {
		label, lx = "Team", 78
	}
	h.Panel(22, y-16, min(h.Width-44, 620), 32, 6, scene.RGBA{R: 10, G: 14, B: 20, A: 220}, scene.RGBA{R: 10, G: 14, B: 20, A: 220})
	h.Text(34, y, 15, scene.Bold, scene.Left, scene.RGBA{R: 255, G: 158, B: 64, A: 255}, label)
	from := h.Mark()
	first := max(len(o.input)-58, 0)
	for i, r := range o.input[first:] {
		if first+i == o.cursor {
			h.Bytes = append(h.Bytes, '|')
		}
		h.Bytes = utf8.AppendRune(h.Bytes, r)
	}
	if o.cursor == len(o.input) {
		h.Bytes = append(h.Bytes, '|')
	}
	h.TextFrom(from, lx+12, y, 14, scene.Mono, scene.Left, scene.RGBA{R: 236, G: 240, B: 244, A: 255})
}

const (
	menuRow   = 46
	menuWidth = 320
)

func (o *Overlay) menu(h *scene.HUD) {
	if i := o.overItem(); i >= 0 {
		o.item = i
	}
	h.Rect(0, 0, h.Width, h.Height, scene.RGBA{R: 4, G: 6, B: 10, A: 120})
	x, y := h.Width/2-menuWidth/2, h.Height/2-menuRow*1.5
	o.menuBox = [3]float32{x, y, h.Scale}
	h.Panel(x-20, y-66, menuWidth+40, menuRow*float32(len(MenuItems))+90, 12, scene.RGBA{R: 13, G: 19, B: 28, A: 240}, scene.RGBA{R: 8, G: 12, B: 18, A: 240})
	h.Text(h.Width/2, y-32, 24, scene.Bold, scene.Centre, scene.RGBA{R: 236, G: 240, B: 244, A: 255}, "Sightline")
	for i, t := range MenuItems {
		c := scene.RGBA{R: 30, G: 40, B: 54, A: 255}
		if i == o.item {
			c = scene.RGBA{R: 150, G: 84, B: 26, A: 255}
		}
		h.Panel(x, y+menuRow*float32(i), menuWidth, menuRow-8, 6, c, c)
		h.Text(h.Width/2, y+menuRow*float32(i)+(menuRow-8)/2, 18, scene.Bold, scene.Centre, scene.RGBA{R: 236, G: 240, B: 244, A: 255}, t)
	}
}

// overItem is the menu line under the pointer, -1 when there is none.
func (o *Overlay) overItem() int {
	if o.field != MenuField || o.menuBox[2] == 0 {
		return -1
	}
	k := float64(o.menuBox[2]) / o.PixelsPerUnit()
	x, y := o.pointer[0]/k-float64(o.menuBox[0]), o.pointer[1]/k-float64(o.menuBox[1])
	if x < 0 || x > menuWidth || y < 0 || y >= menuRow*float64(len(MenuItems)) {
		return -1
	}
	return int(y / menuRow)
}

// PixelsPerUnit is how many pixels a window unit has, in which the pointer moves.
func (o *Overlay) PixelsPerUnit() float64 { return max(o.pixels, 1e-3) }

// SetPixels says how many pixels a window unit has.
func (o *Overlay) SetPixels(perUnit float64) { o.pixels = perUnit }
