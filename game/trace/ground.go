package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// ground is the terrain with a pyramid of largest heights over it: level 0 has
// one entry per cell, each further level one per four of the level below. Its
// nodes are searched like those of a tree, but their bounds are computed.
type ground struct {
	t      *level.Terrain
	w, h   int // cells
	levels []layer
}

type layer struct {
	w, h int
	top  []float32
}

const groundFloor = -4 * Limit // below every query

func newGround(t *level.Terrain) *ground {
	g := &ground{t: t, w: t.W - 1, h: t.H - 1}
	if g.w < 1 || g.h < 1 || len(t.Heights) < t.W*t.H || !(t.Cell > 0) || !inLimit(t.Origin) {
		return nil
	}
	l := layer{w: g.w, h: g.h, top: make([]float32, g.w*g.h)}
	for j := 0; j < g.h; j++ {
		for i := 0; i < g.w; i++ {
			l.top[j*g.w+i] = max(t.Height(i, j), t.Height(i+1, j), t.Height(i, j+1), t.Height(i+1, j+1)) + pad
		}
	}
	g.levels = append(g.levels, l)
	for l.w > 1 || l.h > 1 {
		up := layer{w: (l.w + 1) / 2, h: (l.h + 1) / 2}
		up.top = make([]float32, up.w*up.h)
		for j := range up.h {
			for i := range up.w {
				m := l.top[2*j*l.w+2*i]
				for _, k := range [3][2]int{{1, 0}, {0, 1}, {1, 1}} {
					if x, y := 2*i+k[0], 2*j+k[1]; x < l.w && y < l.h {
						m = max(m, l.top[y*l.w+x])
					}
				}
				up.top[j*up.w+i] = m
			}
		}
		g.levels = append(g.levels, up)
		l = up
	}
	return g
}

func (g *ground) x(i int) float32 { return g.t.Origin.X + float32(float32(i)*g.t.Cell) }
func (g *ground) y(j int) float32 { return g.t.Origin.Y + float32(float32(j)*g.t.Cell) }

// bounds returns the padded box of a node.
func (g *ground) bounds(lv, i, j int) (lo, hi vec.V3) {
	lo = vec.V3{X: g.x(i<<lv) - pad, Y: g.y(j<<lv) - pad, Z: groundFloor}
	hi = vec.V3{X: g.x(min((i+1)<<lv, g.w)) + pad, Y: g.y(min((j+1)<<lv, g.h)) + pad,
		Z: g.levels[lv].top[j*g.levels[lv].w+i]}
	return
}

type groundNode struct {
	lv, i, j int32
	t        float32
}

// fewCells is up to how many cells a search goes through without the pyramid.
const fewCells = 16

// over reports which cells a motion passes over, and whether they are few. What
// is left out is farther from the motion than the padding of a cell's box.
func (q *query) over(g *ground) (i0, i1, j0, j1 int, few bool) {
	lo, hi := q.o.Min(q.e).Sub(q.half), q.o.Max(q.e).Add(q.half)
	cell, org := g.t.Cell, g.t.Origin
	xa, xb := (lo.X-marchSlack-org.X)/cell, (hi.X+marchSlack-org.X)/cell
	ya, yb := (lo.Y-marchSlack-org.Y)/cell, (hi.Y+marchSlack-org.Y)/cell
	if !(xb >= 0 && yb >= 0 && xa <= float32(g.w) && ya <= float32(g.h)) {
		return 0, -1, 0, -1, true
	}
	i0, i1 = int(max(xa, 0)), min(int(min(xb, float32(g.w))), g.w-1)
	j0, j1 = int(max(ya, 0)), min(int(min(yb, float32(g.h))), g.h-1)
	return i0, i1, j0, j1, (i1-i0+1)*(j1-j0+1) <= fewCells
}

