package server

import (
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// thingHalf is half the size of a thing's box, metres.
const thingHalf = 0.25

// vehicleMiddle is how high a vehicle is looked at, metres above the ground.
const vehicleMiddle = 0.6

// corpseHeight is where a lying body is looked at, metres above its feet.
const corpseHeight = 0.3

// past returns how a player stood at an earlier tick: what lag compensation
// remembers.
func (s *Server) past(id state.ID, tick state.Tick) (state.Body, bool) {
	return s.match.sim.History().Sample(id, tick)
}

// observe fills the policy's Input and the Frame with the world of this tick.
func (s *Server) observe() {
	w := s.match.sim
	in, f := &s.in, &s.frame
	tick := w.Tick()
	in.Reset(tick, s.cfg.TickRate)
	in.Seed = s.cfg.Seed
	in.VehicleRange = s.match.VehicleRange
	f.Reset(tick)
	if f.Past == nil {
		f.Past = s.past
	}

	for i := range s.present {
		s.present[i], s.column[i] = false, -1
	}
	for i := range w.Events() {
		e := &w.Events()[i]
		if e.Kind == state.EvFire && e.Actor.IsPlayer() && int(e.Actor) <= len(s.present) {
			s.present[e.Actor-1] = true
		}
	}
	m := &s.match.Tables.Movement
	for _, id := range w.IDs() {
		p := w.Player(id)
		sub := vis.Subject{
			ID: id, Kind: state.KindPlayer, Team: w.Side(id), Alive: p.Alive() && p.Teleports != 0,
			Pos: p.Pos, Eye: pmove.Eye(p, m), Chest: pmove.Chest(p, m),
			Box: pmove.Body(p, m).Move(p.Pos), Vel: p.Vel.Add(w.Carried(id)),
			Yaw: p.Yaw.Deg(), Pitch: p.Pitch.Deg(), Lean: float32(p.Lean) / 127,
			Ducked: p.Flags&state.Ducked != 0, Aiming: p.Flags&state.Aiming != 0,
			Weapon: p.Weapon, Fired: s.present[id-1], Teleports: p.Teleports,
			Blind: scenery.Blinded(p.Blind, s.match.fade, s.cfg.TickRate),
		}
		s.column[id-1] = len(in.Subjects)
		in.Subjects = append(in.Subjects, sub)
		f.Entities = append(f.Entities, w.Entity(id))
		if p.Flags&state.Dead != 0 && p.Teleports != 0 {
			s.corpse(&sub, w.Entity(id))
		}
	}
	things := w.Things()
	for i := range things {
		t := &things[i]
		half := vec.V3{X: thingHalf, Y: thingHalf, Z: thingHalf}
		at := t.Pos
		if t.Kind == state.KindPickup {
			at.Z += thingHalf
		}
		if t.Kind == state.KindVehicle {
			at.Z += vehicleMiddle
		}
		in.Subjects = append(in.Subjects, vis.Subject{
			ID: t.ID, Kind: t.Kind, Alive: true, Pos: t.Pos, Eye: at, Chest: at,
			Box: vec.Box{Min: at.Sub(half), Max: at.Add(half)}, Vel: t.Vel, Owner: attached(t),
		})
		f.Entities = append(f.Entities, t.Entity())
	}
	s.clouds(w)
	in.Doors = append(in.Doors, w.Doors()...)
	f.Doors = append(f.Doors, w.Doors()...)
	in.Pieces = append(in.Pieces, w.Pieces()...)
	f.Pieces, f.PieceAt = append(f.Pieces, w.Pieces()...), s.match.pieceAt
	f.DoorAt, f.DoorRange = s.match.doorAt, s.match.Range
	s.match.sight.Take(in)
	f.Sight, f.EventRange = s.match.sight, s.match.Range
	f.Events = append(f.Events, w.Events()...)
	for i, c := range s.conns {
		if c == nil || !c.playing() {
			continue
		}
		subject := s.column[c.id-1]
		s.aim(c)
		c.row = len(in.Viewers)
		c.looks(w.Player(c.id), &s.match.Tables, tick, s.cfg.TickRate)
		in.Viewers = append(in.Viewers, s.viewer(c, subject, tick))
		own := vis.Own{
			ID: c.id, LastCmd: tick, Starved: uint16(c.cmds.Starved),
			Margin: int8(c.cmds.margin()), Interp: c.interp, Tables: uint8(s.match.tab.newest),
		}
		if p := w.Player(state.ID(i + 1)); p != nil {
			own.Player = *p
			own.Undisturbed = c.cmds.outside.undisturbed(p, tick, s.lacksTables(c))
		} else {
			c.cmds.outside.undisturbed(nil, tick, false)
		}
		s.sees(c, &in.Viewers[c.row], &own)
		f.Own = append(f.Own, own)
	}
	vis.Candidates(in, s.match.Range)
}

// attached returns whose answer a thing shares: that of who carries it. A rocket is its
// shooter's and flies by itself.
func attached(t *sim.Thing) state.ID {
	if t.Kind == state.KindObjective {
		return t.Owner
	}
	return 0
}

// corpse adds a dead player's body, a thing like any other: who sees where it lies
// is sent it.
func (s *Server) corpse(of *vis.Subject, e state.Entity) {
	c := *of
	c.ID, c.Kind, c.Alive, c.Fired = state.CorpseOf(of.ID), state.KindCorpse, true, false
	c.Eye = of.Pos.Mad(corpseHeight, vec.Up)
	c.Chest = c.Eye
	e.ID, e.Kind, e.Pose = c.ID, c.Kind, e.Pose|state.PoseDead
	s.in.Subjects = append(s.in.Subjects, c)
	s.frame.Entities = append(s.frame.Entities, e)
}

// decide collects the policy's answer and puts it behind the gate. While nobody
// is there to be sent anything the policy is not asked, see submit.
func (s *Server) decide() *vis.Answer {
	if len(s.in.Viewers) == 0 {
		s.nobody.Reset(&s.in)
		return &s.nobody
	}
	ans := s.match.Policy.Collect()
	s.beside.rouse(len(s.in.Viewers))
	vis.Gate(&s.in, ans)
	known, withheld, viewers := vis.CountAll(&s.in, ans)
	s.mu.Lock()
	s.stats.Rays, s.stats.Source = ans.Rays, ans.Source
	s.stats.Sources[ans.Source]++
	s.stats.ViewsBeside, s.stats.BesideTook, s.stats.BesideWaited = s.beside.built, s.beside.took, s.beside.waited
	if viewers > 0 {
		s.stats.Known = float64(known) / float64(viewers)
		s.stats.Withheld = float64(withheld) / float64(viewers)
		s.stats.KnownSum += s.stats.Known
		s.stats.WithheldSum += s.stats.Withheld
		s.stats.KnownTicks++
	}
	s.mu.Unlock()
	if h := s.cfg.Hooks.Decided; h != nil {
		h(&s.in, ans)
	}
	return ans
}
