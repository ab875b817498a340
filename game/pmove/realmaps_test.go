package pmove_test

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Random walks on every fetched map, from every few spawns: nobody gets stuck,
// ends inside anything or falls through a floor that was there.
func TestNobodyGetsStuckOnRealMaps(t *testing.T) {
	packs, _ := filepath.Glob("../../assets/realmaps/*/usr/share/games/openarena/*/*.pk3")
	if len(packs) == 0 {
		t.Skip("no real maps in assets/realmaps: fetch them with `make realmaps`")
	}
	if testing.Short() {
		t.Skip("short: walks on every map")
	}
	for _, pack := range packs {
		z, err := zip.OpenReader(pack)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, e := range z.File {
			if !strings.HasPrefix(e.Name, "maps/") || path.Ext(e.Name) != ".bsp" {
				continue
			}
			r, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			r.Close()
			if err != nil {
				t.Fatal(err)
			}
			l, err := load.Bytes(e.Name, data, level.Options{})
			if err != nil {
				t.Fatal(err)
			}
			wander(t, e.Name, trace.New(l))
		}
	}
}

func wander(t *testing.T, name string, w *trace.World) {
	l := w.Level()
	r := vec.NewRand(*seed, 31)
	way, walks := float32(0), 0
	for i := 0; i < len(l.Spawns) && walks < 2; i += 1 + len(l.Spawns)/2 {
		k := newWalker(t, w, 64, l.Spawns[i].Pos.Add(vec.V3{Z: 0.05}))
		if k.scene.Overlaps(k.body().Move(k.p.Pos), level.MaskMove) {
			continue // the map's fault; level.CheckSpawns deals with it
		}
		walks++
		c := state.Cmd{Yaw: state.AngleOf(l.Spawns[i].Yaw), Forward: 127}
		for range 64 * 8 {
			was := k.p.Pos
			c = randomCmd(&r, c)
			c.Buttons &^= state.BtnWalk | state.BtnAim
			if out := k.step(c); out.Stuck {
				t.Fatalf("%s spawn %d: stuck at %v", name, i, k.p.Pos)
			}
			k.free(fmt.Sprintf("%s spawn %d seed %d", name, i, *seed))
			way += k.p.Pos.Dist(was)
			if k.p.Pos.Z < l.Bounds.Min.Z-2 {
				break // a pit without a bottom; sim kills there
			}
		}
	}
	t.Logf("%s: %d walks, %.0f m", name, walks, way)
	if walks > 0 && way < float32(walks)*8 {
		t.Errorf("%s: hardly moved: %.1f m in %d walks", name, way, walks)
	}
}
