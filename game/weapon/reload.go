package weapon

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// A weapon with a magazine fires what is in it. Player.Ammo counts all rounds of the
// weapon, those in the magazine among them: what is given and picked up are rounds
// beside it. Reloading takes its time, in which the weapon does not fire; another
// weapon, or death, breaks it off.

// Load fills the magazine of a weapon at once, as at a spawn.
func Load(p *state.Player, w uint8, set *tables.Set) {
	if valid(w) {
		p.Mag[w] = uint8(min(set.Weapons[w].Mag, p.Ammo[w]))
	}
}

// Spare returns the rounds of a weapon beside its magazine, and whether it has one.
func Spare(p *state.Player, w uint8, set *tables.Set) (rounds int, mag bool) {
	if !valid(w) || set.Weapons[w].Mag == 0 {
		return 0, false
	}
	return int(p.Ammo[w]) - int(p.Mag[w]), true
}

// reload goes on with a reload, or begins one when asked to or when the trigger is
// pulled on an empty magazine; it reports whether one began. While one is under way the
// weapon does not fire.
func reload(p *state.Player, asked, pressed bool, env Env) (began bool) {
	w := p.Weapon
	if !valid(w) {
		p.Reload = 0
		return false
	}
	t := &env.Set.Weapons[w]
	p.Mag[w] = uint8(min(uint16(p.Mag[w]), t.Mag, p.Ammo[w])) // rounds may have been taken away
	if t.Mag == 0 || p.Next != 0 {
		p.Reload = 0
		return false
	}
	if p.Reload > 0 {
		if p.Reload--; p.Reload == 0 {
			Load(p, w, env.Set)
		}
		return false
	}
	full := uint16(p.Mag[w]) >= min(t.Mag, p.Ammo[w])
	if full || !canFire(p) || !asked && !(pressed && p.Mag[w] == 0) {
		return false
	}
	p.Reload = long(t.ReloadMS, env.TickRate)
	return true
}

// long is Ticks for what may take longer than a byte counts.
func long(ms float32, tickRate int) uint16 {
	return uint16(min(max(float32(float32(ms*float32(tickRate))/1000)+0.5, 1), 60000))
}
