package desktop_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// TestScopeShowsARoundPicture: through an optic the picture is as high as its angle says,
// everything outside the circle is dark and the middle is not.
func TestScopeShowsARoundPicture(t *testing.T) {
	l := shipped(t, "corner")
	tw := trace.New(l)
	w := desktop.BuildWorld(l, desktop.Art{})
	width, height := 640, 360
	if *keep != "" {
		width, height = 1280, 720
	}
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(w); err != nil {
			return err
		}
		for optic := range tables.NumOptics {
			var st desktop.Stage
			var f scene.Frame
			st.Reset()
			v := view(l, tw, 0)
			v.Own.Optic, v.Own.Flags = uint8(optic), v.Own.Flags|state.Aiming
			v.Others = append(v.Others, enemy(v, 3, 30, 0.6))
			last := float32(1e9)
			for n := range 90 {
				v.Own.Raise = uint8(min(n*8, 255))
				st.Build(&f, v)
				if f.Camera.FovX > last+1e-3 {
					return fmt.Errorf("%d: the picture widens from %v to %v degrees", optic, last, f.Camera.FovX)
				}
				last = f.Camera.FovX
			}
			o := &v.Tables.Optics[optic]
			high := math.Atan(math.Tan(float64(f.Camera.FovX)*math.Pi/360)*3/4) * 360 / math.Pi
			if math.Abs(high-float64(o.FovDeg)) > 0.1 {
				t.Errorf("%s: the picture is %.2f degrees high, want %v", o.Name, high, o.FovDeg)
			}
			desktop.DrawHUD(&f, v, &st, width, height)
			img, err := r.Screenshot(&f, width, height)
			if err != nil {
				return err
			}
			look(t, "scope-"+o.Name, img)
			light := func(x, y int) int { c := img.NRGBAAt(x, y); return int(c.R) + int(c.G) + int(c.B) }
			sum, side := 0, 0
			for d := range 20 {
				sum += light(width/2-30-d, height/2-30-d)
				side = max(side, light(width/2-height/2-12-d, height/2+d))
			}
			if sum < 20*30 {
				t.Errorf("%s: the middle is dark", o.Name)
			}
			if o.Magnifies() != (side < 12) {
				t.Errorf("%s: beside the circle it is as light as %d", o.Name, side)
			}
		}
		return nil
	})
}
