package draw_test

import (
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/display"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/draw/drawtest"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

var (
	update = flag.Bool("update", false, "write testdata/*.png anew")
	keep   = flag.String("keep", "", "folder for pictures to look at")
	runner = display.NewRunner()
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runner.Main(m))
}

// with runs f with a renderer whose options are the same on every machine.
func with(t testing.TB, o draw.Options, f func(w *window.Window, d *gpu.Device, r *draw.Renderer)) {
	t.Helper()
	runner.Do(t, func() {
		w, err := window.Open(window.Config{Hidden: true, Width: 320, Height: 200})
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		d, err := gpu.New()
		if err != nil {
			t.Error(err)
			return
		}
		r, err := draw.New(d, o)
		if err != nil {
			t.Error(err)
			return
		}
		defer r.Close()
		f(w, d, r)
		if err := d.Err("test"); err != nil {
			t.Error(err)
		}
	})
}

var plain = draw.Options{Shadows: 1024, Bloom: true}

func shoot(t testing.TB, r *draw.Renderer, f *scene.Frame, w, h int) *image.NRGBA {
	t.Helper()
	img, err := r.Screenshot(f, w, h)
	if err != nil {
		t.Error(err)
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	return img
}

func save(t testing.TB, path string, img image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = png.Encode(f, img)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		t.Error(err)
	}
}

func TestGoldenArena(t *testing.T) {
	with(t, plain, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		f := drawtest.Fight()
		compare(t, "arena", shoot(t, r, f, 480, 270))
		if *keep == "" {
			return
		}
		for name, c := range map[string]scene.Camera{
			"room":  {Pos: mgl32.Vec3{14.5, 10.5, 1.6}, Yaw: 215, Pitch: -4},
			"high":  {Pos: mgl32.Vec3{-15, -11, 9}, Yaw: 38, Pitch: -26},
			"water": {Pos: mgl32.Vec3{4, -10.5, 2.6}, Yaw: 10, Pitch: -14},
			"red":   {Pos: mgl32.Vec3{-5.6, -6.6, 1.5}, Yaw: 40, Pitch: -8, FovX: 60},
			"blue":  {Pos: mgl32.Vec3{0.2, -4.9, 1.2}, Yaw: 20, Pitch: -8, FovX: 70},
			"items": {Pos: mgl32.Vec3{-6.2, -8.9, 1.2}, Yaw: 48, Pitch: -12, FovX: 70},
		} {
			f := drawtest.Fight()
			f.Camera = c
			f.View = scene.ViewWeapon{}
			save(t, filepath.Join(*keep, name+".png"), shoot(t, r, f, 1280, 720))
		}
		f.HUD.Resize(1280, 720)
		save(t, filepath.Join(*keep, "fight.png"), shoot(t, r, f, 1280, 720))
		f.View.Weapon, f.View.Flash, f.View.Recoil = scene.RocketLauncher, 1, 0.5
		save(t, filepath.Join(*keep, "launcher.png"), shoot(t, r, f, 1280, 720))
		f.View, f.Figures[0].Weapon, f.Figures[1].Weapon = scene.ViewWeapon{Weapon: scene.Canister, Color: drawtest.Red}, scene.Canister, scene.Canister
		f.Figures[0].Firing = 0
		save(t, filepath.Join(*keep, "canister.png"), shoot(t, r, f, 1280, 720))
	})
}

// compare holds a picture against testdata/name.png. Drivers round differently,
// so a little is allowed everywhere and more nowhere: the mean distance over
// the picture, and that of the worst tile of 8 x 8, in steps of 255.
func compare(t *testing.T, name string, got *image.NRGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		save(t, path, got)
		return
	}
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	want, err := png.Decode(file)
	if err != nil {
		t.Error(err)
		return
	}
	mean, worst := distance(got, want)
	if mean > 1.5 || worst > 14 {
		out := filepath.Join(t.TempDir(), name+".png")
		if *keep != "" {
			out = filepath.Join(*keep, name+"-got.png")
		}
		save(t, out, got)
		t.Errorf("%s differs from %s: mean %.2f, worst tile %.2f of 255 (go test -update after looking at it)", out, path, mean, worst)
	}
}

