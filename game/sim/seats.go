package sim

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// enterSpeed is how fast a vehicle may be to be got into, m/s.
const enterSpeed = 6

// useSeat lets a player that presses use get into the vehicle that it looks at, or
// out of the one that it sits in. Players come by ascending id: of two who want one
// seat in one tick the lower has it.
func (s *Sim) useSeat(id state.ID) {
	b := &s.bodies[id]
	held := b.cmd.Buttons&state.BtnUse != 0
	pressed := held && !b.used
	b.used = held
	p := &b.p
	if !pressed || !p.Alive() || p.Flags&state.Frozen != 0 {
		return
	}
	if p.Vehicle != 0 {
		s.leave(id)
		return
	}
	if i := s.lookedAt(id); i >= 0 {
		s.enter(id, i)
	}
}

// lookedAt returns the vehicle within reach that a player looks at, -1 none.
func (s *Sim) lookedAt(id state.ID) int {
	p := &s.bodies[id].p
	eye := pmove.Eye(p, s.move)
	best, at := float32(1), -1
	for i := range s.cars.all {
		c := &s.cars.all[i]
		if c.gone || c.Vel.Len() > enterSpeed || c.Pos.DistSq(p.Pos) > 4*nearCars*nearCars {
			continue
		}
		to := eye.Mad(s.carType(c).UseReach, vec.Forward(p.Yaw.Deg(), p.Pitch.Deg()))
		f, _, ok := vehicle.Ray(vehicle.PoseOf(&c.Car), s.carType(c), eye, to, 0.35)
		if ok && f < best && !s.scene.Blocked(eye, eye.Lerp(to, f), level.MaskShot) {
			best, at = f, i
		}
	}
	return at
}

// enter takes the first free seat, the driver's before all; false when there is none.
func (s *Sim) enter(id state.ID, i int) bool {
	c := &s.cars.all[i]
	for k := range c.seats {
		if c.seats[k] != 0 {
			continue
		}
		c.seats[k] = id
		b := &s.bodies[id]
		p := &b.p
		b.car = i
		p.Vehicle, p.Seat, p.Car = c.kind+1, uint8(k), state.Car{}
		if k == 0 {
			p.Car = c.Car
		}
		p.Flags = p.Flags&^(state.OnGround|state.Swimming|state.OnLadder) | state.Ducked
		p.Duck, p.Lean, p.WaterLevel, p.Ground = 255, 0, 0, -1
		p.Forced++
		c.still = false
		s.emit(state.Event{Kind: state.EvSeat, Actor: id, Pos: c.Pos, Param: 1})
		return true
	}
	return false
}

// leave puts a player beside its vehicle where there is room for it to stand: never
// into or through a wall. Where there is none it stays in.
func (s *Sim) leave(id state.ID) bool {
	b := &s.bodies[id]
	c := &s.cars.all[b.car]
	t := s.carType(c)
	pose := vehicle.PoseOf(&c.Car)
	w, pos := s.move.HalfWidth, c.Pos
	body := vec.Box{Min: vec.V3{X: 0 - w, Y: 0 - w}, Max: vec.V3{X: w, Y: w, Z: s.move.StandHeight}}
	for _, lift := range [...]float32{0.1, 0.4, 0.8} {
		from := pos
		from.Z += lift
		if s.scene.Box(from, from, body, level.MaskMove).StartSolid {
			continue
		}
		for _, e := range t.Exits {
			to := vehicle.At(vehicle.Pose{Pos: from, Yaw: pose.Yaw}, t, e.X, e.Y, 0)
			if h := s.scene.Box(from, to, body, level.MaskMove); h.StartSolid || h.Frac < 1 {
				continue
			}
			low := to
			low.Z -= lift + 1
			h := s.scene.Box(to, low, body, level.MaskMove)
			if h.StartSolid {
				continue
			}
			at := vec.CanonV(h.End)
			if s.outOfMap(&state.Player{Pos: at}) || s.crowded(id, body.Move(at)) {
				continue
			}
			s.unseat(id)
			b.p.Pos, b.p.Vel = at, vec.CanonV(c.Vel)
			return true
		}
	}
	return false
}

// crowded reports whether a vehicle or another body is in a box.
func (s *Sim) crowded(id state.ID, box vec.Box) bool {
	for i := range s.cars.all {
		if c := &s.cars.all[i]; !c.gone && s.overlap(c, box) {
			return true
		}
	}
	for _, o := range s.ids {
		q := &s.bodies[o].p
		if o != id && q.Alive() && q.Vehicle == 0 && pmove.Body(q, s.move).Move(q.Pos).Overlaps(box) {
			return true
		}
	}
	return false
}

// unseat takes a player out of its seat where it is. On foot nothing happens.
func (s *Sim) unseat(id state.ID) {
	b := &s.bodies[id]
	p := &b.p
	if p.Vehicle == 0 {
		return
	}
	c := &s.cars.all[b.car]
	for k := range c.seats {
		if c.seats[k] == id {
			c.seats[k] = 0
		}
	}
	p.Vehicle, p.Seat, p.Car = 0, 0, state.Car{}
	p.Forced++
	c.still = false
	s.emit(state.Event{Kind: state.EvSeat, Actor: id, Pos: c.Pos})
}

