package gen_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level/gen"
)

func TestTextMakesTheSameLevel(t *testing.T) {
	cfg := gen.Config{Seed: 5, Towns: 1, Trees: 10, SpawnTowns: 1, Vehicles: 2}
	a, err := gen.Countryside(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b, err := gen.Parse("x.gen", gen.Text(cfg))
	if err != nil || a.Hash != b.Hash {
		t.Errorf("%v: %x and %x", err, a.Hash, b.Hash)
	}
	for _, text := range []string{"", "countryside", "countryside seed x", strings.Repeat("a", 1000)} {
		if _, err := gen.Parse("x.gen", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "x.gen: this is not") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if _, err := gen.Parse("x.gen", gen.Text(gen.Config{Towns: 99})); err == nil || !strings.HasPrefix(err.Error(), "x.gen: ") {
		t.Errorf("%v", err)
	}
}
