package weapon

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// Suppressed reports whether a weapon of a player is fired through a suppressor: one of
// its own, or the one that the player carries, on a weapon that is heard less far
// through it. A blow and a throw are as loud with one.
func Suppressed(p *state.Player, w uint8, set *tables.Set) bool {
	if int(w) >= len(set.Weapons) {
		return false
	}
	t := &set.Weapons[w]
	return t.Suppressor || p.Flags&state.Suppressed != 0 && t.Muffled < t.Earshot && !t.Melee && t.Throws == tables.ThrowsNothing
}
