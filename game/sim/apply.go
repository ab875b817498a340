package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// Bad says why an operation was dropped.
type Bad uint8

// The reasons. BadNone is a good operation.
const (
	BadNone   Bad = iota
	BadKind       // no such operation
	BadID         // no such player or thing
	BadNumber     // not a finite number
	BadRange      // a value outside what it may be
	BadPlace      // outside the level or inside a solid
	BadState      // not possible in the player's present state
	BadText       // too long
	BadCount      // more than rules.MaxOps in one answer
	NumBad
)

const numBad = NumBad

var badNames = [NumBad]string{"none", "kind", "id", "number", "range", "place", "state", "text", "count"}

func (b Bad) String() string {
	if b < NumBad {
		return badNames[b]
	}
	return "unknown"
}

var badSentences = [NumBad]string{
	"nothing", "there is no such operation", "there is no such player, or thing", "a number of it is not finite", "a value of it is not within what it may be",
	"the place is outside of the level, or inside of a wall", "what it is about is not in a state for that", "its text is too long", "there are too many in one tick",
}

// Why says in words why an operation was dropped.
func (b Bad) Why() string {
	if b < NumBad {
		return badSentences[b]
	}
	return "unknown"
}

// LastBad returns the last operation that was dropped, and why; BadNone when none was.
func (s *Sim) LastBad() (rules.Op, Bad) { return s.badOp, s.badWhy }

// BadOps returns how many operations have been dropped since the start, by reason.
func (s *Sim) BadOps() [NumBad]uint64 { return s.bad }

// ruleFlags are the flags that rules may set.
const ruleFlags = state.Frozen | state.NoFire | state.NoPickup | state.Invulnerable | state.Suppressed

// Apply carries out what the rules answered, between two ticks, and returns how
// many operations were dropped; the rest of a batch with bad ones applies. Scores,
// phases and messages are checked here and carried out by the server.
func (s *Sim) Apply(ops []rules.Op) int {
	dropped := 0
	if n := len(ops) - rules.MaxOps; n > 0 {
		s.bad[BadCount] += uint64(n)
		dropped = n
		ops = ops[:rules.MaxOps]
	}
	for i := range ops {
		op := &ops[i]
		why := s.OpFault(op)
		if why == BadNone {
			why = s.apply(op)
		}
		if why != BadNone {
			s.bad[why]++
			s.badOp, s.badWhy = *op, why
			dropped++
		}
	}
	return dropped
}

// OpFault returns what is wrong with an operation by itself, BadNone when nothing
// is. It changes nothing.
func (s *Sim) OpFault(op *rules.Op) Bad {
	if !op.Pos.IsFinite() || !vec.Finite(op.Yaw) {
		return BadNumber
	}
	if len(op.Text) > rules.MaxText {
		return BadText
	}
	switch op.Kind {
	case rules.OpNone, rules.OpEndMatch:
		return BadNone
	case rules.OpAnnounce, rules.OpHUD:
		if op.ID != 0 && !s.Present(op.ID) {
			return BadID
		}
		return BadNone
	case rules.OpPhase:
		return within(op.Value, rules.Warmup, rules.Over)
	case rules.OpDoor:
		return within(op.Value, 0, int32(len(s.lv.Doors))-1)
	case rules.OpPiece:
		return within(op.Value, -1, int32(len(s.lv.Pieces))-1)
	case rules.OpTeams:
		return within(op.Value, 0, 1) | within(op.Value2, 0, 100)
	case rules.OpPlace:
		return within(op.Value, 0, rules.MaxObjectives-1)
	case rules.OpVehicle:
		return within(op.Value, 0, 1) | within(int32(op.Weapon), 0, tables.NumVehicles-1)
	case rules.OpTable:
		return BadNone // it is for the server to say when tables change, and to what
	case rules.OpRemove:
		return BadNone // the thing may be gone already: apply says so
	}
	if op.Kind >= rules.NumOps {
		return BadKind
	}
	if !s.Present(op.ID) {
		return BadID
	}
	switch op.Kind {
	case rules.OpSpawn:
		if op.Value < 0 || op.Value > 10000 || op.Value2 < 0 || op.Value2 > 10000 {
			return BadRange
		}
	case rules.OpSetTeam:
		return within(op.Value, 0, 255)
	case rules.OpGive:
		if op.Weapon == tables.NoWeapon || op.Weapon >= tables.NumWeapons {
			return BadRange
		}
		return within(op.Value, 0, 65535)
	case rules.OpCarry:
		return within(op.Value, 0, rules.MaxObjectives-1)
	case rules.OpTake:
		if op.Weapon == tables.NoWeapon || op.Weapon >= tables.NumWeapons {
			return BadRange
		}
	case rules.OpSetFlags:
		if (op.Flags|op.Flags2)&^ruleFlags != 0 {
			return BadRange
		}
	case rules.OpDamage:
		return within(op.Value, 1, 100000)
	case rules.OpHeal:
		if op.Value == 0 && op.Value2 == 0 {
			return BadRange
		}
		return max(within(op.Value, 0, 100000), within(op.Value2, 0, 100000))
	case rules.OpScore:
		if within(op.Value, -32768, 32767)|within(op.Value2, -32768, 32767)|within(op.Value3, -32768, 32767) != 0 {
			return BadRange
		}
	case rules.OpOptic:
		return within(op.Value, 0, tables.NumOptics-1)
	case rules.OpSpectate:
		if op.Value != 0 && (op.Value < 0 || op.Value > state.MaxPlayers || !s.Present(state.ID(op.Value))) {
			return BadID
		}
	}
	return BadNone
}

