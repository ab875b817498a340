package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/game/weapon"
)

// turn is one player's part of a tick.
func (s *Sim) turn(id state.ID) {
	b := &s.bodies[id]
	p := &b.p
	eye := pmove.Eye(p, s.move)
	cmd := vehicle.Hands(p, s.cfg.Set.Vehicles[:], b.cmd)
	out := pmove.Step(p, cmd, pmove.Env{
		World: s.around(id), Vehicles: s.cfg.Set.Vehicles[:], Move: s.move, TickRate: s.cfg.TickRate,
		Pads: s.lv.Pads, Poses: s.poses, Before: s.before, AimSpeed: weapon.AimSpeed(p, &s.cfg.Set),
	})
	w := weapon.Step(p, cmd, weapon.Env{Set: &s.cfg.Set, TickRate: s.cfg.TickRate, SpreadSeed: b.seed, Tick: s.tick})
	if p.Flags&state.Spectating != 0 {
		return
	}
	s.driven(id)
	s.moved(id, &out)
	s.handled(id, eye, &w)
	if p.Alive() && out.Stuck {
		s.crush(id)
	}
	if p.Alive() && out.Landed && !out.NoFallDamage && out.LandSpeed > s.move.FallSafeSpeed {
		s.hurt(blow{target: id, amount: float32((out.LandSpeed - s.move.FallSafeSpeed) * s.move.FallDamagePerMS)})
	}
	if p.Alive() && p.Vehicle == 0 {
		s.teleporters(id)
		s.liquids(id)
		s.hurts(id)
	}
	if p.Alive() {
		s.void(id)
	}
	if p.Alive() {
		if p.Vehicle == 0 {
			s.pickUp(id)
		}
		return
	}
	s.restInVoid(id)
}

// moved turns what pmove says into events.
func (s *Sim) moved(id state.ID, out *pmove.Out) {
	p := &s.bodies[id].p
	if p.Flags&state.Dead != 0 {
		return
	}
	if out.Jumped {
		s.emit(state.Event{Kind: state.EvJump, Actor: id, Pos: p.Pos})
	}
	if out.Landed && out.LandSpeed > quietLanding {
		s.emit(state.Event{Kind: state.EvLand, Actor: id, Pos: p.Pos, Param: vec.Floor(float32(out.LandSpeed * 8))})
	}
	if out.Footstep {
		s.emit(state.Event{Kind: state.EvFootstep, Actor: id, Pos: p.Pos})
	}
	if out.Pad {
		s.emit(state.Event{Kind: state.EvPad, Actor: id, Pos: p.Pos, Param: int32(out.Index)})
	}
}

// quietLanding is the speed in m/s up to which a landing makes no sound: a step
// down.
const quietLanding = 3

// handled turns what weapon says into events, and shots into pulls. A trigger that
// was pulled within the tick fires from where the eye was then, and at others as
// they were shown then.
func (s *Sim) handled(id state.ID, before vec.V3, w *weapon.Out) {
	p := &s.bodies[id].p
	eye := pmove.Eye(p, s.move)
	if w.Switched {
		s.emit(state.Event{Kind: state.EvSwitch, Actor: id, Weapon: p.Weapon, Pos: eye})
	}
	if w.Reloads {
		s.emit(state.Event{Kind: state.EvReload, Actor: id, Weapon: p.Weapon, Pos: eye})
	}
	if w.DryFire {
		s.emit(state.Event{Kind: state.EvDryFire, Actor: id, Weapon: p.Weapon, Pos: eye})
	}
	if w.Fired {
		from, replayed := s.predictedShot(id, w, w.Shot.Origin(before, eye))
		s.emit(state.Event{
			Kind: state.EvFire, Actor: id, Weapon: w.Shot.Weapon, Pos: from,
			Yaw: w.Shot.Yaw, Pitch: w.Shot.Pitch, Param: int32(w.Shot.Seq), Muffled: weapon.Suppressed(p, w.Shot.Weapon, &s.cfg.Set),
		})
		b := &s.bodies[id]
		s.pulls = append(s.pulls, pull{id: id, shot: w.Shot, origin: from, rewind: b.rewind + uint32(w.Shot.Edge), tracked: b.tracked, had: b.had, replayed: replayed})
	}
}

