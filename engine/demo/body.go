package demo

import "github.com/sightline-engine/sightline/game/state"

// poses are the facts of a player that others are shown, by both names.
var poses = [...]struct {
	flag state.Flags
	pose state.Pose
}{
	{state.Ducked, state.PoseDucked}, {state.OnGround, state.PoseOnGround}, {state.Aiming, state.PoseAiming},
	{state.Dead, state.PoseDead}, {state.Swimming, state.PoseSwimming}, {state.Walking, state.PoseWalking},
}

// EntityOf returns a player's own state as others would be shown it: how a client
// records itself. A spectator is of KindNone.
func EntityOf(id state.ID, p *state.Player) state.Entity {
	if p.Flags&state.Spectating != 0 {
		return state.Entity{ID: id}
	}
	e := state.Entity{
		ID: id, Kind: state.KindPlayer, Team: p.Team, Weapon: p.Weapon,
		Pos: state.Quant(p.Pos), Vel: state.Quant(p.Vel), Yaw: p.Yaw, Pitch: p.Pitch,
		Duck: p.Duck, Lean: p.Lean, Stride: p.Stride, Teleports: p.Teleports, ShotSeq: p.ShotSeq,
		Health: uint8(min(max(p.Health, 0), 255)),
	}
	for _, m := range poses {
		if p.Flags&m.flag != 0 {
			e.Pose |= m.pose
		}
	}
	if p.Shots > 0 && p.WTimer > 0 && p.Next == 0 && p.Alive() {
		e.Pose |= state.PoseFiring
	}
	return e
}

// PlayerOf returns as much of a player's own state as others are shown of it, and
// own: what its eyes and hands are drawn from.
func PlayerOf(e *state.Entity, own *Own) state.Player {
	p := state.Player{
		Pos: e.Pos.V3(), Vel: e.Vel.V3(), Yaw: e.Yaw, Pitch: e.Pitch, Duck: e.Duck, Lean: e.Lean, Stride: e.Stride,
		Weapon: e.Weapon, ShotSeq: e.ShotSeq, Teleports: e.Teleports, Team: e.Team,
		Health: int16(e.Health), Owned: 1 << (e.Weapon & 7),
	}
	for _, m := range poses {
		if e.Pose&m.pose != 0 {
			p.Flags |= m.flag
		}
	}
	if own != nil {
		p.Health, p.Armor, p.Owned, p.Ammo, p.Blind = own.Health, own.Armor, own.Owned, own.Ammo, own.Blind
	}
	return p
}
