package snapshot

import (
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// record is what a packet said of one subject.
type record struct {
	no  uint16
	rec wire.Rec
}

// packet is what a packet said, as both sides remember it.
type packet struct {
	seq     uint64
	live    bool // server: not yet acked or lost; client: decoded
	whole   bool // it tells of every subject as of its tick
	tick    state.Tick
	head    wire.Head
	player  state.Player
	recs    []record // by ascending number; no loose ones
	removed []uint16
	doors   []vis.DoorSeen
	pieces  []vis.PieceSeen
	cut     bool    // server: a door or a piece did not fit
	given   []given // server
	events  []uint32
	opened  []opened // server: bursts told whole
	top     uint32   // number after the last event that was told up to here
}

// clear empties p for a new packet, keeping its memory.
func (p *packet) clear(seq uint64) {
	*p = packet{seq: seq, recs: p.recs[:0], removed: p.removed[:0], doors: p.doors[:0], pieces: p.pieces[:0], given: p.given[:0], events: p.events[:0], opened: p.opened[:0]}
}

// find returns the record of a subject.
func (p *packet) find(no uint16) *wire.Rec {
	lo, hi := 0, len(p.recs)
	for lo < hi {
		if m := (lo + hi) / 2; p.recs[m].no < no {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(p.recs) && p.recs[lo].no == no {
		return &p.recs[lo].rec
	}
	return nil
}

// sort puts the records in order.
func (p *packet) sort() {
	slices.SortFunc(p.recs, func(a, b record) int { return int(a.no) - int(b.no) })
}
