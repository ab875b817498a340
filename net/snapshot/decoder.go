package snapshot

import (
	"errors"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/rangecode"
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
	Pieces   []state.Piece     // by piece; one that was never sent is the zero state
}

// Item is one subject that the client knows. Its ShotSeq, Teleports and Stride begin
// anew when it comes into view. The id of a thing is the Decoder's own: the server's
// ids say how many there are.
type Item struct {
	state.Entity
	Tick   state.Tick // as of which this holds
	New    bool       // it came into view with this packet
	Moved  bool       // this packet has a record of it
	Detail state.Detail
	// Path is how one who is New stood before Tick, newest first, state.PathGap ticks
	// between two. It is valid until the next Decode.
	Path []state.Body

	seq uint64 // newest packet that mentions it
	no  uint16
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
	plain    bool // the present snapshot is
	newest   uint64

	predict func(state.Tick) (*state.Player, bool)

	ring   [Ring]packet
	next   packet
	recs   []coming // of next, loose ones too, in the order of the packet
	path   []state.Body
	came   []numbered
	known  []subject // by number
	things uint32    // ids given out

	doorSeq  []uint64
	pieceSeq []uint64
	seen     window
	bursts   heardBursts

	buf [MaxPayload]byte
	br  bits.Reader
	rd  rangecode.Decoder

	out Snapshot
}

// coming is a record that is being read.
type coming struct {
	record
	full bool
	gen  uint8
	way  [2]int // part of path
}

// subject is what a number stands for.
type subject struct {
	id      state.ID // 0: nobody
	gen     uint8
	touched uint64 // newest packet that mentions it + 1
	rec     wire.Rec
}

type numbered struct {
	num uint32
	Event
}

// NewDecoder returns the Decoder of a client that has not received anything.
func NewDecoder(tickRate int) *Decoder { return &Decoder{tickRate: tickRate} }

// Decode reads the snapshot of the packet with number seq, which is all that r has
// left. The Snapshot belongs to the Decoder and changes with the next call.
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

// open finds out how a snapshot is written.
func (d *Decoder) open(r *bits.Reader) (wire.Coder, error) {
	n := r.Remaining() / 8
	if n > len(d.buf) || r.Err() != nil {
		return wire.Coder{}, ErrPacket
	}
	b := d.buf[:n]
	r.Raw(b)
	d.plain = false
	if n >= 2 && b[0] == 0xFF && b[1] == 0xFF {
		d.br.Reset(b[2:])
		d.plain = d.br.Bool()
		return wire.Reading(&d.br), nil
	}
	d.rd.Reset(b)
	c := wire.Decoding(&d.rd)
	if c.Packed() {
		return c, ErrPacket
	}
	return c, nil
}

// parse reads into next, recs and came, changing nothing else.
func (d *Decoder) parse(r *bits.Reader, seq uint64) error {
	p := &d.next
	p.clear(seq)
	d.recs, d.came, d.path = d.recs[:0], d.came[:0], d.path[:0]
	c, err := d.open(r)
	if err != nil {
		return err
	}
	c.Base(&p.head)
	base := &nothing
	if p.head.Based != 0 {
		if d.lost {
			return ErrNeedFull
		}
		if base = d.past(seq, int(p.head.Based)); base == nil {
			return ErrNeedFull
		}
	}
	c.Head(&p.head, &base.head)
	p.tick = p.head.Tick
	if err := d.parsePlayer(&c, p, base); err != nil {
		return err
	}
	for at := -1; c.Err() == nil && c.More(wire.OfDoors, false); {
		at = c.DoorIndex(0, at)
		var s state.DoorState
		if c.Door(&s, p.tick); at < 0 || at >= maxDoors {
			c.Fail(ErrPacket)
			break
		}
		p.doors = append(p.doors, vis.DoorSeen{Index: at, State: s})
	}
	d.parsePieces(&c, p)
	for at := -1; c.Err() == nil && c.More(wire.OfRemoved, false); {
		if at = number(&c, wire.OfRemoved, at); c.Err() == nil {
			p.removed = append(p.removed, uint16(at))
		}
	}
	d.parseEvents(&c, p, base)
	if err := d.parseRecords(&c, p, base); err != nil {
		return err
	}
	return c.Err()
}

