package kit

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Place is where a subject was in one tick.
type Place struct {
	Pos, Eye, Chest vec.V3
	Box             vec.Box

	id        state.ID
	teleports uint8
	there     bool
}

// Paths is the way that every subject came in the last ticks, out of the Inputs
// alone: what a server keeps for lag compensation, as far as a policy is told of it.
type Paths struct {
	depth int
	slot  []uint16 // by id: slot + 1, 0 none
	owner []state.ID
	free  []uint16
	ring  []Place // by slot, depth each
	now   state.Tick
	known int // ticks in a row that were put in, up to depth
	seen  []state.Tick
}

// NewPaths keeps so many ticks, the present one among them.
func NewPaths(depth int) *Paths {
	return &Paths{depth: max(depth, 1), slot: make([]uint16, 1<<16)}
}

// Put takes a tick. One that does not follow the last forgets what was before.
func (p *Paths) Put(in *vis.Input) {
	if in.Tick != p.now+1 || in.Tick == 0 { // at 0 the counter wraps, and rows do not follow each other
		p.known = 0
	}
	p.now, p.known = in.Tick, min(p.known+1, p.depth)
	row := int(in.Tick % state.Tick(p.depth))
	for i := range in.Subjects {
		s := &in.Subjects[i]
		if s.ID == 0 {
			continue
		}
		k := int(p.slot[s.ID]) - 1
		if k < 0 {
			k = p.take(s.ID)
		}
		p.seen[k] = in.Tick
		p.ring[k*p.depth+row] = Place{s.Pos, s.Eye, s.Chest, s.Box, s.ID, s.Teleports, s.Alive}
	}
	for k, id := range p.owner {
		if id != 0 && p.seen[k] != in.Tick {
			p.slot[id], p.owner[k] = 0, 0
			p.free = append(p.free, uint16(k))
		}
	}
}

func (p *Paths) take(id state.ID) int {
	k := len(p.owner)
	if n := len(p.free); n > 0 {
		k, p.free = int(p.free[n-1]), p.free[:n-1]
	} else {
		p.owner, p.seen = append(p.owner, 0), append(p.seen, 0)
		for range p.depth {
			p.ring = append(p.ring, Place{})
		}
	}
	p.owner[k], p.slot[id] = id, uint16(k+1)
	clear(p.ring[k*p.depth : (k+1)*p.depth])
	return k
}

// At returns where a subject was in a tick; false when that is not kept, or it was
// not there, or got to where it is now by a jump or in another life.
func (p *Paths) At(id state.ID, tick state.Tick) (Place, bool) {
	k := int(p.slot[id]) - 1
	if k < 0 || p.now-tick >= state.Tick(p.known) {
		return Place{}, false
	}
	now := &p.ring[k*p.depth+int(p.now%state.Tick(p.depth))]
	was := &p.ring[k*p.depth+int(tick%state.Tick(p.depth))]
	if !was.there || was.id != id || was.teleports != now.teleports {
		return Place{}, false
	}
	return *was, true
}

// Back returns where a subject was so many ticks before the present one, or as long
// ago as its present life or what is kept reaches.
func (p *Paths) Back(id state.ID, ticks state.Tick) (Place, bool) {
	for ; ticks > 0; ticks-- {
		if was, ok := p.At(id, p.now-ticks); ok {
			return was, true
		}
	}
	return p.At(id, p.now)
}

// Sights is the sight lines of the last ticks: doors as they were.
type Sights struct {
	ring  []*vis.Sight
	now   state.Tick
	known int
}

// NewSights keeps so many ticks of a world, the present one among them.
func NewSights(w *trace.World, tickRate, depth int) *Sights {
	s := &Sights{}
	for range max(depth, 1) {
		s.ring = append(s.ring, vis.NewSight(w, tickRate))
	}
	return s
}

// Put takes a tick's doors. One that does not follow the last forgets what was
// before.
func (s *Sights) Put(in *vis.Input) {
	if in.Tick != s.now+1 || in.Tick == 0 {
		s.known = 0
	}
	s.now, s.known = in.Tick, min(s.known+1, len(s.ring))
	s.at(in.Tick).Take(in)
}

// Back returns the sight lines of so many ticks before the present one, or as long
// ago as is kept.
func (s *Sights) Back(ticks state.Tick) *vis.Sight {
	return s.at(s.now - min(ticks, state.Tick(max(s.known-1, 0))))
}

func (s *Sights) at(tick state.Tick) *vis.Sight { return s.ring[tick%state.Tick(len(s.ring))] }
