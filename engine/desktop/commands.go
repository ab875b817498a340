package desktop

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
)

// commands declares what a player can tell the window.
func (g *game) commands() {
	g.demoCommands()
	g.recordCommands()
	g.watchCommands()
	g.visCommands()
	simple := func(name, help string, run func()) {
		g.reg.Command(console.Command{Name: name, Help: help, Local: true, Run: func(*console.Call) error { run(); return nil }})
	}
	simple("quit", "Leaves the match and ends the program.", func() { g.quit = true })
	simple("disconnect", "Leaves the match.", func() {
		if g.client != nil {
			g.client.Quit("player disconnects")
		}
	})
	simple(consoleCommand, "Opens and closes the console.", func() { g.overlay.Toggle(ConsoleField) })
	simple("messagemode", "Opens a line to say something to everybody.", func() { g.overlay.Open(ChatField) })
	simple("messagemode2", "Opens a line to say something to the own team.", func() { g.overlay.Open(TeamField) })
	simple("menu", "Opens the menu and frees the mouse.", func() { g.overlay.Open(MenuField) })
	simple("clear", "Empties the console.", func() { g.overlay.Clear() })
	simple("weapnext", "Raises the next weapon.", func() { g.nextWeapon(1) })
	simple("weapprev", "Raises the weapon before.", func() { g.nextWeapon(-1) })
	text := func(name, help string, run func(string)) {
		g.reg.Command(console.Command{Name: name, Usage: "TEXT", Min: 1, Max: -1, Local: true, Help: help, Run: func(c *console.Call) error {
			if g.client == nil {
				return errors.New("not connected")
			}
			run(strings.Join(c.Args, " "))
			return nil
		}})
	}
	text("say", "Says a line to everybody.", func(s string) { g.client.Say(s, false) })
	text("say_team", "Says a line to the own team.", func(s string) { g.client.Say(s, true) })
	text("cmd", "Tells the rules of the match something.", func(s string) { g.client.Say("/"+s, false) })
	simple("kill", "Gives up this life.", func() {
		if g.client != nil {
			g.client.Say("/kill", false)
		}
	})
	g.reg.Command(console.Command{Name: "weapon", Usage: "NUMBER", Min: 1, Max: 1, Local: true, Help: "Raises a weapon by its number.", Run: func(c *console.Call) error {
		w, ok := parseWeapon(c.Args[0])
		if !ok {
			return fmt.Errorf("weapon %s: not the number of a weapon", c.Args[0])
		}
		g.controls.WantWeapon(w)
		return nil
	}})
	g.reg.Command(console.Command{Name: "screenshot", Usage: "[NAME]", Max: 1, Local: true, Help: "Writes the picture as a PNG file into the data folder.", Run: func(c *console.Call) error {
		if g.cfg.DataDir == "" {
			return errors.New("screenshot: there is no data folder to write to")
		}
		name := ""
		if len(c.Args) > 0 {
			name = c.Args[0]
		}
		file, err := shotName(g.cfg.DataDir, name)
		if err != nil {
			return err
		}
		g.shot = file
		return nil
	}})
	g.reg.Command(console.Command{Name: "status", Local: true, Help: "Says how the connection is.", Run: func(c *console.Call) error {
		if g.client == nil {
			return errors.New("not connected")
		}
		st, ch := g.client.Stats(), g.client.Net()
		c.Printf("%s, server %q, %d ticks per second\n", g.client.State(), g.client.Server(), g.client.TickRate())
		c.Printf("round trip %.1f ms, jitter %.1f ms, lost %.1f %% in, %.1f %% out\n", float64(ch.RTT)/1e6, float64(ch.Jitter)/1e6, ch.LossIn*100, ch.LossOut*100)
		c.Printf("%d snapshots, %d commands, %d corrections of which %d forced, %d prediction errors\n", st.Snapshots, st.Commands, st.Corrections, st.Explained, st.Errors)
		if st.TableChanges > 0 || st.TablesLacked > 0 {
			c.Printf("tables of version %d, %d changes; prediction stood still %d times for want of them, for %d commands\n", g.client.Tables().Version, st.TableChanges, st.TablesLacked, st.Unpredicted)
		}
		return nil
	}})
}

func (g *game) nextWeapon(step int) {
	if g.client == nil || g.client.Own() == nil {
		return
	}
	if w := nextWeapon(g.client.Own(), step); w != 0 {
		g.controls.WantWeapon(w)
	}
}
