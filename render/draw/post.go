package draw

import (
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
)

// targets are what a frame passes through on its way: light with samples, light
// without, and two small ones for the glow around bright things.
type targets struct {
	width, height int
	samples       int
	scene         *gpu.Framebuffer // where shapes are drawn
	resolved      *gpu.Framebuffer // the same object when there are no samples
	small         [2]*gpu.Framebuffer
	depth         *gpu.Framebuffer // a copy of the scene's, made when something asks for it
	depths        *gpu.Texture     // its picture
}

// resize makes them for a size, keeping what fits.
func (t *targets) resize(width, height, samples int) error {
	if t.scene != nil && t.width == width && t.height == height && t.samples == samples {
		return nil
	}
	t.delete()
	var err error
	if t.scene, err = gpu.NewFramebuffer(width, height, gpu.RGBA16F, true, samples); err != nil {
		return err
	}
	t.resolved = t.scene
	if samples > 1 {
		if t.resolved, err = gpu.NewFramebuffer(width, height, gpu.RGBA16F, false, 0); err != nil {
			t.resolved = nil
			t.delete()
			return err
		}
	}
	for i := range t.small {
		if t.small[i], err = gpu.NewFramebuffer((width+3)/4, (height+3)/4, gpu.RGBA16F, false, 0); err != nil {
			t.delete()
			return err
		}
	}
	t.width, t.height, t.samples = width, height, samples
	return nil
}

// withDepth makes what readDepth needs.
func (t *targets) withDepth() error {
	if t.depth != nil {
		return nil
	}
	t.depths = gpu.NewBlank(t.width, t.height, gpu.Depth24, nil, gpu.Sampling{Clamp: true, Nearest: true})
	var err error
	if t.depth, err = gpu.NewDepthFramebuffer(t.depths); err != nil {
		t.depths.Delete()
		t.depth, t.depths = nil, nil
	}
	return err
}

// readDepth copies the depth of what has been drawn to where shaders can read it.
func (t *targets) readDepth() {
	t.scene.CopyDepth(t.depth)
	t.depths.Bind(unitDepth)
}

func (t *targets) delete() {
	t.depth.Delete()
	t.depths.Delete()
	if t.resolved != t.scene {
		t.resolved.Delete()
	}
	t.scene.Delete()
	t.small[0].Delete()
	t.small[1].Delete()
	*t = targets{}
}

// finish takes the frame's light to the target: glow, tone curve, tint.
func (r *Renderer) finish(to *gpu.Framebuffer, width, height int, tint scene.RGBA) {
	t := &r.targets
	if t.scene != t.resolved {
		t.scene.Resolve(t.resolved)
	}
	gpu.State{Cull: gpu.CullNone}.Apply()
	r.empty.Bind()
	share := float32(0)
	if r.options.Bloom {
		share = 0.075
		p := &r.programs
		p.blur.Use()
		pass := func(from, to *gpu.Framebuffer, x, y, threshold float32) {
			to.Bind()
			from.Color().Bind(0)
			w, h := from.Size()
			p.blurStride.Vec2(x/float32(w), y/float32(h))
			p.blurThreshold.Float(threshold)
			gpu.DrawTriangles(0, 3)
		}
		pass(t.resolved, t.small[0], 2, 2, 1.25)
		pass(t.small[0], t.small[1], 1.3, 0, 0)
		pass(t.small[1], t.small[0], 0, 1.3, 0)
		pass(t.small[0], t.small[1], 3, 0, 0)
		pass(t.small[1], t.small[0], 0, 3, 0)
	}
	to.Bind()
	gpu.Viewport(0, 0, width, height)
	r.programs.post.Use()
	t.resolved.Color().Bind(0)
	t.small[0].Color().Bind(1)
	r.programs.postShare.Float(share)
	r.programs.postExposure.Float(r.options.Exposure)
	r.programs.postWash.Vec4(float32(tint.R)/255, float32(tint.G)/255, float32(tint.B)/255, float32(tint.A)/255)
	gpu.DrawTriangles(0, 3)
}
