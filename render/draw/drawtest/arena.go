// Package drawtest builds scenes to look at and to test with: an arena of boxes
// with every kind of surface, and a frame in it with every kind of thing.
//
// It makes new data at each call, and its pictures depend on nothing else.
package drawtest

import (
	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// Builder gathers boxes into a world.
type Builder struct{ world scene.World }

// NewBuilder returns an empty world with one material of each kind, by daylight.
func NewBuilder() *Builder {
	b := &Builder{}
	b.world.Name = "drawtest"
	b.world.Daylight()
	for k := range scene.KindCount {
		b.world.Materials = append(b.world.Materials, scene.Material{Kind: k})
		b.world.Meshes = append(b.world.Meshes, scene.Mesh{Material: int(k), Lightmap: -1})
	}
	return b
}

// World returns what was built.
func (b *Builder) World() *scene.World { return &b.world }

// Quad adds a rectangle with its corners counter-clockwise as seen from outside.
func (b *Builder) Quad(k scene.Kind, p [4]mgl32.Vec3) {
	m := &b.world.Meshes[k]
	n := p[1].Sub(p[0]).Cross(p[3].Sub(p[0])).Normalize()
	base := uint32(len(m.Verts))
	for i, q := range p {
		m.Verts = append(m.Verts, scene.Vertex{Pos: q, Normal: n,
			UV: mgl32.Vec2{float32(i & 1), float32(i >> 1)}, Color: [4]uint8{255, 255, 255, 255}})
	}
	m.Indices = append(m.Indices, base, base+1, base+2, base, base+2, base+3)
}

// Box adds a box; top is what its upper face is made of.
func (b *Builder) Box(side, top scene.Kind, lo, hi mgl32.Vec3) {
	c := func(x, y, z int) mgl32.Vec3 {
		p := lo
		for k, s := range [3]int{x, y, z} {
			if s == 1 {
				p[k] = hi[k]
			}
		}
		return p
	}
	b.Quad(side, [4]mgl32.Vec3{c(1, 0, 0), c(1, 1, 0), c(1, 1, 1), c(1, 0, 1)})
	b.Quad(side, [4]mgl32.Vec3{c(0, 1, 0), c(0, 0, 0), c(0, 0, 1), c(0, 1, 1)})
	b.Quad(side, [4]mgl32.Vec3{c(1, 1, 0), c(0, 1, 0), c(0, 1, 1), c(1, 1, 1)})
	b.Quad(side, [4]mgl32.Vec3{c(0, 0, 0), c(1, 0, 0), c(1, 0, 1), c(0, 0, 1)})
	b.Quad(top, [4]mgl32.Vec3{c(0, 0, 1), c(1, 0, 1), c(1, 1, 1), c(0, 1, 1)})
	b.Quad(side, [4]mgl32.Vec3{c(0, 1, 0), c(1, 1, 0), c(1, 0, 0), c(0, 0, 0)})
}

// Arena returns a walled yard of 32 by 24 metres with a covered side room, a
// platform, cover, water and a window.
func Arena() *scene.World {
	b := NewBuilder()
	v := func(x, y, z float32) mgl32.Vec3 { return mgl32.Vec3{x, y, z} }
	b.Box(scene.Floor, scene.Floor, v(-16, -12, -1), v(16, 12, 0))
	b.Box(scene.Wall, scene.Trim, v(-17, -13, -1), v(17, -12, 5))
	b.Box(scene.Wall, scene.Trim, v(-17, 12, -1), v(17, 13, 5))
	b.Box(scene.Wall, scene.Trim, v(-17, -12, -1), v(-16, 12, 5))
	b.Box(scene.Wall, scene.Trim, v(16, -12, -1), v(17, 12, 5))
	// The side room, with a door, a window and a lamp under its roof.
	b.Box(scene.Wall, scene.Wall, v(4, 4, 0), v(7, 4.4, 3.5))
	b.Box(scene.Wall, scene.Wall, v(9, 4, 0), v(16, 4.4, 3.5))
	b.Box(scene.Wall, scene.Wall, v(7, 4, 2.4), v(9, 4.4, 3.5))
	b.Box(scene.Wall, scene.Wall, v(4, 4.4, 0), v(4.4, 6, 3.5))
	b.Box(scene.Wall, scene.Wall, v(4, 10, 0), v(4.4, 12, 3.5))
	b.Box(scene.Wall, scene.Wall, v(4, 6, 0), v(4.4, 10, 1))
	b.Box(scene.Glass, scene.Glass, v(4.17, 6, 1), v(4.23, 10, 3.5))
	b.Box(scene.Metal, scene.Metal, v(3.8, 3.8, 3.5), v(16, 12, 3.8))
	b.Box(scene.Lamp, scene.Lamp, v(9.5, 7.8, 3.40), v(10.5, 8.2, 3.5))
	b.World().Lamps = append(b.World().Lamps, scene.PointLight{Pos: v(10, 8, 3.0), Radius: 11, Color: v(2.6, 2.2, 1.6)})
	// A platform with steps, edged in the accent.
	b.Box(scene.Metal, scene.Floor, v(-14, 5, 0), v(-6, 11, 1.5))
	b.Box(scene.Trim, scene.Trim, v(-14.05, 4.95, 1.35), v(-5.95, 5.0, 1.52))
	for i := range 5 {
		f := float32(i)
		b.Box(scene.Wall, scene.Floor, v(-6+0.4*f, 7, 0), v(-5.6+0.4*f, 9, 1.5-0.3*f))
	}
	b.Box(scene.Wall, scene.Trim, v(-2, -3, 0), v(-1, 3, 2.2))
	b.Box(scene.Crate, scene.Crate, v(3, -6, 0), v(4.5, -4.5, 1.5))
	b.Box(scene.Crate, scene.Crate, v(4.6, -5.6, 0), v(5.8, -4.4, 1.2))
	b.Box(scene.Crate, scene.Crate, v(3.4, -5.6, 1.5), v(4.4, -4.6, 2.5))
	b.Box(scene.Metal, scene.Trim, v(8, -2, 0), v(9, -1, 5))
	b.Box(scene.Metal, scene.Trim, v(-9, -6, 0), v(-8, -5, 5))
	b.Box(scene.Wall, scene.Wall, v(9, -11, 0), v(9.3, -7, 0.5))
	b.Box(scene.Wall, scene.Wall, v(9, -7, 0), v(15, -6.7, 0.5))
	b.Quad(scene.Water, [4]mgl32.Vec3{v(9.3, -12, 0.3), v(16, -12, 0.3), v(16, -7, 0.3), v(9.3, -7, 0.3)})
	b.Quad(scene.Hidden, [4]mgl32.Vec3{v(-16, -12, 6), v(16, -12, 6), v(16, 12, 6), v(-16, 12, 6)})
	return b.World()
}

// Red and Blue are the two teams' colours.
var (
	Red  = mgl32.Vec3{0.85, 0.09, 0.05}
	Blue = mgl32.Vec3{0.05, 0.28, 0.90}
)

// Fight returns a frame in Arena with players, items and a rocket that bursts.
func Fight() *scene.Frame {
	v := func(x, y, z float32) mgl32.Vec3 { return mgl32.Vec3{x, y, z} }
	f := &scene.Frame{Time: 3}
	f.Camera = scene.Camera{Pos: v(-7.5, -9.5, 1.62), Yaw: 40, Pitch: -2, FovX: 90}
	f.Figures = append(f.Figures,
		scene.Figure{Pos: v(-3.5, -5, 0), Yaw: 215, Pitch: 3, Stride: 0.18, Velocity: v(-4, -3, 0), Color: Red, Weapon: scene.Rifle, Firing: 1, Name: "vesper", ShowName: true},
		scene.Figure{Pos: v(1.9, -1.7, 0), Yaw: 235, Stride: 0.4, Velocity: v(0, -5, 0), Color: Red, Weapon: scene.Rifle, Seed: 3},
		scene.Figure{Pos: v(2.2, -4.2, 0), Yaw: 195, Crouch: 1, Lean: -0.6, Color: Blue, Weapon: scene.RocketLauncher, Seed: 5, Name: "okapi", ShowName: true},
		scene.Figure{Pos: v(6.5, -8, 0), Yaw: 160, Stride: 0.7, Velocity: v(3, 2, 0), Color: Blue, Weapon: scene.Rifle, Pitch: 5},
		scene.Figure{Pos: v(-5.5, -2.2, 0), Yaw: 20, Dead: 1, Color: Blue, Seed: 2},
		scene.Figure{Pos: v(-9, 8, 1.5), Yaw: 300, Color: Red, Weapon: scene.Rifle, Pitch: -12},
	)
	f.Items = append(f.Items,
		scene.Item{Kind: scene.HealthItem, Pos: v(-5, -7, 0), Spin: 40},
		scene.Item{Kind: scene.AmmoItem, Pos: v(-0.5, -8, 0), Spin: 70},
		scene.Item{Kind: scene.ArmourItem, Pos: v(4, 1.5, 0), Spin: 200},
		scene.Item{Kind: scene.RocketItem, Pos: v(-3.0, 0.5, 0), Spin: 110},
	)
	f.Projectiles = append(f.Projectiles, scene.Projectile{Pos: v(-0.5, -6.2, 1.5), Dir: v(0.75, 0.6, 0.1).Normalize(), Trail: 4})
	f.Beams = append(f.Beams, scene.Beam{From: v(-4.1, -5.4, 1.4), To: v(-9, -9.0, 1.55), Width: 0.02, Color: v(2.2, 1.5, 0.6), Alpha: 0.9, Taper: true})
	burst := v(5.2, -1.2, 1.2)
	f.Lights = append(f.Lights, scene.PointLight{Pos: burst, Radius: 8, Color: v(5, 2.4, 0.8)})
	f.Sprites = append(f.Sprites,
		scene.Sprite{Kind: scene.SmokeSprite, Pos: burst.Add(v(0.4, 0.5, 0.8)), Size: 1.3, Alpha: 0.5, Color: v(0.4, 0.4, 0.4), Seed: 2},
		scene.Sprite{Kind: scene.FireSprite, Pos: burst, Size: 1.1, Alpha: 1, Color: v(1, 1, 1), Age: 0.25, Seed: 1},
		scene.Sprite{Kind: scene.FireSprite, Pos: burst.Add(v(0.4, -0.5, 0.35)), Size: 0.75, Alpha: 1, Color: v(1, 1, 1), Age: 0.4, Seed: 4},
		scene.Sprite{Kind: scene.GlowSprite, Pos: burst, Size: 2.6, Alpha: 0.5, Color: v(2.5, 1.1, 0.4)},
		scene.Sprite{Kind: scene.BlobSprite, Pos: v(5.2, -1.2, 0), Size: 1.5, Alpha: 0.5, Color: v(0.02, 0.02, 0.02)},
	)
	for i := range 14 {
		d := v(float32(i%5)-2, float32(i*7%5)-2, float32(i*3%4)).Normalize()
		f.Sprites = append(f.Sprites, scene.Sprite{Kind: scene.SparkSprite, Pos: burst.Add(d.Mul(1.1 + 0.1*float32(i%4))),
			Vel: d.Mul(0.35), Size: 0.03, Alpha: 1, Color: v(3, 1.7, 0.6)})
	}
	f.View = scene.ViewWeapon{Weapon: scene.Rifle, Color: Blue, Bob: 0.1, Walk: 0.5}
	return f
}
