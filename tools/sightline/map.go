package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// newMap returns the map subcommands.
func newMap() *cobra.Command {
	var assets []string
	c := &cobra.Command{
		Use:   "map",
		Short: "Look into a map: .map, .bsp, or one inside a pack (some.pk3:maps/name.bsp)",
	}
	c.PersistentFlags().StringArrayVar(&assets, "assets", nil, "folder with .pk3 packs, or loose scripts, that the map needs (may be repeated)")
	c.AddCommand(newMapInfo(&assets), newMapTrace(&assets), newMapDiff(&assets), newMapDraw(&assets))
	return c
}

// writeJSON prints a result for programs.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// writeLine prints a result for programs, on one line.
func writeLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

// parseVector reads "x,y,z".
func parseVector(s string) (vec.V3, error) {
	f := strings.Split(s, ",")
	if len(f) != 3 {
		return vec.V3{}, fmt.Errorf("%q is not three numbers x,y,z", s)
	}
	var v vec.V3
	for i := range f {
		x, err := strconv.ParseFloat(strings.TrimSpace(f[i]), 32)
		if err != nil || !vec.Finite(float32(x)) {
			return vec.V3{}, fmt.Errorf("%q is not three numbers x,y,z", s)
		}
		v = v.With(i, float32(x))
	}
	return v, nil
}

// parseMask reads the word for a question.
func parseMask(s string) (level.Mask, error) {
	switch s {
	case "sight":
		return level.MaskSight, nil
	case "move":
		return level.MaskMove, nil
	case "shot":
		return level.MaskShot, nil
	}
	return 0, fmt.Errorf("mask %q is none of sight, move, shot", s)
}

func maskName(m level.Mask) string {
	switch m {
	case level.MaskSight:
		return "sight"
	case level.MaskMove:
		return "move"
	}
	return "shot"
}

// contentNames lists contents in words.
func contentNames(c level.Contents) []string {
	names := []string{}
	for _, r := range [...]struct {
		c level.Contents
		n string
	}{
		{level.Solid, "solid"}, {level.Glass, "glass"}, {level.PlayerClip, "player clip"}, {level.WeaponClip, "weapon clip"},
		{level.Water, "water"}, {level.Slime, "slime"}, {level.Lava, "lava"}, {level.Ladder, "ladder"},
		{level.NoDrop, "no drop"}, {level.Trigger, "trigger"}, {level.Detail, "detail"}, {level.Fog, "fog"},
	} {
		if c&r.c != 0 {
			names = append(names, r.n)
		}
	}
	return names
}

func triple(v vec.V3) [3]float32 { return [3]float32{v.X, v.Y, v.Z} }
