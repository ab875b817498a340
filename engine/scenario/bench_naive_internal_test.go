package scenario

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// A plain encoder pays a bit for each field up to the last that differs, and the
// width of those that do.
func TestNaiveFields(t *testing.T) {
	base := state.Entity{ID: 3, Kind: state.KindPlayer, Pos: state.Q{X: 100, Y: 200, Z: 300}, Yaw: 7, Weapon: 2}
	for name, c := range map[string]struct {
		change func(e *state.Entity)
		want   int
	}{
		"nothing": {func(*state.Entity) {}, 0},
		"x":       {func(e *state.Entity) { e.Pos.X++ }, 1 + 24},
		"z":       {func(e *state.Entity) { e.Pos.Z++ }, 3 + 24},
		"x, yaw":  {func(e *state.Entity) { e.Pos.X++; e.Yaw++ }, 7 + 24 + 16},
		"health":  {func(e *state.Entity) { e.Health = 1 }, 19 + 8},
	} {
		e := base
		c.change(&e)
		if got := fields(&e, &base); got != c.want {
			t.Errorf("%s: %d bits, want %d", name, got, c.want)
		}
	}
}
