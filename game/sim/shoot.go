package sim

import (
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// ShotResult is what became of a shot.
type ShotResult uint8

// The results.
const (
	ShotMiss   ShotResult = iota // nothing within its range
	ShotWorld                    // the level
	ShotPlayer                   // a player
	ShotFlies                    // a projectile left
)

// ShotRecord explains one shot of the present tick.
type ShotRecord struct {
	Shooter state.ID
	Weapon  uint8
	Seq     uint8
	Tick    state.Tick
	// Claimed256 is the rewind that the server asked for, Used256 what the cap and
	// the history left of it; View is the instant that was tested.
	Claimed256, Used256 uint32
	View                rewind.Time
	Result              ShotResult
	Target              state.ID
	Part                hitbox.Part
	Damage              int32
	Origin, Dir, HitPos vec.V3
}

// LastShots returns the records of the present tick.
func (s *Sim) LastShots() []ShotRecord { return s.shots }

// pull is a trigger pulled in this tick, to be judged when all have moved.
type pull struct {
	id     state.ID
	shot   weapon.Shot
	origin vec.V3
	rewind uint32
}

const (
	maskBurst    = level.MaskShot
	defaultRange = 512 // metres, where a weapon's table says none
)

func (s *Sim) shoot(u *pull) {
	w := &s.cfg.Set.Weapons[u.shot.Weapon]
	rec := ShotRecord{
		Shooter: u.id, Weapon: u.shot.Weapon, Seq: u.shot.Seq, Tick: s.tick,
		Claimed256: u.rewind, View: rewind.Time{Tick: s.tick}, Origin: u.origin, Dir: u.shot.Dir, HitPos: u.origin,
	}
	if w.Projectile {
		rec.Result = ShotFlies
		s.launch(u)
	} else {
		s.hitscan(u, &rec)
	}
	s.shots = append(s.shots, rec)
}

// hitscan tests a bullet against the world as its shooter saw it: doors and
// bodies at one past instant, the shooter's eye now.
func (s *Sim) hitscan(u *pull, rec *ShotRecord) {
	w := &s.cfg.Set.Weapons[u.shot.Weapon]
	reach := w.Range
	if reach <= 0 {
		reach = defaultRange
	}
	rec.View, rec.Used256 = s.past.Back(u.rewind)
	clear(s.pastOffs)
	scenery.Poses(s.lv, s.past.Doors(rec.View.Tick), rec.View.Tick, rec.View.Frac, s.cfg.TickRate, s.pastOffs)
	end := u.origin.Mad(reach, u.shot.Dir)
	wall := s.pastView.Ray(u.origin, end, level.MaskShot)
	rec.HitPos = wall.End
	best := hitbox.Hit{Frac: wall.Frac}
	for _, id := range s.ids {
		if hit, ok := s.bulletMeets(u, id, rec.View, end); ok && hit.Frac < best.Frac {
			best, rec.Target = hit, id
		}
	}
	if rec.Target != 0 {
		rec.Result, rec.Part = ShotPlayer, best.Part
		rec.HitPos = u.origin.Lerp(end, best.Frac)
		amount := float32(w.Damage * hitbox.Factor(best.Part, w))
		s.knock(rec.Target, u.shot.Dir, float32(amount*w.Knockback))
		rec.Damage = s.hurt(blow{
			target: rec.Target, by: u.id, weapon: u.shot.Weapon, amount: amount,
			pos: rec.HitPos, from: u.shot.Dir.Neg(), part: best.Part,
		})
		return
	}
	if wall.Frac < 1 || wall.StartSolid {
		rec.Result = ShotWorld
		if wall.Surf&(level.SurfSky|level.SurfNoImpact) == 0 {
			s.emit(state.Event{Kind: state.EvImpact, Actor: u.id, Weapon: u.shot.Weapon, Pos: wall.End, Dir: wall.Normal})
		}
	}
}

// bulletMeets tests one other player, living now and in the same life then.
func (s *Sim) bulletMeets(u *pull, id state.ID, view rewind.Time, end vec.V3) (hitbox.Hit, bool) {
	b := &s.bodies[id]
	if id == u.id || !b.p.Alive() || int32(view.Tick-b.born) < 0 {
		return hitbox.Hit{}, false
	}
	pose, ok := s.past.At(id, view)
	if !ok {
		return hitbox.Hit{}, false
	}
	// Cheap first: the line must pass within three metres of the feet.
	to := pose.Pos.Sub(u.origin)
	along := vec.Clamp(to.Dot(u.shot.Dir), 0, 1e6)
	if u.origin.Mad(along, u.shot.Dir).DistSq(pose.Pos) > 9 {
		return hitbox.Hit{}, false
	}
	return hitbox.Ray(s.move, pose, u.origin, end)
}
