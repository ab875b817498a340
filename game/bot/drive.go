package bot

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// How a bot drives. All numbers are judgement.
const (
	wideM    = 0.35  // metres that a way is wider than a vehicle, on each side
	sillM    = 0.9   // height from which on something beside a way is in the way
	dropM    = 1.2   // height that is driven down
	arriveM  = 9     // metres from the end of the way at which the bot gets out
	slowMS   = 1100  // for which one may not move before the bot backs off
	backMS   = 900   // for how long
	tries    = 3     // times, then it gets out
	rideMS   = 60000 // after which it gets out in any case
	dodgeM   = 2.6   // metres beside the way within which another vehicle is in it
	dodgeDeg = 22    // by which to turn aside for it
	sitMS    = 4000  // for which a passenger stays in one that stands
	wheelCap = 12000 // nodes that a search for a way may expand
)

// wheel is how a ride goes.
type wheel struct {
	rides bool
	goal  vec.V3
	time  int     // ticks of the ride
	at    vec.V3  // where it was when it last got on
	still int     // ticks since
	back  int     // ticks to back off
	side  float32 // to which it then turns
	tried int
	out   bool // gets out
	wide  []uint8
}

// What wide says of a node.
const (
	unseen = iota
	roomy
	narrow
)

// ride makes the command of somebody who sits in a vehicle.
func (b *Brain) ride(s *Senses) state.Cmd {
	p, w := s.Own, &b.driver.wheel
	cmd := state.Cmd{Tick: s.Tick, Weapon: b.choose(s, nil)}
	i := int(p.Vehicle) - 1
	if i >= len(b.cfg.Tables.Vehicles) || int(p.Seat) >= tables.NumSeats {
		return cmd
	}
	t := &b.cfg.Tables.Vehicles[i]
	if !w.rides {
		b.settleIn(s, t)
	}
	w.time++
	enemy := b.look(s)
	switch {
	case p.Seat != 0:
		b.sit(s, enemy, t, &cmd)
	default:
		b.atWheel(s, enemy, t, &cmd)
	}
	w.out = w.out || w.time > b.ticks(rideMS) || s.Job != NoJob
	b.getOut(s, &cmd)
	cmd.Yaw, cmd.Pitch = state.AngleOf(b.yaw), state.AngleOf(b.pitch)
	return cmd
}

// settleIn begins a ride.
func (b *Brain) settleIn(s *Senses, t *tables.Vehicle) {
	w := &b.driver.wheel
	*w = wheel{rides: true, goal: w.goal, wide: w.wide}
	b.driver.want, b.driver.wait = 0, b.ticks(useMS)
	b.path, b.at = b.path[:0], 0
	if s.Own.Seat == 0 {
		b.route(s, s.Own.Car.Pos, t)
		w.out = len(b.path) == 0
	}
}

// route finds a way to the goal that is wide enough all along for a vehicle that
// stands somewhere; none that is not worth driving.
func (b *Brain) route(s *Senses, start vec.V3, t *tables.Vehicle) {
	g, w := b.cfg.Graph, &b.driver.wheel
	if len(w.wide) != len(g.Nodes) {
		w.wide = make([]uint8, len(g.Nodes))
	}
	b.path, b.at = b.path[:0], 0
	from, to := g.Nearest(start), g.Nearest(w.goal)
	if from < 0 || to < 0 {
		return
	}
	b.path, _ = b.finder.PathBy(b.path, from, to, wheelCap, func(e nav.Edge) bool {
		return (e.Kind == nav.Walk || e.Kind == nav.Drop) && b.roomy(s, e.To, t)
	})
	for i := range b.path { // what lies between two places is looked at once
		at := start
		if i > 0 {
			at = b.path[i-1].Pos
		}
		if at.Z-b.path[i].Pos.Z > dropM || i > 0 && !b.clear(s, at, b.path[i].Pos, t) {
			b.path = b.path[:i]
			break
		}
	}
	if len(b.path) > 0 {
		w.goal = b.path[len(b.path)-1].Pos
	}
	if w.goal.Dist(start) < arriveM*2 {
		b.path = b.path[:0]
	}
}

// girth is the box that has to fit through, from its feet.
func girth(t *tables.Vehicle) vec.Box {
	r := t.HalfWidth + wideM
	return vec.Box{Min: vec.V3{X: -r, Y: -r, Z: sillM}, Max: vec.V3{X: r, Y: r, Z: t.Height + 0.1}}
}

// roomy reports whether a vehicle fits at a node, which is found out once.
func (b *Brain) roomy(s *Senses, n int32, t *tables.Vehicle) bool {
	k := &b.driver.wheel.wide[n]
	if *k == unseen {
		*k = narrow
		if p := b.cfg.Graph.Nodes[n].Pos; !s.Scene.Box(p, p, girth(t), level.MaskMove).StartSolid {
			*k = roomy
		}
	}
	return *k == roomy
}

// clear reports whether the way between two places is as wide as a vehicle.
func (b *Brain) clear(s *Senses, from, to vec.V3, t *tables.Vehicle) bool {
	h := s.Scene.Box(from, to, girth(t), level.MaskMove)
	return h.Frac == 1 && !h.StartSolid
}

