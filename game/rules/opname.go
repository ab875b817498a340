package rules

import (
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

var opNames = [NumOps]string{
	"none", "spawn", "kill off", "set team", "give", "take", "set flags", "teleport", "damage", "heal", "score", "phase", "announce",
	"hud", "end match", "door", "remove", "spectate", "teams", "carry", "place", "optic", "piece", "vehicle",
	"table",
}

func (k OpKind) String() string {
	if k < NumOps {
		return opNames[k]
	}
	return fmt.Sprintf("operation %d", uint8(k))
}

// String is an operation in words, without the fields that are zero.
func (o Op) String() string {
	var b strings.Builder
	b.WriteString(o.Kind.String())
	if o.ID != 0 {
		fmt.Fprintf(&b, " %d", o.ID)
	}
	if v := [3]int32{o.Value, o.Value2, o.Value3}; v != [3]int32{} {
		fmt.Fprintf(&b, " values %d %d %d", v[0], v[1], v[2])
	}
	if o.Weapon != 0 {
		fmt.Fprintf(&b, " weapon %d", o.Weapon)
	}
	if o.Flags|o.Flags2 != state.Flags(0) {
		fmt.Fprintf(&b, " flags +%d -%d", o.Flags, o.Flags2)
	}
	if o.Pos != (vec.V3{}) || o.Yaw != 0 {
		fmt.Fprintf(&b, " at %g %g %g facing %g", o.Pos.X, o.Pos.Y, o.Pos.Z, o.Yaw)
	}
	if o.Text != "" {
		fmt.Fprintf(&b, " %q", o.Text)
	}
	return b.String()
}
