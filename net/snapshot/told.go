package snapshot

import "github.com/sightline-engine/sightline/game/state"

// given is one subject whose state a packet tells.
type given struct {
	index  uint16 // of the id
	detail state.Detail
	path   uint8 // earlier places told with it
}

// Told says what the packet with number seq, one of the last Ring, gives its client
// of a subject of its View: whether the client has the subject's state as of the
// packet's tick when it arrives, in which detail, and how many earlier places,
// state.PathGap ticks apart, it is told with it. A loose record counts, though a
// client that has lost the full one before it cannot read it.
func (e *Encoder) Told(seq uint64, id state.ID) (updated bool, detail state.Detail, path int) {
	p := &e.ring[seq%Ring]
	index := indexOf(id)
	if p.seq != seq || index == 0 {
		return false, 0, 0
	}
	if k := e.at[index]; k != 0 && seq == e.seq { // the usual question: the newest packet
		switch s := &e.slots[k-1]; {
		case !s.sent || s.lastSeq != seq:
			return p.whole, s.last.Detail, 0
		case len(s.path) == 0:
			return true, s.now.Detail, 0
		}
	}
	for i := range p.given {
		if g := &p.given[i]; int(g.index) == index {
			return true, g.detail, int(g.path)
		}
	}
	if k := e.at[index]; k != 0 && p.whole {
		detail = e.slots[k-1].last.Detail
	}
	return p.whole, detail, 0
}
