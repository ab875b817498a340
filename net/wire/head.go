package wire

import "github.com/sightline-engine/sightline/game/state"

// Head is how a snapshot begins.
type Head struct {
	Tick state.Tick
	// Based is how many packets ago the base of the own state was sent, 1 to 63,
	// and what most records are based on too; 0 means that there is no base.
	Based uint8

	ID       state.ID // the client's own player
	Watching state.ID
	LastCmd  state.Tick
	Starved  uint16
	Margin   int8
	Interp   uint16
}

// Head codes the head of a snapshot against the head of its base; without a base
// (h.Based is 0) the zero Head serves.
func (c *Coder) Head(h, base *Head) {
	if c.text != nil || h.Based != 0 {
		gap(c, "tick, with a base, beyond a packet a tick since", &h.Tick, base.Tick+state.Tick(h.Based), 0)
	}
	if c.text != nil || h.Based == 0 {
		fixed(c, "tick, without a base", &h.Tick, 32)
	}
	gap(c, "last command, before the tick", &h.LastCmd, h.Tick, 1)
	if c.r != nil {
		h.ID, h.Watching, h.Starved, h.Margin, h.Interp = base.ID, base.Watching, base.Starved, base.Margin, base.Interp
	}
	if c.has("command margin", h.Margin != base.Margin) {
		signed(c, "command margin", &h.Margin, 8)
		c.done()
	}
	same := h.ID == base.ID && h.Watching == base.Watching && h.Starved == base.Starved && h.Interp == base.Interp
	if c.has("terms", !same) {
		fixed(c, "own id", &h.ID, 16)
		fixed(c, "watching", &h.Watching, 16)
		fixed(c, "made-up commands", &h.Starved, 16)
		fixed(c, "interpolation delay, 1/256 ticks", &h.Interp, 16)
		c.done()
	}
}

// Age is how many packets ago something was sent: 6 bits. It is spelt out, because
// a generic function that is inlined into another package moves what it is given
// to the heap.
func (c *Coder) Age(n *uint8) {
	if c.w != nil {
		c.w.Bits(uint64(*n), 6)
		return
	}
	*n = uint8(c.r.Bits(6))
}
