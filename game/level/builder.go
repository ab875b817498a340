package level

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level/exact"
	"github.com/sightline-engine/sightline/game/vec"
)

// Limits of one level, so that a hostile file costs bounded memory and work.
// The largest map known to us has 18,813 solids and 182,913 sides.
const (
	MaxSolids   = 1 << 18
	MaxTris     = 1 << 21
	MaxModels   = 1 << 12
	MaxTextures = 1<<16 - 1
	MaxEntities = 1 << 16
	MaxSurfaces = 1 << 20

	// maxClips bounds the polygon clips spent on finding solids' corners.
	maxClips = 1 << 24
)

// Face is one plane of a solid being added.
type Face struct {
	exact.Plane
	Texture uint16
	Surf    Surf
}

// Builder puts a Level together: the readers' common back end, and the way to
// make a level by code. Use it from one goroutine, call Build once.
//
// Lengths are in the builder's unit: metres, unless a reader set another.
type Builder struct {
	level  Level
	unit   float64 // metres for one unit of the input
	models []modelParts
	index  map[string]uint16
	buf    [2]exact.Winding

	solids, tris, clips int // spent of the limits
}

type modelParts struct {
	solids []Brush
	tris   []Tri
}

// NewBuilder returns a builder of an empty level, in metres. Model 0 exists.
func NewBuilder(name string) *Builder {
	b := &Builder{unit: 1, index: map[string]uint16{}, models: make([]modelParts, 1)}
	b.level.Name = name
	b.level.Format = "code"
	return b
}

// SetUnit says how many metres one unit of the input is.
func (b *Builder) SetUnit(metres float32) { b.unit = float64(metres) }

// Level gives access to the level being built, for what has no method here.
func (b *Builder) Level() *Level { return &b.level }

// Warn records a fault that was mended or left out.
func (b *Builder) Warn(src Source, format string, args ...any) {
	const most = 1000 // enough to mend a map by; bounded for hostile ones
	if len(b.level.Warnings) == most {
		b.level.Warnings = append(b.level.Warnings, Warning{File: b.level.Source, Line: -1, Entity: -1, Brush: -1, Text: "more warnings not listed"})
	}
	if len(b.level.Warnings) > most {
		return
	}
	b.level.Warnings = append(b.level.Warnings, Warning{
		File: b.level.Source, Line: src.Line, Entity: src.Entity, Brush: src.Brush, Text: fmt.Sprintf(format, args...),
	})
}

// Texture returns the index of a texture name, adding it when it is new.
func (b *Builder) Texture(name string) uint16 {
	if i, ok := b.index[name]; ok {
		return i
	}
	if len(b.level.Textures) >= MaxTextures {
		return 0
	}
	i := uint16(len(b.level.Textures))
	b.level.Textures = append(b.level.Textures, name)
	b.index[name] = i
	return i
}

// Model starts a new model and returns its index.
func (b *Builder) Model() (int, error) {
	if len(b.models) >= MaxModels {
		return 0, fmt.Errorf("more than %d models", MaxModels)
	}
	b.models = append(b.models, modelParts{})
	return len(b.models) - 1, nil
}

// AddSolid adds the convex solid behind all the faces. It returns the polygon of
// each face, in map units (1/32 m) and nil where a plane touches nothing. Faces
// that only touch an edge are dropped: the six planes of the bounds, which come
// first, are the only bevels that a Brush has.
func (b *Builder) AddSolid(model int, faces []Face, contents Contents, src Source) ([]exact.Winding, error) {
	if b.solids >= MaxSolids {
		return nil, fmt.Errorf("more than %d solids", MaxSolids)
	}
	if b.clips += len(faces) * len(faces); b.clips > maxClips {
		return nil, fmt.Errorf("the map has too many faces")
	}
	toUnits := float64(b.unit * UnitsPerMetre)
	planes := make([]exact.Plane, len(faces))
	for i, f := range faces {
		planes[i] = f.Plane.Scale(toUnits)
	}
	hull, err := exact.Solve(planes, &b.buf)
	if err != nil {
		return nil, err
	}
	const toMetres = 1.0 / UnitsPerMetre
	br := Brush{Contents: contents, Source: src, Sides: make([]Side, 6, 6+len(faces))}
	br.Bounds = vec.Box{Min: hull.Min.Scale(toMetres).Vec(), Max: hull.Max.Scale(toMetres).Vec()}
	first := faces[0]
	for i := range 3 {
		n := vec.V3{}.With(i, 1)
		br.Sides[2*i] = Side{Plane: Plane{n.Neg(), 0 - br.Bounds.Min.At(i)}, Texture: first.Texture, Surf: first.Surf}
		br.Sides[2*i+1] = Side{Plane: Plane{n, br.Bounds.Max.At(i)}, Texture: first.Texture, Surf: first.Surf}
	}
	for i, f := range faces {
		if hull.Faces[i] == nil {
			continue
		}
		if a := f.Plane.Axis(); a >= 0 {
			k := 2*(a%3) + 1 - a/3
			br.Sides[k].Texture, br.Sides[k].Surf = f.Texture, f.Surf
			continue
		}
		p := planes[i].Scale(toMetres)
		br.Sides = append(br.Sides, Side{Plane: Plane{p.N.Vec(), float32(p.D) + 0}, Texture: f.Texture, Surf: f.Surf})
	}
	b.solids++
	m := &b.models[model]
	m.solids = append(m.solids, br)
	return hull.Faces, nil
}

