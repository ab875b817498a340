package desktop

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
)

// Showing is what vis.draw shows, a bit each.
type Showing uint8

// What can be shown, in the order of showWords.
const (
	ShowCandidates Showing = 1 << iota // who the viewer is told of, and why
	ShowWithheld                       // who is withheld from it, and why
	ShowRays                           // lines from its eye to theirs
	ShowCones                          // of its optic
	ShowSmokes                         // clouds as large as they hide
)

var showWords = [...]string{"candidates", "withheld", "rays", "cones", "smokes"}

// showAll is the word for all of them.
const showAll = "all"

// showWord refuses a word that vis.draw does not know.
func showWord(s string) error {
	for _, w := range showWords {
		if s == w {
			return nil
		}
	}
	if s == showAll {
		return nil
	}
	return fmt.Errorf("%.40q is nothing to show: there are %s, and %s", s, strings.Join(showWords[:], ", "), showAll)
}

// showing returns the bits of some words.
func showing(words []string) (s Showing) {
	for _, w := range words {
		if w == showAll {
			return 1<<len(showWords) - 1
		}
		for i := range showWords {
			if w == showWords[i] {
				s |= 1 << i
			}
		}
	}
	return s
}

// Inks of what a viewer knows, the same as in pictures of scenes: amber was sent, pale
// and hollow was not, green is a clear line, red a blocked one.
var (
	inkTold  = scene.RGBA{R: 255, G: 176, B: 60, A: 255}
	inkHid   = scene.RGBA{R: 206, G: 214, B: 226, A: 255}
	inkClear = scene.RGBA{R: 96, G: 220, B: 130, A: 255}
	inkBlock = scene.RGBA{R: 255, G: 92, B: 80, A: 255}
	inkCone  = scene.RGBA{R: 120, G: 190, B: 255, A: 255}
	inkSmoke = scene.RGBA{R: 216, G: 216, B: 222, A: 255}
	inkShade = scene.RGBA{R: 8, G: 11, B: 16, A: 200}
)

const (
	maxSmokeRings = 8
	labelled      = 12   // candidates that have words: the nearest
	eyeLow        = 0.78 // metres under the view's axis, at 0.9 ahead
	coneShown     = 18   // metres at which the ring of a cone is drawn
)

// DrawInsight adds what a viewer knows to a frame that looks through its eyes.
func DrawInsight(f *scene.Frame, w, h int, n *server.Insight, show Showing, name func(state.ID) string) {
	if show&ShowSmokes != 0 {
		for i := range min(len(n.Smokes), maxSmokeRings) {
			c := &n.Smokes[i]
			for ring := range 3 {
				circle(f, gl(c.At), alongAxis(ring+1), alongAxis(ring+2), c.Radius, inkSmoke.Alpha(0.35+0.5*c.Density))
			}
			from := f.HUD.Mark()
			f.HUD.Bytes = append(appendM(append(f.HUD.Bytes, "smoke, "...), c.Radius), " round"...)
			label(f, w, h, gl(c.At).Add(mgl32.Vec3{0, 0, c.Radius}), 0, from, 12, inkSmoke)
		}
	}
	if show&ShowCones != 0 && n.Cone.Magnification > 1 {
		coneRing(f, w, h, n)
	}
	if show&ShowRays != 0 {
		// From below the picture's middle and not from the eye itself, whose own lines would
		// be points.
		ahead, _, up := vec.Axes(f.Camera.Yaw, f.Camera.Pitch)
		eye := f.Camera.Pos.Add(gl(ahead).Mul(0.9)).Sub(gl(up).Mul(eyeLow))
		for i := range n.Bodies {
			c := &n.Bodies[i]
			if c.Kind != state.KindPlayer || c.Why == server.WhyRange || c.Why == server.WhyBody || !show.has(c) {
				continue
			}
			if c.Clear {
				f.Lines = append(f.Lines, scene.Line{A: eye, B: gl(c.To), Color: inkClear.Alpha(0.9), OnTop: true})
				continue
			}
			f.Lines = append(f.Lines,
				scene.Line{A: eye, B: gl(c.To), Color: inkBlock.Alpha(0.6), OnTop: true},
				scene.Line{A: gl(c.To), B: gl(c.Eye), Color: inkBlock.Alpha(0.25), OnTop: true})
			for k := range 3 {
				d := alongAxis(k).Mul(0.15)
				f.Lines = append(f.Lines, scene.Line{A: gl(c.To).Sub(d), B: gl(c.To).Add(d), Color: inkBlock, OnTop: true})
			}
		}
	}
	var frames [maxFrames]bodyFrame
	count := min(len(n.Bodies), len(frames))
	said := 0
	for i := range count {
		b := &frames[i]
		if b.on = show.has(&n.Bodies[i]) && b.fit(f, w, h, &n.Bodies[i]); !b.on {
			continue
		}
		b.words = said < labelled
		for k := range i {
			b.words = b.words && !(frames[k].on && frames[k].words && b.overlaps(&frames[k]))
		}
		if b.words {
			said++
		}
	}
	for i := count - 1; i >= 0; i-- { // the nearest last, on top
		if frames[i].on {
			frames[i].draw(&f.HUD, n, &n.Bodies[i], name)
		}
	}
	headline(f, n, name)
}