// number reads a subject's number.
func number(c *wire.Coder, list, before int) int {
	n := c.Slot(list, 0, before)
	if n < 0 || n >= maxNumbers {
		c.Fail(ErrPacket)
		return 0
	}
	return n
}

// past returns the packet that was sent age packets before seq, if it is known.
func (d *Decoder) past(seq uint64, age int) *packet {
	at := seq - uint64(age)
	if p := &d.ring[at%Ring]; at < seq && p.live && p.seq == at {
		return p
	}
	return nil
}

func (d *Decoder) parseEvents(c *wire.Coder, p, base *packet) {
	near := state.Quant(p.player.Pos)
	p.top = base.top
	after := base.top
	for c.Err() == nil && c.More(wire.OfEvents, false) {
		num := c.EventNumber(0, after, len(d.came) == 0)
		age := c.EventAge(0)
		var e state.Event
		c.Happened(&e, near)
		if len(d.came) == maxQueue {
			c.Fail(ErrPacket)
		}
		if c.Err() != nil {
			return
		}
		after = num + 1
		if int32(after-p.top) > 0 {
			p.top = after
		}
		d.came = append(d.came, numbered{num, Event{p.tick - age, e}})
	}
}

func (d *Decoder) parseRecords(c *wire.Coder, p, base *packet) error {
	for k := range base.recs {
		b := &base.recs[k]
		switch c.Again(wire.Nothing, &b.rec) {
		case wire.Again:
			d.against(c, p, b.no, &b.rec)
		case wire.Leaves:
			p.removed = append(p.removed, b.no)
		}
		if c.Err() != nil {
			return c.Err()
		}
	}
	for at := -1; c.Err() == nil && c.More(wire.OfRecords, false); {
		at = number(c, wire.OfRecords, at)
		isFull := c.Full(false)
		if len(d.recs) >= maxRecords {
			c.Fail(ErrPacket)
		}
		if c.Err() != nil {
			return c.Err()
		}
		if isFull {
			d.without(c, p, uint16(at))
			continue
		}
		from := d.past(p.seq, int(p.head.Based)+c.Age(0))
		if from == nil {
			return orNeed(c)
		}
		rec := from.find(uint16(at))
		if rec == nil {
			return orNeed(c)
		}
		d.against(c, p, uint16(at), rec)
	}
	p.whole = c.Whole(false)
	for k := range d.recs {
		p.recs = append(p.recs, d.recs[k].record)
	}
	p.sort()
	for at := -1; c.Err() == nil && c.More(wire.OfLoose, false); {
		at = number(c, wire.OfLoose, at)
		from := d.past(p.seq, c.LooseAge(0))
		if c.Err() != nil || len(d.recs) >= maxRecords {
			c.Fail(ErrPacket)
			return c.Err()
		}
		var rec *wire.Rec
		if from != nil {
			rec = from.find(uint16(at))
		}
		if rec == nil {
			// The full record has not come. Who follows cannot be read, and will be told
			// again.
			p.whole = false
			return nil
		}
		d.against(c, p, uint16(at), rec)
	}
	c.End()
	return c.Err()
}

// orNeed is the error of a packet that names a base that is not there.
func orNeed(c *wire.Coder) error {
	if c.Err() != nil {
		return c.Err()
	}
	return ErrNeedFull
}

// against reads a record with a base.
func (d *Decoder) against(c *wire.Coder, p *packet, no uint16, base *wire.Rec) {
	d.recs = append(d.recs, coming{record: record{no, wire.Rec{Tick: p.tick}}})
	r := &d.recs[len(d.recs)-1].rec
	r.Ent.ID = base.Ent.ID
	c.Record(r, base, d.tickRate)
}