// empty puts everybody out of a vehicle, beside it where that can be.
func (s *Sim) empty(i int) {
	for _, id := range s.cars.all[i].seats {
		if id != 0 && !s.leave(id) {
			s.unseat(id)
		}
	}
}

// hurtCar takes health from a vehicle, which bursts when none is left.
func (s *Sim) hurtCar(i int, amount float32, by state.ID) {
	c := &s.cars.all[i]
	if c.gone || !(amount > 0) {
		return
	}
	if c.health -= min(amount, 100000); c.health <= 0 {
		s.burstCar(i, by)
	}
}

// burstCar ends a vehicle: who sits in it is hurt, and so are those around it.
func (s *Sim) burstCar(i int, by state.ID) {
	c := &s.cars.all[i]
	t := s.carType(c)
	riders := c.seats
	s.empty(i)
	c.gone, c.health = true, 0
	back := t.RespawnMS
	if s.cfg.VehiclesBackMS != 0 {
		back = max(s.cfg.VehiclesBackMS, 0)
	}
	c.back = s.tick + max(s.ticks(back), 1)
	c.never = back == 0
	at := c.Pos.Mad(0.6, vec.Up)
	s.emit(state.Event{Kind: state.EvExplode, Actor: by, Weapon: tables.Rocket, Pos: at, Dir: vec.Up})
	for _, id := range riders {
		if id != 0 {
			s.hurt(blow{target: id, by: by, amount: t.RiderDamage, pos: at})
		}
	}
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if !p.Alive() || contains(riders, id) {
			continue
		}
		box := pmove.Body(p, s.move).Move(p.Pos)
		near := at.Max(box.Min).Min(box.Max)
		if d := near.Dist(at); d < t.BurstRadius && s.reaches(at, p, box) {
			amount := float32(t.BurstDamage * (1 - d/t.BurstRadius))
			dir := box.Center().Sub(at).Unit()
			s.knock(id, dir, float32(amount*0.1))
			s.hurt(blow{target: id, by: by, amount: amount, pos: near, from: dir.Neg()})
		}
	}
	s.splashCars(at, t.BurstRadius, t.BurstDamage, by)
}

func contains(ids [tables.NumSeats]state.ID, id state.ID) bool {
	for _, o := range ids {
		if o == id {
			return true
		}
	}
	return false
}

// splashCars hurts the vehicles near a burst.
func (s *Sim) splashCars(at vec.V3, radius, damage float32, by state.ID) {
	for i := range s.cars.all {
		c := &s.cars.all[i]
		if c.gone || c.Pos.DistSq(at) > (radius+nearCars)*(radius+nearCars) {
			continue
		}
		d := radius
		for _, b := range vehicle.Boxes(&c.Car, s.carType(c)) {
			d = min(d, b.Dist(at))
		}
		s.hurtCar(i, float32(damage*(1-d/radius)), by)
	}
}

// listCars appends the vehicles to the things, by ascending id as all others are, so
// that nobody has to sort them for each viewer. Nothing of who sits in them is in
// their rows.
func (s *Sim) listCars() {
	for i := len(s.cars.all) - 1; i >= 0; i-- {
		c := &s.cars.all[i]
		if c.gone {
			continue
		}
		s.things = append(s.things, Thing{
			ID: carID(i), Kind: state.KindVehicle, Weapon: c.kind, Pos: c.Pos, Vel: c.Vel, Yaw: c.Yaw, Pitch: c.Pitch, Born: c.since,
		})
	}
}

// checkCars returns what is wrong with vehicles and seats.
func (s *Sim) checkCars() (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i := range s.cars.all {
		c := &s.cars.all[i]
		for k, id := range c.seats {
			if id == 0 {
				continue
			}
			if b := &s.bodies[id]; c.gone || !b.present || !b.p.Alive() || b.p.Vehicle != c.kind+1 || int(b.p.Seat) != k || b.car != i {
				fault("vehicle %d has player %d in seat %d, who is not", i, id, k)
			}
		}
		if c.gone {
			continue
		}
		if c.Pos != vec.CanonV(c.Pos) || c.Vel != vec.CanonV(c.Vel) || !c.Pos.IsFinite() || !c.Vel.IsFinite() {
			fault("vehicle %d is at %v, moving %v", i, c.Pos, c.Vel)
		}
	}
	for _, id := range s.ids {
		b := &s.bodies[id]
		switch {
		case b.p.Vehicle == 0:
			if b.p.Car != (state.Car{}) || b.p.Seat != 0 {
				fault("player %d is on foot and has seat %d, vehicle %+v", id, b.p.Seat, b.p.Car)
			}
		case b.car >= len(s.cars.all) || int(b.p.Seat) >= tables.NumSeats || s.cars.all[b.car].seats[b.p.Seat] != id:
			fault("player %d sits in a seat that is not its own", id)
		case b.p.Seat == 0 && b.p.Car != s.cars.all[b.car].Car:
			fault("player %d drives another vehicle than its own", id)
		}
	}
	return faults
}
