package kit

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Pair is two subjects about whom somebody asks: A has a viewer, and B has one
// too when BSees is not -1. One decision serves both directions.
type Pair struct {
	A, B         int // indexes of Input.Subjects
	ASees, BSees int // rows of the viewers who are to be told; -1 nobody
	entry        int // of the store; -1 none
}

// Allow permits the pair in each direction that was asked. reason is the one from
// A to B; what is seen the other way is turned round.
func (p *Pair) Allow(out *vis.Answer, reason vis.Reason, until state.Tick) {
	p.AllowEvery(out, reason, until, 0)
}

// AllowEvery is Allow with an update interval (vis.Answer.Interval).
func (p *Pair) AllowEvery(out *vis.Answer, reason vis.Reason, until state.Tick, every uint8) {
	if p.ASees >= 0 {
		out.Allow(p.ASees, p.B, reason, until, every)
	}
	if p.BSees >= 0 {
		out.Allow(p.BSees, p.A, flip(reason), until, every)
	}
}

func flip(r vis.Reason) vis.Reason {
	switch r {
	case vis.EyeChest:
		return vis.ChestEye
	case vis.ChestEye:
		return vis.EyeChest
	}
	return r
}

// Pairs lists the pairs of a tick and remembers when each was last clear.
type Pairs struct{ Store[struct{}] }

// Store lists the pairs of a tick, and remembers of each when it was last clear
// and whatever else a policy keeps of it. What is remembered goes by id: it is
// forgotten when one of the two leaves, dies, is teleported or becomes something
// else.
type Store[T any] struct {
	list []Pair

	slot    []uint16 // by id: slot + 1, 0 none
	slots   []slot
	free    []uint16
	stride  int      // slots that cells have room for
	cells   []uint32 // lower slot × stride + higher slot: entry + 1, 0 none
	entries []entry[T]
	spare   []uint32 // entries that are not in use
	viewer  []int32  // by subject: its viewer's row, -1 none
	changed uint8    // parity of Begin, to find who left

	heirs    bool       // pairs were inherited, the last of them until
	heirsEnd state.Tick // then
}

type slot struct {
	id        state.ID
	kind      state.Kind
	teleports uint8
	seen      uint8
}

// entry is what is remembered of a pair.
type entry[T any] struct {
	clear uint64 // tick when it was last clear, + 1
	heir  [2]heir
	kept  T
}

// Begin takes a new tick's Input and returns every pair that is asked, each once,
// in the order of subjects. The list is valid until the next Begin.
func (p *Store[T]) Begin(in *vis.Input) []Pair {
	p.sync(in)
	p.viewer = p.viewer[:0]
	for range in.Subjects {
		p.viewer = append(p.viewer, -1)
	}
	for v := range in.Viewers {
		if s := in.Viewers[v].Subject; s >= 0 && s < len(in.Subjects) {
			p.viewer[s] = int32(v)
		}
	}
	p.list = p.list[:0]
	if len(in.Asked) != in.Words*len(in.Viewers) {
		return p.list
	}
	for a, v := range p.viewer {
		if v < 0 {
			continue
		}
		row := in.Asked[int(v)*in.Words : (int(v)+1)*in.Words]
		for w, word := range row {
			for ; word != 0; word &= word - 1 {
				b := w*64 + bits.TrailingZeros64(word)
				if b >= len(in.Subjects) || b == a {
					continue
				}
				q := Pair{A: a, B: b, ASees: int(v), BSees: -1}
				if o := int(p.viewer[b]); o >= 0 && in.IsAsked(o, a) {
					if b < a {
						continue // listed when b was A
					}
					q.BSees = o
				}
				q.entry = p.entryOf(in.Subjects[a].ID, in.Subjects[b].ID)
				p.list = append(p.list, q)
			}
		}
	}
	p.inherit(in)
	return p.list
}

// Of returns what is kept of a pair, zero at first; nil for a subject without an
// id. It is valid until the next Begin.
func (p *Store[T]) Of(q *Pair) *T {
	if q.entry < 0 {
		return nil
	}
	return &p.entries[q.entry].kept
}

// See remembers that the pair is clear at a tick.
func (p *Store[T]) See(q *Pair, tick state.Tick) {
	if q.entry >= 0 {
		p.entries[q.entry].clear = uint64(tick) + 1
	}
}

// Held reports whether the pair was clear at most hold ticks ago, and until when
// that lasts.
func (p *Store[T]) Held(q *Pair, tick, hold state.Tick) (until state.Tick, held bool) {
	if q.entry < 0 || p.entries[q.entry].clear == 0 {
		return 0, false
	}
	last := state.Tick(p.entries[q.entry].clear - 1)
	if tick-last > hold {
		p.entries[q.entry].clear = 0 // so that it cannot come back when ticks wrap
		return 0, false
	}
	return last + hold, true
}

// entryOf returns the entry of a pair, a new one where there is none.
func (p *Store[T]) entryOf(a, b state.ID) int {
	i, j := int(p.slot[a])-1, int(p.slot[b])-1
	if i < 0 || j < 0 {
		return -1
	}
	cell := &p.cells[min(i, j)*p.stride+max(i, j)]
	if *cell == 0 {
		if n := len(p.spare); n > 0 {
			*cell = p.spare[n-1] + 1
			p.spare = p.spare[:n-1]
		} else {
			p.entries = append(p.entries, entry[T]{})
			*cell = uint32(len(p.entries))
		}
	}
	return int(*cell) - 1
}

// sync gives every subject a slot and forgets those who left or jumped.
func (p *Store[T]) sync(in *vis.Input) {
	if p.slot == nil {
		p.slot = make([]uint16, 1<<16)
	}
	p.changed ^= 1
	for i := range in.Subjects {
		s := &in.Subjects[i]
		if s.ID == 0 {
			continue
		}
		k := int(p.slot[s.ID]) - 1
		if k < 0 {
			k = p.take(s.ID)
		} else if sl := &p.slots[k]; sl.teleports != s.Teleports || sl.kind != s.Kind || !s.Alive {
			p.forget(k)
		}
		p.slots[k] = slot{id: s.ID, kind: s.Kind, teleports: s.Teleports, seen: p.changed}
	}
	for k := range p.slots {
		if sl := &p.slots[k]; sl.id != 0 && sl.seen != p.changed {
			p.slot[sl.id] = 0
			p.forget(k)
			*sl = slot{}
			p.free = append(p.free, uint16(k))
		}
	}
}

func (p *Store[T]) take(id state.ID) int {
	var k int
	if n := len(p.free); n > 0 {
		k = int(p.free[n-1])
		p.free = p.free[:n-1]
	} else {
		k = len(p.slots)
		p.slots = append(p.slots, slot{})
		if k >= p.stride {
			p.grow(max(32, p.stride*2))
		}
	}
	p.slot[id] = uint16(k + 1)
	return k
}

func (p *Store[T]) grow(stride int) {
	cells := make([]uint32, stride*stride)
	for i := range p.stride {
		copy(cells[i*stride:], p.cells[i*p.stride:(i+1)*p.stride])
	}
	p.cells, p.stride = cells, stride
}

func (p *Store[T]) forget(k int) {
	for j := range p.stride {
		cell := &p.cells[min(j, k)*p.stride+max(j, k)]
		if *cell == 0 {
			continue
		}
		p.entries[*cell-1] = entry[T]{}
		p.spare = append(p.spare, *cell-1)
		*cell = 0
	}
}
