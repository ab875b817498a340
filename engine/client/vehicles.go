package client

import (
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// A vehicle that the player drives is predicted, as the player itself; every other
// one, and the one that it only sits in, is shown as other players are.

// around returns what the own player collides with in a step: the level near it, and
// the vehicles that are known, where they were last told of.
func (c *Client) around(p *state.Player, rate int) pmove.World {
	reach := pmove.Reach(p, &c.set.Movement, rate)
	if i := int(p.Vehicle) - 1; vehicle.Drives(p) && i < len(c.set.Vehicles) {
		reach = vehicle.Reach(&p.Car, &c.set.Vehicles[i], rate)
	}
	c.near.Gather(trace.Scene{W: c.loaded.World, Poses: c.poses}, reach)
	if p.Vehicle != 0 || !p.Alive() {
		return &c.near
	}
	c.solid.Reset(&c.near)
	body := pmove.Body(p, &c.set.Movement).Move(p.Pos)
	for _, id := range c.live {
		t := c.tracks[trackIndex(id)]
		if !t.here() || t.newest().Kind != state.KindVehicle {
			continue
		}
		e := t.newest()
		i := int(e.Weapon)
		if i >= len(c.set.Vehicles) || e.Pos.V3().DistSq(p.Pos) > nearVehicles*nearVehicles {
			continue
		}
		car := vehicle.Solid(e.Pos, e.Yaw)
		c.solid.Put(&car, &c.set.Vehicles[i], body)
	}
	if c.solid.Empty() {
		return &c.near
	}
	return &c.solid
}

// nearVehicles is how far from a body a vehicle may be that it could touch within a
// tick, metres.
const nearVehicles = 5

// findRide finds the vehicle that the player sits in among those that are known: the
// one whose seat is where the player is.
func (c *Client) findRide(own *state.Player) {
	c.ride = 0
	i := int(own.Vehicle) - 1
	if i < 0 || i >= len(c.set.Vehicles) {
		return
	}
	best := float32(rideReach * rideReach)
	for _, id := range c.live {
		t := c.tracks[trackIndex(id)]
		if !t.here() || t.newest().Kind != state.KindVehicle {
			continue
		}
		e := t.newest()
		at := vehicle.SeatPos(vehicle.Pose{Pos: e.Pos.V3(), Yaw: e.Yaw.Deg(), Pitch: e.Pitch.Deg()}, &c.set.Vehicles[i], int(own.Seat))
		if d := at.DistSq(own.Pos); d < best {
			best, c.ride = d, id
		}
	}
}

// rideReach is how far the seat of the own vehicle may seem to be from the player,
// metres: what a fast one moves within some updates.
const rideReach = 3

// Riding returns the vehicle that the own player sits in, as its seat counts; 0 none.
// It is one of those in Others while that knows it.
func (c *Client) Riding() state.ID { return c.ride }

// seatShown returns where a seat of the own vehicle is on the screen.
func (c *Client) seatShown(p *state.Player) (vec.V3, bool) {
	i := int(p.Vehicle) - 1
	if c.ride == 0 || i < 0 || i >= len(c.set.Vehicles) {
		return vec.V3{}, false
	}
	t := c.tracks[trackIndex(c.ride)]
	tick, frac := c.clk.shown(c.now)
	var out Shown
	if t == nil || !t.at(tick, frac, c.TickRate(), &out) {
		return vec.V3{}, false
	}
	return vehicle.SeatPos(poseShown(&out), &c.set.Vehicles[i], int(p.Seat)), true
}

func poseShown(s *Shown) vehicle.Pose {
	return vehicle.Pose{Pos: s.At, Yaw: s.YawDeg, Pitch: s.PitchDeg}
}

// Driven returns where the vehicle that the player drives is on the screen: predicted,
// between the last two ticks.
func (c *Client) Driven() (vehicle.Pose, bool) {
	p := &c.pred
	if !vehicle.Drives(&p.now) {
		return vehicle.Pose{}, false
	}
	at := vehicle.PoseOf(&p.now.Car)
	f := float32(c.clk.cmd - float64(uint32(c.clk.cmd)))
	if i := (p.last - 1) % predLen; p.made && p.have[i] && p.cmds[i].Tick == p.last-1 && vehicle.Drives(&p.after[i]) {
		was := vehicle.PoseOf(&p.after[i].Car)
		if was.Pos.DistSq(at.Pos) < 4 {
			at.Pos = was.Pos.Lerp(at.Pos, f)
			at.Yaw = was.Yaw + float32(vec.WrapDeg(at.Yaw-was.Yaw)*f)
			at.Pitch = vec.Lerp(was.Pitch, at.Pitch, f)
		}
	}
	at.Pos = at.Pos.Add(p.smooth)
	return at, true
}

// rideAlong puts the vehicle that the player drives where it is predicted, and those
// who are shown in its seats with it.
func (c *Client) rideAlong(shown []Shown) {
	to, ok := c.Driven()
	if !ok || c.ride == 0 {
		return
	}
	for i := range shown {
		if shown[i].ID != c.ride {
			continue
		}
		v := &shown[i]
		t := &c.set.Vehicles[min(int(v.Weapon), len(c.set.Vehicles)-1)]
		from := poseShown(v)
		for k := range shown {
			r := &shown[k]
			if r.Kind != state.KindPlayer || r.Seat == 0 {
				continue
			}
			if vehicle.SeatPos(from, t, int(r.Seat)-1).DistSq(r.At) < 1 {
				r.At = vehicle.SeatPos(to, t, int(r.Seat)-1)
			}
		}
		v.At, v.YawDeg, v.PitchDeg, v.Velocity = to.Pos, to.Yaw, to.Pitch, c.pred.now.Car.Vel
		return
	}
}
