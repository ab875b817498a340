package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// Near answers as a Scene does, from what is near one place: a body's step asks a
// dozen times within a metre or two, and what may be met there is looked up once.
// A question that leads farther goes to the Scene, so answers are always the
// Scene's, bit for bit (TestNearAnswersAsTheScene).
//
// It holds while the Scene's Poses stay as they were at Gather. It keeps its
// memory, belongs to one goroutine, and must not be copied once used.
type Near struct {
	s     Scene
	box   vec.Box // what is known
	prims []nearPrim
	cells []nearCell
}

// nearPrim is a primitive and where its model is.
type nearPrim struct {
	prim
	off   vec.V3
	moved bool
	at    *level.Pose // where a turned model is; lo and hi are then in the world
	model int16
}

// nearCell is a cell of the terrain. The directions along which its triangles are
// tested are worked out when a box comes that low.
type nearCell struct {
	lo, hi vec.V3
	i, j   int32
	known  bool
	half   [2]nearHalf
}

type nearHalf struct {
	at   vec.V3 // corner
	n    int
	axes [maxAxes]triAxis
}

// has reports whether a direction is there already, or its opposite: both bound the
// triangle by the same planes, and what they clip is clipped.
func (h *nearHalf) has(u vec.V3) bool {
	for i := range h.axes[:h.n] {
		if v := h.axes[i].u; v == u || v == u.Neg() {
			return true
		}
	}
	return false
}

// manyPrims is up to how many primitives are kept: beyond, the hierarchy is faster.
const manyPrims = 48

// Gather looks up what is in a box, in world space.
func (n *Near) Gather(s Scene, box vec.Box) {
	n.s, n.box = s, vec.EmptyBox()
	n.prims, n.cells = n.prims[:0], n.cells[:0]
	if s.W == nil || box.IsEmpty() || !inLimit(box.Min) || !inLimit(box.Max) {
		return
	}
	n.box = box
	w := s.W
	around := box.Pad(sweepPad) // more than rounding
	n.model(0, around)
	m := &w.movers
	for _, i := range m.loose {
		if s.elsewhere(int(i)) {
			n.model(int(i), around)
		}
	}
	m.tree.within(around, func(p *prim) {
		if !s.elsewhere(int(p.ref)) {
			n.model(int(p.ref), around)
		}
	})
	if w.ground != nil {
		n.terrain(w.ground, around)
	}
	if len(n.prims) > manyPrims || len(n.cells) > fewCells {
		n.box = vec.EmptyBox()
	}
}

func (n *Near) model(m int, around vec.Box) {
	t := &n.s.W.models[m]
	at := n.s.pose(m)
	if at.IsTurned() {
		t.withinTurned(at, around, func(p *prim, lo, hi vec.V3) {
			if len(n.prims) <= manyPrims {
				n.prims = append(n.prims, nearPrim{prim: prim{lo: lo, hi: hi, contents: p.contents, ref: p.ref}, at: at, model: int16(m)})
			}
		})
		return
	}
	off := at.Off
	t.within(around.Move(off.Neg()), func(p *prim) {
		if len(n.prims) <= manyPrims {
			n.prims = append(n.prims, nearPrim{prim: *p, off: off, moved: off != vec.V3{}, model: int16(m)})
		}
	})
}

func (n *Near) terrain(g *ground, around vec.Box) {
	c := around.Center()
	q := query{o: c, e: c, half: around.Max.Sub(c)}
	i0, i1, j0, j1, few := q.over(g)
	if !few {
		n.box = vec.EmptyBox()
		return
	}
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			lo, hi := g.bounds(0, i, j)
			if hi.Z < around.Min.Z {
				continue
			}
			// In place: the directions of a cell are many.
			if len(n.cells) < cap(n.cells) {
				n.cells = n.cells[:len(n.cells)+1]
			} else {
				n.cells = append(n.cells, nearCell{})
			}
			cell := &n.cells[len(n.cells)-1]
			cell.lo, cell.hi, cell.i, cell.j, cell.known = lo, hi, int32(i), int32(j), false
		}
	}
}

