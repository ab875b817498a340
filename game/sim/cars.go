package sim

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// maxCars bounds the vehicles of a match; their ids are the last of those given out
// freely, one each for good.
const maxCars = 64

// car is one vehicle.
type car struct {
	state.Car
	before state.Car // at the beginning of the tick
	kind   uint8
	home   level.Vehicle
	health float32
	seats  [tables.NumSeats]state.ID
	gone   bool // destroyed, or not come yet
	never  bool // and will not come back
	back   state.Tick
	since  state.Tick // when it came
	moved  state.Tick // when it last moved
	still  bool       // nothing acts on it: it is stepped now and then
}

// cars is all vehicles and what is needed to move them.
type cars struct {
	all    []car
	around vehicle.Around
	rows   []state.Body // memory of lag compensation: depth rows
	ticks  []state.Tick
}

func (s *Sim) initCars() {
	c := &s.cars
	c.ticks = make([]state.Tick, s.past.Depth())
	c.rows = make([]state.Body, len(c.ticks)*maxCars)
	c.all = make([]car, 0, maxCars)
	for i := range s.lv.Vehicles {
		k, ok := s.cfg.Set.VehicleByName(s.lv.Vehicles[i].Type)
		if !ok || len(c.all) == maxCars {
			continue
		}
		c.all = append(c.all, car{kind: uint8(k), home: s.lv.Vehicles[i], gone: true, back: s.tick})
		s.arrive(len(c.all) - 1)
	}
}

func (s *Sim) carType(c *car) *tables.Vehicle { return &s.cfg.Set.Vehicles[c.kind] }

// carTypeAt is carType as it was at an instant; nil is now.
func (s *Sim) carTypeAt(c *car, then *rewind.Time) *tables.Vehicle {
	if then == nil {
		return s.carType(c)
	}
	return &s.SetAt(then.Tick).Vehicles[c.kind]
}

func carID(i int) state.ID { return state.FirstThing + state.ID(state.FreeThings-1-i) }

// arrive puts a vehicle to its place if that is free; otherwise it is tried again
// later.
func (s *Sim) arrive(i int) bool {
	c := &s.cars.all[i]
	t := s.carType(c)
	at := state.Car{Pos: vec.CanonV(c.home.Pos), Yaw: state.AngleOf(c.home.Yaw)}
	for _, up := range [...]float32{0, 1.0 / 64, 1.0 / 16, 0.25, 0.5, 0.75} {
		at.Pos.Z = c.home.Pos.Z + up
		if vehicle.Fits(&at, t, &s.scene) && !s.taken(i, &at) {
			c.Car, c.before, c.gone, c.still = at, at, false, false
			c.health, c.since, c.moved = t.Health, s.tick, s.tick
			return true
		}
	}
	c.back = s.tick + s.ticks(1000)
	return false
}

// taken reports whether a body or another vehicle is where one would stand.
func (s *Sim) taken(i int, at *state.Car) bool {
	boxes := vehicle.Boxes(at, s.carType(&s.cars.all[i]))
	for _, b := range boxes {
		for _, id := range s.ids {
			if p := &s.bodies[id].p; p.Alive() && pmove.Body(p, s.move).Move(p.Pos).Overlaps(b) {
				return true
			}
		}
		for j := range s.cars.all {
			if o := &s.cars.all[j]; j != i && !o.gone && s.overlap(o, b) {
				return true
			}
		}
	}
	return false
}

func (s *Sim) overlap(c *car, b vec.Box) bool {
	for _, o := range vehicle.Boxes(&c.Car, s.carType(c)) {
		if o.Overlaps(b) {
			return true
		}
	}
	return false
}

