package trace

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

const (
	// Skin is how far from a face a swept box is stopped: 1/32 map unit. Float32
	// leaves 0.00003 m at 256 m from the origin, so a body at rest never rounds
	// into a plane.
	Skin = float32(1.0 / (32 * level.UnitsPerMetre))
	// Limit is the largest coordinate that is traced.
	Limit = float32(32768)

	raySkin = Skin / 8
	pad     = 1.0 / 128 // of primitive boxes: more than Skin and the rounding of planes
)

// brush is a solid as traced: planes first..first+nRay for rays, and nBox of them
// for boxes (the edge bevels follow the sides).
type brush struct {
	contents          level.Contents
	first, nRay, nBox int32
	axial             bool  // the first six are those of its bounds: -x +x -y +y -z +z
	corner, nCorner   int32 // of World.corners; none for what never turns
}

type face struct {
	surf    level.Surf
	texture uint16
}

// World is a level made ready for queries. It never changes.
type World struct {
	l       *level.Level
	brushes []brush
	planes  []level.Plane
	faces   []face // one per plane
	tris    []level.Tri
	models  []tree // of what moves as one; at least the world's
	movers  movers
	ground  *ground    // nil when there is no terrain
	corners []vec.V3   // of the solids that turn
	still   level.Pose // of a model that has no Pose of its own
}

// New prepares l, which must not change afterwards.
func New(l *level.Level) *World {
	w := &World{l: l, tris: l.Tris, brushes: make([]brush, len(l.Solids))}
	for i := range l.Solids {
		w.addBrush(i)
	}
	if len(l.Models) == 0 {
		w.addModel(level.Model{NumSolids: len(l.Solids), NumTris: len(l.Tris)})
	}
	for _, m := range l.Models {
		w.addModel(m)
	}
	w.movers = newMovers(w.models, l)
	w.findCorners()
	if l.Terrain != nil {
		w.ground = newGround(l.Terrain)
	}
	return w
}

// Level returns what the World was made of.
func (w *World) Level() *level.Level { return w.l }

func (w *World) addBrush(i int) {
	src := &w.l.Solids[i]
	b := brush{contents: src.Contents, first: int32(len(w.planes))}
	for j := range src.Sides {
		s := &src.Sides[j]
		f := face{s.Surf, s.Texture}
		if k := w.find(b.first, s.Plane); k >= 0 {
			w.faces[k] = f // the drawn side names the bevel's surface
			continue
		}
		w.planes = append(w.planes, s.Plane)
		w.faces = append(w.faces, f)
	}
	b.nRay = int32(len(w.planes)) - b.first
	b.axial = b.nRay >= 6
	for k := 0; b.axial && k < 6; k++ {
		b.axial = w.planes[int(b.first)+k].N == vec.V3{}.With(k/2, float32(2*(k%2)-1))
	}
	for _, p := range edgeBevels(src.Sides, src.Bounds) {
		w.planes = append(w.planes, p)
		w.faces = append(w.faces, w.likest(b, p.N))
	}
	b.nBox = int32(len(w.planes)) - b.first
	w.brushes[i] = b
}

// find returns the plane since first that is the same as p, or -1.
func (w *World) find(first int32, p level.Plane) int {
	for k := int(first); k < len(w.planes); k++ {
		q := w.planes[k]
		if q.N == p.N && vec.Abs(q.D-p.D) < 1e-5 {
			return k
		}
	}
	return -1
}

// likest returns the face whose normal is nearest to n: what a bevel is made of.
func (w *World) likest(b brush, n vec.V3) face {
	best, at := float32(-2), b.first
	for k := b.first; k < b.first+b.nRay; k++ {
		if d := w.planes[k].N.Dot(n); d > best {
			best, at = d, k
		}
	}
	return w.faces[at]
}

func (w *World) addModel(m level.Model) {
	prims := make([]prim, 0, m.NumSolids+m.NumTris)
	for i := m.FirstSolid; i < m.FirstSolid+m.NumSolids && i < len(w.brushes); i++ {
		src := &w.l.Solids[i]
		if len(src.Sides) < 4 || !usable(src.Bounds) {
			continue
		}
		b := src.Bounds.Pad(pad)
		prims = append(prims, prim{lo: b.Min, hi: b.Max, contents: src.Contents, ref: int32(i)})
	}
	for i := m.FirstTri; i < m.FirstTri+m.NumTris && i < len(w.tris); i++ {
		t := &w.tris[i]
		b := triBox(t)
		if !usable(b) || !(t.N.LenSq() > 0.9 && t.N.LenSq() < 1.1) {
			continue // no area: it has no side to stop anything with
		}
		prims = append(prims, prim{lo: b.Min, hi: b.Max, contents: t.Contents, ref: ^int32(i)})
	}
	w.models = append(w.models, buildTree(prims))
}

// triBox is a triangle's padded box.
func triBox(t *level.Tri) vec.Box {
	return vec.Box{Min: t.A.Min(t.B).Min(t.C), Max: t.A.Max(t.B).Max(t.C)}.Pad(pad)
}

func usable(b vec.Box) bool {
	return !b.IsEmpty() && inLimit(b.Min) && inLimit(b.Max)
}

func inLimit(p vec.V3) bool {
	return p.X >= -Limit && p.X <= Limit && p.Y >= -Limit && p.Y <= Limit && p.Z >= -Limit && p.Z <= Limit
}
