package kit_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/tables"
)

// What is scaled is what changes, and a misspelt name is not lost: who asks for the
// change is told of it.
func TestScaledLosesNoName(t *testing.T) {
	set := tables.Arena()
	if vs := kit.Scaled(nil, &set, 100, "movement.gravity", "weapon.rifle.interval_ms"); len(vs) != 0 {
		t.Errorf("100 percent change %v", vs)
	}
	vs := kit.Scaled(nil, &set, 50, "movement.gravity", "weapon.rifle.interval_ms")
	if len(vs) != 2 || vs[0] != (tables.Value{Name: "movement.gravity", To: 12.5}) || vs[1] != (tables.Value{Name: "weapon.rifle.interval_ms", To: 55}) {
		t.Errorf("half is %v", vs)
	}
	for _, percent := range []int{50, 100} {
		_, err := set.With(kit.Scaled(nil, &set, percent, "movement.gravty"))
		if err == nil || !strings.Contains(err.Error(), `"movement.gravty"; near are movement.gravity`) {
			t.Errorf("%d percent of a misspelt name: %v", percent, err)
		}
	}
}
