package wire

import "github.com/sightline-engine/sightline/game/state"

// MaxPath is how many earlier places a full record may carry.
const MaxPath = 7

// Path codes the way that a subject came by before its full record, newest first,
// state.PathGap ticks between two places. Only place and velocity count, in the
// steps of the record's detail; the rest of a body is as in the record. A place is
// coded against where an even acceleration would have come from. Reading appends to
// path and returns it.
func (c *Coder) Path(path []state.Body, now *Rec, tickRate int) []state.Body {
	n := int(c.num(mFirst, 13, "earlier places, newest first", uint32(len(path)), 0))
	if n > MaxPath {
		c.Fail(ErrRange)
		return path
	}
	if c.text != nil {
		n = 1
	}
	next := now.Ent.Body()
	g := state.GridOf(now.Detail)
	dt := int64(state.PathGap(tickRate))
	det := finest(now.Detail)
	for i := range n {
		b := next
		if !c.reading() && i < len(path) {
			b.Pos, b.Vel = path[i].Pos, path[i].Vel
		}
		speed := func(ctx int, name string, v, from int32) int32 {
			return (from>>g.Velocity + c.off(mPathV, det*2+ctx, name, v>>g.Velocity-from>>g.Velocity, 2)) << g.Velocity
		}
		c.group("velocity")
		b.Vel.X = speed(0, "x", b.Vel.X, next.Vel.X)
		b.Vel.Y = speed(0, "y", b.Vel.Y, next.Vel.Y)
		b.Vel.Z = speed(1, "z", b.Vel.Z, next.Vel.Z)
		c.done()
		place := func(name string, v, p, was, is int32) int32 {
			at := state.Round(p-int32((int64(was)+int64(is))*dt/int64(2*max(tickRate, 1))), g.Place)
			return (at + c.off(mPath, det*2+min(i, 1), name, v>>g.Place-at, 2)) << g.Place
		}
		c.group("place")
		b.Pos.X = place("x", b.Pos.X, next.Pos.X, b.Vel.X, next.Vel.X)
		b.Pos.Y = place("y", b.Pos.Y, next.Pos.Y, b.Vel.Y, next.Vel.Y)
		b.Pos.Z = place("z", b.Pos.Z, next.Pos.Z, b.Vel.Z, next.Vel.Z)
		c.done()
		if c.reading() && c.Err() == nil {
			path = append(path, b)
		}
		next = b
	}
	return path
}
