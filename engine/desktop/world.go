package desktop

import (
	"image"
	"log/slog"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/asset"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// Art is where the pictures of a level are found. The zero value has none: then
// every surface gets a generated look.
type Art struct {
	Files   *asset.Path
	Shaders func(name string) (level.Shader, bool)
	Log     *slog.Logger
}

// BuildWorld turns a level into what is drawn of it. It takes a while for a large
// level, reads pictures, and keeps nothing of the level but strings.
func BuildWorld(l *level.Level, art Art) *scene.World {
	b := worldBuilder{
		l: l, art: art, w: &scene.World{Name: l.Name},
		mats: map[matKey]int{}, images: map[string]*image.NRGBA{}, meshes: map[meshKey]int{},
	}
	if b.art.Log == nil {
		b.art.Log = slog.New(slog.DiscardHandler)
	}
	b.w.Daylight()
	b.lightmaps()
	if len(b.w.Lightmaps) > 0 {
		b.w.Fog.Density /= 4 // haze in the open air's colour does not suit rooms
	}
	for i := range l.Surfaces {
		b.surface(&l.Surfaces[i])
	}
	b.terrain()
	if len(b.w.Lightmaps) == 0 {
		b.lamps()
	}
	return b.w
}

type worldBuilder struct {
	l      *level.Level
	art    Art
	w      *scene.World
	mats   map[matKey]int
	images map[string]*image.NRGBA // by the name looked for; nil: not there
	miss   asset.Missing
	meshes map[meshKey]int
}

// A texture name may be drawn in two ways when faces of it have different flags.
type matKey struct {
	texture uint16
	surf    level.Surf
	liquid  level.Contents
}

type meshKey struct{ material, lightmap, model int }

// drawFlags are the surface flags that change how a material looks.
const drawFlags = level.SurfSky | level.SurfLadder | level.SurfMetal | level.SurfTranslucent

// surface adds one drawn mesh.
func (b *worldBuilder) surface(s *level.Surface) {
	if s.Surf&level.SurfNoDraw != 0 && s.Surf&level.SurfSky == 0 || len(s.Indices) == 0 {
		return
	}
	mi := b.material(s.Texture, s.Surf, s.Contents)
	mat := &b.w.Materials[mi]
	if mat.Kind == scene.Hidden && mat.Image == nil {
		return
	}
	lm := s.Lightmap
	if lm < 0 || lm >= len(b.w.Lightmaps) {
		lm = -1
	}
	m := b.mesh(meshKey{mi, lm, s.Model})
	su, sv := float32(1), float32(1)
	if s.UVTexels {
		su, sv = 1.0/128, 1.0/128
		if mat.Image != nil {
			su, sv = 1/float32(mat.Image.Rect.Dx()), 1/float32(mat.Image.Rect.Dy())
		}
	}
	base := uint32(len(m.Verts))
	for i := range s.Verts {
		v := &s.Verts[i]
		c := [4]uint8{255, 255, 255, 255}
		if lm < 0 && len(b.w.Lightmaps) > 0 {
			c = brighten(v.Color)
		}
		m.Verts = append(m.Verts, scene.Vertex{
			Pos: gl(v.Pos), Normal: gl(v.Normal),
			UV: mgl32.Vec2{v.U * su, v.V * sv}, LightUV: mgl32.Vec2{v.LU, v.LV}, Color: c,
		})
	}
	for _, x := range s.Indices {
		if int(x) >= len(s.Verts) {
			x = 0
		}
		m.Indices = append(m.Indices, base+x)
	}
}

func (b *worldBuilder) mesh(k meshKey) *scene.Mesh {
	i, ok := b.meshes[k]
	if !ok {
		i = len(b.w.Meshes)
		b.meshes[k] = i
		b.w.Meshes = append(b.w.Meshes, scene.Mesh{Material: k.material, Lightmap: k.lightmap, Model: k.model})
	}
	return &b.w.Meshes[i]
}

// material returns the index of a texture's material.
func (b *worldBuilder) material(tex uint16, surf level.Surf, contents level.Contents) int {
	k := matKey{tex, surf & drawFlags, contents & level.Liquid}
	if i, ok := b.mats[k]; ok {
		return i
	}
	name := ""
	if int(tex) < len(b.l.Textures) {
		name = b.l.Textures[tex]
	}
	m := b.describe(name, k.surf, contents)
	i := len(b.w.Materials)
	b.mats[k] = i
	b.w.Materials = append(b.w.Materials, m)
	return i
}

func (b *worldBuilder) describe(name string, surf level.Surf, contents level.Contents) scene.Material {
	m := scene.Material{Name: name}
	look, own := ownLooks[level.Fold(name)]
	if !own {
		look = guessLook(name, surf, contents)
	}
	m.Kind, m.Color, m.Glow = look.kind, look.color, look.glow
	m.Translucent, m.TwoSided = look.translucent, look.twoSided
	if own || m.Kind == scene.SkyHole || contents&level.Liquid != 0 {
		return m
	}
	var sh level.Shader
	if b.art.Shaders != nil {
		if known, ok := b.art.Shaders(name); ok {
			sh = known
		}
	}
	m.TwoSided = m.TwoSided || sh.TwoSided
	m.Image = b.image(name, sh.Image)
	if m.Image == nil {
		if surf&level.SurfTranslucent != 0 && nothingWithoutPicture(name, contents) {
			m.Kind = scene.Hidden
		}
		return m
	}
	m.Color = mgl32.Vec3{}
	m.Cutout = sh.AlphaTest
	m.Translucent = !sh.AlphaTest && surf&level.SurfTranslucent != 0
	if m.Kind != scene.Lamp {
		m.Glow = 0
	}
	if sh.Additive {
		m.Image, m.Translucent, m.Glow = glowing(m.Image), true, 1
	}
	return m
}

// image finds a texture's picture, by the shader's word for it and by its own.
func (b *worldBuilder) image(name, shaderImage string) *image.NRGBA {
	if b.art.Files == nil {
		return nil
	}
	key := name + "\x00" + shaderImage
	if img, ok := b.images[key]; ok {
		return img
	}
	var img *image.NRGBA
	for _, n := range [...]string{shaderImage, name, "textures/" + name} {
		if n == "" || strings.HasPrefix(n, "$") {
			continue
		}
		stored, ok := b.art.Files.FindImage(n)
		if !ok {
			continue
		}
		data, err := b.art.Files.ReadFile(stored)
		if err == nil {
			img, err = asset.DecodeImage(stored, data)
		}
		if err == nil {
			break
		}
		if b.miss.First(stored) {
			b.art.Log.Warn("picture left out", "texture", name, "file", stored, "error", err)
		}
	}
	if img == nil && b.miss.First(name) {
		b.art.Log.Warn("no picture for a texture, a generated look stands in", "texture", name)
	}
	b.images[key] = img
	return img
}

// glowing returns a picture that adds light as one that blends: what is dark lets
// everything through.
func glowing(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	for i := 0; i+3 < len(out.Pix); i += 4 {
		out.Pix[i+3] = max(out.Pix[i], out.Pix[i+1], out.Pix[i+2])
	}
	return out
}

// Compiled light is stored at a quarter of its brightness, so that lamps can be
// brighter than white. overbright is how much of that is given back in the bytes,
// where it can clip, and lightScale how much when drawing, in linear light.
const (
	overbright = 2
	lightScale = 8
	// ambient is added to every byte of it, so that a figure in the darkest corner
	// still has an outline.
	ambient = 9
)

// brighten scales compiled light and keeps its hue where it would clip.
func brighten(c [4]uint8) [4]uint8 {
	r, g, bl := int(c[0])*overbright+ambient, int(c[1])*overbright+ambient, int(c[2])*overbright+ambient
	if most := max(r, g, bl); most > 255 {
		r, g, bl = r*255/most, g*255/most, bl*255/most
	}
	return [4]uint8{uint8(r), uint8(g), uint8(bl), c[3]}
}

func (b *worldBuilder) lightmaps() {
	b.w.LightmapScale = lightScale
	for i := range b.l.Lightmaps {
		lm := &b.l.Lightmaps[i]
		img := image.NewNRGBA(image.Rect(0, 0, lm.W, lm.H))
		for p := 0; p < lm.W*lm.H && 3*p+2 < len(lm.Pix); p++ {
			c := brighten([4]uint8{lm.Pix[3*p], lm.Pix[3*p+1], lm.Pix[3*p+2], 255})
			copy(img.Pix[4*p:], c[:])
		}
		b.w.Lightmaps = append(b.w.Lightmaps, img)
	}
}

// terrain adds the height field as one mesh with smooth normals.
func (b *worldBuilder) terrain() {
	t := b.l.Terrain
	if t == nil || t.W < 2 || t.H < 2 {
		return
	}
	m := b.mesh(meshKey{b.material(t.Texture, 0, level.Solid), -1, 0})
	b.w.Materials[m.Material].Kind = scene.Ground
	base := uint32(len(m.Verts))
	for j := range t.H {
		for i := range t.W {
			x, y := t.Origin.X+float32(i)*t.Cell, t.Origin.Y+float32(j)*t.Cell
			n := mgl32.Vec3{t.Height(i-1, j) - t.Height(i+1, j), t.Height(i, j-1) - t.Height(i, j+1), 2 * t.Cell}.Normalize()
			m.Verts = append(m.Verts, scene.Vertex{
				Pos: mgl32.Vec3{x, y, t.Height(i, j)}, Normal: n,
				UV: mgl32.Vec2{x / 4, y / 4}, Color: [4]uint8{255, 255, 255, 255},
			})
		}
	}
	at := func(i, j int) uint32 { return base + uint32(j*t.W+i) }
	for j := range t.H - 1 {
		for i := range t.W - 1 {
			m.Indices = append(m.Indices,
				at(i, j), at(i+1, j), at(i+1, j+1),
				at(i, j), at(i+1, j+1), at(i, j+1))
		}
	}
}

// maxLamps bounds the fixed lights of a level; the brightest stay.
const maxLamps = 512

// lamps adds a light for each lamp that is drawn and for each "light" entity.
func (b *worldBuilder) lamps() {
	for i := range b.l.Surfaces {
		s := &b.l.Surfaces[i]
		if s.Model != 0 || len(s.Verts) == 0 || int(s.Texture) >= len(b.l.Textures) || s.Surf&level.SurfNoDraw != 0 {
			continue
		}
		m := &b.w.Materials[b.material(s.Texture, s.Surf, s.Contents)]
		if m.Kind != scene.Lamp {
			continue
		}
		box := vec.EmptyBox()
		for j := range s.Verts {
			box = box.Grow(s.Verts[j].Pos)
		}
		at := gl(box.Center()).Add(gl(s.Verts[0].Normal).Mul(0.35))
		c := m.Color
		if c == (mgl32.Vec3{}) {
			c = mgl32.Vec3{1, 0.9, 0.75}
		}
		b.lamp(at, 9, c.Mul(2.2))
	}
	for i := range b.l.Entities {
		e := &b.l.Entities[i]
		if !strings.HasPrefix(e.Class, "light") {
			continue
		}
		power, ok := number(e.Get("light"))
		if !ok {
			power = 300
		}
		c := mgl32.Vec3{1, 0.94, 0.85}
		if v, ok := level.Vector(e.Get("_color")); ok {
			c = gl(v)
		}
		b.lamp(gl(e.Origin), min(max(power/32, 2), 30), c.Mul(1.4))
	}
	b.fill()
	if len(b.w.Lamps) > maxLamps {
		b.art.Log.Warn("more lamps than are lit", "lamps", len(b.w.Lamps), "most", maxLamps)
		b.w.Lamps = b.w.Lamps[:maxLamps]
	}
}

// fill gives a dim lamp to each place to enter, and each thing to take, that has a
// ceiling and no lamp near: a room that its author left dark is not a black picture.
func (b *worldBuilder) fill() {
	if len(b.l.Solids) == 0 {
		return
	}
	tw := trace.New(b.l)
	at := func(p vec.V3) {
		p.Z += 0.5
		up := p
		up.Z += 12
		r := tw.Ray(p, up, level.MaskShot)
		if r.StartSolid || r.Frac >= 1 || r.Surf&level.SurfSky != 0 {
			return
		}
		p.Z += (r.End.Z - p.Z) * 0.75
		for i := range b.w.Lamps {
			d := b.w.Lamps[i].Pos.Sub(gl(p)).Len()
			l := b.w.Lamps[i].Pos
			if d < 6 && !tw.Blocked(p, vec.V3{X: l[0], Y: l[1], Z: l[2]}, level.MaskSight) {
				return
			}
		}
		b.lamp(gl(p), 9, mgl32.Vec3{1.5, 1.35, 1.15})
	}
	for i := range b.l.Spawns {
		at(b.l.Spawns[i].Pos)
	}
	for i := range b.l.Pickups {
		at(b.l.Pickups[i].Pos)
	}
}

// lamp adds a light unless one of its like shines from nearly the same place: the
// faces of one lamp count once.
func (b *worldBuilder) lamp(at mgl32.Vec3, radius float32, c mgl32.Vec3) {
	for i := range b.w.Lamps {
		l := &b.w.Lamps[i]
		if l.Pos.Sub(at).Len() < 1.2 {
			l.Pos = l.Pos.Add(at).Mul(0.5)
			return
		}
	}
	b.w.Lamps = append(b.w.Lamps, scene.PointLight{Pos: at, Radius: radius, Color: c})
}

func gl(v vec.V3) mgl32.Vec3 { return mgl32.Vec3{v.X, v.Y, v.Z} }
