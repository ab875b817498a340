// Package shader reads the shader scripts that come with Quake III maps, as far
// as a level needs them: what a texture name is made of (surfaceparm) and which
// image to draw. Everything else in a script (deforms, sounds, compiler and
// editor keys) is skipped.
//
// Load finds the scripts in a file system; a Set answers level.Options.Shaders.
// A Set is filled by one goroutine and may then be read by any.
package shader

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
)

// Limits on scripts, against hostile packs.
const (
	MaxScript  = 4 << 20
	maxScripts = 1024
	maxShaders = 1 << 16
)

// Set is what is known of texture names.
type Set struct {
	m map[string]level.Shader
}

// Load reads every scripts/*.shader of a file system, in the order of their
// names; a later script overrides an earlier one. A script that cannot be read
// whole is used as far as it makes sense, and named in the warnings.
func Load(fsys fs.FS) (*Set, []string) {
	s := &Set{}
	var warnings []string
	names, err := fs.Glob(fsys, "scripts/*.shader")
	if err != nil {
		return s, []string{err.Error()}
	}
	for i, name := range names {
		if i == maxScripts {
			warnings = append(warnings, fmt.Sprintf("more than %d shader scripts; the rest is not read", maxScripts))
			break
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			err = s.Parse(name, data)
		}
		if err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	return s, warnings
}

// Len returns how many names are known.
func (s *Set) Len() int { return len(s.m) }

// Lookup returns what is known of a texture name, with or without "textures/".
func (s *Set) Lookup(name string) (level.Shader, bool) {
	if s == nil {
		return level.Shader{}, false
	}
	sh, ok := s.m[level.Fold(name)]
	return sh, ok
}

// Parse adds one script. Of two shaders with one name in it the first counts.
func (s *Set) Parse(name string, data []byte) error {
	if len(data) > MaxScript {
		return fmt.Errorf("%s: larger than %d bytes", name, MaxScript)
	}
	p := parser{src: string(data), line: 1}
	if s.m == nil {
		s.m = map[string]level.Shader{}
	}
	seen := map[string]bool{}
	for {
		tok, ok := p.next()
		if !ok {
			return nil
		}
		if tok == "{" || tok == "}" {
			return fmt.Errorf("%s:%d: %q where a shader's name is due", name, p.line, tok)
		}
		if open, ok := p.next(); !ok || open != "{" {
			return fmt.Errorf("%s:%d: shader %.80q has no body", name, p.line, tok)
		}
		sh, ok := p.body()
		if !ok {
			return fmt.Errorf("%s: the file ends inside shader %.80q", name, tok)
		}
		key := level.Fold(tok)
		if !seen[key] && len(s.m) < maxShaders {
			seen[key] = true
			s.m[key] = sh
		}
	}
}

// parser splits a script into words. Line ends matter: they end a directive.
type parser struct {
	src  string
	pos  int
	line int
}

// next returns the next word, over line ends.
func (p *parser) next() (string, bool) {
	for {
		if tok, ok := p.word(); ok {
			return tok, true
		}
		if p.pos >= len(p.src) {
			return "", false
		}
		p.pos++ // the line end
		p.line++
	}
}

// word returns the next word on this line.
func (p *parser) word() (string, bool) {
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '\n':
			return "", false
		case c <= ' ':
			p.pos++
		case strings.HasPrefix(p.src[p.pos:], "//"):
			p.restOfLine()
		case strings.HasPrefix(p.src[p.pos:], "/*"):
			end := strings.Index(p.src[p.pos+2:], "*/")
			if end < 0 {
				p.pos = len(p.src)
				return "", false
			}
			p.line += strings.Count(p.src[p.pos:p.pos+2+end], "\n")
			p.pos += end + 4
		case c == '{' || c == '}':
			p.pos++
			return p.src[p.pos-1 : p.pos], true
		default:
			start := p.pos
			for p.pos < len(p.src) && p.src[p.pos] > ' ' && p.src[p.pos] != '{' && p.src[p.pos] != '}' {
				if strings.HasPrefix(p.src[p.pos:], "//") {
					break
				}
				p.pos++
			}
			return strings.Trim(p.src[start:p.pos], `"`), true
		}
	}
	return "", false
}

func (p *parser) restOfLine() {
	for p.pos < len(p.src) && p.src[p.pos] != '\n' {
		p.pos++
	}
}

