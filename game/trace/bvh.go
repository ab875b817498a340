package trace

import (
	"sort"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// prim is one solid or triangle as the hierarchy sees it. Its box is padded, so
// that whatever the exact test calls a hit lies inside.
type prim struct {
	lo, hi   vec.V3
	contents level.Contents
	ref      int32 // index into World.brushes, or ^index into World.tris
}

// node is a box over a run of the tree: with n == 0 its children are a and a+1,
// otherwise its primitives are a..a+n-1.
type node struct {
	lo, hi vec.V3
	a, n   int32
}

// tree is the hierarchy of one model. An empty tree has no nodes.
type tree struct {
	nodes []node
	prims []prim
}

const (
	leafSize  = 4
	sahBins   = 16
	maxSAH    = 40 // below this depth splits are by the median: bounds the stack
	stackSize = 80 // maxSAH and the depth of a median tree over 2^31 primitives
)

func buildTree(prims []prim) tree {
	t := tree{prims: prims}
	if len(prims) == 0 {
		return t
	}
	t.nodes = make([]node, 1, 2*len(prims))
	t.split(0, 0, len(prims), 0)
	return t
}

func (t *tree) split(at, from, to, depth int) {
	b := vec.EmptyBox()
	cb := vec.EmptyBox() // of centres
	for i := from; i < to; i++ {
		p := &t.prims[i]
		b = b.Union(vec.Box{Min: p.lo, Max: p.hi})
		cb = cb.Grow(center(p))
	}
	t.nodes[at] = node{lo: b.Min, hi: b.Max, a: int32(from), n: int32(to - from)}
	if to-from <= 2 {
		return
	}
	axis, cut, cost := -1, float32(0), float32(0)
	if depth < maxSAH {
		axis, cut, cost = bestCut(t.prims[from:to], cb)
		if to-from <= leafSize && (axis < 0 || cost >= float32(float32(to-from)*area(b))) {
			return
		}
	} else if to-from <= leafSize {
		return
	}
	mid := from
	if axis >= 0 {
		for i := from; i < to; i++ {
			if center(&t.prims[i]).At(axis) < cut {
				t.prims[i], t.prims[mid] = t.prims[mid], t.prims[i]
				mid++
			}
		}
	}
	if mid == from || mid == to { // coincident centres, or too deep
		axis = longest(cb)
		run := t.prims[from:to]
		sort.SliceStable(run, func(i, j int) bool {
			return center(&run[i]).At(axis) < center(&run[j]).At(axis)
		})
		mid = (from + to) / 2
	}
	child := len(t.nodes)
	t.nodes = append(t.nodes, node{}, node{})
	t.nodes[at].a, t.nodes[at].n = int32(child), 0
	t.split(child, from, mid, depth+1)
	t.split(child+1, mid, to, depth+1)
}

// bestCut returns the cheapest of the binned surface-area cuts.
func bestCut(run []prim, cb vec.Box) (axis int, cut, cost float32) {
	axis = -1
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
		for i := range run {
			k := min(max(int(vec.Floor((center(&run[i]).At(a)-lo)/(size/sahBins))), 0), sahBins-1)
			counts[k]++
			boxes[k] = boxes[k].Union(vec.Box{Min: run[i].lo, Max: run[i].hi})
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
			if ln == 0 || ln == len(run) {
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
