package server

import "github.com/sightline-engine/sightline/game/state"

// outside follows when something but its client's commands acted on a player: the
// rules, a hit, another body, a teleport, a command that was made up.
type outside struct {
	known             bool
	forced, teleports uint8
	at                state.Tick
}

// undisturbed takes the player after a tick and returns for how many ticks nothing
// has acted on it; nil is no player. One whose client lacks the tables counts as
// disturbed.
func (o *outside) undisturbed(p *state.Player, tick state.Tick, lacks bool) uint16 {
	if p == nil {
		o.known = false
		return 0
	}
	if lacks || !o.known || p.Forced != o.forced || p.Teleports != o.teleports {
		*o = outside{known: true, forced: p.Forced, teleports: p.Teleports, at: tick}
	}
	const most = 1<<16 - 1
	if tick-o.at > most {
		o.at = tick - most
	}
	return uint16(tick - o.at)
}
