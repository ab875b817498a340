package kit

import (
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Casts are samples. When all are blocked, somebody can still be seen through a gap
// between two of them; but not where one convex solid blocks both: the lines between
// them lie in a triangle with a corner at the common end, and what blocks two sides of
// it blocks all between. So only between casts that different solids block is it worth
// looking again: half way, and half way of that.

// Seam is two casts that differ in the place of the eye alone, or in the point of the
// body alone, and are neighbours.
type Seam struct{ A, B uint8 }

// eyeEdges and bodyEdges are which places and points are neighbours.
var (
	eyeEdges = [...][2]uint8{
		{Left, HalfLeft}, {HalfLeft, Ahead}, {Right, HalfRight}, {HalfRight, Ahead}, {Left, Ahead}, {Right, Ahead},
		{Ahead, Above}, {Ahead, Below}, {Ahead, Near}, {Ahead, Back},
	}
	bodyEdges = [...][2]uint8{
		{LeftLow, LeftMid}, {LeftMid, LeftTop}, {RightLow, RightMid}, {RightMid, RightTop}, {LeftTop, Head}, {Head, RightTop},
		{LeftMid, Chest}, {Chest, RightMid}, {LeftLow, Foot}, {Foot, RightLow}, {Head, Chest}, {Chest, Foot},
	}
)

// Seams returns the neighbours among casts.
func Seams(casts []Cast) (out []Seam) {
	find := func(c Cast) int {
		for i := range casts {
			if casts[i] == c {
				return i
			}
		}
		return -1
	}
	for i, c := range casts {
		if i > 255 {
			break
		}
		for _, e := range eyeEdges {
			to := c
			if to.From = e[1]; c.From != e[0] {
				continue
			}
			// Not across a place that lies between and is looked from.
			half := c
			switch {
			case e == [2]uint8{Left, Ahead}:
				half.From = HalfLeft
			case e == [2]uint8{Right, Ahead}:
				half.From = HalfRight
			}
			if half != c && find(half) >= 0 {
				continue
			}
			if k := find(to); k >= 0 && k < 256 {
				out = append(out, Seam{uint8(i), uint8(k)})
			}
		}
		for _, e := range bodyEdges {
			to := c
			if to.Point = e[1]; c.Point != e[0] {
				continue
			}
			if k := find(to); k >= 0 && k < 256 {
				out = append(out, Seam{uint8(i), uint8(k)})
			}
		}
	}
	return out
}

// seamDepth is how often a seam is halved: judgement, by what is found and what it
// costs. Between two places of an eye that are half a metre apart it leaves 8 mm. Where
// one of the two solids blocks what is half way, half of the seam is done without a ray.
const seamDepth = 6

// SeamSetting is the setting of policies that look between their casts.
func SeamSetting() vis.Setting {
	return vis.Setting{Name: "seam_rays", Default: 10, Min: 0, Max: 64, Unit: "rays",
		Help: "How many more lines a hidden pair may take in a tick, half way between two that different solids block: whoever is seen through a slit is found there. Cost: a fifth more rays; 0 has none."}
}

// sample is a line that something blocks.
type sample struct {
	eye, to vec.V3
	by      trace.Occluder
}

// seams looks between casts that are all blocked, beginning with one of them, and
// returns between which a line is clear, -1 for none.
func (l *Look) seams(start, rays int, by []trace.Occluder, out *vis.Answer, limit int) int {
	limit = min(limit, out.Rays+rays)
	for i := range l.Seams {
		k := (i + start) % len(l.Seams)
		m := l.Seams[k]
		a, b := l.Casts[m.A], l.Casts[m.B]
		x := sample{l.Eyes[a.Eye].to[a.From], l.target(a), by[m.A]}
		y := sample{l.Eyes[b.Eye].to[b.From], l.target(b), by[m.B]}
		if l.between(l.body[a.Body].sight, &l.Eyes[a.Eye], &x, &y, seamDepth, out, limit) {
			return k
		}
		if out.Rays >= limit {
			break
		}
	}
	return -1
}

// between reports whether a line between two that are blocked is clear.
func (l *Look) between(s *vis.Sight, eye *Reach, a, b *sample, depth int, out *vis.Answer, limit int) bool {
	if a.by == b.by || s.Hides(a.by, b.eye, b.to) || s.Hides(b.by, a.eye, a.to) {
		return false
	}
	m := sample{a.eye.Lerp(b.eye, 0.5), a.to.Lerp(b.to, 0.5), a.by}
	switch {
	case s.Hides(a.by, m.eye, m.to):
	case s.Hides(b.by, m.eye, m.to):
		m.by = b.by
	default:
		if s.Smoky(m.eye, m.to) || out.Rays+2 > limit {
			return false
		}
		out.Rays++
		what, blocked := s.Occluded(m.eye, m.to)
		if !blocked {
			// Only if the eye gets there.
			out.Rays++
			return m.eye == eye.from || s.Free(eye.from, m.eye) == m.eye
		}
		m.by = what
	}
	if depth <= 1 {
		return false
	}
	return l.between(s, eye, a, &m, depth-1, out, limit) || l.between(s, eye, &m, b, depth-1, out, limit)
}
