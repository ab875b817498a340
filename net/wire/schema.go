package wire

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/game/state"
)

// Version counts changes that no layout shows, such as of a value's meaning.
const Version = 1

// snapshotText is how net/snapshot puts the parts together.
const snapshotText = `snapshot, range coded; or sixteen ones, and the same packed
  packed bit, never set; only when range coded
  base, packets ago, 0 none
  head, against the base's
  as predicted bit, with a base
  player, as predicted, against the base's, if that is set, else player, against the base's
  hash of the player u16, with a base in packets whose number is a multiple of 16
  doors, while more:
    index, after the one before
    door
  pieces, while more pieces:
    index, after the one before
    piece
  removed, while more:
    subject, after the one before
  events, while more:
    number, against the one after the last that the base told of, or the one before
    age in ticks
    event, near the player
  for each record of the base packet that is no loose one, in order:
    again: 0 nothing, 1 a record against that one, 2 the subject has left
    record, against a base, if 1
  other records, while more:
    subject, after the one before
    full bit
    generation u4, record without a base and path, if set
    packets before the base, and record against a base, if not
  whole bit
  loose records, while more: until the first whose base the client does not have
    subject, after the one before
    packets ago
    record, against a base
hash of the player, FNV-1a of 32 bits, the halves xored, over its values, low byte first
  place, velocity, yaw, pitch, flags, duck, lean, water, ground, move timer, ladder hold, stride,
  weapon, next, weapon timer, burst, cool, shots, owned, rounds, magazines, reloading, teleports, forced, optic, raise, blind
`

// Schema returns the description of everything in this package: one line per
// value, in the order of the wire.
func Schema() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %d, players %d, things from %d to %d\n", Version, state.MaxPlayers, state.FirstThing, int(state.FirstThing)+state.MaxThings-1)
	c := &Coder{text: &b}

	c.section("client packet")
	c.client(&Client{})

	b.WriteString(snapshotText)
	c.section("parts")
	c.Packed()
	c.Base(&Head{})
	c.AsPredicted(false)
	c.Hash(0)
	c.More(0, false)
	c.DoorIndex(0, 0)
	c.MorePieces(false)
	c.PieceIndex(0, 0)
	c.Slot(0, 0, 0)
	c.EventNumber(0, 0, true)
	c.EventAge(0)
	c.Again(0, &Rec{})
	c.Full(false)
	c.Age(0)
	c.LooseAge(0)
	c.Generation(0)
	c.Whole(false)
	c.section("head")
	c.Head(&Head{}, &Head{})
	c.section("player")
	c.Player(&state.Player{}, &state.Player{}, 0, 0)
	c.section("player, as predicted")
	c.Unpredicted(&state.Player{}, &state.Player{})
	c.section("record, without a base")
	c.First(&Rec{Ent: state.Entity{Vel: state.Q{X: 1}}}, state.Q{})
	c.section("path")
	c.Path(nil, &Rec{}, 0)
	c.section("record, against a base")
	c.Record(&Rec{}, &Rec{}, 0)
	c.section("event")
	c.Happened(&state.Event{}, state.Q{})
	c.section("door")
	c.Door(&state.DoorState{}, 0)
	c.section("piece")
	c.Piece(&state.Piece{}, 0)
	c.section("demo: entity, full")
	c.Entity(&state.Entity{}, nil, state.Q{})
	c.section("demo: entity, against a base")
	c.Entity(&state.Entity{}, &state.Entity{}, state.Q{})
	c.section("demo: event")
	c.Event(&state.Event{}, state.Q{})
	fmt.Fprintf(&b, "tables %x\n", sha256.Sum256([]byte(trained)))

	for k := kind(0); k < kindsUp; k++ {
		if m := blank(k); m != nil {
			c.section(fmt.Sprintf("message %d, %T", k, m))
			m.layout(c)
		}
	}
	return b.String()
}

// SchemaHash is what both sides compare before they talk.
func SchemaHash() [32]byte { return sha256.Sum256([]byte(Schema())) }
