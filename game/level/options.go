package level

// Options says how a reader turns a file into a Level. The zero value is usable.
type Options struct {
	// Scale is metres for one map unit; 0 means 1/32.
	Scale float32
	// Shaders looks a texture name up in the shader scripts at hand; nil, or
	// false, leaves the reader to the names' conventions (see Named).
	Shaders func(name string) (Shader, bool)
}

// MetresPerUnit returns Scale or its default.
func (o Options) MetresPerUnit() float32 {
	if o.Scale > 0 && o.Scale < 1e6 {
		return o.Scale
	}
	return 1.0 / UnitsPerMetre
}

// Shader is what is known of a texture name: from a shader script, or from
// conventions.
type Shader struct {
	Contents  Contents
	Surf      Surf
	Image     string // what to draw; "" means the name itself
	TwoSided  bool   // drawn from both sides
	AlphaTest bool   // holes are cut by the image's alpha
	Additive  bool   // drawn blended by adding
}
