package tables_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/tables"
)

var update = flag.Bool("update", false, "write docs/table-values.md anew")

const tablesPage = "../../docs/table-values.md"

// docs/table-values.md has every number by its name, what the shipped sets have and what it
// may be.
func TestTablesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("<!-- Written by go test ./game/tables -run TablesPage -update. -->\n\n# The numbers of the tables\n\n" +
		"Every number that movement, weapons, items, sounds and vehicles run on, by the name that rules (`rules.SetTable`, `Ready.tables`) and the command `table` know it by. " +
		"Lengths are in metres, speeds in m/s, times in milliseconds, angles in degrees; what each means says its field in [game/tables](../game/tables/tables.go). " +
		"Numbers may also contradict each other, as a body that is higher crouched than standing: a change that makes them do so is refused as a whole. How they change is in [tables.md](tables.md).\n\n" +
		"| name | arena | tactical | may be |\n|---|---|---|---|\n")
	a, c := tables.Arena(), tables.Tactical()
	for _, name := range tables.ValueNames(&a) {
		x, errA := a.Get(name)
		y, errC := c.Get(name)
		lo, hi, whole, err := a.Range(name)
		if errA != nil || errC != nil || err != nil || !(x >= lo && x <= hi) {
			t.Fatal(name, x, lo, hi, errA, errC, err)
		}
		may := fmt.Sprintf("%v to %v", lo, hi)
		switch {
		case whole && lo == 0 && hi == 1:
			may = "0 or 1"
		case whole:
			may += ", whole"
		}
		fmt.Fprintf(&b, "| `%s` | %v | %v | %s |\n", name, x, y, may)
	}
	if *update {
		if err := os.WriteFile(tablesPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(tablesPage); err != nil || string(have) != b.String() {
		t.Errorf("docs/table-values.md is not what the tables are (%v): run go test ./game/tables -run TablesPage -update", err)
	}
	if _, _, _, err := a.Range("movement.gravty"); err == nil || !strings.Contains(err.Error(), "near are movement.gravity") {
		t.Error(err)
	}
}
