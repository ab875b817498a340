package gpu

import "github.com/go-gl/gl/v4.1-core/gl"

// Blend says how a fragment joins what is there.
type Blend uint8

// Ways of blending. Colours are straight, not premultiplied, except for Over.
const (
	Opaque Blend = iota
	Alpha        // colour * alpha + there * (1 - alpha)
	Add          // colour * alpha + there
	Over         // premultiplied: colour + there * (1 - alpha)
)

// Cull says which triangles are left out.
type Cull uint8

// Ways of culling.
const (
	CullBack Cull = iota
	CullFront
	CullNone
)

// State is everything fixed that a draw depends on.
type State struct {
	Blend      Blend
	Cull       Cull
	DepthTest  bool
	DepthWrite bool
	DepthEqual bool // equal depth passes too
	NoColor    bool // only depth is written
	Offset     float32
}

// Apply sets all of it. Drivers filter what does not change.
func (s State) Apply() {
	switch s.Blend {
	case Opaque:
		gl.Disable(gl.BLEND)
	case Alpha:
		gl.Enable(gl.BLEND)
		gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	case Add:
		gl.Enable(gl.BLEND)
		gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE, gl.ZERO, gl.ONE)
	case Over:
		gl.Enable(gl.BLEND)
		gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	}
	switch s.Cull {
	case CullBack:
		gl.Enable(gl.CULL_FACE)
		gl.CullFace(gl.BACK)
	case CullFront:
		gl.Enable(gl.CULL_FACE)
		gl.CullFace(gl.FRONT)
	case CullNone:
		gl.Disable(gl.CULL_FACE)
	}
	if s.DepthTest {
		gl.Enable(gl.DEPTH_TEST)
	} else {
		gl.Disable(gl.DEPTH_TEST)
	}
	if s.DepthEqual {
		gl.DepthFunc(gl.LEQUAL)
	} else {
		gl.DepthFunc(gl.LESS)
	}
	gl.DepthMask(s.DepthWrite)
	gl.ColorMask(!s.NoColor, !s.NoColor, !s.NoColor, !s.NoColor)
	if s.Offset != 0 {
		gl.Enable(gl.POLYGON_OFFSET_FILL)
		gl.PolygonOffset(s.Offset, s.Offset)
	} else {
		gl.Disable(gl.POLYGON_OFFSET_FILL)
	}
}

// Viewport sets the drawn part of the target.
func Viewport(x, y, width, height int) {
	gl.Viewport(int32(x), int32(y), int32(max(width, 0)), int32(max(height, 0)))
}

// DepthRange maps depth to a part of what the buffer holds.
func DepthRange(near, far float64) { gl.DepthRange(near, far) }

// Clear clears the bound target's colour and depth.
func Clear(r, g, b, a float32) {
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.ClearColor(r, g, b, a)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
}

// ClearDepth clears only depth.
func ClearDepth() {
	gl.DepthMask(true)
	gl.Clear(gl.DEPTH_BUFFER_BIT)
}
