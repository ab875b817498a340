package bsp

import (
	"fmt"
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
)

// Kinds of surface in a file.
const (
	surfPolygon = 1
	surfPatch   = 2
	surfMesh    = 3
	surfFlare   = 4 // a light's glow: no geometry
)

// readSurfaces adds what is drawn, and curved surfaces to what collides. A
// surface belongs to the first model that lists it.
func (p *parser) readSurfaces() error {
	surfs, models := p.lump[lumpSurfaces], p.lump[lumpModels]
	taken := make([]bool, surfs.len())
	for m := range models.len() {
		r := models.at(m)
		first, n := r.int(24), r.int(28)
		if err := surfs.rangeOf(first, n, lumpModels, m); err != nil {
			return err
		}
		for i := first; i < first+n; i++ {
			if taken[i] {
				continue
			}
			taken[i] = true
			if err := p.addSurface(m, i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *parser) addSurface(m, i int) error {
	r := p.lump[lumpSurfaces].at(i)
	shader, kind := r.int(0), r.int(8)
	firstVert, verts, firstIndex, indices := r.int(12), r.int(16), r.int(20), r.int(24)
	lightmap := r.int(28)
	if kind == surfFlare {
		return nil
	}
	if kind < surfPolygon || kind > surfFlare {
		p.b.Warn(p.source(m, i), "surface %d is of unknown kind %d; left out", i, kind)
		return nil
	}
	if err := p.lump[lumpShaders].index(shader, lumpSurfaces, i); err != nil {
		return err
	}
	if err := p.lump[lumpVerts].rangeOf(firstVert, verts, lumpSurfaces, i); err != nil {
		return err
	}
	if lightmap < 0 || lightmap >= p.lump[lumpLightmaps].len() {
		lightmap = -1 // -1 to -3 mean kinds of none; large ones, external images
	}
	if kind == surfPatch {
		return p.addPatch(m, i, r, firstVert, verts, p.shaders[shader], lightmap)
	}
	if err := p.lump[lumpIndexes].rangeOf(firstIndex, indices, lumpSurfaces, i); err != nil {
		return err
	}
	sh := p.shaders[shader]
	if sh.Surf&level.SurfNoDraw != 0 {
		return nil
	}
	s := level.Surface{
		Texture: sh.texture, Surf: sh.Surf, Contents: sh.Contents, Model: m, Lightmap: lightmap,
		Verts: make([]level.Vertex, verts),
	}
	for k := range s.Verts {
		v, ok := p.vertex(m, firstVert+k)
		if !ok {
			p.b.Warn(p.source(m, i), "vertex %d of surface %d is not finite; surface left out", k, i)
			return nil
		}
		s.Verts[k] = v
	}
	s.Indices = make([]uint32, 0, indices-indices%3)
	for k := firstIndex; k+2 < firstIndex+indices; k += 3 {
		var t [3]int
		for c := range t {
			t[c] = p.lump[lumpIndexes].at(k + c).int(0)
			if t[c] < 0 || t[c] >= verts {
				return fmt.Errorf("lump %q [%d]: vertex %d of a surface's %d", lumps[lumpIndexes].name, k+c, t[c], verts)
			}
		}
		// The file's triangles are clockwise seen from the front.
		s.Indices = append(s.Indices, uint32(t[0]), uint32(t[2]), uint32(t[1]))
	}
	p.b.AddSurface(s)
	return nil
}

func (p *parser) source(m, i int) level.Source {
	return level.Source{Entity: p.models[m].entity, Brush: -1, Line: -1}
}

func (p *parser) addPatch(m, i int, r record, first, n int, sh shaderOf, lightmap int) error {
	w, h := r.int(96), r.int(100)
	if w < 0 || h < 0 || w > level.MaxPatch || h > level.MaxPatch || w*h != n {
		return fmt.Errorf("lump %q [%d]: a patch of %d by %d with %d points", lumps[lumpSurfaces].name, i, w, h, n)
	}
	pt := level.Patch{W: w, H: h, Points: make([]level.Control, n)}
	for k := range pt.Points {
		v := p.lump[lumpVerts].at(first + k)
		c := level.Control{
			Pos: v.v(0).Add(p.models[m].origin),
			U:   v.float(12), V: v.float(16), LU: v.float(20), LV: v.float(24),
			Color: [4]uint8{v[40], v[41], v[42], v[43]},
		}
		if !c.Pos.IsFinite() || max(math.Abs(c.Pos[0]), math.Abs(c.Pos[1]), math.Abs(c.Pos[2])) > exact.MaxCoord {
			p.b.Warn(p.source(m, i), "point %d of patch %d is out of range; patch left out", k, i)
			return nil
		}
		for _, f := range [...]*float64{&c.U, &c.V, &c.LU, &c.LV} {
			if !(math.Abs(*f) < 1e9) {
				*f = 0
			}
		}
		pt.Points[k] = c
	}
	s := sh.Shader
	s.Contents = level.EntityContents(p.models[m].class, s.Contents)
	if !p.b.AddPatch(m, pt, sh.texture, s, lightmap, false, level.Source{Entity: p.models[m].entity, Brush: -1, Line: -1}) {
		p.b.Warn(p.source(m, i), "patch %d has no area; left out", i)
	}
	return nil
}

// vertex reads a drawn vertex; false when it is not finite.
func (p *parser) vertex(m, i int) (level.Vertex, bool) {
	r := p.lump[lumpVerts].at(i)
	pos := r.v(0).Add(p.models[m].origin)
	v := level.Vertex{
		Pos: pos.Scale(p.scale).Vec(), Normal: r.v(28).Vec(),
		U: float32(r.float(12)), V: float32(r.float(16)), LU: float32(r.float(20)), LV: float32(r.float(24)),
		Color: [4]uint8{r[40], r[41], r[42], r[43]},
	}
	ok := pos.IsFinite() && v.Pos.IsFinite() && v.Normal.IsFinite()
	for _, f := range [...]*float32{&v.U, &v.V, &v.LU, &v.LV} {
		if !(math.Abs(float64(*f)) < 1e9) {
			*f = 0
		}
	}
	return v, ok
}

// readLightmaps copies the lightmap images.
func (p *parser) readLightmaps() error {
	t := p.lump[lumpLightmaps]
	for i := range t.len() {
		p.b.Level().Lightmaps = append(p.b.Level().Lightmaps, level.Lightmap{
			W: lightmapSize, H: lightmapSize, Pix: append([]byte(nil), t.at(i)...),
		})
	}
	return nil
}
