package snapshot

import "github.com/sightline-engine/sightline/game/state"

// Told says what the packet with number seq, one of the last Ring, gives its client
// of a subject of its View: whether the client has the subject's state as of the
// packet's tick when it arrives, with which class of detail, 0 the finest, and how
// many earlier places, state.PathGap ticks apart, it is told with it.
func (e *Encoder) Told(seq uint64, id state.ID) (updated bool, class uint8, path int) {
	p := &e.ring[seq%Ring]
	index := indexOf(id)
	if p.seq != seq || index == 0 {
		return false, 0, 0
	}
	if r := p.find(uint16(index)); r != nil {
		return true, 0, int(p.ways(uint16(index)))
	}
	return p.whole, 0, 0
}

// ways returns how many earlier places a subject's record was told with.
func (p *packet) ways(index uint16) uint8 {
	for i := range p.recs {
		if p.recs[i].index == index {
			return p.recs[i].path
		}
	}
	return 0
}