// distance returns the mean and the worst tile's distance of two pictures.
func distance(a *image.NRGBA, b image.Image) (mean, worst float64) {
	if a.Rect != b.Bounds() {
		return 255, 255
	}
	var total float64
	for ty := 0; ty < a.Rect.Dy(); ty += 8 {
		for tx := 0; tx < a.Rect.Dx(); tx += 8 {
			var sum float64
			n := 0
			for y := ty; y < min(ty+8, a.Rect.Dy()); y++ {
				for x := tx; x < min(tx+8, a.Rect.Dx()); x++ {
					c := a.NRGBAAt(x, y)
					r, g, bl, _ := b.At(x, y).RGBA()
					sum += (math.Abs(float64(c.R)-float64(r>>8)) + math.Abs(float64(c.G)-float64(g>>8)) + math.Abs(float64(c.B)-float64(bl>>8))) / 3
					n++
				}
			}
			total += sum
			worst = max(worst, sum/float64(n))
		}
	}
	return total / float64(a.Rect.Dx()*a.Rect.Dy()), worst
}

func TestEveryFigureChangesItsBox(t *testing.T) {
	with(t, draw.Options{}, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		const w, h = 320, 180
		f := drawtest.Fight()
		full := *f
		with := shoot(t, r, f, w, h)
		for i := range f.Figures {
			g := f.Figures[i]
			if i == 5 { // stands behind the wall that cover is made of
				continue
			}
			x0, y0, x1, y1 := float32(w), float32(h), float32(0), float32(0)
			for c := range 8 {
				p := g.Pos.Add(mgl32.Vec3{float32(c&1)*0.6 - 0.3, float32(c>>1&1)*0.6 - 0.3, float32(c>>2) * 1.7})
				x, y, ok := draw.Project(&f.Camera, w, h, p)
				if !ok {
					t.Errorf("figure %d is behind the camera", i)
				}
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			}
			less := full
			less.Figures = append(append([]scene.Figure{}, full.Figures[:i]...), full.Figures[i+1:]...)
			without := shoot(t, r, &less, w, h)
			changed := 0
			for y := max(int(y0), 0); y < min(int(y1), h); y++ {
				for x := max(int(x0), 0); x < min(int(x1), w); x++ {
					a, b := with.NRGBAAt(x, y), without.NRGBAAt(x, y)
					if d := int(a.R) - int(b.R) + int(a.G) - int(b.G) + int(a.B) - int(b.B); d > 20 || d < -20 {
						changed++
					}
				}
			}
			if area := int((x1 - x0) * (y1 - y0)); changed*8 < area {
				t.Errorf("figure %d changes %d of the %d pixels of its box", i, changed, area)
			}
		}
	})
}

func TestResizeStormDrawsWithoutErrors(t *testing.T) {
	with(t, draw.Options{Bloom: true}, func(w *window.Window, d *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		f := drawtest.Fight()
		sizes := [][2]int{{1, 1}, {1, 400}, {4000, 2}, {0, 0}, {0, 300}, {-1, 5}, {320, 180}}
		for i := range 20 {
			sizes = append(sizes, [2]int{1 + i*37%300, 1 + i*53%200})
		}
		for _, s := range sizes {
			f.HUD.Resize(s[0], s[1])
			f.HUD.Text(10, 20, 18, scene.Mono, scene.Left, scene.RGBA{R: 255, A: 255}, "resize")
			if err := r.Render(f, nil, s[0], s[1]); err != nil {
				t.Errorf("%v: %v", s, err)
			}
			w.Swap()
			if err := d.Err("frame"); err != nil {
				t.Errorf("%v: %v", s, err)
			}
		}
		// A picture after the storm is the picture before it.
		if mean, worst := distance(shoot(t, r, drawtest.Fight(), 160, 90), shoot(t, r, drawtest.Fight(), 160, 90)); mean > 0.01 || worst > 0.5 {
			t.Errorf("two pictures of one frame differ by %g, %g", mean, worst)
		}
	})
}

func TestScaledPictureIsTheSameFromAfar(t *testing.T) {
	with(t, draw.Options{}, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		full := shoot(t, r, drawtest.Fight(), 320, 180)
		o := r.Options()
		o.Scale = 0.5
		r.SetOptions(o)
		half := shoot(t, r, drawtest.Fight(), 320, 180)
		if mean, _ := distance(full, half); mean == 0 || mean > 8 {
			t.Errorf("half the pixels differ by %g in the mean", mean)
		}
	})
}

