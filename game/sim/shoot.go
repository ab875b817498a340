package sim

import (
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
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
	ShotGone                     // a body as its shooter saw it, whose life has ended since
	NumShotResults
)

var shotResults = [NumShotResults]string{"missed", "struck the level", "hit", "projectile left", "too late"}

func (r ShotResult) String() string {
	if r < NumShotResults {
		return shotResults[r]
	}
	return "unknown"
}

// ShotWhy explains a result.
type ShotWhy uint8

// The reasons.
const (
	WhyNothing ShotWhy = iota // nobody was near its line
	WhyHit
	WhyMissed       // it passed beside Near
	WhyBlocked      // the level, a door perhaps, stood before Near
	WhyCapped       // it passed beside Near, whom its shooter saw longer ago than the cap allows
	WhyDead         // Target was dead already
	WhyInvulnerable // Target took no harm
	WhyUnshown      // it hit Target, whom the shooter's client did not show
	WhyRefused      // it would have hit Refused, whom the shooter's client did not show
	WhyFlying       // a projectile is on its way
	NumShotWhys
)

var shotWhys = [NumShotWhys]string{
	"nobody near its line", "hit", "passed beside", "the level stood before", "seen longer ago than the cap allows",
	"was dead already", "takes no damage", "hit somebody not shown", "refused: not shown", "on its way",
}

func (w ShotWhy) String() string {
	if w < NumShotWhys {
		return shotWhys[w]
	}
	return "unknown"
}

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
	Capped              bool // the cap took something away
	Result              ShotResult
	Why                 ShotWhy
	Target              state.ID
	Part                hitbox.Part
	Damage              int32
	Killed              bool
	Origin, Dir, HitPos vec.V3

	// Near is whom the shot hit or passed closest by, Pose how it stood at NearView,
	// NearGap how far from its middle the line went, metres; NearView is earlier than
	// View for somebody who is sent more rarely. Sight says how the shooter's client
	// showed it.
	Near     state.ID
	NearView rewind.Time
	NearGap  float32
	Pose     hitbox.Pose
	Sight    rewind.Sight
	// Short says that the cap did not leave enough for the delay of Near.
	Short   bool
	Refused state.ID // whom lag.unshown kept from being hit
	// Smoked says that smoke hid Target from the shooter's eye at NearView: it fired
	// through it.
	Smoked bool
	// Replayed says that the shooter had been thrown or pushed without its client
	// knowing yet, and that the shot left from where the client showed it.
	Replayed bool
	Panes    int // how many panes it went through
}

// LastShots returns the records of the present tick.
func (s *Sim) LastShots() []ShotRecord { return s.shots }

// pull is a trigger pulled in this tick, to be judged when all have moved.
type pull struct {
	id      state.ID
	shot    weapon.Shot
	origin  vec.V3
	rewind  uint32
	tracked bool
	had     state.Tick
	// replayed says that shot and origin are those that the client has shown.
	replayed bool
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
		Replayed: u.replayed,
	}
	switch {
	case w.Throws != tables.ThrowsNothing:
		rec.Result, rec.Why = ShotFlies, WhyFlying
		s.throw(u)
	case w.Projectile:
		rec.Result, rec.Why = ShotFlies, WhyFlying
		s.launch(u, &rec)
	case w.Melee:
		s.past256(u, &rec, s.meleeCap)
		s.strike(u, &rec, w.Range, w.SweepRadius)
	default:
		reach := w.Range
		if reach <= 0 {
			reach = defaultRange
		}
		s.past256(u, &rec, s.past.Cap256())
		s.strike(u, &rec, reach, 0)
	}
	s.shots = append(s.shots, rec)
}

// past256 finds the instant that a shot is tested at, under a cap.
func (s *Sim) past256(u *pull, rec *ShotRecord, most uint32) {
	rec.View, rec.Used256 = s.past.Back(min(u.rewind, most))
	rec.Capped = rec.Used256 < u.rewind
}