// within calls f for every primitive whose box shares a point with box.
func (t *tree) within(box vec.Box, f func(p *prim)) {
	if len(t.nodes) == 0 {
		return
	}
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			if !n.box(i).Overlaps(box) {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			f(&t.prims[^n.at[i]])
		}
	}
}

// knows reports whether all that a motion may meet is here.
func (n *Near) knows(start, end vec.V3, box *vec.Box) bool {
	lo, hi := start.Min(end).Add(box.Min), start.Max(end).Add(box.Max)
	return lo.X >= n.box.Min.X && lo.Y >= n.box.Min.Y && lo.Z >= n.box.Min.Z &&
		hi.X <= n.box.Max.X && hi.Y <= n.box.Max.Y && hi.Z <= n.box.Max.Z
}

// Box is Scene.Box.
func (n *Near) Box(start, end vec.V3, box vec.Box, mask level.Mask) Result {
	if !n.knows(start, end, &box) {
		return n.s.Box(start, end, box, mask)
	}
	c := box.Center()
	var q query
	q.half = box.Max.Sub(c).Max(vec.V3{})
	q.mask, q.best, q.key, q.w = mask, 1, ^uint64(0), n.s.W
	from, to := start.Add(c), end.Add(c)
	q.aim(from, to)
	for i := range n.prims {
		p := &n.prims[i]
		if p.contents&mask == 0 {
			continue
		}
		q.model = p.model
		if p.moved {
			q.aim(from.Sub(p.off), to.Sub(p.off))
		}
		if t, ok := q.slab(&p.lo, &p.hi); ok {
			if p.at != nil {
				q.primTurned(&p.prim, p.at, t)
				continue
			}
			q.prim(&p.prim, t)
		}
		if p.moved {
			q.aim(from, to)
		}
	}
	if mask&level.Solid != 0 && len(n.cells) > 0 {
		q.model = 0
		low := min(from.Z, to.Z) - q.half.Z - marchSlack
		for i := range n.cells {
			cell := &n.cells[i]
			if cell.hi.Z < low {
				continue
			}
			if t, ok := q.slab(&cell.lo, &cell.hi); ok {
				q.nearCell(cell, t)
			}
		}
	}
	return q.result(start, end)
}

// nearCell is query.cell with the directions known.
func (q *query) nearCell(cell *nearCell, t0 float32) {
	g := q.w.ground
	if !cell.known {
		cell.known = true
		for half := range cell.half {
			a, b, c := g.corners(int(cell.i), int(cell.j), half)
			h := &cell.half[half]
			h.at, h.n = a, 0
			m := mesh{b: b.Sub(a), g: c.Sub(a), n: b.Sub(a).Cross(c.Sub(a)).Unit(), down: true}
			for k := range maxAxes {
				if x, ok := m.axis(k); ok && !h.has(x.u) {
					h.axes[h.n] = x
					h.n++
				}
			}
		}
	}
halves:
	for half := range cell.half {
		h := &cell.half[half]
		c := clip{t0: t0, contents: level.Solid, face: face{0, g.t.Texture},
			key: q.keyOf(kindGround, int32(2*(int(cell.j)*g.w+int(cell.i))+half))}
		o, e := q.o.Sub(h.at), q.e.Sub(h.at)
		for k := range h.axes[:h.n] {
			if !c.axis(&h.axes[k], o, e, q.half, true) {
				continue halves
			}
		}
		q.settle(&c, c.enter, c.face)
	}
}

// Contents is Scene.Contents.
func (n *Near) Contents(p vec.V3) level.Contents {
	if !n.box.Contains(p) {
		return n.s.Contents(p)
	}
	w := n.s.W
	var c level.Contents
	for i := range n.prims {
		k := &n.prims[i]
		if k.ref < 0 || c|k.contents == c {
			continue
		}
		in := p.Sub(k.off)
		if k.at != nil {
			in = k.at.Into(p)
		}
		if w.inBrush(k.ref, in) {
			c |= k.contents
		}
	}
	if w.ground != nil && w.ground.under(p) {
		c |= level.Solid
	}
	return c
}
