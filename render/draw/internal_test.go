package draw

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// random returns a world of boxes' worth of triangles strewn over a level.
func random(r *rand.Rand, meshes int) *scene.World {
	w := &scene.World{Materials: []scene.Material{{Kind: scene.Wall}, {Kind: scene.Glass}, {Kind: scene.Floor}}}
	for i := range meshes {
		m := scene.Mesh{Material: i % 3, Lightmap: -1, Model: i % 2}
		for range 30 {
			at := mgl32.Vec3{r.Float32()*200 - 100, r.Float32()*200 - 100, r.Float32()*40 - 20}
			for range 3 {
				m.Indices = append(m.Indices, uint32(len(m.Verts)))
				m.Verts = append(m.Verts, scene.Vertex{Pos: at.Add(mgl32.Vec3{r.Float32() * 4, r.Float32() * 4, r.Float32() * 4}), Normal: mgl32.Vec3{0, 0, 1}})
			}
		}
		w.Meshes = append(w.Meshes, m)
	}
	return w
}

// Whatever has a corner on the target is in a chunk that is seen.
func TestCullingNeverDropsWhatIsSeen(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	g := cut(random(r, 12))
	if len(g.chunks) < 50 {
		t.Fatalf("seed %d: %d chunks", seed, len(g.chunks))
	}
	culled := 0
	for range 200 {
		c := scene.Camera{Pos: mgl32.Vec3{r.Float32()*200 - 100, r.Float32()*200 - 100, r.Float32()*20 - 10},
			Yaw: r.Float32() * 360, Pitch: r.Float32()*160 - 80, Roll: r.Float32()*40 - 20, FovX: 60 + r.Float32()*60}
		var v view
		v.set(&c, 1+r.IntN(2000), 1+r.IntN(1200))
		for i := range g.chunks {
			ch := &g.chunks[i]
			if v.sees(ch.lo, ch.hi) {
				continue
			}
			culled++
			for _, j := range g.indices[ch.first : ch.first+ch.count] {
				q := v.viewProj.Mul4x1(g.verts[j].pos.Vec4(1))
				inside := q[3] > 0
				for k := range 3 {
					inside = inside && q[k] > -q[3] && q[k] < q[3]
				}
				if inside {
					t.Fatalf("seed %d: a vertex on the target lies in a culled chunk", seed)
				}
			}
		}
	}
	if culled == 0 {
		t.Error("nothing is ever culled")
	}
}

func TestCutKeepsEveryTriangleOnce(t *testing.T) {
	w := random(rand.New(rand.NewPCG(3, 1)), 9)
	want := 0
	for i := range w.Meshes {
		want += len(w.Meshes[i].Indices)
	}
	g := cut(w)
	seen := map[uint32]bool{}
	next := 0
	for _, c := range g.chunks {
		if c.first != next {
			t.Fatalf("a chunk begins at %d, not at %d", c.first, next)
		}
		next += c.count
	}
	for _, i := range g.indices {
		seen[i] = true
	}
	if len(g.indices) != want || next != want || len(seen) != want {
		t.Errorf("%d indices of %d, %d in chunks, %d distinct", len(g.indices), want, next, len(seen))
	}
}

func TestViewAxes(t *testing.T) {
	for _, c := range []struct {
		yaw, pitch, roll float32
		f, r, u          mgl32.Vec3
	}{
		{0, 0, 0, v(1, 0, 0), v(0, -1, 0), v(0, 0, 1)},
		{90, 0, 0, v(0, 1, 0), v(1, 0, 0), v(0, 0, 1)},
		{0, 90, 0, v(0, 0, 1), v(0, -1, 0), v(-1, 0, 0)},
		{0, 0, 90, v(1, 0, 0), v(0, 0, -1), v(0, -1, 0)},
	} {
		f, r, u := angles(c.yaw, c.pitch, c.roll)
		for _, p := range [3][2]mgl32.Vec3{{f, c.f}, {r, c.r}, {u, c.u}} {
			if p[0].Sub(p[1]).Len() > 1e-5 {
				t.Errorf("yaw %g pitch %g roll %g: %v, want %v", c.yaw, c.pitch, c.roll, p[0], p[1])
			}
		}
	}
	// What is ahead is in the middle, what is to the left is on the left.
	cam := scene.Camera{Pos: v(1, 2, 3), Yaw: 30, Pitch: 10}
	f, r, u := angles(30, 10, 0)
	if x, y, ok := Project(&cam, 200, 100, cam.Pos.Add(f.Mul(5))); !ok || math.Abs(float64(x-100)) > 0.01 || math.Abs(float64(y-50)) > 0.01 {
		t.Errorf("ahead is at %g, %g, %v", x, y, ok)
	}
	if x, y, _ := Project(&cam, 200, 100, cam.Pos.Add(f.Mul(5)).Sub(r).Add(u)); x >= 100 || y >= 50 {
		t.Errorf("left and above is at %g, %g", x, y)
	}
	if _, _, ok := Project(&cam, 200, 100, cam.Pos.Sub(f)); ok {
		t.Error("behind is seen")
	}
}