func within(v, lo, hi int32) Bad {
	if v < lo || v > hi {
		return BadRange
	}
	return BadNone
}

// apply carries out an operation that OpFault let pass.
func (s *Sim) apply(op *rules.Op) Bad {
	b := &s.bodies[s.known(op.ID)]
	p := &b.p
	switch op.Kind {
	case rules.OpSpawn:
		return s.spawn(op)
	case rules.OpKillOff:
		if !p.Alive() {
			return BadState
		}
		s.hurt(blow{target: op.ID, amount: 100000, through: true, certain: true})
	case rules.OpSetTeam:
		p.Team = uint8(op.Value)
	case rules.OpGive:
		t := &s.cfg.Set.Weapons[op.Weapon]
		isNew := p.Owned&(1<<op.Weapon) == 0
		p.Owned |= 1 << op.Weapon
		p.Ammo[op.Weapon] = uint16(min(int32(p.Ammo[op.Weapon])+op.Value, max(int32(t.AmmoMax), int32(p.Ammo[op.Weapon]))))
		if isNew {
			weapon.Load(p, op.Weapon, &s.cfg.Set)
		}
		if p.Weapon == tables.NoWeapon {
			p.Weapon, p.Next = op.Weapon, 0
		}
		p.Forced++
	case rules.OpTake:
		disarm(p, op.Weapon)
	case rules.OpSetFlags:
		if f := p.Flags&^op.Flags2 | op.Flags; f != p.Flags {
			p.Flags = f
			p.Forced++
		}
	case rules.OpTeleport:
		return s.teleport(op)
	case rules.OpDamage:
		if !p.Alive() {
			return BadState
		}
		s.hurt(blow{target: op.ID, amount: float32(op.Value)})
	case rules.OpHeal:
		if !p.Alive() {
			return BadState
		}
		p.Health = int16(max(min(int32(p.Health)+op.Value, int32(s.cfg.Set.Items.MegaMax)), int32(p.Health)))
		p.Armor = int16(max(min(int32(p.Armor)+op.Value2, int32(s.cfg.Set.Items.ArmorMax)), int32(p.Armor)))
	case rules.OpDoor:
		s.opDoor(int(op.Value), op.Value2)
	case rules.OpPiece:
		s.opPiece(op.Value, op.Value2 != 0)
	case rules.OpRemove:
		return s.remove(op.ID)
	case rules.OpVehicle:
		return s.opVehicle(op)
	case rules.OpOptic:
		if o := uint8(op.Value); o != p.Optic {
			p.Optic, p.Raise = o, 0
			p.Forced++
		}
	case rules.OpTeams:
		s.SetTeams(Teams{FreeForAll: op.Value != 0, Shield: op.Value2})
	case rules.OpCarry:
		return s.opCarry(op)
	case rules.OpPlace:
		return s.opPlace(op)
	case rules.OpSpectate:
		s.unseat(op.ID)
		s.letGo(op.ID)
		p.Flags = p.Flags&^(state.Dead|state.OnGround|state.Swimming|state.OnLadder) | state.Spectating
		p.Health, p.Armor, p.Ground, p.WaterLevel = 0, 0, -1, 0
		p.Forced++
		b.watches = state.ID(op.Value)
		b.died = s.tick
	}
	return BadNone
}