// has reports whether a candidate is among what is shown. Rays alone are shown of all.
func (s Showing) has(c *server.Candidate) bool {
	if s&(ShowCandidates|ShowWithheld) == 0 {
		return s&ShowRays != 0
	}
	return c.Told && s&ShowCandidates != 0 || !c.Told && s&ShowWithheld != 0
}

func alongAxis(i int) (v mgl32.Vec3) { v[i%3] = 1; return v }

// circle adds a circle in the plane of two directions.
func circle(f *scene.Frame, at, a, b mgl32.Vec3, r float32, c scene.RGBA) {
	const steps = 28
	last := at.Add(a.Mul(r))
	for k := 1; k <= steps; k++ {
		s, co := vec.SinCos(float32(k) * 360 / steps)
		p := at.Add(a.Mul(r * co)).Add(b.Mul(r * s))
		f.Lines = append(f.Lines, scene.Line{A: last, B: p, Color: c, OnTop: true})
		last = p
	}
}

// coneRing shows how wide the cone of an optic is, at some distance.
func coneRing(f *scene.Frame, w, h int, n *server.Insight) {
	c := &n.Cone
	far := min(c.RangeM, coneShown)
	yaw, pitch := vec.Angles(c.Dir)
	_, right, up := vec.Axes(yaw, pitch)
	s, co := vec.SinCos(c.HalfDeg)
	mid := gl(c.Eye.Mad(far*co, c.Dir))
	circle(f, mid, gl(right), gl(up), far*s, inkCone)
	from := f.HUD.Mark()
	b := append(f.HUD.Bytes, "cone \u00d7"...)
	b = strconv.AppendFloat(b, float64(c.Magnification), 'f', 1, 32)
	b = append(b, ", \u00b1"...)
	b = strconv.AppendFloat(b, float64(c.HalfDeg), 'f', 1, 32)
	b = append(b, "\u00b0, to "...)
	f.HUD.Bytes = appendM(b, c.RangeM)
	label(f, w, h, mid.Add(gl(up).Mul(far*s)), -10, from, 12, inkCone)
}

func appendM(b []byte, m float32) []byte {
	prec := 0
	if m < 10 {
		prec = 1
	}
	return append(strconv.AppendFloat(b, float64(m), 'f', prec, 32), " m"...)
}

