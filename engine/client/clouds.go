package client

import (
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
)

// Clouds is the smoke that is on the screen, of what the client was told.
type Clouds struct {
	scenery.Smokes
	Known []state.Smoke
	Holes []state.Hole
	Tick  state.Tick // of the shown timeline
	Frac  uint8
	Rate  int
	shown []Shown
}

// Clouds fills out with the smoke at the shown timeline, by the curve that the server
// decides sight by. Its memory is reused.
func (c *Client) Clouds(out *Clouds) {
	out.shown = c.Others(out.shown[:0])
	out.Tick, out.Frac = c.Shown()
	out.Rate = c.TickRate()
	out.Take(out.shown)
}

// Take fills out with the smoke among some subjects at out's time.
func (c *Clouds) Take(shown []Shown) {
	c.Known, c.Holes = c.Known[:0], c.Holes[:0]
	for i := range shown {
		if e := &shown[i].Entity; e.Kind == state.KindSmoke {
			c.Known = append(c.Known, state.SmokeOf(e, c.Tick))
		}
	}
	for i := range shown {
		if e := &shown[i].Entity; e.Kind == state.KindHole {
			c.Holes = append(c.Holes, state.HoleOf(e, c.Tick, c.Known))
		}
	}
	c.Set(c.Known, c.Holes, c.Tick, c.Frac, c.Rate)
}