func TestRoofsDarkenRoomsAndNotYards(t *testing.T) {
	w := &scene.World{Materials: []scene.Material{{Kind: scene.Floor}, {Kind: scene.SkyHole}}}
	quad := func(material int, z, x0, x1 float32, up float32) {
		var m scene.Mesh
		m.Material, m.Lightmap = material, -1
		for _, p := range [4][2]float32{{x0, -8}, {x1, -8}, {x1, 8}, {x0, 8}} {
			m.Verts = append(m.Verts, scene.Vertex{Pos: v(p[0], p[1], z), Normal: v(0, 0, up)})
		}
		m.Indices = []uint32{0, 1, 2, 0, 2, 3}
		w.Meshes = append(w.Meshes, m)
	}
	quad(0, 0, -20, 20, 1)  // a floor
	quad(0, 4, -20, 0, -1)  // a roof over half of it
	quad(1, 4.2, 0, 20, -1) // sky over the rest
	g := cut(w)
	o := measure(w, &g)
	sky := func(p mgl32.Vec3) int {
		x, y, z, ok := o.at(p)
		if !ok {
			t.Fatalf("%v is outside", p)
		}
		return int(o.data[4*o.index(x, y, z)])
	}
	if in, out := sky(v(-12, 0, 1)), sky(v(12, 0, 1)); in > 90 || out < 240 {
		t.Errorf("sky seen: %d under the roof, %d in the yard", in, out)
	}
	if measure(&scene.World{}, &geometry{}) != nil {
		t.Error("an empty world has a block")
	}
}

func TestFiguresStandWhereTheyAreAndFitTheirBody(t *testing.T) {
	for name, f := range map[string]scene.Figure{
		"standing":  {Weapon: scene.Rifle},
		"running":   {Velocity: v(5, 2, 0), Stride: 0.2, Weapon: scene.Rifle},
		"crouched":  {Crouch: 1, Weapon: scene.RocketLauncher},
		"leaning":   {Lean: 1},
		"looking":   {Pitch: 89, Weapon: scene.Rifle},
		"jumping":   {Air: 1, Velocity: v(0, 6, 2)},
		"backwards": {Velocity: v(-5, 0, 0), Stride: 0.7},
	} {
		for yaw := float32(0); yaw < 360; yaw += 45 {
			f.Yaw, f.Pos = yaw, v(10, -20, 3)
			var s shapes
			s.figure(&f)
			lo, hi := float32(1e9), float32(-1e9)
			for i := range s.list {
				b := &s.list[i]
				at := v(b.rows[0][3], b.rows[1][3], b.rows[2][3]).Sub(f.Pos)
				if at.Len() != at.Len() || v(at[0], at[1], 0).Len() > 1.1 { // a barrel's end
					t.Errorf("%s, yaw %g: a part lies at %v", name, yaw, at)
				}
				reach := float32(0)
				for k := range 3 {
					reach += float32(math.Abs(float64(b.rows[2][k]))) * b.half[k]
				}
				lo, hi = min(lo, at[2]-reach), max(hi, at[2]+reach)
			}
			tall := float32(1.95)
			if f.Crouch == 1 {
				tall = 1.6
			}
			if f.Pitch > 80 {
				tall = 2.4 // the rifle points up
			}
			if lo < -0.12 || hi > tall || (f.Air == 0 && lo > 0.06) {
				t.Errorf("%s, yaw %g: it reaches from %.2f to %.2f", name, yaw, lo, hi)
			}
		}
	}
}

func TestLightsThatMatterAreKept(t *testing.T) {
	var r Renderer
	r.view.set(&scene.Camera{}, 100, 100)
	f := &scene.Frame{}
	for i := range 20 {
		f.Lights = append(f.Lights, scene.PointLight{Pos: v(float32(3+i*4), 0, 0), Radius: 5, Color: v(1, 1, 1)})
	}
	f.Lights = append(f.Lights, scene.PointLight{Pos: v(-40, 0, 0), Radius: 5, Color: v(9, 9, 9)})
	r.chooseLights(f)
	if len(r.lights) != maxLights {
		t.Fatalf("%d lights", len(r.lights))
	}
	for i, l := range r.lights {
		if l.Pos[0] != float32(3+i*4) {
			t.Errorf("light %d is at %v", i, l.Pos)
		}
	}
}
