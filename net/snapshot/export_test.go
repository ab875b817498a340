package snapshot

import "github.com/sightline-engine/sightline/game/state"

// Number returns by which number the client knows a subject of the View.
func (e *Encoder) Number(id state.ID) int {
	if k := e.at[indexOf(id)]; k != 0 {
		return int(e.slots[k-1].no)
	}
	return -1
}

// Number returns by which number the server knows it.
func (it *Item) Number() int { return int(it.no) }
