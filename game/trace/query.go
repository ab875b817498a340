package trace

import (
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
	near, far vec.V3 // o pushed out by half, for the slab test

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
	q.near, q.far = o.Add(q.half), o.Sub(q.half)
}

// invert returns 1/d, and a huge number for (almost) no motion: then a slab is
// entered before and left after all time, if the start lies in it.
func invert(d float32) float32 {
	if vec.Abs(d) < 1e-30 {
		return 1e30
	}
	return 1 / d
}

// slab returns when the box's centre enters lo..hi grown by the box, at the
// earliest 0, and whether it does before the best hit. The arithmetic is monotone
// in lo and hi, so a node is never missed whose primitive would be hit.
func (q *query) slab(lo, hi *vec.V3) (float32, bool) {
	t0, t1 := float32(0), q.best
	a, b := float32((lo.X-q.near.X)*q.inv.X), float32((hi.X-q.far.X)*q.inv.X)
	if q.inv.X < 0 {
		a, b = b, a
	}
	if a > t0 {
		t0 = a
	}
	if b < t1 {
		t1 = b
	}
	a, b = float32((lo.Y-q.near.Y)*q.inv.Y), float32((hi.Y-q.far.Y)*q.inv.Y)
	if q.inv.Y < 0 {
		a, b = b, a
	}
	if a > t0 {
		t0 = a
	}
	if b < t1 {
		t1 = b
	}
	a, b = float32((lo.Z-q.near.Z)*q.inv.Z), float32((hi.Z-q.far.Z)*q.inv.Z)
	if q.inv.Z < 0 {
		a, b = b, a
	}
	if a > t0 {
		t0 = a
	}
	if b < t1 {
		t1 = b
	}
	return t0, t0 <= t1
}

type pending struct {
	node int32
	t    float32
}

// walk searches a tree, nearest first.
func (q *query) walk(t *tree) {
	t0, ok := q.slab(&t.nodes[0].lo, &t.nodes[0].hi)
	if !ok {
		return
	}
	var stack [stackSize]pending
	stack[0] = pending{0, t0}
	top := 1
	for top > 0 {
		top--
		if stack[top].t > q.best {
			continue
		}
		n := &t.nodes[stack[top].node]
		if n.n > 0 {
			for i := n.a; i < n.a+n.n; i++ {
				q.prim(&t.prims[i])
			}
			if q.any && (q.found || q.startSolid) {
				return
			}
			continue
		}
		l, r := &t.nodes[n.a], &t.nodes[n.a+1]
		tl, okl := q.slab(&l.lo, &l.hi)
		tr, okr := q.slab(&r.lo, &r.hi)
		switch {
		case okl && okr && tl <= tr:
			stack[top], stack[top+1] = pending{n.a + 1, tr}, pending{n.a, tl}
			top += 2
		case okl && okr:
			stack[top], stack[top+1] = pending{n.a, tl}, pending{n.a + 1, tr}
			top += 2
		case okl:
			stack[top] = pending{n.a, tl}
			top++
		case okr:
			stack[top] = pending{n.a + 1, tr}
			top++
		}
	}
}

// prim tests one primitive.
func (q *query) prim(p *prim) {
	if p.contents&q.mask == 0 {
		return
	}
	t0, ok := q.slab(&p.lo, &p.hi)
	if !ok {
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
