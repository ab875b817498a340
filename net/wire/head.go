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
	Delay    uint16 // how old what it watches is, ticks
	LastCmd  state.Tick
	Starved  uint16
	Margin   int8
	Interp   uint16
	Tables   uint8 // the low bits of the version of the tables announced last

	// Pace is how many ticks lie between two packets, in 16ths, as it was since the base:
	// it is not sent, both sides have it.
	Pace uint16
}

// Base codes Based, which comes first of all.
func (c *Coder) Base(h *Head) {
	h.Based = uint8(c.pick(mBased, 0, "base, packets ago, 0 none", int(h.Based)))
}

// Head codes the head of a snapshot, Based excepted, against the head of its base;
// without a base (h.Based is 0) the zero Head serves.
func (c *Coder) Head(h, base *Head) {
	h.Pace = 16
	if c.text != nil || h.Based != 0 {
		at := base.Tick + (uint32(base.Pace)*uint32(h.Based)+8)/16
		h.Tick = at + uint32(c.off(mTick, 0, "tick, with a base, beyond as many ticks a packet as before", int32(h.Tick-at), 0))
		if h.Based > 0 {
			h.Pace = uint16(min(max((h.Tick-base.Tick)*16/uint32(h.Based), 16), 1024))
		}
	}
	if c.text != nil || h.Based == 0 {
		h.Tick = uint32(c.raw("tick, without a base", uint64(h.Tick), 32))
	}
	h.LastCmd = h.Tick + uint32(c.off(mLastCmd, 0, "last command, after the tick", int32(h.LastCmd-h.Tick), 1))
	if c.reading() {
		h.ID, h.Watching, h.Delay, h.Starved, h.Interp, h.Tables = base.ID, base.Watching, base.Delay, base.Starved, base.Interp, base.Tables
	}
	h.Margin = base.Margin + int8(c.off(mMargin, 0, "command margin", int32(h.Margin-base.Margin), 0))
	same := h.ID == base.ID && h.Watching == base.Watching && h.Delay == base.Delay && h.Starved == base.Starved && h.Interp == base.Interp && h.Tables == base.Tables
	if c.when(mTerms, 0, "terms", !same) {
		h.Starved = base.Starved + uint16(c.num(mTerm, 0, "made-up commands", uint32(h.Starved-base.Starved), 0))
		h.Interp = base.Interp + uint16(c.off(mTerm, 1, "interpolation delay, 1/256 ticks", int32(int16(h.Interp-base.Interp)), 6))
		if c.when(mTerms, 1, "who", h.ID != base.ID || h.Watching != base.Watching || h.Delay != base.Delay) {
			h.ID = state.ID(c.raw("own id", uint64(h.ID), 16))
			h.Watching = state.ID(c.raw("watching", uint64(h.Watching), 16))
			h.Delay = uint16(c.raw("how late, ticks", uint64(h.Delay), 16))
			c.done()
		}
		if c.when(mTerms, 1, "tables", h.Tables != base.Tables) {
			h.Tables = uint8(c.raw("version of the tables announced last", uint64(h.Tables), 8))
			c.done()
		}
		c.done()
	}
}
