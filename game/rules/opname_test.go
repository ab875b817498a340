package rules_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Every operation has a name of its own, and says what is in it.
func TestOperationsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := range rules.NumOps {
		if n := k.String(); n == "" || seen[n] {
			t.Errorf("operation %d is called %q", uint8(k), n)
		}
		seen[k.String()] = true
	}
	if got := rules.OpKind(200).String(); got != "operation 200" {
		t.Error(got)
	}
	for want, op := range map[string]rules.Op{
		"none":                 {},
		"score 3 values 4 1 4": {Kind: rules.OpScore, ID: 3, Value: 4, Value2: 1, Value3: 4},
		"spawn 2 values 100 0 0 at 1.5 0 -2 facing 90":                 {Kind: rules.OpSpawn, ID: 2, Value: 100, Pos: vec.New(1.5, 0, -2), Yaw: 90},
		`table values 640 0 0 at 12.5 0 0 facing 0 "movement.gravity"`: rules.SetTable(tables.Value{Name: "movement.gravity", To: 12.5}, 640),
		`set flags 1 weapon 3 flags +4 -8 "why"`:                       {Kind: rules.OpSetFlags, ID: 1, Weapon: 3, Flags: 4, Flags2: 8, Text: "why"},
	} {
		if got := op.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
