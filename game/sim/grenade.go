package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// maxGrenades bounds what is in the air; the oldest goes off first.
const maxGrenades = 256

// grenade is a thing that was thrown. It flies, bounces and lies in the present: it is
// too slow for the time that its thrower lies behind to matter.
type grenade struct {
	id       state.ID
	owner    state.ID
	weapon   uint8
	pos, vel vec.V3
	born     state.Tick
	off      state.Tick // when it goes off
	lies     bool
	model    int16 // that it lies on
}

// How grenades move; judgement.
const (
	grenadeHalf  = 0.06 // half its size, metres
	grenadeCarry = 0.5  // share of the thrower's velocity that it takes along
	grenadeDrag  = 0.75 // share of the speed along a surface that is left after striking it
	grenadeRest  = 0.8  // m/s: slower than this on level ground it lies
	grenadeHops  = 4    // surfaces struck in a tick at most
	grenadeLoud  = 1.5  // m/s against a surface that can be heard
)

var grenadeBox = vec.Box{
	Min: vec.V3{X: -grenadeHalf, Y: -grenadeHalf, Z: -grenadeHalf},
	Max: vec.V3{X: grenadeHalf, Y: grenadeHalf, Z: grenadeHalf},
}

// throw starts what a weapon throws at the thrower's eye, or as far in front of a wall
// as it fits.
func (s *Sim) throw(u *pull) {
	w := &s.cfg.Set.Weapons[u.shot.Weapon]
	if len(s.grenades) == maxGrenades {
		s.goOff(&s.grenades[0])
		s.dropGrenade(0)
	}
	id := s.newThing()
	if id == 0 {
		return
	}
	v := u.shot.Dir.Scale(w.Speed).Mad(grenadeCarry, s.bodies[u.id].p.Vel)
	at := u.origin
	if s.scene.Box(at, at, grenadeBox, level.MaskShot).StartSolid {
		at = s.bodies[u.id].p.Pos.Mad(0.5, vec.Up)
	}
	s.grenades = append(s.grenades, grenade{
		id: id, owner: u.id, weapon: u.shot.Weapon, pos: vec.CanonV(at), vel: vec.CanonV(v),
		born: s.tick, off: s.tick + max(s.ticks(w.FuseMS), 1), model: -1,
	})
}

func (s *Sim) dropGrenade(i int) {
	s.freeID(s.grenades[i].id)
	s.grenades = append(s.grenades[:i], s.grenades[i+1:]...)
}

// flyGrenades moves all of them by a tick, and lets those go off whose time it is.
func (s *Sim) flyGrenades() {
	for i := 0; i < len(s.grenades); {
		g := &s.grenades[i]
		gone := false
		if s.tick != g.born {
			gone = !s.moveGrenade(g)
		}
		if !gone && s.reached(g.off) {
			s.goOff(g)
			gone = true
		}
		if gone {
			s.dropGrenade(i)
			continue
		}
		i++
	}
}

// moveGrenade is one tick of flight; false when it has left the world.
func (s *Sim) moveGrenade(g *grenade) bool {
	dt := float32(1) / float32(s.cfg.TickRate)
	if g.lies && s.stays(g) {
		return true
	}
	g.lies, g.model = false, -1
	g.vel.Z -= float32(s.move.Gravity * dt)
	w := &s.cfg.Set.Weapons[g.weapon]
	left := dt
	for range grenadeHops {
		to := g.pos.Mad(left, g.vel)
		h := s.scene.Box(g.pos, to, grenadeBox, level.MaskShot)
		if h.StartSolid {
			g.vel = vec.V3{} // a mover has come over it
			g.lies = true
			break
		}
		g.pos = h.End
		if h.Frac >= 1 {
			break
		}
		left = float32(left * (1 - h.Frac))
		if h.Surf&level.SurfSky != 0 {
			return false
		}
		into := g.vel.Dot(h.Normal)
		if 0-into > grenadeLoud {
			s.emit(state.Event{Kind: state.EvBounce, Actor: g.owner, Weapon: g.weapon, Pos: g.pos, Dir: h.Normal, Param: int32(g.id)})
		}
		along := g.vel.Mad(0-into, h.Normal)
		g.vel = along.Scale(grenadeDrag).Mad(float32((0-into)*w.Bounce), h.Normal)
		if h.Normal.Z > s.move.MinWalkNormal && g.vel.LenSq() < grenadeRest*grenadeRest {
			g.vel, g.lies, g.model = vec.V3{}, true, h.Model
			break
		}
	}
	g.pos, g.vel = vec.CanonV(g.pos), vec.CanonV(g.vel)
	return s.lv.Bounds.Pad(boundsPad).Contains(g.pos) && g.pos.IsFinite() && g.vel.IsFinite()
}

