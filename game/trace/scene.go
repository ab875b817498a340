package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// Result is what a query found.
type Result = level.Hit

// Scene is a World at one time.
type Scene struct {
	W *World
	// Poses says where each model is, indexed like Level.Models; models beyond its
	// end are closed. See scenery.Poses. That of a level.Door is one that it has on its
	// way, or puts it out of the world, as does that of a level.Piece that is broken.
	Poses []level.Pose
}

// Closed returns the Scene in which every mover is in its closed place.
func (w *World) Closed() Scene { return Scene{W: w} }

// Box sweeps box, which is relative to the moving point, and returns the first
// thing of the mask in its way.
func (s Scene) Box(start, end vec.V3, box vec.Box, mask level.Mask) Result {
	if !inLimit(start) || !inLimit(end) || !inLimit(box.Min) || !inLimit(box.Max) {
		return buried(start)
	}
	c := box.Center()
	var q query
	q.half = box.Max.Sub(c).Max(vec.V3{})
	return s.run(&q, start, end, c, mask)
}

// Ray returns the first thing of the mask between two points.
func (s Scene) Ray(start, end vec.V3, mask level.Mask) Result {
	if !inLimit(start) || !inLimit(end) {
		return buried(start)
	}
	q := query{ray: true}
	return s.run(&q, start, end, vec.V3{}, mask)
}

// Contents returns everything that fills a point.
func (s Scene) Contents(p vec.V3) level.Contents {
	if !inLimit(p) {
		return level.Solid
	}
	return s.fill(p)
}

// Overlaps reports whether a box, in world space, touches anything of the mask.
func (s Scene) Overlaps(box vec.Box, mask level.Mask) bool {
	c := box.Center()
	return s.Box(c, c, box.Move(c.Neg()), mask).StartSolid
}

// BoxContents returns everything of the mask that touches a box in world space.
func (s Scene) BoxContents(box vec.Box, mask level.Mask) level.Contents {
	if !inLimit(box.Min) || !inLimit(box.Max) {
		return level.Solid & mask
	}
	c := box.Center()
	q := query{gather: true, half: box.Max.Sub(c).Max(vec.V3{})}
	s.search(&q, c, c, mask)
	return q.contents
}

// Box is Scene.Box with every mover closed.
func (w *World) Box(start, end vec.V3, box vec.Box, mask level.Mask) Result {
	return w.Closed().Box(start, end, box, mask)
}

// Ray is Scene.Ray with every mover closed.
func (w *World) Ray(start, end vec.V3, mask level.Mask) Result {
	return w.Closed().Ray(start, end, mask)
}

// Blocked is Scene.Blocked with every mover closed.
func (w *World) Blocked(a, b vec.V3, mask level.Mask) bool { return w.Closed().Blocked(a, b, mask) }

// Contents is Scene.Contents with every mover closed.
func (w *World) Contents(p vec.V3) level.Contents { return w.Closed().Contents(p) }

// buried answers queries that cannot be computed.
func buried(start vec.V3) Result {
	return Result{End: start, StartSolid: true, AllSolid: true, Contents: level.Solid, Model: 0}
}

func (s Scene) run(q *query, start, end, center vec.V3, mask level.Mask) Result {
	s.search(q, start.Add(center), end.Add(center), mask)
	return q.result(start, end)
}

// result is what a query has found.
func (q *query) result(start, end vec.V3) Result {
	r := Result{
		Frac: q.best, End: end, Normal: q.normal, StartSolid: q.startSolid, AllSolid: q.allSolid,
		Contents: q.contents, Surf: q.face.surf, Texture: q.face.texture, Model: -1,
	}
	switch {
	case q.found:
		r.Model = q.hitModel
	case q.startSolid:
		r.Model = q.inModel
	}
	if q.best < 1 {
		r.End = start.Lerp(end, q.best)
	}
	return r
}

// search runs q over the world, the movers and the terrain.
func (s Scene) search(q *query, start, end vec.V3, mask level.Mask) {
	q.mask, q.best = mask, 1
	q.key = ^uint64(0)
	w := s.W
	q.w = w
	q.aim(start, end)
	s.searchModel(q, 0, start, end)
	if q.done() {
		return
	}
	if len(w.models) > 1 {
		s.searchMovers(q, start, end)
		if q.done() {
			return
		}
	}
	if w.ground != nil && mask&level.Solid != 0 {
		q.model = 0
		q.walkGround(w.ground)
	}
}

// done reports whether nothing more needs to be known.
func (q *query) done() bool { return q.any && (q.found || q.startSolid) }

// pose is where a model is. It must not be written to.
func (s *Scene) pose(m int) *level.Pose {
	if m < len(s.Poses) {
		return &s.Poses[m]
	}
	return &s.W.still
}

// searchModel searches one model where it is.
func (s Scene) searchModel(q *query, m int, start, end vec.V3) {
	t := &s.W.models[m]
	if len(t.nodes) == 0 {
		return
	}
	q.model = int16(m)
	at := s.pose(m)
	if at.IsTurned() {
		q.turned(t, at, start, end)
		return
	}
	if off := at.Off; off != (vec.V3{}) {
		q.aim(start.Sub(off), end.Sub(off))
		q.walk(t)
		q.aim(start, end)
		return
	}
	q.walk(t)
}

// fill is Contents for a point within the limit.
func (s Scene) fill(p vec.V3) level.Contents {
	w := s.W
	c := w.fillModel(&w.models[0], p.Sub(s.pose(0).Off))
	if len(w.models) > 1 {
		c |= s.fillMovers(p)
	}
	if w.ground != nil && w.ground.under(p) {
		c |= level.Solid
	}
	return c
}

// holds reports whether a point is in lane i.
func (n *node) holds(i int, p vec.V3) bool {
	i &= 3
	return p.X >= n.bound[0][i] && p.X <= n.bound[3][i] &&
		p.Y >= n.bound[1][i] && p.Y <= n.bound[4][i] &&
		p.Z >= n.bound[2][i] && p.Z <= n.bound[5][i]
}

func (w *World) fillModel(t *tree, p vec.V3) level.Contents {
	if len(t.nodes) == 0 {
		return 0
	}
	var c level.Contents
	var stack [stackSize]int32
	top := 1
	for top > 0 {
		top--
		n := &t.nodes[stack[top]]
		for i := range int(n.n) {
			if !n.holds(i, p) {
				continue
			}
			if n.at[i] >= 0 {
				stack[top] = n.at[i]
				top++
				continue
			}
			if pr := &t.prims[^n.at[i]]; pr.ref >= 0 && c|pr.contents != c && w.inBrush(pr.ref, p) {
				c |= pr.contents
			}
		}
	}
	return c
}

func (w *World) inBrush(ref int32, p vec.V3) bool {
	b := &w.brushes[ref]
	for k := b.first; k < b.first+b.nRay; k++ {
		if w.planes[k].Dist(p) > 0 {
			return false
		}
	}
	return true
}
