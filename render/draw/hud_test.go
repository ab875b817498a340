package draw_test

import (
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/draw/drawtest"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

func TestGoldenHUD(t *testing.T) {
	with(t, plain, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		picture := func(m *hud.Model, w, h int) *scene.Frame {
			f := drawtest.Fight()
			f.HUD.Resize(w, h)
			hud.Draw(&f.HUD, m)
			return f
		}
		table := drawtest.HUD()
		table.Board, table.Net, table.Stats = drawtest.Board(), nil, nil
		typed := drawtest.HUD()
		typed.Console, typed.Net, typed.Stats = drawtest.Console(), nil, nil
		compare(t, "hud", shoot(t, r, picture(drawtest.HUD(), 640, 360), 640, 360))
		if *keep == "" {
			return
		}
		save(t, filepath.Join(*keep, "hud.png"), shoot(t, r, picture(drawtest.HUD(), 1280, 720), 1280, 720))
		save(t, filepath.Join(*keep, "board.png"), shoot(t, r, picture(table, 1280, 720), 1280, 720))
		save(t, filepath.Join(*keep, "console.png"), shoot(t, r, picture(typed, 1280, 720), 1280, 720))
		save(t, filepath.Join(*keep, "tall.png"), shoot(t, r, picture(drawtest.HUD(), 480, 640), 480, 640))
	})
}
