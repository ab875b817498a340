package draw

import (
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
)

// Options say how much work a picture is worth.
type Options struct {
	Samples    int     // per pixel; 0 and 1: edges are not smoothed
	Shadows    int     // pixels along a side of the sun's shadow map; 0: none
	Bloom      bool    // bright things glow
	Anisotropy float32 // of images seen at a flat angle; 1: none
	Exposure   float32 // 0: 1
	// Scale is the share of the target's pixels along a side that the scene is
	// drawn with; the HUD always has all of them. 0: 1.
	Scale float32
}

// Defaults returns the options for a renderer: everything on a graphics card,
// less where the processor draws.
func Defaults(info gpu.Info) Options {
	if info.Software {
		return Options{Shadows: 1024, Anisotropy: 1, Exposure: 1, Scale: 0.5}
	}
	return Options{Samples: min(4, info.MaxSamples), Shadows: 4096, Bloom: true,
		Anisotropy: min(8, max(info.MaxAnisotropy, 1)), Exposure: 1}
}

// Stats are counts of the frame that was drawn last.
type Stats struct {
	Triangles, Shapes, Sprites, Glyphs int
}

// Renderer draws frames of one world at a time. It belongs to the thread of the
// context that it was made in.
type Renderer struct {
	device   *gpu.Device
	options  Options
	programs programs
	frame    *gpu.Buffer
	// What C reads lies in allocations of its own: cgo refuses pointers into an
	// object that holds Go pointers.
	block   []frameBlock // one
	matrix  *mgl32.Mat4
	empty   *gpu.VertexArray
	targets targets
	world   *world

	view    view
	shapes  shapes // in the world
	hands   shapes // in the viewer's hands
	sprites sprites
	lights  []scene.PointLight
	clouds  []int // of the frame, the nearest first

	shapeBatch  *shapeBatch
	spriteBatch *spriteBatch
	hud         *hudBatch
	noShadow    *gpu.Texture
	noVolume    *gpu.Texture
	noLayers    *gpu.Texture
	noImage     *gpu.Texture
	noises      *gpu.Texture
	billows     *gpu.Texture
	stats       Stats
}

