package wire_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/wire"
)

// FuzzTables reads any bytes as a set of tables: what is taken passes the tables' own
// checks and comes out the same again.
func FuzzTables(f *testing.F) {
	for _, set := range []tables.Set{tables.Arena(), tables.Tactical()} {
		f.Add(wire.TablesBlob(&set))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		set, err := wire.ParseTables(b)
		if err != nil {
			return
		}
		if err := set.Validate(); err != nil {
			t.Fatalf("taken, and %v", err)
		}
		again, err := wire.ParseTables(wire.TablesBlob(set))
		if err != nil || again.Hash() != set.Hash() {
			t.Fatalf("%+v becomes %+v, %v", set, again, err)
		}
	})
}