// stays reports whether a lying grenade still lies: a mover takes it along or is gone.
func (s *Sim) stays(g *grenade) bool {
	if g.model <= 0 || int(g.model) >= len(s.poses) {
		return true
	}
	if by := s.poses[g.model].Off.Sub(s.before[g.model].Off); by != (vec.V3{}) {
		h := s.scene.Box(g.pos, g.pos.Add(by), grenadeBox, level.MaskShot)
		if !h.StartSolid {
			g.pos = vec.CanonV(h.End)
		} else if by.Z > 0 {
			g.pos = vec.CanonV(g.pos.Add(by))
		}
	}
	below := g.pos.Mad(-0.05, vec.Up)
	return s.scene.Box(g.pos, below, grenadeBox, level.MaskShot).Frac < 1
}

// goOff ends a grenade with what it is for.
func (s *Sim) goOff(g *grenade) {
	w := &s.cfg.Set.Weapons[g.weapon]
	switch w.Throws {
	case tables.ThrowsSmoke:
		s.Smoke(g.pos, g.owner, g.weapon)
	case tables.ThrowsFlash:
		s.Flash(g.pos, g.owner, g.weapon)
	}
}

// Smoke begins a cloud of a weapon's at a place: the grenade's, or the console's. It
// returns its id, 0 when there is no room for one.
func (s *Sim) Smoke(at vec.V3, by state.ID, weapon uint8) state.ID {
	if !at.IsFinite() || weapon >= tables.NumWeapons || s.cfg.Set.Weapons[weapon].CloudRadius <= 0 {
		return 0
	}
	if len(s.smokes) == scenery.MaxSmokes {
		s.dropSmoke(0)
	}
	id := s.newThing()
	if id == 0 {
		return 0
	}
	at = state.Quant(at).V3()
	tick := s.tick
	if !s.inStep {
		tick++
	}
	s.smokes = append(s.smokes, state.Smoke{
		ID: id, Start: tick, Pos: at,
		Radius: uint16(vec.Floor(float32(s.cfg.Set.Weapons[weapon].CloudRadius*256) + 0.5)),
	})
	s.emit(state.Event{Kind: state.EvSmoke, Actor: by, Target: id, Weapon: weapon, Pos: at})
	return id
}

func (s *Sim) dropSmoke(i int) {
	id := s.smokes[i].ID
	s.freeID(id)
	s.smokes = append(s.smokes[:i], s.smokes[i+1:]...)
	for k := 0; k < len(s.holes); {
		if s.holes[k].Smoke == id {
			s.dropHole(k)
			continue
		}
		k++
	}
}

func (s *Sim) dropHole(i int) {
	s.freeID(s.holes[i].ID)
	s.holes = append(s.holes[:i], s.holes[i+1:]...)
}

// clearSmoke takes away the clouds and holes whose time is over: a second after that
// of holes, so that what shooters saw through them is known.
func (s *Sim) clearSmoke() {
	for i := 0; i < len(s.smokes); {
		if int32(s.tick-s.smokes[i].Start) >= int32(scenery.SmokeTicks(s.cfg.TickRate)) {
			s.dropSmoke(i)
			continue
		}
		i++
	}
	for i := 0; i < len(s.holes); {
		if int32(s.tick-s.holes[i].Start) >= int32(scenery.HoleTicks(s.cfg.TickRate))+int32(s.cfg.TickRate) {
			s.dropHole(i)
			continue
		}
		i++
	}
}