// label writes the text from a mark at a place of the world, on a dark ground; what is
// not on the screen is taken back.
func label(f *scene.Frame, w, h int, at mgl32.Vec3, up float32, from int, size float32, c scene.RGBA) {
	hd := &f.HUD
	px, py, ok := draw.Project(&f.Camera, w, h, at)
	x, y := px/max(hd.Scale, 1e-3), py/max(hd.Scale, 1e-3)+up
	if !ok || x < 0 || y < 0 || x > hd.Width || y > hd.Height {
		hd.Bytes = hd.Bytes[:from]
		return
	}
	plate(hd, x, y, size, from)
	hd.TextFrom(from, x, y, size, scene.Sans, scene.Centre, c)
}

// plate is the dark ground of a text in the middle at x.
func plate(hd *scene.HUD, x, y, size float32, from int) {
	wide := float32(len(hd.Bytes)-from)*size*0.54 + 10
	hd.Panel(x-wide/2, y-size*0.75, wide, size*1.5, 3, inkShade, inkShade)
}

// maxFrames is as many candidates as an Insight holds.
const maxFrames = 32

// bodyFrame is a frame around a candidate on the screen, in HUD units.
type bodyFrame struct {
	on, words      bool
	x0, y0, x1, y1 float32
}

// fit finds the frame; false when it is not on the screen.
func (b *bodyFrame) fit(f *scene.Frame, w, h int, c *server.Candidate) bool {
	hd := &f.HUD
	if hd.Scale <= 0 {
		return false
	}
	b.x0, b.y0, b.x1, b.y1 = hd.Width, hd.Height, 0, 0
	for k := range 8 {
		p := c.Box.Min
		for a := range 3 {
			if k>>a&1 == 1 {
				p = p.With(a, c.Box.Max.At(a))
			}
		}
		px, py, ok := draw.Project(&f.Camera, w, h, gl(p))
		if !ok {
			return false // at or behind the eye
		}
		b.x0, b.x1 = min(b.x0, px/hd.Scale), max(b.x1, px/hd.Scale)
		b.y0, b.y1 = min(b.y0, py/hd.Scale), max(b.y1, py/hd.Scale)
	}
	return b.x1 >= 0 && b.y1 >= 0 && b.x0 <= hd.Width && b.y0 <= hd.Height
}

// overlaps reports whether the words over two frames would cover each other.
func (b *bodyFrame) overlaps(o *bodyFrame) bool {
	const wide, high = 120, 34
	return vec.Abs(b.x0+b.x1-o.x0-o.x1)/2 < wide && vec.Abs(b.y0-o.y0) < high
}

// draw puts the frame around a candidate: filled where it is told of, hollow where it is
// withheld, with who, how far and why.
func (b *bodyFrame) draw(hd *scene.HUD, n *server.Insight, c *server.Candidate, name func(state.ID) string) {
	x0, y0, x1, y1 := b.x0, b.y0, b.x1, b.y1
	ink, alpha := inkHid, vec.Clamp(1.25-c.Far/140, 0.5, 1)
	if c.Told {
		ink = inkTold
		hd.Panel(x0, y0, x1-x0, y1-y0, 2, ink.Alpha(0.5*alpha), ink.Alpha(0.3*alpha))
	}
	ink = ink.Alpha(alpha)
	for _, l := range [...][4]float32{{x0, y0, x1, y0}, {x1, y0, x1, y1}, {x1, y1, x0, y1}, {x0, y1, x0, y0}} {
		hd.Line(l[0], l[1], l[2], l[3], 1.6, ink)
	}
	if !b.words {
		return
	}
	mid := (x0 + x1) / 2
	from := hd.Mark()
	hd.Bytes = append(hd.Bytes, candidateName(c, name)...)
	hd.Bytes = append(hd.Bytes, ' ')
	hd.Bytes = appendM(hd.Bytes, c.Far)
	plate(hd, mid, y0-24, 13, from)
	hd.TextFrom(from, mid, y0-24, 13, scene.Bold, scene.Centre, ink)
	from = hd.Mark()
	hd.Bytes = appendWhy(hd.Bytes, c)
	hd.Bytes = append(hd.Bytes, ' ')
	hd.Bytes = appendSince(hd.Bytes, n, c)
	why := inkHid
	switch {
	case c.Told:
		why = inkTold
	case c.Why == server.WhyLine || c.Why == server.WhySmoke:
		why = inkBlock
	case c.Clear:
		why = inkClear
	}
	plate(hd, mid, y0-8, 11, from)
	hd.TextFrom(from, mid, y0-8, 11, scene.Sans, scene.Centre, why)
}

