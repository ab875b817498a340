package snapshot

import (
	"errors"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// ErrBudget says that not even the own state fits into the packet.
var ErrBudget = errors.New("snapshot: packet too small")

// door is what the Encoder knows of one door.
type door struct {
	now, last  state.DoorState
	sent, have bool   // last was sent; it, or more of the same, is known to have arrived
	run        uint64 // packet since which every state sent was last
	near       bool   // its client's body may touch it
}

// Encoder writes one client's snapshots.
type Encoder struct {
	tickRate int
	seq      uint64 // of the last Encode
	begun    bool
	pass     bool
	newest   uint64 // packet acknowledged

	ring [Ring]packet

	based     bool
	baseSeq   uint64
	baseDoors bool // it left out no door and no piece

	at    [numIDs]uint16 // by index of an id: slot + 1
	byNo  []uint16       // by number: slot + 1
	gens  []uint8        // by number
	slots []slot
	due   []int // slots

	doors  []door
	pieces []piece
	events queue
	bursts bursts
	early  []state.ID // who fired before a slot was theirs
	owed   []queued   // what records are to show

	way     []state.Body
	rest    bool // this one goes on with the tick of the last
	pending bool // the last left somebody out
	plain   bool
	out     sink
	counts  *wire.Counts
	spent   Bits // in 16ths
}

// NewEncoder returns the Encoder of a client that has not been sent anything.
func NewEncoder(tickRate int) *Encoder { return &Encoder{tickRate: tickRate} }

// Pack makes the snapshots from now on packed bit by bit instead of range coded:
// larger, for comparison and as the plain form to test the other with. A Decoder
// reads both.
func (e *Encoder) Pack(on bool) { e.out.packed = on }

// Plain makes the snapshots as plain as can be, for comparison: packed, the own
// state always in full, and an event for each shot and step.
func (e *Encoder) Plain(on bool) { e.plain, e.out.packed, e.out.plain = on, on, on }

// Count has everything counted that is range coded, to train tables from.
func (e *Encoder) Count(n *wire.Counts) { e.counts = n }

// Reset forgets what the client is known to have, so that the next snapshot needs
// no base: for a client that asks for it.
func (e *Encoder) Reset() {
	e.based = false
	for i := range e.ring {
		if e.ring[i].live {
			e.Lost(e.ring[i].seq)
		}
	}
	for i := range e.slots {
		s := &e.slots[i]
		s.hasBase, s.sent, s.rest, s.fly = false, false, false, flight{}
	}
	for i := range e.doors {
		e.doors[i].have = false
	}
	for i := range e.pieces {
		e.pieces[i].have = false
	}
}

// Encode writes the snapshot of view for the packet with number seq, which must be
// higher than any before, into what room dst has left. On ErrBudget nothing was
// written and the packet does not count as sent.
func (e *Encoder) Encode(dst *bits.Writer, view *vis.View, seq uint64) error {
	p := &e.ring[seq%Ring]
	if p.live {
		e.Lost(p.seq)
	}
	p.clear(seq)
	if !e.begun || seq > e.seq {
		e.seq, e.begun = seq, true
	}
	if e.based && seq-e.baseSeq > MaxAge {
		e.based = false
	}
	if !e.rest {
		e.hear(view)
	}
	e.enter(view, seq)
	e.early = e.early[:0]
	e.settle(view.Tick())

	p.tick = view.Tick()
	own := view.Own()
	c := e.out.begin(dst.Room()/8, e.counts)
	base := e.base()
	headEnds := e.own(&c, p, base, own)
	ownEnds := e.out.tell()
	// A word for each record of the base comes in any case.
	free := 2*spare + len(base.recs)/2
	if e.out.tight(free) {
		return ErrBudget
	}
	e.putDoors(&c, p, free)
	e.putPieces(&c, p, free)
	doorsEnd := e.out.tell()
	whole := e.putRemoved(&c, p, base, free)
	removedEnd := e.out.tell()
	e.putEvents(&c, p, base, state.Quant(own.Player.Pos), free)
	eventsEnd := e.out.tell()
	e.putRecords(&c, p, base, whole)
	b, ok := e.out.finish()
	if !ok {
		return ErrBudget
	}
	dst.Raw(b)
	p.live = true
	e.spent.Add(Bits{
		Packets: 1, Head: int64(headEnds), Own: int64(ownEnds - headEnds), Doors: int64(doorsEnd - ownEnds),
		Removed: int64(removedEnd - doorsEnd), Events: int64(eventsEnd - removedEnd), Records: int64(len(b)*8*16 - eventsEnd),
	})
	return nil
}

// Pending reports whether the last snapshot had no room for somebody.
func (e *Encoder) Pending() bool { return e.pending }

// EncodeRest writes another snapshot of the View of the last Encode, in a packet of its
// own, for who had no room in that; it can be read without it. On a client both are of
// one tick, and neither is Complete.
func (e *Encoder) EncodeRest(dst *bits.Writer, view *vis.View, seq uint64) error {
	e.rest = true
	err := e.Encode(dst, view, seq)
	e.rest = false
	return err
}

// nothing is the base of a snapshot without one.
var nothing packet

// base returns the packet that the next snapshot is based on.
func (e *Encoder) base() *packet {
	if e.based {
		return &e.ring[e.baseSeq%Ring]
	}
	return &nothing
}

// own writes the head and the own state, and returns where the head ends.
func (e *Encoder) own(c *wire.Coder, p, base *packet, own *vis.Own) (headEnds int) {
	p.head = wire.Head{
		Tick: p.tick, ID: own.ID, Watching: own.Watching, Delay: own.Delay, LastCmd: own.LastCmd,
		Starved: own.Starved, Margin: own.Margin, Interp: own.Interp, Tables: own.Tables,
	}
	p.player = own.Player
	if e.based {
		p.head.Based = uint8(p.seq - e.baseSeq)
	}
	c.Base(&p.head)
	c.Head(&p.head, &base.head)
	headEnds = e.out.tell()
	if !e.based {
		c.Player(&p.player, &base.player, 0, e.tickRate)
		return headEnds
	}
	if c.AsPredicted(!e.plain && e.asPredicted(p.tick, base.tick, own.Undisturbed)) {
		c.Unpredicted(&p.player, &base.player)
		e.spent.Predicted += 1
	} else {
		c.Player(&p.player, &base.player, int32(p.tick-base.tick), e.tickRate)
	}
	if p.seq%hashEvery == 0 {
		c.Hash(hash(&p.player))
	}
	return headEnds
}

func (e *Encoder) putDoors(c *wire.Coder, p *packet, free int) {
	before := -1
	for i := range e.doors {
		d := &e.doors[i]
		if d.now == d.last && (d.have || !d.sent) {
			continue
		}
		m := e.out.mark()
		c.More(wire.OfDoors, true)
		c.DoorIndex(i, before)
		c.Door(&d.now, p.tick)
		if e.out.tight(free) {
			e.out.back(&m)
			p.cut = true // comes later; records are what counts
			break
		}
		before = i
		if !d.sent || d.now != d.last {
			d.sent, d.have, d.last, d.run = true, false, d.now, p.seq
		}
		p.doors = append(p.doors, vis.DoorSeen{Index: i, State: d.now})
	}
	c.More(wire.OfDoors, false)
}

// putRemoved names who has left, but for those of whom the base has a record: their
// word comes there.
func (e *Encoder) putRemoved(c *wire.Coder, p, base *packet, free int) (whole bool) {
	e.due = e.due[:0]
	whole = true
	for i := range e.slots {
		switch s := &e.slots[i]; {
		case s.here:
		case !s.fly.due(p.seq, e.newest):
			whole = false // the word may have been lost
		case base.find(s.no) == nil:
			e.due = append(e.due, i)
		}
	}
	e.inOrder()
	before := -1
	for _, i := range e.due {
		s := &e.slots[i]
		m := e.out.mark()
		c.More(wire.OfRemoved, true)
		c.Slot(wire.OfRemoved, int(s.no), before)
		if e.out.tight(free) {
			e.out.back(&m)
			whole = false
			break
		}
		before = int(s.no)
		s.fly.sent(p.seq)
		p.removed = append(p.removed, s.no)
	}
	c.More(wire.OfRemoved, false)
	return whole
}

func (e *Encoder) putEvents(c *wire.Coder, p, base *packet, near state.Q, free int) {
	// Events may take half of what is left, so that the picture goes on.
	free = max(e.out.left()/2, free)
	p.top = base.top
	after := base.top
	for i := range e.events.list {
		q := &e.events.list[i]
		if !q.due(p.seq, e.newest) {
			continue
		}
		m := e.out.mark()
		ev, opens := q.event, -1
		if !e.plain {
			ev, opens = e.bursts.form(&q.event, p.head.ID, p.seq)
		}
		c.More(wire.OfEvents, true)
		c.EventNumber(q.num, after, len(p.events) == 0)
		c.EventAge(p.tick - q.tick)
		c.Happened(&ev, near)
		if e.out.tight(free) {
			e.out.back(&m)
			break
		}
		after = q.num + 1
		if int32(after-p.top) > 0 {
			p.top = after
		}
		if opens >= 0 {
			p.opened = append(p.opened, opened{uint8(opens), e.bursts.list[opens].gen})
		}
		q.sent, q.flying = p.seq, true
		p.events = append(p.events, q.num)
	}
	c.More(wire.OfEvents, false)
}

// inOrder sorts due by number.
func (e *Encoder) inOrder() {
	slices.SortFunc(e.due, func(a, b int) int { return int(e.slots[a].no) - int(e.slots[b].no) })
}
