package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// hold raises a weapon and lets go of everything.
func (r *rig) hold(id state.ID, w uint8) {
	r.cmds[id] = state.Cmd{Weapon: w}
	r.run(60)
}
