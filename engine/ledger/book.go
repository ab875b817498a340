package ledger

import (
	"math"
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// book knows what is open and makes records of what a batch changes. It belongs to
// the Writer's goroutine.
type book struct {
	o     *output
	rec   Record // being written
	who   vis.Source
	begun bool
	names [state.MaxPlayers + 1]name
	at    [state.MaxPlayers + 1]*shelf // by viewer; nil: never was one
	kinds [idSpace]uint8               // in this tick: 1 there, 2 there and alive
	used  []state.ID
}

// shelf is what one viewer knows.
type shelf struct {
	seen  bool // a viewer in this tick
	body  bool
	asked []uint64
	index [idSpace]uint16 // by target, place in open + 1
	open  []open
	ring  [ringSize]told
	n     int
}

// ringSize is how many packets can be under way to a viewer whose arrival would be
// news: 2 s of them at 64 Hz.
const ringSize = 128

// open is one disclosure that has not ended.
type open struct {
	target  state.ID
	kind    state.Kind
	reason  vis.Reason
	has     bool // in this tick
	come    bool
	column  int32
	since   state.Tick
	sentAt  state.Tick
	comeAt  state.Tick
	first   uint64 // packet; 0 none yet
	last    uint64
	packets uint32
}

// told is a packet with targets whose first state may be in it.
type told struct {
	seq  uint64
	tick state.Tick
	of   []state.ID
}

func newBook(o *output) *book {
	b := &book{o: o}
	o.begin = b.carry
	return b
}

// put writes the record that was filled in.
func (b *book) put(r Record) error {
	b.rec = r
	return b.o.put(&b.rec)
}

// enter takes the next tick.
func (b *book) enter(t *batch) error {
	b.o.now = t.tick
	if err := b.o.turn(); err != nil {
		return err
	}
	if t.lost > 0 || t.items > 0 {
		if err := b.put(Record{Kind: Gap, Tick: t.tick, Count: uint32(t.lost), Items: uint32(t.items)}); err != nil {
			return err
		}
	}
	for i := range t.plugins {
		if err := b.put(Record{Kind: Plugin, Tick: t.tick, Text: t.plugins[i].text, Count: t.plugins[i].pid}); err != nil {
			return err
		}
	}
	for i := range t.tables {
		n := &t.tables[i]
		if err := b.put(Record{Kind: Table, Tick: t.tick, Text: n.name, To: n.to, Count: n.version}); err != nil {
			return err
		}
	}
	if t.decided && (!b.begun || t.source != b.who) {
		b.begun, b.who = true, t.source
		if err := b.put(Record{Kind: Source, Tick: t.tick, Who: t.source}); err != nil {
			return err
		}
	}
	if err := b.named(t); err != nil {
		return err
	}
	if err := b.acked(t); err != nil {
		return err
	}
	if err := b.fired(t); err != nil {
		return err
	}
	if err := b.pairs(t); err != nil {
		return err
	}
	if err := b.sent(t); err != nil {
		return err
	}
	if err := b.reports(t); err != nil {
		return err
	}
	if err := b.samples(t); err != nil {
		return err
	}
	return b.o.tickDone()
}

func (b *book) named(t *batch) error {
	for i := range t.names {
		n := &t.names[i]
		kind := Name
		if n.left {
			kind = Left
		}
		if err := b.put(Record{Kind: kind, Tick: t.tick, Viewer: n.id, Text: n.text, Bot: n.bot}); err != nil {
			return err
		}
		b.names[n.id] = name{}
		if !n.left {
			b.names[n.id] = name{n.text, n.bot}
		}
	}
	return nil
}

// acked finds what an acknowledged packet was the first to bring.
func (b *book) acked(t *batch) error {
	for _, a := range t.acks {
		s := b.at[a.viewer]
		if s == nil {
			continue
		}
		for k := range min(s.n, ringSize) {
			p := &s.ring[(s.n-1-k)%ringSize]
			if p.seq != a.seq {
				continue
			}
			for _, id := range p.of {
				i := s.index[id]
				if i == 0 {
					continue
				}
				o := &s.open[i-1]
				if o.come || o.first == 0 || int32(p.tick-o.since) < 0 {
					continue
				}
				o.come, o.comeAt = true, t.tick
				if err := b.put(Record{Kind: Arrived, Tick: t.tick, Viewer: a.viewer, Target: id, Seq: a.seq}); err != nil {
					return err
				}
			}
			p.of = p.of[:0]
			break
		}
	}
	return nil
}

func (b *book) fired(t *batch) error {
	for i := range t.shots {
		if err := b.put(Record{Kind: Fired, Tick: t.tick, Viewer: t.shots[i].shooter, Shot: t.shots[i].shot}); err != nil {
			return err
		}
	}
	return nil
}

// pairs compares the answer with what is open.
func (b *book) pairs(t *batch) error {
	for _, id := range b.used {
		b.kinds[id] = 0
	}
	b.used = b.used[:0]
	for i := range t.subjects {
		s := &t.subjects[i]
		if int(s.id) >= idSpace {
			continue
		}
		b.kinds[s.id] = 1
		if s.alive {
			b.kinds[s.id] = 2
		}
		b.used = append(b.used, s.id)
	}
	for v := range t.viewers {
		if err := b.row(t, v); err != nil {
			return err
		}
	}
	if err := b.replayed(t); err != nil {
		return err
	}
	for id := range b.at {
		if s := b.at[id]; s != nil {
			if err := b.closed(t, state.ID(id), s); err != nil {
				return err
			}
		}
	}
	return nil
}

// row opens and goes on with what one viewer may know.
func (b *book) row(t *batch, v int) error {
	who := &t.viewers[v]
	if !who.id.IsPlayer() {
		return nil
	}
	s := b.at[who.id]
	if s == nil {
		s = &shelf{}
		b.at[who.id] = s
	}
	s.seen, s.body, s.asked = true, who.body >= 0 || who.watching != 0, nil
	if who.body >= 0 && len(t.asked) > 0 {
		s.asked = t.asked[v*t.words : (v+1)*t.words]
	}
	for w, word := range t.permit[v*t.words : (v+1)*t.words] {
		for ; word != 0; word &= word - 1 {
			k := w*64 + bits.TrailingZeros64(word)
			if k >= len(t.subjects) {
				break
			}
			it := &t.subjects[k]
			if it.id == who.id || it.id == 0 || int(it.id) >= idSpace {
				continue
			}
			reason := min(t.reason[v*len(t.subjects)+k], vis.NumReasons-1)
			if err := b.knows(t, who.id, s, it.id, it.kind, reason, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// knows opens, or goes on with, one disclosure. column is where the subject stands in
// the tick, -1 when nowhere.
func (b *book) knows(t *batch, viewer state.ID, s *shelf, id state.ID, kind state.Kind, reason vis.Reason, column int) error {
	i := s.index[id]
	if i != 0 && s.open[i-1].kind != kind && !s.open[i-1].has {
		if err := b.end(t, viewer, s, int(i-1), Gone); err != nil { // another thing with its number
			return err
		}
		i = 0
	}
	if i == 0 {
		s.open = append(s.open, open{target: id, kind: kind, reason: reason, since: t.tick, has: true, column: int32(column)})
		s.index[id] = uint16(len(s.open))
		return b.put(Record{Kind: Begin, Tick: t.tick, Viewer: viewer, Target: id, Subject: kind, Reason: reason})
	}
	o := &s.open[i-1]
	o.has, o.column = true, int32(column)
	if o.reason != reason {
		o.reason = reason
		return b.put(Record{Kind: Change, Tick: t.tick, Viewer: viewer, Target: id, Reason: reason})
	}
	return nil
}

// closed ends what a viewer may not know any more, and prepares the shelf for the
// next tick.
func (b *book) closed(t *batch, viewer state.ID, s *shelf) error {
	for i := 0; i < len(s.open); {
		o := &s.open[i]
		if o.has && s.seen {
			o.has = false
			i++
			continue
		}
		if err := b.end(t, viewer, s, i, b.cause(t, s, o)); err != nil {
			return err
		}
	}
	if !s.seen {
		for i := range s.ring {
			s.ring[i].seq, s.ring[i].of = 0, s.ring[i].of[:0]
		}
		s.n = 0 // another session's packets have other numbers
	}
	s.seen, s.asked = false, nil
	return nil
}

func (b *book) cause(t *batch, s *shelf, o *open) Cause {
	switch {
	case !s.seen:
		return ViewerGone
	case b.kinds[o.target] == 0:
		return Gone
	case b.kinds[o.target] == 1:
		return Dead
	case !s.body:
		return NoBody
	case s.asked != nil:
		k := int(o.column) // mostly still there
		if k < 0 || k >= len(t.subjects) || t.subjects[k].id != o.target {
			for k = 0; t.subjects[k].id != o.target; k++ {
			}
		}
		if s.asked[k/64]&(1<<(k%64)) == 0 {
			return NotAsked
		}
	}
	return Withheld
}

// end closes a disclosure; another takes its place on the shelf.
func (b *book) end(t *batch, viewer state.ID, s *shelf, i int, why Cause) error {
	o := s.open[i]
	s.index[o.target] = 0
	last := len(s.open) - 1
	if i != last {
		s.open[i] = s.open[last]
		s.index[s.open[i].target] = uint16(i + 1)
	}
	s.open = s.open[:last]
	return b.put(Record{Kind: End, Tick: t.tick, Viewer: viewer, Target: o.target, Cause: why, Seq: o.last, Packets: o.packets})
}

// sent notes the packets of the tick.
func (b *book) sent(t *batch) error {
	of := t.of
	for _, p := range t.packets {
		ids := of[:p.n]
		of = of[p.n:]
		s := b.at[p.viewer]
		if s == nil {
			continue
		}
		slot := &s.ring[s.n%ringSize]
		slot.of = slot.of[:0]
		for _, id := range ids {
			if int(id) >= idSpace || s.index[id] == 0 {
				continue
			}
			o := &s.open[s.index[id]-1]
			o.packets++
			o.last = p.seq
			if !o.come {
				slot.of = append(slot.of, id)
			}
			if o.first == 0 {
				o.first, o.sentAt = p.seq, t.tick
				if err := b.put(Record{Kind: Sent, Tick: t.tick, Viewer: p.viewer, Target: id, Seq: p.seq}); err != nil {
					return err
				}
			}
		}
		if len(slot.of) > 0 {
			slot.seq, slot.tick = p.seq, t.tick
			s.n++
		}
	}
	return nil
}

func (b *book) reports(t *batch) error {
	for _, r := range t.reports {
		if int(r.target) >= idSpace {
			continue
		}
		if err := b.put(Record{Kind: Report, Tick: t.tick, Viewer: r.viewer, Target: r.target, Seq: r.seq, SentAt: r.sentAt, Claim: r.claim}); err != nil {
			return err
		}
	}
	return nil
}

// samples draws pairs of living enemies by chance, by a hash that knows nothing of
// what was decided.
func (b *book) samples(t *batch) error {
	below := uint64(b.o.head.Rate * (1 << 32))
	if below == 0 || len(t.asked) == 0 {
		return nil
	}
	for v := range t.viewers {
		who := &t.viewers[v]
		if who.body < 0 || !who.id.IsPlayer() {
			continue
		}
		me := &t.subjects[who.body]
		for k := range t.subjects {
			it := &t.subjects[k]
			if it.kind != state.KindPlayer || !it.alive || it.id == who.id || it.id == 0 || int(it.id) >= idSpace || it.team != 0 && it.team == me.team {
				continue
			}
			if mix(b.o.head.Seed, uint64(t.tick)<<32|uint64(who.id)<<16|uint64(it.id))>>32 >= below {
				continue
			}
			at, bit := v*t.words+k/64, uint64(1)<<(k%64)
			r := Record{Kind: Sample, Tick: t.tick, Viewer: who.id, Target: it.id}
			switch {
			case t.permit[at]&bit != 0:
				r.Reason = t.reason[v*len(t.subjects)+k]
			case t.asked[at]&bit == 0:
				continue // no candidate
			}
			r.Distance, r.Aim = aim(me, it)
			if err := b.put(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// aim returns how far one is from another's eye, in centimetres, and how far off the
// direction of its view, in degrees.
func aim(me, it *subject) (cm uint32, deg uint8) {
	to := it.chest.Sub(me.eye)
	d := float64(to.LenSq())
	if !(d > 0) || d > 1e12 {
		return 0, 0
	}
	d = math.Sqrt(d)
	c := float64(to.Dot(vec.Forward(me.yaw, me.pitch))) / d
	if !(c > -1) { // also where it is no number
		return uint32(d * 100), 180
	}
	return uint32(d * 100), uint8(math.Acos(min(c, 1)) * 180 / math.Pi)
}

// mix is a hash of two numbers.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// carry begins a part with the names and with what is open.
func (b *book) carry(tick state.Tick) error {
	for id := range b.names {
		if n := &b.names[id]; n.text != "" {
			if err := b.put(Record{Kind: Name, Tick: tick, Viewer: state.ID(id), Text: n.text, Bot: n.bot}); err != nil {
				return err
			}
		}
	}
	if b.begun {
		if err := b.put(Record{Kind: Source, Tick: tick, Who: b.who}); err != nil {
			return err
		}
	}
	for id := range b.at {
		s := b.at[id]
		if s == nil {
			continue
		}
		for i := range s.open {
			o := &s.open[i]
			err := b.put(Record{
				Kind: Carry, Tick: tick, Viewer: state.ID(id), Target: o.target, Subject: o.kind, Reason: o.reason,
				Since: o.since, Packets: o.packets, Seq: o.first, SentAt: o.sentAt, HasCome: o.come, ArrivedAt: o.comeAt,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
