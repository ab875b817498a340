package level

import (
	"strings"

	"github.com/sightline-engine/sightline/game/vec"
)

// Vehicle is the place at which a vehicle stands when a match begins, and to which
// it comes back.
type Vehicle struct {
	Type string // name of a row of the vehicle table: "buggy"
	Pos  vec.V3 // on the ground, below its middle
	Yaw  float32
}

// MaxVehicles is how many places a level may have.
const MaxVehicles = 48

// vehicleFeet is what an entity's origin is above the ground, in map units.
const vehicleFeet = 24

// vehicleTypes are the words that may follow "vehicle_".
var vehicleTypes = [...]string{"buggy"}

// vehicle makes a place of a vehicle_… entity.
func (b *Builder) vehicle(i int) {
	e := &b.level.Entities[i]
	at := Source{Entity: i, Brush: -1, Line: e.Line}
	name := strings.TrimPrefix(e.Class, "vehicle_")
	known := false
	for _, t := range vehicleTypes {
		known = known || t == name
	}
	switch {
	case !known:
		b.Warn(at, "%s is no vehicle: write %s", e.Class, "vehicle_"+strings.Join(vehicleTypes[:], " or vehicle_"))
		return
	case len(b.level.Vehicles) == MaxVehicles:
		b.Warn(at, "%s is left out: a level has at most %d vehicles", e.Class, MaxVehicles)
		return
	case e.Get("origin") == "":
		b.Warn(at, "%s has no origin and is left out: give it one", e.Class)
		return
	}
	p := e.Origin
	p.Z -= b.units(vehicleFeet)
	b.level.Vehicles = append(b.level.Vehicles, Vehicle{Type: name, Pos: p, Yaw: yaw(e)})
}

// AddVehicle adds a place for a vehicle, on the ground at pos, in metres. It reports
// whether the type is known and there is room.
func (b *Builder) AddVehicle(name string, pos vec.V3, yaw float32) bool {
	for _, t := range vehicleTypes {
		if t == name && len(b.level.Vehicles) < MaxVehicles {
			b.level.Vehicles = append(b.level.Vehicles, Vehicle{Type: name, Pos: pos, Yaw: yaw})
			return true
		}
	}
	return false
}
