package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// useReach is how far from the eye a door may be that is used, metres: an arm and a
// step.
const useReach = 2

// useDoors opens and closes what living players look at as they press the use key.
// Pressed while walking slowly it is used lightly: the door goes ajar. It is not
// predicted: the door swings when the server's word of it is shown.
func (s *Sim) useDoors() {
	for _, id := range s.ids {
		b := &s.bodies[id]
		was := b.using
		b.using = b.cmd.Buttons&state.BtnUse != 0
		if !b.using || was || b.starved || !b.p.Alive() || b.p.Flags&state.Frozen != 0 || len(s.lv.Doors) == 0 {
			continue
		}
		eye := pmove.Eye(&b.p, s.move)
		look := vec.Forward(b.cmd.Yaw.Deg(), state.ClampPitch(b.cmd.Pitch).Deg())
		hit := s.scene.Ray(eye, eye.Mad(useReach, look), level.MaskMove)
		if hit.Model <= 0 {
			continue
		}
		for i := range s.lv.Doors {
			if d := &s.lv.Doors[i]; d.Use && d.Model == int(hit.Model) {
				s.use(i, eye, b.cmd.Buttons&state.BtnWalk != 0)
				break
			}
		}
	}
}

// use sends a door and its group where the use of it at a place asks for.
func (s *Sim) use(i int, from vec.V3, lightly bool) {
	to := scenery.Open
	switch now := scenery.GoalOf(&s.lv.Doors[i], s.doors[i]); {
	case lightly && now == scenery.Ajar, !lightly && now == scenery.Open:
		to = scenery.Close
	case lightly && s.lv.Doors[i].Hinged():
		to = scenery.Ajar
	case now == scenery.Open:
		to = scenery.Close
	}
	s.sendDoors(i, to, from)
}

// sendDoors sends a door and its group somewhere, away from a place where they swing
// both ways.
func (s *Sim) sendDoors(i int, to scenery.Goal, from vec.V3) {
	lead := s.swing[i].lead
	for k := range s.lv.Doors {
		if s.swing[k].lead != lead {
			continue
		}
		d, was := &s.lv.Doors[k], s.doors[k]
		s.doors[k] = scenery.Send(d, was, to, s.towards(k, from), s.tick, s.cfg.TickRate)
		if s.doors[k] != was {
			s.doorMoved(k)
		}
	}
	s.hold(i)
	l := &s.swing[lead]
	l.touched = false
	l.away = (to != scenery.Close) != l.rest
}

// towards reports whether a door's leaf swings towards a place as it opens to its first
// side.
func (s *Sim) towards(i int, from vec.V3) bool {
	d := &s.lv.Doors[i]
	if !d.Both || !s.swing[i].model {
		return false
	}
	leaf := s.lv.Models[d.Model].Bounds.Center().Sub(d.Hinge)
	way := vec.V3{X: 0 - leaf.Y, Y: leaf.X}.Scale(d.Swing)
	return way.Dot(from.Sub(d.Hinge).Sub(leaf).Flat()) > 0
}

// obstructed reports whether a hinged door is inside a living body that cannot be
// pushed out of its way. What can is pushed by its own step, which its client predicts.
func (s *Sim) obstructed(i int) bool {
	m := s.lv.Doors[i].Model
	if !s.swing[i].model || s.poses[m] == s.before[m] {
		return false
	}
	at := s.poses[m].Bounds(s.lv.Models[m].Bounds)
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if !p.Alive() || !pmove.Body(p, s.move).Move(p.Pos).Overlaps(at) {
			continue
		}
		if !pmove.Yields(p, pmove.Env{World: s.scene, Move: s.move, TickRate: s.cfg.TickRate, Poses: s.poses, Before: s.before}) {
			return true
		}
	}
	return false
}
