package state

import "github.com/sightline-engine/sightline/game/vec"

// Smoke is a cloud: an opaque ball that grows, stays, thins and goes. How large and
// how dense it is at a tick follows from this alone: see game/scenery.
type Smoke struct {
	ID     ID
	Start  Tick
	Pos    vec.V3 // its middle, on the grid of Q
	Radius uint16 // when grown, 1/256 m
}

// Hole is where a burst has blown a cloud away.
type Hole struct {
	ID     ID
	Smoke  ID // the cloud
	Start  Tick
	Pos    vec.V3 // its middle, on the grid of Q
	Radius uint16 // 1/256 m
}

// Entity returns what others are sent of a cloud: beside its place, its radius as
// the yaw and its beginning as the stride.
func (s *Smoke) Entity() Entity {
	return Entity{ID: s.ID, Kind: KindSmoke, Pos: Quant(s.Pos), Yaw: Angle16(s.Radius), Stride: uint16(s.Start)}
}

// SmokeOf returns the cloud that an Entity is of, seen at a tick less than half of 65536
// after its beginning.
func SmokeOf(e *Entity, now Tick) Smoke {
	return Smoke{ID: e.ID, Pos: e.Pos.V3(), Radius: uint16(e.Yaw), Start: startOf(e.Stride, now)}
}

// Entity returns what others are sent of a hole: as of a cloud, and the beginning of
// the cloud as the pitch. The id of that is the server's own and nobody is told of it.
func (h *Hole) Entity(of Tick) Entity {
	return Entity{ID: h.ID, Kind: KindHole, Pos: Quant(h.Pos), Yaw: Angle16(h.Radius), Stride: uint16(h.Start), Pitch: Angle16(of)}
}

// HoleOf returns the hole that an Entity is of, at a tick, in one of some clouds; its
// Smoke is 0 when none of them began when the hole's did.
func HoleOf(e *Entity, now Tick, smokes []Smoke) Hole {
	h := Hole{ID: e.ID, Pos: e.Pos.V3(), Radius: uint16(e.Yaw), Start: startOf(e.Stride, now)}
	best := float32(0)
	for i := range smokes {
		s := &smokes[i]
		if d := s.Pos.DistSq(h.Pos); uint16(s.Start) == uint16(e.Pitch) && (h.Smoke == 0 || d < best) {
			h.Smoke, best = s.ID, d
		}
	}
	return h
}

// startOf returns the tick nearest to now with the lower bits low.
func startOf(low uint16, now Tick) Tick { return now + Tick(int32(int16(low-uint16(now)))) }