// without reads a record without one.
func (d *Decoder) without(c *wire.Coder, p *packet, no uint16) {
	d.recs = append(d.recs, coming{record: record{no, wire.Rec{Tick: p.tick}}, full: true, gen: c.Generation(0)})
	in := &d.recs[len(d.recs)-1]
	c.First(&in.rec, state.Quant(p.player.Pos))
	in.way[0] = len(d.path)
	d.path = c.Path(d.path, &in.rec, d.tickRate)
	in.way[1] = len(d.path)
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
		ID: p.head.ID, Watching: p.head.Watching, Delay: p.head.Delay, Player: p.player, LastCmd: p.head.LastCmd,
		Starved: p.head.Starved, Margin: p.head.Margin, Interp: p.head.Interp, Tables: p.head.Tables,
	}
	if !out.Late {
		d.newest, d.begun = seq, true
	}

	for i := range out.Entities {
		out.Entities[i].New, out.Entities[i].Moved, out.Entities[i].Path = false, false, nil
	}
	for _, no := range p.removed {
		d.remove(no, seq)
	}
	for i := range d.recs {
		d.update(&d.recs[i], seq)
	}
	if out.Complete && !out.Late {
		for i := range out.Entities {
			out.Entities[i].Tick = p.tick
		}
	}
	d.doors(p)
	d.pieces(p)
	for i := range d.came {
		if d.bursts.take(&d.came[i].Event.Event, p.head.ID) && d.seen.first(d.came[i].num) {
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
		if p.find(it.no) == nil && it.seq < seq {
			d.known[it.no].id, d.known[it.no].touched = 0, seq+1
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

// subject returns what a number stands for.
func (d *Decoder) subject(no uint16) *subject {
	for len(d.known) <= int(no) {
		d.known = append(d.known, subject{})
	}
	return &d.known[no]
}

func (d *Decoder) remove(no uint16, seq uint64) {
	s := d.subject(no)
	if s.touched > seq {
		return
	}
	s.touched = seq + 1
	d.forget(s, no)
}

// forget takes a number's subject out of the entities.
func (d *Decoder) forget(s *subject, no uint16) {
	id := s.id
	s.id = 0
	if i, ok := d.locate(id); ok && d.out.Entities[i].no == no {
		d.out.Removed = append(d.out.Removed, id)
		d.out.Entities = append(d.out.Entities[:i], d.out.Entities[i+1:]...)
	}
}

// thing returns an id for a thing that has come into view: one that was not used for
// long, and is not in use.
func (d *Decoder) thing() state.ID {
	for range state.MaxThings {
		id := state.FirstThing + state.ID(d.things%state.MaxThings)
		d.things++
		if _, used := d.locate(id); !used {
			return id
		}
	}
	return state.FirstThing // there are never as many
}

func (d *Decoder) update(in *coming, seq uint64) {
	s := d.subject(in.no)
	if s.touched > seq {
		return
	}
	s.touched = seq + 1
	id := in.rec.Ent.ID
	switch {
	case id.IsPlayer():
	case s.id != 0 && !s.id.IsPlayer() && (!in.full || s.gen == in.gen):
		id = s.id
	default:
		id = d.thing()
	}
	in.rec.Ent.ID = id
	if s.id != 0 && s.id != id {
		d.forget(s, in.no)
	}
	at, ok := d.locate(id)
	if !ok {
		es := append(d.out.Entities, Item{})
		copy(es[at+1:], es[at:])
		d.out.Entities = es
	}
	it := &d.out.Entities[at]
	if !ok || it.no != in.no || in.full && s.gen != in.gen {
		*it = Item{New: true}
		d.shown(nil, &in.rec)
	} else {
		d.shown(&s.rec, &in.rec)
	}
	if in.full {
		s.gen = in.gen
	}
	s.id, s.rec = id, in.rec
	it.Entity, it.Detail, it.Tick, it.Moved, it.seq, it.no = in.rec.Ent, in.rec.Detail, d.next.tick, true, seq, in.no
	if it.New {
		it.Path = d.path[in.way[0]:in.way[1]:in.way[1]]
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