// walkGround searches the terrain: the few cells below a short motion one by one,
// otherwise nearest quarter first.
func (q *query) walkGround(g *ground) {
	i0, i1, j0, j1, few := q.over(g)
	if few {
		low := min(q.o.Z, q.e.Z) - q.half.Z - marchSlack
		for j := j0; j <= j1; j++ {
			for i := i0; i <= i1; i++ {
				if g.levels[0].top[j*g.w+i] < low {
					continue
				}
				lo, hi := g.bounds(0, i, j)
				if t, ok := q.slab(&lo, &hi); ok {
					q.cell(g, i, j, t)
					if q.done() {
						return
					}
				}
			}
		}
		return
	}
	var stack [4 * 24]groundNode
	root := len(g.levels) - 1
	lo, hi := g.bounds(root, 0, 0)
	t0, ok := q.slab(&lo, &hi)
	if !ok || root >= 24 {
		return
	}
	stack[0] = groundNode{int32(root), 0, 0, t0}
	top := 1
	// The quarters in the order of the motion; the last pushed is searched first.
	fx, fy := 0, 0
	if q.inv.X < 0 {
		fx = 1
	}
	if q.inv.Y < 0 {
		fy = 1
	}
	order := [4][2]int{{1 - fx, 1 - fy}, {fx, 1 - fy}, {1 - fx, fy}, {fx, fy}}
	for top > 0 {
		top--
		n := stack[top]
		if n.t > q.best {
			continue
		}
		if n.lv == 0 {
			q.cell(g, int(n.i), int(n.j), n.t)
			if q.done() {
				return
			}
			continue
		}
		lv := int(n.lv) - 1
		for _, k := range order {
			i, j := 2*int(n.i)+k[0], 2*int(n.j)+k[1]
			if i >= g.levels[lv].w || j >= g.levels[lv].h {
				continue
			}
			lo, hi := g.bounds(lv, i, j)
			if t, ok := q.slab(&lo, &hi); ok {
				stack[top] = groundNode{int32(lv), int32(i), int32(j), t}
				top++
			}
		}
	}
}

// corners returns the corners of one of a cell's two triangles, counter-clockwise
// from above; half 0 is the one with the smaller y.
func (g *ground) corners(i, j, half int) (a, b, c vec.V3) {
	x0, x1, y0, y1 := g.x(i), g.x(i+1), g.y(j), g.y(j+1)
	a = vec.V3{X: x0, Y: y0, Z: g.t.Height(i, j)}
	far := vec.V3{X: x1, Y: y1, Z: g.t.Height(i+1, j+1)}
	if half == 0 {
		return a, vec.V3{X: x1, Y: y0, Z: g.t.Height(i+1, j)}, far
	}
	return a, far, vec.V3{X: x0, Y: y1, Z: g.t.Height(i, j+1)}
}

func (q *query) cell(g *ground, i, j int, t0 float32) {
	for half := 0; half < 2; half++ {
		a, b, c := g.corners(i, j, half)
		cl := clip{t0: t0, contents: level.Solid, face: face{0, g.t.Texture},
			key: q.keyOf(kindGround, int32(2*(j*g.w+i)+half))}
		n := b.Sub(a).Cross(c.Sub(a)).Unit()
		if !q.ray {
			q.boxTri(&cl, a, b, c, n, true)
			continue
		}
		q.rayPrism(&cl, a, b, c, n)
	}
}

// rayPrism meets a line with the endless prism below a triangle.
func (q *query) rayPrism(cl *clip, a, b, c, n vec.V3) {
	o, e := q.o.Sub(a), q.e.Sub(a)
	if !cl.line(n.Dot(o), n.Dot(e), n, 0) {
		return
	}
	from := [3]vec.V3{a, b, c}
	to := [3]vec.V3{b, c, a}
	for k := range from {
		d := to[k].Sub(from[k])
		out := vec.V3{X: d.Y, Y: 0 - d.X}.Unit() // the ring is counter-clockwise
		if !cl.line(out.Dot(q.o.Sub(from[k])), out.Dot(q.e.Sub(from[k])), out, 0) {
			return
		}
	}
	q.settle(cl, min(cl.backed, cl.enter), cl.face)
}

// under reports whether p lies in the terrain.
func (g *ground) under(p vec.V3) bool {
	fi, fj := (p.X-g.t.Origin.X)/g.t.Cell, (p.Y-g.t.Origin.Y)/g.t.Cell
	if !(fi >= 0 && fi <= float32(g.w) && fj >= 0 && fj <= float32(g.h)) {
		return false
	}
	i, j := min(int(vec.Floor(fi)), g.w-1), min(int(vec.Floor(fj)), g.h-1)
	u, v := fi-float32(i), fj-float32(j)
	h00, h11 := g.t.Height(i, j), g.t.Height(i+1, j+1)
	var z float32
	if v <= u {
		h10 := g.t.Height(i+1, j)
		z = h00 + float32((h10-h00)*u) + float32((h11-h10)*v)
	} else {
		h01 := g.t.Height(i, j+1)
		z = h00 + float32((h11-h01)*u) + float32((h01-h00)*v)
	}
	return p.Z <= z
}
