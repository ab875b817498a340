package vis

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sightline-engine/sightline/game/vec"
)

// doorField finds the doors that are near a place without asking each: in the order in
// which they come along the x axis. Doors stay where they are, so that it is made once
// for a level.
type doorField struct {
	at    []vec.Box
	order []int32 // by Min.X
	wide  float32 // the widest along that axis
	found []uint64
}

// take takes where doors are.
func (d *doorField) take(at []vec.Box) {
	if slices.Equal(d.at, at) {
		return
	}
	d.at, d.order, d.wide = append(d.at[:0], at...), d.order[:0], 0
	for i := range at {
		d.order = append(d.order, int32(i))
		d.wide = max(d.wide, at[i].Max.X-at[i].Min.X)
	}
	slices.SortStableFunc(d.order, func(a, b int32) int { return cmp.Compare(at[a].Min.X, at[b].Min.X) })
}

// within returns a bit for each door that is at most r metres from a place. It stays
// valid until the next call.
func (d *doorField) within(p vec.V3, r float32) []uint64 {
	d.found = sized(d.found, (len(d.at)+63)/64)
	const slack = 1 // metre, for rounding: each door is measured
	lo, hi := p.X-r-d.wide-slack, p.X+r+slack
	from, _ := slices.BinarySearchFunc(d.order, lo, func(i int32, x float32) int { return cmp.Compare(d.at[i].Min.X, x) })
	for _, i := range d.order[from:] {
		box := &d.at[i]
		if box.Min.X > hi {
			break
		}
		if box.Min.X-p.X > r || box.Min.Y-p.Y > r || p.Y-box.Max.Y > r || p.X-box.Max.X > r || box.Dist(p) > r {
			continue
		}
		d.found[i/64] |= 1 << (i % 64)
	}
	return d.found
}

// nearDoors tells of the doors within range of an eye; at is where the player stands.
func (b *builder) nearDoors(out *View, at, eye vec.V3) {
	f := b.f
	if len(f.field.at) != len(f.DoorAt) {
		f.field.take(f.DoorAt) // filled in after the first View of the tick
	}
	for w, word := range f.field.within(eye, f.DoorRange) {
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
