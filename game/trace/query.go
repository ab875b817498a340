package trace

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// query is one search in progress. It lives on the caller's stack.
type query struct {
	// In.
	w      *World
	mask   level.Mask
	half   vec.V3 // of the box; zero for a ray
	ray    bool
	any    bool // the first hit ends it
	gather bool // collect contents of all that the start touches

	// The motion of the box's centre in the frame of the model being searched.
	model     int16
	o, e, inv vec.V3
	// For the slab test, by axis: o pushed out by half on the side where the motion
	// comes in and where it goes out, and which bounds of a node those are.
	in, out [3]float32
	rate    [3]float32 // inv
	side    [3]uint8   // 0 when the lower bound is met first, else 3

	// Out: the best so far.
	best       float32
	key        uint64
	found      bool
	startSolid bool
	allSolid   bool
	hitModel   int16
	inModel    int16 // the lowest model that the start is inside of
	normal     vec.V3
	contents   level.Contents
	face       face
}

// Kinds of primitive, in the order in which ties are settled.
const (
	kindBrush = iota
	kindTri
	kindGround
)

// aim sets the motion.
func (q *query) aim(o, e vec.V3) {
	q.o, q.e = o, e
	d := e.Sub(o)
	q.inv = vec.V3{X: invert(d.X), Y: invert(d.Y), Z: invert(d.Z)}
	near, far := o.Add(q.half), o.Sub(q.half)
	q.rate = [3]float32{q.inv.X, q.inv.Y, q.inv.Z}
	q.in = [3]float32{near.X, near.Y, near.Z}
	q.out = [3]float32{far.X, far.Y, far.Z}
	for i := range q.side {
		q.side[i] = 0
		if q.rate[i] < 0 {
			q.side[i] = 3
			q.in[i], q.out[i] = q.out[i], q.in[i]
		}
	}
}

// invert returns 1/d, and a huge number for (almost) no motion: then a slab is
// entered before and left after all time, if the start lies in it.
func invert(d float32) float32 {
	if vec.Abs(d) < 1e-30 {
		return 1e30
	}
	return 1 / d
}

// A fraction is compared by its bits: those of floats from 0 up are in the order
// of the floats, and as signed numbers those of negative floats are below. Only
// -0 falls out of place, as less than 0: a box whose bound is left in the very
// instant of the start. Boxes are padded, so that nothing is missed by it.

// bitsOf returns f's bits as a signed number.
func bitsOf(f float32) int32 { return int32(math.Float32bits(f)) }

// lane returns when the box's centre enters lane i of a node, grown by the box, at
// the earliest 0, and whether it does before best, both as bits. The arithmetic is
// monotone in the bounds, so a node is never missed whose primitive would be hit.
func (q *query) lane(n *node, i int, best int32) (int32, bool) {
	sx, sy, sz := q.side[0]&3, q.side[1]&3, q.side[2]&3
	t0 := max(0,
		bitsOf(float32((n.bound[sx][i&3]-q.in[0])*q.rate[0])),
		bitsOf(float32((n.bound[1+sy][i&3]-q.in[1])*q.rate[1])),
		bitsOf(float32((n.bound[2+sz][i&3]-q.in[2])*q.rate[2])))
	t1 := min(best,
		bitsOf(float32((n.bound[3-sx][i&3]-q.out[0])*q.rate[0])),
		bitsOf(float32((n.bound[4-sy][i&3]-q.out[1])*q.rate[1])),
		bitsOf(float32((n.bound[5-sz][i&3]-q.out[2])*q.rate[2])))
	return t0, t0 <= t1
}

// slab is lane for a box by itself.
func (q *query) slab(lo, hi *vec.V3) (float32, bool) {
	b := [6]float32{lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z}
	sx, sy, sz := q.side[0]&3, q.side[1]&3, q.side[2]&3
	t0 := max(0,
		bitsOf(float32((b[sx]-q.in[0])*q.rate[0])),
		bitsOf(float32((b[1+sy]-q.in[1])*q.rate[1])),
		bitsOf(float32((b[2+sz]-q.in[2])*q.rate[2])))
	t1 := min(bitsOf(q.best),
		bitsOf(float32((b[3-sx]-q.out[0])*q.rate[0])),
		bitsOf(float32((b[4-sy]-q.out[1])*q.rate[1])),
		bitsOf(float32((b[5-sz]-q.out[2])*q.rate[2])))
	return math.Float32frombits(uint32(t0)), t0 <= t1
}

// pending is a child that is still to be searched.
type pending struct {
	at int32
	t  int32 // bits of when it is entered
}

// walk searches a tree, nearest first.
func (q *query) walk(t *tree) {
	var stack [stackSize]pending
	top := 1
	for top > 0 {
		top--
		best := bitsOf(q.best)
		if stack[top].t > best {
			continue
		}
		at := stack[top].at
		if at < 0 {
			q.prim(&t.prims[^at], math.Float32frombits(uint32(stack[top].t)))
			if q.any && (q.found || q.startSolid) {
				return
			}
			continue
		}
		n := &t.nodes[at]
		base := top
		for i := range int(n.n) {
			t0, ok := q.lane(n, i, best)
			if !ok {
				continue
			}
			k := top
			for k > base && stack[k-1].t < t0 { // the nearest goes on top
				stack[k] = stack[k-1]
				k--
			}
			stack[k] = pending{n.at[i], t0}
			top++
		}
	}
}

// prim tests one primitive, whose box is entered at t0.
func (q *query) prim(p *prim, t0 float32) {
	if p.contents&q.mask == 0 {
		return
	}
	c := clip{t0: t0, contents: p.contents}
	if p.ref >= 0 {
		c.key = q.keyOf(kindBrush, p.ref)
		if q.ray {
			q.rayBrush(&c, p.ref)
		} else {
			q.boxBrush(&c, p.ref)
		}
		return
	}
	tri := &q.w.tris[^p.ref]
	c.key = q.keyOf(kindTri, ^p.ref)
	c.face = face{tri.Surf, tri.Texture}
	if q.ray {
		q.rayTri(&c, tri)
	} else {
		q.boxTri(&c, tri.A, tri.B, tri.C, tri.N, false)
	}
}

func (q *query) keyOf(kind int, index int32) uint64 {
	return uint64(uint16(q.model))<<40 | uint64(kind)<<36 | uint64(uint32(index))
}

// touch records that the start lies inside a primitive, and with all that the end
// does too.
func (q *query) touch(c *clip, all bool) {
	if q.gather {
		q.contents |= c.contents
		return
	}
	if !q.startSolid || q.model < q.inModel {
		q.inModel = q.model
	}
	q.startSolid = true
	if all {
		q.allSolid = true
		q.accept(c, 0, vec.V3{}, c.face)
	}
}

// accept records a hit if it is the first one.
func (q *query) accept(c *clip, f float32, n vec.V3, s face) {
	if f < c.t0 {
		f = c.t0
	}
	if f > q.best || (f == q.best && c.key > q.key) || q.gather {
		return
	}
	q.best, q.key, q.found = f, c.key, true
	q.normal, q.contents, q.face, q.hitModel = n, c.contents, s, q.model
}
