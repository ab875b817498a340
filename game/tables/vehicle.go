package tables

import "fmt"

// Vehicle types.
const (
	Buggy = iota
	NumVehicles
)

// Sizes of a vehicle's lists.
const (
	NumSeats = 4
	NumExits = 6
)

// Vehicle is one row of the vehicle table. Places are in metres from the point on
// the ground below its middle: X ahead, Y to the left, Z up.
type Vehicle struct {
	Name string

	// Driving.
	TopSpeed, ReverseSpeed float32 // m/s
	Accel, Brake, Coast    float32 // m/s²: of a full key, against the way, of no key
	Grip                   float32 // 1/s: how soon it stops to slide sideways
	TurnDeg                float32 // degrees a second at TurnSpeed and above
	TurnSpeed              float32 // m/s
	StepHeight             float32 // that its wheels climb

	// Body. For movement it is three upright boxes in a row along its heading, as wide
	// as they are long; for shots one box that turns with it, from HullLow to HullHigh.
	HalfLength, HalfWidth float32
	Height                float32 // of the boxes that stop it
	HullLow, HullHigh     float32

	Health                   float32
	SafeSpeed                float32 // from which on it hurts whom it hits, m/s
	RunOver                  float32 // damage per m/s above that
	BurstRadius, BurstDamage float32 // of its end, to those around it
	RiderDamage              float32 // and to those in it
	RespawnMS                float32 // from its end until it is back; 0: never
	UseReach                 float32 // from how far it can be got into
	Seats                    [NumSeats]Seat
	Exits                    [NumExits]Exit // in the order in which they are tried
}

// Seat is where somebody sits, who is as tall as somebody who crouches.
type Seat struct {
	X, Y, Z float32
	Fire    bool // weapons may be used
}

// Exit is where somebody gets out: the middle of the feet.
type Exit struct{ X, Y float32 }

// VehicleByName returns the type with a name.
func (s *Set) VehicleByName(name string) (int, bool) {
	for i := range s.Vehicles {
		if s.Vehicles[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// checkVehicle returns what is wrong with a row.
func checkVehicle(v *Vehicle) error {
	switch {
	case v.Name == "":
		return fmt.Errorf("a vehicle has no name")
	case v.HalfLength < v.HalfWidth:
		return fmt.Errorf("vehicle %q HalfLength %v is below HalfWidth %v", v.Name, v.HalfLength, v.HalfWidth)
	case v.HullHigh <= v.HullLow:
		return fmt.Errorf("vehicle %q HullHigh %v is not above HullLow %v", v.Name, v.HullHigh, v.HullLow)
	case v.StepHeight >= v.Height:
		return fmt.Errorf("vehicle %q StepHeight %v is not below Height %v", v.Name, v.StepHeight, v.Height)
	}
	return nil
}

// buggy is open: four seats, all but the driver's may shoot. All numbers are
// judgement: as heavy and quick as a light cross-country car.
func buggy() Vehicle {
	return Vehicle{
		Name:     "buggy",
		TopSpeed: 22, ReverseSpeed: 7, Accel: 8, Brake: 18, Coast: 2.5, Grip: 9,
		TurnDeg: 95, TurnSpeed: 7, StepHeight: 0.5,
		HalfLength: 1.75, HalfWidth: 0.9, Height: 1.3, HullLow: 0.3, HullHigh: 0.85,
		Health: 400, SafeSpeed: 3, RunOver: 9,
		BurstRadius: 5, BurstDamage: 90, RiderDamage: 80, RespawnMS: 30000, UseReach: 2.5,
		Seats: [NumSeats]Seat{
			{X: 0.1, Y: 0.42, Z: 0.3}, {X: 0.1, Y: -0.42, Z: 0.3, Fire: true},
			{X: -0.95, Y: 0.42, Z: 0.45, Fire: true}, {X: -0.95, Y: -0.42, Z: 0.45, Fire: true},
		},
		Exits: [NumExits]Exit{
			{X: 0.1, Y: 2}, {X: 0.1, Y: -2}, {X: -1, Y: 2}, {X: -1, Y: -2}, {X: -2.9}, {X: 2.9},
		},
	}
}
