package mapfile

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
)

// Limits on what one file may hold. The largest map known to us is 10.3 MB.
const (
	MaxSize  = 64 << 20
	maxToken = 1 << 16
	maxKeys  = 1024
)

// ErrTooLarge is returned for a file above MaxSize.
var ErrTooLarge = errors.New("the map is larger than 64 MiB")

type parser struct {
	lexer
	opt     level.Options
	b       *level.Builder
	scale   float64
	shaders map[string]level.Shader

	faces []face // reused
	model int
	class string
	where level.Source
}

// Parse reads a map. name is used in messages, and its base name as the map's.
func Parse(name string, data []byte, opt level.Options) (*level.Level, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%s: %w", name, ErrTooLarge)
	}
	if n := len(data); n >= 3 && string(data[:3]) == "\xef\xbb\xbf" {
		data = data[3:]
	}
	p := &parser{opt: opt, shaders: map[string]level.Shader{}}
	p.lexer = lexer{name: name, src: data, line: 1}
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	p.b = level.NewBuilder(strings.TrimSuffix(base, path.Ext(base)))
	p.b.SetUnit(opt.MetresPerUnit())
	p.scale = float64(opt.MetresPerUnit())
	l := p.b.Level()
	l.Source, l.Format = name, "map"
	for n := 0; ; n++ {
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.eof {
			if n == 0 {
				return nil, p.errorf("no entity in this map")
			}
			return p.b.Build(), nil
		}
		if p.quoted || p.tok != "{" {
			if n == 0 && p.tok == "Version" {
				return nil, p.errorf("a Doom 3 map: only Quake's kinds are read")
			}
			if n == 0 && !utf8.Valid(p.src[:min(len(p.src), 64)]) {
				return nil, p.errorf("this is no map text")
			}
			return nil, p.errorf("%s where an entity's \"{\" is due", p.found())
		}
		if n >= level.MaxEntities {
			return nil, p.errorf("more than %d entities", level.MaxEntities)
		}
		if err := p.entity(n); err != nil {
			return nil, err
		}
	}
}

// entity reads one entity whose "{" has been read. Keys may stand after brushes,
// so where its brushes belong is settled by looking ahead for its class.
func (p *parser) entity(n int) error {
	e := level.Entity{Line: p.at}
	p.class = p.classAhead()
	p.model = 0
	p.where = level.Source{Entity: n, Brush: -1}
	brushes := 0
	for {
		if err := p.next(); err != nil {
			return err
		}
		switch {
		case p.eof:
			return p.errorf("the file ends inside entity %d, which starts at line %d", n, e.Line)
		case p.quoted:
			kv := level.KV{Key: p.tok}
			at := p.at
			if err := p.next(); err != nil {
				return err
			}
			if !p.quoted {
				p.at = at
				return p.errorf("key %q has no value", kv.Key)
			}
			if len(e.Keys) >= maxKeys {
				return p.errorf("entity %d has more than %d keys", n, maxKeys)
			}
			kv.Value = p.tok
			e.Keys = append(e.Keys, kv)
		case p.tok == "}":
			return p.endEntity(e, n)
		case p.tok == "{":
			if brushes == 0 && n > 0 && !joinsWorld(p.class) {
				m, err := p.b.Model()
				if err != nil {
					return p.errorf("%v", err)
				}
				p.model = m
			}
			p.where.Brush, p.where.Line = brushes, p.at
			brushes++
			if err := p.brush(); err != nil {
				return err
			}
			e.Model = p.model
		default:
			return p.errorf("%s where a key, a brush or \"}\" is due", p.found())
		}
	}
}

func (p *parser) endEntity(e level.Entity, n int) error {
	e.Class = e.Get("classname")
	src := level.Source{Entity: n, Brush: -1, Line: e.Line}
	if e.Class == "" {
		p.b.Warn(src, "entity without a classname")
	}
	if o := e.Get("origin"); o != "" {
		v, ok := level.Vector(o)
		if !ok {
			p.b.Warn(src, "origin %.40q is not three numbers", o)
		}
		e.Origin = exact.From(v).Scale(p.scale).Vec()
	}
	p.b.AddEntity(e)
	return nil
}

// classAhead finds the class of the entity that starts here, without moving.
func (p *parser) classAhead() string {
	ahead := p.lexer
	depth, key := 0, ""
	for depth >= 0 {
		if ahead.next() != nil || ahead.eof {
			return ""
		}
		switch {
		case ahead.quoted:
			if depth > 0 {
				continue
			}
			if key == "classname" {
				return ahead.tok
			}
			if key == "" {
				key = ahead.tok
				if key == "" {
					key = " "
				}
				continue
			}
			key = ""
		case ahead.tok == "{":
			depth++
		case ahead.tok == "}":
			depth--
		}
	}
	return ""
}

// joinsWorld reports whether a class only groups brushes for the editor or the
// compiler.
func joinsWorld(class string) bool {
	return class == "func_group" || class == "worldspawn" || strings.HasPrefix(class, "func_detail")
}

// shader looks a texture name up once for this map.
func (p *parser) shader(name string) level.Shader {
	s, ok := p.shaders[name]
	if !ok {
		s = p.opt.Shader(name)
		p.shaders[name] = s
	}
	return s
}

// contents is what a thing with this shader is made of in this entity.
func (p *parser) contents(s level.Shader) level.Contents {
	return level.EntityContents(p.class, s.Contents)
}

// skipBraces reads to the "}" that closes depth open ones.
func (p *parser) skipBraces(depth int) error {
	for depth > 0 {
		if err := p.next(); err != nil {
			return err
		}
		switch {
		case p.eof:
			return p.errorf("the file ends inside a brush")
		case p.quoted:
		case p.tok == "{":
			depth++
		case p.tok == "}":
			depth--
		}
	}
	return nil
}