// crush hurts whom a mover has pressed against something, and sends it back.
func (s *Sim) crush(id state.ID) {
	p := &s.bodies[id].p
	h := s.scene.Box(p.Pos, p.Pos, pmove.Body(p, s.move), level.MaskMove)
	if !h.StartSolid || h.Model <= 0 {
		return
	}
	for i := range s.lv.Doors {
		d := &s.lv.Doors[i]
		if d.Model != int(h.Model) {
			continue
		}
		if s.poses[d.Model] != s.before[d.Model] {
			s.reverse(i)
		}
		if d.Damage > 0 {
			s.hurt(blow{target: id, amount: float32(d.Damage)})
		}
		return
	}
}

// teleporters moves a player that touches one.
func (s *Sim) teleporters(id state.ID) {
	p := &s.bodies[id].p
	box := pmove.Body(p, s.move).Move(p.Pos)
	for i := range s.lv.Teleports {
		t := &s.lv.Teleports[i]
		if !box.Overlaps(t.Box) {
			continue
		}
		s.emit(state.Event{Kind: state.EvTeleport, Actor: id, Pos: p.Pos})
		speed := max(p.Vel.Len2(), s.move.RunSpeed)
		s.place(id, t.Dest, t.Yaw)
		sin, cos := vec.SinCos(t.Yaw)
		p.Vel = vec.CanonV(vec.V3{X: float32(cos * speed), Y: float32(sin * speed)})
		p.MoveTimer = weapon.Ticks(s.move.KnockbackMS, s.cfg.TickRate)
		s.emit(state.Event{Kind: state.EvTeleport, Actor: id, Pos: p.Pos, Yaw: p.Yaw, Param: 1})
		s.telefrag(id)
		return
	}
}

// place puts a player somewhere else: others must not blend its way there, and
// its client could not know.
func (s *Sim) place(id state.ID, pos vec.V3, yaw float32) {
	p := &s.bodies[id].p
	s.unseat(id)
	p.Pos, p.Vel = vec.CanonV(pos), vec.V3{}
	p.Yaw, p.Pitch = state.AngleOf(yaw), 0
	p.Flags &^= state.OnGround | state.Swimming | state.OnLadder
	p.Ground, p.WaterLevel, p.LadderHold, p.Lean = -1, 0, 0, 0
	p.Teleports++
	p.Forced++
}

// telefrag kills whoever stands where a player has just arrived.
func (s *Sim) telefrag(id state.ID) {
	p := &s.bodies[id].p
	box := pmove.Body(p, s.move).Move(p.Pos)
	for _, o := range s.ids {
		q := &s.bodies[o].p
		if o != id && q.Alive() && pmove.Body(q, s.move).Move(q.Pos).Overlaps(box) {
			s.hurt(blow{target: o, by: id, amount: 100000, through: true})
		}
	}
}

// Damage of liquids, per half second and level of depth (1 feet .. 3 eyes), by
// judgement after Quake III's 30 and 10 a second.
const (
	burnMS    = 500
	lavaHurts = 15
	slimeHurt = 5
)

func (s *Sim) liquids(id state.ID) {
	b := &s.bodies[id]
	if b.p.WaterLevel == 0 || !s.reached(b.burnAt) {
		return
	}
	box := pmove.Body(&b.p, s.move).Move(b.p.Pos)
	c := s.scene.BoxContents(box, level.Lava|level.Slime)
	amount := 0
	switch {
	case c&level.Lava != 0:
		amount = lavaHurts
	case c&level.Slime != 0:
		amount = slimeHurt
	default:
		return
	}
	b.burnAt = s.tick + s.ticks(burnMS)
	s.hurt(blow{target: id, amount: float32(amount * int(b.p.WaterLevel)), through: true})
}

