package desktop_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/asset"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/level/shader"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// given is a .map or .bsp file, or an archive, whose maps are all meant.
var given = flag.String("given", "../../assets/realmaps/openarena-oacmp1/usr/share/games/openarena/baseoa/z_oacmp-volume1-v3.pk3",
	"draw a frame of this map, or of every compiled map in this .pk3")

// A map that can be loaded can be drawn: every one that is given is a picture that
// is not blank, with an enemy in it.
func TestEveryGivenMapGivesAPicture(t *testing.T) {
	if _, err := os.Stat(*given); err != nil {
		t.Skip("no map is given: `make realmaps` fetches thirteen, -args -given FILE names another")
	}
	refs := []string{*given}
	if strings.HasSuffix(*given, ".pk3") {
		a, err := asset.OpenArchive(*given)
		if err != nil {
			t.Fatal(err)
		}
		names, err := a.List("maps", ".bsp")
		a.Close()
		if err != nil || len(names) == 0 {
			t.Fatalf("no compiled map in %s: %v", *given, err)
		}
		refs = refs[:0]
		for _, n := range names {
			refs = append(refs, *given+":"+n)
		}
		if testing.Short() {
			refs = refs[:3]
		}
	}
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		var bad []error
		for _, ref := range refs {
			if err := drawGiven(t, r, ref); err != nil {
				bad = append(bad, fmt.Errorf("%s: %w", ref, err))
			}
		}
		return errors.Join(bad...)
	})
}

func drawGiven(t *testing.T, r *draw.Renderer, ref string) error {
	where, err := asset.ParseMapRef(ref)
	if err != nil {
		return err
	}
	m, err := asset.ResolveMap(where, nil)
	if err != nil {
		return err
	}
	defer m.Close()
	scripts, _ := shader.Load(m.Files)
	l, err := load.Bytes(m.File, m.Data, level.Options{Shaders: scripts.Lookup})
	if err != nil {
		return err
	}
	if err := r.UploadWorld(desktop.BuildWorld(l, desktop.Art{Files: m.Files, Shaders: scripts.Lookup})); err != nil {
		return err
	}
	if len(l.Spawns) == 0 {
		return errors.New("no place to look from")
	}
	var st desktop.Stage
	var f scene.Frame
	st.Reset()
	v := view(l, trace.New(l), 0)
	v.Others = append(v.Others, enemy(v, 3, 6, 8))
	for range 10 {
		st.Build(&f, v)
	}
	img, err := r.Screenshot(&f, 320, 180)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(ref), filepath.Ext(ref))
	look(t, "given-"+name, img)
	if !desktop.NotBlank(img) {
		return errors.New("a blank picture")
	}
	return nil
}