// New compiles the shaders and makes an empty renderer, which draws a sky.
func New(d *gpu.Device, o Options) (*Renderer, error) {
	r := &Renderer{device: d, options: o, block: make([]frameBlock, 1), matrix: new(mgl32.Mat4)}
	r.SetOptions(o)
	if err := r.programs.build(); err != nil {
		return nil, err
	}
	hud, err := newHUDBatch()
	if err != nil {
		r.programs.delete()
		return nil, err
	}
	r.hud = hud
	r.frame = gpu.NewBuffer(gpu.Uniforms)
	r.empty = gpu.NewVertexArray()
	r.shapeBatch = newShapeBatch()
	r.spriteBatch = newSpriteBatch()
	// Samplers of different kinds may not share a unit, so what a world lacks is
	// replaced by something tiny.
	r.noShadow = gpu.NewShadowMap(1)
	r.noVolume = gpu.NewVolume(1, 1, 1, gpu.RGBA8, []byte{255, 255, 255, 255})
	blank := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	r.noLayers = gpu.NewLayers(1, 1, []*image.NRGBA{blank}, gpu.SRGB8, gpu.Sampling{Clamp: true})
	r.noImage = gpu.NewTexture(blank, gpu.SRGB8, gpu.Sampling{Clamp: true})
	r.noises = gpu.NewTexture(noisePicture(), gpu.RGBA8, gpu.Sampling{Mips: true})
	r.billows = gpu.NewRepeatingVolume(billowSize, billowSize, billowSize, gpu.RGBA8, billowBlock())
	var empty scene.World
	empty.Daylight()
	if err := r.UploadWorld(&empty); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// UploadWorld replaces the world. It takes up to a second for a large one. On an
// error the old world stays.
func (r *Renderer) UploadWorld(w *scene.World) error {
	next, err := newWorld(w, r.device.Info(), r.options.Anisotropy)
	if err != nil {
		return err
	}
	if err := next.castShadows(r); err != nil {
		next.delete()
		return fmt.Errorf("upload world %s: %w", w.Name, err)
	}
	r.world.delete()
	r.world = next
	return nil
}

// Render draws a frame over a target's size in pixels; a nil target is the
// window. A target without pixels, such as a minimised window, is left alone.
func (r *Renderer) Render(f *scene.Frame, target *gpu.Framebuffer, width, height int) error {
	if width <= 0 || height <= 0 {
		return nil
	}
	limit := r.device.Info().MaxTexture
	width, height = min(width, limit), min(height, limit)
	k := r.options.Scale
	if err := r.targets.resize(max(int(float32(width)*k+0.5), 1), max(int(float32(height)*k+0.5), 1), r.options.Samples); err != nil {
		return fmt.Errorf("render %d x %d: %w", width, height, err)
	}
	if len(f.Clouds) > 0 {
		if err := r.targets.withDepth(); err != nil {
			return fmt.Errorf("render clouds on %d x %d: %w", width, height, err)
		}
	}
	r.prepare(f, width, height)
	r.fillBlock(f)
	r.uploadBlock()
	r.drawScene(f)
	r.finish(target, width, height, f.Tint)
	r.hud.draw(&r.programs, width, height)
	return nil
}

// prepare is the part of a frame that is done before the GPU hears of it.
func (r *Renderer) prepare(f *scene.Frame, width, height int) {
	r.view.set(&f.Camera, width, height)
	r.shapes.list, r.hands.list, r.lights = r.shapes.list[:0], r.hands.list[:0], r.lights[:0]
	r.sprites.reset()
	for i := range f.Figures {
		if r.view.seesBall(f.Figures[i].Pos.Add(v(0, 0, 0.9)), 1.6) {
			r.shapes.figure(&f.Figures[i])
		}
	}
	for i := range f.Vehicles {
		if r.view.seesBall(f.Vehicles[i].Pos.Add(v(0, 0, 0.8)), 2.6) {
			r.shapes.vehicle(&f.Vehicles[i])
		}
	}
	for i := range f.Items {
		if r.view.seesBall(f.Items[i].Pos.Add(v(0, 0, 0.5)), 1.2) {
			r.shapes.item(&f.Items[i], f.Time)
		}
	}
	for i := range f.Projectiles {
		r.shapes.rocket(&f.Projectiles[i])
	}
	r.sprites.collect(f, &r.view)
	if at, ok := r.hands.held(&r.view, &f.View); ok && f.View.Flash > 0 {
		k := clamp01(f.View.Flash)
		r.lights = append(r.lights, scene.PointLight{Pos: at, Radius: 7, Color: v(2.6, 1.9, 1.0).Mul(k)})
		r.muzzleFlash(at, k)
	}
	r.chooseLights(f)
	r.hud.build(f, r)
	r.stats = Stats{Shapes: len(r.shapes.list) + len(r.hands.list),
		Sprites: len(r.sprites.ground) + len(r.sprites.air) + len(r.sprites.top), Glyphs: len(r.hud.list) / 6}
}

// muzzleFlash adds the flash of the viewer's own weapon: a light, and a star of
// plates that is drawn with the weapon, since it lies in the weapon's depth.
func (r *Renderer) muzzleFlash(at mgl32.Vec3, k float32) {
	f, side, up := r.view.forward, r.view.right, r.view.up
	hot := paint{color: v(1, 0.75, 0.4), glow: 9 * k}
	r.hands.limb(at, at.Add(f.Mul(0.16*k)), up, 0.020*k, 0.004, 1, hot)
	for _, d := range [4]mgl32.Vec3{side.Add(up), side.Sub(up), up.Sub(side), side.Add(up).Mul(-1)} {
		r.hands.limb(at, at.Add(d.Mul(0.045*k)).Add(f.Mul(0.05*k)), f, 0.010*k, 0.002, 1, hot)
	}
}

// chooseLights keeps the lights that matter most from here: bright and near.
func (r *Renderer) chooseLights(f *scene.Frame) {
	for _, l := range f.Lights {
		if l.Radius > 0 && r.view.seesBall(l.Pos, l.Radius) {
			r.lights = append(r.lights, l)
		}
	}
	weight := func(l *scene.PointLight) float32 {
		d := l.Pos.Sub(r.view.pos)
		return (l.Color[0] + l.Color[1] + l.Color[2]) * l.Radius * l.Radius / (1 + d.Dot(d))
	}
	for i := 0; i < min(maxLights, len(r.lights)); i++ {
		best := i
		for j := i + 1; j < len(r.lights); j++ {
			if weight(&r.lights[j]) > weight(&r.lights[best]) {
				best = j
			}
		}
		r.lights[i], r.lights[best] = r.lights[best], r.lights[i]
	}
	r.lights = r.lights[:min(maxLights, len(r.lights))]
}

// fillBlock writes what all shaders share.
func (r *Renderer) fillBlock(f *scene.Frame) {
	b, w, v := &r.block[0], r.world, &r.view
	b.viewProj, b.shadow = v.viewProj, w.shadowMatrix
	b.eye = v.pos.Vec4(float32(f.Time - float64(int64(f.Time/3600))*3600))
	b.right = v.right.Vec4(2 * v.tanX / float32(v.width))
	b.up, b.forward = v.up.Vec4(0), v.forward.Vec4(0)
	b.sunDir, b.sunColor = w.sun.Dir.Vec4(float(w.hasShadows)), w.sun.Color.Vec4(0)
	b.zenith, b.horizon, b.ground = w.air.Zenith.Vec4(0), w.air.Horizon.Vec4(0), w.air.Ground.Vec4(0)
	b.fog = w.fog.Color.Vec4(w.fog.Density)
	b.volumeLow, b.volumeScale = mgl32.Vec4{}, mgl32.Vec4{}
	if o := w.volume; o != nil {
		b.volumeLow = o.low.Vec4(o.cell)
		for k := range 3 {
			b.volumeScale[k] = 1 / (o.cell * float32(o.n[k]))
		}
		b.volumeScale[3] = float(o.hasLamp)
	}
	b.counts = mgl32.Vec4{float32(len(r.lights)), float(w.hasLightmaps), w.lightmapScale, 0}
	b.tanHalf = mgl32.Vec4{v.tanX, v.tanY, v.near, v.far}
	for i, l := range r.lights {
		b.lightPos[i], b.lightColor[i] = l.Pos.Vec4(l.Radius), l.Color.Vec4(0)
	}
}

func (r *Renderer) uploadBlock() {
	gpu.Stream(r.frame, r.block)
	r.frame.BindBase(frameBinding)
}

// drawScene draws the frame's light, in the order in which things cover.
func (r *Renderer) drawScene(f *scene.Frame) {
	p, w := &r.programs, r.world
	r.bindShared()
	r.targets.scene.Bind()
	gpu.DepthRange(0, 1)
	gpu.Clear(0, 0, 0, 1)

	r.stats.Triangles = w.draw(p, &r.view, f.Models, false)

	p.shape.Use()
	*r.matrix = r.view.viewProj
	p.shapeViewProj.Mat4(r.matrix)
	p.shapeRim.Float(0.55)
	solid := gpu.State{DepthTest: true, DepthWrite: true}
	solid.Apply()
	r.shapeBatch.draw(&r.shapes)

	gpu.State{DepthTest: true, DepthEqual: true, Cull: gpu.CullNone}.Apply()
	p.sky.Use()
	r.empty.Bind()
	gpu.DrawTriangles(0, 3)

	through := gpu.State{Blend: gpu.Over, DepthTest: true, Cull: gpu.CullNone}
	through.Apply()
	p.sprite.Use()
	r.spriteBatch.draw(r.sprites.ground)
	r.stats.Triangles += w.draw(p, &r.view, f.Models, true)
	clouds := r.drawClouds(f)
	through.Apply()
	p.sprite.Use()
	r.setClouds(&p.among, f, clouds)
	r.spriteBatch.draw(r.sprites.air)
	through.DepthTest = false
	through.Apply()
	p.among.total.Int(0)
	r.spriteBatch.draw(r.sprites.top)

	if len(r.hands.list) > 0 {
		gpu.DepthRange(0, 0.02)
		solid.Apply()
		p.shape.Use()
		*r.matrix = r.view.weaponProj
		p.shapeViewProj.Mat4(r.matrix)
		p.shapeRim.Float(0.12)
		r.shapeBatch.draw(&r.hands)
		gpu.DepthRange(0, 1)
	}
}

// bindShared puts the world's textures on their units.
func (r *Renderer) bindShared() {
	pick := func(t, none *gpu.Texture, unit int) {
		if t == nil {
			t = none
		}
		t.Bind(unit)
	}
	r.noImage.Bind(unitImage)
	pick(r.world.lightmaps, r.noLayers, unitLightmaps)
	pick(r.world.shadowMap, r.noShadow, unitShadow)
	pick(r.world.sky, r.noVolume, unitVolume)
	pick(r.world.lamps, r.noVolume, unitLamps)
	r.noises.Bind(unitNoise)
	r.billows.Bind(unitBillows)
}

// Screenshot draws a frame at any size beside the window and returns it.
func (r *Renderer) Screenshot(f *scene.Frame, width, height int) (*image.NRGBA, error) {
	limit := r.device.Info().MaxTexture
	width, height = min(max(width, 1), limit), min(max(height, 1), limit)
	fb, err := gpu.NewFramebuffer(width, height, gpu.RGBA8, false, 0)
	if err != nil {
		return nil, err
	}
	defer fb.Delete()
	if err := r.Render(f, fb, width, height); err != nil {
		return nil, err
	}
	img := gpu.ReadPixels(fb, width, height)
	var window *gpu.Framebuffer
	window.Bind()
	return img, r.device.Err("screenshot")
}

// Stats returns counts of the last frame.
func (r *Renderer) Stats() Stats { return r.stats }

// SetOptions changes what a picture is worth from the next frame on. Shadows and
// Anisotropy count from the next UploadWorld on.
func (r *Renderer) SetOptions(o Options) {
	if o.Exposure == 0 {
		o.Exposure = 1
	}
	if !(o.Scale > 0) {
		o.Scale = 1
	}
	o.Scale = min(max(o.Scale, 0.1), 2)
	o.Samples = min(o.Samples, r.device.Info().MaxSamples)
	r.options = o
}

// Options returns what is in force.
func (r *Renderer) Options() Options { return r.options }

// Close frees everything.
func (r *Renderer) Close() {
	r.world.delete()
	r.targets.delete()
	r.programs.delete()
	r.shapeBatch.delete()
	r.spriteBatch.delete()
	r.hud.delete()
	r.frame.Delete()
	r.empty.Delete()
	for _, t := range []*gpu.Texture{r.noShadow, r.noVolume, r.noLayers, r.noImage, r.noises, r.billows} {
		t.Delete()
	}
}
