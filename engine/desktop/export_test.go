package desktop

import (
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
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
