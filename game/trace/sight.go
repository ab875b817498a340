package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// Occluder names one thing that a line was blocked by: a solid, a triangle or half
// a cell of the terrain. What blocked a line a moment ago mostly still does, and
// asking it costs a small part of a search. The zero Occluder blocks nothing. It is
// of use only with the World that it comes from.
type Occluder struct {
	ref   int32 // as in prim; of the terrain the triangle's number
	model int16
	kind  uint8 // 1 more than kindBrush, kindTri or kindGround
}

// Blocked reports whether anything of the mask touches the line from a to b. It
// stops at the first thing found: the sight line.
func (s Scene) Blocked(a, b vec.V3, mask level.Mask) bool {
	if !inLimit(a) || !inLimit(b) {
		return true
	}
	var l line
	return l.search(&s, a, b, mask)
}

// Occluded is Blocked, and says by what. The Occluder is zero where a line cannot
// be computed.
func (s Scene) Occluded(a, b vec.V3, mask level.Mask) (Occluder, bool) {
	if !inLimit(a) || !inLimit(b) {
		return Occluder{}, true
	}
	var l line
	if !l.search(&s, a, b, mask) {
		return Occluder{}, false
	}
	return l.by, true
}

// Hides reports whether an Occluder blocks the line from a to b: if so, Blocked
// is true.
func (s Scene) Hides(o Occluder, a, b vec.V3, mask level.Mask) bool {
	w := s.W
	if o.kind == 0 || int(o.model) >= len(w.models) || !inLimit(a) || !inLimit(b) {
		return false
	}
	if at := s.pose(int(o.model)); *at != (level.Pose{}) {
		a, b = at.Into(a), at.Into(b)
	}
	// What is met lies in its padded box, so that this need not be asked.
	switch o.kind - 1 {
	case kindBrush:
		return o.ref >= 0 && int(o.ref) < len(w.brushes) && w.brushes[o.ref].contents&mask != 0 && w.blocks(o.ref, a, b)
	case kindTri:
		return o.ref < 0 && int(^o.ref) < len(w.tris) && w.tris[^o.ref].Contents&mask != 0 && w.triBlocks(^o.ref, a, b)
	case kindGround:
		g := w.ground
		if g == nil || mask&level.Solid == 0 || o.ref < 0 || int(o.ref) >= 2*g.w*g.h {
			return false
		}
		n := int(o.ref) / 2
		return g.blocks(n%g.w, n/g.w, int(o.ref)%2, a, b)
	}
	return false
}

// line is one sight line being searched. It answers as a query for the nearest
// hit does, found or not, with the same arithmetic: TestEveryQueryMatchesBruteForce
// compares them.
type line struct {
	o, e vec.V3
	in   [3]float32 // o
	rate [3]float32 // 1 / (e-o)
	side [3]uint8   // 0 when the lower bound is met first, else 3
	by   Occluder
}

func (l *line) aim(o, e vec.V3) {
	l.o, l.e = o, e
	d := e.Sub(o)
	l.in = [3]float32{o.X, o.Y, o.Z}
	l.rate = [3]float32{invert(d.X), invert(d.Y), invert(d.Z)}
	for i := range l.side {
		l.side[i] = 0
		if l.rate[i] < 0 {
			l.side[i] = 3
		}
	}
}

const one = 0x3f800000 // bits of 1

// slab reports whether the line meets a box.
func (l *line) slab(box *vec.Box) bool {
	b := [6]float32{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z}
	sx, sy, sz := l.side[0]&3, l.side[1]&3, l.side[2]&3
	t0 := max(0,
		bitsOf(float32((b[sx]-l.in[0])*l.rate[0])),
		bitsOf(float32((b[1+sy]-l.in[1])*l.rate[1])),
		bitsOf(float32((b[2+sz]-l.in[2])*l.rate[2])))
	t1 := min(one,
		bitsOf(float32((b[3-sx]-l.in[0])*l.rate[0])),
		bitsOf(float32((b[4-sy]-l.in[1])*l.rate[1])),
		bitsOf(float32((b[5-sz]-l.in[2])*l.rate[2])))
	return t0 <= t1
}

// search looks everywhere.
func (l *line) search(s *Scene, a, b vec.V3, mask level.Mask) bool {
	w := s.W
	l.model(s, 0, a, b, mask)
	if l.by.kind != 0 {
		return true
	}
	if len(w.models) > 1 && l.movers(s, a, b, mask) {
		return true
	}
	return w.ground != nil && mask&level.Solid != 0 && l.ground(w.ground)
}

// model searches one model where it is, and aims from a to b before it returns.
func (l *line) model(s *Scene, m int, a, b vec.V3, mask level.Mask) bool {
	l.aim(a, b)
	t := &s.W.models[m]
	if len(t.nodes) == 0 {
		return false
	}
	at := s.pose(m)
	moved := *at != (level.Pose{})
	if moved {
		l.aim(at.Into(a), at.Into(b))
	}
	if l.walk(s.W, t, mask) {
		l.by.model = int16(m)
		return true
	}
	if moved {
		l.aim(a, b)
	}
	return false
}

