package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// mapInfo is what map info prints, in the form of its JSON.
type mapInfo struct {
	Name      string         `json:"name"`
	Source    string         `json:"source"`
	Format    string         `json:"format"`
	Hash      string         `json:"hash"`
	Units     string         `json:"units"`
	Min       [3]float32     `json:"min"`
	Max       [3]float32     `json:"max"`
	KillZ     float32        `json:"kill_z"`
	Solids    int            `json:"solids"`
	Sides     int            `json:"sides"`
	Triangles int            `json:"triangles"`
	Contents  map[string]int `json:"contents"`
	Models    int            `json:"models"`
	Textures  int            `json:"textures"`
	Surfaces  int            `json:"surfaces"`
	Drawn     int            `json:"drawn_triangles"`
	Lightmaps int            `json:"lightmaps"`
	Clusters  int            `json:"clusters"`
	Areas     int            `json:"areas"`
	VisData   bool           `json:"visibility_data"`
	Entities  int            `json:"entities"`
	Classes   map[string]int `json:"classes"`
	Spawns    int            `json:"spawns"`
	Usable    int            `json:"usable_spawns"`
	SpawnNote string         `json:"spawn_note,omitempty"`
	Doors     int            `json:"doors"`
	Hinged    int            `json:"hinged_doors"` // of the doors
	Pieces    map[string]int `json:"pieces"`       // that break, by material
	Vehicles  map[string]int `json:"vehicles"`     // places, by type
	Zones     map[string]int `json:"zones"`        // by name
	Lifts     int            `json:"lifts"`
	Teleports int            `json:"teleports"`
	Pads      int            `json:"pads"`
	Pickups   int            `json:"pickups"`
	Warnings  []mapWarning   `json:"warnings"`
}

type mapWarning struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Entity int    `json:"entity"`
	Brush  int    `json:"brush"`
	Text   string `json:"text"`
}

