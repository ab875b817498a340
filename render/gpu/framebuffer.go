package gpu

import (
	"fmt"
	"image"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Framebuffer is something to draw on other than the window.
type Framebuffer struct {
	id      uint32
	w, h    int
	samples int
	color   *Texture // nil when multisampled
	buffers [2]uint32
}

// NewFramebuffer makes a target with colour and, if wanted, depth. With samples
// above 1 its colour cannot be read as a texture: Resolve it to another one.
func NewFramebuffer(w, h int, f Format, depth bool, samples int) (*Framebuffer, error) {
	w, h = max(w, 1), max(h, 1)
	b := &Framebuffer{w: w, h: h, samples: samples}
	gl.GenFramebuffers(1, &b.id)
	gl.BindFramebuffer(gl.FRAMEBUFFER, b.id)
	internal, _, _ := f.gl()
	if samples > 1 {
		gl.GenRenderbuffers(1, &b.buffers[0])
		gl.BindRenderbuffer(gl.RENDERBUFFER, b.buffers[0])
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, int32(samples), uint32(internal), int32(w), int32(h))
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, b.buffers[0])
	} else {
		b.color = NewBlank(w, h, f, nil, Sampling{Clamp: true})
		gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, b.color.id, 0)
	}
	if depth {
		gl.GenRenderbuffers(1, &b.buffers[1])
		gl.BindRenderbuffer(gl.RENDERBUFFER, b.buffers[1])
		if samples > 1 {
			gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, int32(samples), gl.DEPTH_COMPONENT24, int32(w), int32(h))
		} else {
			gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, int32(w), int32(h))
		}
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, b.buffers[1])
	}
	return b, b.check()
}

// NewDepthFramebuffer makes a target that has only the given depth texture.
func NewDepthFramebuffer(t *Texture) (*Framebuffer, error) {
	b := &Framebuffer{w: t.w, h: t.h}
	gl.GenFramebuffers(1, &b.id)
	gl.BindFramebuffer(gl.FRAMEBUFFER, b.id)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, t.id, 0)
	gl.DrawBuffer(gl.NONE)
	gl.ReadBuffer(gl.NONE)
	return b, b.check()
}

func (b *Framebuffer) check() error {
	status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	if status != gl.FRAMEBUFFER_COMPLETE {
		b.Delete()
		return fmt.Errorf("framebuffer of %d x %d with %d samples: status 0x%x", b.w, b.h, b.samples, status)
	}
	return nil
}

// Bind draws on it from now on, over its whole size. Binding nil draws on the
// window, whose viewport the caller sets.
func (b *Framebuffer) Bind() {
	if b == nil {
		gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
		return
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, b.id)
	Viewport(0, 0, b.w, b.h)
}

// Color returns the colour texture; nil when multisampled.
func (b *Framebuffer) Color() *Texture { return b.color }

// Size returns the size in pixels.
func (b *Framebuffer) Size() (w, h int) { return b.w, b.h }

// Resolve averages the samples into another target of the same size.
func (b *Framebuffer) Resolve(to *Framebuffer) {
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, b.id)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, to.id)
	gl.ColorMask(true, true, true, true)
	gl.BlitFramebuffer(0, 0, int32(b.w), int32(b.h), 0, 0, int32(to.w), int32(to.h), gl.COLOR_BUFFER_BIT, gl.NEAREST)
}

// CopyDepth copies the depth, of one sample of each pixel, into another target of the
// same size, and goes on drawing on b.
func (b *Framebuffer) CopyDepth(to *Framebuffer) {
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, b.id)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, to.id)
	gl.BlitFramebuffer(0, 0, int32(b.w), int32(b.h), 0, 0, int32(to.w), int32(to.h), gl.DEPTH_BUFFER_BIT, gl.NEAREST)
	gl.BindFramebuffer(gl.FRAMEBUFFER, b.id)
}

// Delete frees it.
func (b *Framebuffer) Delete() {
	if b == nil || b.id == 0 {
		return
	}
	b.color.Delete()
	gl.DeleteRenderbuffers(2, &b.buffers[0])
	gl.DeleteFramebuffers(1, &b.id)
	b.id = 0
}

// ReadPixels reads what was drawn on a target, nil for the window, as an opaque
// image with its first row at the top.
func ReadPixels(b *Framebuffer, w, h int) *image.NRGBA {
	w, h = max(w, 1), max(h, 1)
	if b == nil {
		gl.BindFramebuffer(gl.READ_FRAMEBUFFER, 0)
		gl.ReadBuffer(gl.BACK)
	} else {
		gl.BindFramebuffer(gl.READ_FRAMEBUFFER, b.id)
		gl.ReadBuffer(gl.COLOR_ATTACHMENT0)
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, ptr(img.Pix))
	row := make([]byte, img.Stride)
	for y := range h / 2 {
		a, c := img.Pix[y*img.Stride:(y+1)*img.Stride], img.Pix[(h-1-y)*img.Stride:(h-y)*img.Stride]
		copy(row, a)
		copy(a, c)
		copy(c, row)
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img
}
