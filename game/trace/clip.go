package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// clip narrows a motion to the part that lies inside a convex set, plane by plane.
type clip struct {
	// In.
	t0       float32 // entry into the primitive's own bounds
	key      uint64
	contents level.Contents
	face     face

	// So far.
	startOut, endOut   bool
	hasEnter, hasLeave bool
	enter, leave       float32
	backed             float32 // enter, drawn back by the skin (rays)
	normal             vec.V3
	plane              int32 // of normal, for brushes
}

// box clips by one plane, d1 and d2 in front of it at the start and the end. It
// reports false when the motion stays in front.
func (c *clip) box(d1, d2 float32, n vec.V3, plane int32) bool {
	if d1 > 0 {
		c.startOut = true
		// Not nearing, or never within the skin. A motion that starts inside the
		// skin may use the outer half of it: without that, a face that is slid
		// along counts as neared by one rounding, and the edge of its neighbour
		// catches.
		if d2 >= Skin || d2 >= d1 || (d1 <= Skin && d2 >= Skin/2) {
			return false
		}
		if d2 > 0 {
			c.endOut = true
		}
		f := (d1 - Skin) / (d1 - d2)
		if !c.hasEnter || f > c.enter {
			c.hasEnter, c.enter, c.normal, c.plane = true, f, n, plane
		}
		return true
	}
	if d2 > 0 {
		c.endOut = true
		f := (Skin - d1) / (d2 - d1)
		if !c.hasLeave || f < c.leave {
			c.hasLeave, c.leave = true, f
		}
	}
	return true
}

// line is box for a ray: solids are larger by raySkin.
func (c *clip) line(d1, d2 float32, n vec.V3, plane int32) bool {
	e1, e2 := d1-raySkin, d2-raySkin
	if e1 > 0 {
		c.startOut = true
		if e2 > 0 {
			return false
		}
		f := e1 / (e1 - e2)
		if !c.hasEnter || f > c.enter {
			c.hasEnter, c.enter, c.normal, c.plane = true, f, n, plane
			c.backed = (d1 - Skin) / (d1 - d2)
		}
		return true
	}
	if e2 > 0 {
		c.endOut = true
		f := e1 / (e1 - e2)
		if !c.hasLeave || f < c.leave {
			c.hasLeave, c.leave = true, f
		}
	}
	return true
}

// outcome is what all planes of a primitive said together.
type outcome uint8

const (
	missed   outcome = iota
	inside           // starts inside, ends outside
	buriedIn         // starts and ends inside
	struck
)

func (c *clip) outcome() outcome {
	switch {
	case !c.startOut && c.endOut:
		return inside
	case !c.startOut:
		return buriedIn
	case c.hasLeave && c.enter > c.leave:
		return missed
	}
	return struck
}

func (q *query) settle(c *clip, f float32, s face) {
	switch c.outcome() {
	case inside:
		q.touch(c, false)
	case buriedIn:
		q.touch(c, true)
	case struck:
		q.accept(c, max(f, 0), c.normal, s)
	}
}

func (q *query) boxBrush(c *clip, ref int32) {
	w := q.w
	b := &w.brushes[ref]
	h := q.half
	for k := b.first; k < b.first+b.nBox; k++ {
		p := &w.planes[k]
		reach := float32(vec.Abs(p.N.X)*h.X) + float32(vec.Abs(p.N.Y)*h.Y) + float32(vec.Abs(p.N.Z)*h.Z) + p.D
		if !c.box(p.N.Dot(q.o)-reach, p.N.Dot(q.e)-reach, p.N, k) {
			return
		}
	}
	q.settle(c, c.enter, w.faces[c.plane])
}

func (q *query) rayBrush(c *clip, ref int32) {
	w := q.w
	b := &w.brushes[ref]
	for k := b.first; k < b.first+b.nRay; k++ {
		p := &w.planes[k]
		if !c.line(p.N.Dot(q.o)-p.D, p.N.Dot(q.e)-p.D, p.N, k) {
			return
		}
	}
	q.settle(c, min(c.backed, c.enter), w.faces[c.plane])
}
