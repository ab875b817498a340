package client

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// A trigger pulled in any frame is told in the next command with the moment and
// the view of that frame; one pulled in the very frame of the command, one that was
// held already and one without fire in the command are not.
func TestTriggerWithinATick(t *testing.T) {
	type frame struct {
		at   float64 // command timeline
		held bool
		yaw  state.Angle16
	}
	for _, c := range []struct {
		name   string
		frames []frame
		fire   bool
		edge   uint8
		yaw    state.Angle16
	}{
		{"a quarter before the end", []frame{{9.25, false, 1}, {9.75, true, 2}, {10, true, 3}}, true, 64, 2},
		{"right after the last command", []frame{{9, true, 1}, {9.5, true, 2}, {10, true, 3}}, true, 255, 1},
		{"in the frame of the command", []frame{{9.5, false, 1}, {10.1, true, 2}}, true, 0, 0},
		{"let go again", []frame{{9.5, true, 5}, {9.75, false, 2}, {10, false, 3}}, true, 128, 5},
		{"pulled twice", []frame{{9.25, true, 5}, {9.5, false, 2}, {9.75, true, 6}, {10, true, 3}}, true, 64, 6},
		{"not in the command", []frame{{9.5, true, 5}, {10, true, 3}}, false, 0, 0},
	} {
		var f frame
		cl := &Client{cfg: Config{Trigger: func() (bool, state.Angle16, state.Angle16) { return f.held, f.yaw, f.yaw + 100 }}}
		for _, f = range c.frames {
			cl.clk.cmd = f.at
			cl.trigger()
		}
		cmd := state.Cmd{Tick: 10}
		if c.fire {
			cmd.Buttons = state.BtnFire
		}
		cl.pred.edge(&cmd)
		pitch := c.yaw + 100
		if c.edge == 0 {
			pitch = 0
		}
		if cmd.Edge != c.edge || cmd.EdgeYaw != c.yaw || cmd.EdgePitch != pitch {
			t.Errorf("%s: %+v", c.name, cmd)
		}
		next := state.Cmd{Tick: 11, Buttons: state.BtnFire}
		if cl.pred.edge(&next); next.Edge != 0 {
			t.Errorf("%s: told again: %+v", c.name, next)
		}
	}
}
