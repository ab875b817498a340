package gpu

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Info describes the renderer.
type Info struct {
	Vendor, Renderer, Version string
	Software                  bool // runs on the processor: llvmpipe and the like
	MaxSamples                int
	MaxTexture                int
	MaxLayers                 int
	MaxAnisotropy             float32 // 0: not supported
}

// Device is the current context.
type Device struct{ info Info }

// anisotropy's numbers are of an extension that every desktop driver has but
// 4.1 core does not name.
const (
	textureMaxAnisotropy = 0x84FE
	maxTextureAnisotropy = 0x84FF
)

// New loads OpenGL's functions for the current context and asks what it is.
func New() (*Device, error) {
	if err := gl.Init(); err != nil {
		return nil, fmt.Errorf("load OpenGL 4.1: %w", err)
	}
	d := &Device{}
	d.info.Vendor = gl.GoStr(gl.GetString(gl.VENDOR))
	d.info.Renderer = gl.GoStr(gl.GetString(gl.RENDERER))
	d.info.Version = gl.GoStr(gl.GetString(gl.VERSION))
	low := strings.ToLower(d.info.Renderer)
	for _, s := range []string{"llvmpipe", "softpipe", "swiftshader", "software"} {
		d.info.Software = d.info.Software || strings.Contains(low, s)
	}
	d.info.MaxSamples = getInt(gl.MAX_SAMPLES)
	d.info.MaxTexture = getInt(gl.MAX_TEXTURE_SIZE)
	d.info.MaxLayers = getInt(gl.MAX_ARRAY_TEXTURE_LAYERS)
	n := getInt(gl.NUM_EXTENSIONS)
	for i := range n {
		name := gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i)))
		if name == "GL_EXT_texture_filter_anisotropic" || name == "GL_ARB_texture_filter_anisotropic" {
			gl.GetFloatv(maxTextureAnisotropy, &d.info.MaxAnisotropy)
		}
	}
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	return d, d.Err("start")
}

// Info returns the renderer's description.
func (d *Device) Info() Info { return d.info }

// Err returns the first error that OpenGL has noted since the last call, named
// after what was being done, and forgets all of them. It waits for the driver
// on some systems: once a frame is fine, once a draw call is not.
func (d *Device) Err(doing string) error {
	first := uint32(gl.NO_ERROR)
	for range 16 { // a lost context reports for ever
		e := gl.GetError()
		if e == gl.NO_ERROR {
			break
		}
		if first == gl.NO_ERROR {
			first = e
		}
	}
	switch first {
	case gl.NO_ERROR:
		return nil
	case gl.INVALID_ENUM:
		return fmt.Errorf("%s: OpenGL: invalid enum", doing)
	case gl.INVALID_VALUE:
		return fmt.Errorf("%s: OpenGL: invalid value", doing)
	case gl.INVALID_OPERATION:
		return fmt.Errorf("%s: OpenGL: invalid operation", doing)
	case gl.INVALID_FRAMEBUFFER_OPERATION:
		return fmt.Errorf("%s: OpenGL: invalid framebuffer operation", doing)
	case gl.OUT_OF_MEMORY:
		return fmt.Errorf("%s: OpenGL: out of memory", doing)
	}
	return fmt.Errorf("%s: OpenGL: error 0x%x", doing, first)
}

// Finish waits until everything has been drawn.
func (d *Device) Finish() { gl.Finish() }

func getInt(name uint32) int {
	var v int32
	gl.GetIntegerv(name, &v)
	return int(v)
}
