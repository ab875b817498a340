package deaddrop

import "github.com/sightline-engine/sightline/game/vis"

// LineByLine makes a policy ask each line of a hidden pair by itself.
func LineByLine(p vis.Policy) { p.(*policy).lineByLine = true }

// AtOnce returns how many pairs were found hidden without asking their lines.
func AtOnce(p vis.Policy) int { return p.(*policy).atOnce }