// atWheel drives.
func (b *Brain) atWheel(s *Senses, enemy *Other, t *tables.Vehicle, cmd *state.Cmd) {
	c, w := &s.Own.Car, &b.driver.wheel
	if s.Hurt && enemy != nil {
		w.out = true
	}
	for b.at < len(b.path) && b.passed(c, t) {
		b.at++
	}
	if b.at >= len(b.path) || w.goal.Dist(c.Pos) < arriveM {
		w.out = true
	}
	if w.out {
		cmd.Buttons |= state.BtnJump // the brake
		return
	}
	speed := c.Vel.Len2()
	aim := b.onWay(c.Pos, max(4, float32(speed*0.55)))
	off := bearing(c, aim)
	bend := max(vec.Abs(off), vec.Abs(vec.WrapDeg(bearing(c, b.onWay(c.Pos, max(9, float32(speed*1.4)))))))
	want := float32(t.TopSpeed * 0.85)
	switch {
	case bend > 50:
		want = 4
	case bend > 20:
		want = 7
	case bend > 8:
		want = 11
	}
	want = min(want, max(4, float32(0.6*w.goal.Dist(c.Pos))))
	if by := dodge(s, c, speed); by != 0 {
		off, want = vec.Clamp(off, -10, 10)+by, min(want, 6)
	}
	cmd.Right = axis(-off / 14)
	cmd.Forward = axis((want - speed) / 3)
	b.face(vec.WrapDeg(c.Yaw.Deg()+vec.Clamp(off*0.5, -30, 30)), 0)
	b.backOff(c, cmd)
}

// passed reports whether the next step of the way lies behind, or under the wheels.
func (b *Brain) passed(c *state.Car, t *tables.Vehicle) bool {
	d := b.path[b.at].Pos.Sub(c.Pos).Flat()
	if d.Len() < t.HalfLength+0.5 {
		return true
	}
	if b.at+1 >= len(b.path) {
		return false
	}
	leg := b.path[b.at+1].Pos.Sub(b.path[b.at].Pos).Flat()
	return d.Len() < 6 && d.Dot(leg) < 0
}

// onWay returns the first place on the way that lies at least so many metres off.
func (b *Brain) onWay(at vec.V3, far float32) vec.V3 {
	aim := b.path[b.at].Pos
	for i := b.at; i < len(b.path); i++ {
		if aim = b.path[i].Pos; aim.Dist(at) >= far {
			break
		}
	}
	return aim
}

// bearing is where a place lies from a vehicle, degrees to the left of its heading.
func bearing(c *state.Car, at vec.V3) float32 {
	d := at.Sub(c.Pos)
	return vec.WrapDeg(vec.Atan2(d.Y, d.X) - c.Yaw.Deg())
}

// dodge returns by how many degrees to turn aside for another vehicle in front: to the
// right, as its driver does, or away from one that stands well to the right.
func dodge(s *Senses, c *state.Car, speed float32) float32 {
	far := 5 + speed
	for i := range s.Others {
		o := &s.Others[i]
		if o.Kind != state.KindVehicle || o.Pos.Dist(c.Pos) < 1.5 { // its own
			continue
		}
		d := o.Pos.Mad(0.5, o.Vel).Sub(c.Pos).Flat()
		off := bearing(c, c.Pos.Add(d))
		if m := d.Len(); m > far || vec.Abs(off) > 60 || float32(m*vec.Sin(vec.Abs(off))) > dodgeM {
			continue
		}
		if off < -8 {
			return dodgeDeg
		}
		return -dodgeDeg
	}
	return 0
}

// backOff notices that it gets no further, and backs off with the wheel turned; after
// some tries the bot gets out.
func (b *Brain) backOff(c *state.Car, cmd *state.Cmd) {
	w := &b.driver.wheel
	if w.back > 0 {
		w.back--
		cmd.Forward, cmd.Right = -127, axis(w.side)
		return
	}
	if w.still++; c.Pos.DistSq(w.at) > 1 {
		w.still, w.at = 0, c.Pos
	}
	if w.still < b.ticks(slowMS) {
		return
	}
	w.still, w.back = 0, b.ticks(backMS)
	if w.side = 1; cmd.Right > 0 || cmd.Right == 0 && b.rng.Float() < 0.5 {
		w.side = -1
	}
	if w.tried++; w.tried > tries {
		w.out = true
	}
}

// sit is what a passenger does: it looks about and shoots, and gets out where the ride
// has ended.
func (b *Brain) sit(s *Senses, enemy *Other, t *tables.Vehicle, cmd *state.Cmd) {
	w := &b.driver.wheel
	if w.still++; s.Own.Pos.DistSq(w.at) > 1 {
		w.still, w.at = 0, s.Own.Pos
	}
	w.out = w.out || w.still > b.ticks(sitMS)
	cmd.Weapon = b.choose(s, enemy)
	if b.aim(s, enemy, s.Own.Vel.Flat()) && t.Seats[s.Own.Seat].Fire {
		cmd.Buttons |= state.BtnFire
	}
}

// getOut presses use once the vehicle is slow enough.
func (b *Brain) getOut(s *Senses, cmd *state.Cmd) {
	d := &b.driver
	if d.wait = max(d.wait-1, 0); d.wheel.out && s.Own.Vel.LenSq() < 4 {
		b.pressUse(cmd)
	}
}
