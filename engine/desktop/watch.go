package desktop

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// watched is through whose eyes the picture looks, while that is somebody else.
type watched struct {
	id   state.ID
	late state.Tick
	body state.Player // what the server tells of it: neither its rounds nor its armour
	seen bool         // eye is where it was last
	eye  vec.V3
	line string // over the picture
	hint string // what lets one watch, while one could
}

// watchOthers puts the view into the eyes of whom the client watches. While that player
// is not there the view stays where it was.
func (g *game) watchOthers() {
	c, v, w := g.client, &g.view, &g.watched
	if id, late := c.Watching(); id != w.id || late != w.late {
		if id != w.id {
			g.stage.otherEyes()
		}
		*w = watched{id: id, late: late}
		if id != 0 {
			w.line = watchLine(playerName(c, id), late, c.TickRate())
		}
	}
	switch {
	case c.Own().Alive():
		w.hint = ""
	case w.hint == "":
		w.hint = keyFor(g.reg.Binds(), "watchnext") + ": another player's eyes"
	}
	if w.id == 0 {
		return
	}
	if s, eye, ok := c.Watched(); ok {
		w.look(&s, eye)
		g.controls.SetAngles(float64(s.YawDeg), float64(s.PitchDeg))
		v.ID, v.Own, v.Alive = w.id, &w.body, w.body.Alive()
		g.sum.WatchedFrames++
	} else if w.seen {
		v.Own, v.Alive = nil, false
	}
	if w.seen {
		yaw, pitch := g.controls.Angles()
		v.Eye, v.Yaw, v.Pitch = w.eye, float32(yaw), float32(pitch)
	}
}

// look takes how the player is drawn.
func (w *watched) look(s *client.Shown, eye vec.V3) {
	p := demo.PlayerOf(&s.Entity, nil)
	p.Pos, p.Vel = s.At, s.Velocity
	p.Duck, p.Lean = uint8(s.Duck01*255+0.5), int8(math.Round(float64(s.Lean11*127)))
	p.Yaw, p.Pitch = state.AngleOf(s.YawDeg), state.AngleOf(s.PitchDeg)
	p.Stride = uint16(int32(s.StrideM * 64))
	w.body, w.eye, w.seen = p, eye, true
}

// watchLine says whom a picture shows, and how late.
func watchLine(name string, late state.Tick, rate int) string {
	if late == 0 {
		return "Watching " + name + " \u00b7 live"
	}
	return "Watching " + name + " \u00b7 " + strconv.FormatFloat(float64(late)/float64(max(rate, 1)), 'f', 1, 64) + " s late"
}

// keyFor returns the key that runs a line, or the line where none does.
func keyFor(b *console.Binds, line string) string {
	for _, k := range b.Keys() {
		if b.Get(k) == line {
			return strings.ToUpper(k)
		}
	}
	return line
}

// watchCommands declares what those tell the server who look on, and the mark.
func (g *game) watchCommands() {
	add := func(name, usage, help string, least, most int, run func(c *console.Call) error) {
		g.reg.Command(console.Command{Name: name, Usage: usage, Help: help, Min: least, Max: most, Local: true, Run: func(c *console.Call) error {
			if g.client == nil || g.client.State() != client.Playing {
				return errors.New("not in a match")
			}
			return run(c)
		}})
	}
	idle := func(name string) error {
		if g.client.Own().Alive() {
			return fmt.Errorf("%s: you are alive: lookon lets you look on", name)
		}
		return nil
	}
	add("ping", "", "Marks for the own team what the view is aimed at.", 0, 0, func(*console.Call) error {
		g.client.Mark()
		return nil
	})
	for name, by := range map[string]int{"watchnext": 1, "watchprev": -1} {
		help := map[int]string{1: "Watches the next player.", -1: "Watches the player before."}[by]
		add(name, "", help, 0, 0, func(*console.Call) error {
			if err := idle(name); err != nil {
				return err
			}
			g.client.SpectateNext(by)
			return nil
		})
	}
	add("spectate", "[NAME]", "Watches a player; without a name, nobody.", 0, -1, func(c *console.Call) error {
		if err := idle("spectate"); err != nil {
			return err
		}
		id := state.ID(0)
		if len(c.Args) > 0 {
			var err error
			if id, err = findPlayer(g.client.Scores(), strings.Join(c.Args, " ")); err != nil {
				return fmt.Errorf("spectate: %w", err)
			}
		}
		g.client.Spectate(id)
		return nil
	})
	add("lookon", "[on|off]", "Looks on instead of playing; off plays again.", 0, 1, func(c *console.Call) error {
		if len(c.Args) > 0 && c.Args[0] != "on" && c.Args[0] != "off" {
			return fmt.Errorf("lookon: %q is neither on nor off", c.Args[0])
		}
		g.client.LookOn(len(c.Args) == 0 || c.Args[0] == "on")
		return nil
	})
}
