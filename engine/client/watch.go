package client

import (
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/wire"
)

// Watching returns whom the client watches, 0 nobody, and how late it is told what
// that player knows, in ticks: what is on the screen is so much older than its tick
// says.
func (c *Client) Watching() (id state.ID, late state.Tick) { return c.watching, state.Tick(c.delay) }

// Watched returns where the watched player sees from and where it looks, as it is on
// the screen; false while it is not there.
func (c *Client) Watched() (s Shown, eye vec.V3, ok bool) {
	if c.watching == 0 || c.TickRate() == 0 {
		return Shown{}, vec.V3{}, false
	}
	tick, frac := c.clk.shown(c.now)
	t := c.tracks[trackIndex(c.watching)]
	if tick == 0 || t == nil || !t.at(tick, frac, c.TickRate(), &s) || s.Kind != state.KindPlayer {
		return Shown{}, vec.V3{}, false
	}
	p := state.Player{Pos: s.At, Yaw: state.AngleOf(s.YawDeg), Duck: uint8(vec.Clamp(s.Duck01, 0, 1) * 255), Lean: int8(vec.Clamp(s.Lean11, -1, 1) * 127)}
	return s, pmove.Eye(&p, &c.TablesAt(tick-state.Tick(c.delay)).Movement), true
}

// Spectate asks to watch a player, 0 nobody.
func (c *Client) Spectate(id state.ID) { c.queue(&wire.Wish{What: wire.WishWatch, Value: int16(id)}) }

// SpectateNext asks to watch the next player, 1, or the one before, -1.
func (c *Client) SpectateNext(by int) {
	c.queue(&wire.Wish{What: wire.WishStep, Value: int16(min(max(by, -1), 1))})
}

// LookOn asks to look on instead of playing, or to play again.
func (c *Client) LookOn(on bool) {
	w := wire.Wish{What: wire.WishRole}
	if on {
		w.Value = 1
	}
	c.queue(&w)
}

// Mark asks to mark for the own team what the view is aimed at.
func (c *Client) Mark() { c.queue(&wire.Wish{What: wire.WishMark}) }
