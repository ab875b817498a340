package screen

import (
	"testing"

	"github.com/sightline-engine/sightline/game/vis/kit"
)

// TestNoCastIsLeftOut: what is beyond a Look's limit would not be looked along.
func TestNoCastIsLeftOut(t *testing.T) {
	have := map[kit.Cast]bool{}
	for _, c := range players() {
		if have[c] {
			t.Errorf("%+v is there twice", c)
		}
		have[c] = true
	}
	if n := len(players()); n > kit.MaxCasts || len(things()) > kit.MaxCasts {
		t.Errorf("%d lines, of which %d are looked along", n, kit.MaxCasts)
	} else {
		t.Logf("%d lines", n)
	}
}
