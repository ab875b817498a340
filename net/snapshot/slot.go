package snapshot

import (
	"cmp"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// flight is something that is sent in two packets, since one may be lost, and then
// again when neither seems to have arrived.
type flight struct {
	n    uint8
	last uint64
}

// due reports whether it should be sent in packet seq, newest being the newest that
// is acknowledged.
func (f *flight) due(seq, newest uint64) bool {
	return f.n < 2 || newest > f.last || seq-f.last > overdue
}

// sent notes that it was.
func (f *flight) sent(seq uint64) {
	if f.n >= 2 {
		f.n = 0
	}
	f.n++
	f.last = seq
}

// slot is what the Encoder knows of one subject. What is looked at of one that stands
// where it stood comes first and together: there are many of them.
type slot struct {
	no     uint16 // its number for this client
	index  uint16 // of its id
	gen    uint8
	here   bool         // in the present View
	pass   bool         // toggles with every Encode, to find who left
	rest   bool         // settled: until what now was made of changes there is nothing to look at
	still  bool         // nothing newer than last is to be told
	detail state.Detail // that of now, which was made of of
	of     state.Entity
	since  uint64 // packet of this generation's beginning, or of the removal's
	fly    flight // of the full record, or of the removal

	hasBase bool
	base    wire.Rec
	baseSeq uint64
	now     wire.Rec
	sent    bool // in this generation
	last    wire.Rec
	lastOf  state.Entity // what it was made of
	lastSeq uint64
	run     uint64 // packet since which every record sent was equal to last
	lastAt  state.Tick
	path    []state.Body // of the present View; memory of the View

	first    wire.Rec // the full record under way, and its packet
	firstSeq uint64

	chosen bool  // goes into this packet
	ways   uint8 // earlier places told in it

	// What its counters were when it came into view; the client is told how they go on.
	shots, teleports uint8
	stride           uint16
}

// settled reports whether the client is known to have the present record: what
// was sent since the base, if anything, said the same, or more of it.
func (s *slot) settled() bool {
	return s.hasBase && s.sent && (same(&s.now, &s.last) || s.coarser()) && s.baseSeq >= s.run
}

// coarser reports whether the present record is the last of a thing that has not moved,
// less finely.
func (s *slot) coarser() bool {
	was := s.lastOf
	was.Interval = s.of.Interval
	return rests(&s.now) && s.now.Detail > s.last.Detail && was == s.of
}

// rests reports whether a record is of a thing that stands still. How often it is told
// of, and how finely it need be, are no news of it: both count again with the record
// that moves it.
func rests(r *wire.Rec) bool { return r.Ent.Kind != state.KindPlayer && r.Ent.Vel == (state.Q{}) }

// same reports whether a record shows the same as one before it.
func same(now, last *wire.Rec) bool {
	e := now.Ent
	if by := int16(e.Stride - last.Ent.Stride); by < 32 && by > -32 {
		e.Stride = last.Ent.Stride
	}
	if rests(now) {
		e.Interval = last.Ent.Interval
	}
	return e == last.Ent && now.Detail == last.Detail
}

// stepLength is what the walk's picture repeats after, 1/64 m: a footstep.
const stepLength = 96

// take makes k the slot's present record.
func (s *slot) take(k *vis.Known, tick state.Tick) {
	s.now = wire.Rec{Ent: state.Shown(k.Entity, k.Detail), Tick: tick, Detail: k.Detail}
	e := &s.now.Ent
	e.ShotSeq -= s.shots
	e.Teleports -= s.teleports
	e.Stride -= s.stride
	s.path, s.still = k.Path, k.Still
	s.rest, s.of, s.detail = false, k.Entity, k.Detail
}

// sleep lets a settled record be until it changes: a match has many things that stand
// where they stood.
func (s *slot) sleep() { s.rest, s.path = true, nil }

// unchanged reports whether taking k would change nothing.
func (s *slot) unchanged(k *vis.Known) bool {
	return s.of == k.Entity && s.detail == k.Detail && s.still == k.Still
}

// enter matches the slots with the View.
func (e *Encoder) enter(view *vis.View, seq uint64) {
	e.pass = !e.pass
	known := view.Entities()
	e.welcome(known)
	for i := range known {
		k := &known[i]
		index := placeOf(k)
		if index == 0 {
			continue
		}
		s := &e.slots[e.at[index]-1]
		if !s.here || s.of.Kind != k.Kind {
			e.gens[s.no]++
			*s = slot{index: s.index, no: s.no, gen: e.gens[s.no] & 15, here: true, since: seq}
			s.shots = k.ShotSeq - uint8(e.fired(k.ID))
			s.teleports = k.Teleports
			s.stride = k.Stride - k.Stride%stepLength
		}
		s.pass = e.pass
		if s.rest && e.based && s.unchanged(k) {
			continue
		}
		s.take(k, view.Tick())
	}
	for i := range e.slots {
		s := &e.slots[i]
		if s.here && s.pass != e.pass {
			*s = slot{index: s.index, no: s.no, gen: s.gen, since: seq}
		}
	}
	e.takePieces(view)
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

// placeOf returns the index of a subject that can be told of, and otherwise 0.
func placeOf(k *vis.Known) int {
	if k.Kind >= state.NumKinds || k.Detail >= state.NumDetails {
		return 0
	}
	return indexOf(k.ID)
}

// welcome gives those a slot and a number who have none. Who come in one View are
// numbered by what is told of them and not by their ids: those of things are given out
// in turn, to what nobody here sees as well, so that their order would tell of that.
func (e *Encoder) welcome(known []vis.Known) {
	e.due = e.due[:0]
	for i := range known {
		if index := placeOf(&known[i]); index != 0 && e.at[index] == 0 {
			e.due = append(e.due, i)
		}
	}
	if len(e.due) > 1 {
		slices.SortFunc(e.due, func(a, b int) int { return byContent(&known[a], &known[b]) })
	}
	for _, i := range e.due {
		index := indexOf(known[i].ID)
		e.slots = append(e.slots, slot{index: uint16(index), no: e.number()})
		e.at[index] = uint16(len(e.slots))
		e.byNo[e.slots[len(e.slots)-1].no] = uint16(len(e.slots))
	}
}

// byContent orders players by id, which everybody knows, and then things by what is
// told of them.
func byContent(a, b *vis.Known) int {
	if a.ID.IsPlayer() || b.ID.IsPlayer() {
		return cmp.Compare(a.ID, b.ID) // a player's id is lower than any thing's
	}
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Weapon, b.Weapon), cmp.Compare(a.Owner, b.Owner),
		cmp.Compare(a.Pos.X, b.Pos.X), cmp.Compare(a.Pos.Y, b.Pos.Y), cmp.Compare(a.Pos.Z, b.Pos.Z),
		cmp.Compare(a.Vel.X, b.Vel.X), cmp.Compare(a.Vel.Y, b.Vel.Y), cmp.Compare(a.Vel.Z, b.Vel.Z),
		cmp.Compare(a.Yaw, b.Yaw), cmp.Compare(a.Pitch, b.Pitch), cmp.Compare(a.Detail, b.Detail),
	)
}

// number returns the lowest number that no subject has.
func (e *Encoder) number() uint16 {
	for n, k := range e.byNo {
		if k == 0 {
			return uint16(n)
		}
	}
	e.byNo = append(e.byNo, 0)
	e.gens = append(e.gens, 0)
	return uint16(len(e.byNo) - 1)
}

// drop frees a slot and its number.
func (e *Encoder) drop(k int) {
	e.at[e.slots[k].index], e.byNo[e.slots[k].no] = 0, 0
	last := len(e.slots) - 1
	if k != last {
		e.slots[k] = e.slots[last]
		e.at[e.slots[k].index], e.byNo[e.slots[k].no] = uint16(k+1), uint16(k+1)
	}
	e.slots = e.slots[:last]
}
