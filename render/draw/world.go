package draw

import (
	"fmt"
	"image"
	"math"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
)

// material is a scene.Material on the GPU.
type material struct {
	scene.Material
	texture *gpu.Texture
	tint    mgl32.Vec3
	blended bool
}

// world is a scene.World on the GPU.
type world struct {
	vertices, indices *gpu.Buffer
	array             *gpu.VertexArray
	chunks            []chunk
	materials         []material
	lightmaps         *gpu.Texture
	lightmapScale     float32
	hasLightmaps      bool

	shadowMap    *gpu.Texture
	shadowMatrix mgl32.Mat4
	hasShadows   bool
	volume       *volume
	sky, lamps   *gpu.Texture

	sun  scene.Sun
	air  scene.Sky
	fog  scene.Fog
	name string
}

// kindColor is the tint of a generated look that names none: a light arena with
// warm walls, cool metal and one accent.
func kindColor(k scene.Kind) mgl32.Vec3 {
	switch k {
	case scene.Floor:
		return v(0.205, 0.215, 0.23)
	case scene.Trim:
		return v(0.66, 0.20, 0.025)
	case scene.Metal:
		return v(0.21, 0.24, 0.28)
	case scene.Crate:
		return v(0.36, 0.215, 0.10)
	case scene.Ground:
		return v(0.4, 0.4, 0.4)
	case scene.Glass:
		return v(0.35, 0.50, 0.55)
	case scene.Water:
		return v(0.02, 0.105, 0.13)
	case scene.Slime:
		return v(0.12, 0.32, 0.04)
	case scene.Lava:
		return v(1.0, 0.28, 0.04)
	case scene.Lamp:
		return v(1.0, 0.90, 0.72)
	case scene.Ladder:
		return v(0.42, 0.38, 0.20)
	}
	return v(0.43, 0.415, 0.385)
}

func newMaterial(m *scene.Material, anisotropy float32) material {
	out := material{Material: *m, tint: m.Color}
	out.Image = nil // the upload keeps nothing of the caller's
	switch {
	case m.Image != nil:
		out.texture = gpu.NewTexture(m.Image, gpu.SRGB8, gpu.Sampling{Mips: true, Anisotropy: anisotropy})
		if out.tint == (mgl32.Vec3{}) {
			out.tint = v(1, 1, 1)
		}
	case out.tint == (mgl32.Vec3{}):
		out.tint = kindColor(m.Kind)
	}
	out.blended = m.Translucent || (m.Image == nil && !opaque(m))
	out.TwoSided = out.TwoSided || out.blended || m.Cutout
	return out
}

// newWorld uploads a world. On an error nothing of it is left.
func newWorld(w *scene.World, info gpu.Info, anisotropy float32) (*world, error) {
	g := cut(w)
	o := &world{
		vertices: gpu.NewBuffer(gpu.Vertices), indices: gpu.NewBuffer(gpu.Indices), array: gpu.NewVertexArray(),
		chunks: g.chunks, sun: w.Sun, air: w.Sky, fog: w.Fog, name: w.Name, lightmapScale: w.LightmapScale,
	}
	if o.lightmapScale == 0 {
		o.lightmapScale = 1
	}
	if l := o.sun.Dir.Len(); l > 1e-4 {
		o.sun.Dir = o.sun.Dir.Mul(1 / l)
	} else {
		o.sun = scene.Sun{Dir: v(0, 0, 1)}
	}
	gpu.Static(o.vertices, g.verts)
	gpu.Static(o.indices, g.indices)
	o.array.Attributes(o.vertices, unsafe.Sizeof(vertex{}), false,
		gpu.Attr{Location: 0, Size: 3},
		gpu.Attr{Location: 1, Size: 3, Offset: unsafe.Offsetof(vertex{}.normal)},
		gpu.Attr{Location: 2, Size: 2, Offset: unsafe.Offsetof(vertex{}.uv)},
		gpu.Attr{Location: 3, Size: 3, Offset: unsafe.Offsetof(vertex{}.light)},
		gpu.Attr{Location: 4, Size: 4, Offset: unsafe.Offsetof(vertex{}.color), Bytes: true})
	o.array.Elements(o.indices)
	for i := range w.Materials {
		o.materials = append(o.materials, newMaterial(&w.Materials[i], anisotropy))
	}
	if n := len(w.Lightmaps); n > 0 {
		if n > info.MaxLayers {
			o.delete()
			return nil, fmt.Errorf("upload world %s: %d lightmaps, this driver takes %d", w.Name, n, info.MaxLayers)
		}
		o.hasLightmaps = true
		o.lightmaps = stack(w.Lightmaps)
	}
	if o.volume = measure(w, &g); o.volume != nil {
		vol := o.volume
		o.sky = gpu.NewVolume(vol.n[0], vol.n[1], vol.n[2], gpu.RGBA8, vol.data)
		if vol.hasLamp {
			o.lamps = gpu.NewVolume(vol.n[0], vol.n[1], vol.n[2], gpu.RGBA8, vol.lamps)
		}
		vol.data, vol.lamps, vol.solid = nil, nil, nil
	}
	return o, nil
}

// stack puts lightmaps into the layers of one texture, scaling those that are
// smaller than the largest.
func stack(maps []*image.NRGBA) *gpu.Texture {
	w, h := 1, 1
	for _, m := range maps {
		if m != nil {
			w, h = max(w, m.Rect.Dx()), max(h, m.Rect.Dy())
		}
	}
	layers := make([]*image.NRGBA, len(maps))
	for i, m := range maps {
		layers[i] = fit(m, w, h)
	}
	return gpu.NewLayers(w, h, layers, gpu.SRGB8, gpu.Sampling{Clamp: true})
}