// pastScene returns the level with its movers as a player saw them: as they were,
// but for the one that it rides, which its client predicts.
func (s *Sim) pastScene(t rewind.Time, of state.ID) *trace.Scene {
	clear(s.pastOffs)
	scenery.Poses(s.lv, s.past.Doors(t.Tick), t.Tick, t.Frac, s.cfg.TickRate, s.pastOffs)
	scenery.PutPieces(s.lv, s.past.Gone(t.Tick), s.pastOffs)
	if s.Present(of) {
		p := &s.bodies[of].p
		if _, piece := s.pieceOf(p.Ground); !piece && p.Ground > 0 && int(p.Ground) < len(s.pastOffs) {
			s.pastOffs[p.Ground] = s.poses[p.Ground]
		}
	}
	return &s.pastView
}

// candidate is somebody whom a shot may meet.
type candidate struct {
	id    state.ID
	view  rewind.Time
	pose  hitbox.Pose
	sight rewind.Sight
	gone  bool // the life in which it was seen has ended
	short bool
}

// strike tests a bullet, or with a radius a blow, against the world as its shooter
// saw it: doors and bodies in the past, the shooter's eye now. Nothing live is
// touched but by its result.
func (s *Sim) strike(u *pull, rec *ShotRecord, reach, radius float32) {
	w := &s.cfg.Set.Weapons[u.shot.Weapon]
	scene := s.pastScene(rec.View, u.id)
	end := u.origin.Mad(reach, u.shot.Dir)
	wall, car := s.carBefore(s.through(u, end), u.origin, end, u.id, &rec.View)
	rec.HitPos = wall.End
	best, far, refused := hitbox.Hit{Frac: wall.Frac}, hitbox.Hit{Frac: 2}, hitbox.Hit{Frac: 2}
	var met, behind candidate
	rec.NearGap = nearMost
	for _, id := range s.ids {
		c, ok := s.seenBy(u, id, rec)
		if !ok {
			continue
		}
		gap := s.gap(u, &c, end)
		hit, ok := hitbox.Sweep(s.moveAt(c.view), c.pose, u.origin, end, radius)
		if gap < rec.NearGap && met.id == 0 {
			rec.near(&c, gap)
		}
		if !ok {
			continue
		}
		if radius > 0 && scene.Blocked(u.origin, u.origin.Lerp(end, hit.Frac), level.MaskShot) {
			hit.Frac = max(hit.Frac, wall.Frac) // round a corner
		}
		switch {
		case hit.Frac < best.Frac && !c.sight.Shown() && s.cfg.RefuseUnshown && !w.Melee:
			if hit.Frac < refused.Frac {
				refused, rec.Refused = hit, id
			}
		case hit.Frac < best.Frac:
			best, met = hit, c
			rec.near(&c, gap)
		case hit.Frac < far.Frac:
			far, behind = hit, c
		}
	}
	if refused.Frac > best.Frac {
		rec.Refused = 0 // behind what it met
	}
	share := s.shatter(u, rec, best.Frac)
	switch {
	case met.id != 0:
		rec.Target, rec.Part = met.id, best.Part
		rec.Smoked = s.smoked(u.origin, u.origin.Lerp(end, best.Frac), met.view)
		rec.HitPos = u.origin.Lerp(end, best.Frac)
		if met.gone {
			rec.Result, rec.Why = ShotGone, WhyDead
			return
		}
		s.wound(u, rec, w, share)
		return
	case rec.Refused != 0:
		rec.Why = WhyRefused
	case behind.id != 0:
		rec.near(&behind, s.gap(u, &behind, end))
		rec.Why = WhyBlocked
	case rec.Near != 0 && rec.Capped:
		rec.Why = WhyCapped
	case rec.Near != 0:
		rec.Why = WhyMissed
	}
	if wall.Frac < 1 || wall.StartSolid {
		rec.Result = ShotWorld
		if wall.Surf&(level.SurfSky|level.SurfNoImpact) == 0 {
			s.emit(state.Event{Kind: state.EvImpact, Actor: u.id, Weapon: u.shot.Weapon, Pos: wall.End, Dir: wall.Normal})
		}
		if i, ok := s.pieceOf(wall.Model); ok {
			s.damage(i, harm{by: u.id, weapon: u.shot.Weapon, amount: float32(w.Damage * share), dir: u.shot.Dir})
		}
		if car >= 0 {
			s.hurtCar(car, float32(w.Damage*share), u.id)
		}
	}
}

