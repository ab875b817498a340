package gen

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
)

// textOf is how a Config is written: all that another process needs to make the
// same level.
const textOf = "countryside seed %d towns %d trees %d spawn_towns %d vehicles %d\n"

// Text describes a level in a line; name it with the ending .gen.
func Text(cfg Config) []byte {
	return fmt.Appendf(nil, textOf, cfg.Seed, cfg.Towns, cfg.Trees, cfg.SpawnTowns, cfg.Vehicles)
}

// Parse makes the level that a Text describes; name is for messages.
func Parse(name string, text []byte) (*level.Level, error) {
	var c Config
	if n, err := fmt.Sscanf(string(text[:min(len(text), 256)]), textOf, &c.Seed, &c.Towns, &c.Trees, &c.SpawnTowns, &c.Vehicles); n != 5 {
		return nil, fmt.Errorf("%s: this is not the description of a generated level: %w", name, err)
	}
	l, err := Countryside(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}
