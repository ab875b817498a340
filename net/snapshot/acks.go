package snapshot

// Acked says that the client has the packet.
func (e *Encoder) Acked(seq uint64) {
	p := &e.ring[seq%Ring]
	if !p.live || p.seq != seq {
		return
	}
	p.live = false
	e.newest = max(e.newest, seq)
	if !e.based || seq > e.baseSeq {
		e.based, e.baseSeq = true, seq
		e.baseDoors = !p.cut
	}
	for i := range p.recs {
		rec := &p.recs[i]
		k := e.byNo[rec.no]
		if k == 0 {
			continue
		}
		s := &e.slots[k-1]
		if s.here && seq >= s.since && (!s.hasBase || seq > s.baseSeq) {
			s.hasBase, s.base, s.baseSeq = true, rec.rec, seq
		}
	}
	for _, no := range p.removed {
		if k := e.byNo[no]; k != 0 && !e.slots[k-1].here && seq >= e.slots[k-1].since {
			e.drop(int(k - 1))
		}
	}
	for i := range p.doors {
		if d := &e.doors[p.doors[i].Index]; seq >= d.run {
			d.have = true
		}
	}
	for i := range p.pieces {
		if d := &e.pieces[p.pieces[i].Index]; seq >= d.run {
			d.have = true
		}
	}
	for _, num := range p.events {
		e.events.arrived(num)
	}
	for _, o := range p.opened {
		e.bursts.arrived(o)
	}
}

// Lost says that the packet will not arrive. It may be wrong: a packet that comes
// all the same does no harm.
func (e *Encoder) Lost(seq uint64) {
	p := &e.ring[seq%Ring]
	if !p.live || p.seq != seq {
		return
	}
	p.live = false
	for _, num := range p.events {
		e.events.lost(num, seq)
	}
}
