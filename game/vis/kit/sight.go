package kit

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Within reports whether two subjects are at most r metres apart, from feet to
// feet; the same both ways.
func Within(a, b *vis.Subject, r float32) bool {
	return a.Pos.DistSq(b.Pos) <= float32(r*r)
}

// Ticks returns how many ticks cover ms milliseconds, rounded up.
func Ticks(ms float64, tickRate int) state.Tick {
	t := ms * float64(tickRate) / 1000
	n := state.Tick(t)
	if float64(n) < t {
		n++
	}
	return n
}

// Lines is the classic test of sight between two bodies: eye to eye, and eye to
// chest both ways. It returns the first clear line, as seen from a to b, or
// vis.Hidden, and how many lines were tried. Between the same two bodies the
// answer is the same whoever is a. Of a thing it looks at the origin and at the
// middle of its box.
func Lines(s *vis.Sight, a, b *vis.Subject) (r vis.Reason, rays int) {
	if flipped(a, b) {
		r, rays = lines(s, b, a)
		return flip(r), rays
	}
	return lines(s, a, b)
}

// flipped gives a pair one order, so that rounding cannot make its two answers
// differ.
func flipped(a, b *vis.Subject) bool { return b.ID < a.ID }

func lines(s *vis.Sight, a, b *vis.Subject) (vis.Reason, int) {
	ae, ac := points(a)
	be, bc := points(b)
	if s.Clear(ae, be) {
		return vis.EyeEye, 1
	}
	n := 1
	if bc != be {
		n++
		if s.Clear(ae, bc) {
			return vis.EyeChest, n
		}
	}
	// A thing has no eye: only what the player's own sees of it counts.
	if ac != ae && b.Kind == state.KindPlayer {
		n++
		if s.Clear(ac, be) {
			return vis.ChestEye, n
		}
	}
	return vis.Hidden, n
}

// points returns where a subject looks from and the second place it is looked at.
func points(s *vis.Subject) (eye, chest vec.V3) {
	if s.Kind == state.KindPlayer {
		return s.Eye, s.Chest
	}
	if s.Box.IsEmpty() || s.Box == (vec.Box{}) {
		return s.Eye, s.Chest
	}
	return s.Eye, s.Box.Center()
}
