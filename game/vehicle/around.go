package vehicle

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// World is what is collided with: trace.Scene, trace.Near, or an Around.
type World interface {
	Box(start, end vec.V3, box vec.Box, mask level.Mask) level.Hit
	Contents(p vec.V3) level.Contents
}

// skin is how far a sweep ends before what it meets, in metres.
const skin = 1.0 / 512

// Around is a World with the boxes of vehicles in it, for who walks. It keeps its
// memory; the zero Around needs a World.
type Around struct {
	World World
	boxes []vec.Box
}

// Reset takes all vehicles out and sets the world.
func (a *Around) Reset(w World) { a.World, a.boxes = w, a.boxes[:0] }

// Empty reports whether no vehicle is in it.
func (a *Around) Empty() bool { return len(a.boxes) == 0 }

// Put adds a vehicle, unless the body is inside it already: who is must be able to
// walk out.
func (a *Around) Put(c *state.Car, t *tables.Vehicle, body vec.Box) {
	boxes := Boxes(c, t)
	for i := range boxes {
		if boxes[i].Overlaps(body) {
			return
		}
	}
	a.boxes = append(a.boxes, boxes[:]...)
}

// Solid returns the Car as it stops who walks: on the grid on which others are told
// of it, so that a client that knows of it has the same.
func Solid(pos state.Q, yaw state.Angle16) state.Car {
	g := state.GridOf(state.Near)
	return state.Car{
		Pos: state.RoundQ(pos, g.Place).V3(),
		Yaw: state.Angle16(state.Round(int32(yaw), g.Angle) << g.Angle),
	}
}

// Box sweeps a box through the world and the vehicles.
func (a *Around) Box(start, end vec.V3, box vec.Box, mask level.Mask) level.Hit {
	hit := a.World.Box(start, end, box, mask)
	for i := range a.boxes {
		b := &a.boxes[i]
		// The box's point against the other grown by it.
		grown := vec.Box{Min: b.Min.Sub(box.Max), Max: b.Max.Sub(box.Min)}
		f, n, in, ok := enter(&grown, start, end)
		switch {
		case in:
			hit.StartSolid = true
			if hit.Model < 0 {
				hit.Model = 0
			}
			if end == start || within(&grown, end) {
				hit.AllSolid, hit.Frac, hit.End = true, 0, start
			}
		case ok && f < hit.Frac:
			hit.Frac, hit.Normal, hit.End = f, n, start.Lerp(end, f)
			hit.Model, hit.Surf, hit.Contents = 0, 0, level.Solid
		}
	}
	return hit
}

// Contents says what fills a point; vehicles fill nothing.
func (a *Around) Contents(p vec.V3) level.Contents { return a.World.Contents(p) }

// enter returns where the way from a to b enters a box, a skin before it, and whether
// it begins strictly inside.
func enter(b *vec.Box, from, to vec.V3) (frac float32, normal vec.V3, inside, ok bool) {
	if within(b, from) {
		return 0, vec.V3{}, true, false
	}
	d := to.Sub(from)
	in, out := float32(0), float32(1)
	axis, sign := -1, float32(0)
	for i := range 3 {
		at, v := from.At(i), d.At(i)
		lo, hi := b.Min.At(i), b.Max.At(i)
		if v == 0 {
			if at <= lo || at >= hi {
				return 1, vec.V3{}, false, false
			}
			continue
		}
		near, far, s := lo, hi, float32(-1)
		if v < 0 {
			near, far, s = hi, lo, 1
		}
		t0, t1 := (near-at)/v, (far-at)/v
		out = min(out, t1)
		if t0 < 0 && t1 <= 0 {
			return 1, vec.V3{}, false, false
		}
		if gap := float32(s * (at - near)); gap >= 0 && t0 >= in-1e-6 {
			// The plane that is crossed last; its skin is taken off the way.
			back := (near + float32(s*skin) - at) / v
			in, axis, sign = max(t0, in), i, s
			frac = max(back, 0)
		}
	}
	if axis < 0 || in > out || in > 1 {
		return 1, vec.V3{}, false, false
	}
	return frac, vec.V3{}.With(axis, sign), false, true
}

// within reports whether a point is inside a box, its faces excepted.
func within(b *vec.Box, p vec.V3) bool {
	return p.X > b.Min.X && p.X < b.Max.X && p.Y > b.Min.Y && p.Y < b.Max.Y && p.Z > b.Min.Z && p.Z < b.Max.Z
}
