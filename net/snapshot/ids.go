package snapshot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
)

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

// slotNone is no index: ids from 1 up have one.
const (
	firstThing = state.MaxPlayers + 1
	numIDs     = firstThing + state.MaxThings
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

// idAt is indexOf turned round.
func idAt(index int) state.ID {
	if index < firstThing {
		return state.ID(index)
	}
	return state.ID(index-firstThing) + state.FirstThing
}

func putID(w *bits.Writer, index, before int) { w.Golomb(uint32(index-before-1), 2) }

func getID(r *bits.Reader, before int) int {
	gap := r.Golomb(2)
	if gap >= numIDs || before+1+int(gap) >= numIDs {
		r.Fail(ErrPacket)
		return 0
	}
	return before + 1 + int(gap)
}
