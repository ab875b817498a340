package level

import "github.com/sightline-engine/sightline/game/vec"

// known maps the words of Quake III and its kin onto what a match here has: two
// weapons with their ammunition, health and armour. Others stay entities.
func known(class string) (kind PickupKind, value int, ok bool) {
	switch class {
	case "item_health_small":
		return PickHealth, 5, true
	case "item_health":
		return PickHealth, 25, true
	case "item_health_large":
		return PickHealth, 50, true
	case "item_health_mega":
		return PickMega, 100, true
	case "item_armor_shard":
		return PickShard, 5, true
	case "item_armor_combat":
		return PickArmor, 50, true
	case "item_armor_body":
		return PickArmor, 100, true
	case "ammo_bullets", "ammo_shells", "ammo_cells", "ammo_lightning", "ammo_slugs", "ammo_nails", "ammo_belt":
		return PickAmmo, 0, true
	case "ammo_rockets", "ammo_grenades", "ammo_bfg", "ammo_mines":
		return PickRocketAmmo, 0, true
	case "weapon_machinegun", "weapon_shotgun", "weapon_lightning", "weapon_plasmagun", "weapon_railgun", "weapon_nailgun", "weapon_chaingun":
		return PickRifle, 0, true
	case "weapon_rocketlauncher", "weapon_grenadelauncher", "weapon_bfg", "weapon_prox_launcher":
		return PickRocket, 0, true
	}
	return 0, 0, false
}

func (b *Builder) pickup(e *Entity) {
	kind, value, ok := known(e.Class)
	if !ok {
		return
	}
	if n := int(number(e.Get("count"))); n > 0 {
		value = n
	}
	p := Pickup{Kind: kind, Pos: e.Origin, Class: e.Class, Value: value}
	if w := number(e.Get("wait")); w > 0 {
		p.Delay = w
	}
	p.Pos.Z -= b.units(itemFeet)
	b.level.Pickups = append(b.level.Pickups, p)
}

// AddPickup adds a thing to take, its bottom centre at pos, in metres.
func (b *Builder) AddPickup(class string, pos vec.V3) bool {
	kind, value, ok := known(class)
	if ok {
		b.level.Pickups = append(b.level.Pickups, Pickup{Kind: kind, Pos: pos, Class: class, Value: value})
	}
	return ok
}
