package level

import "github.com/sightline-engine/sightline/game/level/exact"

// FaceSurface makes the drawn mesh of one face from its polygon in map units,
// with no texture coordinates but its place along the plane's nearest axis, in
// texels.
func FaceSurface(f Face, w exact.Winding, model int, contents Contents) Surface {
	s := Surface{Texture: f.Texture, Surf: f.Surf, Contents: contents, Model: model, Lightmap: -1, UVTexels: true}
	if len(w) < 3 {
		return s
	}
	n := f.N.Vec()
	u, v := FlatAxes(f.N)
	s.Verts = make([]Vertex, len(w))
	for i, p := range w {
		s.Verts[i] = Vertex{
			Pos: p.Scale(1.0 / UnitsPerMetre).Vec(), Normal: n,
			U: float32(p.Dot(u)), V: float32(p.Dot(v)),
			Color: [4]uint8{255, 255, 255, 255},
		}
	}
	s.Indices = Fan(len(w))
	return s
}

// Fan returns the triangles of a convex polygon of n corners.
func Fan(n int) []uint32 {
	idx := make([]uint32, 0, 3*(n-2))
	for i := 2; i < n; i++ {
		idx = append(idx, 0, uint32(i-1), uint32(i))
	}
	return idx
}

// FlatAxes returns the texture axes that Quake gives a face by the world axis
// that its normal is nearest to: floor and ceiling, then x, then y.
func FlatAxes(n exact.V) (u, v exact.V) {
	best, axis := 0.0, 0
	for i, a := range flatNormals {
		if d := n.Dot(a); d > best+1e-4 {
			best, axis = d, i
		}
	}
	switch axis / 2 {
	case 0:
		return exact.V{1, 0, 0}, exact.V{0, -1, 0}
	case 1:
		return exact.V{0, 1, 0}, exact.V{0, 0, -1}
	}
	return exact.V{1, 0, 0}, exact.V{0, 0, -1}
}

var flatNormals = [6]exact.V{{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}
