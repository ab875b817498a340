package nav

import "github.com/sightline-engine/sightline/game/vec"

// Finder is the scratch memory of one caller's searches. It must not be used by
// two goroutines at once.
type Finder struct {
	g     *Graph
	cost  []float32
	from  []int32
	via   []Kind
	seen  []uint32
	done  []uint32
	round uint32
	heap  []entry
}

type entry struct {
	f    float32
	node int32
}

// Step is one leg of a path: go to Pos by Kind.
type Step struct {
	Pos  vec.V3
	Node int32
	Kind Kind
}

// NewFinder returns a Finder for g.
func NewFinder(g *Graph) *Finder {
	n := len(g.Nodes)
	return &Finder{g: g, cost: make([]float32, n), from: make([]int32, n), via: make([]Kind, n), seen: make([]uint32, n), done: make([]uint32, n)}
}

// Path appends to dst the steps from one node to another, first step first, and
// reports whether there is a way. It expands at most limit nodes (0: all) and
// then leads to the place that came nearest.
func (f *Finder) Path(dst []Step, from, to int32, limit int) ([]Step, bool) {
	return f.PathBy(dst, from, to, limit, nil)
}

// PathBy is Path over those edges only that may lets through; nil: all.
func (f *Finder) PathBy(dst []Step, from, to int32, limit int, may func(Edge) bool) ([]Step, bool) {
	if from < 0 || to < 0 || int(from) >= len(f.g.Nodes) || int(to) >= len(f.g.Nodes) {
		return dst, false
	}
	f.round++
	f.heap = f.heap[:0]
	goal := f.g.Nodes[to].Pos
	f.visit(from, -1, 0, Walk, goal)
	best, bestH := from, f.g.Nodes[from].Pos.Dist(goal)
	found := false
	for expanded := 0; len(f.heap) > 0; {
		n := f.pop()
		if f.done[n] == f.round {
			continue
		}
		f.done[n] = f.round
		if n == to {
			best, found = n, true
			break
		}
		if h := f.g.Nodes[n].Pos.Dist(goal); h < bestH {
			best, bestH = n, h
		}
		if expanded++; limit > 0 && expanded >= limit {
			break
		}
		for _, e := range f.g.Edges(n) {
			if f.done[e.To] != f.round && (may == nil || may(e)) {
				f.visit(e.To, n, f.cost[n]+e.Cost, e.Kind, goal)
			}
		}
	}
	at := len(dst)
	for n := best; n != from; n = f.from[n] {
		dst = append(dst, Step{Pos: f.g.Nodes[n].Pos, Node: n, Kind: f.via[n]})
	}
	for i, j := at, len(dst)-1; i < j; i, j = i+1, j-1 {
		dst[i], dst[j] = dst[j], dst[i]
	}
	return dst, found
}

// speed bounds how fast any edge goes, so that the estimate never exceeds the
// true cost by much: pads and teleports may beat it, which costs optimality only.
const speed = 12

func (f *Finder) visit(n, from int32, cost float32, k Kind, goal vec.V3) {
	if f.seen[n] == f.round && f.cost[n] <= cost {
		return
	}
	f.seen[n] = f.round
	f.cost[n], f.from[n], f.via[n] = cost, from, k
	f.push(entry{cost + f.g.Nodes[n].Pos.Dist(goal)/speed, n})
}

func less(a, b entry) bool { return a.f < b.f || a.f == b.f && a.node < b.node }

func (f *Finder) push(e entry) {
	f.heap = append(f.heap, e)
	i := len(f.heap) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !less(f.heap[i], f.heap[p]) {
			return
		}
		f.heap[i], f.heap[p] = f.heap[p], f.heap[i]
		i = p
	}
}

func (f *Finder) pop() int32 {
	top := f.heap[0].node
	last := len(f.heap) - 1
	f.heap[0] = f.heap[last]
	f.heap = f.heap[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			return top
		}
		if c+1 < last && less(f.heap[c+1], f.heap[c]) {
			c++
		}
		if !less(f.heap[c], f.heap[i]) {
			return top
		}
		f.heap[i], f.heap[c] = f.heap[c], f.heap[i]
		i = c
	}
}
