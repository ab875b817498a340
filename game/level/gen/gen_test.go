package gen_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/gen"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// benchmarkHash is the hash of the benchmark's level. It must be the same on every
// platform; change it only together with the generator.
const benchmarkHash = "434dff781679a81d7e256ba0070363c62e8abb57da3cb039ca5a4fd63945dab9"

func make1(t *testing.T, cfg gen.Config) *level.Level {
	t.Helper()
	l, err := gen.Countryside(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestBenchmarkLevelIsTheSameEverywhere(t *testing.T) {
	l := make1(t, gen.Config{Seed: 1})
	if got := hex.EncodeToString(l.Hash[:]); got != benchmarkHash {
		t.Errorf("hash %s, want %s", got, benchmarkHash)
	}
	if s := l.Bounds.Size(); s.X < 2000 || s.Y < 2000 {
		t.Errorf("the level is %v m", s)
	}
	if len(l.Doors) != 400 || len(l.Pieces) != 700 || len(l.Warnings) > 0 {
		t.Errorf("%d doors and %d pieces in 300 buildings; %v", len(l.Doors), len(l.Pieces), l.Warnings)
	}
	glass, bark := 0, 0
	for i := range l.Solids {
		switch s := &l.Solids[i]; {
		case s.Contents == level.Glass:
			glass++
		case l.Textures[s.Sides[0].Texture] == "tree/bark":
			bark++
		}
	}
	if glass != 300*8 || bark != 4000 {
		t.Errorf("%d panes, %d trees", glass, bark)
	}
	if make1(t, gen.Config{Seed: 2, Towns: 1, Trees: 10}).Hash == make1(t, gen.Config{Seed: 3, Towns: 1, Trees: 10}).Hash {
		t.Error("two seeds make one level")
	}
	t.Logf("%d solids, %d spawns, %d pickups, heights %v", len(l.Solids), len(l.Spawns), len(l.Pickups), l.Bounds.Size().Z)
}

// Every spawn is free and on the ground, and a body walks through every house: in
// at the front when the door has slid aside, and out at the back.
func TestTownsCanBeWalked(t *testing.T) {
	l := make1(t, gen.Config{Seed: 1, Towns: 1, Trees: 100})
	w := trace.New(l)
	set := tables.Arena()
	m := &set.Movement
	body := vec.Box{Min: vec.V3{X: -m.HalfWidth, Y: -m.HalfWidth}, Max: vec.V3{X: m.HalfWidth, Y: m.HalfWidth, Z: m.StandHeight}}
	s := trace.Scene{W: w, Poses: make([]level.Pose, len(l.Models))}
	if len(l.Spawns) < 40 {
		t.Errorf("%d spawns", len(l.Spawns))
	}
	for _, sp := range l.Spawns {
		if r := s.Box(sp.Pos, sp.Pos.Mad(-1, vec.Up), body, level.MaskMove); r.StartSolid || r.Frac == 1 {
			t.Fatalf("spawn %v: %+v", sp.Pos, r)
		}
	}
	for i := range l.Doors {
		if d := &l.Doors[i]; d.Hinged() {
			s.Poses[d.Model] = d.Pose(1)
		}
	}
	for i := range l.Doors {
		d := &l.Doors[i]
		if d.Hinged() {
			continue
		}
		from := l.Models[d.Model].Bounds.Center()
		from.Y -= 3
		from.Z = l.Models[d.Model].Bounds.Min.Z + 0.0625
		to := from.Add(vec.V3{Y: 23})
		if r := s.Box(from, to, body, level.MaskMove); r.Frac == 1 || r.Model != int16(d.Model) {
			t.Errorf("the closed door of house %d stops nobody: %+v", i, r)
		}
		s.Poses[d.Model].Off = d.Move
		if r := s.Box(from, to, body, level.MaskMove); r.Frac != 1 {
			t.Errorf("house %d cannot be walked through: %+v", i, r)
		}
	}
}

// A window lets sight through and no body or shot, a wall neither.
func TestWindowsAndWalls(t *testing.T) {
	l := make1(t, gen.Config{Seed: 1, Towns: 1, Trees: -1})
	s := trace.Scene{W: trace.New(l), Poses: make([]level.Pose, len(l.Models))}
	panes := 0
	for i := range l.Solids {
		b := &l.Solids[i]
		if b.Contents != level.Glass {
			continue
		}
		panes++
		c, out := b.Bounds.Center(), vec.V3{X: 1}
		if sz := b.Bounds.Size(); sz.Y < sz.X {
			out = vec.V3{Y: 1}
		}
		from, to := c.Sub(out), c.Add(out)
		if s.Blocked(from, to, level.MaskSight) || !s.Blocked(from, to, level.MaskShot) {
			t.Fatalf("pane at %v: sight %v, shot %v", c, s.Blocked(from, to, level.MaskSight), s.Blocked(from, to, level.MaskShot))
		}
		below := vec.V3{Z: -1}
		if !s.Blocked(from.Add(below), to.Add(below), level.MaskSight) {
			t.Fatalf("the wall below the pane at %v can be seen through", c)
		}
	}
	if panes != 12*8 {
		t.Errorf("%d panes", panes)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for want, cfg := range map[string]gen.Config{
		"6 towns":           {Towns: 6},
		"trees":             {Trees: 20001},
		"towns to enter in": {Towns: 1, SpawnTowns: 2},
	} {
		if _, err := gen.Countryside(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// Vehicles find room where they are put, all of them.
func TestVehiclesHaveRoom(t *testing.T) {
	l := make1(t, gen.Config{Seed: 1, Vehicles: 48, Trees: -1})
	if len(l.Vehicles) != 48 {
		t.Fatalf("%d vehicles", len(l.Vehicles))
	}
	w := trace.New(l).Closed()
	set := tables.Arena()
	for _, v := range l.Vehicles {
		c := state.Car{Pos: v.Pos.Add(vec.New(0, 0, 0.0625)), Yaw: state.AngleOf(v.Yaw)}
		if !vehicle.Fits(&c, &set.Vehicles[tables.Buggy], &w) {
			t.Errorf("no room at %v", v.Pos)
		}
	}
	if _, err := gen.Countryside(gen.Config{Vehicles: 49}); err == nil {
		t.Error("49 vehicles")
	}
}
