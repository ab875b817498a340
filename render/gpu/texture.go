package gpu

import (
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Texture is an image of the GPU.
type Texture struct {
	id     uint32
	target uint32
	w, h   int
}

// Sampling says how a texture is read.
type Sampling struct {
	Clamp      bool // outside counts as the edge; otherwise it repeats
	Nearest    bool
	Mips       bool
	Anisotropy float32
}

// Format is how a texture without an image stores its pixels.
type Format uint8

// Formats.
const (
	SRGB8   Format = iota // colour, read as linear
	RGBA8                 // numbers
	R8                    // coverage
	RGBA16F               // light
	R11G11B10F
	Depth24
)

func (f Format) gl() (internal int32, format, kind uint32) {
	switch f {
	case SRGB8:
		return gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE
	case R8:
		return gl.R8, gl.RED, gl.UNSIGNED_BYTE
	case RGBA16F:
		return gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT
	case R11G11B10F:
		return gl.R11F_G11F_B10F, gl.RGB, gl.FLOAT
	case Depth24:
		return gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT
	}
	return gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE
}

func newTexture(target uint32, w, h int) *Texture {
	t := &Texture{target: target, w: w, h: h}
	gl.GenTextures(1, &t.id)
	gl.BindTexture(target, t.id)
	return t
}

// NewTexture uploads an image.
func NewTexture(img *image.NRGBA, f Format, s Sampling) *Texture {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	t := newTexture(gl.TEXTURE_2D, w, h)
	internal, format, kind := f.gl()
	pix := tight(img)
	gl.TexImage2D(gl.TEXTURE_2D, 0, internal, int32(w), int32(h), 0, format, kind, ptr(pix))
	t.sampling(s)
	return t
}

// NewBlank makes a texture of the given size without content; pix may be nil or
// hold w*h pixels of one byte for R8, four for RGBA8 and SRGB8.
func NewBlank(w, h int, f Format, pix []byte, s Sampling) *Texture {
	w, h = max(w, 1), max(h, 1)
	t := newTexture(gl.TEXTURE_2D, w, h)
	internal, format, kind := f.gl()
	gl.TexImage2D(gl.TEXTURE_2D, 0, internal, int32(w), int32(h), 0, format, kind, ptr(pix))
	t.sampling(s)
	return t
}

// NewLayers uploads images of one size as the layers of an array.
func NewLayers(w, h int, images []*image.NRGBA, f Format, s Sampling) *Texture {
	t := newTexture(gl.TEXTURE_2D_ARRAY, w, h)
	internal, format, kind := f.gl()
	gl.TexImage3D(gl.TEXTURE_2D_ARRAY, 0, internal, int32(w), int32(h), int32(max(len(images), 1)), 0, format, kind, nil)
	for i, img := range images {
		pix := tight(img)
		gl.TexSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, int32(i), int32(w), int32(h), 1, format, kind, ptr(pix))
	}
	t.sampling(s)
	return t
}

// NewVolume uploads a block of pixels (see NewBlank), x fastest, then y, then z.
func NewVolume(w, h, d int, f Format, pix []byte) *Texture {
	return newVolume(w, h, d, f, pix, Sampling{Clamp: true})
}

// NewRepeatingVolume is NewVolume for a block that repeats without end.
func NewRepeatingVolume(w, h, d int, f Format, pix []byte) *Texture {
	return newVolume(w, h, d, f, pix, Sampling{})
}

func newVolume(w, h, d int, f Format, pix []byte, s Sampling) *Texture {
	t := newTexture(gl.TEXTURE_3D, w, h)
	internal, format, kind := f.gl()
	gl.TexImage3D(gl.TEXTURE_3D, 0, internal, int32(w), int32(h), int32(d), 0, format, kind, ptr(pix))
	t.sampling(s)
	return t
}

// NewShadowMap makes a square depth texture that is read by comparison.
func NewShadowMap(size int) *Texture {
	t := newTexture(gl.TEXTURE_2D, size, size)
	internal, format, kind := Depth24.gl()
	gl.TexImage2D(gl.TEXTURE_2D, 0, internal, int32(size), int32(size), 0, format, kind, nil)
	t.sampling(Sampling{Clamp: true})
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL)
	return t
}

func (t *Texture) sampling(s Sampling) {
	wrap, mag, minify := int32(gl.REPEAT), int32(gl.LINEAR), int32(gl.LINEAR)
	if s.Clamp {
		wrap = gl.CLAMP_TO_EDGE
	}
	if s.Mips {
		minify = gl.LINEAR_MIPMAP_LINEAR
	}
	if s.Nearest {
		mag, minify = gl.NEAREST, gl.NEAREST
	}
	gl.TexParameteri(t.target, gl.TEXTURE_WRAP_S, wrap)
	gl.TexParameteri(t.target, gl.TEXTURE_WRAP_T, wrap)
	if t.target == gl.TEXTURE_3D {
		gl.TexParameteri(t.target, gl.TEXTURE_WRAP_R, wrap)
	}
	gl.TexParameteri(t.target, gl.TEXTURE_MAG_FILTER, mag)
	gl.TexParameteri(t.target, gl.TEXTURE_MIN_FILTER, minify)
	if s.Anisotropy > 1 {
		gl.TexParameterf(t.target, textureMaxAnisotropy, s.Anisotropy)
	}
	if s.Mips {
		gl.GenerateMipmap(t.target)
	}
}

// Update replaces the rows from y0 to y1 of an R8 texture whose whole content is
// pix.
func (t *Texture) Update(pix []byte, y0, y1 int) {
	if y1 <= y0 || len(pix) < y1*t.w {
		return
	}
	gl.BindTexture(t.target, t.id)
	gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, int32(y0), int32(t.w), int32(y1-y0), gl.RED, gl.UNSIGNED_BYTE, ptr(pix[y0*t.w:]))
}

// Size returns the size in pixels.
func (t *Texture) Size() (w, h int) { return t.w, t.h }

// Bind puts the texture on a unit.
func (t *Texture) Bind(unit int) {
	gl.ActiveTexture(gl.TEXTURE0 + uint32(unit))
	gl.BindTexture(t.target, t.id)
}

// Delete frees the texture.
func (t *Texture) Delete() {
	if t != nil && t.id != 0 {
		gl.DeleteTextures(1, &t.id)
		t.id = 0
	}
}

// tight returns an image's pixels without gaps between rows.
func tight(img *image.NRGBA) []byte {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if img.Stride == 4*w {
		return img.Pix
	}
	out := make([]byte, 0, 4*w*h)
	for y := range h {
		out = append(out, img.Pix[y*img.Stride:y*img.Stride+4*w]...)
	}
	return out
}

func ptr(pix []byte) unsafe.Pointer {
	if len(pix) == 0 {
		return nil
	}
	return unsafe.Pointer(&pix[0])
}
