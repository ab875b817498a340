package bsp

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
)

// parser carries one file through the steps of Parse.
type parser struct {
	*file
	opt     level.Options
	b       *level.Builder
	scale   float64
	shaders []shaderOf
	planes  []exact.Plane
	models  []modelOf
}

// modelOf is what the entities say of a model.
type modelOf struct {
	entity int
	class  string
	origin exact.V
}

// Parse reads a compiled map. name is used in messages, and its base name as the
// map's.
func Parse(name string, data []byte, opt level.Options) (*level.Level, error) {
	f, err := open(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	p := &parser{file: f, opt: opt, b: level.NewBuilder(strings.TrimSuffix(base, path.Ext(base)))}
	p.scale = float64(opt.MetresPerUnit())
	p.b.SetUnit(opt.MetresPerUnit())
	l := p.b.Level()
	l.Source, l.Format = name, "bsp"
	for _, step := range [...]func() error{
		p.readShaders, p.readPlanes, p.readEntities, p.readModels, p.readSurfaces, p.readLightmaps, p.readVis,
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return p.b.Build(), nil
}

func (p *parser) readShaders() error {
	t := p.lump[lumpShaders]
	if t.len() > level.MaxTextures {
		return fmt.Errorf("lump %q has %d entries", lumps[lumpShaders].name, t.len())
	}
	p.shaders = make([]shaderOf, t.len())
	for i := range p.shaders {
		r := t.at(i)
		s := shaderOf{texture: p.b.Texture(r.string(0, 64))}
		s.Contents, s.Surf = level.FromQuake3(r.uint(68), r.uint(64))
		p.shaders[i] = s
	}
	return nil
}

func (p *parser) readPlanes() error {
	t := p.lump[lumpPlanes]
	p.planes = make([]exact.Plane, t.len())
	for i := range p.planes {
		r := t.at(i)
		p.planes[i] = exact.Plane{N: r.v(0), D: r.float(12)}
	}
	return nil
}

// readEntities reads the entity text and notes which model belongs to which.
func (p *parser) readEntities() error {
	ents, err := parseEntities(p.lump[lumpEntities].data)
	if err != nil {
		return fmt.Errorf("lump %q: %w", lumps[lumpEntities].name, err)
	}
	p.models = make([]modelOf, min(p.lump[lumpModels].len(), level.MaxModels))
	for i := range ents {
		e := &ents[i]
		var at exact.V
		if o := e.Get("origin"); o != "" {
			v, ok := level.Vector(o)
			if !ok {
				p.b.Warn(level.Source{Entity: i, Brush: -1, Line: e.Line}, "origin %.40q is not three numbers", o)
			}
			at = exact.From(v)
		}
		e.Origin = at.Scale(p.scale).Vec()
		if m := e.Get("model"); strings.HasPrefix(m, "*") {
			n, err := strconv.Atoi(m[1:])
			if err != nil || n <= 0 || n >= len(p.models) {
				p.b.Warn(level.Source{Entity: i, Brush: -1, Line: e.Line}, "no model %.20q in this map", m)
			} else {
				e.Model = n
				p.models[n] = modelOf{entity: i, class: e.Class, origin: at}
			}
		}
		p.b.AddEntity(*e)
	}
	return nil
}

// readModels adds every model's solids.
func (p *parser) readModels() error {
	models, brushes := p.lump[lumpModels], p.lump[lumpBrushes]
	if models.len() == 0 {
		return fmt.Errorf("lump %q is empty", lumps[lumpModels].name)
	}
	if models.len() > level.MaxModels {
		return fmt.Errorf("lump %q has %d entries, more than %d", lumps[lumpModels].name, models.len(), level.MaxModels)
	}
	taken := make([]bool, brushes.len())
	for m := range models.len() {
		if m > 0 {
			if _, err := p.b.Model(); err != nil {
				return err
			}
		}
		r := models.at(m)
		first, n := r.int(32), r.int(36)
		if err := brushes.rangeOf(first, n, lumpModels, m); err != nil {
			return err
		}
		for i := first; i < first+n; i++ {
			if taken[i] {
				return fmt.Errorf("lump %q [%d]: brush %d belongs to another model too", lumps[lumpModels].name, m, i)
			}
			taken[i] = true
			if err := p.addBrush(m, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// addBrush adds one solid. The compiler's bevels among its sides touch only
// edges, and are dropped.
func (p *parser) addBrush(m, i int) error {
	sides := p.lump[lumpBrushSides]
	r := p.lump[lumpBrushes].at(i)
	first, n, sh := r.int(0), r.int(4), r.int(8)
	if err := sides.rangeOf(first, n, lumpBrushes, i); err != nil {
		return err
	}
	if err := p.lump[lumpShaders].index(sh, lumpBrushes, i); err != nil {
		return err
	}
	faces := make([]level.Face, 0, min(n, exact.MaxFaces+1))
	for k := first; k < first+n; k++ {
		s := sides.at(k)
		plane, shader := s.int(0), s.int(4)
		if err := p.lump[lumpPlanes].index(plane, lumpBrushSides, k); err != nil {
			return err
		}
		if shader < 0 {
			shader = sh // a bevel has no shader of its own
		}
		if err := p.lump[lumpShaders].index(shader, lumpBrushSides, k); err != nil {
			return err
		}
		if len(faces) <= exact.MaxFaces {
			pl := p.planes[plane]
			pl.D += pl.N.Dot(p.models[m].origin)
			faces = append(faces, level.Face{Plane: pl, Texture: p.shaders[shader].texture, Surf: p.shaders[shader].Surf})
		}
	}
	src := level.Source{Entity: p.models[m].entity, Brush: i, Line: -1}
	contents := level.EntityContents(p.models[m].class, p.shaders[sh].Contents)
	if _, err := p.b.AddSolid(m, faces, contents, src); err != nil {
		p.b.Warn(src, "%v; brush left out", err)
	}
	return nil
}
