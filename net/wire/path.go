package wire

import "github.com/sightline-engine/sightline/game/state"

// MaxPath is how many earlier places a full record may carry.
const MaxPath = 7

// Path codes the way that a subject came by before its full record, newest first,
// state.PathGap ticks between two places. Only place and velocity count; the rest of a
// body is as in the record. A place is coded against where an even acceleration
// would have come from. Reading appends to path and returns it.
func (c *Coder) Path(path []state.Body, e *state.Entity, tickRate int) []state.Body {
	n := c.count("earlier places, newest first", len(path), MaxPath, 3)
	next := e.Body()
	dt := int64(state.PathGap(tickRate))
	for i := range n {
		b := next
		if c.r == nil && i < len(path) {
			b.Pos, b.Vel = path[i].Pos, path[i].Vel
		}
		if c.has("velocity", b.Vel != next.Vel) {
			c.step("velocity", &b.Vel, next.Vel, 7, 7)
			c.done()
		}
		came := func(p, v, w int32) int32 {
			return p - int32((int64(v)+int64(w))*dt/int64(2*max(tickRate, 1)))
		}
		at := state.Q{
			X: came(next.Pos.X, next.Vel.X, b.Vel.X), Y: came(next.Pos.Y, next.Vel.Y, b.Vel.Y), Z: came(next.Pos.Z, next.Vel.Z, b.Vel.Z),
		}
		if c.r != nil {
			b.Pos = at
		}
		if c.has("place", b.Pos != at) {
			c.step("place", &b.Pos, at, 3, 3)
			c.done()
		}
		if c.r != nil {
			path = append(path, b)
		}
		next = b
	}
	c.done()
	return path
}
