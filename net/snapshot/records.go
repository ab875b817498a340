package snapshot

import (
	"cmp"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// putRecords writes the records that are due, all of them when they fit.
func (e *Encoder) putRecords(c *wire.Coder, p, base *packet, whole bool) {
	e.due = e.due[:0]
	for i := range e.slots {
		s := &e.slots[i]
		if s.rest {
			continue
		}
		s.chosen = false
		switch {
		case !s.here:
		case e.rest && s.sent && s.lastAt == p.tick:
			whole = false
		case e.based && s.settled():
			s.sleep()
		case s.still:
			whole = false // what of it has not arrived does not come any more either
		case e.based && s.sent && (s.hasBase || !s.fly.due(p.seq, e.newest)) && p.tick-s.lastAt < state.Tick(s.now.Ent.Interval):
			whole = false
		default:
			s.chosen = true
			e.due = append(e.due, i)
		}
	}
	e.inOrder()
	m := e.out.mark()
	e.pending = false
	if !e.putAll(c, p, base, whole) {
		e.pending = true
		e.out.back(&m)
		e.choose(c, p, base)
		for !e.putAll(c, p, base, false) && len(e.due) > 0 {
			e.out.back(&m)
			e.byNeed()
			e.cut(len(e.due) - max(len(e.due)/8, 1))
		}
	}
	for _, i := range e.due {
		s := &e.slots[i]
		p.given = append(p.given, given{s.index, s.now.Detail, s.ways})
		s.ways = 0
		if !s.sent || !same(&s.now, &s.last) {
			s.last, s.lastOf, s.run = s.now, s.of, p.seq
		}
		s.sent, s.lastSeq, s.lastAt = true, p.seq, p.tick
	}
}

// kinds of record.
const (
	again = iota // against the record in the base packet
	older        // against that of an older one
	full         // without a base
	loose        // against a full one of which nothing is known yet
)

// kindOf says what a slot's record is like in a packet.
func (e *Encoder) kindOf(s *slot, p *packet) int {
	switch {
	case !e.based:
		return full
	case s.hasBase && s.baseSeq == e.baseSeq:
		return again
	case s.hasBase && p.seq-s.baseSeq <= MaxAge && s.baseSeq < e.baseSeq:
		return older
	case !s.hasBase && s.fly.n > 0 && !s.fly.due(p.seq, e.newest) && p.seq-s.firstSeq <= MaxAge:
		return loose
	}
	return full
}

// putAll writes everybody's record who is due, and the end. It reports false when
// they do not fit.
func (e *Encoder) putAll(c *wire.Coder, p, base *packet, whole bool) bool {
	p.recs = p.recs[:0]
	gone := len(p.removed)
	var spent Bits
	count := func(s *slot, isFull bool, from int) {
		took := int64(e.out.tell() - from)
		switch {
		case s.now.Ent.Kind != state.KindPlayer:
		case isFull:
			spent.Fulls++
			spent.FullBits += took
		default:
			spent.Updates++
			spent.UpdateBits += took
		}
	}
	for k := range base.recs {
		r := &base.recs[k]
		what := wire.Nothing
		var s *slot
		if at := e.byNo[r.no]; at != 0 {
			switch s = &e.slots[at-1]; {
			case s.here && s.chosen && e.kindOf(s, p) == again:
				what = wire.Again
			case !s.here && s.fly.due(p.seq, e.newest):
				what = wire.Leaves
				p.removed = append(p.removed, r.no)
			}
		}
		from := e.out.tell()
		if c.Again(what, &r.rec) == wire.Again {
			c.Record(&s.now, &s.base, e.tickRate)
			p.recs = append(p.recs, record{s.no, s.now})
			count(s, false, from)
		}
		if e.out.tight(spare) {
			p.removed = p.removed[:gone]
			return false
		}
	}
	before := -1
	for _, i := range e.due {
		s := &e.slots[i]
		kind := e.kindOf(s, p)
		if kind != older && kind != full {
			continue
		}
		from := e.out.tell()
		c.More(wire.OfRecords, true)
		c.Slot(wire.OfRecords, int(s.no), before)
		before = int(s.no)
		if c.Full(kind == full) {
			e.putFull(c, p, s)
		} else {
			c.Age(int(e.baseSeq - s.baseSeq))
			c.Record(&s.now, &s.base, e.tickRate)
		}
		if e.out.tight(spare) {
			p.removed = p.removed[:gone]
			return false
		}
		p.recs = append(p.recs, record{s.no, s.now})
		count(s, kind == full, from)
	}
	c.More(wire.OfRecords, false)
	c.Whole(whole)
	p.whole = whole
	before = -1
	for _, i := range e.due {
		s := &e.slots[i]
		if e.kindOf(s, p) != loose {
			continue
		}
		from := e.out.tell()
		c.More(wire.OfLoose, true)
		c.Slot(wire.OfLoose, int(s.no), before)
		before = int(s.no)
		c.LooseAge(int(p.seq - s.firstSeq))
		c.Record(&s.now, &s.first, e.tickRate)
		count(s, false, from)
		if e.out.tight(spare) {
			p.removed = p.removed[:gone]
			return false
		}
	}
	c.More(wire.OfLoose, false)
	for _, no := range p.removed[gone:] {
		e.slots[e.byNo[no]-1].fly.sent(p.seq)
	}
	for _, i := range e.due {
		if s := &e.slots[i]; e.kindOf(s, p) == full {
			if s.fly.n%2 == 0 {
				s.first, s.firstSeq = s.now, p.seq
			}
			s.fly.sent(p.seq)
			s.chosen = false
		}
	}
	p.sort()
	e.spent.Add(spent)
	return true
}

func (e *Encoder) putFull(c *wire.Coder, p *packet, s *slot) {
	c.Generation(s.gen)
	c.First(&s.now, state.Quant(p.player.Pos))
	e.way = e.way[:0]
	for _, b := range s.path[:min(len(s.path), wire.MaxPath)] {
		b.Coarsen(s.now.Detail)
		e.way = append(e.way, b)
	}
	c.Path(e.way, &s.now, e.tickRate)
	s.ways = uint8(len(e.way))
}

// byNeed sorts due: first those who were never sent, then those who have waited
// longest.
func (e *Encoder) byNeed() {
	slices.SortFunc(e.due, func(i, j int) int {
		a, b := &e.slots[i], &e.slots[j]
		switch {
		case a.sent != b.sent:
			if a.sent {
				return 1
			}
			return -1
		case a.sent && a.lastSeq != b.lastSeq:
			return cmp.Compare(a.lastSeq, b.lastSeq)
		}
		return cmp.Compare(a.no, b.no)
	})
}

// choose cuts due down to what fits, by need.
func (e *Encoder) choose(c *wire.Coder, p, base *packet) {
	e.byNeed()
	const extra = 16 * 16 // what names a record, in 16ths of a bit
	room := (e.out.left() - spare - len(base.recs)/2) * 8 * 16
	n := 0
	m := e.out.mark()
	for _, i := range e.due {
		s := &e.slots[i]
		start := e.out.tell()
		switch e.kindOf(s, p) {
		case full:
			e.putFull(c, p, s)
		case loose:
			c.Record(&s.now, &s.first, e.tickRate)
		default:
			c.Record(&s.now, &s.base, e.tickRate)
		}
		room -= e.out.tell() - start + extra
		e.out.back(&m)
		if room < 0 {
			break
		}
		n++
	}
	e.cut(n)
}

// cut leaves the first n of due, in order.
func (e *Encoder) cut(n int) {
	for _, i := range e.due[n:] {
		e.slots[i].chosen = false
	}
	e.due = e.due[:n]
	e.inOrder()
}
