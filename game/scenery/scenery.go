// Package scenery is what moves or changes in a level: doors, sliding and hinged,
// lifts and clouds of smoke.
// A mover's place is a pure function of its definition (level.Door), its state
// (state.DoorState) and the tick, so the server, the predicting client, the
// picture and lag compensation agree by construction.
//
// Nothing here allocates per call or keeps state of its own; any goroutine may
// use it on data that it owns.
package scenery

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Frac returns how open a door is at a tick, 0 closed to 1 fully open.
// frac256 (0..255) adds a fraction of a tick, for the shown timeline. It is 0 when the
// door is fully closed, and only then.
func Frac(d *level.Door, s state.DoorState, tick state.Tick, frac256 uint8, tickRate int) float32 {
	if d.Hinged() {
		return hingedFrac(d, s, tick, frac256, tickRate)
	}
	if d.Speed >= 0 && s.From == 0 && !s.Open {
		return 0 // at rest, as nearly all are
	}
	from := float32(s.From) / 65535
	if dt := int32(tick - s.Start); dt > 0 && tickRate > 0 && d.Speed >= 0 {
		// Long since there: so far beyond that no rounding matters.
		far := d.Move.LenSq()
		if way := float32(float32(float32(min(dt, 1<<20))/float32(tickRate)) * d.Speed); far > 0 && float32(way*way) > float32(far*1.01) {
			if s.Open {
				return 1
			}
			return 0
		}
	}
	length := d.Move.Len()
	if length == 0 || tickRate <= 0 {
		return 0
	}
	dt := int32(tick - s.Start)
	if dt < 0 {
		return from
	}
	dt = min(dt, 1<<20)
	elapsed := (float32(dt) + float32(float32(frac256)/256)) / float32(tickRate)
	move := float32(elapsed*d.Speed) / length
	if s.Open {
		return vec.Clamp(from+move, 0, 1)
	}
	return vec.Clamp(from-move, 0, 1)
}

// Offset returns how far the model of a door that slides is from its closed place.
func Offset(d *level.Door, s state.DoorState, tick state.Tick, frac256 uint8, tickRate int) vec.V3 {
	return d.Move.Scale(Frac(d, s, tick, frac256, tickRate))
}

// Closed reports whether the door is fully closed, the only state in which it
// blocks sight.
func Closed(d *level.Door, s state.DoorState, tick state.Tick, tickRate int) bool {
	return Frac(d, s, tick, 0, tickRate) == 0
}

// Turn returns the state of a door that is told at tick to go the other way.
func Turn(d *level.Door, s state.DoorState, open bool, tick state.Tick, tickRate int) state.DoorState {
	if s.Open == open {
		return s
	}
	to := Close
	if open {
		to = Open
	}
	return Between(d, s, to, Other(d, s), Frac(d, s, tick, 0, tickRate), tick)
}

// Poses fills poses (one per level model, the world's included) with where each mover
// is at a tick. len(poses) must be len(l.Models); models that are no door stay as they
// are.
func Poses(l *level.Level, doors []state.DoorState, tick state.Tick, frac256 uint8, tickRate int, poses []level.Pose) {
	for i := range l.Doors {
		if i >= len(doors) {
			return
		}
		d := &l.Doors[i]
		if d.Model > 0 && d.Model < len(poses) {
			poses[d.Model] = Pose(d, doors[i], tick, frac256, tickRate)
		}
	}
}
