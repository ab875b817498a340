package server

import "github.com/sightline-engine/sightline/game/rules"

// Door sends a door and its group somewhere: to is rules.DoorClosed, DoorOpen or
// DoorAjar. It returns false when there is no such door.
func (s *Server) Door(i int, to int32) bool {
	return s.match.sim.Apply([]rules.Op{{Kind: rules.OpDoor, Value: int32(i), Value2: to}}) == 0
}
