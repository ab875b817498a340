package kit

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// The points of a body that a Look looks at. Left and right are the edges that it
// shows to the viewer: the corners of its box across the line.
const (
	Head = iota
	Chest
	Foot
	LeftLow
	LeftMid
	LeftTop
	RightLow
	RightMid
	RightTop
	NumPoints
)

// Limits of a Look.
const (
	MaxReaches = 3
	MaxBodies  = 3
	MaxCasts   = 64
)

// Cast is one line of a Look: from a place that an eye can reach to a point of a
// body.
type Cast struct {
	Eye   uint8 // which Reach
	From  uint8 // place of it
	Body  uint8 // which body
	Move  uint8 // place that the body can reach, Here where it is given
	Point uint8
}

// reason is what a clear Cast is reported as.
func (c Cast) reason() vis.Reason {
	switch {
	case c.From != Here || c.Move != Here:
		return vis.Predicted
	case c.Point == Head:
		return vis.EyeEye
	case c.Point == Chest:
		return vis.EyeChest
	}
	return vis.Body
}

// Look is what there is between a viewer's eye and a body: where the eye can be,
// the bodies that are looked for, and the lines between them.
type Look struct {
	Eyes  [MaxReaches]Reach
	Move  Reach  // of the body
	Casts []Cast // the likeliest first; what is beyond MaxCasts is left out
	Seams []Seam // of Casts: between which it is looked once more when all are blocked

	body [MaxBodies]body
	last trace.Occluder // that was found
}

// room is which places nothing stands before, as was found at a tick.
type room struct {
	eyes [MaxReaches]uint16
	move uint16
	at   state.Tick
}

// roomMS is for how long that is taken for granted. In this time somebody moves by
// less than a metre, which an extreme may then be wrong by, next to a wall.
const roomMS = 70

func (l *Look) know(r *room) {
	for i := range l.Eyes {
		l.Eyes[i].clipped |= r.eyes[i]
	}
	l.Move.clipped |= r.move
}

// common is the places that an eye can reach whoever is looked at, as far as they
// were looked up in this tick.
type common struct {
	known   [MaxReaches]uint16 // bit per place
	stopped [MaxReaches]uint16
	want    [MaxReaches][NumPlaces]vec.V3
	got     [MaxReaches][NumPlaces]vec.V3
}

const commonPlaces = 1<<Ahead | 1<<Above | 1<<Below

// borrow takes what is known of the common places.
func (l *Look) borrow(c *common) {
	for i := range l.Eyes {
		r := &l.Eyes[i]
		for left := c.known[i] &^ r.clipped; left != 0; left &= left - 1 {
			p := bits.TrailingZeros16(left)
			if c.want[i][p] != r.to[p] {
				continue
			}
			r.to[p] = c.got[i][p]
			r.clipped |= 1 << p
			r.stopped |= c.stopped[i] & (1 << p)
		}
	}
}

// lend gives what this test has looked up.
func (l *Look) lend(c *common) {
	for i := range l.Eyes {
		r := &l.Eyes[i]
		for left := r.asked & commonPlaces &^ c.known[i]; left != 0; left &= left - 1 {
			p := bits.TrailingZeros16(left)
			c.want[i][p], c.got[i][p] = r.want[p], r.to[p]
			c.known[i] |= 1 << p
			c.stopped[i] |= r.stopped & (1 << p)
		}
	}
}

// done keeps what was found in this test.
func (l *Look) done(r *room, c *common) {
	l.lend(c)
	l.learn(r)
}

// learn takes what was found in this test.
func (l *Look) learn(r *room) {
	for i := range l.Eyes {
		r.eyes[i] = l.Eyes[i].clipped &^ l.Eyes[i].stopped
	}
	r.move = l.Move.clipped &^ l.Move.stopped
}

type body struct {
	sight *vis.Sight
	point [NumPoints]vec.V3
}

// edge is how far inside its box a body's edge is looked for, metres: on the box
// itself a wall that it touches would hide it.
const edge = 0.02

// SetBody fills in a body at a place, seen with the sight lines of its time by
// somebody whose left is given.
func (l *Look) SetBody(i int, s *vis.Sight, at *Place, left vec.V3) {
	b := &l.body[i]
	b.sight = s
	low, top := at.Pos.Z+footUp, max(at.Box.Max.Z-edge, at.Eye.Z)
	mid := vec.Lerp(at.Chest.Z, at.Eye.Z, 0.5)
	b.point[Head], b.point[Chest] = at.Eye, at.Chest
	b.point[Foot] = vec.V3{X: at.Pos.X, Y: at.Pos.Y, Z: low}
	lx, rx := sides(at.Box.Min.X, at.Box.Max.X, left.X)
	ly, ry := sides(at.Box.Min.Y, at.Box.Max.Y, left.Y)
	for k, z := range [3]float32{low, mid, top} {
		b.point[LeftLow+k], b.point[RightLow+k] = vec.V3{X: lx, Y: ly, Z: z}, vec.V3{X: rx, Y: ry, Z: z}
	}
}

