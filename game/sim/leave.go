package sim

import (
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// maxDrops bounds the weapons that lie about; the oldest goes first.
const maxDrops = 128

// dropMS is for how long a dropped weapon lies there, by judgement.
const dropMS = 20000

// drop is a weapon that somebody dead has left. It is a pickup of its own.
type drop struct {
	id   state.ID
	what level.PickupKind
	n    int // rounds
	pos  vec.V3
	at   state.Tick
}

// pickupOf says which pickup a weapon makes when it is left; false of one that nobody
// leaves.
func pickupOf(w uint8) (level.PickupKind, bool) {
	switch w {
	case tables.Rifle:
		return level.PickRifle, true
	case tables.Rocket:
		return level.PickRocket, true
	}
	return 0, false
}

// leaveArms drops the weapon in a dead player's hand, with its rounds.
func (s *Sim) leaveArms(id state.ID) {
	p := &s.bodies[id].p
	what, ok := pickupOf(p.Weapon)
	if !s.cfg.Drops || !ok || p.Ammo[p.Weapon] == 0 {
		return
	}
	if len(s.drops) == maxDrops {
		s.freeDrop(0)
	}
	thing := s.newThing()
	if thing == 0 {
		return
	}
	s.drops = append(s.drops, drop{id: thing, what: what, n: int(p.Ammo[p.Weapon]), pos: s.floorUnder(p.Pos), at: s.tick})
}

// floorUnder returns the floor within a few metres under a place, else the place.
func (s *Sim) floorUnder(at vec.V3) vec.V3 {
	from, to := at, at
	from.Z += 0.25
	to.Z -= 8
	if h := s.scene.Ray(from, to, level.MaskMove); !h.StartSolid && h.Frac < 1 {
		return vec.CanonV(h.End)
	}
	return vec.CanonV(at)
}

// freeDrop removes drop i, keeping the order.
func (s *Sim) freeDrop(i int) {
	s.freed[s.drops[i].id-state.FirstThing] = min(s.tick+1, inUse-1)
	s.drops = append(s.drops[:i], s.drops[i+1:]...)
}

// pickUpDrops gives a player what others have left.
func (s *Sim) pickUpDrops(id state.ID) {
	p := &s.bodies[id].p
	it := &s.cfg.Set.Items
	top := p.Pos.Z + pmove.Body(p, s.move).Max.Z
	for i := 0; i < len(s.drops); {
		d := &s.drops[i]
		k := level.Pickup{Kind: d.what, Value: d.n, Pos: d.pos}
		if p.Pos.Z > d.pos.Z+it.Height || top < d.pos.Z || p.Pos.Sub(d.pos).Len2() > it.Radius || !s.give(p, &k) {
			i++
			continue
		}
		s.emit(state.Event{Kind: state.EvPickup, Actor: id, Param: -int32(d.what), Pos: d.pos})
		s.freeDrop(i)
	}
}

// fadeDrops removes what has lain for long.
func (s *Sim) fadeDrops() {
	for len(s.drops) > 0 && s.tick-s.drops[0].at >= s.ticks(dropMS) {
		s.freeDrop(0)
	}
}

// objective is something that is carried about.
type objective struct {
	id      state.ID // 0: there is none
	carrier state.ID // 0: it lies at pos
	pos     vec.V3
	at      state.Tick
}

// objectiveUp is how high on its carrier an objective is, metres.
const objectiveUp = 1.1

// Objective returns who carries an objective and where it is; false when there is none
// of that number.
func (s *Sim) Objective(n int) (carrier state.ID, at vec.V3, ok bool) {
	if n < 0 || n >= len(s.objectives) || s.objectives[n].id == 0 {
		return 0, vec.V3{}, false
	}
	o := &s.objectives[n]
	return o.carrier, s.objectiveAt(o), true
}

func (s *Sim) objectiveAt(o *objective) vec.V3 {
	if o.carrier == 0 {
		return o.pos
	}
	at := s.bodies[o.carrier].p.Pos
	at.Z += objectiveUp
	return at
}

// opCarry gives an objective to a living player.
func (s *Sim) opCarry(op *rules.Op) Bad {
	if !s.living(op.ID) {
		return BadState
	}
	o := s.objective(int(op.Value))
	if o == nil {
		return BadCount
	}
	o.carrier = op.ID
	return BadNone
}

// opPlace puts an objective down.
func (s *Sim) opPlace(op *rules.Op) Bad {
	if op.Value2 != 0 {
		if o := &s.objectives[op.Value]; o.id != 0 && o.carrier != 0 {
			s.putDown(o)
			return BadNone
		}
		return BadState
	}
	if s.outOfMap(&state.Player{Pos: op.Pos}) {
		return BadPlace
	}
	o := s.objective(int(op.Value))
	if o == nil {
		return BadCount
	}
	o.carrier, o.pos, o.at = 0, vec.CanonV(op.Pos), s.tick
	return BadNone
}

// objective returns number n, made when there is none; nil when things have run out.
func (s *Sim) objective(n int) *objective {
	o := &s.objectives[n]
	if o.id == 0 {
		if o.id = s.newThing(); o.id == 0 {
			return nil
		}
		o.at = s.tick
	}
	return o
}

func (s *Sim) putDown(o *objective) {
	o.pos, o.carrier, o.at = s.floorUnder(s.bodies[o.carrier].p.Pos), 0, s.tick
}

// letGo puts down what a player carries who dies, leaves or looks on.
func (s *Sim) letGo(id state.ID) {
	for i := range s.objectives {
		if o := &s.objectives[i]; o.id != 0 && o.carrier == id {
			s.putDown(o)
		}
	}
}

// removeLeft removes a drop or an objective by the id of its thing.
func (s *Sim) removeLeft(id state.ID) Bad {
	if i := slices.IndexFunc(s.drops, func(d drop) bool { return d.id == id }); i >= 0 {
		s.freeDrop(i)
		return BadNone
	}
	for i := range s.objectives {
		if o := &s.objectives[i]; o.id != 0 && o.id == id {
			s.freed[id-state.FirstThing] = min(s.tick+1, inUse-1)
			*o = objective{}
			return BadNone
		}
	}
	return BadID
}

// listLeft appends what was left and what is carried to things. What is carried is
// where its carrier is, and is owned by it.
func (s *Sim) listLeft() {
	for i := range s.drops {
		d := &s.drops[i]
		s.things = append(s.things, Thing{ID: d.id, Kind: state.KindPickup, Weapon: uint8(d.what), Pos: d.pos, Born: d.at})
	}
	for i := range s.objectives {
		o := &s.objectives[i]
		if o.id == 0 {
			continue
		}
		t := Thing{ID: o.id, Kind: state.KindObjective, Owner: o.carrier, Weapon: uint8(i), Pos: s.objectiveAt(o), Born: o.at}
		if o.carrier != 0 {
			t.Vel, t.Yaw = s.bodies[o.carrier].p.Vel, s.bodies[o.carrier].p.Yaw
		}
		s.things = append(s.things, t)
	}
}
