package sim

import (
	"cmp"
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// swing is what is remembered of a door besides its state.
type swing struct {
	lead    int        // the first door of its group, which keeps the two below
	touched bool       // somebody is in a trigger of the group in this tick
	stands  bool       // in this door's: scratch
	by      vec.V3     // where whoever stands there is
	until   state.Tick // when the group goes back to rest
	away    bool       // the group is not at rest, or on the way from it
	rest    bool       // where the door rests: open or closed
	stays   bool       // never goes back by itself
	model   bool       // the door's model exists
}

func (s *Sim) initDoors() {
	s.sortTriggers()
	s.doors = make([]state.DoorState, len(s.lv.Doors))
	s.swing = make([]swing, len(s.lv.Doors))
	for i := range s.lv.Doors {
		d := &s.lv.Doors[i]
		w := &s.swing[i]
		w.lead, w.rest, w.stays = i, d.StartOpen, d.Wait < 0
		w.model = d.Model > 0 && d.Model < len(s.poses)
		for j := range i {
			if s.lv.Doors[j].Group == d.Group {
				w.lead = j
				break
			}
		}
		s.doors[i] = scenery.Rest(d, s.cfg.First)
	}
}

// moveDoors decides where every door goes and where it is in this tick.
func (s *Sim) moveDoors() {
	s.useDoors()
	s.touchDoors()
	for i := range s.lv.Doors {
		lead := &s.swing[s.swing[i].lead]
		switch {
		case lead.touched:
			lead.away = true
			if d := &s.lv.Doors[i]; d.Both && s.doors[i].From == 0 && !s.doors[i].Open {
				s.doors[i] = scenery.Send(d, s.doors[i], scenery.Open, s.towards(i, lead.by), s.tick, s.cfg.TickRate)
				s.doorMoved(i)
				continue
			}
			s.turnDoor(i, !s.swing[i].rest)
		case lead.away && !lead.stays && s.reached(lead.until):
			s.turnDoor(i, s.swing[i].rest)
		}
	}
	copy(s.before, s.poses)
	scenery.Poses(s.lv, s.doors, s.tick, 0, s.cfg.TickRate, s.poses)
	for i := range s.lv.Doors {
		if s.lv.Doors[i].Hinged() {
			if s.obstructed(i) {
				s.reverse(i)
			}
			continue
		}
		if s.doors[i].Open == s.swing[i].rest && s.blocked(i) {
			s.reverse(i)
		}
	}
}

// trigger is the volume that opens a door.
type trigger struct {
	box  vec.Box
	door int
}

// sortTriggers puts the doors' triggers in order, so that a body need not be held
// against all of them.
func (s *Sim) sortTriggers() {
	for i := range s.lv.Doors {
		if b := s.lv.Doors[i].Trigger; !b.IsEmpty() {
			s.trigger = append(s.trigger, trigger{b, i})
			s.widest = max(s.widest, b.Max.X-b.Min.X)
		}
	}
	s.widest += 1.0 / 16 // more than rounding
	slices.SortStableFunc(s.trigger, func(a, b trigger) int { return cmp.Compare(a.box.Min.X, b.box.Min.X) })
}

// touchDoors finds who stands in a trigger, and prolongs the group's stay.
func (s *Sim) touchDoors() {
	for i := range s.swing {
		s.swing[i].touched = false
	}
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if !p.Alive() {
			continue
		}
		box := pmove.Body(p, s.move).Move(p.Pos)
		from, _ := slices.BinarySearchFunc(s.trigger, box.Min.X-s.widest, func(t trigger, x float32) int { return cmp.Compare(t.box.Min.X, x) })
		for k := from; k < len(s.trigger) && s.trigger[k].box.Min.X <= box.Max.X; k++ {
			if box.Overlaps(s.trigger[k].box) {
				s.swing[s.trigger[k].door].stands = true
				s.swing[s.trigger[k].door].by = p.Pos
			}
		}
	}
	for i := range s.swing {
		if s.swing[i].stands {
			s.swing[i].stands = false
			s.swing[s.swing[i].lead].by = s.swing[i].by
			s.hold(i)
		}
	}
}

// hold sends a door's group away from its rest for its time.
func (s *Sim) hold(i int) {
	d := &s.lv.Doors[i]
	lead := &s.swing[s.swing[i].lead]
	travel := float32(0)
	if d.Speed > 0 {
		travel = d.Length() / d.Speed
	}
	until := s.tick + s.ticks(float32((travel+max(d.Wait, 0))*1000))
	if !lead.touched || int32(until-lead.until) > 0 {
		lead.until = until
	}
	lead.touched = true
}

// turnDoor sends one door to open or to closed.
func (s *Sim) turnDoor(i int, open bool) {
	was := s.doors[i]
	s.doors[i] = scenery.Turn(&s.lv.Doors[i], was, open, s.tick, s.cfg.TickRate)
	if s.doors[i] != was {
		s.doorMoved(i)
	}
}

// blocked reports whether a living body that is not riding is inside the door.
func (s *Sim) blocked(i int) bool {
	m := s.lv.Doors[i].Model
	if !s.swing[i].model || s.poses[m] == s.before[m] {
		return false
	}
	at := s.poses[m].Bounds(s.lv.Models[m].Bounds)
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if !p.Alive() || (p.Flags&state.OnGround != 0 && int(p.Ground) == m) {
			continue
		}
		box := pmove.Body(p, s.move)
		if !box.Move(p.Pos).Overlaps(at) {
			continue
		}
		if h := s.scene.Box(p.Pos, p.Pos, box, level.MaskMove); h.StartSolid && int(h.Model) == m {
			return true
		}
	}
	return false
}

// reverse sends a door back from where it was in the tick before. Its group holds
// anew.
func (s *Sim) reverse(i int) {
	d := &s.lv.Doors[i]
	f := scenery.Frac(d, s.doors[i], s.tick-1, 0, s.cfg.TickRate)
	if int32(s.tick-s.doors[i].Start) <= 0 {
		f = scenery.Frac(d, s.doors[i], s.doors[i].Start, 0, s.cfg.TickRate)
	}
	to := scenery.Close
	if !s.doors[i].Open {
		to = scenery.Open
	}
	s.doors[i] = scenery.Between(d, s.doors[i], to, scenery.Other(d, s.doors[i]), f, s.tick)
	if s.swing[i].model {
		s.poses[d.Model] = scenery.Pose(d, s.doors[i], s.tick, 0, s.cfg.TickRate)
	}
	lead := &s.swing[s.swing[i].lead]
	lead.away = true
	s.hold(i)
	lead.touched = false
	s.doorMoved(i)
}

// reach of a door's change: who is this close, in metres, could have run into it
// before hearing of it (10 m/s for half a second, and the door's own way).
const doorReach = 6

// doorMoved tells of a change, also to the clients that predict against the door
// or ride it: to them it is an outside force.
func (s *Sim) doorMoved(i int) {
	d := &s.lv.Doors[i]
	e := state.Event{Kind: state.EvDoor, Param: int32(i), Pos: d.Trigger.Center()}
	if s.swing[i].model {
		b := s.lv.Models[d.Model].Bounds
		e.Pos = s.poses[d.Model].Bounds(b).Center()
		near := d.Sweep(b).Pad(doorReach)
		for _, id := range s.ids {
			if p := &s.bodies[id].p; p.Alive() && near.Contains(p.Pos) {
				p.Forced++
			}
		}
	}
	s.emit(e)
}
