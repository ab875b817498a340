package scenario

import (
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
)

// pieces returns how many pieces a scene can name.
func (c *checker) pieces() (n int) {
	if c.f.Map != "" {
		return mostRows
	}
	for i := range c.f.Slab {
		if c.f.Slab[i].Piece {
			n++
		}
	}
	return n
}

// pieceStates plays the pieces: each is broken, or mended, from the tick of its event
// on.
func (s *Scene) pieceStates() [][]state.Piece {
	now := make([]state.Piece, len(s.level.Pieces))
	var out [][]state.Piece
	for k := -s.warmTicks(); k <= s.ticks(); k++ {
		for i := range s.events {
			if e := &s.events[i]; e.Kind == "break" && e.tick == k && e.Piece < len(now) {
				now[e.Piece] = state.Piece{Broken: !e.Open, At: base + state.Tick(k)}
			}
		}
		out = append(out, slices.Clone(now))
	}
	return out
}

// poseBreaks puts the pieces where they truly are at a time.
func (s *Scene) poseBreaks(tick state.Tick, poses []level.Pose) {
	i := min(max(int(int32(tick-base))+s.warmTicks(), 0), len(s.broken)-1)
	scenery.Breaks(s.level, s.broken[i], tick, poses)
}
