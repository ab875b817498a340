package draw

import (
	"math"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/gpu"
)

// shape is one box with round edges: everything that moves is made of them.
// Its layout is what shape.vert reads.
type shape struct {
	rows  [3]mgl32.Vec4 // of the matrix from the box to the world
	half  mgl32.Vec4    // half size, and the radius of the edges
	color mgl32.Vec4    // linear, and the light that it gives by itself
	look  mgl32.Vec4    // x, y: size at the top; gloss; alpha
}

// paint is how a shape's surface looks.
type paint struct {
	color mgl32.Vec3
	glow  float32
	gloss float32
}

// shapes is a list of them that is filled anew each frame.
type shapes struct{ list []shape }

// box adds a box around the origin of m.
func (s *shapes) box(m *mgl32.Mat4, half mgl32.Vec3, radius float32, p paint) {
	s.tapered(m, half, radius, 1, 1, p)
}

// tapered adds a box whose top is tx and ty times as wide as its bottom.
func (s *shapes) tapered(m *mgl32.Mat4, half mgl32.Vec3, radius, tx, ty float32, p paint) {
	s.list = append(s.list, shape{
		rows: [3]mgl32.Vec4{
			{m[0], m[4], m[8], m[12]},
			{m[1], m[5], m[9], m[13]},
			{m[2], m[6], m[10], m[14]},
		},
		half:  half.Vec4(radius),
		color: p.color.Vec4(p.glow),
		look:  mgl32.Vec4{tx, ty, p.gloss, 1},
	})
}

// at adds a box at a place of m's space.
func (s *shapes) at(m *mgl32.Mat4, place, half mgl32.Vec3, radius float32, p paint) {
	n := m.Mul4(mgl32.Translate3D(place[0], place[1], place[2]))
	s.box(&n, half, radius, p)
}

// limb adds a rounded bar from a to b, of half widths wa at a and wb at b.
// side says which way its wide side x points.
func (s *shapes) limb(a, b, side mgl32.Vec3, wa, wb, flat float32, p paint) {
	z := b.Sub(a)
	l := z.Len()
	if l < 1e-5 {
		return
	}
	z = z.Mul(1 / l)
	y := z.Cross(side)
	if y.Len() < 1e-4 {
		y = z.Cross(mgl32.Vec3{0.31, 0.95, 0.02})
	}
	y = y.Normalize()
	x := y.Cross(z)
	mid := a.Add(b).Mul(0.5)
	m := mgl32.Mat4FromCols(x.Vec4(0), y.Vec4(0), z.Vec4(0), mid.Vec4(1))
	w := max(wa, 1e-3)
	s.tapered(&m, mgl32.Vec3{w, w * flat, l/2 + w*0.6}, w*0.8, wb/w, wb/w, p)
}

const (
	shapeStride  = unsafe.Sizeof(shape{})
	roundSegment = 2 // steps on each half of a round edge
)

// roundBox builds the mesh that all shapes share: for each vertex the signs of
// its corner, and its normal.
func roundBox() (verts []float32, indices []uint32) {
	n := 2*roundSegment + 2 // vertices along a face
	angle := func(i int) (sign, tan float32) {
		if i <= roundSegment {
			return -1, float32(math.Tan(math.Pi / 4 * (float64(i)/roundSegment - 1)))
		}
		return 1, float32(math.Tan(math.Pi / 4 * float64(i-roundSegment-1) / roundSegment))
	}
	for face := range 6 {
		axis, sign := face/2, float32(1-2*(face%2))
		u, v := (axis+1)%3, (axis+2)%3
		base := uint32(len(verts) / 6)
		for j := range n {
			sv, tv := angle(j)
			for i := range n {
				su, tu := angle(i)
				var corner, normal mgl32.Vec3
				corner[axis], corner[u], corner[v] = sign, su, sv
				normal[axis], normal[u], normal[v] = sign, tu, tv
				normal = normal.Normalize()
				verts = append(verts, corner[0], corner[1], corner[2], normal[0], normal[1], normal[2])
			}
		}
		for j := range n - 1 {
			for i := range n - 1 {
				a := base + uint32(j*n+i)
				b, c, d := a+1, a+uint32(n), a+uint32(n)+1
				if sign < 0 {
					b, c = c, b
				}
				indices = append(indices, a, b, d, a, d, c)
			}
		}
	}
	return verts, indices
}

// shapeBatch is the GPU's side of a list of shapes.
type shapeBatch struct {
	mesh, index, instances *gpu.Buffer
	array                  *gpu.VertexArray
	count                  int
}

func newShapeBatch() *shapeBatch {
	b := &shapeBatch{mesh: gpu.NewBuffer(gpu.Vertices), index: gpu.NewBuffer(gpu.Indices),
		instances: gpu.NewBuffer(gpu.Vertices), array: gpu.NewVertexArray()}
	verts, indices := roundBox()
	gpu.Static(b.mesh, verts)
	gpu.Static(b.index, indices)
	b.count = len(indices)
	b.array.Attributes(b.mesh, 24, false, gpu.Attr{Location: 0, Size: 3}, gpu.Attr{Location: 1, Size: 3, Offset: 12})
	b.array.Attributes(b.instances, shapeStride, true,
		gpu.Attr{Location: 2, Size: 4}, gpu.Attr{Location: 3, Size: 4, Offset: 16}, gpu.Attr{Location: 4, Size: 4, Offset: 32},
		gpu.Attr{Location: 5, Size: 4, Offset: unsafe.Offsetof(shape{}.half)},
		gpu.Attr{Location: 6, Size: 4, Offset: unsafe.Offsetof(shape{}.color)},
		gpu.Attr{Location: 7, Size: 4, Offset: unsafe.Offsetof(shape{}.look)})
	b.array.Elements(b.index)
	return b
}

// draw draws a list with the current program.
func (b *shapeBatch) draw(s *shapes) {
	if len(s.list) == 0 {
		return
	}
	gpu.Stream(b.instances, s.list)
	b.array.Bind()
	gpu.DrawElementsInstanced(0, b.count, len(s.list))
}

func (b *shapeBatch) delete() {
	b.array.Delete()
	b.mesh.Delete()
	b.index.Delete()
	b.instances.Delete()
}
