package vis

import "github.com/sightline-engine/sightline/game/state"

// Standing is a pair of the answer before that is permitted still, of a body that is
// the same still on either side.
type Standing struct {
	Viewer   int        // row of Input.Viewers
	Subject  int        // index of Input.Subjects
	Until    state.Tick // permitted until then without a new word
	Reason   Reason
	Interval uint8
}

// Heir is a Policy that takes Input.Standing over: a pair that was permitted for what
// it has not seen itself is permitted until then, no longer than its own hold, and
// where it would have been permitted by one that had decided all along. kit.Store does
// that for whoever remembers in it. What a Policy is that is no Heir needs to do nothing
// for it: its host keeps the pairs beside its answers until their holds are over.
type Heir interface {
	Policy
	// Inherits says that it does.
	Inherits()
}
