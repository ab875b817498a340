package snapshot

import "github.com/sightline-engine/sightline/game/state"

// Ring is how many packets both sides remember, and MaxAge how old a base may be,
// in packets. netchan acknowledges at most 33 packets back, so a packet that is
// acknowledged was late by at most that, and its base, at most MaxAge older, was
// still in the Ring.
const (
	Ring   = 128
	MaxAge = 63
)

// MaxPayload is the room for a snapshot in one packet, in bytes.
const MaxPayload = 1172

// maxRecords is more than fit into MaxPayload.
const maxRecords = 1024

// maxDoors is how many doors can be told apart.
const maxDoors = 1 << 12

// maxPieces is how many breakable pieces can be told apart.
const maxPieces = 1 << 12

// Ids from 1 up have an index. A client knows a subject by a number of its own,
// below maxNumbers: the lowest that was free when the subject came into its view.
const (
	firstThing = state.MaxPlayers + 1
	numIDs     = firstThing + state.MaxThings
	maxNumbers = numIDs
)

// indexOf maps an id to its place among all ids, 0 when it has none.
func indexOf(id state.ID) int {
	switch {
	case id.IsPlayer():
		return int(id)
	case id >= state.FirstThing && int(id-state.FirstThing) < state.MaxThings:
		return int(id-state.FirstThing) + firstThing
	}
	return 0
}
