package demo

import (
	"errors"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

var errLimit = errors.New("demo: value out of range")

// code walks a frame in the order of the file and writes or reads it, so that the
// two cannot disagree.
type code struct {
	w    *bits.Writer // one of the two
	r    *bits.Reader
	c    wire.Coder
	rate int
	from []int    // of each subject, where it is in the base; −1 nowhere
	at   []uint16 // by id, place in the base + 1; all zero between two frames
	room int      // events that viewers may still be told
	late int      // and subjects told late
}

type whole interface {
	~uint8 | ~uint16 | ~uint32
}

// num codes the low n bits of a number.
func num[T whole](c *code, v *T, n int) {
	if c.w != nil {
		c.w.Bits(uint64(*v), n)
		return
	}
	*v = T(c.r.Bits(n))
}

// yes codes a fact and returns it.
func (c *code) yes(is bool) bool {
	if c.w != nil {
		c.w.Bool(is)
		return is
	}
	return c.r.Bool()
}

// count codes a length that may not be above most.
func (c *code) count(n, most int) int {
	if c.w != nil {
		c.w.Uvar(uint32(n))
		return n
	}
	v := c.r.Uvar()
	if v > uint32(most) {
		c.r.Fail(errLimit)
		return 0
	}
	return int(v)
}

func (c *code) ok() bool { return c.r == nil || c.r.Err() == nil }

// frame codes f against base, the frame before; a keyframe's base is an empty one.
func (c *code) frame(f, base *Frame) {
	num(c, &f.Source, 2)
	c.subjects(f, base)
	c.doors(f, base)
	c.pieces(f, base)
	c.events(f)
	c.roster(f, base)
	c.tables(f, base)
	c.viewers(f, base)
}

func (c *code) subjects(f, base *Frame) {
	same := len(f.Entities) == len(base.Entities)
	for i := 0; same && c.w != nil && i < len(f.Entities); i++ {
		same = f.Entities[i].ID == base.Entities[i].ID
	}
	if c.yes(same) {
		f.Entities = grow(f.Entities, len(base.Entities))
		for i := range f.Entities {
			f.Entities[i].ID = base.Entities[i].ID
		}
	} else {
		f.Entities = grow(f.Entities, c.count(len(f.Entities), MaxSubjects))
		for i := range f.Entities {
			num(c, &f.Entities[i].ID, 16)
		}
	}
	c.from = c.from[:0]
	if c.at == nil {
		c.at = make([]uint16, 1<<16)
	}
	for i := range base.Entities {
		c.at[base.Entities[i].ID] = uint16(i + 1)
	}
	for i := range f.Entities {
		c.from = append(c.from, int(c.at[f.Entities[i].ID])-1)
	}
	for i := range base.Entities {
		c.at[base.Entities[i].ID] = 0
	}
	dt := int32(min(f.Tick-base.Tick, 64))
	for i, at := range c.from {
		if !c.ok() {
			return
		}
		e := &f.Entities[i]
		if at < 0 {
			c.c.Entity(e, nil, state.Q{})
			continue
		}
		b := &base.Entities[at]
		c.c.Entity(e, b, wire.Extrapolate(b, dt, c.rate))
	}
}

func (c *code) doors(f, base *Frame) {
	if c.yes(slices.Equal(f.Doors, base.Doors)) {
		f.Doors = append(f.Doors[:0], base.Doors...)
		return
	}
	f.Doors = grow(f.Doors, c.count(len(f.Doors), MaxDoors))
	for i := range f.Doors {
		d, known := &f.Doors[i], i < len(base.Doors)
		if known && c.yes(*d == base.Doors[i]) {
			*d = base.Doors[i]
			continue
		}
		c.c.Door(d, f.Tick)
	}
}

// pieces codes the breakable pieces: mostly as they were.
func (c *code) pieces(f, base *Frame) {
	if c.yes(slices.Equal(f.Pieces, base.Pieces)) {
		f.Pieces = append(f.Pieces[:0], base.Pieces...)
		return
	}
	f.Pieces = grow(f.Pieces, c.count(len(f.Pieces), MaxPieces))
	for i := range f.Pieces {
		p, was := &f.Pieces[i], state.Piece{}
		if i < len(base.Pieces) {
			was = base.Pieces[i]
		}
		if c.yes(*p == was) {
			*p = was
			continue
		}
		c.c.Piece(p, f.Tick)
	}
}

func (c *code) events(f *Frame) {
	f.Events = grow(f.Events, c.count(len(f.Events), MaxEvents))
	near := state.Q{}
	for i := range f.Events {
		if !c.ok() {
			return
		}
		e := &f.Events[i]
		only := e.Only
		c.c.Event(e, near)
		near = state.Quant(e.Pos)
		if c.yes(only != 0) {
			num(c, &only, 16)
			e.Only = only
		}
	}
}

func (c *code) roster(f, base *Frame) {
	if c.yes(slices.Equal(f.Roster, base.Roster)) {
		f.Roster = append(f.Roster[:0], base.Roster...)
		return
	}
	f.Roster = grow(f.Roster, c.count(len(f.Roster), state.MaxPlayers))
	for i := range f.Roster {
		if !c.ok() {
			return
		}
		s := &f.Roster[i]
		num(c, &s.ID, 16)
		num(c, &s.Team, 8)
		for _, v := range [...]*int16{&s.Kills, &s.Deaths, &s.Points} {
			c.signed(v)
		}
		num(c, &s.Ping, 16)
		s.Bot = c.yes(s.Bot)
		if c.w != nil {
			c.w.String(s.Name, state.MaxName)
		} else {
			s.Name = wire.Clean(c.r.String(state.MaxName), state.MaxName)
		}
	}
}

// tables codes the tables where they are not the match's own: mostly as they were.
func (c *code) tables(f, base *Frame) {
	if c.yes(slices.Equal(f.Tables, base.Tables)) {
		f.Tables = append(f.Tables[:0], base.Tables...)
		return
	}
	f.Tables = grow(f.Tables, c.count(len(f.Tables), wire.MaxTables))
	if c.w != nil {
		c.w.Raw(f.Tables)
	} else {
		c.r.Raw(f.Tables)
	}
}

func (c *code) viewers(f, base *Frame) {
	c.room, c.late = MaxHeard, MaxLate
	f.Viewers = grow(f.Viewers, c.count(len(f.Viewers), MaxViewers))
	for i := range f.Viewers {
		if !c.ok() {
			return
		}
		v := &f.Viewers[i]
		var b *Viewer
		if i < len(base.Viewers) {
			b = &base.Viewers[i]
		}
		if b != nil && c.yes(v.ID == b.ID && v.Watching == b.Watching) {
			v.ID, v.Watching = b.ID, b.Watching
		} else {
			num(c, &v.ID, 16)
			num(c, &v.Watching, 16)
		}
		if b != nil && c.yes(v.Own == b.Own) {
			v.Own = b.Own
		} else {
			c.own(&v.Own)
		}
		c.told(v, b)
		c.toldLate(v, b, int32(min(f.Tick-base.Tick, 64)))
		c.seenDoors(v, len(f.Doors))
		c.heard(v, f)
	}
}

// toldLate codes what a late spectator was told, each against the one that was in its
// place.
func (c *code) toldLate(v, b *Viewer, dt int32) {
	if !c.yes(v.Delay != 0) {
		v.Delay, v.Late = 0, v.Late[:0]
		return
	}
	num(c, &v.Delay, 16)
	v.Late = grow(v.Late, c.count(len(v.Late), c.late))
	c.late -= len(v.Late)
	for i := range v.Late {
		if !c.ok() {
			return
		}
		e := &v.Late[i]
		if known := b != nil && i < len(b.Late); known && c.yes(e.ID == b.Late[i].ID) {
			e.ID = b.Late[i].ID
			c.c.Entity(e, &b.Late[i], wire.Extrapolate(&b.Late[i], dt, c.rate))
			continue
		}
		num(c, &e.ID, 16)
		c.c.Entity(e, nil, state.Q{})
	}
}

func (c *code) own(o *Own) {
	c.signed(&o.Health)
	c.signed(&o.Armor)
	num(c, &o.Owned, 8)
	for i := range o.Ammo {
		num(c, &o.Ammo[i], 16)
	}
	if c.yes(o.Blind != 0) {
		num(c, &o.Blind, 16)
	} else {
		o.Blind = 0
	}
}

// signed codes a number that may be below zero.
func (c *code) signed(v *int16) {
	u := uint16(*v)
	num(c, &u, 16)
	*v = int16(u)
}

// before is what a viewer was told of a subject in the base.
func (c *code) before(b *Viewer, subject int) Told {
	if k := c.from[subject]; b != nil && k >= 0 && k < len(b.Told) {
		return b.Told[k]
	}
	return Told{}
}

func (c *code) told(v, b *Viewer) {
	v.Told = grow(v.Told, len(c.from))
	same := true
	for i := 0; c.w != nil && same && i < len(v.Told); i++ {
		same = v.Told[i] == c.before(b, i)
	}
	same = c.yes(same)
	for i := range v.Told {
		t, was := &v.Told[i], c.before(b, i)
		if same || c.yes(*t == was) {
			*t = was
			continue
		}
		if t.Told = c.yes(t.Told); !t.Told {
			*t = Told{}
			continue
		}
		num(c, &t.Reason, 5)
		if c.r != nil && t.Reason >= vis.NumReasons {
			c.r.Fail(errLimit)
			return
		}
		if c.yes(t.Interval != 0) {
			num(c, &t.Interval, 8)
		} else {
			t.Interval = 0
		}
	}
}

func (c *code) seenDoors(v *Viewer, n int) {
	v.Doors = grow(v.Doors, n)
	all := c.yes(c.w != nil && !slices.Contains(v.Doors, false))
	for i := range v.Doors {
		v.Doors[i] = all || c.yes(v.Doors[i])
	}
}

// heard codes a viewer's events: mostly those of the frame as they are.
func (c *code) heard(v *Viewer, f *Frame) {
	v.Events = grow(v.Events, c.count(len(v.Events), min(MaxEvents, c.room)))
	c.room -= len(v.Events)
	next := 0
	for i := range v.Events {
		if !c.ok() {
			return
		}
		e, k := &v.Events[i], next
		if c.w != nil {
			for k < len(f.Events) && plain(f.Events[k]) != *e {
				k++
			}
		}
		if !c.yes(k < len(f.Events)) {
			c.c.Event(e, state.Q{})
			continue
		}
		if k = next + c.count(k-next, MaxEvents); c.r != nil && k >= len(f.Events) {
			c.r.Fail(errLimit)
			return
		}
		*e, next = plain(f.Events[k]), k+1
	}
}

// plain is an event as it is told.
func plain(e state.Event) state.Event {
	e.Only = 0
	return e
}
