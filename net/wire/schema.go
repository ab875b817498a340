package wire

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/game/state"
)

// Version counts changes that no layout shows, such as of a value's meaning.
const Version = 1

// snapshotText is how net/snapshot puts the records together.
const snapshotText = `snapshot
  base, packets ago, 0 none u6
  head, against the base's
  as predicted bit, with a base
  player, as predicted, against the base's, if that is set, else player, against the base's
  hash of the player u16, with a base in packets whose number is a multiple of 16
  doors, while a bit is set:
    index u12
    door
  removed, while a bit is set:
    id
  events, while a bit is set:
    number, of the first u16
    number, of the others, gap less 1 golomb0
    age in ticks golomb2
    event, near the player
  records, while a bit is set:
    id
    based as the snapshot bit, if not set:
      base, packets ago, 0 none u6
    generation u4, without a base
    entity, against the base
    path, without a base
  complete bit
hash of the player, FNV-1a of 32 bits, the halves xored, over its values, low byte first
  place, velocity, yaw, pitch, flags, duck, lean, water, ground, move timer, ladder hold, stride,
  weapon, next, weapon timer, burst, cool, shots, owned, rounds, teleports, forced
id, ascending in a list
  index less the one before less 1 golomb2; of a thing id - 1024 + 513
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
	c.section("head")
	c.Head(&Head{}, &Head{})
	c.section("player")
	c.Player(&state.Player{}, &state.Player{})
	c.section("player, as predicted")
	c.Unpredicted(&state.Player{}, &state.Player{})
	c.section("entity, full")
	c.Entity(&state.Entity{}, nil, state.Q{})
	c.section("entity, against a base")
	c.Entity(&state.Entity{}, &state.Entity{}, state.Q{})
	c.section("path")
	c.Path(nil, &state.Entity{}, 0)
	c.section("event")
	c.Event(&state.Event{}, state.Q{})
	c.section("door")
	c.Door(&state.DoorState{}, 0)

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
