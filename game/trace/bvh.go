package trace

import (
	"sort"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// prim is one solid or triangle as the hierarchy sees it, or one model among the
// movers. Its box is padded, so that whatever the exact test calls a hit lies
// inside.
type prim struct {
	lo, hi   vec.V3
	contents level.Contents
	ref      int32 // index into World.brushes, or ^index into World.tris; of a mover its model
}

// wide is how many children a node has.
const wide = 4

// node is the boxes of up to four children, side by side: bound[i] is the lower
// and bound[i+3] the upper bound along axis i. Lanes beyond n are not set.
type node struct {
	bound [6][wide]float32
	at    [wide]int32 // of a child: its node, or ^ its primitive
	n     int32
}

// tree is the hierarchy of one model. An empty tree has no nodes. The box of a
// primitive's lane is the primitive's own.
type tree struct {
	nodes []node
	prims []prim
	box   vec.Box
}

const (
	sahBins   = 16
	maxSAH    = 14 // nodes deep: below this splits are by the median, which bounds the stack
	stackSize = 96 // (wide-1) times maxSAH and the depth of a median tree over 2^31 primitives
)

func buildTree(prims []prim) tree {
	t := tree{prims: prims, box: vec.EmptyBox()}
	for i := range prims {
		t.box = t.box.Union(vec.Box{Min: prims[i].lo, Max: prims[i].hi})
	}
	if len(prims) > 0 {
		t.nodes = make([]node, 1, 1+len(prims)/2)
		t.fill(0, run{0, len(prims), t.box}, 0)
	}
	return t
}

// run is a range of primitives and the box around them.
type run struct {
	from, to int
	box      vec.Box
}

func (r *run) n() int { return r.to - r.from }

// fill makes the node at of a run: the run is cut until there are four, or single
// primitives.
func (t *tree) fill(at int, r run, depth int) {
	var parts [wide]run
	parts[0] = r
	n := 1
	for n < wide {
		k, most := -1, float32(0)
		for i := range parts[:n] {
			if parts[i].n() < 2 {
				continue
			}
			size := float32(parts[i].n())
			if depth < maxSAH {
				size = area(parts[i].box)
			}
			if k < 0 || size > most {
				k, most = i, size
			}
		}
		if k < 0 {
			break
		}
		parts[k], parts[n] = t.cut(parts[k], depth)
		n++
	}
	out := node{n: int32(n)}
	for i := range parts[:n] {
		p := &parts[i]
		lo, hi := p.box.Min, p.box.Max
		for a, v := range [6]float32{lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z} {
			out.bound[a][i] = v
		}
		if p.n() == 1 {
			out.at[i] = ^int32(p.from)
			continue
		}
		child := len(t.nodes)
		t.nodes = append(t.nodes, node{})
		out.at[i] = int32(child)
		t.fill(child, *p, depth+1)
	}
	t.nodes[at] = out
}

// cut divides a run of at least two primitives.
func (t *tree) cut(r run, depth int) (run, run) {
	cb := vec.EmptyBox() // of centres
	for i := r.from; i < r.to; i++ {
		cb = cb.Grow(center(&t.prims[i]))
	}
	mid := r.from
	if depth < maxSAH {
		if axis, cut := bestCut(t.prims[r.from:r.to], cb); axis >= 0 {
			for i := r.from; i < r.to; i++ {
				if center(&t.prims[i]).At(axis) < cut {
					t.prims[i], t.prims[mid] = t.prims[mid], t.prims[i]
					mid++
				}
			}
		}
	}
	if mid == r.from || mid == r.to { // coincident centres, or too deep
		axis := longest(cb)
		all := t.prims[r.from:r.to]
		sort.SliceStable(all, func(i, j int) bool {
			return center(&all[i]).At(axis) < center(&all[j]).At(axis)
		})
		mid = (r.from + r.to) / 2
	}
	return t.over(r.from, mid), t.over(mid, r.to)
}

// over is the run of a range.
func (t *tree) over(from, to int) run {
	r := run{from, to, vec.EmptyBox()}
	for i := from; i < to; i++ {
		r.box = r.box.Union(vec.Box{Min: t.prims[i].lo, Max: t.prims[i].hi})
	}
	return r
}

// bestCut returns the cheapest of the binned surface-area cuts.
func bestCut(all []prim, cb vec.Box) (axis int, cut float32) {
	axis = -1
	cost := float32(0)
	for a := 0; a < 3; a++ {
		lo, size := cb.Min.At(a), cb.Max.At(a)-cb.Min.At(a)
		if !(size > 1e-4) {
			continue
		}
		var boxes [sahBins]vec.Box
		var counts [sahBins]int
		for i := range boxes {
			boxes[i] = vec.EmptyBox()
		}
		for i := range all {
			k := min(max(int(vec.Floor((center(&all[i]).At(a)-lo)/(size/sahBins))), 0), sahBins-1)
			counts[k]++
			boxes[k] = boxes[k].Union(vec.Box{Min: all[i].lo, Max: all[i].hi})
		}
		var right [sahBins]float32
		rb, rn := vec.EmptyBox(), 0
		for k := sahBins - 1; k > 0; k-- {
			rb, rn = rb.Union(boxes[k]), rn+counts[k]
			right[k] = float32(float32(rn) * area(rb))
		}
		lb, ln := vec.EmptyBox(), 0
		for k := 1; k < sahBins; k++ {
			lb, ln = lb.Union(boxes[k-1]), ln+counts[k-1]
			if ln == 0 || ln == len(all) {
				continue
			}
			c := float32(float32(ln)*area(lb)) + right[k]
			if axis < 0 || c < cost {
				axis, cost = a, c
				cut = lo + float32(size*float32(float32(k)/sahBins))
			}
		}
	}
	return
}

func center(p *prim) vec.V3 { return p.lo.Add(p.hi).Scale(0.5) }

// area is half the surface of a box, 0 for an empty one.
func area(b vec.Box) float32 {
	if b.IsEmpty() {
		return 0
	}
	s := b.Size()
	return float32(s.X*s.Y) + float32(s.Y*s.Z) + float32(s.Z*s.X)
}

func longest(b vec.Box) int {
	s := b.Size()
	if s.X >= s.Y && s.X >= s.Z {
		return 0
	}
	if s.Y >= s.Z {
		return 1
	}
	return 2
}
