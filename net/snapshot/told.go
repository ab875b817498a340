package snapshot

import "github.com/sightline-engine/sightline/game/state"

// Told says what the packet with number seq, one of the last Ring, gives its client
// of a subject of its View: whether the client has the subject's state as of the
// packet's tick when it arrives, and with which class of detail, 0 the finest.
func (e *Encoder) Told(seq uint64, id state.ID) (updated bool, class uint8) {
	p := &e.ring[seq%Ring]
	index := indexOf(id)
	if p.seq != seq || index == 0 {
		return false, 0
	}
	return p.whole || p.find(uint16(index)) != nil, 0
}
