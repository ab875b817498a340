package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

const (
	// shadowSkin is how deep inside of a solid all lines must pass to be called
	// blocked without being asked one by one: more than raySkin and what float32
	// rounds in Limit.
	shadowSkin = 0.02
	// shadowRows is how many grid lines of the terrain are tried to either side of
	// the cell that blocked.
	shadowRows = 3
	// shadowWide is how many heights of a grid line are read at most.
	shadowWide = 16
)

// HidesAll reports whether an Occluder blocks every line between a point of a and one
// of b: if so, Blocked is true of each. It is a sufficient test, for the price of two
// or three lines: true only where all lines cross one face of a solid, or one grid line
// of the terrain below its surface. What is posed anywhere but in its place, and
// triangles, hide nothing so.
//
// For all lines between two convex volumes on either side of a plane: where a line
// crosses it lies within what the lines between their corners cross. A rectangle around
// those that lies in the solid is crossed by all.
func (s Scene) HidesAll(o Occluder, a, b vec.Box, mask level.Mask) bool {
	w := s.W
	if o.kind == 0 || int(o.model) >= len(w.models) || !inLimit(a.Min) || !inLimit(a.Max) || !inLimit(b.Min) || !inLimit(b.Max) {
		return false
	}
	if o.model != 0 && *s.pose(int(o.model)) != (level.Pose{}) {
		return false
	}
	switch o.kind - 1 {
	case kindBrush:
		return o.ref >= 0 && int(o.ref) < len(w.brushes) && w.brushes[o.ref].contents&mask != 0 && w.shadows(o.ref, a, b)
	case kindGround:
		g := w.ground
		return g != nil && mask&level.Solid != 0 && o.ref >= 0 && int(o.ref) < 2*g.w*g.h && g.shadows(int(o.ref)/2%g.w, int(o.ref)/2/g.w, a, b)
	}
	return false
}

// shadows reports whether all lines cross the solid just below the face that looks at
// one of the two.
func (w *World) shadows(ref int32, a, b vec.Box) bool {
	br := &w.brushes[ref]
	planes := w.planes[br.first : br.first+br.nRay]
	return facing(planes, a, b) || facing(planes, b, a)
}

func facing(planes []level.Plane, a, b vec.Box) bool {
	ca, ha := a.Center(), a.Size().Scale(0.5)
	cb, hb := b.Center(), b.Size().Scale(0.5)
	best, most := -1, float32(0)
	for k := range planes {
		if d := planes[k].N.Dot(ca) - planes[k].D; d > most {
			best, most = k, d
		}
	}
	if best < 0 {
		return false
	}
	n := planes[best].N
	at := planes[best].D - 2*shadowSkin
	front, behind := n.Dot(ca)-at, at-n.Dot(cb)
	fa, fb := along(n, ha), along(n, hb)
	if front <= fa || behind <= fb {
		return false
	}
	u := vec.V3{X: 1}
	if n.X != 0 || n.Y != 0 {
		u = vec.V3{X: 0 - n.Y, Y: n.X}.Unit()
	}
	v := n.Cross(u)
	c := crossing{near: front - fa, far: front + fa, thence: behind - fb, hence: behind + fb}
	ul, uh := c.span(u.Dot(ca), along(u, ha), u.Dot(cb), along(u, hb))
	vl, vh := c.span(v.Dot(ca), along(v, ha), v.Dot(cb), along(v, hb))
	mid := n.Scale(at).Add(u.Scale((ul + uh) / 2)).Add(v.Scale((vl + vh) / 2))
	u, v = u.Scale((uh-ul)/2), v.Scale((vh-vl)/2)
	for k := range planes {
		p := &planes[k]
		if p.N.Dot(mid)-p.D+vec.Abs(p.N.Dot(u))+vec.Abs(p.N.Dot(v)) > -shadowSkin {
			return false
		}
	}
	return true
}

// along is how far a box of these half sizes reaches from its middle in a direction.
func along(n, half vec.V3) float32 {
	return float32(vec.Abs(n.X)*half.X) + float32(vec.Abs(n.Y)*half.Y) + float32(vec.Abs(n.Z)*half.Z)
}

// crossing is how far two volumes are from a plane between them: the first from near to
// far, the second from thence to hence.
type crossing struct{ near, far, thence, hence float32 }

// span returns between which values lines cross the plane, of volumes whose middles and
// half sizes along it are given.
func (c *crossing) span(a, ha, b, hb float32) (lo, hi float32) {
	t0, t1 := c.near/(c.near+c.hence), c.far/(c.far+c.thence)
	la, lb, ua, ub := a-ha, b-hb, a+ha, b+hb
	lo = min(la+float32(t0*(lb-la)), la+float32(t1*(lb-la)))
	hi = max(ua+float32(t0*(ub-ua)), ua+float32(t1*(ub-ua)))
	return lo, hi
}

// shadows reports whether all lines cross a grid line of the terrain near a cell below
// the surface.
func (g *ground) shadows(i, j int, a, b vec.Box) bool {
	d := b.Center().Sub(a.Center())
	axis, n := 0, i
	if vec.Abs(d.Y) >= vec.Abs(d.X) {
		axis, n = 1, j
	}
	if a.Min.At(axis) > b.Min.At(axis) {
		a, b = b, a
	}
	for k := range 2 * (shadowRows + 1) {
		// The cell's own two lines, and then those to either side in turn.
		off := 1 + k/2
		if k&1 == 0 {
			off = 0 - k/2
		}
		if g.gridLine(axis, n+off, a, b) {
			return true
		}
	}
	return false
}

// gridLine is of one grid line, across an axis; a comes before b on that.
func (g *ground) gridLine(axis, n int, a, b vec.Box) bool {
	other := 1 - axis
	cells := [2]int{g.w, g.h}
	if n < 0 || n > cells[axis] {
		return false
	}
	at := g.t.Origin.At(axis) + float32(float32(n)*g.t.Cell)
	c := crossing{near: at - a.Max.At(axis), far: at - a.Min.At(axis), thence: b.Min.At(axis) - at, hence: b.Max.At(axis) - at}
	if c.near <= shadowSkin || c.thence <= shadowSkin {
		return false
	}
	lo, hi := c.ends(a.Min.At(other), a.Max.At(other), b.Min.At(other), b.Max.At(other))
	_, top := c.ends(a.Min.Z, a.Max.Z, b.Min.Z, b.Max.Z)
	from, to, ok := g.between(lo-g.t.Origin.At(other), hi-g.t.Origin.At(other), cells[other])
	for k := from; ok && k <= to; k++ {
		i, j := n, k
		if axis == 1 {
			i, j = k, n
		}
		ok = g.t.Height(i, j)-top > shadowSkin
	}
	return ok
}

func (c *crossing) ends(al, ah, bl, bh float32) (lo, hi float32) {
	return c.span((al+ah)/2, (ah-al)/2, (bl+bh)/2, (bh-bl)/2)
}

// between are the grid points around a stretch of a grid line of n cells.
func (g *ground) between(lo, hi float32, n int) (from, to int, ok bool) {
	lo, hi = lo/g.t.Cell, hi/g.t.Cell
	if !(lo >= 0 && hi < float32(n)) || hi-lo > shadowWide {
		return 0, 0, false
	}
	return int(lo), int(hi) + 1, true
}
