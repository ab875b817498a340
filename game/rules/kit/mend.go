package kit

import "github.com/sightline-engine/sightline/game/rules"

// Mend makes the level whole again, as every match and every round begins.
func Mend(ops []rules.Op) []rules.Op {
	return append(ops, rules.Op{Kind: rules.OpPiece, Value: -1})
}
