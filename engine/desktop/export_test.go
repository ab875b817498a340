package desktop

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/wire"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window/input"
)

// HasOwnLook reports whether a texture is one of the shipped maps'.
func HasOwnLook(name string) bool { _, ok := ownLooks[name]; return ok }

// NotBlank is notBlank.
var NotBlank = notBlank

// DrawHUD draws the status of a made-up view, as a game does.
func DrawHUD(f *scene.Frame, v *View, st *Stage, w, h int) {
	f.HUD.Resize(w, h)
	s := newStatus()
	vars := Declare(console.New())
	s.model = hud.Model{Alive: v.Alive, Reserve: -1}
	s.vitals(&s.model, v, vars, st)
	s.model.Score.Time = 271
	s.model.Score.Label, s.model.Score.Own, s.model.Score.Best = "free for all", 7, 12
	g := &game{view: *v, reg: console.New()}
	BindDefaults(g.reg.Binds())
	g.hint(&s.model)
	hud.Draw(&f.HUD, &s.model)
}

// StatusFrame returns what a game does for a frame's status, with everything open, as
// a function to be measured.
func StatusFrame(f *scene.Frame, v *View, st *Stage) func() {
	reg := console.New()
	vars := Declare(reg)
	s, o := newStatus(), NewOverlay(reg)
	o.Open(ConsoleField)
	for range 50 {
		o.Print("a line of the console", scene.RGBA{})
	}
	return func() {
		m := &s.model
		*m = hud.Model{Alive: true, Reserve: -1}
		s.vitals(m, v, vars, st)
		m.Kills, m.Notices = s.shownKills(), s.notices[:]
		f.HUD.Reset()
		m.Console = o.Draw(&f.HUD, v.DT, "test")
		hud.Draw(&f.HUD, m)
	}
}

// Show is a demo without a window.
type Show struct{ t *theatre }

// NewShow opens a demo as RunDemo does, but for the window.
func NewShow(cfg Config, r *demo.Reader, name string) (*Show, error) {
	g := &game{cfg: cfg, reg: cfg.Registry}
	t, err := newTheatre(&g.cfg, r, name)
	if err != nil {
		return nil, err
	}
	t.g, g.show = g, t
	g.vars = Declare(g.reg)
	g.overlay = NewOverlay(g.reg)
	BindDefaults(g.reg.Binds())
	g.controls = NewControls(demoBinds(g.reg.Binds()), g.exec, g.overlay.Feed)
	g.overlay.Submit, g.overlay.Pick = g.submit, g.pick
	g.commands()
	g.stage.Reset()
	g.status = newStatus()
	g.frame.HUD.Resize(640, 360)
	return &Show{t}, nil
}

// Frame lets time pass and makes the picture that would be drawn.
func (s *Show) Frame(dt float32) *scene.Frame {
	t, g := s.t, s.t.g
	t.p.Advance(float64(dt), t.passed)
	t.tellEnd()
	t.look(dt)
	g.stage.Build(&g.frame, &g.view)
	t.outlines(&g.frame)
	m := g.status.fillDemo(t, true)
	t.drawTags(&g.frame, 640, 360)
	t.draw(&g.frame.HUD, dt)
	hud.Draw(&g.frame.HUD, m)
	return &g.frame
}

// View is what the last Frame was made from.
func (s *Show) View() *View { return &s.t.g.view }

// Seconds, Speed, Paused, Who, Free and Knew say how the show stands.
func (s *Show) Seconds() float64 { return s.t.p.Seconds() }
func (s *Show) Speed() float64   { return s.t.p.Speed() }
func (s *Show) Paused() bool     { return s.t.p.Paused }
func (s *Show) Who() state.ID    { return s.t.who }
func (s *Show) Free() bool       { return s.t.flying }
func (s *Show) Knew() bool       { return s.t.knew }

// At returns the recorded frames around the present place.
func (s *Show) At() (a, b *demo.Frame, frac float32) { return s.t.p.Frames() }

// Hidden returns what is outlined, Counts how many players were told of and withheld.
func (s *Show) Hidden() []client.Shown       { return s.t.hidden }
func (s *Show) Counts() (told, withheld int) { return s.t.known, s.t.kept }

// Hold keeps the free camera flying along an action for a time.
func (s *Show) Hold(key input.Key, seconds float32) {
	s.t.g.controls.Feed(input.Event{Kind: input.Press, Key: key})
	s.t.fly(seconds)
	s.t.g.controls.Feed(input.Event{Kind: input.Release, Key: key})
}

// Feed takes an event of the window; UI says whether a text field has the keyboard.
func (s *Show) Feed(e input.Event) { s.t.feed(e) }
func (s *Show) UI() bool           { return s.t.g.controls.UI() }

// Press presses a key and lets it go, within one frame.
func (s *Show) Press(k input.Key) {
	s.t.feed(input.Event{Kind: input.Press, Key: k})
	s.t.feed(input.Event{Kind: input.Release, Key: k})
}

// Bar returns where the time bar was drawn, in window units.
func (s *Show) Bar() [4]float32 {
	b := s.t.bar
	for i := range b {
		b[i] *= s.t.g.frame.HUD.Scale
	}
	return b
}

// DemoBinds is the table of keys while a demo is shown.
func DemoBinds(own *console.Binds) *console.Binds { return demoBinds(own) }

// WatchLine is watchLine.
func WatchLine(name string, late state.Tick, rate int) string { return watchLine(name, late, rate) }

// nobodyTold knows no names.
type nobodyTold struct{ teller }

func (nobodyTold) ID() state.ID                           { return 1 }
func (nobodyTold) Player(id state.ID) (wire.Player, bool) { return wire.Player{}, false }

// DrawMarks draws the marks of a made-up view, as a game does.
func DrawMarks(f *scene.Frame, v *View, st *Stage, w, h int) {
	st.marks.draw(f, w, h, v.Eye, nobodyTold{})
}

// Plan is cut.
func (a *Above) Plan(sc trace.Scene, bounds vec.Box, n *server.Insight, spanM float32) {
	a.cut(sc, bounds, n, spanM)
}

// Asked runs lines on the console of a game on somebody else's server, or on its own
// with an insight, and returns what is printed and what vis.draw would show.
func Asked(insight func(*server.Insight, state.ID) bool, lines ...string) (said string, show Showing, above bool) {
	reg := console.New()
	g := &game{cfg: Config{Registry: reg, Insight: insight}, reg: reg}
	g.vars = Declare(reg)
	g.overlay = NewOverlay(reg)
	g.client, _ = client.New(client.Config{})
	g.visCommands()
	var out strings.Builder
	for _, l := range lines {
		reg.Exec(l, &out)
	}
	for i := range g.overlay.lines {
		out.WriteString(g.overlay.lines[i].Text + "\n")
	}
	g.frame.HUD.Resize(640, 360)
	if insight == nil {
		g.visDraw(640, 360)
	}
	if len(g.frame.HUD.Marks)+len(g.frame.Lines) > 0 {
		out.WriteString("drawn")
	}
	return out.String(), g.showing, g.above.on
}

// OffAllocs is what a frame costs in allocations while nothing is shown.
func OffAllocs() float64 {
	reg := console.New()
	g := &game{reg: reg, vars: Declare(reg), overlay: NewOverlay(reg), cfg: Config{Insight: func(*server.Insight, state.ID) bool {
		panic("the server is asked though nothing is shown")
	}}}
	g.visCommands()
	return testing.AllocsPerRun(100, func() { g.visDraw(640, 360) })
}

// Enters reports whether use would get into a vehicle.
func Enters(v *View) bool { return enters(v) }
