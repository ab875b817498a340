package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/sightline-engine/sightline/game/trace"
)

// realPack is where tools/realmaps.sh puts the pack of 13 compiled maps and their
// sources.
const realPack = "../../assets/realmaps/openarena-oacmp1/usr/share/games/openarena/baseoa/z_oacmp-volume1-v3.pk3"

var realNames = []string{
	"oacmpctf1", "oacmpctf2", "oacmpctf3", "oacmpdm1", "oacmpdm2", "oacmpdm3", "oacmpdm4",
	"oacmpdm5", "oacmpdm6", "oacmpdm7", "oacmpdm8", "oacmpdm9", "oacmpdm10",
}

// A source and its compiled map answer alike: one check on both readers, on
// shaders, curves and traces. The shader scripts of the pack are used; those of
// the game that it extends are not there, so a texture of that game counts by its
// name.
func TestSourceAndCompiledMapAgree(t *testing.T) {
	if _, err := os.Stat(realPack); err != nil {
		t.Skip("the real maps are not here; `make realmaps` fetches them")
	}
	for _, name := range realNames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := loadMap(realPack+":sources/maps/"+name+".map", nil)
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := loadMap(realPack+":maps/"+name+".bsp", nil)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := len(source.Solids), len(compiled.Solids); a > b+1 || b > a+1 {
				t.Errorf("%d and %d solids", a, b)
			}
			if a, b := len(source.Models), len(compiled.Models); a != b {
				t.Errorf("%d and %d models", a, b)
			}
			for what, n := range map[string][2]int{
				"spawns": {len(source.Spawns), len(compiled.Spawns)}, "doors": {len(source.Doors), len(compiled.Doors)},
				"teleports": {len(source.Teleports), len(compiled.Teleports)}, "pads": {len(source.Pads), len(compiled.Pads)},
				"pickups": {len(source.Pickups), len(compiled.Pickups)},
			} {
				if n[0] != n[1] {
					t.Errorf("%s: %d and %d", what, n[0], n[1])
				}
			}
			for _, l := range []mapInfo{describe(source), describe(compiled)} {
				if l.Usable == 0 {
					t.Errorf("%s: nobody can enter: %s", l.Format, l.SpawnNote)
				}
			}
			d, err := diffWorlds(trace.New(source), trace.New(compiled), diffOptions{Rays: 10000, Sweeps: 1000, Seed: 1, Worst: 3})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(fmt.Sprintf("rays: %.1f %% hit, %.3f %% disagree; sweeps: %.1f %% hit, %.3f %% disagree",
				100*d.Rays.HitShare, 100*d.Rays.Share, 100*d.Sweeps.HitShare, 100*d.Sweeps.Share))
			if d.Rays.Share >= 0.005 || d.Sweeps.Share >= 0.005 {
				t.Errorf("seed %d: they disagree too often: %+v", d.Seed, d.Worst)
			}
			if d.Rays.HitShare < 0.3 || d.Rays.HitShare > 0.7 {
				t.Errorf("seed %d: %.2f of the rays hit", d.Seed, d.Rays.HitShare)
			}
		})
	}
}