// Pauses between two hurts by the same kind of volume, ms. Quake III hurts every
// frame (50 ms) or, slowly, once a second.
const (
	hurtMS     = 50
	hurtSlowMS = 1000
)

// hurts damages a player that touches a volume that hurts.
func (s *Sim) hurts(id state.ID) {
	b := &s.bodies[id]
	if len(s.lv.Hurts) == 0 || !s.reached(b.hurtAt) {
		return
	}
	box := pmove.Body(&b.p, s.move).Move(b.p.Pos)
	for i := range s.lv.Hurts {
		h := &s.lv.Hurts[i]
		if !box.Overlaps(h.Box) {
			continue
		}
		pause := float32(hurtMS)
		if h.Slow {
			pause = hurtSlowMS
		}
		b.hurtAt = s.tick + s.ticks(pause)
		s.hurt(blow{target: id, amount: float32(h.Damage), through: true})
		return
	}
}

// boundsPad is how far outside the level's bounds a player may be, in metres:
// open skies let a rocket jump out of the top.
const boundsPad = 64

func (s *Sim) outOfMap(p *state.Player) bool {
	b := s.lv.Bounds.Pad(boundsPad)
	b.Min.Z = min(b.Min.Z, s.lv.KillZ)
	return !p.Pos.IsFinite() || p.Pos.Z < s.lv.KillZ || !b.Contains(p.Pos)
}

// void kills who has left the world.
func (s *Sim) void(id state.ID) {
	if s.outOfMap(&s.bodies[id].p) {
		s.hurt(blow{target: id, amount: 100000, through: true, certain: true})
	}
}

// restInVoid stops a dead body's fall.
func (s *Sim) restInVoid(id state.ID) {
	if p := &s.bodies[id].p; s.outOfMap(p) && p.Vel != (vec.V3{}) {
		p.Vel = vec.V3{}
		p.Forced++
	}
}

// Bodies that overlap part at this many m/s at most, each, once they are closer
// than this share of two half widths.
const (
	pushSpeed = 3
	pushZone  = 0.8
)

// pushApart parts living bodies that overlap. Walking is not stopped by others:
// two clients would each predict a wall where the other was a moment ago.
func (s *Sim) pushApart() {
	zone := float32(s.move.HalfWidth * 2 * pushZone)
	step := float32(pushSpeed) / float32(s.cfg.TickRate)
	for i, a := range s.ids {
		p := &s.bodies[a].p
		if !p.Alive() || p.Vehicle != 0 {
			continue
		}
		pa := pmove.Body(p, s.move)
		for _, b := range s.ids[i+1:] {
			q := &s.bodies[b].p
			d := q.Pos.Sub(p.Pos).Flat()
			if !q.Alive() || q.Vehicle != 0 || vec.Abs(d.X) >= zone || vec.Abs(d.Y) >= zone {
				continue
			}
			pb := pmove.Body(q, s.move)
			if p.Pos.Z >= q.Pos.Z+pb.Max.Z || q.Pos.Z >= p.Pos.Z+pa.Max.Z {
				continue
			}
			dir, l := d.Norm()
			if l >= zone {
				continue
			}
			if l < 0.01 {
				r := vec.NewRand(uint64(a), uint64(b))
				dir = vec.Forward(float32(r.Float()*360), 0)
			}
			way := min(step, float32((zone-l)*0.5))
			s.shove(p, dir.Scale(0-way))
			s.shove(q, dir.Scale(way))
		}
	}
}

// shove slides a body as far as the level lets it.
func (s *Sim) shove(p *state.Player, by vec.V3) {
	h := s.scene.Box(p.Pos, p.Pos.Add(by), pmove.Body(p, s.move), level.MaskMove)
	if h.StartSolid || h.Frac == 0 {
		return
	}
	p.Pos = vec.CanonV(h.End)
	p.Forced++
}
