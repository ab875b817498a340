package scene_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

func TestHUDSizeIsFiniteForEveryFramebuffer(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {1, 400}, {4000, 2}, {1280, 720}, {-5, 3}, {0, 1080}} {
		var h scene.HUD
		h.Resize(size[0], size[1])
		for _, v := range []float32{h.Width, h.Height, h.Scale} {
			if !(v > 0) || math.IsInf(float64(v), 0) {
				t.Errorf("%v: width %g height %g scale %g", size, h.Width, h.Height, h.Scale)
			}
		}
		if h.Width < scene.HUDWidth*0.999 || h.Height < scene.HUDHeight*0.999 {
			t.Errorf("%v: layout %g x %g is smaller than the smallest", size, h.Width, h.Height)
		}
	}
}

func TestFrameIsReusedWithoutAllocating(t *testing.T) {
	var f scene.Frame
	f.HUD.Resize(1280, 720)
	fill := func() {
		f.Reset()
		f.Figures = append(f.Figures, scene.Figure{Name: "a"}, scene.Figure{Name: "b"})
		f.Beams = append(f.Beams, scene.Beam{})
		f.Sprites = append(f.Sprites, scene.Sprite{}, scene.Sprite{})
		f.Box(mgl32.Vec3{}, mgl32.Vec3{1, 1, 1}, scene.RGBA{}, true)
		f.HUD.Text(1, 2, 10, scene.Mono, scene.Left, scene.RGBA{}, "score")
		f.HUD.Int(1, 2, 10, scene.Bold, scene.Right, scene.RGBA{}, -12345)
		f.HUD.Panel(0, 0, 10, 10, 2, scene.RGBA{}, scene.RGBA{})
	}
	fill()
	if n := testing.AllocsPerRun(100, fill); n != 0 {
		t.Errorf("a reused frame allocates %g times", n)
	}
	if len(f.Lines) != 12 {
		t.Errorf("a box has %d edges", len(f.Lines))
	}
}

func TestHUDLeavesOutWhatCannotBeSeen(t *testing.T) {
	var h scene.HUD
	h.Rect(0, 0, -1, 5, scene.RGBA{})
	h.Rect(0, 0, 5, float32(math.NaN()), scene.RGBA{})
	h.Text(0, 0, 10, scene.Mono, scene.Left, scene.RGBA{}, "")
	if len(h.Marks) != 0 {
		t.Errorf("%d marks", len(h.Marks))
	}
	if a := (scene.RGBA{A: 200}).Alpha(float32(math.NaN())).A; a != 0 {
		t.Errorf("alpha of NaN is %d", a)
	}
}

func TestBounds(t *testing.T) {
	var w scene.World
	if _, _, ok := w.Bounds(); ok {
		t.Error("an empty world has bounds")
	}
	w.Meshes = []scene.Mesh{{Verts: []scene.Vertex{{Pos: mgl32.Vec3{1, -2, 3}}, {Pos: mgl32.Vec3{-1, 5, 0}}}}}
	lo, hi, ok := w.Bounds()
	if !ok || lo != (mgl32.Vec3{-1, -2, 0}) || hi != (mgl32.Vec3{1, 5, 3}) {
		t.Error(lo, hi, ok)
	}
}