// AddVehicle puts a vehicle of a named type down, to which it also comes back. The
// error is one sentence for who asked.
func (s *Sim) AddVehicle(name string, pos vec.V3, yaw float32) (state.ID, error) {
	k, ok := s.cfg.Set.VehicleByName(name)
	switch {
	case !ok:
		return 0, fmt.Errorf("there is no vehicle %q: write buggy", name)
	case !pos.IsFinite() || !vec.Finite(yaw):
		return 0, fmt.Errorf("a vehicle needs a place in metres: x y z")
	}
	n := len(s.cars.all)
	i := s.freeCar()
	if i < 0 {
		return 0, fmt.Errorf("there are %d vehicles, more than which there cannot be: remove one", maxCars)
	}
	s.cars.all[i] = car{kind: uint8(k), home: level.Vehicle{Type: name, Pos: pos, Yaw: yaw}, gone: true}
	if s.outOfMap(&state.Player{Pos: pos}) || !s.arrive(i) {
		s.cars.all[i].never = true
		s.cars.all = s.cars.all[:n]
		return 0, fmt.Errorf("a %s has no room at %.1f %.1f %.1f: choose a free place on the ground", name, pos.X, pos.Y, pos.Z)
	}
	s.list()
	return carID(i), nil
}

// freeCar returns the place of one that will not come back, or a new one; -1 when
// there is none.
func (s *Sim) freeCar() int {
	for i := range s.cars.all {
		if c := &s.cars.all[i]; c.gone && c.never {
			return i
		}
	}
	if len(s.cars.all) == maxCars {
		return -1
	}
	s.cars.all = append(s.cars.all, car{})
	return len(s.cars.all) - 1
}

// opVehicle puts a vehicle down, or takes one away.
func (s *Sim) opVehicle(op *rules.Op) Bad {
	if op.Value == 0 {
		if !s.RemoveVehicle(op.ID) {
			return BadID
		}
		return BadNone
	}
	if _, err := s.AddVehicle(s.cfg.Set.Vehicles[op.Weapon].Name, op.Pos, op.Yaw); err != nil {
		return BadPlace
	}
	return BadNone
}

// RemoveVehicle takes a vehicle away for good; who sits in it gets out. It reports
// whether there was one with that id.
func (s *Sim) RemoveVehicle(id state.ID) bool {
	for i := range s.cars.all {
		if c := &s.cars.all[i]; carID(i) == id && !c.gone {
			s.empty(i)
			c.gone, c.never = true, true
			s.list()
			return true
		}
	}
	return false
}

// Vehicles returns the ids of the vehicles that are there.
func (s *Sim) Vehicles(dst []state.ID) []state.ID {
	for i := range s.cars.all {
		if !s.cars.all[i].gone {
			dst = append(dst, carID(i))
		}
	}
	return dst
}

// Vehicle returns how a vehicle stands and moves; false when there is none with that
// id.
func (s *Sim) Vehicle(id state.ID) (state.Car, bool) {
	for i := range s.cars.all {
		if c := &s.cars.all[i]; carID(i) == id && !c.gone {
			return c.Car, true
		}
	}
	return state.Car{}, false
}

// VehicleInfo is what an operator is told of a vehicle beside its place.
type VehicleInfo struct {
	Kind   uint8 // index into the tables' Vehicles
	Health float32
	Aboard int // who sit in it
}

// VehicleInfo returns what there is to say of a vehicle; of none the zero value.
func (s *Sim) VehicleInfo(id state.ID) (out VehicleInfo) {
	for i := range s.cars.all {
		c := &s.cars.all[i]
		if carID(i) != id || c.gone {
			continue
		}
		out.Kind, out.Health = c.kind, c.health
		for _, who := range c.seats {
			if who != 0 {
				out.Aboard++
			}
		}
	}
	return out
}

// beginCars notes where every vehicle is, and hands drivers theirs.
func (s *Sim) beginCars() {
	for i := range s.cars.all {
		c := &s.cars.all[i]
		c.before = c.Car
		if d := c.seats[0]; d != 0 && !c.gone {
			if p := &s.bodies[d].p; p.Car != c.Car {
				p.Car = c.Car
				p.Forced++
			}
		}
	}
}

// nearCars is how far from a body's middle a vehicle may be that it could touch
// within a tick, metres.
const nearCars = 5

