package draw

import (
	"cmp"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// cellSize is how large a piece of the world is drawn or left out as one.
// Measured on maps of 60 to 200 m: smaller ones cost calls, larger ones
// triangles.
const cellSize = 16

// vertex is what the world's shaders read.
type vertex struct {
	pos, normal mgl32.Vec3
	uv          mgl32.Vec2
	light       mgl32.Vec3
	color       [4]uint8
}

// chunk is one run of indices of one material and brush model.
type chunk struct {
	material, model int
	first, count    int
	lo, hi          mgl32.Vec3
}

// geometry is a world's triangles in the order in which they are drawn.
type geometry struct {
	verts   []vertex
	indices []uint32
	chunks  []chunk
}

type triangle struct {
	material, model int32
	cell            [3]int32
	i               [3]uint32
}

// cut sorts a world's triangles by model, material and cell. Indices that point
// nowhere and materials that do not exist cost their triangle, nothing more.
func cut(w *scene.World) geometry {
	var g geometry
	var tris []triangle
	for mi := range w.Meshes {
		m := &w.Meshes[mi]
		if m.Material < 0 || m.Material >= len(w.Materials) || m.Model < 0 {
			continue
		}
		if k := w.Materials[m.Material].Kind; k == scene.Hidden || k == scene.SkyHole {
			continue
		}
		base := uint32(len(g.verts))
		layer := float32(-1)
		if m.Lightmap >= 0 && m.Lightmap < len(w.Lightmaps) {
			layer = float32(m.Lightmap)
		}
		for i := range m.Verts {
			v := &m.Verts[i]
			g.verts = append(g.verts, vertex{v.Pos, v.Normal, v.UV,
				mgl32.Vec3{v.LightUV[0], v.LightUV[1], layer}, v.Color})
		}
		for i := 0; i+2 < len(m.Indices); i += 3 {
			a, b, c := m.Indices[i], m.Indices[i+1], m.Indices[i+2]
			if n := uint32(len(m.Verts)); a >= n || b >= n || c >= n {
				continue
			}
			t := triangle{material: int32(m.Material), model: int32(m.Model), i: [3]uint32{base + a, base + b, base + c}}
			mid := m.Verts[a].Pos.Add(m.Verts[b].Pos).Add(m.Verts[c].Pos).Mul(1.0 / 3 / cellSize)
			for k := range 3 {
				t.cell[k] = int32(min(max(mid[k]+1e4, 0), 2e4)) // whole, also below zero
			}
			tris = append(tris, t)
		}
	}
	slices.SortStableFunc(tris, func(a, b triangle) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.material, b.material),
			slices.Compare(a.cell[:], b.cell[:]))
	})
	g.indices = make([]uint32, 0, 3*len(tris))
	for i, t := range tris {
		if i == 0 || t.model != tris[i-1].model || t.material != tris[i-1].material || t.cell != tris[i-1].cell {
			p := g.verts[t.i[0]].pos
			g.chunks = append(g.chunks, chunk{material: int(t.material), model: int(t.model), first: len(g.indices), lo: p, hi: p})
		}
		c := &g.chunks[len(g.chunks)-1]
		for _, j := range t.i {
			p := g.verts[j].pos
			for k := range 3 {
				c.lo[k] = min(c.lo[k], p[k])
				c.hi[k] = max(c.hi[k], p[k])
			}
			g.indices = append(g.indices, j)
		}
		c.count += 3
	}
	return g
}