// body reads a shader whose "{" has been read. ok is false when it is not
// closed.
func (p *parser) body() (sh level.Shader, ok bool) {
	contents, surf := uint32(level.Q3Solid), uint32(0)
	editor, blended, stages := "", false, 0
	depth := 1
	for depth > 0 {
		tok, ok := p.next()
		if !ok {
			return sh, false
		}
		switch key := strings.ToLower(tok); {
		case key == "{":
			if depth++; depth == 2 {
				stages++
			}
			continue
		case key == "}":
			depth--
			continue
		case depth > 2:
		case depth == 1 && key == "surfaceparm":
			v := p.arg()
			add, clear, s := surfaceParm(strings.ToLower(v))
			contents = contents&^clear | add
			surf |= s
		case depth == 1 && key == "cull":
			v := p.arg()
			switch strings.ToLower(v) {
			case "none", "disable", "twosided":
				sh.TwoSided = true
			}
		case depth == 1 && key == "qer_editorimage":
			editor = p.arg()
		case depth == 2 && (key == "map" || key == "clampmap"):
			p.image(&sh)
		case depth == 2 && key == "animmap":
			p.arg()
			p.image(&sh)
		case depth == 2 && key == "alphafunc":
			sh.AlphaTest = sh.AlphaTest || stages == 1
		case depth == 2 && key == "blendfunc" && stages == 1:
			v, w := p.arg(), p.arg()
			switch v, w = strings.ToLower(v), strings.ToLower(w); {
			case v == "add", v == "gl_one" && w == "gl_one":
				sh.Additive, blended = true, true
			case v == "blend", v == "filter", v == "gl_src_alpha", v == "gl_dst_color":
				blended = true
			}
		}
		p.rest()
	}
	sh.Contents, sh.Surf = level.FromQuake3(contents, surf)
	if blended {
		sh.Surf |= level.SurfTranslucent
	}
	if sh.Image == "" {
		sh.Image = editor
	}
	return sh, true
}

// rest skips a directive's remaining words, but never a brace: some scripts
// close a stage on the same line.
func (p *parser) rest() {
	for p.arg() != "" {
	}
}

// arg returns the directive's next word, "" when there is none.
func (p *parser) arg() string {
	save := p.pos
	tok, ok := p.word()
	if ok && (tok == "{" || tok == "}") {
		p.pos = save
		return ""
	}
	return tok
}

// image takes the first image that is not one of the renderer's own.
func (p *parser) image(sh *level.Shader) {
	v := p.arg()
	if sh.Image == "" && v != "" && v[0] != '$' && v[0] != '*' {
		sh.Image = strings.TrimSuffix(strings.ReplaceAll(v, `\`, "/"), path.Ext(v))
	}
}

// surfaceParm returns the content flags that a word sets and clears, and its
// surface flags.
func surfaceParm(word string) (add, clear, surf uint32) {
	const solid = level.Q3Solid
	switch word {
	case "nonsolid":
		return 0, solid, level.Q3SurfNonSolid
	case "trans":
		return level.Q3Translucent, 0, 0
	case "water":
		return level.Q3Water, solid, 0
	case "slime":
		return level.Q3Slime, solid, 0
	case "lava":
		return level.Q3Lava, solid, 0
	case "fog":
		return level.Q3Fog, solid, 0
	case "playerclip":
		return level.Q3PlayerClip, solid, 0
	case "monsterclip":
		return level.Q3MonsterClip, solid, 0
	case "botclip":
		return level.Q3BotClip, solid, 0
	case "clusterportal":
		return level.Q3ClusterPortal, solid, 0
	case "donotenter":
		return level.Q3DoNotEnter, solid, 0
	case "areaportal":
		return level.Q3AreaPortal, solid, 0
	case "nodrop":
		return level.Q3NoDrop, solid, 0
	case "trigger":
		return level.Q3Trigger, solid, 0
	case "origin":
		return level.Q3Origin, solid, 0
	case "detail":
		return level.Q3Detail, 0, 0
	case "structural":
		return level.Q3Structural, 0, 0
	case "nodamage":
		return 0, 0, level.Q3SurfNoDamage
	case "slick":
		return 0, 0, level.Q3SurfSlick
	case "sky":
		return 0, 0, level.Q3SurfSky
	case "ladder":
		return 0, 0, level.Q3SurfLadder
	case "noimpact":
		return 0, 0, level.Q3SurfNoImpact
	case "nomarks":
		return 0, 0, level.Q3SurfNoMarks
	case "flesh":
		return 0, 0, level.Q3SurfFlesh
	case "nodraw":
		return 0, 0, level.Q3SurfNoDraw
	case "hint":
		return 0, 0, level.Q3SurfHint
	case "skip":
		return 0, 0, level.Q3SurfSkip
	case "metalsteps":
		return 0, 0, level.Q3SurfMetal
	case "alphashadow":
		return 0, 0, level.Q3SurfAlphaShadow
	}
	return 0, 0, 0
}
