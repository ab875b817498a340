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
	at    []vec.Box
	order []int32   // by Min.X
	boxes []vec.Box // in that order
	wide  float32   // the widest along that axis
	large float32   // the longest from corner to corner
	found []uint64
	walks []walk // by the id of the player whose eye it is
}

// walk is what doors there are around somebody who has not gone far since it was made
// out: those that can be in range until then, by ascending index.
type walk struct {
	known    bool
	r        float32
	eye, pos vec.V3
	doors    []walkDoor
}

// walkDoor is one of them; what is certain of it need not be measured.
type walkDoor struct {
	index int32
	edge  bool // it may come out of range
	near  bool // it may be at hand
}

const (
	walkFar = 6           // metres for which a walk is good
	walkPad = walkFar + 1 // and the rounding
)

// take takes where doors are.
func (d *doorField) take(at []vec.Box) {
	if slices.Equal(d.at, at) {
		return
	}
	d.at, d.order, d.boxes, d.wide, d.large = append(d.at[:0], at...), d.order[:0], d.boxes[:0], 0, 0
	for i := range at {
		d.order = append(d.order, int32(i))
		d.wide, d.large = max(d.wide, at[i].Max.X-at[i].Min.X), max(d.large, at[i].Size().Len())
	}
	slices.SortStableFunc(d.order, func(a, b int32) int { return cmp.Compare(at[a].Min.X, at[b].Min.X) })
	for _, i := range d.order {
		d.boxes = append(d.boxes, at[i])
	}
	clear(d.walks)
}

// around returns the doors around a player's eye, and around the place pos that may be
// another player's. It stays valid until the next call.
func (d *doorField) around(id state.ID, eye, pos vec.V3, r float32) []walkDoor {
	if n := int(id) + 1 - len(d.walks); n > 0 {
		d.walks = append(d.walks, make([]walk, n)...)
	}
	w := &d.walks[id]
	if w.known && w.r == r && w.eye.DistSq(eye) <= walkFar*walkFar && w.pos.DistSq(pos) <= walkFar*walkFar {
		return w.doors
	}
	w.known, w.r, w.eye, w.pos, w.doors = eye.IsFinite() && pos.IsFinite(), r, eye, pos, w.doors[:0]
	for k, word := range d.within(eye, r+walkPad, &Sector{}) {
		for ; word != 0; word &= word - 1 {
			i := k*64 + bits.TrailingZeros64(word)
			w.doors = append(w.doors, walkDoor{int32(i), d.at[i].Dist(eye) > r-walkPad, d.at[i].Dist(pos) < doorReach+walkPad})
		}
	}
	return w.doors
}

// isBeyond reports whether a door is farther than r metres from a place.
func isBeyond(box *vec.Box, p vec.V3, r float32) bool {
	return box.Min.X-p.X > r || box.Min.Y-p.Y > r || p.Y-box.Max.Y > r || p.X-box.Max.X > r || box.Dist(p) > r
}

// within returns a bit for each door that is at most r metres from a place, or in a cone;
// the zero Sector is none. It stays valid until the next call.
func (d *doorField) within(p vec.V3, r float32, cone *Sector) []uint64 {
	d.found = sized(d.found, (len(d.at)+63)/64)
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
		if isBeyond(box, p, r) && !(scoped && cone.HoldsBox(*box)) {
			continue
		}
		i := d.order[k]
		d.found[i/64] |= 1 << (i % 64)
	}
	return d.found
}

// nearDoors tells of the doors within range of an eye, or in the cone of its optic; at is
// where the player stands.
func (b *builder) nearDoors(out *View, at, eye vec.V3) {
	f := b.f
	if len(f.field.at) != len(f.DoorAt) {
		f.field.take(f.DoorAt) // filled in after the first View of the tick
	}
	if id := b.in.Subjects[b.me].ID; b.cone.Magnification == 0 && id.IsPlayer() {
		for _, d := range f.field.around(id, eye, at, f.DoorRange) {
			box := &f.DoorAt[d.index]
			if !(d.edge && isBeyond(box, eye, f.DoorRange)) {
				out.doors = append(out.doors, DoorSeen{Index: int(d.index), State: f.Doors[d.index], Near: d.near && atDoor(box, at)})
			}
		}
		return
	}
	for w, word := range f.field.within(eye, f.DoorRange, &b.cone) {
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
