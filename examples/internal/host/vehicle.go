package host

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// vehiclesBack is sim.Config's VehiclesBackMS.
func (s *Settings) vehiclesBack() float32 {
	if v := s.VehiclesBack.Get(); v > 0 {
		return float32(v * 1000)
	}
	return -1
}

// vehicle puts vehicles down, takes them away, and lists them.
func (h *Host) vehicle(c *console.Call) error {
	words := map[string][2]int{"spawn": {4, 5}, "remove": {2, 2}, "list": {1, 1}}[c.Args[0]]
	if n := len(c.Args); words[0] == 0 || n < words[0] || n > words[1] {
		return fmt.Errorf("vehicle: write spawn X Y Z [YAW], remove NUMBER or list")
	}
	var do func(s *server.Server) ([]string, error)
	switch c.Args[0] {
	case "spawn":
		var v [4]float32
		for i, a := range c.Args[1:] {
			f, err := strconv.ParseFloat(a, 32)
			if err != nil || !(f > -30000 && f < 30000) {
				return fmt.Errorf("vehicle: %q is no number; give X Y Z in metres, as in vehicle spawn 12 -3 0.5", a)
			}
			v[i] = float32(f)
		}
		do = func(s *server.Server) ([]string, error) {
			n, err := s.AddVehicle(tables.Buggy, vec.V3{X: v[0], Y: v[1], Z: v[2]}, v[3])
			return []string{fmt.Sprintf("vehicle %d", n)}, err
		}
	case "remove":
		which, err := strconv.Atoi(c.Args[1])
		if err != nil || which < 0 {
			return fmt.Errorf("vehicle: %q is no number of a vehicle; vehicle list names them", c.Args[1])
		}
		do = func(s *server.Server) ([]string, error) {
			if !s.RemoveVehicle(which) {
				return nil, fmt.Errorf("there is no vehicle %d; vehicle list names them", which)
			}
			return nil, nil
		}
	default:
		do = func(s *server.Server) ([]string, error) { return s.Vehicles(), nil }
	}
	return h.printed(c, "vehicle", do)
}
