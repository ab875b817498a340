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
	r        float32
	eye, pos vec.V3
	doors    []walkDoor
	unsure   []int32 // those of which anything is not certain

	turn           uint32 // of the states in seen; 0: it is to be made
	lastEye, lastP vec.V3 // for which the unsure were measured last
	seen           []DoorSeen
	made           uint32 // how often seen was made anew
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

// grow makes room for the walks of all players up to an id.
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
	if w.turn != d.turn || w.lastEye != eye || w.lastP != pos {
		w.measure(d, eye, pos)
	}
	return w
}

// begin makes out which doors a walk is among.
func (d *doorField) begin(w *walk, eye, pos vec.V3, r float32, found *[]uint64) {
	w.known, w.r, w.eye, w.pos, w.turn = eye.IsFinite() && pos.IsFinite(), r, eye, pos, 0
	w.doors, w.unsure = w.doors[:0], w.unsure[:0]
	for k, word := range d.within(eye, r+walkPad, &Sector{}, found) {
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
	w.turn, w.lastEye, w.lastP = d.turn, eye, pos
	for _, k := range w.unsure {
		x := &w.doors[k]
		box := &d.at[x.index]
		in, hand := !(x.edge && isBeyond(box, eye, w.r)), x.near && atDoor(box, pos)
		if in != x.in || hand != x.hand {
			x.in, x.hand, same = in, hand, false
		}
	}
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

// within returns a bit for each door that is at most r metres from a place, or in a cone;
// the zero Sector is none. It stays valid as long as found does.
func (d *doorField) within(p vec.V3, r float32, cone *Sector, found *[]uint64) []uint64 {
	*found = sized(*found, (len(d.at)+63)/64)
	const slack = 1 // metre, for rounding: each door is measured
	lo, hi := p.X-r-d.wide-slack, p.X+r+slack
	scoped := cone.Magnification > 0
	if scoped {
		from, to := cone.across()
		lo, hi = min(lo, from-d.large-d.wide-slack), max(hi, to+d.large+slack)
	}
	from, _ := slices.BinarySearchFunc(d.boxes, lo, func(b vec.Box, x float32) int { return cmp.Compare(b.Min.X, x) })
	for k := from; k < len(d.boxes); k++ {
		box := &d.boxes[k]
		if box.Min.X > hi {
			break
		}
		if isBeyond(box, p, r) && !(scoped && cone.holds(d.middle[k], d.reach[k])) {
			continue
		}
		i := d.order[k]
		(*found)[i/64] |= 1 << (i % 64)
	}
	return *found
}

// nearDoors tells of the doors within range of an eye, or in the cone of its optic; at is
// where the player stands.
func (b *builder) nearDoors(out *View, at, eye vec.V3) {
	f := b.f
	if len(f.field.at) != len(f.DoorAt) {
		f.field.take(f.DoorAt, f.Doors) // filled in after the first View of the tick
	}
	if id := b.in.Subjects[b.me].ID; b.cone.Magnification == 0 && id.IsPlayer() {
		w := f.field.around(id, eye, at, f.DoorRange, &b.found)
		if of := (doorsOf{&f.field, id, w.made}); out.doored != of {
			out.doors, out.doored = append(out.doors[:0], w.seen...), of
		}
		return
	}
	out.doors, out.doored = out.doors[:0], doorsOf{}
	for w, word := range f.field.within(eye, f.DoorRange, &b.cone, &b.found) {
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
