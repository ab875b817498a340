package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// A model that is turned about its hinge. A line is turned into the model's frame,
// which is exact. A box would be askew there: it meets every solid in the world's
// frame instead, whose planes are turned. What a box cannot enter with its middle is
// the solid and the box added up; of two upright prisms that is bounded by the edges
// of both from above, so by the turned sides, pushed out by the box, and by the
// world's axes at the turned corners. That too is exact. Of other solids the planes
// through slanting edges are missing: a box is stopped a little before them.

// turned searches a model that is turned. The motion is aimed in the world's frame,
// before and after.
func (q *query) turned(t *tree, at *level.Pose, start, end vec.V3) {
	if q.ray {
		was := q.key
		q.aim(at.Into(start), at.Into(end))
		q.walk(t)
		q.aim(start, end)
		if q.key != was {
			q.normal = at.Turn(q.normal)
		}
		return
	}
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			b := n.box(i)
			lo, hi := turnedBox(at, b)
			t0, ok := q.slab(&lo, &hi)
			if !ok {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			q.primTurned(&t.prims[^n.at[i]], at, t0)
			if q.done() {
				return
			}
		}
	}
}

// turnPad is more than a box can lose to rounding as it is turned, at Limit.
const turnPad = 1.0 / 64

func turnedBox(at *level.Pose, b vec.Box) (lo, hi vec.V3) {
	b = at.Bounds(b).Pad(turnPad)
	return b.Min, b.Max
}

// withinTurned calls f for every primitive whose turned box, which it is given,
// shares a point with box.
func (t *tree) withinTurned(at *level.Pose, box vec.Box, f func(p *prim, lo, hi vec.V3)) {
	if len(t.nodes) == 0 {
		return
	}
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			lo, hi := turnedBox(at, n.box(i))
			if !(vec.Box{Min: lo, Max: hi}).Overlaps(box) {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			f(&t.prims[^n.at[i]], lo, hi)
		}
	}
}

// primTurned tests one primitive of a turned model against a box, in the world's
// frame; its turned box is entered at t0.
func (q *query) primTurned(p *prim, at *level.Pose, t0 float32) {
	if p.contents&q.mask == 0 {
		return
	}
	c := clip{t0: t0, contents: p.contents}
	if p.ref >= 0 {
		c.key = q.keyOf(kindBrush, p.ref)
		q.boxBrushTurned(&c, p.ref, at)
		return
	}
	tri := &q.w.tris[^p.ref]
	c.key = q.keyOf(kindTri, ^p.ref)
	c.face = face{tri.Surf, tri.Texture}
	q.boxTri(&c, at.Out(tri.A), at.Out(tri.B), at.Out(tri.C), at.Turn(tri.N), false)
}

// ofBounds marks a plane that no side of the solid lies in.
const ofBounds = -1

func (q *query) boxBrushTurned(c *clip, ref int32, at *level.Pose) {
	w, h := q.w, q.half
	b := &w.brushes[ref]
	// The world's axes. They decide most often.
	lo, hi := w.turnedBounds(ref, at)
	for k := range 3 {
		var n vec.V3
		n = n.With(k, -1)
		if !c.box(lo.At(k)-h.At(k)-q.o.At(k), lo.At(k)-h.At(k)-q.e.At(k), n, ofBounds) {
			return
		}
		n = n.With(k, 1)
		if !c.box(q.o.At(k)-(hi.At(k)+h.At(k)), q.e.At(k)-(hi.At(k)+h.At(k)), n, ofBounds) {
			return
		}
	}
	hinge := vec.V3{X: at.X, Y: at.Y}
	o, e := q.o.Sub(at.Off).Sub(hinge), q.e.Sub(at.Off).Sub(hinge)
	for k := b.first; k < b.first+b.nBox; k++ {
		p := &w.planes[k]
		n := at.Turn(p.N)
		reach := float32(vec.Abs(n.X)*h.X) + float32(vec.Abs(n.Y)*h.Y) + float32(vec.Abs(n.Z)*h.Z) + (p.D - p.N.Dot(hinge))
		if !c.box(n.Dot(o)-reach, n.Dot(e)-reach, n, k) {
			return
		}
	}
	if c.plane == ofBounds {
		local := level.Pose{Sin: 0 - at.Sin, Cos: at.Cos} // back into the model's frame
		q.settle(c, c.enter, w.likest(*b, local.Turn(c.normal)))
		return
	}
	q.settle(c, c.enter, w.faces[c.plane])
}

// turnedBounds returns the bounds of a turned solid.
func (w *World) turnedBounds(ref int32, at *level.Pose) (lo, hi vec.V3) {
	b := &w.brushes[ref]
	box := vec.EmptyBox()
	for _, v := range w.corners[b.corner : b.corner+b.nCorner] {
		box = box.Grow(at.Out(v))
	}
	if b.nCorner == 0 {
		box = at.Bounds(w.l.Solids[ref].Bounds)
	}
	return box.Min, box.Max
}

// findCorners finds the corners of what doors turn.
func (w *World) findCorners() {
	for i := range w.l.Doors {
		d := &w.l.Doors[i]
		if !d.Hinged() || d.Model <= 0 || d.Model >= len(w.l.Models) {
			continue
		}
		m := &w.l.Models[d.Model]
		for k := m.FirstSolid; k < m.FirstSolid+m.NumSolids && k < len(w.brushes); k++ {
			b, src := &w.brushes[k], &w.l.Solids[k]
			if b.nCorner != 0 || len(src.Sides) < 4 || !usable(src.Bounds) {
				continue
			}
			b.corner = int32(len(w.corners))
			for j := range src.Sides {
				for _, v := range winding(src.Sides, j, src.Bounds) {
					w.addCorner(b.corner, vec.V3{X: float32(v.x), Y: float32(v.y), Z: float32(v.z)})
				}
			}
			b.nCorner = int32(len(w.corners)) - b.corner
		}
	}
}

// sameCorner is how close to another a corner is the same one, metres.
const sameCorner = 1e-5

// addCorner adds a corner to those since first, once.
func (w *World) addCorner(first int32, v vec.V3) {
	for _, u := range w.corners[first:] {
		if d := u.Sub(v).Abs(); d.X < sameCorner && d.Y < sameCorner && d.Z < sameCorner {
			return
		}
	}
	w.corners = append(w.corners, v)
}
