package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// maxRockets bounds the projectiles in flight; the oldest burst first.
const maxRockets = 1024

// rocket is a projectile. Its place is a function of how it started and the tick:
// weapon.RocketPos.
type rocket struct {
	id         state.ID
	owner      state.ID
	weapon     uint8
	origin     vec.V3
	dir        vec.V3
	yaw, pitch state.Angle16
	born       state.Tick
	pos        vec.V3
}

// launch starts a projectile at the shooter's eye. It moves from the next tick on.
func (s *Sim) launch(u *pull) {
	if len(s.rockets) == maxRockets {
		s.burst(&s.rockets[0], s.rockets[0].pos, vec.Up, 0)
		s.free(0)
	}
	id := s.newThing()
	if id == 0 {
		return
	}
	s.rockets = append(s.rockets, rocket{
		id: id, owner: u.id, weapon: u.shot.Weapon, origin: u.origin, dir: u.shot.Dir,
		yaw: u.shot.Yaw, pitch: u.shot.Pitch, born: s.tick, pos: u.origin,
	})
}

// newThing returns an id that was not in use within the last second, 0 when there
// is none. Pickups own the first ids.
func (s *Sim) newThing() state.ID {
	n := state.FreeThings - len(s.spots)
	for range n {
		i := len(s.spots) + s.nextID
		s.nextID = (s.nextID + 1) % n
		if s.freed[i] == 0 || (s.freed[i] != inUse && s.tick-s.freed[i] >= state.Tick(s.cfg.TickRate)) {
			s.freed[i] = inUse
			return state.FirstThing + state.ID(i)
		}
	}
	return 0
}

const inUse = ^state.Tick(0)

// free removes rocket i, keeping the order.
func (s *Sim) free(i int) {
	s.freed[s.rockets[i].id-state.FirstThing] = min(s.tick+1, inUse-1)
	s.rockets = append(s.rockets[:i], s.rockets[i+1:]...)
}

func (s *Sim) flyRockets() {
	for i := 0; i < len(s.rockets); {
		if s.fly(&s.rockets[i]) {
			i++
			continue
		}
		s.free(i)
	}
}

// fly moves a projectile by one tick; false when that ended it.
func (s *Sim) fly(r *rocket) bool {
	age := s.tick - r.born
	if age == 0 {
		return true
	}
	w := &s.cfg.Set.Weapons[r.weapon]
	to := weapon.RocketPos(r.origin, r.dir, w.Speed, float32(age), s.cfg.TickRate)
	wall := s.scene.Ray(r.pos, to, level.MaskShot)
	at, best, target := wall.End, wall.Frac, state.ID(0)
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if id == r.owner || !p.Alive() {
			continue
		}
		if f, ok := enters(pmove.Body(p, s.move).Move(p.Pos), r.pos, to); ok && (f < best || f == 0) {
			best, target = f, id
			at = r.pos.Lerp(to, f)
		}
	}
	switch {
	case target != 0:
		dmg := w.Damage
		s.knock(target, r.dir, float32(dmg*w.Knockback))
		s.hurt(blow{target: target, by: r.owner, weapon: r.weapon, amount: dmg, pos: at, from: r.dir.Neg()})
		s.burst(r, at, r.dir.Neg(), target)
		return false
	case wall.Frac < 1 || wall.StartSolid:
		if wall.Surf&(level.SurfSky|level.SurfNoImpact) == 0 {
			s.burst(r, wall.End.Mad(burstLift, wall.Normal), wall.Normal, 0)
		}
		return false
	case age >= s.ticks(w.LifeMS):
		s.burst(r, to, r.dir.Neg(), 0)
		return false
	case !s.lv.Bounds.Pad(boundsPad).Contains(to):
		return false
	}
	r.pos = to
	return true
}

// burstLift takes a burst off the wall that it struck, in metres, so that the wall
// does not shadow it.
const burstLift = 0.03

// burst ends a projectile with noise. skip was struck itself.
func (s *Sim) burst(r *rocket, at, normal vec.V3, skip state.ID) {
	s.emit(state.Event{
		Kind: state.EvExplode, Actor: r.owner, Weapon: r.weapon, Pos: at, Dir: normal, Param: int32(r.id),
	})
	s.splash(r, at, skip)
}

// enters returns where the line a..b enters a box, as a fraction.
func enters(box vec.Box, a, b vec.V3) (float32, bool) {
	lo, hi := float32(0), float32(1)
	d := b.Sub(a)
	for i := range 3 {
		p, v, mn, mx := a.At(i), d.At(i), box.Min.At(i), box.Max.At(i)
		if v == 0 {
			if p < mn || p > mx {
				return 0, false
			}
			continue
		}
		t0, t1 := (mn-p)/v, (mx-p)/v
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		lo, hi = max(lo, t0), min(hi, t1)
		if lo > hi {
			return 0, false
		}
	}
	return lo, true
}
