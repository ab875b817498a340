package scenery

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// A hinged door has two things more to say than a sliding one: whether it stops ajar,
// and, of one that swings both ways, to which side. Both are in the two lowest bits
// of state.DoorState.From; the rest of it is how open the door was. So the state is of
// the same size on every wire and in every history.
const (
	ajarBit = 1 // it goes to level.Door.Ajar, and not to open or closed
	sideBit = 2 // it is on the other side
	fromMax = 65535 >> 2
)

// Goal is where a door is going.
type Goal uint8

// The goals.
const (
	Close Goal = iota
	Open
	Ajar // of a hinged door; of another as Open
)

// GoalOf returns where a door is going.
func GoalOf(d *level.Door, s state.DoorState) Goal {
	switch {
	case d.Hinged() && s.From&ajarBit != 0:
		return Ajar
	case s.Open:
		return Open
	}
	return Close
}

// Other reports whether a door that swings both ways is on its other side.
func Other(d *level.Door, s state.DoorState) bool { return d.Both && s.From&sideBit != 0 }

// goalFrac is how open a door is at its goal.
func goalFrac(d *level.Door, s state.DoorState) float32 {
	switch GoalOf(d, s) {
	case Ajar:
		return vec.Clamp(d.Ajar/vec.Abs(d.Swing), 0, 1)
	case Open:
		return 1
	}
	return 0
}

// hingedFrac is Frac of a hinged door: from where it was it goes to its goal.
func hingedFrac(d *level.Door, s state.DoorState, tick state.Tick, frac256 uint8, tickRate int) float32 {
	from := float32(s.From>>2) / fromMax
	dt := int32(tick - s.Start)
	if dt < 0 || tickRate <= 0 {
		return from
	}
	goal := goalFrac(d, s)
	if from == goal {
		return goal
	}
	dt = min(dt, 1<<20)
	elapsed := (float32(dt) + float32(float32(frac256)/256)) / float32(tickRate)
	way := float32(elapsed*max(d.Speed, 0)) / vec.Abs(d.Swing)
	if from < goal {
		return min(from+way, goal)
	}
	return max(from-way, goal)
}

// Send returns the state of a door that is told at tick to go somewhere. other is the
// side of one that swings both ways; it counts while the door is closed, and otherwise
// it stays on its side.
func Send(d *level.Door, s state.DoorState, to Goal, other bool, tick state.Tick, tickRate int) state.DoorState {
	if !d.Hinged() {
		return Turn(d, s, to != Close, tick, tickRate)
	}
	if GoalOf(d, s) == to {
		return s
	}
	return Between(d, s, to, other, Frac(d, s, tick, 0, tickRate), tick)
}

// Between returns the state of a door that goes somewhere from where it is open by f.
func Between(d *level.Door, s state.DoorState, to Goal, other bool, f float32, tick state.Tick) state.DoorState {
	f = vec.Clamp(f, 0, 1)
	if !d.Hinged() {
		return state.DoorState{Open: to != Close, Start: tick, From: uint16(vec.Floor(float32(f*65535) + 0.5))}
	}
	out := state.DoorState{Open: to != Close, Start: tick, From: uint16(vec.Floor(float32(f*fromMax)+0.5)) << 2}
	if out.From == 0 && f > 0 {
		out.From = 1 << 2 // ajar by a hair is not closed
	}
	if to == Ajar {
		out.From |= ajarBit
	}
	if out.From>>2 != 0 {
		other = Other(d, s)
	}
	if d.Both && other {
		out.From |= sideBit
	}
	return out
}

// Rest returns the state of a door that has always been where it rests.
func Rest(d *level.Door, tick state.Tick) state.DoorState {
	s := state.DoorState{Start: tick}
	if d.StartOpen {
		s = Between(d, s, Open, false, 1, tick)
	}
	return s
}

// Pose returns where a door's model is.
func Pose(d *level.Door, s state.DoorState, tick state.Tick, frac256 uint8, tickRate int) level.Pose {
	f := Frac(d, s, tick, frac256, tickRate)
	if d.Hinged() && Other(d, s) {
		f = 0 - f
	}
	return d.Pose(f)
}
