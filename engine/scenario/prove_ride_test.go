package scenario_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
)

// proveBuggy is the level of a seed with a buggy on the hidden side, of which the
// viewer knows as everybody does.
func proveBuggy(t testing.TB, at vec.V3) client.Loaded {
	t.Helper()
	loaded := proveLevel(t, directed)
	loaded.Level.Vehicles = append(loaded.Level.Vehicles, level.Vehicle{Type: "buggy", Pos: at})
	return loaded
}

// rides is somebody who gets in at a tick, and out and in again after so many more;
// what it does meanwhile do says. It looks at the buggy, which is at its left.
func rides(from, every int, do state.Cmd) func(tick int) state.Cmd {
	return func(tick int) state.Cmd {
		c := do
		c.Yaw, c.Pitch = state.AngleOf(90), state.AngleOf(-30)
		if n := tick - from; n >= 0 && (n < 3 || every > 0 && n%every < 3) {
			c.Buttons |= state.BtnUse
		}
		return c
	}
}

func hides(f func(tick int) state.Cmd) script {
	return func(_ *rand.Rand, tick int) state.Cmd { return f(tick) }
}

// Of a vehicle the viewer knows where it is, and of who is in it no more than of
// anybody else behind a wall: who gets in and out, who shoots from a seat and who
// rides along with another changes nothing in the viewer's packets, under every policy
// that hides. That the buggy drives does, so it was sent; and a seat that is taken
// within earshot is heard.
func TestAVehicleTellsNothingOfWhoIsInIt(t *testing.T) {
	shootsBy := state.Cmd{Buttons: state.BtnFire, Weapon: 1}
	drives := func(tick int) state.Cmd {
		c := rides(140, 0, state.Cmd{})(tick)
		if tick > 260 && tick < 360 {
			c.Forward, c.Right = 40, 20
		}
		return c
	}
	for _, c := range []struct {
		name     string
		cfg      proveConfig
		one, two script
		x        float32 // of the buggy
		seats    int     // changed by the hidden player in the first world
		shows    bool
	}{
		{name: "in and out", one: hides(rides(150, 40, state.Cmd{})), two: still, x: 10, seats: 2},
		{
			name: "rides along and shoots", one: hides(rides(200, 0, shootsBy)), two: hides(rides(9999, 0, state.Cmd{})),
			x: 12, seats: 1, cfg: proveConfig{beside: drives, at: [4]float32{2: 11, 3: 13}},
		},
		{
			name: "out of earshot", one: hides(rides(150, 40, state.Cmd{})), two: still, x: 10, seats: 2,
			cfg: proveConfig{earshot: asShipped, own: stands, beside: stands, at: [4]float32{-34, -38, 10, 40}},
		},
		{name: "drives", one: hides(drives), two: still, x: 10, seats: 1, shows: true},
		{
			name: "within earshot", one: hides(rides(150, 40, state.Cmd{})), two: hides(rides(9999, 0, state.Cmd{})), x: -4.5, seats: 2, shows: true,
			cfg: proveConfig{earshot: asShipped, own: stands, beside: stands, at: [4]float32{-9, -38, -4.5, 40}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range policiesThatHide() {
				if p.quiet || c.shows && p.spec.Name != deaddrop.Spec().Name {
					continue // sends things through walls by its nature; one is enough
				}
				cfg := c.cfg
				cfg.spec, cfg.seed, cfg.path, cfg.ticks, cfg.quiet = p.spec, directed, 1, 320, true
				if cfg.at[2] == 0 {
					cfg.at[2] = 10
				}
				loaded := proveBuggy(t, vec.New(c.x, 6.8, 0))
				cfg.hidden = c.one
				a := runWorld(t, loaded, cfg)
				cfg.hidden = c.two
				b := runWorld(t, loaded, cfg)
				if a.told || b.told {
					t.Errorf("%s sends somebody through a wall", p.spec.Name)
				}
				if got := a.did[state.EvSeat]; got < c.seats || b.did[state.EvSeat] > 0 {
					t.Errorf("%s: the hidden player changed seats %d and %d times: no test", p.spec.Name, got, b.did[state.EvSeat])
				}
				switch kind, where := difference(a, b); {
				case c.shows && kind == "":
					t.Errorf("%s: nothing of it is sent: the test would not see a leak", p.spec.Name)
				case !c.shows && kind != "":
					t.Errorf("%s: shows by %s: %s", p.spec.Name, kind, where)
				}
			}
		})
	}
}