// walk searches a tree, in any order.
func (l *line) walk(w *World, t *tree, mask level.Mask) bool {
	var stack [stackSize]int32
	top := 1
	sx, sy, sz := l.side[0]&3, l.side[1]&3, l.side[2]&3
	px, py, pz := l.in[0], l.in[1], l.in[2]
	rx, ry, rz := l.rate[0], l.rate[1], l.rate[2]
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		x0, y0, z0 := &n.bound[sx], &n.bound[1+sy], &n.bound[2+sz]
		x1, y1, z1 := &n.bound[3-sx], &n.bound[4-sy], &n.bound[5-sz]
		for i := range int(n.n) & 7 {
			i &= 3
			t0 := max(0, bitsOf(float32((x0[i]-px)*rx)), bitsOf(float32((y0[i]-py)*ry)), bitsOf(float32((z0[i]-pz)*rz)))
			t1 := min(one, bitsOf(float32((x1[i]-px)*rx)), bitsOf(float32((y1[i]-py)*ry)), bitsOf(float32((z1[i]-pz)*rz)))
			if t0 > t1 {
				continue
			}
			at := n.at[i]
			if at >= 0 {
				stack[top] = at
				top++
				continue
			}
			p := &t.prims[^at]
			if p.contents&mask != 0 && l.meets(w, p.ref) {
				return true
			}
		}
	}
	return false
}

// meets tests one primitive whose box is met.
func (l *line) meets(w *World, ref int32) bool {
	if ref >= 0 {
		if w.blocks(ref, l.o, l.e) {
			l.by = Occluder{ref: ref, kind: kindBrush + 1}
			return true
		}
		return false
	}
	if w.triBlocks(^ref, l.o, l.e) {
		l.by = Occluder{ref: ref, kind: kindTri + 1}
		return true
	}
	return false
}

// movers is Scene.searchMovers for a line.
func (l *line) movers(s *Scene, a, b vec.V3, mask level.Mask) bool {
	m := &s.W.movers
	for _, i := range m.loose {
		if s.elsewhere(int(i)) && l.model(s, int(i), a, b, mask) {
			return true
		}
	}
	t := &m.tree
	if len(t.nodes) == 0 {
		return false
	}
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			box := n.box(i)
			if !l.slab(&box) {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			if k := int(t.prims[^n.at[i]].ref); !s.elsewhere(k) && l.model(s, k, a, b, mask) {
				return true
			}
		}
	}
	return false
}

// box is lane i's.
func (n *node) box(i int) vec.Box {
	i &= 3
	return vec.Box{
		Min: vec.V3{X: n.bound[0][i], Y: n.bound[1][i], Z: n.bound[2][i]},
		Max: vec.V3{X: n.bound[3][i], Y: n.bound[4][i], Z: n.bound[5][i]},
	}
}

// span is the part of a line that is behind all planes so far.
type span struct{ enter, leave float32 }

// cut narrows a span by a plane, e1 and e2 in front of it at the line's ends. It
// reports false when the whole line is in front.
func (s *span) cut(e1, e2 float32) bool {
	if e1 > 0 {
		if e2 > 0 {
			return false
		}
		s.enter = max(s.enter, e1/(e1-e2))
	} else if e2 > 0 {
		s.leave = min(s.leave, e1/(e1-e2))
	}
	return true
}

// blocks reports whether any point of the line lies in a solid: clip.line and
// clip.outcome without what a hit needs besides. Of the planes of the bounds the
// scalar product is one coordinate, to the bit.
func (w *World) blocks(ref int32, o, e vec.V3) bool {
	b := &w.brushes[ref]
	planes := w.planes[b.first : b.first+b.nRay]
	s := span{-1, 2}
	if b.axial && len(planes) >= 6 {
		if !s.cut(0-o.X-planes[0].D-raySkin, 0-e.X-planes[0].D-raySkin) || !s.cut(o.X-planes[1].D-raySkin, e.X-planes[1].D-raySkin) ||
			!s.cut(0-o.Y-planes[2].D-raySkin, 0-e.Y-planes[2].D-raySkin) || !s.cut(o.Y-planes[3].D-raySkin, e.Y-planes[3].D-raySkin) ||
			!s.cut(0-o.Z-planes[4].D-raySkin, 0-e.Z-planes[4].D-raySkin) || !s.cut(o.Z-planes[5].D-raySkin, e.Z-planes[5].D-raySkin) {
			return false
		}
		planes = planes[6:]
	}
	for k := range planes {
		p := &planes[k]
		if !s.cut(p.N.Dot(o)-p.D-raySkin, p.N.Dot(e)-p.D-raySkin) {
			return false
		}
	}
	return s.enter <= s.leave
}

// triBlocks is rayTri without its outcome.
func (w *World) triBlocks(i int32, o, e vec.V3) bool {
	q := query{o: o, e: e, best: 1, key: ^uint64(0)}
	q.rayTri(&clip{}, &w.tris[i])
	return q.found
}
