package trace

import "github.com/sightline-engine/sightline/game/vec"

// A sight line mostly runs above the terrain: it is followed column by column over
// the height field, in blocks of eight columns first. Only cells whose top it may
// reach are tested, and those exactly.

const (
	marchLevel = 3         // of the pyramid: blocks of 8 by 8 cells
	marchSlack = 1.0 / 32  // metres: more than rounding along the way can add up to
	marchFlat  = 1.0 / 256 // metres of motion below which there is no direction
)

// march is a line over the terrain along its main axis: u is along it, v across.
type march struct {
	l          *line
	g          *ground
	swap       bool // u is y
	u, v, z    float32
	du, dv, dz float32
	inv        float32
	u0, v0     float32 // of the terrain
	nu, nv     int     // cells
}

// ground reports whether the terrain blocks the line.
func (l *line) ground(g *ground) bool {
	d := l.e.Sub(l.o)
	m := march{l: l, g: g, z: l.o.Z, dz: d.Z}
	m.u, m.v, m.du, m.dv = l.o.X, l.o.Y, d.X, d.Y
	m.u0, m.v0, m.nu, m.nv = g.t.Origin.X, g.t.Origin.Y, g.w, g.h
	if vec.Abs(d.Y) > vec.Abs(d.X) {
		m.swap = true
		m.u, m.v, m.du, m.dv = m.v, m.u, m.dv, m.du
		m.u0, m.v0, m.nu, m.nv = m.v0, m.u0, m.nv, m.nu
	}
	if vec.Abs(m.du) > marchFlat {
		m.inv = 1 / m.du
	}
	lv := min(marchLevel, len(g.levels)-1)
	size := 1 << lv
	a, b := m.cells(min(m.u, m.u+m.du), max(m.u, m.u+m.du), m.u0, m.nu)
	if a > b {
		return false
	}
	a, b = a>>lv, b>>lv
	step, n := 1, b-a+1
	if m.du < 0 {
		a, step = b, -1
	}
	for range n {
		if m.column(lv, a) {
			from, end, by := a*size, min(a*size+size, m.nu), 1
			if step < 0 {
				from, end, by = end-1, from-1, -1
			}
			for i := from; i != end; i += by {
				if m.column(0, i) {
					return true
				}
			}
		}
		a += step
	}
	return false
}

// cells are those that a range touches: none when a > b.
func (m *march) cells(lo, hi, origin float32, n int) (a, b int) {
	cell := m.g.t.Cell
	x, y := (lo-marchSlack-origin)/cell, (hi+marchSlack-origin)/cell
	if !(y >= 0 && x <= float32(n)) {
		return 1, 0
	}
	return int(max(x, 0)), min(int(y), n-1)
}

// column follows the line over one column of cells: of a layer above the lowest
// it reports whether the line may reach any, of the lowest whether it is blocked.
func (m *march) column(lv, i int) bool {
	g := m.g
	t0, t1 := float32(0), float32(1)
	if m.inv != 0 {
		lo := m.u0 + float32(float32(i<<lv)*g.t.Cell) - marchSlack - m.u
		hi := m.u0 + float32(float32((i+1)<<lv)*g.t.Cell) + marchSlack - m.u
		a, b := float32(lo*m.inv), float32(hi*m.inv)
		if a > b {
			a, b = b, a
		}
		t0, t1 = max(a, 0), min(b, 1)
		if t0 > t1 {
			return false
		}
	}
	va, vb := m.v+float32(m.dv*t0), m.v+float32(m.dv*t1)
	j, last := m.cells(min(va, vb), max(va, vb), m.v0, m.nv)
	if j > last {
		return false
	}
	low := min(m.z+float32(m.dz*t0), m.z+float32(m.dz*t1)) - marchSlack
	layer := &g.levels[lv]
	for j, last = j>>lv, last>>lv; j <= last; j++ {
		x, y := i, j
		if m.swap {
			x, y = j, i
		}
		if layer.top[y*layer.w+x] < low {
			continue
		}
		if lv > 0 || m.l.cell(g, x, y) {
			return true
		}
	}
	return false
}

// cell tests the triangles of a cell.
func (l *line) cell(g *ground, i, j int) bool {
	lo, hi := g.bounds(0, i, j)
	if !l.slab(&vec.Box{Min: lo, Max: hi}) {
		return false
	}
	for half := range 2 {
		if g.blocks(i, j, half, l.o, l.e) {
			l.by = Occluder{ref: int32(2*(j*g.w+i) + half), kind: kindGround + 1}
			return true
		}
	}
	return false
}

// blocks reports whether any point of the line lies in or below a triangle: as
// query.rayPrism, without what a hit needs besides.
func (g *ground) blocks(i, j, half int, o, e vec.V3) bool {
	a, b, c := g.corners(i, j, half)
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	s := span{-1, 2}
	if !s.cut(n.Dot(o.Sub(a))-raySkin, n.Dot(e.Sub(a))-raySkin) {
		return false
	}
	from := [3]vec.V3{a, b, c}
	to := [3]vec.V3{b, c, a}
	for k := range from {
		d := to[k].Sub(from[k])
		out := vec.V3{X: d.Y, Y: 0 - d.X}.Unit()
		if !s.cut(out.Dot(o.Sub(from[k]))-raySkin, out.Dot(e.Sub(from[k]))-raySkin) {
			return false
		}
	}
	return s.enter <= s.leave
}
