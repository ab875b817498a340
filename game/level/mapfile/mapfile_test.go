package mapfile_test

import (
	"os"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t *testing.T, name string, data []byte) *level.Level {
	t.Helper()
	l, err := mapfile.Parse(name, data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFixturesAreRead(t *testing.T) {
	for _, row := range []struct {
		file                 string
		solids, tris, spawns int
	}{
		{"r1.map", 6, 0, 2},
		{"r2.map", 7, 0, 2},
		{"r3.map", 13, 0, 2},
		{"p1.map", 6, 2 * 4 * 8 * 2, 2},
		{"nospawn.map", 6, 0, 0},
		{"spawnwall.map", 6, 0, 1},
	} {
		t.Run(row.file, func(t *testing.T) {
			l := parse(t, row.file, read(t, row.file))
			if len(l.Solids) != row.solids || len(l.Tris) != row.tris || len(l.Spawns) != row.spawns {
				t.Errorf("%d solids, %d triangles, %d spawns; want %d, %d, %d",
					len(l.Solids), len(l.Tris), len(l.Spawns), row.solids, row.tris, row.spawns)
			}
			if len(l.Warnings) != 0 {
				t.Errorf("warnings: %v", l.Warnings)
			}
			for i, s := range l.Solids {
				if len(s.Sides) != 6 || s.Contents != level.Solid || !s.Bounds.Min.IsFinite() {
					t.Errorf("solid %d: %+v", i, s)
				}
			}
		})
	}
}
