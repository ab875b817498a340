package scene

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"
)

// Kind says what a surface is made of. It picks the generated look when a
// material has no image, and how the surface is drawn.
type Kind uint8

// Kinds of surface.
const (
	Wall      Kind = iota // plastered panels with a metre grid
	Floor                 // tiles
	Trim                  // painted edge in the accent colour
	Metal                 // brushed plates with rivets
	Crate                 // boxes one takes cover behind
	Ground                // earth, grass, rock: terrain
	Glass                 // translucent, thin
	Water                 // translucent, waves
	Slime                 // translucent, green
	Lava                  // glows
	Lamp                  // glows in its own colour
	Ladder                // metal with rungs
	SkyHole               // the sky shows through; nothing is drawn but the sky
	Hidden                // clip and the like: never drawn
	KindCount             // how many there are
)

// Vertex is one corner of a world mesh. UV counts repeats of the material's
// image. LightUV runs over the mesh's lightmap from 0 to 1. Color multiplies
// the surface (255 = unchanged) and is used as the light itself where the mesh
// has no lightmap but the world has (vertex-lit models).
type Vertex struct {
	Pos     mgl32.Vec3
	Normal  mgl32.Vec3
	UV      mgl32.Vec2
	LightUV mgl32.Vec2
	Color   [4]uint8
}

// Mesh is a list of triangles of one material. Triangles seen from the front
// run counter-clockwise.
type Mesh struct {
	Material int // index into World.Materials
	Lightmap int // index into World.Lightmaps; -1 when it has none
	Model    int // brush model; 0 is the world, others are where Frame.Models says
	Verts    []Vertex
	Indices  []uint32
}

// Material describes a surface. With a nil Image its look is generated from
// Kind and Color, over world coordinates, so it needs no UV.
type Material struct {
	Name        string
	Image       *image.NRGBA // sRGB; nil: generated
	Kind        Kind
	Color       mgl32.Vec3 // linear tint of a generated look; zero: the kind's own
	Glow        float32    // light that the surface adds by itself
	Translucent bool       // drawn late and blended
	Cutout      bool       // alpha below one half is a hole
	TwoSided    bool
}

// Sky is the colours of sky and haze. The sun's disk is drawn where Sun shines
// from.
type Sky struct {
	Zenith  mgl32.Vec3
	Horizon mgl32.Vec3
	Ground  mgl32.Vec3 // light that comes back up from below
}

// Sun is one distant light. Dir points from the ground to the sun.
type Sun struct {
	Dir   mgl32.Vec3
	Color mgl32.Vec3
}

// Fog hides Density of what is left per metre: at d metres exp(-Density*d) of a
// surface's own light is seen.
type Fog struct {
	Color   mgl32.Vec3
	Density float32
}

// World is everything that does not change from frame to frame.
type World struct {
	Name      string
	Meshes    []Mesh
	Materials []Material
	// Lightmaps are sRGB light, already scaled to be multiplied with a surface.
	// All may be of different sizes; square powers of two waste nothing.
	Lightmaps []*image.NRGBA
	// LightmapScale multiplies a lightmap's light; 0 means 1.
	LightmapScale float32
	// Lamps are fixed lights, spread over the level once at upload. They are
	// ignored when there are lightmaps, which have them already.
	Lamps []PointLight

	Sun Sun
	Sky Sky
	Fog Fog
}

// Daylight sets sun, sky and fog to the clear morning that levels without a
// wish of their own are shown in.
func (w *World) Daylight() {
	w.Sun = Sun{
		Dir:   mgl32.Vec3{0.46, 0.31, 0.83}.Normalize(),
		Color: mgl32.Vec3{2.3, 2.0, 1.62},
	}
	w.Sky = Sky{
		Zenith:  mgl32.Vec3{0.11, 0.27, 0.60},
		Horizon: mgl32.Vec3{0.55, 0.69, 0.84},
		Ground:  mgl32.Vec3{0.26, 0.24, 0.22},
	}
	w.Fog = Fog{Color: mgl32.Vec3{0.60, 0.70, 0.80}, Density: 0.004}
}

// Bounds returns the box around every drawn vertex, and false when there is
// none.
func (w *World) Bounds() (lo, hi mgl32.Vec3, ok bool) {
	for i := range w.Meshes {
		for j := range w.Meshes[i].Verts {
			p := w.Meshes[i].Verts[j].Pos
			if !ok {
				lo, hi, ok = p, p, true
				continue
			}
			for k := range 3 {
				lo[k] = min(lo[k], p[k])
				hi[k] = max(hi[k], p[k])
			}
		}
	}
	return lo, hi, ok
}
