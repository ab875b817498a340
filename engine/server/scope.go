package server

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/weapon"
)

// looks notes through which optic a client's player looks: that of the weapon in its
// hand as the simulation has it, while the commands that were run ask to aim. p is nil
// where it has no player.
func (c *conn) looks(p *state.Player, set *tables.Set, tick state.Tick, tickRate int) {
	var now vis.Scope
	asks := p != nil && weapon.Asks(p)
	if asks {
		now = scopeOf(&set.Optics[weapon.OpticOf(p, set)])
	}
	c.scope.Ask(asks, now, tick, tickRate)
}

// scopeOf is an optic in the words of policies; the zero Scope of one that does not
// magnify. Its picture is round, so that half its diagonal is half its height.
func scopeOf(o *tables.Optic) vis.Scope {
	if !o.Magnifies() {
		return vis.Scope{}
	}
	return vis.Scope{Magnification: o.Magnification, HalfDeg: o.FovDeg / 2, RangeM: o.RangeM, TurnDPS: o.TurnDPS}
}