// AddBox adds a box in the builder's unit.
func (b *Builder) AddBox(model int, box vec.Box, contents Contents, texture string) error {
	t := b.Texture(texture)
	faces := make([]Face, 0, 6)
	for i := range 3 {
		var n exact.V
		n[i] = 1
		faces = append(faces,
			Face{Plane: exact.Plane{N: exact.V{}.Sub(n), D: -float64(box.Min.At(i))}, Texture: t},
			Face{Plane: exact.Plane{N: n, D: float64(box.Max.At(i))}, Texture: t})
	}
	src := Source{Entity: model, Brush: len(b.models[model].solids), Line: -1}
	w, err := b.AddSolid(model, faces, contents, src)
	if err != nil {
		return err
	}
	for i, f := range faces {
		b.AddSurface(FaceSurface(f, w[i], model, contents))
	}
	return nil
}

// AddTri adds one colliding triangle, in metres; one without area is dropped.
func (b *Builder) AddTri(model int, t Tri) {
	n, l := t.B.Sub(t.A).Cross(t.C.Sub(t.A)).Norm()
	if !(l > 1e-7) || !n.IsFinite() {
		return
	}
	t.N = n
	if len(b.models[model].tris) < MaxTris {
		b.models[model].tris = append(b.models[model].tris, t)
	}
}

// AddSurface adds a drawn mesh; one without triangles is dropped.
func (b *Builder) AddSurface(s Surface) {
	if len(s.Indices) > 0 && len(b.level.Surfaces) < MaxSurfaces {
		b.level.Surfaces = append(b.level.Surfaces, s)
	}
}

// AddEntity records an entity.
func (b *Builder) AddEntity(e Entity) { b.level.Entities = append(b.level.Entities, e) }

// AddSpawn adds a place to enter, at the feet, in metres.
func (b *Builder) AddSpawn(pos vec.V3, yaw float32, team int) {
	b.level.Spawns = append(b.level.Spawns, Spawn{Pos: pos, Yaw: yaw, Team: team, Class: "info_player_deathmatch"})
}

// SetTerrain sets the height field, in metres.
func (b *Builder) SetTerrain(t *Terrain, texture string) {
	t.Texture = b.Texture(texture)
	b.level.Terrain = t
}

// Build finishes the level: it gives entities their meaning, joins the models'
// parts, and computes bounds, the height of no return, and the hash.
func (b *Builder) Build() *Level {
	b.interpret()
	l := &b.level
	bounds := vec.EmptyBox()
	for _, m := range b.models {
		md := Model{FirstSolid: len(l.Solids), NumSolids: len(m.solids), FirstTri: len(l.Tris), NumTris: len(m.tris), Bounds: vec.EmptyBox()}
		l.Solids = append(l.Solids, m.solids...)
		l.Tris = append(l.Tris, m.tris...)
		for i := range m.solids {
			md.Bounds = md.Bounds.Union(m.solids[i].Bounds)
		}
		for i := range m.tris {
			md.Bounds = md.Bounds.Grow(m.tris[i].A).Grow(m.tris[i].B).Grow(m.tris[i].C)
		}
		bounds = bounds.Union(md.Bounds)
		if md.Bounds.IsEmpty() {
			md.Bounds = vec.Box{}
		}
		l.Models = append(l.Models, md)
	}
	if t := l.Terrain; t != nil {
		for i, h := range t.Heights {
			x, y := float32(i%t.W), float32(i/t.W)
			bounds = bounds.Grow(t.Origin.Add(vec.V3{X: float32(x * t.Cell), Y: float32(y * t.Cell), Z: h}))
		}
	}
	if bounds.IsEmpty() {
		bounds = vec.Box{}
	}
	if len(l.Textures) == 0 {
		l.Textures = []string{"none"}
	}
	l.Bounds = bounds
	l.KillZ = bounds.Min.Z - killDepth
	l.Hash = hash(l)
	return l
}

// killDepth is how far below everything solid a player may fall, in metres.
const killDepth = 16
