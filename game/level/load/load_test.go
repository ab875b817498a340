package load_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
)

func TestMapTextIsRead(t *testing.T) {
	data, err := os.ReadFile("../testdata/r2.map")
	if err != nil {
		t.Fatal(err)
	}
	l, err := load.Bytes("some/r2.map", data, level.Options{})
	if err != nil || l.Name != "r2" || len(l.Solids) != 7 {
		t.Errorf("%v", err)
	}
	half, err := load.Bytes("r2.map", data, level.Options{Scale: 1.0 / 64})
	if err != nil || half.Bounds.Max.X*2 != l.Bounds.Max.X || half.Spawns[0].Pos.X*2 != l.Spawns[0].Pos.X {
		t.Errorf("scale: %v %v", half.Bounds, err)
	}
}

func TestWhatIsNoMapIsRefusedInASentence(t *testing.T) {
	for _, row := range []struct{ name, data, says string }{
		{"maps/dm1.aas", "EAAS\x05\x00", "navigation"},
		{"maps/ctf1.map", "DATA\x04\x00\x00\x00", "two-dimensional"},
		{"demos/a.dm_68", "\x00\x00\x00\x01", "demo"},
		{"maps/q1.bsp", "\x1d\x00\x00\x00rest", "Quake or Half-Life"},
		{"maps/hl2.bsp", "VBSP\x14", "Source"},
		{"pak0.pk3", "PK\x03\x04", "PACK:maps"},
		{"x.map", "\x89PNG\r\n", "picture"},
		{"x.map", "{\x00\x01\x02", "neither"},
		{"x.map", "", "empty"},
	} {
		_, err := load.Bytes(row.name, []byte(row.data), level.Options{})
		var refused *load.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), row.says) || !strings.HasPrefix(err.Error(), row.name+": ") {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if _, err := load.Bytes("x.bsp", []byte("{ \"classname\" \"worldspawn\" }"), level.Options{}); err == nil {
		t.Error("text named .bsp is read")
	}
}
