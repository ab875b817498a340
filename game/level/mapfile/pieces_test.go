package mapfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// What a map says of pieces is what they are; what cannot be is said in a sentence,
// and the piece is made all the same.
func TestPiecesAreReadAndFaultsAreTold(t *testing.T) {
	brush := cube(func(int, int) string { return "t 0 0 0 1 1" })
	for _, c := range []struct {
		keys    string
		want    level.Piece
		warning string // a part of it; "" none
	}{
		{"classname func_breakable", level.Piece{Health: 50}, ""},
		{"classname func_breakable health 120 material stone spawnflags 1", level.Piece{Health: 120, Material: level.Stone, Explosive: true}, ""},
		{"classname func_breakable health 0 material Metal", level.Piece{Material: level.Metal}, ""},
		{"classname func_breakable material glass", level.Piece{Health: 50, Material: level.Pane}, ""},
		{"classname func_glass", level.Piece{Health: 1, Material: level.Pane}, ""},
		{"classname func_glass health 30", level.Piece{Health: 30, Material: level.Pane}, ""},
		{"classname func_breakable health -5", level.Piece{Health: 50}, `func_breakable has health "-5", which is not a number from 0 to 30000: 50 is taken`},
		{"classname func_breakable health lots", level.Piece{Health: 50}, `health "lots"`},
		{"classname func_breakable health 1e30", level.Piece{Health: 50}, `health "1e30"`},
		{"classname func_breakable material cheese", level.Piece{Health: 50}, `func_breakable has material "cheese", which is none of wood, stone, metal, glass: wood is taken`},
	} {
		f := strings.Fields(c.keys)
		ent := "{\n" + brush
		for i := 0; i+1 < len(f); i += 2 {
			ent += fmt.Sprintf("%q %q\n", f[i], f[i+1])
		}
		l := parse(t, "m.map", world("")+ent+"}\n")
		c.want.Model = 1
		if len(l.Pieces) != 1 || l.Pieces[0] != c.want {
			t.Errorf("%s: %+v, want %+v", c.keys, l.Pieces, c.want)
			continue
		}
		said := ""
		for _, w := range l.Warnings {
			if strings.Contains(w.Text, f[1]) {
				said += w.Text
			}
		}
		if c.warning == "" && said != "" || !strings.Contains(said, c.warning) {
			t.Errorf("%s: said %q, want %q", c.keys, said, c.warning)
		}
		w := trace.New(l)
		mid := l.Models[1].Bounds.Center()
		a, b := mid.Add(vec.New(-9, 0, 0)), mid.Add(vec.New(9, 0, 0))
		if got := w.Blocked(a, b, level.MaskSight); got == (c.want.Material == level.Pane) {
			t.Errorf("%s: blocks sight %v", c.keys, got)
		}
		if !w.Blocked(a, b, level.MaskShot) || !w.Blocked(a, b, level.MaskMove) {
			t.Errorf("%s: does not stop shots or bodies", c.keys)
		}
	}
	if l := parse(t, "m.map", world("")+"{\n\"classname\" \"func_glass\"\n}\n"); len(l.Pieces) != 0 || len(l.Warnings) == 0 {
		t.Errorf("a window without brushes: %+v, %v", l.Pieces, l.Warnings)
	}
}

// Pieces are part of what both sides compare.
func TestPiecesAreInTheHash(t *testing.T) {
	brush := cube(func(int, int) string { return "t 0 0 0 1 1" })
	seen := map[[32]byte]string{}
	for _, keys := range []string{"", `"health" "60"`, `"material" "stone"`, `"spawnflags" "1"`} {
		l, err := mapfile.Parse("m", []byte(world("")+"{\n"+brush+"\"classname\" \"func_breakable\"\n"+keys+"\n}\n"), level.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if old, twice := seen[l.Hash]; twice {
			t.Errorf("%q and %q have one hash", keys, old)
		}
		seen[l.Hash] = keys
	}
}
