package kit

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Spread returns a number by which the tests of a subject are spread over the ticks: a
// player's id, which everybody knows, and of a thing where it is. The ids of things are
// given out in turn in the whole world: by them it would show in when a thing comes
// into view, and goes, how many others there have been, seen by nobody.
func Spread(s *vis.Subject) state.Tick {
	if s.ID.IsPlayer() {
		return state.Tick(s.ID)
	}
	q := state.Quant(s.Pos)
	h := uint32(s.Kind)
	for _, v := range [...]int32{q.X, q.Y, q.Z} {
		h = (h ^ uint32(v)) * 0x01000193 // FNV's prime
	}
	return state.Tick(h>>16 ^ h)
}
