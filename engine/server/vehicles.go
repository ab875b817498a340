package server

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/vec"
)

// AddVehicle puts a vehicle of a type of the tables down at a place, metres, to which
// it also comes back, and returns its number. The error says why it cannot be, in one
// sentence. Use it from Do.
func (s *Server) AddVehicle(kind uint8, pos vec.V3, yaw float32) (int, error) {
	w := s.match.sim
	types := &s.match.Tables.Vehicles
	if int(kind) >= len(types) {
		return 0, fmt.Errorf("there is no vehicle type %d", kind)
	}
	id, err := w.AddVehicle(types[kind].Name, pos, yaw)
	if err != nil {
		return 0, err
	}
	for i, other := range w.Vehicles(nil) {
		if other == id {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the vehicle is gone already")
}

// RemoveVehicle takes away the vehicle that has a number now, for good; who sits in it
// gets out. It reports whether there is one. Use it from Do.
func (s *Server) RemoveVehicle(n int) bool {
	ids := s.match.sim.Vehicles(nil)
	if n < 0 || n >= len(ids) {
		return false
	}
	return s.match.sim.Apply([]rules.Op{{Kind: rules.OpVehicle, ID: ids[n]}}) == 0
}

// Vehicles returns a line for each vehicle that is there: number, type, place in
// metres, heading, speed, health and
// how many sit in it. Use it from Do.
func (s *Server) Vehicles() []string {
	w := s.match.sim
	var out []string
	for i, id := range w.Vehicles(nil) {
		c, _ := w.Vehicle(id)
		about := w.VehicleInfo(id)
		line := fmt.Sprintf("%3d  %s at %.1f %.1f %.1f heading %.0f, %.1f m/s, %.0f health, %d aboard",
			i, s.match.Tables.Vehicles[about.Kind].Name, c.Pos.X, c.Pos.Y, c.Pos.Z, c.Yaw.Deg(), c.Vel.Len(), about.Health, about.Aboard)
		out = append(out, line)
	}
	if len(out) == 0 {
		out = []string{"there is no vehicle"}
	}
	return out
}