// around returns what a player collides with: the level near it, and for who walks
// the vehicles where they were when the tick began. Near one that has moved within
// the last second its client cannot know where that is.
func (s *Sim) around(id state.ID) pmove.World {
	p := &s.bodies[id].p
	reach := pmove.Reach(p, s.move, s.cfg.TickRate)
	if vehicle.Drives(p) {
		reach = vehicle.Reach(&p.Car, s.carType(&s.cars.all[s.bodies[id].car]), s.cfg.TickRate)
	}
	s.near.Gather(s.scene, reach)
	if p.Vehicle != 0 || !p.Alive() { // the dead are not told of vehicles, so none stops them
		return &s.near
	}
	a := &s.cars.around
	a.Reset(&s.near)
	body := pmove.Body(p, s.move).Move(p.Pos)
	for i := range s.cars.all {
		c := &s.cars.all[i]
		if c.gone || c.before.Pos.DistSq(p.Pos) > nearCars*nearCars {
			continue
		}
		solid := vehicle.Solid(state.Quant(c.before.Pos), c.before.Yaw)
		a.Put(&solid, s.carType(c), body)
		if s.tick-c.moved < state.Tick(s.cfg.TickRate) && p.Alive() {
			p.Forced++
		}
	}
	if a.Empty() {
		return &s.near
	}
	return a
}

// driven takes the vehicle where its driver's command has taken it.
func (s *Sim) driven(id state.ID) {
	if b := &s.bodies[id]; vehicle.Drives(&b.p) {
		s.cars.all[b.car].Car = b.p.Car
	}
}

// restTicks is how often a vehicle that stands still is stepped: what it stands on
// may have gone.
const restTicks = 8

// moveCars moves what nobody drives, keeps vehicles apart, and lets players in and
// out.
func (s *Sim) moveCars() {
	for i := range s.cars.all {
		c := &s.cars.all[i]
		switch {
		case c.gone && !c.never && s.reached(c.back):
			s.arrive(i)
		case c.gone, c.seats[0] != 0:
		case !c.still || s.tick%restTicks == 0:
			s.near.Gather(s.scene, vehicle.Reach(&c.Car, s.carType(c), s.cfg.TickRate))
			vehicle.Step(&c.Car, vehicle.Parked(), vehicle.Env{
				World: &s.near, Type: s.carType(c), Gravity: s.move.Gravity, MaxSpeed: s.move.MaxSpeed, TickRate: s.cfg.TickRate,
			})
			c.still = c.Car == c.before && c.Vel == (vec.V3{})
		}
	}
	s.partCars()
	for i := range s.cars.all {
		c := &s.cars.all[i]
		if c.gone {
			continue
		}
		if c.Car != c.before {
			c.moved = s.tick
			s.ram(i)
		}
		if s.outOfMap(&state.Player{Pos: c.Pos}) {
			s.burstCar(i, 0)
		}
	}
	for _, id := range s.ids {
		s.useSeat(id)
	}
	s.seatRiders()
}

// partCars puts vehicles that have run into each other back to where they were.
func (s *Sim) partCars() {
	for i := range s.cars.all {
		a := &s.cars.all[i]
		if a.gone {
			continue
		}
		for j := i + 1; j < len(s.cars.all); j++ {
			b := &s.cars.all[j]
			if b.gone || a.Pos.DistSq(b.Pos) > 2*2*nearCars*nearCars || a.Car == a.before && b.Car == b.before {
				continue
			}
			for _, box := range vehicle.Boxes(&a.Car, s.carType(a)) {
				if s.overlap(b, box) {
					s.bounce(a)
					s.bounce(b)
					break
				}
			}
		}
	}
}

// bounce is what is left of a vehicle's speed after it has run into another.
func (s *Sim) bounce(c *car) {
	c.Car = state.Car{Pos: c.before.Pos, Yaw: c.before.Yaw, Pitch: c.before.Pitch, Vel: vec.CanonV(c.Vel.Scale(-0.15))}
	c.still = false
	if d := c.seats[0]; d != 0 {
		p := &s.bodies[d].p
		p.Car = c.Car
		p.Forced++
	}
}

// ramPauseMS is how long somebody who was hit is not hit again.
const ramPauseMS = 600

