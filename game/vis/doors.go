package vis

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// doorField finds the doors that are near a place, or in a cone, without asking each: in
// the order in which they come along the x axis. Doors stay where they are, so that it is
// made once for a level.
type doorField struct {
	at     []vec.Box
	order  []int32   // by Min.X
	boxes  []vec.Box // in that order
	middle []vec.V3  // of those
	reach  []float32 // from there to a corner, by which Sector.HoldsBox goes
	wide   float32   // the widest along that axis
	large  float32   // the longest from corner to corner
	walks  []walk    // by the id of the player whose eye it is
	states []state.DoorState
	turn   uint32 // counts changes of states; 0 is before any
}

// walk is what doors there are around somebody who has not gone far since it was made
// out: those that can be in range until then, by ascending index.
type walk struct {
	known    bool
	turn     uint32 // of the states in seen; 0: it is to be made
	made     uint32 // how often seen was made anew
	r        float32
	eye, pos vec.V3 // where the walk began
	// Where the unsure were measured last, and the square of how far both may have gone
	// since before any of them is another.
	lastEye, lastPos vec.V3
	slackSq          float32

	seen   []DoorSeen
	doors  []walkDoor
	unsure []int32 // those of which anything is not certain
}

// doorsOf says which walk's doors a View holds: what has not changed is not copied anew.
type doorsOf struct {
	field *doorField
	id    state.ID
	made  uint32 // 0: those of none
}

// walkDoor is one of them; what is certain of it need not be measured.
type walkDoor struct {
	index int32
	edge  bool // it may come out of range
	near  bool // it may be at hand
	in    bool // it is in range
	hand  bool // it is at hand
}

const (
	walkFar = 6           // metres for which a walk is good
	walkPad = walkFar + 1 // and the rounding
	walkEps = 0.02        // far more than the rounding of a distance, metres
)

// take takes where doors are, and how.
func (d *doorField) take(at []vec.Box, states []state.DoorState) {
	if d.turn == 0 || !slices.Equal(d.states, states) {
		d.states = append(d.states[:0], states...)
		d.turn = max(d.turn+1, 1)
	}
	if slices.Equal(d.at, at) {
		return
	}
	d.at, d.order, d.boxes, d.wide, d.large = append(d.at[:0], at...), d.order[:0], d.boxes[:0], 0, 0
	d.middle, d.reach = d.middle[:0], d.reach[:0]
	for i := range at {
		d.order = append(d.order, int32(i))
		d.wide, d.large = max(d.wide, at[i].Max.X-at[i].Min.X), max(d.large, at[i].Size().Len())
	}
	slices.SortStableFunc(d.order, func(a, b int32) int { return cmp.Compare(at[a].Min.X, at[b].Min.X) })
	for _, i := range d.order {
		d.boxes = append(d.boxes, at[i])
		d.middle, d.reach = append(d.middle, at[i].Center()), append(d.reach, at[i].Size().Len()/2)
	}
	for i := range d.walks {
		d.walks[i].known = false
	}
}

// grow makes room for the walks of all players up to an id: after Frame.Prepare there is.
func (d *doorField) grow(id state.ID) {
	if n := int(id) + 1 - len(d.walks); n > 0 {
		d.walks = append(d.walks, make([]walk, n)...)
	}
}

// around returns the walk of a player's eye, and of the place pos that may be another
// player's, with seen up to date: who moves about is measured against few doors. It stays
// valid until the next call for that player.
func (d *doorField) around(id state.ID, eye, pos vec.V3, r float32, found *[]uint64) *walk {
	d.grow(id)
	w := &d.walks[id]
	if !(w.known && w.r == r && w.eye.DistSq(eye) <= walkFar*walkFar && w.pos.DistSq(pos) <= walkFar*walkFar) {
		d.begin(w, eye, pos, r, found)
	}
	if w.turn != d.turn || !(w.lastEye.DistSq(eye) <= w.slackSq && w.lastPos.DistSq(pos) <= w.slackSq) {
		w.measure(d, eye, pos)
	}
	return w
}

// begin makes out which doors a walk is among.
func (d *doorField) begin(w *walk, eye, pos vec.V3, r float32, found *[]uint64) {
	w.known, w.r, w.eye, w.pos, w.turn = eye.IsFinite() && pos.IsFinite(), r, eye, pos, 0
	w.doors, w.unsure = w.doors[:0], w.unsure[:0]
	for k, word := range d.within(eye, r+walkPad, found) {
		for ; word != 0; word &= word - 1 {
			i := k*64 + bits.TrailingZeros64(word)
			x := walkDoor{index: int32(i), edge: d.at[i].Dist(eye) > r-walkPad, near: d.at[i].Dist(pos) < doorReach+walkPad, in: true}
			if x.edge || x.near {
				w.unsure = append(w.unsure, int32(len(w.doors)))
			}
			w.doors = append(w.doors, x)
		}
	}
}

