package draw_test

import (
	"image"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/draw/drawtest"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// differ counts the pixels of two pictures that are not the same to the eye.
func differ(a, b *image.NRGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		for k := range 3 {
			if d := int(a.Pix[i+k]) - int(b.Pix[i+k]); d > 3 || d < -3 {
				n++
				break
			}
		}
	}
	return n
}

// smoky is a fight with a whole cloud in it and one that thins.
func smoky(c scene.Camera) *scene.Frame {
	f := drawtest.Fight()
	f.Camera, f.View = c, scene.ViewWeapon{}
	f.Clouds = []scene.Cloud{{Pos: mgl32.Vec3{0, 0, 0.3}, Radius: 4.06, Density: 1}, {Pos: mgl32.Vec3{6, -6, 0.3}, Radius: 3, Density: 0.5}}
	return f
}

// Whatever stands behind an opaque cloud leaves no trace in the picture, and neither
// does what is behind two of half the density; behind one alone, through a hole, and in
// front of it, it does. From inside the cloud nothing is seen.
func TestCloudsHideWhatIsBehind(t *testing.T) {
	with(t, plain, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		behind, front := mgl32.Vec3{0, 5, 0}, mgl32.Vec3{0, -6, 0}
		cloud := func(y, density float32) scene.Cloud {
			return scene.Cloud{Pos: mgl32.Vec3{0, y, 1}, Radius: 3.5, Density: density}
		}
		look := func(eye mgl32.Vec3, at *mgl32.Vec3, holes []scene.CloudHole, clouds ...scene.Cloud) *image.NRGBA {
			f := &scene.Frame{Camera: scene.Camera{Pos: eye, Yaw: 90, Pitch: -3}, Clouds: clouds, CloudHoles: holes}
			if at != nil {
				f.Figures = []scene.Figure{{Pos: *at, Yaw: 270, Color: mgl32.Vec3{1, 0.1, 0.05}, Weapon: scene.Rifle}}
			}
			return shoot(t, r, f, 320, 180)
		}
		eye := mgl32.Vec3{0, -9, 1.6}
		whole, half := cloud(0, 1), cloud(0, 0.5)
		hole := []scene.CloudHole{{Cloud: 0, Pos: mgl32.Vec3{0.5, 0, 1.3}, Radius: 3, Open: 1}}
		for _, c := range []struct {
			name   string
			eye    mgl32.Vec3
			at     mgl32.Vec3
			holes  []scene.CloudHole
			clouds []scene.Cloud
			seen   bool
		}{
			{"no cloud", eye, behind, nil, nil, true},
			{"behind a cloud", eye, behind, nil, []scene.Cloud{whole}, false},
			{"before a cloud", eye, front, nil, []scene.Cloud{whole}, true},
			{"behind half a cloud", eye, behind, nil, []scene.Cloud{half}, true},
			{"behind two halves", eye, behind, nil, []scene.Cloud{half, cloud(0.8, 0.5)}, false},
			{"through a hole", eye, behind, hole, []scene.Cloud{whole}, true},
			{"in the cloud, looking out", mgl32.Vec3{0, 0.5, 1.6}, behind, nil, []scene.Cloud{whole}, false},
			{"who is in the cloud", eye, mgl32.Vec3{0, 0, 0}, nil, []scene.Cloud{whole}, false},
		} {
			n := differ(look(c.eye, nil, c.holes, c.clouds...), look(c.eye, &c.at, c.holes, c.clouds...))
			if (n > 0) != c.seen {
				t.Errorf("%s: %d pixels tell", c.name, n)
			}
		}
		// What shines, floats and is written: covered behind, whole in front.
		for _, c := range []struct {
			name   string
			y      float32
			clouds []scene.Cloud
			seen   bool
		}{
			{"without smoke", 5, nil, true},
			{"behind a cloud", 5, []scene.Cloud{whole}, false},
			{"in a cloud", 0, []scene.Cloud{whole}, false},
			{"before a cloud", -6, []scene.Cloud{whole}, true},
			{"behind half a cloud", 5, []scene.Cloud{half}, true},
		} {
			bare := look(eye, nil, nil, c.clouds...)
			at := mgl32.Vec3{0, c.y, 1.2}
			for i, add := range []func(f *scene.Frame){
				func(f *scene.Frame) {
					f.Sprites = []scene.Sprite{{Kind: scene.FireSprite, Pos: at, Size: 0.8, Alpha: 1, Color: mgl32.Vec3{1, 1, 1}}}
				},
				func(f *scene.Frame) {
					f.Beams = []scene.Beam{{From: at, To: at.Add(mgl32.Vec3{0.5, 0.5, 0}), Width: 0.1, Color: mgl32.Vec3{3, 2, 1}, Alpha: 1}}
				},
				func(f *scene.Frame) {
					f.Figures = []scene.Figure{{Pos: mgl32.Vec3{0, c.y, -0.8}, Crouch: 1, Name: "okapi", ShowName: true}}
					f.Figures[0].Dead = 1
				},
			} {
				f := &scene.Frame{Camera: scene.Camera{Pos: eye, Yaw: 90, Pitch: -3}, Clouds: c.clouds}
				add(f)
				if n := differ(bare, shoot(t, r, f, 320, 180)); (n > 0) != c.seen {
					t.Errorf("thing %d %s: %d pixels tell", i, c.name, n)
				}
			}
		}
		compare(t, "smoke", shoot(t, r, smoky(scene.Camera{Pos: mgl32.Vec3{-9, -8, 1.7}, Yaw: 40, Pitch: -4}), 480, 270))
		if *keep == "" {
			return
		}
		for name, c := range map[string]scene.Camera{
			"cloud-out":  {Pos: mgl32.Vec3{-9, -8, 1.7}, Yaw: 40, Pitch: -4},
			"cloud-rim":  {Pos: mgl32.Vec3{-5.2, -3.8, 1.7}, Yaw: 40, Pitch: -4},
			"cloud-in":   {Pos: mgl32.Vec3{-0.5, -0.5, 1.7}, Yaw: 40, Pitch: -4},
			"cloud-high": {Pos: mgl32.Vec3{-12, -11, 9}, Yaw: 40, Pitch: -28},
		} {
			f := smoky(c)
			if name == "cloud-high" {
				f.CloudHoles = []scene.CloudHole{{Cloud: 0, Pos: mgl32.Vec3{-1, -1, 2}, Radius: 3.125, Open: 1}}
			}
			save(t, filepath.Join(*keep, name+".png"), shoot(t, r, f, 960, 540))
		}
	})
}