func candidateName(c *server.Candidate, name func(state.ID) string) string {
	switch c.Kind {
	case state.KindPlayer:
		return name(c.ID)
	case state.KindRocket:
		return "rocket"
	case state.KindGrenade:
		return "grenade"
	case state.KindVehicle:
		return "vehicle"
	}
	return "objective"
}

// appendWhy says why somebody is told of, or withheld.
func appendWhy(b []byte, c *server.Candidate) []byte {
	if c.Told {
		return append(b, c.By.String()...)
	}
	return append(b, c.Why.String()...)
}

// appendSince says for how long that has been so.
func appendSince(b []byte, n *server.Insight, c *server.Candidate) []byte {
	s := float64(n.Tick-c.Since) / float64(max(n.TickRate, 1))
	prec := 1
	if s >= 10 {
		prec = 0
	}
	return append(strconv.AppendFloat(b, s, 'f', prec, 64), " s"...)
}

// headline says whose knowledge is shown.
func headline(f *scene.Frame, n *server.Insight, name func(state.ID) string) {
	hd := &f.HUD
	x, y := hd.Width/2, float32(78)
	from := hd.Mark()
	b := append(hd.Bytes, "vis.draw: "...)
	b = append(b, name(n.Viewer)...)
	if n.Alive {
		b = append(b, " is told of "...)
		b = strconv.AppendInt(b, int64(n.Told), 10)
		b = append(b, " of "...)
		b = strconv.AppendInt(b, int64(n.Told+n.Withheld), 10)
		b = append(b, " others, by the "...)
		b = append(append(b, n.Source.String()...), "'s word"...)
	} else {
		b = append(b, " has no living body: told of no enemy"...)
	}
	hd.Bytes = b
	plate(hd, x, y, 12, from)
	hd.TextFrom(from, x, y, 12, scene.Sans, scene.Centre, inkHid)
}

// visDraw lets the overlays of vis.draw and vis.above have their turn in a frame.
func (g *game) visDraw(w, h int) {
	if g.showing == 0 && !g.above.on || g.cfg.Insight == nil || g.client.Level().World == nil {
		return
	}
	if g.nameOf == nil {
		g.nameOf = func(id state.ID) string { return playerName(g.client, id) }
	}
	if g.showing != 0 && g.cfg.Insight(&g.insight, g.view.ID) {
		DrawInsight(&g.frame, w, h, &g.insight, g.showing, g.nameOf)
	}
	if g.above.on {
		g.above.draw(g)
	}
}

// errNotOurs is said where somebody asks for what only the server knows.
const errNotOurs = "only a server of your own tells what it withholds; this one is somebody else's"

// errDemo is said while a demo is shown.
const errDemo = "in a demo, k shows what a player knew and o outlines what was withheld from it"

// refuseInsight returns why there is no insight here, "" where there is.
func (g *game) refuseInsight() string {
	switch {
	case g.show != nil:
		return errDemo
	case g.cfg.Insight == nil:
		return errNotOurs
	}
	return ""
}

// visCommands declares what looks into the server, and follows vis.draw.
func (g *game) visCommands() {
	set := func(words []string) {
		g.showing = showing(words)
		if why := g.refuseInsight(); why != "" && g.showing != 0 {
			fmt.Fprintln(g.overlay, "vis.draw: "+why)
		}
	}
	g.vars.VisDraw.OnChange(set)
	g.showing = showing(g.vars.VisDraw.Get())
	g.aboveCommand()
}