// measure brings seen up to date.
func (w *walk) measure(d *doorField, eye, pos vec.V3) {
	same := w.turn == d.turn
	w.turn, w.lastEye, w.lastPos = d.turn, eye, pos
	slack := float32(walkFar)
	for _, k := range w.unsure {
		x := &w.doors[k]
		box := &d.at[x.index]
		in, hand := true, false
		if x.edge {
			in = !isBeyond(box, eye, w.r)
			slack = min(slack, vec.Abs(box.Dist(eye)-w.r))
		}
		if x.near {
			hand = atDoor(box, pos)
			slack = min(slack, vec.Abs(box.Dist(pos)-doorReach))
		}
		if in != x.in || hand != x.hand {
			x.in, x.hand, same = in, hand, false
		}
	}
	slack = max(slack-walkEps, 0)
	w.slackSq = float32(slack * slack)
	if same {
		return
	}
	w.seen, w.made = w.seen[:0], max(w.made+1, 1)
	for i := range w.doors {
		if x := &w.doors[i]; x.in {
			w.seen = append(w.seen, DoorSeen{Index: int(x.index), State: d.states[x.index], Near: x.hand})
		}
	}
}

// isBeyond reports whether a door is farther than r metres from a place.
func isBeyond(box *vec.Box, p vec.V3, r float32) bool {
	return box.Min.X-p.X > r || box.Min.Y-p.Y > r || p.Y-box.Max.Y > r || p.X-box.Max.X > r || box.Dist(p) > r
}

// within returns a bit for each door that is at most r metres from a place. It stays
// valid as long as found does.
func (d *doorField) within(p vec.V3, r float32, found *[]uint64) []uint64 {
	*found = sized(*found, (len(d.at)+63)/64)
	lo, hi := p.X-r-d.wide-doorSlack, p.X+r+doorSlack
	for k := d.first(lo); k < len(d.boxes) && !(d.boxes[k].Min.X > hi); k++ {
		if i := d.order[k]; !isBeyond(&d.boxes[k], p, r) {
			(*found)[i/64] |= 1 << (i % 64)
		}
	}
	return *found
}

// doorSlack is more than the rounding of where doors may be along the x axis, metres:
// each of those is measured.
const doorSlack = 1

// first returns the first door in the order that begins at x or beyond.
func (d *doorField) first(x float32) int {
	k, _ := slices.BinarySearchFunc(d.boxes, x, func(b vec.Box, x float32) int { return cmp.Compare(b.Min.X, x) })
	return k
}

// inCone adds a bit for each door that is in a cone or reaches into it.
func (d *doorField) inCone(c *Sector, found []uint64) {
	lo, hi := c.across()
	lo, hi = lo-d.large-d.wide-doorSlack, hi+d.large+doorSlack
	for k := d.first(lo); k < len(d.boxes) && !(d.boxes[k].Min.X > hi); k++ {
		// What holds computes, without a call for each: most are outside.
		m, wide := &d.middle[k], d.reach[k]
		x, y, z := m.X-c.Eye.X, m.Y-c.Eye.Y, m.Z-c.Eye.Z
		along := float32(x*c.Dir.X) + float32(y*c.Dir.Y) + float32(z*c.Dir.Z)
		if along < 0-wide-walkEps {
			continue
		}
		all := float32(x*x) + float32(y*y) + float32(z*z)
		across := float32(along*c.tan) + wide
		if all-float32(along*along) > float32(across*across) && along > 0 {
			continue
		}
		if i := d.order[k]; c.holds(*m, wide) {
			found[i/64] |= 1 << (i % 64)
		}
	}
}

// nearDoors tells of the doors within range of an eye, or in the cone of its optic; at is
// where the player stands.
func (b *builder) nearDoors(out *View, at, eye vec.V3) {
	f := b.f
	if len(f.field.at) != len(f.DoorAt) {
		f.field.take(f.DoorAt, f.Doors) // filled in after the first View of the tick
	}
	id := b.in.Subjects[b.me].ID
	scoped := b.cone.Magnification > 0
	if !id.IsPlayer() {
		b.doorsOf(out, f.field.within(eye, f.DoorRange, &b.found), scoped, at)
		return
	}
	w := f.field.around(id, eye, at, f.DoorRange, &b.found)
	if scoped {
		b.found = sized(b.found, (len(f.DoorAt)+63)/64)
		for i := range w.seen {
			k := w.seen[i].Index
			b.found[k/64] |= 1 << (k % 64)
		}
		b.doorsOf(out, b.found, true, at)
		return
	}
	if of := (doorsOf{&f.field, id, w.made}); out.doored != of {
		out.doors, out.doored = append(out.doors[:0], w.seen...), of
	}
}

// doorsOf tells of the doors of which found has a bit, and with scoped of those in the
// viewer's cone.
func (b *builder) doorsOf(out *View, found []uint64, scoped bool, at vec.V3) {
	f := b.f
	if scoped {
		f.field.inCone(&b.cone, found)
	}
	out.doors, out.doored = out.doors[:0], doorsOf{}
	for w, word := range found {
		for ; word != 0; word &= word - 1 {
			i := w*64 + bits.TrailingZeros64(word)
			out.doors = append(out.doors, DoorSeen{Index: i, State: f.Doors[i], Near: atDoor(&f.DoorAt[i], at)})
		}
	}
}

// atDoor reports whether somebody at p is within reach of a door.
func atDoor(box *vec.Box, p vec.V3) bool {
	return box.Min.X-p.X < doorReach && p.X-box.Max.X < doorReach && box.Dist(p) < doorReach
}