func newMapInfo(assets *[]string) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Say what is in a map, and what is wrong with it",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := loadMap(args[0], *assets)
			if err != nil {
				return err
			}
			info := describe(l)
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), info)
			}
			info.print(cmd.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func describe(l *level.Level) mapInfo {
	m := mapInfo{
		Name: l.Name, Source: l.Source, Format: l.Format, Hash: hex.EncodeToString(l.Hash[:]), Units: "m",
		Min: triple(l.Bounds.Min), Max: triple(l.Bounds.Max), KillZ: l.KillZ,
		Solids: len(l.Solids), Triangles: len(l.Tris), Contents: map[string]int{}, Models: len(l.Models),
		Textures: len(l.Textures), Surfaces: len(l.Surfaces), Lightmaps: len(l.Lightmaps),
		Entities: len(l.Entities), Classes: map[string]int{}, Spawns: len(l.Spawns),
		Teleports: len(l.Teleports), Pads: len(l.Pads), Pickups: len(l.Pickups), Warnings: []mapWarning{},
		Pieces: map[string]int{}, Vehicles: map[string]int{}, Zones: map[string]int{},
	}
	for i := range l.Solids {
		m.Sides += len(l.Solids[i].Sides)
		names := contentNames(l.Solids[i].Contents &^ level.Detail)
		if len(names) == 0 {
			names = []string{"nothing"}
		}
		m.Contents[strings.Join(names, "+")]++
	}
	for i := range l.Surfaces {
		m.Drawn += len(l.Surfaces[i].Indices) / 3
	}
	for i := range l.Entities {
		m.Classes[l.Entities[i].Class]++
	}
	for i := range l.Doors {
		if l.Doors[i].Lift {
			m.Lifts++
			continue
		}
		m.Doors++
		if l.Doors[i].Hinged() {
			m.Hinged++
		}
	}
	for i := range l.Pieces {
		m.Pieces[l.Pieces[i].Material.String()]++
	}
	for i := range l.Vehicles {
		m.Vehicles[l.Vehicles[i].Type]++
	}
	for i := range l.Zones {
		m.Zones[l.Zones[i].Name]++
	}
	if l.Vis != nil {
		m.Clusters, m.Areas, m.VisData = l.Vis.Clusters, l.Vis.Areas, l.Vis.Rows != nil
	}
	w := trace.New(l)
	usable, note := level.CheckSpawns(l, func(feet vec.V3) bool {
		return !w.Box(feet, feet, level.StandingBox, level.MaskMove).StartSolid
	})
	m.Usable, m.SpawnNote = len(usable), note
	for _, x := range l.Warnings {
		m.Warnings = append(m.Warnings, mapWarning{x.File, max(x.Line, 0), x.Entity, x.Brush, x.Text})
	}
	return m
}

func (m *mapInfo) print(w io.Writer) {
	line := func(k, format string, args ...any) { fmt.Fprintf(w, "%-11s %s\n", k, fmt.Sprintf(format, args...)) }
	size := func(i int) float32 { return m.Max[i] - m.Min[i] }
	line("map", "%s (%s), from %s", m.Name, m.Format, m.Source)
	line("hash", "%s", m.Hash)
	line("size", "%.1f × %.1f × %.1f m, from %.1f to %.1f, out of the world below z = %.1f", size(0), size(1), size(2), m.Min, m.Max, m.KillZ)
	line("solids", "%d with %d sides: %s", m.Solids, m.Sides, counts(m.Contents, 8))
	line("curves", "%d triangles that collide", m.Triangles)
	line("models", "%d, the world included", m.Models)
	line("picture", "%d surfaces, %d triangles, %d textures, %d lightmaps", m.Surfaces, m.Drawn, m.Textures, m.Lightmaps)
	vis := "no visibility data: everything is potentially visible"
	if m.VisData {
		vis = fmt.Sprintf("%d clusters, %d areas", m.Clusters, m.Areas)
	}
	line("visibility", "%s", vis)
	line("entities", "%d: %s", m.Entities, counts(m.Classes, 12))
	line("spawns", "%d, usable %d", m.Spawns, m.Usable)
	if m.SpawnNote != "" {
		line("", "%s", m.SpawnNote)
	}
	line("movers", "%d doors (%d hinged), %d lifts, %d teleports, %d jump pads", m.Doors, m.Hinged, m.Lifts, m.Teleports, m.Pads)
	if len(m.Pieces) > 0 {
		line("pieces", "%d that break: %s", sum(m.Pieces), counts(m.Pieces, 8))
	}
	if len(m.Vehicles) > 0 {
		line("vehicles", "%d: %s", sum(m.Vehicles), counts(m.Vehicles, 8))
	}
	if len(m.Zones) > 0 {
		line("zones", "%d: %s", sum(m.Zones), counts(m.Zones, 8))
	}
	line("pickups", "%d", m.Pickups)
	line("warnings", "%d", len(m.Warnings))
	for _, x := range m.Warnings {
		where := x.File
		if x.Line > 0 {
			where = fmt.Sprintf("%s:%d", x.File, x.Line)
		}
		if x.Entity >= 0 {
			where += fmt.Sprintf(": entity %d", x.Entity)
		}
		if x.Brush >= 0 {
			where += fmt.Sprintf(", brush %d", x.Brush)
		}
		fmt.Fprintf(w, "  %s: %s\n", where, x.Text)
	}
}

// sum adds up a tally.
func sum(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

// counts lists the most frequent words of a tally.
func counts(m map[string]int, most int) string {
	type kv struct {
		k string
		n int
	}
	var list []kv
	for k, n := range m {
		list = append(list, kv{k, n})
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].n != list[j].n {
			return list[i].n > list[j].n
		}
		return list[i].k < list[j].k
	})
	var out []string
	for i, x := range list {
		if i == most {
			out = append(out, fmt.Sprintf("and %d kinds more", len(list)-most))
			break
		}
		out = append(out, fmt.Sprintf("%s %d", x.k, x.n))
	}
	return strings.Join(out, ", ")
}
