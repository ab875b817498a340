package snapshot

import (
	"cmp"
	"errors"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// ErrBudget says that not even the own state fits into the packet.
var ErrBudget = errors.New("snapshot: packet too small")

// tail is kept free for the ends of lists.
const tail = 8

// record is what a packet said of one subject.
type record struct {
	index uint16
	ent   state.Entity
	path  uint8 // server: earlier places told with it
}

// packet is what a packet said, as both sides remember it.
type packet struct {
	seq     uint64
	live    bool // server: not yet acked or lost; client: decoded
	whole   bool // it tells of every subject as of its tick
	tick    state.Tick
	head    wire.Head
	player  state.Player
	recs    []record // by ascending index
	removed []uint16
	doors   []vis.DoorSeen
	cut     bool // server: a door did not fit
	events  []uint32
}

// clear empties p for a new packet, keeping its memory.
func (p *packet) clear(seq uint64) {
	*p = packet{seq: seq, recs: p.recs[:0], removed: p.removed[:0], doors: p.doors[:0], events: p.events[:0]}
}

// find returns the record of a subject.
func (p *packet) find(index uint16) *state.Entity {
	lo, hi := 0, len(p.recs)
	for lo < hi {
		if m := (lo + hi) / 2; p.recs[m].index < index {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(p.recs) && p.recs[lo].index == index {
		return &p.recs[lo].ent
	}
	return nil
}

// slot is what the Encoder knows of one subject.
type slot struct {
	index   uint16
	gen     uint8
	here    bool   // in the present View
	pass    bool   // toggles with every Encode, to find who left
	since   uint64 // packet of this generation's beginning, or of the removal's
	hasBase bool
	base    state.Entity
	baseSeq uint64
	baseAt  state.Tick
	now     state.Entity
	sent    bool // in this generation
	last    state.Entity
	lastSeq uint64
	run     uint64 // packet since which every record sent was equal to last
	lastAt  state.Tick
	path    []state.Body // of the present View; memory of the View
	times   uint8        // records sent in this generation, up to pathTimes
}

// pathTimes is in how many packets the way of somebody new is told: one may be
// lost.
const pathTimes = 2

// settled reports whether the client is known to have the present record: what
// was sent since the base, if anything, said the same.
func (s *slot) settled() bool {
	return s.hasBase && s.sent && s.now == s.last && s.baseSeq >= s.run
}

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

	based      bool
	baseSeq    uint64
	baseHead   wire.Head
	basePlayer state.Player
	baseTick   state.Tick
	baseDoors  bool // it left out no door

	at    [numIDs]uint16 // slot + 1
	gens  [numIDs]uint8
	slots []slot
	due   []int

	doors  []door
	events queue

	scratch [128]byte
	spent   Bits
}

// NewEncoder returns the Encoder of a client that has not been sent anything.
func NewEncoder(tickRate int) *Encoder { return &Encoder{tickRate: tickRate} }

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
		s.hasBase, s.sent = false, false
	}
	for i := range e.doors {
		e.doors[i].have = false
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
	start := dst.Tell()
	p.clear(seq)
	if !e.begun || seq > e.seq {
		e.seq, e.begun = seq, true
	}
	if e.based && seq-e.baseSeq > MaxAge {
		e.based = false
	}
	e.enter(view, seq)
	e.events.add(view, state.Tick(e.tickRate))

	p.tick = view.Tick()
	own := view.Own()
	headEnds := e.own(dst, p, own)
	ownEnds := dst.Tell()
	if dst.Room() < 4*tail || dst.Overflowed() {
		dst.Truncate(start)
		return ErrBudget
	}
	whole := e.putDoors(dst, p)
	doorsEnd := dst.Tell()
	whole = e.putRemoved(dst, p) && whole
	removedEnd := dst.Tell()
	e.putEvents(dst, p, state.Quant(own.Player.Pos))
	eventsEnd := dst.Tell()
	whole = e.putRecords(dst, p) && whole
	dst.Bool(whole)
	p.live, p.whole = true, whole
	e.spent.Add(Bits{
		Packets: 1, Head: int64(headEnds - start), Own: int64(ownEnds - headEnds), Doors: int64(doorsEnd - ownEnds),
		Removed: int64(removedEnd - doorsEnd), Events: int64(eventsEnd - removedEnd), Records: int64(dst.Tell() - eventsEnd),
	})
	return nil
}

// own writes the head and the own state, and returns where the head ends.
func (e *Encoder) own(w *bits.Writer, p *packet, own *vis.Own) (headEnds int) {
	p.head = wire.Head{
		Tick: p.tick, ID: own.ID, Watching: own.Watching, LastCmd: own.LastCmd,
		Starved: own.Starved, Margin: own.Margin, Interp: own.Interp,
	}
	p.player = own.Player
	var head wire.Head
	var player state.Player
	if e.based {
		p.head.Based = uint8(p.seq - e.baseSeq)
		head, player = e.baseHead, e.basePlayer
	}
	c := wire.Writing(w)
	c.Age(&p.head.Based)
	c.Head(&p.head, &head)
	headEnds = w.Tell()
	if !e.based {
		c.Player(&p.player, &player)
		return headEnds
	}
	same := e.asPredicted(p.tick, own.Undisturbed)
	w.Bool(same)
	if same {
		c.Unpredicted(&p.player, &player)
		e.spent.Predicted++
	} else {
		c.Player(&p.player, &player)
	}
	if p.seq%hashEvery == 0 {
		w.Bits(uint64(hash(&p.player)), 16)
	}
	return headEnds
}

// enter matches the slots with the View.
func (e *Encoder) enter(view *vis.View, seq uint64) {
	e.pass = !e.pass
	known := view.Entities()
	for i := range known {
		k := &known[i]
		index := indexOf(k.ID)
		if index == 0 || k.Kind >= state.NumKinds {
			continue
		}
		if e.at[index] == 0 {
			e.slots = append(e.slots, slot{index: uint16(index)})
			e.at[index] = uint16(len(e.slots))
		}
		s := &e.slots[e.at[index]-1]
		if !s.here {
			e.gens[index]++
			*s = slot{index: uint16(index), gen: e.gens[index] & 15, here: true, since: seq}
		}
		s.pass, s.now, s.path = e.pass, k.Entity, k.Path
	}
	for i := range e.slots {
		s := &e.slots[i]
		if s.here && s.pass != e.pass {
			*s = slot{index: s.index, gen: s.gen, since: seq}
		}
	}
	for i := range e.doors {
		e.doors[i].near = false
	}
	for _, d := range view.Doors() {
		if d.Index < 0 || d.Index >= maxDoors {
			continue
		}
		for len(e.doors) <= d.Index {
			e.doors = append(e.doors, door{})
		}
		e.doors[d.Index].now, e.doors[d.Index].near = d.State, d.Near
	}
}

func (e *Encoder) putDoors(w *bits.Writer, p *packet) (whole bool) {
	c := wire.Writing(w)
	for i := range e.doors {
		d := &e.doors[i]
		if d.now == d.last && (d.have || !d.sent) {
			continue
		}
		mark := w.Tell()
		w.Bool(true)
		w.Bits(uint64(i), 12)
		c.Door(&d.now, p.tick)
		if tight(w, mark) {
			p.cut = true
			break
		}
		if !d.sent || d.now != d.last {
			d.sent, d.have, d.last, d.run = true, false, d.now, p.seq
		}
		p.doors = append(p.doors, vis.DoorSeen{Index: i, State: d.now})
	}
	w.Bool(false)
	return true // doors that do not fit come later; records are what counts
}

// tight takes back what was written since mark when the packet is full.
func tight(w *bits.Writer, mark int) bool {
	if !w.Overflowed() && w.Room() >= tail {
		return false
	}
	w.Truncate(mark)
	return true
}

func (e *Encoder) putRemoved(w *bits.Writer, p *packet) (whole bool) {
	e.due = e.due[:0]
	for i := range e.slots {
		if !e.slots[i].here {
			e.due = append(e.due, int(e.slots[i].index))
		}
	}
	slices.Sort(e.due)
	whole = true
	before := 0
	for _, index := range e.due {
		mark := w.Tell()
		w.Bool(true)
		putID(w, index, before)
		if tight(w, mark) {
			whole = false
			break
		}
		before = index
		p.removed = append(p.removed, uint16(index))
	}
	w.Bool(false)
	return whole
}

func (e *Encoder) putEvents(w *bits.Writer, p *packet, near state.Q) {
	c := wire.Writing(w)
	// Events may take half of what is left, so that the picture goes on.
	least := max(w.Room()/2, 2*tail)
	var before uint32
	for i := range e.events.list {
		q := &e.events.list[i]
		if !q.due(p.seq, e.newest) {
			continue
		}
		mark := w.Tell()
		w.Bool(true)
		if len(p.events) == 0 {
			w.Bits(uint64(q.num), 16)
		} else {
			w.Golomb(q.num-before-1, 0)
		}
		w.Golomb(p.tick-q.tick, 2)
		c.Event(&q.event, near)
		if w.Overflowed() || w.Room() < least {
			w.Truncate(mark)
			break
		}
		before = q.num
		q.sent, q.flying = p.seq, true
		p.events = append(p.events, q.num)
	}
	w.Bool(false)
}

// putRecords writes the records that are due, and all of them when they fit.
func (e *Encoder) putRecords(w *bits.Writer, p *packet) (whole bool) {
	whole = true
	e.due = e.due[:0]
	for i := range e.slots {
		s := &e.slots[i]
		switch {
		case !s.here:
		case e.based && s.settled():
		case e.based && s.hasBase && p.tick-s.lastAt < state.Tick(s.now.Interval):
			whole = false
		default:
			e.due = append(e.due, i)
		}
	}
	e.byIndex()
	mark := w.Tell()
	if !e.putAll(w, p) {
		w.Truncate(mark)
		p.recs = p.recs[:0]
		e.choose(w.Room()-2*tail, p)
		e.putAll(w, p)
		whole = false
	}
	w.Bool(false)
	for _, i := range e.due {
		s := &e.slots[i]
		if !s.sent || s.now != s.last {
			s.last, s.run = s.now, p.seq
		}
		s.sent, s.lastSeq, s.lastAt = true, p.seq, p.tick
		s.times = min(s.times+1, pathTimes)
	}
	return whole
}

// byIndex sorts due by subject.
func (e *Encoder) byIndex() {
	slices.SortFunc(e.due, func(a, b int) int { return int(e.slots[a].index) - int(e.slots[b].index) })
}

func (e *Encoder) putAll(w *bits.Writer, p *packet) bool {
	before := 0
	for _, i := range e.due {
		s := &e.slots[i]
		w.Bool(true)
		putID(w, int(s.index), before)
		path := e.put(w, p, s)
		before = int(s.index)
		if w.Overflowed() || w.Room() < tail {
			return false
		}
		p.recs = append(p.recs, record{s.index, s.now, path})
	}
	return true
}

// put writes a slot's record, and returns how many earlier places it tells.
func (e *Encoder) put(w *bits.Writer, p *packet, s *slot) (places uint8) {
	c := wire.Writing(w)
	if !e.based || !s.hasBase || p.seq-s.baseSeq > MaxAge {
		if same := p.head.Based == 0; same {
			w.Bool(true)
		} else {
			w.Bool(false)
			w.Bits(0, 6)
		}
		w.Bits(uint64(s.gen), 4)
		c.Entity(&s.now, nil, state.Q{})
		path := s.path
		if s.times >= pathTimes {
			path = nil
		}
		path = path[:min(len(path), wire.MaxPath)]
		c.Path(path, &s.now, e.tickRate)
		return uint8(len(path))
	}
	if s.baseSeq == e.baseSeq {
		w.Bool(true)
	} else {
		w.Bool(false)
		w.Bits(p.seq-s.baseSeq, 6)
	}
	c.Entity(&s.now, &s.base, wire.Extrapolate(&s.base, int32(p.tick-s.baseAt), e.tickRate))
	return 0
}

// choose cuts due down to what fits into room bits: first those who were never
// sent, then those who have waited longest.
func (e *Encoder) choose(room int, p *packet) {
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
		return cmp.Compare(a.index, b.index)
	})
	const idBits = 26 // a more bit and the longest id
	n := 0
	for _, i := range e.due {
		var w bits.Writer
		w.Reset(e.scratch[:])
		e.put(&w, p, &e.slots[i])
		if room -= w.Len() + idBits; room < 0 {
			break
		}
		n++
	}
	e.due = e.due[:n]
	e.byIndex()
}

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
		e.baseHead, e.basePlayer = p.head, p.player
		e.baseTick, e.baseDoors = p.tick, !p.cut
	}
	for i := range p.recs {
		rec := &p.recs[i]
		if e.at[rec.index] == 0 {
			continue
		}
		s := &e.slots[e.at[rec.index]-1]
		if s.here && seq >= s.since && (!s.hasBase || seq > s.baseSeq) {
			s.hasBase, s.base, s.baseSeq, s.baseAt = true, rec.ent, seq, p.tick
		}
	}
	for _, index := range p.removed {
		if k := e.at[index]; k != 0 && !e.slots[k-1].here && seq >= e.slots[k-1].since {
			e.drop(int(k - 1))
		}
	}
	for i := range p.doors {
		if d := &e.doors[p.doors[i].Index]; seq >= d.run {
			d.have = true
		}
	}
	for _, num := range p.events {
		e.events.arrived(num)
	}
}

// drop frees a slot.
func (e *Encoder) drop(k int) {
	e.at[e.slots[k].index] = 0
	last := len(e.slots) - 1
	if k != last {
		e.slots[k] = e.slots[last]
		e.at[e.slots[k].index] = uint16(k + 1)
	}
	e.slots = e.slots[:last]
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
