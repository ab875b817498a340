package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// spot is the place of a pickup.
type spot struct {
	taken bool
	back  state.Tick // when it returns
	since state.Tick // when it came
}

// pickUp gives a player whatever it touches and can use.
func (s *Sim) pickUp(id state.ID) {
	p := &s.bodies[id].p
	if p.Flags&state.NoPickup != 0 {
		return
	}
	it := &s.cfg.Set.Items
	top := p.Pos.Z + pmove.Body(p, s.move).Max.Z
	for i := range s.spots {
		k := &s.lv.Pickups[i]
		if vec.Abs(p.Pos.X-k.Pos.X) > it.Radius { // most are far away
			continue
		}
		if s.spots[i].taken || p.Pos.Z > k.Pos.Z+it.Height || top < k.Pos.Z || p.Pos.Sub(k.Pos).Len2() > it.Radius {
			continue
		}
		if !s.give(p, k) {
			continue
		}
		s.hide(i)
		s.emit(state.Event{Kind: state.EvPickup, Actor: id, Param: int32(i), Pos: k.Pos})
	}
	s.pickUpDrops(id)
}

// hide takes a pickup away until its time.
func (s *Sim) hide(i int) {
	s.spots[i].taken = true
	s.spots[i].back = s.tick + max(s.ticks(s.delay(&s.lv.Pickups[i])), 1)
}

func (s *Sim) delay(k *level.Pickup) float32 {
	if k.Delay > 0 {
		return min(k.Delay, 3600) * 1000
	}
	it := &s.cfg.Set.Items
	switch k.Kind {
	case level.PickHealth:
		return it.HealthMS
	case level.PickMega:
		return it.MegaMS
	case level.PickArmor, level.PickShard:
		return it.ArmorMS
	case level.PickAmmo, level.PickRocketAmmo:
		return it.AmmoMS
	}
	return it.WeaponMS
}

// give hands over what a pickup holds; false when it is of no use.
func (s *Sim) give(p *state.Player, k *level.Pickup) bool {
	it := &s.cfg.Set.Items
	switch k.Kind {
	case level.PickHealth:
		return top(&p.Health, amount(k, it.Health), it.HealthMax)
	case level.PickMega:
		return top(&p.Health, amount(k, it.Mega), it.MegaMax)
	case level.PickArmor:
		return top(&p.Armor, amount(k, it.Armor), it.ArmorMax)
	case level.PickShard:
		return top(&p.Armor, amount(k, it.Shard), it.ArmorMax)
	case level.PickAmmo:
		return s.arm(p, tables.Rifle, k.Value, false)
	case level.PickRocketAmmo:
		return s.arm(p, tables.Rocket, k.Value, false)
	case level.PickRifle:
		return s.arm(p, tables.Rifle, k.Value, true)
	case level.PickRocket:
		return s.arm(p, tables.Rocket, k.Value, true)
	}
	return false
}

func amount(k *level.Pickup, usual int) int {
	if k.Value > 0 {
		return min(k.Value, 10000)
	}
	return usual
}

// top raises *v by n up to most; false when it is there already.
func top(v *int16, n, most int) bool {
	if int(*v) >= most || n <= 0 {
		return false
	}
	*v = int16(min(int(*v)+n, most, 32767))
	return true
}

// arm gives rounds (0: the table's), and the weapon itself when with is set. It
// changes predicted state, so the client is told.
func (s *Sim) arm(p *state.Player, w uint8, rounds int, with bool) bool {
	t := &s.cfg.Set.Weapons[w]
	if rounds <= 0 {
		rounds = int(t.AmmoPickup)
	}
	isNew := with && p.Owned&(1<<w) == 0
	have := int(p.Ammo[w])
	if !isNew && have >= int(t.AmmoMax) {
		return false
	}
	p.Ammo[w] = uint16(max(min(have+rounds, int(t.AmmoMax)), have))
	if isNew {
		p.Owned |= 1 << w
		weapon.Load(p, w, &s.cfg.Set)
		if p.Weapon == tables.NoWeapon {
			p.Weapon, p.Next = w, 0
		}
	}
	p.Forced++
	return true
}

// returnPickups brings back what is due.
func (s *Sim) returnPickups() {
	for i := range s.spots {
		if k := &s.spots[i]; k.taken && s.reached(k.back) {
			k.taken, k.since = false, s.tick
		}
	}
}

// Thing is a subject that is not a player.
type Thing struct {
	ID         state.ID
	Kind       state.Kind
	Owner      state.ID
	Weapon     uint8 // of a rocket; for a pickup its level.PickupKind
	Pos, Vel   vec.V3
	Yaw, Pitch state.Angle16
	Born       state.Tick
}

// Entity returns the thing as others are shown it.
func (t *Thing) Entity() state.Entity {
	return state.Entity{
		ID: t.ID, Kind: t.Kind, Owner: t.Owner, Weapon: t.Weapon,
		Pos: state.Quant(t.Pos), Vel: state.Quant(t.Vel), Yaw: t.Yaw, Pitch: t.Pitch,
	}
}

// Things returns what is in the world besides players: pickups by their place,
// then rockets and grenades by their age. Clouds are apart: Smokes and Holes.
func (s *Sim) Things() []Thing { return s.things }

func (s *Sim) list() {
	s.things = s.things[:0]
	for i := range s.spots {
		if !s.spots[i].taken {
			k := &s.lv.Pickups[i]
			s.things = append(s.things, Thing{
				ID: state.FirstThing + state.ID(i), Kind: state.KindPickup, Weapon: uint8(k.Kind),
				Pos: k.Pos, Born: s.spots[i].since,
			})
		}
	}
	s.listLeft()
	for i := range s.rockets {
		r := &s.rockets[i]
		s.things = append(s.things, Thing{
			ID: r.id, Kind: state.KindRocket, Owner: r.owner, Weapon: r.weapon, Pos: r.pos,
			Vel: r.dir.Scale(r.speed), Yaw: r.yaw, Pitch: r.pitch, Born: r.born,
		})
	}
	for i := range s.grenades {
		g := &s.grenades[i]
		s.things = append(s.things, Thing{ID: g.id, Kind: state.KindGrenade, Owner: g.owner, Weapon: g.weapon, Pos: g.pos, Vel: g.vel, Born: g.born})
	}
	s.listCars()
}
