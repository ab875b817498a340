package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// movers finds the models that a query may meet. A door slides between two places or
// turns about a hinge: in the hierarchy is what it sweeps over on the way, so that
// nothing has to be built when it moves. A breakable piece is there while it stands, and
// nowhere once it is put away. A model that is neither is there in its closed place, and is
// searched by itself while it is elsewhere.
type movers struct {
	tree  tree
	door  []bool  // by model
	piece []bool  // by model: breakable, in its place or nowhere
	loose []int16 // models that are neither
}

// sweepPad is how much larger than its models a mover is in the hierarchy, in
// metres: more than what the rounding of places and offsets can add up to.
const sweepPad = 1.0 / 16

func newMovers(models []tree, l *level.Level) movers {
	doors := l.Doors
	m := movers{door: make([]bool, len(models)), piece: make([]bool, len(models))}
	swept := make([]vec.Box, len(models))
	for i := range models {
		swept[i] = models[i].box
	}
	for i := range doors {
		d := &doors[i]
		if d.Model <= 0 || d.Model >= len(models) || !inLimit(d.Move) || !inLimit(d.Hinge) || !vec.Finite(d.Swing) {
			continue
		}
		m.door[d.Model] = true
		swept[d.Model] = swept[d.Model].Union(d.Sweep(models[d.Model].box))
	}
	for i := range l.Pieces {
		if k := l.Pieces[i].Model; k > 0 && k < len(models) && !m.door[k] {
			m.piece[k] = true
		}
	}
	var prims []prim
	for i := 1; i < len(models); i++ {
		if len(models[i].nodes) == 0 {
			continue
		}
		if !m.door[i] && !m.piece[i] {
			m.loose = append(m.loose, int16(i))
		}
		b := swept[i].Pad(sweepPad)
		prims = append(prims, prim{lo: b.Min, hi: b.Max, ref: int32(i)})
	}
	m.tree = buildTree(prims)
	return m
}

// elsewhere reports whether a model is not where the hierarchy has it.
func (s Scene) elsewhere(m int) bool { return !s.W.movers.door[m] && *s.pose(m) != (level.Pose{}) }

// searchMovers searches every model but the world's.
func (s Scene) searchMovers(q *query, start, end vec.V3) {
	m := &s.W.movers
	for _, i := range m.loose {
		if s.elsewhere(int(i)) {
			s.searchModel(q, int(i), start, end)
			if q.done() {
				return
			}
		}
	}
	t := &m.tree
	if len(t.nodes) == 0 {
		return
	}
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			if _, ok := q.lane(n, i, bitsOf(q.best)); !ok {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			if k := int(t.prims[^n.at[i]].ref); !s.elsewhere(k) {
				s.searchModel(q, k, start, end)
				if q.done() {
					return
				}
			}
		}
	}
}

// fillMovers is the part of Contents that is in movers.
func (s Scene) fillMovers(p vec.V3) level.Contents {
	w := s.W
	m := &w.movers
	var c level.Contents
	for _, i := range m.loose {
		if s.elsewhere(int(i)) {
			c |= w.fillModel(&w.models[i], s.pose(int(i)).Into(p))
		}
	}
	t := &m.tree
	if len(t.nodes) == 0 {
		return c
	}
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			if !n.holds(i, p) {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			if k := int(t.prims[^n.at[i]].ref); !s.elsewhere(k) {
				c |= w.fillModel(&w.models[k], s.pose(k).Into(p))
			}
		}
	}
	return c
}
