package level

import (
	"github.com/sightline-engine/sightline/game/level/exact"
)

// Control is one control point of a curved surface.
type Control struct {
	Pos          exact.V // map units
	U, V, LU, LV float64
	Color        [4]uint8
}

// Patch is a grid of quadratic Bézier surfaces: W by H control points, both odd
// and at least 3, row by row (H rows of W).
type Patch struct {
	W, H   int
	Points []Control
}

const (
	// MaxPatch bounds each side of a patch's grid; editors write up to 31.
	MaxPatch = 255

	curveSegments = 8    // into which a curved span is cut
	flatSpan      = 0.01 // map units off its chord below which a span is not cut
)

// Tessellate cuts a patch into triangles, the same for the picture and for
// collision: what is drawn stops you. Positions are in metres for
// metresPerUnit. The front is where the first axis × the second points.
//
// A span is cut into 8 where any of its rows is curved, else not at all. The
// rule has two cases on purpose: of two patches that share an edge both cut it
// alike when it is curved, and when it is straight the cuts lie on it, so no gap
// opens between neighbours (TestPatchNeighboursShareTheirEdge).
func Tessellate(p Patch, metresPerUnit float64) (verts []Vertex, idx []uint32) {
	if p.W < 3 || p.H < 3 || p.W%2 == 0 || p.H%2 == 0 || p.W > MaxPatch || p.H > MaxPatch || len(p.Points) != p.W*p.H {
		return nil, nil
	}
	at := func(i, j int) *Control { return &p.Points[j*p.W+i] }
	us := spans(p.W, p.H, func(i, j int) exact.V { return at(i, j).Pos })
	vs := spans(p.H, p.W, func(j, i int) exact.V { return at(i, j).Pos })
	verts = make([]Vertex, 0, len(us)*len(vs))
	var pos []exact.V
	for _, v := range vs {
		bv, dv := bernstein(v.t)
		for _, u := range us {
			bu, du := bernstein(u.t)
			var x, xu, xv exact.V
			var uv [4]float64
			var col [4]float64
			for j := range 3 {
				for i := range 3 {
					c := at(u.k+i, v.k+j)
					w := float64(bu[i] * bv[j])
					x = x.Mad(w, c.Pos)
					xu = xu.Mad(float64(du[i]*bv[j]), c.Pos)
					xv = xv.Mad(float64(bu[i]*dv[j]), c.Pos)
					for k, f := range [4]float64{c.U, c.V, c.LU, c.LV} {
						uv[k] += float64(w * f)
					}
					for k := range col {
						col[k] += float64(w * float64(c.Color[k]))
					}
				}
			}
			n, _ := xu.Cross(xv).Norm()
			var rgba [4]uint8
			for k := range col {
				rgba[k] = uint8(min(max(col[k]+0.5, 0), 255))
			}
			pos = append(pos, x)
			verts = append(verts, Vertex{
				Pos: x.Scale(metresPerUnit).Vec(), Normal: n.Vec(), Color: rgba,
				U: float32(uv[0]), V: float32(uv[1]), LU: float32(uv[2]), LV: float32(uv[3]),
			})
		}
	}
	w := len(us)
	for j := range len(vs) - 1 {
		for i := range w - 1 {
			a := uint32(j*w + i)
			b, c, d := a+1, a+uint32(w)+1, a+uint32(w)
			idx = appendTri(idx, pos, a, b, c)
			idx = appendTri(idx, pos, a, c, d)
		}
	}
	mendNormals(verts, idx, pos)
	return verts, idx
}

// appendTri leaves out triangles without area, as at a cone's tip.
func appendTri(idx []uint32, pos []exact.V, a, b, c uint32) []uint32 {
	n := pos[b].Sub(pos[a]).Cross(pos[c].Sub(pos[a]))
	if n.Len() < 1e-6 {
		return idx
	}
	return append(idx, a, b, c)
}

// mendNormals gives vertices where the surface has no tangent plane the normal
// of a triangle that uses them.
func mendNormals(verts []Vertex, idx []uint32, pos []exact.V) {
	for t := 0; t+2 < len(idx); t += 3 {
		for _, i := range idx[t : t+3] {
			if verts[i].Normal.LenSq() == 0 {
				n, _ := pos[idx[t+1]].Sub(pos[idx[t]]).Cross(pos[idx[t+2]].Sub(pos[idx[t]])).Norm()
				verts[i].Normal = n.Vec()
			}
		}
	}
}

// span is a place along one axis of a patch: the first control point of its
// 3-point curve, and the parameter in it.
type span struct {
	k int
	t float64
}

// spans lists where a patch is cut along an axis of n control points, looking at
// all the rows across.
func spans(n, rows int, at func(i, row int) exact.V) []span {
	out := []span{{0, 0}}
	for k := 0; k+2 < n; k += 2 {
		cuts := 1
		for r := range rows {
			a, b, c := at(k, r), at(k+1, r), at(k+2, r)
			if off := a.Sub(b).Add(c.Sub(b)).Len() / 4; off > flatSpan {
				cuts = curveSegments
				break
			}
		}
		for s := 1; s <= cuts; s++ {
			out = append(out, span{k, float64(s) / float64(cuts)})
		}
	}
	return out
}

// bernstein returns the weights of the three control points at t, and of the
// derivative.
func bernstein(t float64) (b, d [3]float64) {
	s := 1 - t
	b = [3]float64{float64(s * s), float64(2 * float64(s*t)), float64(t * t)}
	d = [3]float64{-2 * s, 2*s - float64(2*t), 2 * t}
	return b, d
}

// Blocks is every content that a surface without volume can have.
const Blocks = Solid | Glass | PlayerClip | WeaponClip

// AddPatch adds a curved surface: drawn unless its shader is not, colliding
// where it is drawn when its content stops anything. It reports false, and adds
// nothing, when the surface has no area or the level is full.
func (b *Builder) AddPatch(model int, p Patch, texture uint16, sh Shader, lightmap int, texels bool, src Source) bool {
	if b.tris > MaxTris {
		return false
	}
	verts, idx := Tessellate(p, b.unit)
	if b.tris += len(idx) / 3; len(idx) == 0 || b.tris > MaxTris {
		return false
	}
	if c := sh.Contents & Blocks; c != 0 {
		for t := 0; t < len(idx); t += 3 {
			b.AddTri(model, Tri{
				A: verts[idx[t]].Pos, B: verts[idx[t+1]].Pos, C: verts[idx[t+2]].Pos,
				Contents: c, Surf: sh.Surf, Texture: texture, Source: src,
			})
		}
	}
	if sh.Surf&SurfNoDraw == 0 {
		b.AddSurface(Surface{
			Texture: texture, Surf: sh.Surf, Contents: sh.Contents, Model: model, Lightmap: lightmap,
			Verts: verts, Indices: idx, UVTexels: texels,
		})
	}
	return true
}
