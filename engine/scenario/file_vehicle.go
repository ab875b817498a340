package scenario

import (
	"fmt"
	"math"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/game/vis"
)

// VehicleSpec is a vehicle, at a place or on a path. It heads where its yaw or turn
// says, whichever way it is driven.
type VehicleSpec struct {
	Name string
	Type string // "buggy" when left out
	At   []float64
	Path [][]float64 // [seconds, x, y, z], the point on the ground below its middle
	Yaw  float64
	Turn [][]float64 // [seconds, degrees]
}

// mostVehicles bounds the vehicles of a scene.
const mostVehicles = 64

// car is a vehicle whose every place is known: an actor is where it is and heads.
type car struct {
	actor
	kind int
	of   *tables.Vehicle
}

// ride is a time in which an actor sits in a vehicle.
type ride struct {
	Interval
	car, seat int
	in        *car
}

// vehicles reads the vehicles of a file; their names follow those of the players.
func (c *checker) vehicles(s *Scene) {
	c.number("vehicle_range_m", c.f.VehicleRangeM, 0, 1e6)
	c.few("vehicle", len(c.f.Vehicle), mostVehicles)
	for i := range c.f.Vehicle {
		v := &c.f.Vehicle[i]
		key := fmt.Sprintf("vehicle.%d", i)
		if _, twice := s.ids[v.Name]; v.Name == "" || twice {
			c.bad(key+".name", "each vehicle needs a name of its own")
			return
		}
		s.ids[v.Name] = len(c.f.Player) + i
		name := v.Type
		if name == "" {
			name = "buggy"
		}
		kind, ok := s.set.VehicleByName(name)
		if !ok {
			c.bad(key+".type", "type = %q is no vehicle; buggy is one", name)
			return
		}
		a := car{actor: actor{name: v.Name, from: math.Inf(-1), until: math.Inf(1)}, kind: kind, of: &s.set.Vehicles[kind]}
		if v.At != nil {
			a.path = append(a.path, place{at: c.point(key+".at", v.At), t: math.Inf(-1)})
		}
		c.way(key, "path", v.Path, &a.actor)
		c.heads(key, v.Yaw, v.Turn, &a.actor)
		if len(a.path) == 0 {
			c.bad(key, "vehicle %s needs at or a path", v.Name)
		}
		if c.err != nil {
			return
		}
		s.cars = append(s.cars, a)
	}
}

// seatEvent checks an event of enter or leave.
func (c *checker) seatEvent(s *Scene, ev *event, key string) {
	ev.who = c.who(s, key+".player", ev.Player)
	if c.err != nil {
		return
	}
	a := &s.actors[ev.who]
	n := len(a.rides)
	sits := n > 0 && math.IsInf(a.rides[n-1].To, 1)
	if ev.Kind == "leave" {
		if !sits {
			c.bad(key+".player", "%s sits in no vehicle: write the events of a player in order", a.name)
			return
		}
		a.rides[n-1].To, ev.target = ev.At, a.rides[n-1].car
		return
	}
	i, ok := s.ids[ev.Vehicle]
	if i -= len(s.actors); !ok || i < 0 {
		c.bad(key+".vehicle", "vehicle = %q is no vehicle of this scene", ev.Vehicle)
		return
	}
	c.number(key+".seat", float64(ev.Seat), 0, tables.NumSeats-1)
	if sits || n > 0 && a.rides[n-1].To > ev.At {
		c.bad(key+".player", "%s sits in a vehicle already: write the events of a player in order", a.name)
		return
	}
	ev.target = i
	a.rides = append(a.rides, ride{Interval{ev.At, math.Inf(1)}, i, ev.Seat, &s.cars[i]})
}

// riding returns in which vehicle an actor sits at a time; nil on foot.
func (a *actor) riding(t float64) *ride {
	for i := range a.rides {
		if r := &a.rides[i]; t >= r.From-1e-9 && t < r.To-1e-9 {
			return r
		}
	}
	return nil
}

// pose returns where a vehicle stands at a time.
func (c *car) pose(t float64) vehicle.Pose { return vehicle.Pose{Pos: c.feet(t), Yaw: c.yaw(t)} }

// sit makes a player somebody who sits where r says.
func (r *ride) sit(p *state.Player, t float64, rate float32) {
	p.Vehicle, p.Seat = uint8(r.in.kind+1), uint8(r.seat)
	p.Duck, p.Flags = 255, state.Ducked
	p.Vel = r.in.vel(t, rate)
}

// vel returns how a vehicle moves at a time.
func (c *car) vel(t float64, rate float32) vec.V3 {
	return c.feet(t).Sub(c.feet(t - 1/float64(rate))).Scale(rate)
}

// addCars adds the vehicles to the Input and the Frame, as the server does.
func (p *play) addCars(t float64) {
	p.in.VehicleRange = float32(p.s.File.VehicleRangeM)
	for i := range p.s.cars {
		c := &p.s.cars[i]
		at, vel := c.feet(t), c.vel(t, float32(p.s.File.TickRate))
		mid := at.Mad(0.6, vec.Up)
		half := vec.V3{X: 0.25, Y: 0.25, Z: 0.25}
		id := carID(i)
		p.in.Subjects = append(p.in.Subjects, vis.Subject{
			ID: id, Kind: state.KindVehicle, Alive: true, Pos: at, Eye: mid, Chest: mid,
			Box: vec.Box{Min: mid.Sub(half), Max: mid.Add(half)}, Vel: vel,
		})
		p.frame.Entities = append(p.frame.Entities, state.Entity{
			ID: id, Kind: state.KindVehicle, Weapon: uint8(c.kind), Pos: state.Quant(at), Vel: state.Quant(vel),
			Yaw: state.AngleOf(c.yaw(t)), Teleports: 1,
		})
	}
}

func carID(i int) state.ID { return state.FirstThing + state.ID(state.FreeThings-1-i) }

// subject returns which of the scene's names an entity has: players first, then
// vehicles; -1 for anything else.
func (s *Scene) subject(e *state.Entity) int {
	switch e.Kind {
	case state.KindPlayer:
		return int(e.ID) - 1
	case state.KindVehicle:
		return len(s.actors) + int(carID(0)) - int(e.ID)
	}
	return -1
}

// Cars returns where the vehicles are at a time, in metres, and which way they head.
func (s *Scene) Cars(t float64) []vehicle.Pose {
	var out []vehicle.Pose
	for i := range s.cars {
		out = append(out, s.cars[i].pose(t))
	}
	return out
}

// turnedCars turns the vehicles of a file.
func turnedCars(f *File, point func([]float64) []float64, yaw func(float64) float64) {
	f.Vehicle = slices.Clone(f.Vehicle)
	for i := range f.Vehicle {
		v := &f.Vehicle[i]
		v.At, v.Yaw = point(v.At), yaw(v.Yaw)
		v.Path, v.Turn = turnedWay(v.Path, v.Turn, point, yaw)
	}
}

func turnedWay(path, turn [][]float64, point func([]float64) []float64, yaw func(float64) float64) (p, q [][]float64) {
	p, q = slices.Clone(path), slices.Clone(turn)
	for k := range p {
		p[k] = point(p[k])
	}
	for k := range q {
		q[k] = []float64{q[k][0], yaw(q[k][1])}
	}
	return p, q
}
