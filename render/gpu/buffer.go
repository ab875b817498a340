package gpu

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// BufferKind is what a buffer holds.
type BufferKind uint32

// Kinds of buffer.
const (
	Vertices BufferKind = gl.ARRAY_BUFFER
	Indices  BufferKind = gl.ELEMENT_ARRAY_BUFFER
	Uniforms BufferKind = gl.UNIFORM_BUFFER
)

// Buffer is memory of the GPU.
type Buffer struct {
	id   uint32
	kind BufferKind
	size int
}

// NewBuffer makes an empty buffer.
func NewBuffer(kind BufferKind) *Buffer {
	b := &Buffer{kind: kind}
	gl.GenBuffers(1, &b.id)
	return b
}

// Static fills a buffer with data that will not change.
func Static[T any](b *Buffer, data []T) {
	n := len(data) * int(unsafe.Sizeof(*new(T)))
	gl.BindVertexArray(0) // or an index buffer would join the bound array
	gl.BindBuffer(uint32(b.kind), b.id)
	b.size = n
	gl.BufferData(uint32(b.kind), n, pointer(data), gl.STATIC_DRAW)
}

// Stream replaces a buffer's content for this frame. The old memory is handed
// back to the driver, so drawing that still reads it is not waited for.
func Stream[T any](b *Buffer, data []T) {
	n := len(data) * int(unsafe.Sizeof(*new(T)))
	gl.BindVertexArray(0)
	gl.BindBuffer(uint32(b.kind), b.id)
	if n == 0 {
		return
	}
	if n > b.size {
		b.size = n + n/2
	}
	gl.BufferData(uint32(b.kind), b.size, nil, gl.STREAM_DRAW)
	gl.BufferSubData(uint32(b.kind), 0, n, pointer(data))
}

func pointer[T any](data []T) unsafe.Pointer {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Pointer(&data[0])
}

// BindBase puts a uniform buffer at a binding point.
func (b *Buffer) BindBase(point uint32) { gl.BindBufferBase(uint32(b.kind), point, b.id) }

// Delete frees the buffer.
func (b *Buffer) Delete() {
	if b != nil && b.id != 0 {
		gl.DeleteBuffers(1, &b.id)
		b.id = 0
	}
}

// Attr is one vertex attribute: Size floats (or, with Bytes, normalised bytes)
// at Offset.
type Attr struct {
	Location uint32
	Size     int
	Offset   uintptr
	Bytes    bool
}

// VertexArray ties buffers to attributes.
type VertexArray struct{ id uint32 }

// NewVertexArray makes an empty one, which is enough for shaders that compute
// their corners.
func NewVertexArray() *VertexArray {
	v := &VertexArray{}
	gl.GenVertexArrays(1, &v.id)
	return v
}

// Attributes reads attrs from a buffer, one element every stride bytes, once per
// vertex or once per instance.
func (v *VertexArray) Attributes(b *Buffer, stride uintptr, perInstance bool, attrs ...Attr) {
	gl.BindVertexArray(v.id)
	gl.BindBuffer(gl.ARRAY_BUFFER, b.id)
	for _, a := range attrs {
		gl.EnableVertexAttribArray(a.Location)
		if a.Bytes {
			gl.VertexAttribPointerWithOffset(a.Location, int32(a.Size), gl.UNSIGNED_BYTE, true, int32(stride), a.Offset)
		} else {
			gl.VertexAttribPointerWithOffset(a.Location, int32(a.Size), gl.FLOAT, false, int32(stride), a.Offset)
		}
		if perInstance {
			gl.VertexAttribDivisor(a.Location, 1)
		}
	}
	gl.BindVertexArray(0)
}

// Elements reads indices from a buffer.
func (v *VertexArray) Elements(b *Buffer) {
	gl.BindVertexArray(v.id)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, b.id)
	gl.BindVertexArray(0)
}

// Bind makes it current for the Draw functions.
func (v *VertexArray) Bind() { gl.BindVertexArray(v.id) }

// Delete frees it.
func (v *VertexArray) Delete() {
	if v != nil && v.id != 0 {
		gl.DeleteVertexArrays(1, &v.id)
		v.id = 0
	}
}

// DrawElements draws triangles by index.
func DrawElements(first, count int) {
	gl.DrawElementsWithOffset(gl.TRIANGLES, int32(count), gl.UNSIGNED_INT, uintptr(first)*4)
}

// DrawElementsInstanced draws the same triangles for a number of instances.
func DrawElementsInstanced(first, count, instances int) {
	gl.DrawElementsInstanced(gl.TRIANGLES, int32(count), gl.UNSIGNED_INT, gl.PtrOffset(first*4), int32(instances))
}

// DrawTriangles draws vertices in threes.
func DrawTriangles(first, count int) { gl.DrawArrays(gl.TRIANGLES, int32(first), int32(count)) }

// DrawStripInstanced draws one strip of count vertices for each instance.
func DrawStripInstanced(count, instances int) {
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, int32(count), int32(instances))
}