// Blast blows a hole of a radius into every cloud that it is in, unless something
// stands between it and the middle of the cloud. Clouds that begin later have none.
func (s *Sim) Blast(at vec.V3, radius float32) {
	if !(radius > 0) || !at.IsFinite() {
		return
	}
	tick := s.tick
	if !s.inStep {
		tick++
	}
	for i := range s.smokes {
		sm := &s.smokes[i]
		c := scenery.Smoke(sm, tick, 0, s.cfg.TickRate)
		reach := c.Radius + radius
		if sm.Start == tick || c.Radius <= 0 || c.At.DistSq(at) >= float32(reach*reach) || s.scene.Blocked(at, c.At, level.MaskSight) {
			continue
		}
		if len(s.holes) == scenery.MaxHoles {
			s.dropHole(0)
		}
		id := s.newThing()
		if id == 0 {
			return
		}
		s.holes = append(s.holes, state.Hole{
			ID: id, Smoke: sm.ID, Start: tick, Pos: state.Quant(at).V3(), Radius: uint16(vec.Floor(float32(min(radius, 255)*256) + 0.5)),
		})
	}
}

// Half cosines of the view within which a flash blinds fully and not at all: a screen
// shows about 50 degrees to either side.
const (
	flashFull = 0.5
	flashNone = -0.2
	flashNear = 0.15 // share of its range within which distance does not count
)

// Flash blinds everybody who has a place in view, for as long as their view was on
// it. The team of the thrower is not spared, and neither is the thrower.
func (s *Sim) Flash(at vec.V3, by state.ID, weapon uint8) {
	if !at.IsFinite() || weapon >= tables.NumWeapons || s.cfg.Set.Weapons[weapon].FlashRange <= 0 {
		return
	}
	at = vec.CanonV(at)
	w := &s.cfg.Set.Weapons[weapon]
	s.emit(state.Event{Kind: state.EvFlash, Actor: by, Weapon: weapon, Pos: at})
	smoke := &s.then
	smoke.Set(s.smokes, s.holes, s.tick, 0, s.cfg.TickRate)
	for _, id := range s.ids {
		p := &s.bodies[id].p
		if !p.Alive() {
			continue
		}
		eye := pmove.Eye(p, s.move)
		dir, far := at.Sub(eye).Norm()
		if far >= w.FlashRange || smoke.Hide(eye, at) || s.scene.Blocked(eye, at, level.MaskSight) {
			continue
		}
		share := vec.Clamp((dir.Dot(vec.Forward(p.Yaw.Deg(), p.Pitch.Deg()))-flashNone)/(flashFull-flashNone), 0, 1)
		if d := float32(w.FlashRange * flashNear); far > d {
			share = float32(share * (1 - (far-d)/(w.FlashRange-d)))
		}
		ticks := uint16(min(s.ticks(float32(share*(w.FlashMS+w.FadeMS))), 65535))
		if ticks > p.Blind {
			p.Blind = ticks
			p.Forced++
		}
	}
}

// Smokes returns the clouds of the present tick, by their age, and Holes those in them.
func (s *Sim) Smokes() []state.Smoke { return s.smokes }

// Holes returns the holes in Smokes.
func (s *Sim) Holes() []state.Hole { return s.holes }

// smoked reports whether smoke hid one end of a line from the other at an instant that
// somebody saw.
func (s *Sim) smoked(a, b vec.V3, at rewind.Time) bool {
	if len(s.smokes) == 0 {
		return false
	}
	s.then.Set(s.smokes, s.holes, at.Tick, at.Frac, s.cfg.TickRate)
	return s.then.Hide(a, b)
}
