package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/vec"
)

// block is a box brush in map units.
func block(x0, y0, z0, x1, y1, z1 int, texture string) string {
	face := func(p ...int) string {
		return fmt.Sprintf("( %d %d %d ) ( %d %d %d ) ( %d %d %d ) %s 0 0 0 1 1\n", p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], texture)
	}
	return "{\n" +
		face(x0, y0, z0, x0, y0+1, z0, x0, y0, z0+1) + face(x1, y0, z0, x1, y0, z0+1, x1, y0+1, z0) +
		face(x0, y0, z0, x0, y0, z0+1, x0+1, y0, z0) + face(x0, y1, z0, x0+1, y1, z0, x0, y1, z0+1) +
		face(x0, y0, z0, x0+1, y0, z0, x0, y0+1, z0) + face(x0, y0, z1, x0, y0+1, z1, x0+1, y0, z1) + "}\n"
}

func hingedMap(t *testing.T, keys, brushes string) *level.Level {
	t.Helper()
	text := "{\n\"classname\" \"worldspawn\"\n" + block(-256, -256, -16, 256, 256, 0, "floor") + "}\n" +
		"{\n\"classname\" \"func_door_rotating\"\n" + keys + brushes + "}\n"
	l, err := load.Bytes("hinged.map", []byte(text), level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAHingedDoorHangsAtItsOrigin(t *testing.T) {
	leaf := block(0, -32, 0, 4, 32, 128, "door")
	for _, c := range []struct{ name, keys, brushes string }{
		{"key", "\"origin\" \"2 -32 64\"\n", leaf},
		{"brush", "", leaf + block(0, -34, 0, 4, -30, 128, "common/origin")},
	} {
		l := hingedMap(t, c.keys+"\"distance\" \"80\"\n\"speed\" \"120\"\n\"spawnflags\" \"262\"\n\"wait\" \"3\"\n", c.brushes)
		if len(l.Doors) != 1 || len(l.Warnings) != 0 {
			t.Fatalf("%s: %d doors, warnings %v", c.name, len(l.Doors), l.Warnings)
		}
		d := l.Doors[0]
		if d.Hinge != vec.New(2.0/32, -1, 0) || d.Swing != -80 || d.Speed != 120 || d.Wait != 3 || !d.Both || !d.Use || d.Ajar != 12 || !d.Trigger.IsEmpty() {
			t.Errorf("%s: %+v", c.name, d)
		}
		if m := l.Models[d.Model]; m.NumSolids != 1 || m.Bounds.Min.Y != -1 {
			t.Errorf("%s: the leaf is %+v", c.name, m)
		}
		for _, s := range l.Surfaces {
			if s.Model == d.Model && strings.Contains(l.Textures[s.Texture], "origin") {
				t.Errorf("%s: the origin brush is drawn", c.name)
			}
		}
	}
}

func TestWhatAHingedDoorCannotBeIsSaid(t *testing.T) {
	leaf := block(0, -32, 0, 4, 32, 128, "door")
	origin := "\"origin\" \"0 0 0\"\n"
	for _, c := range []struct{ keys, brushes, want string }{
		{"", leaf, "hangs at the corner"},
		{origin + "\"distance\" \"400\"\n", leaf, "distance is from 1 to 180"},
		{origin + "\"distance\" \"nan\"\n", leaf, "distance is from 1 to 180"},
		{origin + "\"speed\" \"-3\"\n", leaf, "speed is above 0"},
		{origin + "\"ajar\" \"120\"\n", leaf, "ajar is above 0 and below distance"},
		{origin + "\"spawnflags\" \"64\"\n", leaf, "only that is known"},
		{origin, "", "without brushes"},
		{origin, strings.Replace(leaf, "( 0 -32 128 ) ( 0 -31 128 ) ( 1 -32 128 )", "( 0 -32 128 ) ( 0 -31 128 ) ( 1 -32 129 )", 1), "neither stands nor lies"},
	} {
		l := hingedMap(t, c.keys, c.brushes)
		if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Text, c.want) {
			t.Errorf("%q: %v, want one warning with %q", c.keys, l.Warnings, c.want)
		}
		for _, d := range l.Doors {
			if !(vec.Abs(d.Swing) >= 1 && vec.Abs(d.Swing) <= 180 && d.Speed > 0 && d.Ajar > 0 && d.Ajar < vec.Abs(d.Swing)) {
				t.Errorf("%q: %+v", c.keys, d)
			}
		}
	}
}