// fit returns an image at the given size by repeating pixels.
func fit(m *image.NRGBA, w, h int) *image.NRGBA {
	if m != nil && m.Rect.Dx() == w && m.Rect.Dy() == h {
		return m
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	if m == nil || m.Rect.Empty() {
		return out
	}
	for y := range h {
		for x := range w {
			out.SetNRGBA(x, y, m.NRGBAAt(m.Rect.Min.X+x*m.Rect.Dx()/w, m.Rect.Min.Y+y*m.Rect.Dy()/h))
		}
	}
	return out
}

// sunView returns the projection that sees the whole box from the sun.
func sunView(dir, lo, hi mgl32.Vec3) mgl32.Mat4 {
	side := dir.Cross(v(0, 0, 1))
	if side.Len() < 1e-3 {
		side = v(1, 0, 0)
	}
	side = side.Normalize()
	up := side.Cross(dir)
	mid := lo.Add(hi).Mul(0.5)
	var ext mgl32.Vec3
	for i := range 8 {
		p := lo
		for k := range 3 {
			if i>>k&1 == 1 {
				p[k] = hi[k]
			}
		}
		p = p.Sub(mid)
		for k, axis := range [3]mgl32.Vec3{side, up, dir} {
			ext[k] = max(ext[k], float32(math.Abs(float64(p.Dot(axis)))))
		}
	}
	ext = ext.Add(v(0.5, 0.5, 0.5))
	base := viewMatrix(mid, dir.Mul(-1), side, up)
	scale := mgl32.Scale3D(1/ext[0], 1/ext[1], -1/ext[2])
	return scale.Mul4(base)
}

// castShadows draws what stands in the sun's way, once.
func (o *world) castShadows(r *Renderer) error {
	if r.options.Shadows <= 0 || o.sun.Color == (mgl32.Vec3{}) || len(o.chunks) == 0 {
		return nil
	}
	lo, hi := o.chunks[0].lo, o.chunks[0].hi
	for i := range o.chunks {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], o.chunks[i].lo[k]), max(hi[k], o.chunks[i].hi[k])
		}
	}
	o.shadowMatrix = sunView(o.sun.Dir, lo, hi)
	o.shadowMap = gpu.NewShadowMap(min(r.options.Shadows, r.device.Info().MaxTexture))
	fb, err := gpu.NewDepthFramebuffer(o.shadowMap)
	if err != nil {
		return fmt.Errorf("shadows: %w", err)
	}
	defer fb.Delete()
	r.block[0].shadow = o.shadowMatrix
	r.uploadBlock()
	fb.Bind()
	gpu.State{DepthTest: true, DepthWrite: true, Cull: gpu.CullNone, NoColor: true, Offset: 1.5}.Apply()
	gpu.ClearDepth()
	r.programs.depth.Use()
	o.array.Bind()
	for i := range o.chunks {
		c := &o.chunks[i]
		m := &o.materials[c.material]
		if c.model == 0 && !m.blended && !m.Cutout {
			gpu.DrawElements(c.first, c.count)
		}
	}
	var none *gpu.Framebuffer
	none.Bind()
	o.hasShadows = true
	return nil
}

// draw draws the chunks that are seen: the opaque ones, or the blended ones.
func (o *world) draw(p *programs, view *view, places []scene.Place, blended bool) (drawn int) {
	p.world.Use()
	o.array.Bind()
	if o.lightmaps != nil {
		o.lightmaps.Bind(unitLightmaps)
	}
	material, model := -1, -1
	for i := 0; i < len(o.chunks); i++ {
		c := &o.chunks[i]
		m := &o.materials[c.material]
		if m.blended != blended {
			continue
		}
		var place scene.Place
		if c.model > 0 && c.model < len(places) {
			place = places[c.model]
		}
		if !view.sees(place.Bounds(c.lo, c.hi)) {
			continue
		}
		if c.model != model {
			model = c.model
			p.worldOffset.Vec3(place.Offset)
			p.worldTurn.Vec4(place.Hinge[0], place.Hinge[1], place.Sin, place.Cos)
		}
		if c.material != material {
			material = c.material
			o.use(p, m)
		}
		// Neighbours in the list that are seen too are drawn by the same call.
		first, count := c.first, c.count
		for i+1 < len(o.chunks) {
			n := &o.chunks[i+1]
			if n.material != c.material || n.model != c.model || !view.sees(place.Bounds(n.lo, n.hi)) {
				break
			}
			count += n.count
			i++
		}
		gpu.DrawElements(first, count)
		drawn += count / 3
	}
	return drawn
}

func (o *world) use(p *programs, m *material) {
	kind := int(m.Kind)
	if m.texture != nil {
		kind = -1
		m.texture.Bind(unitImage)
	}
	p.worldKind.Int(kind)
	p.worldTint.Vec3(m.tint)
	p.worldGlow.Float(m.Glow)
	p.worldCutout.Float(float(m.Cutout))
	p.worldBlended.Float(float(m.blended))
	s := gpu.State{DepthTest: true, DepthWrite: !m.blended, DepthEqual: true}
	if m.TwoSided {
		s.Cull = gpu.CullNone
	}
	if m.blended {
		s.Blend = gpu.Alpha
	}
	s.Apply()
}

func float(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (o *world) delete() {
	if o == nil {
		return
	}
	o.array.Delete()
	o.vertices.Delete()
	o.indices.Delete()
	for i := range o.materials {
		o.materials[i].texture.Delete()
	}
	for _, t := range []*gpu.Texture{o.lightmaps, o.shadowMap, o.sky, o.lamps} {
		t.Delete()
	}
}