// sides returns the two ends of an interval, the left one first, and its middle
// twice when it lies along the line.
func sides(lo, hi, left float32) (l, r float32) {
	lo, hi = lo+edge, hi-edge
	switch {
	case left > 0.01:
		return hi, lo
	case left < -0.01:
		return lo, hi
	}
	mid := (lo + hi) / 2
	return mid, mid
}

// SetThing fills in a thing: its origin and the middle of its box.
func (l *Look) SetThing(i int, s *vis.Sight, at *Place) {
	b := &l.body[i]
	b.sight = s
	mid := at.Eye
	if !at.Box.IsEmpty() && at.Box != (vec.Box{}) {
		mid = at.Box.Center()
	}
	b.point[Head], b.point[Chest] = at.Eye, mid
}

// open reports whether a line is clear, and whether that is known: not when it would
// take more rays than the limit. by is what blocked it the last time and is renewed;
// alt is something else that might.
//
// A place that an eye or a body could reach is first taken as if nothing stopped it
// there. Wherever it is stopped in truth is on the way from where it is; so if one
// convex thing hides both ends of the way, it hides all that is between, and the
// world need not be asked how far the way leads.
func (l *Look) open(c Cast, by *trace.Occluder, alt trace.Occluder, out *vis.Answer, limit int) (open, known bool) {
	if l.hidden(c, *by) {
		return false, true
	}
	if alt != *by && l.hidden(c, alt) {
		*by = alt
		return false, true
	}
	if l.last != *by && l.last != alt && l.hidden(c, l.last) {
		*by = l.last
		return false, true
	}
	s := l.body[c.Body].sight
	eye := &l.Eyes[c.Eye]
	_, ec := eye.At(int(c.From))
	_, mc := l.Move.At(int(c.Move))
	if !ec || !mc {
		if out.Rays+2 > limit {
			return false, false
		}
		if !ec {
			eye.clip(s, int(c.From))
			out.Rays++
		}
		if !mc {
			l.Move.clip(s, int(c.Move))
			out.Rays++
		}
		if l.hidden(c, *by) {
			return false, true
		}
	}
	if s.Smoky(eye.to[c.From], l.target(c)) {
		return false, true
	}
	if out.Rays >= limit {
		return false, false
	}
	out.Rays++
	what, blocked := s.Occluded(eye.to[c.From], l.target(c))
	if blocked {
		*by, l.last = what, what
	}
	return !blocked, true
}

// target is where a Cast ends.
func (l *Look) target(c Cast) vec.V3 {
	p := l.body[c.Body].point[c.Point]
	if c.Move != Here {
		p = p.Add(l.Move.to[c.Move].Sub(l.Move.from))
	}
	return p
}

// hidden reports whether something hides a line, wherever the two ends of it are
// stopped.
func (l *Look) hidden(c Cast, by trace.Occluder) bool {
	s := l.body[c.Body].sight
	eye := &l.Eyes[c.Eye]
	a, b := eye.to[c.From], l.target(c)
	if !s.Hides(by, a, b) {
		return false
	}
	_, ec := eye.At(int(c.From))
	_, mc := l.Move.At(int(c.Move))
	if !ec && !s.Hides(by, eye.from, b) {
		return false
	}
	if mc {
		return true
	}
	p := l.body[c.Body].point[c.Point]
	return s.Hides(by, a, p) && (ec || s.Hides(by, eye.from, p))
}

// Between reports whether one solid hides all of a volume from all of another.
func Between(s *vis.Sight, by trace.Occluder, a, b vec.Box) bool {
	if !by.IsSolid() {
		return false
	}
	for i := range 8 {
		p := corner(a, i)
		for j := range 8 {
			if !s.Hides(by, p, corner(b, j)) {
				return false
			}
		}
	}
	return true
}

func corner(b vec.Box, i int) vec.V3 {
	p := b.Min
	if i&1 != 0 {
		p.X = b.Max.X
	}
	if i&2 != 0 {
		p.Y = b.Max.Y
	}
	if i&4 != 0 {
		p.Z = b.Max.Z
	}
	return p
}

// isLying reports whether a subject is a thing that does not move.
func isLying(s *vis.Subject) bool { return s.Kind != state.KindPlayer && s.Vel == vec.V3{} }
