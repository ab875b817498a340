package state

import "github.com/sightline-engine/sightline/game/vec"

// Car is how a vehicle stands and moves: everything that driving reads or writes.
// It belongs to the server, and while somebody drives its copy is part of the
// driver's own state, which the driver predicts (game/vehicle).
type Car struct {
	Pos, Vel   vec.V3 // of the point on the ground below its middle; m/s
	Yaw, Pitch Angle16
}

// Body returns the part of a Car that others are shown, on the grid.
func (c *Car) Body() Body {
	return Body{Pos: Quant(c.Pos), Vel: Quant(c.Vel), Yaw: c.Yaw, Pitch: c.Pitch, Alive: true}
}
