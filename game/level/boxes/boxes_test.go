package boxes_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/boxes"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/vec"
)

func some() *boxes.Level {
	box := func(x, y, z, X, Y, Z float32) vec.Box {
		return vec.Box{Min: vec.V3{X: x, Y: y, Z: z}, Max: vec.V3{X: X, Y: Y, Z: Z}}
	}
	return &boxes.Level{
		Slabs: []boxes.Slab{
			{Box: box(-30, -30, -1, 30, 30, 0), Contents: level.Solid},
			{Box: box(-0.1, -10, 0, 1.0/3, 10, 3), Contents: level.Glass, Piece: true},
			{Box: box(2, -10, 0, 2.03, 10, 3), Contents: level.PlayerClip},
			{Box: box(4, -10, 0, 5, 10, 3), Contents: level.Solid, Piece: true},
		},
		Doors: []boxes.Door{
			{Box: box(8, -1, 0, 8.2, 1, 2), Door: boxes.Slide(vec.V3{Y: 1.9}, 2)},
			{Box: box(9, -1, 0, 9.2, 1, 2), Door: boxes.Swing(vec.V3{X: 9.1, Y: -1}, -90, 120)},
		},
	}
}

// What is written is read again, and is the same level.
func TestTextIsTheLevel(t *testing.T) {
	want, err := some().Build("scene")
	if err != nil {
		t.Fatal(err)
	}
	got, err := load.Bytes("a/scene.boxes", some().Text(), level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash != want.Hash || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%+v", got, want)
	}
	if len(got.Pieces) != 2 || got.Pieces[0].Material != level.Pane || len(got.Doors) != 2 || !got.Doors[1].Hinged() || got.Name != "scene" {
		t.Errorf("%+v %+v", got.Pieces, got.Doors)
	}
	of, ok := boxes.Of(want)
	if !ok {
		t.Fatal("a level of boxes is none")
	}
	if l, err := of.Build("scene"); err != nil || !reflect.DeepEqual(l.Solids, want.Solids) || !reflect.DeepEqual(l.Doors, want.Doors) || l.Hash != want.Hash {
		t.Errorf("%v: %+v", err, of)
	}
	other := some()
	other.Doors[1].Door.Swing = 90
	if l, err := other.Build("scene"); err != nil || l.Hash == want.Hash {
		t.Errorf("another door has the same hash: %v", err)
	}
	again, err := boxes.Read(some().Text())
	if err != nil || !bytes.Equal(again.Text(), some().Text()) {
		t.Error(err)
	}
}

func TestBadTextSaysWhatIsWrong(t *testing.T) {
	for says, text := range map[string]string{
		"first line":               "slab 1 0 0 0 1 1 1\n",
		"line 2: \"slob\" is none": "boxes 1\nslob 1 0 0 0 1 1 1\n",
		"7 are due":                "boxes 1\nslab 1 0 0 0 1 1\n",
		"is no number":             "boxes 1\nslab 1 0 0 0 1 1 NaN\n",
		"line 3: an empty line":    "boxes 1\nslab 1 0 0 0 1 1 1\n\n",
		"not below its most":       "boxes 1\nslab 1 0 0 0 1 0 1\n",
		"a speed above 0":          "boxes 1\nslide 0 0 0 1 1 1 0 0 1 0\n",
		"a swing of 1 to 180":      "boxes 1\nswing 0 0 0 1 1 1 0 0 190 5\n",
		"more than 4096":           "boxes 1\n" + strings.Repeat("slab 1 0 0 0 1 1 1\n", boxes.MaxRows+1),
		"characters":               "boxes 1\n" + strings.Repeat(" ", 600) + "\n",
		"is no contents":           "boxes 1\nslab -1 0 0 0 1 1 1\n",
	} {
		if _, err := boxes.Parse("x.boxes", []byte(text)); err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "x.boxes: ") {
			t.Errorf("%.60q: %v, not %q", text, err, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(some().Text())
	f.Add([]byte("boxes 1\nswing 0 0 0 1 1 1 0 0 1e-3 5\n"))
	f.Add([]byte("boxes 1\nslab 4294967295 0 0 0 1e-9 1 1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := boxes.Read(b)
		if err != nil {
			return
		}
		again, err := boxes.Read(l.Text())
		if err != nil || !bytes.Equal(again.Text(), l.Text()) {
			t.Fatalf("%v: %q", err, l.Text())
		}
		if len(l.Slabs)+len(l.Doors) < 64 {
			_, _ = l.Build("x")
		}
	})
}
