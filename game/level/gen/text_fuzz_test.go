package gen_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level/gen"
)

// FuzzParse reads any text as the description of a generated level: what is taken
// is a level that has a place to enter and says nothing that is not finite.
func FuzzParse(f *testing.F) {
	f.Add(gen.Text(gen.Config{Seed: 5, Towns: 1, Trees: 10, SpawnTowns: 1, Vehicles: 3}))
	f.Add([]byte("countryside seed -1 towns 0 trees -5 spawn_towns 9 vehicles 70\n"))
	f.Add([]byte("countryside seed 1 towns 99999999999999999999"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := gen.Parse("x.gen", text)
		if err != nil {
			return
		}
		if len(l.Spawns) == 0 || len(l.Spawns) > 1<<16 {
			t.Fatalf("%q: %d places to enter", text, len(l.Spawns))
		}
		for i := range l.Spawns {
			if !l.Spawns[i].Pos.IsFinite() {
				t.Fatalf("%q: place %d at %v", text, i, l.Spawns[i].Pos)
			}
		}
	})
}