func TestNonsenseDoesNotBreakTheFrame(t *testing.T) {
	nan := float32(math.NaN())
	with(t, draw.Options{}, func(_ *window.Window, d *gpu.Device, r *draw.Renderer) {
		bad := drawtest.Arena()
		bad.Meshes = append(bad.Meshes,
			scene.Mesh{Material: 99, Verts: make([]scene.Vertex, 3), Indices: []uint32{0, 1, 2}},
			scene.Mesh{Material: 0, Verts: make([]scene.Vertex, 3), Indices: []uint32{0, 1, 7, 2}},
			scene.Mesh{Material: 1, Model: 5, Lightmap: 4, Verts: make([]scene.Vertex, 3), Indices: []uint32{0, 1, 2}})
		if err := r.UploadWorld(bad); err != nil {
			t.Error(err)
		}
		f := &scene.Frame{Camera: scene.Camera{Pos: mgl32.Vec3{nan, 0, 0}, Yaw: nan, FovX: nan, Near: -1, Far: nan}}
		f.Figures = append(f.Figures, scene.Figure{}, scene.Figure{Yaw: nan, Stride: nan, Pos: mgl32.Vec3{0, nan, 0}})
		f.Beams = append(f.Beams, scene.Beam{}, scene.Beam{From: mgl32.Vec3{nan, 1, 1}})
		f.Projectiles = append(f.Projectiles, scene.Projectile{})
		f.Sprites = append(f.Sprites, scene.Sprite{Kind: 200, Size: 1, Alpha: 1}, scene.Sprite{Size: nan, Alpha: 1})
		f.HUD.Marks = append(f.HUD.Marks, scene.Mark{Kind: scene.TextMark, From: 5, To: 900}, scene.Mark{Kind: 77}, scene.Mark{Kind: scene.LineMark, X: nan})
		shoot(t, r, f, 64, 48)
		if err := d.Err("frame"); err != nil {
			t.Error(err)
		}
	})
}

func TestLightmapsImagesAndMoversAreDrawn(t *testing.T) {
	with(t, draw.Options{}, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		red := image.NewNRGBA(image.Rect(0, 0, 4, 4))
		for i := range red.Pix {
			red.Pix[i] = [4]byte{230, 20, 20, 255}[i%4]
		}
		full, half := image.NewNRGBA(image.Rect(0, 0, 8, 8)), image.NewNRGBA(image.Rect(0, 0, 4, 4))
		for i := range full.Pix {
			full.Pix[i] = 255
		}
		for i := range half.Pix {
			half.Pix[i] = 30
		}
		b := drawtest.NewBuilder()
		b.Box(scene.Wall, scene.Wall, mgl32.Vec3{4, -9, -9}, mgl32.Vec3{5, 9, 9})
		w := b.World()
		w.Materials[scene.Wall].Image = red
		m := &w.Meshes[scene.Wall]
		centre := func(maps []*image.NRGBA, layer, model int, offset mgl32.Vec3) (r8, g8, b8 uint8) {
			w.Lightmaps, m.Lightmap, m.Model = maps, layer, model
			if err := r.UploadWorld(w); err != nil {
				t.Error(err)
			}
			f := &scene.Frame{Models: []scene.Place{{}, {Offset: offset}}}
			c := shoot(t, r, f, 32, 32).NRGBAAt(16, 16)
			return c.R, c.G, c.B
		}
		maps := []*image.NRGBA{half, full}
		if r8, g8, _ := centre(maps, 1, 0, mgl32.Vec3{}); r8 < 190 || g8 > 90 {
			t.Errorf("a red wall in full light is %d, %d", r8, g8)
		}
		if r8, _, _ := centre(maps, 0, 0, mgl32.Vec3{}); r8 > 90 {
			t.Errorf("a red wall in a dark lightmap is %d", r8)
		}
		if r8, g8, _ := centre(maps, 1, 1, mgl32.Vec3{0, 0, 30}); r8 > 2*g8 && r8 > 150 && g8 < 90 {
			t.Errorf("a wall that moved away is still there: %d, %d", r8, g8)
		}
		if r8, g8, _ := centre(nil, -1, 0, mgl32.Vec3{}); r8 < 60 || g8 > r8/2 {
			t.Errorf("a red wall by daylight is %d, %d", r8, g8)
		}
	})
}

func TestFrameDoesNotAllocate(t *testing.T) {
	with(t, plain, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		if err := r.UploadWorld(drawtest.Arena()); err != nil {
			t.Error(err)
			return
		}
		f := drawtest.Fight()
		f.HUD.Resize(160, 90)
		f.HUD.Text(10, 20, 90, scene.Mono, scene.Left, scene.RGBA{R: 255, A: 255}, "steady")
		frame := func() {
			if err := r.Render(f, nil, 160, 90); err != nil {
				t.Error(err)
			}
		}
		frame()
		if n := testing.AllocsPerRun(5, frame); n != 0 {
			t.Errorf("%g allocations a frame", n)
		}
	})
}
