package gpu_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/render/display"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/window"
)

var runner = display.NewRunner()

func TestMain(m *testing.M) { os.Exit(runner.Main(m)) }

func with(t *testing.T, f func(d *gpu.Device)) {
	t.Helper()
	runner.Do(t, func() {
		w, err := window.Open(window.Config{Hidden: true, Width: 64, Height: 64})
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		d, err := gpu.New()
		if err != nil {
			t.Error(err)
			return
		}
		f(d)
		if err := d.Err("test"); err != nil {
			t.Error(err)
		}
	})
}

func TestCompileErrorNamesFileAndLine(t *testing.T) {
	for log, want := range map[string]string{
		"0:7(12): error: `x' undeclared":     "b.frag:7:",
		"0:100003(1): error: syntax error":   "a.glsl:3:",
		"0(9) : error C1008: undefined":      "b.frag:9:",
		"ERROR: 0:12: Use of undeclared":     "b.frag:12:",
		"internal error of some other shape": "b.frag: internal",
	} {
		if err := gpu.CompileError("a.glsl", "b.frag", log); !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", log, err)
		}
	}
	with(t, func(*gpu.Device) {
		_, err := gpu.NewProgram("broken", gpu.Source{File: "c.glsl", Text: "\n"},
			gpu.Source{File: "v.vert", Text: "void main() { gl_Position = vec4(0.0); }"},
			gpu.Source{File: "f.frag", Text: "out vec4 o;\nvoid main() {\n  o = nothing;\n}"})
		if err == nil || !strings.Contains(err.Error(), "f.frag:3:") {
			t.Errorf("error: %v", err)
		}
	})
}

func TestPixelsComeBackUpright(t *testing.T) {
	with(t, func(d *gpu.Device) {
		for _, samples := range []int{0, 4} {
			fb, err := gpu.NewFramebuffer(16, 8, gpu.RGBA8, true, samples)
			if err != nil {
				t.Error(err)
				return
			}
			defer fb.Delete()
			p, err := gpu.NewProgram("half", gpu.Source{},
				gpu.Source{File: "v", Text: "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - vec2(1.0, 1.0), 0.0, 1.0); }"},
				gpu.Source{File: "f", Text: "out vec4 o; void main() { o = vec4(gl_FragCoord.y > 4.0 ? 1.0 : 0.0, 0.0, 1.0, 1.0); }"})
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Delete()
			va := gpu.NewVertexArray()
			defer va.Delete()
			fb.Bind()
			gpu.Clear(0, 1, 0, 1)
			gpu.State{Cull: gpu.CullNone}.Apply()
			p.Use()
			va.Bind()
			gpu.DrawTriangles(0, 3)
			from := fb
			if samples > 1 {
				if from, err = gpu.NewFramebuffer(16, 8, gpu.RGBA8, false, 0); err != nil {
					t.Error(err)
					return
				}
				defer from.Delete()
				fb.Resolve(from)
			}
			img := gpu.ReadPixels(from, 16, 8)
			if c := img.NRGBAAt(1, 1); c.R != 255 || c.B != 255 || c.A != 255 {
				t.Errorf("samples %d: the top is %v", samples, c)
			}
			if c := img.NRGBAAt(1, 6); c.R != 0 || c.B != 255 {
				t.Errorf("samples %d: the bottom is %v", samples, c)
			}
		}
	})
}

func TestErrorsAreReportedOnce(t *testing.T) {
	with(t, func(d *gpu.Device) {
		gpu.DrawTriangles(0, -3)
		if err := d.Err("draw"); err == nil || !strings.Contains(err.Error(), "draw: OpenGL: invalid value") {
			t.Errorf("error: %v", err)
		}
		if err := d.Err("again"); err != nil {
			t.Error(err)
		}
		if i := d.Info(); i.Renderer == "" || i.MaxTexture < 1024 {
			t.Errorf("%+v", i)
		}
	})
}