// spawn gives a player a new life with the default arms. Flags that rules set
// stay until they clear them, and held keys must be pressed anew.
func (s *Sim) spawn(op *rules.Op) Bad {
	pos, ok := s.room(op.Pos, s.move.StandHeight)
	if !ok {
		return BadPlace
	}
	s.unseat(op.ID)
	b := &s.bodies[op.ID]
	was := b.p
	it := &s.cfg.Set.Items
	b.p = state.Player{
		Team: was.Team, Teleports: was.Teleports, Forced: was.Forced, ShotSeq: was.ShotSeq, Stride: was.Stride,
		Flags:  was.Flags & (ruleFlags | state.Bystander | state.JumpHeld | state.FireHeld),
		Health: int16(op.Value), Armor: int16(op.Value2),
	}
	p := &b.p
	if p.Health <= 0 {
		p.Health, p.Armor = int16(it.SpawnHealth), int16(it.SpawnArmor)
	}
	for w := uint8(tables.NumWeapons - 1); w > 0; w-- {
		t := &s.cfg.Set.Weapons[w]
		if t.Melee && t.AmmoMax == 0 { // hands are never empty
			p.Owned |= 1 << w
			if p.Weapon == tables.NoWeapon {
				p.Weapon = w
			}
		}
		if t.AmmoSpawn > 0 {
			p.Owned |= 1 << w
			p.Ammo[w] = min(t.AmmoSpawn, t.AmmoMax)
			weapon.Load(p, w, &s.cfg.Set)
			p.Weapon = w
		}
	}
	b.born, b.watches, b.burnAt, b.hurtAt = s.tick+1, 0, s.tick, s.tick
	s.place(op.ID, pos, op.Yaw)
	s.emit(state.Event{Kind: state.EvSpawn, Actor: op.ID, Pos: pos, Yaw: p.Yaw})
	s.telefrag(op.ID)
	return BadNone
}

func (s *Sim) teleport(op *rules.Op) Bad {
	p := &s.bodies[op.ID].p
	if !p.Alive() {
		return BadState
	}
	pos, ok := s.room(op.Pos, pmove.Body(p, s.move).Max.Z)
	if !ok {
		return BadPlace
	}
	s.emit(state.Event{Kind: state.EvTeleport, Actor: op.ID, Pos: p.Pos})
	s.place(op.ID, pos, op.Yaw)
	s.emit(state.Event{Kind: state.EvTeleport, Actor: op.ID, Pos: pos, Yaw: p.Yaw, Param: 1})
	s.telefrag(op.ID)
	return BadNone
}

// room finds where a body of a height fits at pos, or a little above: maps place
// their spawns roughly.
func (s *Sim) room(pos vec.V3, height float32) (vec.V3, bool) {
	pos = vec.CanonV(pos)
	if s.outOfMap(&state.Player{Pos: pos}) {
		return pos, false
	}
	w := s.move.HalfWidth
	box := vec.Box{Min: vec.V3{X: -w, Y: -w}, Max: vec.V3{X: w, Y: w, Z: height}}
	for _, up := range [...]float32{0, 1.0 / 64, 1.0 / 16, 0.25, 0.5, 0.75} {
		at := pos
		at.Z += up
		if !s.scene.Box(at, at, box, level.MaskMove).StartSolid {
			return at, true
		}
	}
	return pos, false
}

// disarm takes a weapon away; another owned one comes to hand.
func disarm(p *state.Player, w uint8) {
	p.Owned &^= 1 << w
	p.Ammo[w], p.Mag[w] = 0, 0
	if p.Next == w {
		p.Next = 0
	}
	if p.Weapon == w {
		p.Weapon, p.Next = tables.NoWeapon, 0
		for k := uint8(1); k < tables.NumWeapons; k++ {
			if p.Owned&(1<<k) != 0 {
				p.Weapon = k
				break
			}
		}
	}
	p.Forced++
}

// opDoor opens or closes a door and its group from the next tick on, or sets it ajar.
func (s *Sim) opDoor(i int, to int32) {
	w := &s.swing[i]
	lead := &s.swing[w.lead]
	if s.lv.Doors[i].Hinged() {
		goal := scenery.Open
		switch to {
		case rules.DoorClosed:
			goal = scenery.Close
		case rules.DoorAjar:
			goal = scenery.Ajar
		}
		s.tick++ // the doors of the coming tick
		s.sendDoors(i, goal, s.lv.Doors[i].Hinge)
		s.tick--
		return
	}
	open := to != rules.DoorClosed
	if open != w.rest {
		lead.touched = false
		s.hold(i)
		lead.touched = false
		lead.away = true
	} else {
		lead.until, lead.away = s.tick, false
	}
	s.tick++ // the doors of the coming tick
	for j := range s.doors {
		if s.swing[j].lead == w.lead {
			s.turnDoor(j, open == w.rest == s.swing[j].rest)
		}
	}
	s.tick--
}

func (s *Sim) remove(id state.ID) Bad {
	if i := int(id) - int(state.FirstThing); i >= 0 && i < len(s.spots) {
		if s.spots[i].taken {
			return BadID
		}
		s.hide(i)
		return BadNone
	}
	for i := range s.grenades {
		if s.grenades[i].id == id {
			s.dropGrenade(i)
			return BadNone
		}
	}
	for i := range s.rockets {
		if s.rockets[i].id == id {
			s.free(i)
			return BadNone
		}
	}
	return s.removeLeft(id)
}
