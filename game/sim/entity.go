package sim

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/weapon"
)

// Entity returns a player as others may be shown it, quantised. Health is filled
// in: whoever decides what a viewer may know takes it out again. A player who is
// not present, or spectates, gives an Entity of KindNone.
func (s *Sim) Entity(id state.ID) state.Entity {
	if !s.Present(id) || s.bodies[id].p.Flags&state.Spectating != 0 {
		return state.Entity{ID: id}
	}
	p := &s.bodies[id].p
	e := state.Entity{
		ID: id, Kind: state.KindPlayer, Team: s.Side(id), Weapon: p.Weapon,
		Pos: state.Quant(p.Pos), Vel: state.Quant(p.Vel), Yaw: p.Yaw, Pitch: p.Pitch,
		Duck: p.Duck, Lean: p.Lean, Stride: p.Stride, Teleports: p.Teleports, ShotSeq: p.ShotSeq,
		Health: uint8(min(max(p.Health, 0), 255)),
	}
	for _, m := range [...]struct {
		flag state.Flags
		pose state.Pose
	}{
		{state.Ducked, state.PoseDucked}, {state.OnGround, state.PoseOnGround}, {state.Aiming, state.PoseAiming},
		{state.Dead, state.PoseDead}, {state.Swimming, state.PoseSwimming}, {state.Walking, state.PoseWalking},
	} {
		if p.Flags&m.flag != 0 {
			e.Pose |= m.pose
		}
	}
	if weapon.Suppressed(p, p.Weapon, &s.cfg.Set) {
		e.Weapon |= state.OnMuzzle
	}
	if p.Vehicle != 0 {
		e.Seat = p.Seat + 1
	}
	if p.Shots > 0 && p.WTimer > 0 && p.Next == 0 && p.Alive() {
		e.Pose |= state.PoseFiring
	}
	return e
}

// RulesRows appends what the rules are told of every player and returns dst.
func (s *Sim) RulesRows(dst []rules.PlayerRow) []rules.PlayerRow {
	for _, id := range s.ids {
		b := &s.bodies[id]
		p := &b.p
		r := rules.PlayerRow{
			ID: id, Team: p.Team, Flags: p.Flags, Pos: p.Pos, Vel: p.Vel, Yaw: p.Yaw.Deg(),
			Health: p.Health, Armor: p.Armor, Weapon: p.Weapon, Buttons: b.cmd.Buttons,
		}
		if !p.Alive() {
			r.DeadFor = uint16(min(max(s.tick-b.died, 1), 65535))
		}
		r.OutOfMap = p.Flags&state.Spectating == 0 && s.outOfMap(p)
		dst = append(dst, r)
	}
	return dst
}
