package mapfile

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
)

// placement is how a face's texture lies on it.
type placement uint8

const (
	classic   placement = iota // offset, rotation, scale on the nearest world plane
	valve                      // two axes with offsets, scale
	primitive                  // a matrix in the face's own base
)

// face is one face as written.
type face struct {
	line    int
	pts     [3]exact.V
	texture string
	kind    placement
	u, v    [4]float64 // valve: axis and offset; primitive: the matrix's rows
	shift   [2]float64
	rotate  float64
	scale   [2]float64
}

// brush reads what stands between a brush's braces, the first of which has been
// read: faces, brushDef, or a patch.
func (p *parser) brush() error {
	p.faces = p.faces[:0]
	for {
		if err := p.next(); err != nil {
			return err
		}
		switch {
		case p.eof:
			return p.errorf("the file ends inside brush %d of entity %d, which starts at line %d", p.where.Brush, p.where.Entity, p.where.Line)
		case p.quoted:
			return p.errorf("%s inside a brush", p.found())
		case p.tok == "}":
			p.addBrush()
			return nil
		case p.tok == "(":
			if err := p.face(classic); err != nil {
				return err
			}
		case p.tok == "brushDef":
			if err := p.brushDef(); err != nil {
				return err
			}
			p.addBrush()
			return nil
		case p.tok == "patchDef2", p.tok == "patchDef3":
			return p.patch(p.tok == "patchDef3")
		case p.tok == "brushDef2", p.tok == "brushDef3", p.tok == "patchDef5", p.tok == "terrainDef", p.tok == "mesh", p.tok == "curve":
			p.b.Warn(p.here(), "%s is not read; left out", p.tok)
			return p.skipBraces(1)
		default:
			return p.errorf("%s where a face or \"}\" is due", p.found())
		}
	}
}

// brushDef reads brush primitives and both closing braces.
func (p *parser) brushDef() error {
	if err := p.expect("{"); err != nil {
		return err
	}
	for {
		if err := p.next(); err != nil {
			return err
		}
		switch {
		case p.eof:
			return p.errorf("the file ends inside a brushDef")
		case p.quoted: // a key of the brush itself
			if err := p.next(); err != nil {
				return err
			}
		case p.tok == "}":
			return p.expect("}")
		case p.tok == "(":
			if err := p.face(primitive); err != nil {
				return err
			}
		default:
			return p.errorf("%s where a face or \"}\" is due", p.found())
		}
	}
}

// face reads a face whose first "(" has been read.
func (p *parser) face(kind placement) error {
	f := face{line: p.at, kind: kind, scale: [2]float64{1, 1}}
	for i := range f.pts {
		if i > 0 {
			if err := p.expect("("); err != nil {
				return err
			}
		}
		if err := p.fill(f.pts[i][:]); err != nil {
			return err
		}
		if err := p.expect(")"); err != nil {
			return err
		}
	}
	if kind == primitive {
		if err := p.expect("("); err != nil {
			return err
		}
		if err := p.numbers("(", ")", f.u[:3]); err != nil {
			return err
		}
		if err := p.numbers("(", ")", f.v[:3]); err != nil {
			return err
		}
		if err := p.expect(")"); err != nil {
			return err
		}
	}
	if err := p.word(); err != nil {
		return err
	}
	if p.eof {
		return p.errorf("the file ends inside a face")
	}
	f.texture = p.tok
	if kind == classic {
		if err := p.placement(&f); err != nil {
			return err
		}
	}
	if err := p.trailing(); err != nil {
		return err
	}
	if len(p.faces) <= exact.MaxFaces {
		p.faces = append(p.faces, f)
	}
	return nil
}

// placement reads a classic or Valve face's texture numbers.
func (p *parser) placement(f *face) error {
	save := p.lexer
	if err := p.next(); err != nil {
		return err
	}
	if p.tok == "[" && !p.quoted {
		f.kind = valve
		if err := p.fill(f.u[:]); err != nil {
			return err
		}
		if err := p.expect("]"); err != nil {
			return err
		}
		if err := p.numbers("[", "]", f.v[:]); err != nil {
			return err
		}
	} else {
		p.lexer = save
		if err := p.fill(f.shift[:]); err != nil {
			return err
		}
	}
	rest := [3]float64{}
	if err := p.fill(rest[:]); err != nil {
		return err
	}
	f.rotate, f.scale = rest[0], [2]float64{rest[1], rest[2]}
	return nil
}

// trailing skips the numbers that dialects add at a face's end.
func (p *parser) trailing() error {
	for range 32 {
		save := p.lexer
		if err := p.next(); err != nil {
			return err
		}
		if _, ok := parseNumber(p.tok); p.eof || p.quoted || !ok {
			p.lexer = save
			return nil
		}
	}
	return p.errorf("too many numbers after a face")
}

// addBrush makes a solid and its drawn faces of the faces read. A fault costs a
// warning and this brush.
func (p *parser) addBrush() {
	if len(p.faces) == 0 {
		return // editors leave empty brushes behind; nothing is lost
	}
	faces := make([]level.Face, 0, len(p.faces))
	index := make([]int, 0, len(p.faces))
	for i := range p.faces {
		f := &p.faces[i]
		src := p.here()
		src.Line = f.line
		for _, q := range f.pts {
			if !q.IsFinite() {
				p.b.Warn(src, "a point of face %d is not a number; brush left out", i)
				return
			}
			if max(math.Abs(q[0]), math.Abs(q[1]), math.Abs(q[2])) > 8*exact.MaxCoord {
				p.b.Warn(src, "a point of face %d is out of range; brush left out", i)
				return
			}
		}
		plane, ok := exact.Through(f.pts[0], f.pts[1], f.pts[2])
		if !ok {
			p.b.Warn(src, "the three points of face %d lie on one line; brush left out", i)
			return
		}
		sh := p.shader(f.texture)
		faces = append(faces, level.Face{Plane: plane, Texture: p.b.Texture(f.texture), Surf: sh.Surf})
		index = append(index, i)
	}
	contents := p.contents(p.shader(p.faces[0].texture))
	windings, err := p.b.AddSolid(p.model, faces, contents, p.here())
	if err != nil {
		p.b.Warn(p.here(), "%v; brush left out", err)
		return
	}
	if contents == level.Trigger {
		return
	}
	for k, w := range windings {
		f := &p.faces[index[k]]
		if w == nil || faces[k].Surf&level.SurfNoDraw != 0 {
			continue
		}
		p.b.AddSurface(p.surface(f, faces[k], w, contents))
	}
}

func (p *parser) here() level.Source { return p.where }
