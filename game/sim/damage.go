package sim

import (
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// blow is one cause of damage.
type blow struct {
	target, by state.ID // by 0: the world
	weapon     uint8
	amount     float32
	pos        vec.V3
	from       vec.V3 // unit vector towards where it comes from; zero: nowhere
	part       hitbox.Part
	through    bool // armour does not help
	certain    bool // not even invulnerability helps
}

// Armour takes this share of a blow while it lasts (Quake III's).
const armorShare = float32(2) / 3

// hurt applies a blow and returns what it took off health and armour together.
func (s *Sim) hurt(b blow) int32 {
	if !s.living(b.target) {
		return 0
	}
	p := &s.bodies[b.target].p
	if (p.Flags&state.Invulnerable != 0 && !b.certain) || !(b.amount > 0) {
		return 0
	}
	if !s.shielded(&b) {
		return 0
	}
	amount := max(vec.Floor(vec.Clamp(b.amount, 0, 100000)+0.5), 1)
	saved := int32(0)
	if !b.through {
		saved = min(int32(p.Armor), vec.Floor(float32(float32(amount)*armorShare)+0.999))
	}
	p.Armor -= int16(saved)
	p.Health = int16(max(int32(p.Health)-(amount-saved), -999))
	s.emit(state.Event{
		Kind: state.EvHurt, Actor: b.by, Target: b.target, Weapon: b.weapon, Param: amount,
		Pos: p.Pos, Dir: b.from, Only: b.target,
	})
	if b.by != 0 && b.by != b.target {
		s.emit(state.Event{
			Kind: state.EvHit, Actor: b.by, Target: b.target, Weapon: b.weapon, Param: amount,
			Pos: b.pos, Only: b.by,
		})
	}
	if p.Health <= 0 {
		s.die(b.target, b.by, b.weapon)
	}
	return amount
}

// die ends a life. What follows is the rules' to say.
func (s *Sim) die(id, by state.ID, with uint8) {
	b := &s.bodies[id]
	p := &b.p
	s.unseat(id)
	p.Flags |= state.Dead
	p.Health = min(p.Health, 0)
	p.Forced++
	b.died = s.tick
	s.letGo(id)
	s.leaveArms(id)
	s.emit(state.Event{Kind: state.EvDeath, Actor: by, Target: id, Weapon: with, Pos: p.Pos})
	s.emit(state.Event{Kind: state.EvKill, Actor: by, Target: id, Weapon: with})
}

// knock adds a blow's push to a player's velocity: predicted state, so its client
// is told that something acted.
func (s *Sim) knock(id state.ID, dir vec.V3, speed float32) {
	if !s.living(id) || !(speed > 0) {
		return
	}
	p := &s.bodies[id].p
	if p.Vehicle != 0 {
		return
	}
	v := p.Vel.Mad(speed, dir)
	if !v.IsFinite() {
		return
	}
	limit := s.move.MaxSpeed
	p.Vel = vec.CanonV(v.Max(vec.V3{X: -limit, Y: -limit, Z: -limit}).Min(vec.V3{X: limit, Y: limit, Z: limit}))
	p.MoveTimer = max(p.MoveTimer, weapon.Ticks(s.move.KnockbackMS, s.cfg.TickRate))
	p.Forced++
}

// splash hurts and throws everybody near a burst whom it can reach. skip has had
// its share already.
func (s *Sim) splash(r *rocket, at vec.V3, skip state.ID) {
	w := &s.cfg.Set.Weapons[r.weapon]
	if w.SplashRadius <= 0 {
		return
	}
	s.splashCars(at, w.SplashRadius, w.SplashDamage, r.owner)
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if id == skip || !p.Alive() {
			continue
		}
		box := pmove.Body(p, s.move).Move(p.Pos)
		near := at.Max(box.Min).Min(box.Max)
		d := near.Dist(at)
		if d >= w.SplashRadius || !s.reaches(at, p, box) {
			continue
		}
		amount := float32(w.SplashDamage * (1 - d/w.SplashRadius))
		dir := box.Center().Sub(at)
		dir.Z += splashLift
		dir = dir.Unit()
		s.knock(id, dir, float32(amount*w.Knockback))
		if id == r.owner {
			amount = float32(amount * w.SelfFactor)
		}
		s.hurt(blow{target: id, by: r.owner, weapon: r.weapon, amount: amount, pos: near, from: dir.Neg()})
	}
	s.blast(r, at)
}

// splashLift raises a burst's push, so that it throws rather than shoves (Quake
// III's 24 units).
const splashLift = 0.75

// reaches reports whether a burst has a clear line to some part of a body.
func (s *Sim) reaches(at vec.V3, p *state.Player, box vec.Box) bool {
	c := box.Center()
	low := c
	low.Z = box.Min.Z + 0.1
	return !s.scene.Blocked(at, c, maskBurst) || !s.scene.Blocked(at, pmove.Eye(p, s.move), maskBurst) ||
		!s.scene.Blocked(at, low, maskBurst)
}