// ram hurts and throws whom a vehicle hits.
func (s *Sim) ram(i int) {
	c := &s.cars.all[i]
	t := s.carType(c)
	speed := c.Vel.Len2()
	if speed <= t.SafeSpeed {
		return
	}
	dir := c.Vel.Flat().Unit()
	for _, id := range s.ids {
		b := &s.bodies[id]
		if !b.p.Alive() || b.p.Vehicle != 0 || b.p.Pos.DistSq(c.Pos) > nearCars*nearCars || !s.reached(b.rammed) {
			continue
		}
		body := pmove.Body(&b.p, s.move).Move(b.p.Pos)
		if !s.overlap(c, body.Pad(0.05)) {
			continue
		}
		b.rammed = s.tick + s.ticks(ramPauseMS)
		s.knock(id, vec.V3{X: dir.X, Y: dir.Y, Z: 0.35}, float32(speed*0.8))
		s.hurt(blow{target: id, by: c.seats[0], amount: float32((speed - t.SafeSpeed) * t.RunOver), pos: b.p.Pos, from: dir.Neg()})
	}
}

// seatRiders takes everybody along who sits somewhere. Of its own driver a client
// knows where that is.
func (s *Sim) seatRiders() {
	for i := range s.cars.all {
		c := &s.cars.all[i]
		if c.gone {
			continue
		}
		for k, id := range c.seats {
			if id == 0 {
				continue
			}
			p := &s.bodies[id].p
			at := vehicle.SeatPos(vehicle.PoseOf(&c.Car), s.carType(c), k)
			if v := vec.CanonV(c.Vel); p.Pos != at || p.Vel != v {
				p.Pos, p.Vel = at, v
				p.Forced++
			}
		}
	}
}

// rememberCars stores the tick for shots at what was shown then.
func (s *Sim) rememberCars() {
	c := &s.cars
	row := int(s.tick % state.Tick(len(c.ticks)))
	c.ticks[row] = s.tick
	for i := range c.all {
		b := c.all[i].Body()
		b.Alive = !c.all[i].gone
		c.rows[row*maxCars+i] = b
	}
}

// carAt returns where a vehicle was at an instant, nil being now; false when it was
// not there.
func (s *Sim) carAt(i int, then *rewind.Time) (vehicle.Pose, bool) {
	c := &s.cars.all[i]
	if then == nil || then.Tick == s.tick {
		return vehicle.PoseOf(&c.Car), !c.gone
	}
	row := func(tick state.Tick) *state.Body {
		k := int(tick % state.Tick(len(s.cars.ticks)))
		if b := &s.cars.rows[k*maxCars+i]; s.cars.ticks[k] == tick && b.Alive {
			return b
		}
		return nil
	}
	a, b := row(then.Tick), row(then.Tick+1)
	if a == nil || c.gone {
		return vehicle.Pose{}, false
	}
	at := a.Placed()
	if b != nil {
		at = state.Blend(a, b, 1, uint32(then.Frac), s.cfg.TickRate)
	}
	return vehicle.Pose{Pos: at.Pos, Yaw: at.Yaw.Deg(), Pitch: at.Pitch.Deg()}, true
}

// carBefore returns what a line meets first, the level or a vehicle, which it names;
// -1 none. The vehicle in which the shooter sits does not stop it.
func (s *Sim) carBefore(wall level.Hit, from, to vec.V3, of state.ID, then *rewind.Time) (level.Hit, int) {
	own, best := -1, -1
	if s.Present(of) && s.bodies[of].p.Vehicle != 0 {
		own = s.bodies[of].car
	}
	for i := range s.cars.all {
		if i == own {
			continue
		}
		pose, ok := s.carAt(i, then)
		if !ok {
			continue
		}
		if f, n, ok := vehicle.Ray(pose, s.carTypeAt(&s.cars.all[i], then), from, to, 0); ok && f < wall.Frac {
			best = i
			wall = level.Hit{Frac: f, End: from.Lerp(to, f), Normal: n, Contents: level.Solid}
		}
	}
	return wall, best
}
