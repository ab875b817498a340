package snapshot

import (
	"errors"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// Why a packet could not be used.
var (
	// ErrPacket says that it is damaged.
	ErrPacket = errors.New("snapshot: damaged packet")
	// ErrStale says that it came twice, or too late to matter.
	ErrStale = errors.New("snapshot: stale packet")
	// ErrNeedFull says that what it is based on is not known: ask for a snapshot
	// without a base (wire.Client.NeedFull) until Decode succeeds again.
	ErrNeedFull = errors.New("snapshot: unknown base")
)

// Snapshot is what a client knows after a packet.
type Snapshot struct {
	Seq  uint64
	Tick state.Tick
	// Late says that a newer packet came before: Own and Tick are older than what
	// the client has already.
	Late bool
	// Complete says that every entity is known as of Tick.
	Complete bool
	Own      vis.Own
	Entities []Item // everyone known, by ascending id
	Removed  []state.ID
	Events   []Event
	Doors    []state.DoorState // by door; one that was never sent is the zero state
}

// Item is one subject that the client knows.
type Item struct {
	state.Entity
	Tick  state.Tick // as of which this holds
	New   bool       // it came into view with this packet
	Moved bool       // this packet has a record of it
	// Path is how one who is New stood before Tick, newest first, state.PathGap ticks
	// between two. It is valid until the next Decode.
	Path []state.Body

	seq uint64 // newest packet that mentions it
	gen uint8
}

// Event is one thing that happened, and when.
type Event struct {
	Tick state.Tick
	state.Event
}

// Decoder reads one client's snapshots.
type Decoder struct {
	tickRate int
	begun    bool
	lost     bool // only a snapshot without a base will do
	newest   uint64

	predict func(state.Tick) (*state.Player, bool)

	ring [Ring]packet
	next packet
	gens []uint8  // of next.recs; full records only
	ways [][2]int // of next.recs: part of path
	path []state.Body
	full []bool
	came []numbered

	touched [numIDs]uint64 // newest packet that mentions a subject + 1
	doorSeq []uint64
	seen    window

	out Snapshot
}

type numbered struct {
	num uint32
	Event
}

// NewDecoder returns the Decoder of a client that has not received anything.
func NewDecoder(tickRate int) *Decoder { return &Decoder{tickRate: tickRate} }

// Decode reads the snapshot of the packet with number seq. The Snapshot belongs
// to the Decoder and changes with the next call.
func (d *Decoder) Decode(r *bits.Reader, seq uint64) (*Snapshot, error) {
	if d.begun {
		if p := &d.ring[seq%Ring]; seq+Ring/2 <= d.newest || (p.live && p.seq >= seq) {
			return nil, ErrStale
		}
	}
	if err := d.parse(r, seq); err != nil {
		if errors.Is(err, ErrNeedFull) {
			d.lost = true
		}
		return nil, err
	}
	d.apply(seq)
	return &d.out, nil
}

// parse reads into next and came, changing nothing else.
func (d *Decoder) parse(r *bits.Reader, seq uint64) error {
	p := &d.next
	p.clear(seq)
	d.gens, d.full, d.came = d.gens[:0], d.full[:0], d.came[:0]
	d.ways, d.path = d.ways[:0], d.path[:0]

	c := wire.Reading(r)
	c.Age(&p.head.Based)
	var zero packet
	base := &zero
	if p.head.Based != 0 {
		if d.lost {
			return ErrNeedFull
		}
		if base = d.past(seq, p.head.Based); base == nil {
			return ErrNeedFull
		}
	}
	c.Head(&p.head, &base.head)
	p.tick = p.head.Tick
	if err := d.parsePlayer(r, &c, p, base); err != nil {
		return err
	}
	for r.Bool() {
		i := int(r.Bits(12))
		var s state.DoorState
		c.Door(&s, p.tick)
		if n := len(p.doors); n > 0 && p.doors[n-1].Index >= i {
			r.Fail(ErrPacket)
			break
		}
		p.doors = append(p.doors, vis.DoorSeen{Index: i, State: s})
	}
	for at := 0; r.Bool(); {
		at = getID(r, at)
		p.removed = append(p.removed, uint16(at))
	}
	d.parseEvents(r, &c, p)
	if err := d.parseRecords(r, &c, p); err != nil {
		return err
	}
	p.whole = r.Bool()
	return r.Err()
}

// past returns the packet that was sent age packets before seq, if it is known.
func (d *Decoder) past(seq uint64, age uint8) *packet {
	at := seq - uint64(age)
	if p := &d.ring[at%Ring]; at < seq && p.live && p.seq == at {
		return p
	}
	return nil
}

func (d *Decoder) parseEvents(r *bits.Reader, c *wire.Coder, p *packet) {
	near := state.Quant(p.player.Pos)
	var num uint32
	for r.Bool() {
		if len(d.came) == 0 {
			num = d.seen.unwrap(uint16(r.Bits(16)))
		} else {
			num += r.Golomb(0) + 1
		}
		age := r.Golomb(2)
		var e state.Event
		c.Event(&e, near)
		if len(d.came) == maxQueue {
			r.Fail(ErrPacket)
		}
		if r.Err() != nil {
			return
		}
		d.came = append(d.came, numbered{num, Event{p.tick - age, e}})
	}
}

func (d *Decoder) parseRecords(r *bits.Reader, c *wire.Coder, p *packet) error {
	for at := 0; r.Bool(); {
		at = getID(r, at)
		age := p.head.Based
		if !r.Bool() {
			c.Age(&age)
		}
		if r.Err() != nil || len(p.recs) == maxRecords {
			r.Fail(ErrPacket)
			return r.Err()
		}
		e := state.Entity{ID: idAt(at)}
		var gen uint8
		way := len(d.path)
		if age == 0 {
			gen = uint8(r.Bits(4))
			c.Entity(&e, nil, state.Q{})
			d.path = c.Path(d.path, &e, d.tickRate)
		} else {
			from := d.past(p.seq, age)
			if from == nil {
				return ErrNeedFull
			}
			base := from.find(uint16(at))
			if base == nil {
				return ErrNeedFull
			}
			c.Entity(&e, base, wire.Extrapolate(base, int32(p.tick-from.tick), d.tickRate))
		}
		p.recs = append(p.recs, record{index: uint16(at), ent: e})
		d.gens = append(d.gens, gen)
		d.ways = append(d.ways, [2]int{way, len(d.path)})
		d.full = append(d.full, age == 0)
	}
	return nil
}

// apply makes next the newest that is known.
func (d *Decoder) apply(seq uint64) {
	out := &d.out
	out.Removed, out.Events = out.Removed[:0], out.Events[:0]
	p := &d.next
	p.live = true

	if d.lost && p.head.Based == 0 {
		d.startAnew(seq, p)
	}
	out.Late = d.begun && seq < d.newest
	out.Seq, out.Tick, out.Complete = seq, p.tick, p.whole
	out.Own = vis.Own{
		ID: p.head.ID, Watching: p.head.Watching, Player: p.player, LastCmd: p.head.LastCmd,
		Starved: p.head.Starved, Margin: p.head.Margin, Interp: p.head.Interp,
	}
	if !out.Late {
		d.newest, d.begun = seq, true
	}

	for i := range out.Entities {
		out.Entities[i].New, out.Entities[i].Moved, out.Entities[i].Path = false, false, nil
	}
	for _, index := range p.removed {
		d.remove(int(index), seq)
	}
	for i := range p.recs {
		d.update(i, seq)
	}
	if out.Complete && !out.Late {
		for i := range out.Entities {
			out.Entities[i].Tick = p.tick
		}
	}
	d.doors(p)
	for i := range d.came {
		if d.seen.first(d.came[i].num) {
			out.Events = append(out.Events, d.came[i].Event)
		}
	}
	slot := &d.ring[seq%Ring]
	*slot, d.next = *p, *slot
}

// startAnew forgets everyone, after a base was missing.
func (d *Decoder) startAnew(seq uint64, p *packet) {
	d.lost = false
	out := &d.out
	n := 0
	for i := range out.Entities {
		it := &out.Entities[i]
		if index := indexOf(it.ID); p.find(uint16(index)) == nil && it.seq < seq {
			d.touched[index] = seq + 1
			out.Removed = append(out.Removed, it.ID)
			continue
		}
		out.Entities[n] = *it
		n++
	}
	out.Entities = out.Entities[:n]
}

// locate returns where a subject is, or belongs, among the entities.
func (d *Decoder) locate(id state.ID) (int, bool) {
	es := d.out.Entities
	lo, hi := 0, len(es)
	for lo < hi {
		if m := (lo + hi) / 2; es[m].ID < id {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(es) && es[lo].ID == id
}

func (d *Decoder) remove(index int, seq uint64) {
	if d.touched[index] > seq {
		return
	}
	d.touched[index] = seq + 1
	if i, ok := d.locate(idAt(index)); ok {
		d.out.Removed = append(d.out.Removed, idAt(index))
		d.out.Entities = append(d.out.Entities[:i], d.out.Entities[i+1:]...)
	}
}

func (d *Decoder) update(i int, seq uint64) {
	rec := &d.next.recs[i]
	if d.touched[rec.index] > seq {
		return
	}
	d.touched[rec.index] = seq + 1
	at, ok := d.locate(rec.ent.ID)
	if !ok {
		es := append(d.out.Entities, Item{})
		copy(es[at+1:], es[at:])
		d.out.Entities = es
		es[at] = Item{New: true, gen: d.gens[i]}
	}
	it := &d.out.Entities[at]
	if d.full[i] && it.gen != d.gens[i] {
		*it = Item{New: true, gen: d.gens[i]}
	}
	it.Entity, it.Tick, it.Moved, it.seq = rec.ent, d.next.tick, true, seq
	if w := d.ways[i]; it.New {
		it.Path = d.path[w[0]:w[1]:w[1]]
	}
}

func (d *Decoder) doors(p *packet) {
	for _, s := range p.doors {
		for len(d.doorSeq) <= s.Index {
			d.doorSeq = append(d.doorSeq, 0)
			d.out.Doors = append(d.out.Doors, state.DoorState{})
		}
		if d.doorSeq[s.Index] <= p.seq {
			d.doorSeq[s.Index] = p.seq + 1
			d.out.Doors[s.Index] = s.State
		}
	}
}

// window remembers which event numbers came.
type window struct {
	next uint32 // newest + 1
	bits [windowLen / 64]uint64
}

const windowLen = 2 * maxQueue

// unwrap returns the number with these low bits that is nearest to the newest.
func (w *window) unwrap(low uint16) uint32 {
	return w.next + uint32(int32(int16(low-uint16(w.next))))
}

// first reports whether a number has not come before, and notes it.
func (w *window) first(n uint32) bool {
	if ahead := int32(n - w.next); ahead >= 0 {
		for i := int32(0); i <= ahead && i < windowLen; i++ {
			w.set(w.next+uint32(i), false)
		}
		w.next = n + 1
		w.set(n, true)
		return true
	} else if ahead < -windowLen {
		return false
	}
	k := n % windowLen
	if w.bits[k/64]&(1<<(k%64)) != 0 {
		return false
	}
	w.set(n, true)
	return true
}

func (w *window) set(n uint32, on bool) {
	k := n % windowLen
	w.bits[k/64] &^= 1 << (k % 64)
	if on {
		w.bits[k/64] |= 1 << (k % 64)
	}
}
