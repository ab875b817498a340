package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
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
	ahead      uint32 // 256ths of a tick that it had flown already in the tick born
	pos        vec.V3
	speed      float32 // of the tables that it was fired by, m/s
}

// age returns for how many 256ths of a tick a projectile has flown.
func (r *rocket) age(now state.Tick) uint32 { return uint32(now-r.born)*256 + r.ahead }

// launch starts a projectile at the shooter's eye, at the time that the shooter saw
// around it: what it would have met since then, doors and bodies where they were, it
// meets now. From the next tick on it flies in the present.
func (s *Sim) launch(u *pull, rec *ShotRecord) {
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
		speed: s.cfg.Set.Weapons[u.shot.Weapon].Speed,
	})
	s.past256(u, rec, s.flightCap)
	if !s.catchUp(&s.rockets[len(s.rockets)-1], rec) {
		s.free(len(s.rockets) - 1)
	}
}

// catchUp flies a new projectile from the instant of rec.View to the present; false
// when that ended it.
func (s *Sim) catchUp(r *rocket, rec *ShotRecord) bool {
	at := rec.View
	for at.Tick != s.tick {
		r.ahead += 256 - uint32(at.Frac)
		at = rewind.Time{Tick: at.Tick + 1}
		ok, target := s.flyTo(r, r.ahead, s.pastScene(at, r.owner), &at)
		rec.HitPos = r.pos
		if !ok {
			if target != 0 {
				rec.Result, rec.Why, rec.Target, rec.Near, rec.NearView = ShotPlayer, WhyHit, target, target, at
				rec.Killed = !s.bodies[target].p.Alive()
			}
			return false
		}
	}
	return true
}

// newThing returns an id that was not in use within the last second, 0 when there
// is none. Pickups own the first ids.
func (s *Sim) newThing() state.ID {
	n := state.FreeThings - len(s.spots) - maxCars
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
	s.freeID(s.rockets[i].id)
	s.rockets = append(s.rockets[:i], s.rockets[i+1:]...)
}

// freeID gives a thing's id back.
func (s *Sim) freeID(id state.ID) { s.freed[id-state.FirstThing] = min(s.tick+1, inUse-1) }

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
	if s.tick == r.born {
		return true
	}
	ok, _ := s.flyTo(r, r.age(s.tick), &s.scene, nil)
	return ok
}

// flyTo moves a projectile on to an age, through a level and bodies as they are, or
// as they were at an instant; false when that ended it, with whom it struck.
func (s *Sim) flyTo(r *rocket, age uint32, scene *trace.Scene, then *rewind.Time) (bool, state.ID) {
	w := &s.cfg.Set.Weapons[r.weapon]
	to := weapon.RocketPos(r.origin, r.dir, r.speed, float32(age)/256, s.cfg.TickRate)
	wall := scene.Ray(r.pos, to, level.MaskShot)
	wall, _ = s.carBefore(wall, r.pos, to, r.owner, then)
	at, best, target := wall.End, wall.Frac, state.ID(0)
	for _, id := range s.ids {
		if id == r.owner {
			continue
		}
		box, ok := s.bodyAt(id, then)
		if !ok {
			continue
		}
		if f, ok := box.Enter(r.pos, to.Sub(r.pos)); ok && (f < best || f == 0) {
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
		r.pos = at
		return false, target
	case wall.Frac < 1 || wall.StartSolid:
		if i, ok := s.pieceOf(wall.Model); ok {
			s.damage(i, harm{by: r.owner, weapon: r.weapon, amount: w.Damage, dir: r.dir, burst: true})
		}
		if wall.Surf&(level.SurfSky|level.SurfNoImpact) == 0 {
			s.burst(r, wall.End.Mad(burstLift, wall.Normal), wall.Normal, 0)
		}
		r.pos = wall.End
		return false, 0
	case state.Tick(age/256) >= s.ticks(w.LifeMS):
		s.burst(r, to, r.dir.Neg(), 0)
		return false, 0
	case !s.lv.Bounds.Pad(boundsPad).Contains(to):
		return false, 0
	}
	r.pos = to
	return true, 0
}

// bodyAt returns the box of a body that lives, now or, when then is not nil, at that
// instant of this life.
func (s *Sim) bodyAt(id state.ID, then *rewind.Time) (vec.Box, bool) {
	b := &s.bodies[id]
	if !b.p.Alive() {
		return vec.Box{}, false
	}
	if then == nil {
		return pmove.Body(&b.p, s.move).Move(b.p.Pos), true
	}
	pose, ok := s.past.At(id, *then)
	if !ok || int32(then.Tick-b.born) < 0 {
		return vec.Box{}, false
	}
	m := s.moveAt(*then)
	w, h := m.HalfWidth, vec.Lerp(m.StandHeight, m.CrouchHeight, float32(pose.Duck)/255)
	return vec.Box{Min: vec.V3{X: -w, Y: -w}, Max: vec.V3{X: w, Y: w, Z: h}}.Move(pose.Pos), true
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
	s.Blast(at, s.cfg.Set.Weapons[r.weapon].HoleRadius)
}
