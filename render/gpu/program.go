package gpu

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// Source is one shader's text and the file that it came from. Parts are joined;
// the first carries the #version line.
type Source struct {
	File string
	Text string
}

// Program is a linked pair of shaders. Uniforms are looked up once, at Uniform.
type Program struct {
	id   uint32
	name string
}

// NewProgram compiles and links a vertex and a fragment shader. common is put
// in front of both, after the version line. A compile error names file and line.
func NewProgram(name string, common, vertex, fragment Source) (*Program, error) {
	v, err := compile(gl.VERTEX_SHADER, common, vertex)
	if err != nil {
		return nil, err
	}
	defer gl.DeleteShader(v)
	f, err := compile(gl.FRAGMENT_SHADER, common, fragment)
	if err != nil {
		return nil, err
	}
	defer gl.DeleteShader(f)
	id := gl.CreateProgram()
	gl.AttachShader(id, v)
	gl.AttachShader(id, f)
	gl.LinkProgram(id)
	var ok int32
	gl.GetProgramiv(id, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		var n int32
		gl.GetProgramiv(id, gl.INFO_LOG_LENGTH, &n)
		log := strings.Repeat("\x00", int(n)+1)
		gl.GetProgramInfoLog(id, n, nil, gl.Str(log))
		gl.DeleteProgram(id)
		return nil, fmt.Errorf("link program %s: %s", name, strings.Trim(log, "\x00\n "))
	}
	return &Program{id: id, name: name}, nil
}

const (
	version    = "#version 410 core\n"
	commonLine = 100001
)

func compile(kind uint32, common, s Source) (uint32, error) {
	// Lines of the common part are numbered from commonLine, so that an error's
	// line tells its file. (#line has a number for the file, but Mesa 22 reports
	// 0 for every one.)
	text := version + fmt.Sprintf("#line %d\n", commonLine) + common.Text + "\n#line 1\n" + s.Text + "\x00"
	id := gl.CreateShader(kind)
	c, free := gl.Strs(text)
	defer free()
	gl.ShaderSource(id, 1, c, nil)
	gl.CompileShader(id)
	var ok int32
	gl.GetShaderiv(id, gl.COMPILE_STATUS, &ok)
	if ok != gl.FALSE {
		return id, nil
	}
	var n int32
	gl.GetShaderiv(id, gl.INFO_LOG_LENGTH, &n)
	log := strings.Repeat("\x00", int(n)+1)
	gl.GetShaderInfoLog(id, n, nil, gl.Str(log))
	gl.DeleteShader(id)
	return 0, CompileError(common.File, s.File, strings.Trim(log, "\x00\n "))
}

// place finds "file:line" or "file(line)" at the start of a driver's message,
// which is what all of them write after at most a word of their own.
var place = regexp.MustCompile(`(?:^|\s)\d+[:(](\d+)`)

// CompileError puts a driver's message into words with a file and a line.
func CompileError(common, file, log string) error {
	first, _, _ := strings.Cut(log, "\n")
	m := place.FindStringSubmatch(first)
	if m == nil {
		return fmt.Errorf("compile shader %s: %s", file, first)
	}
	line, _ := strconv.Atoi(m[1])
	if line >= commonLine {
		file, line = common, line-commonLine+1
	}
	return fmt.Errorf("compile shader %s:%d: %s", file, line, first)
}

// Use makes the program current.
func (p *Program) Use() { gl.UseProgram(p.id) }

// Delete frees the program.
func (p *Program) Delete() {
	if p != nil && p.id != 0 {
		gl.DeleteProgram(p.id)
		p.id = 0
	}
}

// Uniform is the place of one uniform; one that the program does not have is
// harmless to set.
type Uniform int32

// Uniform looks a uniform up. The name must end a Go string literal or be
// joined before steady state, since the lookup copies it.
func (p *Program) Uniform(name string) Uniform {
	return Uniform(gl.GetUniformLocation(p.id, gl.Str(name+"\x00")))
}

// Block ties a uniform block of the program to a binding point.
func (p *Program) Block(name string, point uint32) {
	i := gl.GetUniformBlockIndex(p.id, gl.Str(name+"\x00"))
	if i != gl.INVALID_INDEX {
		gl.UniformBlockBinding(p.id, i, point)
	}
}

// Int sets an integer or a texture unit.
func (u Uniform) Int(v int) { gl.Uniform1i(int32(u), int32(v)) }

// Float sets a float.
func (u Uniform) Float(v float32) { gl.Uniform1f(int32(u), v) }

// Vec2 sets two floats.
func (u Uniform) Vec2(x, y float32) { gl.Uniform2f(int32(u), x, y) }

// Vec3 sets a vector.
func (u Uniform) Vec3(v mgl32.Vec3) { gl.Uniform3f(int32(u), v[0], v[1], v[2]) }

// Vec4 sets four floats.
func (u Uniform) Vec4(x, y, z, w float32) { gl.Uniform4f(int32(u), x, y, z, w) }

// Mat4 sets a matrix, which may not lie inside an object that holds pointers.
func (u Uniform) Mat4(m *mgl32.Mat4) { gl.UniformMatrix4fv(int32(u), 1, false, &m[0]) }
