package bot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// When a bot takes a vehicle. All numbers are judgement.
const (
	boardM     = 60    // metres from which a vehicle is worth walking to
	farM       = 70    // metres of way from which on it is worth driving
	boardMS    = 15000 // for how long a bot tries to get into one
	thinkMS    = 1000  // between two looks for one
	footMS     = 15000 // for which it walks after it got out, up to twice as long
	boardReach = 2.5   // metres from the eye to a vehicle's middle at which use is pressed
	useMS      = 700   // between two presses of use
	seatM      = 1.2   // metres from a vehicle's middle within which somebody sits in it
)

// driver is what a bot remembers of vehicles.
type driver struct {
	want  state.ID // that it walks to; 0 none
	mid   vec.V3   // its middle
	near  bool     // it stands at it
	left  int      // ticks until it gives up
	rest  int      // ticks until it thinks of one again
	wait  int      // ticks until use may be pressed again: the answer takes a while
	wheel wheel
}

// board decides whether the bot goes and gets into a vehicle, and says then which way.
func (b *Brain) board(s *Senses, enemy *Other, wish *vec.V3) bool {
	d := &b.driver
	d.near = false
	d.rest, d.wait = max(d.rest-1, 0), max(d.wait-1, 0)
	if d.want == 0 && !b.wantsRide(s, enemy) {
		return false
	}
	o := known(s, d.want)
	d.left--
	if enemy != nil || s.Hurt || o == nil || d.left <= 0 || !b.free(s, o) {
		d.want, d.rest = 0, b.ticks(thinkMS*3)
		b.repath = 0
		return false
	}
	d.mid = o.Pos.Mad(0.6, vec.Up)
	to := d.mid.Sub(s.Eye)
	switch d.near = to.Len() < boardReach; {
	case d.near:
		*wish = vec.V3{}
	case to.Len2() < 5 || b.at >= len(b.path):
		*wish = to.Flat().Unit()
	}
	return true
}

// wantsRide finds a vehicle for a long way.
func (b *Brain) wantsRide(s *Senses, enemy *Other) bool {
	d := &b.driver
	p := s.Own
	if d.rest > 0 || enemy != nil || s.Job != NoJob || p.Flags&state.OnGround == 0 {
		return false
	}
	best, bestD := (*Other)(nil), float32(boardM)
	for i := range s.Others {
		o := &s.Others[i]
		if o.Kind != state.KindVehicle {
			continue
		}
		if far := o.Pos.Dist(p.Pos); far < bestD && vec.Abs(o.Pos.Z-p.Pos.Z) < 3 && b.free(s, o) {
			best, bestD = o, far
		}
	}
	if best == nil || !(b.goal.Dist(p.Pos) > farM) {
		d.rest = b.ticks(thinkMS)
		return false
	}
	from, to := b.cfg.Graph.Nearest(p.Pos), b.cfg.Graph.Nearest(best.Pos)
	d.wheel.goal = b.goal
	ok := from >= 0 && to >= 0 && int(best.Weapon) < len(b.cfg.Tables.Vehicles)
	if ok { // a way for it, and then one to it
		b.route(s, best.Pos, &b.cfg.Tables.Vehicles[best.Weapon])
		ok = len(b.path) > 0
	}
	if ok {
		b.path, ok = b.finder.Path(b.path[:0], from, to, 4000)
	}
	if !ok {
		d.rest = b.ticks(thinkMS * 4)
		b.path, b.at, b.repath = b.path[:0], 0, 0
		return false
	}
	d.want, d.left = best.ID, b.ticks(boardMS)
	b.at, b.repath = 0, d.left
	return true
}

// free reports whether a vehicle stands still and nobody sits in it who would mind:
// as far as the bot knows, only those of its own side.
func (b *Brain) free(s *Senses, o *Other) bool {
	if o.Vel.LenSq() > 9 {
		return false
	}
	for i := range s.Others {
		w := &s.Others[i]
		if w.Kind == state.KindPlayer && w.Seat != 0 && w.Pos.Dist(o.Pos) < seatM && (w.Team == 0 || w.Team != s.Own.Team) {
			return false
		}
	}
	return true
}

// getIn turns to the vehicle at which the bot stands and presses use.
func (b *Brain) getIn(s *Senses, cmd *state.Cmd) {
	d := &b.driver
	cmd.Buttons &^= state.BtnFire | state.BtnAim
	yaw, pitch := vec.Angles(d.mid.Sub(s.Eye))
	if b.face(yaw, pitch) < 6 {
		b.pressUse(cmd)
	}
}

// pressUse presses use for a tick, and then not for some: to press again before the
// answer is there would undo it.
func (b *Brain) pressUse(cmd *state.Cmd) {
	if d := &b.driver; d.wait <= 0 {
		d.wait = b.ticks(useMS)
		cmd.Buttons |= state.BtnUse
	}
}

// face turns the view as a hand does and returns what is left, degrees.
func (b *Brain) face(yaw, pitch float32) float32 {
	rate := vec.Lerp(220, 520, b.cfg.Skill) / float32(b.cfg.TickRate)
	dy, dp := vec.WrapDeg(yaw-b.yaw), pitch-b.pitch
	b.yaw = vec.WrapDeg(b.yaw + vec.Clamp(dy*0.35, -rate, rate))
	b.pitch = vec.Clamp(b.pitch+vec.Clamp(dp*0.35, -rate, rate), -85, 85)
	return max(vec.Abs(dy), vec.Abs(dp))
}

// alight notes that the bot is on foot; after a ride it walks for a while.
func (b *Brain) alight() {
	d := &b.driver
	if !d.wheel.rides {
		return
	}
	d.wheel.rides = false
	d.want, d.wait = 0, 0
	d.rest = b.ticks(footMS * (1 + b.rng.Float()))
	b.path, b.at, b.repath, b.stuck = b.path[:0], 0, 0, 0
}

// known returns who has an id on the screen, nil for nobody.
func known(s *Senses, id state.ID) *Other {
	for i := range s.Others {
		if o := &s.Others[i]; o.ID == id && id != 0 {
			return o
		}
	}
	return nil
}
