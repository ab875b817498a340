package snapshot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Note takes the View of a tick that has no packet: what happened in it is told
// in the next one.
func (e *Encoder) Note(view *vis.View) { e.events.add(view, state.Tick(e.tickRate)) }