// wound hurts the target of a shot that hit.
func (s *Sim) wound(u *pull, rec *ShotRecord, w *tables.Weapon, share float32) {
	rec.Result, rec.Why = ShotPlayer, WhyHit
	if !rec.Sight.Shown() {
		rec.Why = WhyUnshown
	}
	amount := float32(float32(w.Damage*hitbox.Factor(rec.Part, w)) * share)
	s.knock(rec.Target, u.shot.Dir, float32(amount*w.Knockback))
	was := s.bodies[rec.Target].p.Alive()
	rec.Damage = s.hurt(blow{
		target: rec.Target, by: u.id, weapon: u.shot.Weapon, amount: amount,
		pos: rec.HitPos, from: u.shot.Dir.Neg(), part: rec.Part,
	})
	rec.Killed = was && !s.bodies[rec.Target].p.Alive()
	switch {
	case !was: // by another shot of this tick
		rec.Why = WhyDead
	case rec.Damage == 0:
		rec.Why = WhyInvulnerable
	}
}

// nearMost is how far from somebody's middle a shot may pass and still be said to
// have passed by, metres.
const nearMost = 3

// near notes whom a shot passed.
func (r *ShotRecord) near(c *candidate, gap float32) {
	r.Near, r.NearGap, r.NearView = c.id, gap, c.view
	r.Pose, r.Sight, r.Short = c.pose, c.sight, c.short
}

// gap returns how far from the middle of a body the line goes.
func (s *Sim) gap(u *pull, c *candidate, end vec.V3) float32 {
	mid, m := c.pose.Pos, s.moveAt(c.view)
	mid.Z += float32(0.5 * vec.Lerp(m.StandHeight, m.CrouchHeight, float32(c.pose.Duck)/255))
	along := vec.Clamp(mid.Sub(u.origin).Dot(u.shot.Dir), 0, u.origin.Dist(end))
	return u.origin.Mad(along, u.shot.Dir).Dist(mid)
}

// farOff is how far from a shot's line a body's place in the history may be for its
// drawn one still to be near, metres.
const farOff = 8

// seenBy finds somebody as the shooter saw it: alive at that time, though perhaps
// not any more.
func (s *Sim) seenBy(u *pull, id state.ID, rec *ShotRecord) (c candidate, ok bool) {
	if id == u.id {
		return c, false
	}
	c.id, c.view = id, rec.View
	if u.tracked {
		if late := s.seen.Delay(u.id, id, rec.View.Tick); late != 0 {
			want := rec.Used256 + late
			var used uint32
			c.view, used = s.past.Back(want)
			c.short = used < want || rec.Capped
		}
	}
	// Cheap first: the line must pass near where it was.
	a, stored := s.past.Sample(id, c.view.Tick)
	if !stored {
		return c, false
	}
	to := a.Pos.V3().Sub(u.origin)
	along := vec.Clamp(to.Dot(u.shot.Dir), 0, 1e6)
	if u.origin.Mad(along, u.shot.Dir).DistSq(a.Pos.V3()) > farOff*farOff {
		return c, false
	}
	life := c.view.Tick
	if u.tracked {
		at, alive, since, how := s.seen.Look(s.past, u.id, id, c.view, u.had)
		c.sight, life = how, since
		if how.Shown() && !alive {
			return c, false
		}
		c.pose = hitbox.Pose{Pos: at.Pos, Yaw: at.Yaw, Duck: at.Duck, Lean: at.Lean}
	}
	if !u.tracked || !c.sight.Shown() {
		life = c.view.Tick
		if c.pose, ok = s.past.At(id, c.view); !ok {
			return c, false
		}
	}
	b := &s.bodies[id]
	c.gone = !b.p.Alive() || int32(life-b.born) < 0
	return c, true
}
