package bsp

import (
	"bytes"
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
)

const maxKeys = 1024

// parseEntities reads entity text up to its end or its first NUL, whichever
// comes first.
func parseEntities(text []byte) ([]level.Entity, error) {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	t := tokens{text: text, line: 1}
	var ents []level.Entity
	for {
		tok, kind := t.next()
		if kind == end {
			return ents, nil
		}
		if kind != opening {
			return nil, fmt.Errorf("line %d: %.40q where an entity's \"{\" is due", t.line, tok)
		}
		if len(ents) >= level.MaxEntities {
			return nil, fmt.Errorf("line %d: more than %d entities", t.line, level.MaxEntities)
		}
		e := level.Entity{Line: t.line}
		for {
			key, kind := t.next()
			if kind == closing {
				break
			}
			if kind != word {
				return nil, fmt.Errorf("line %d: entity %d is not closed", t.line, len(ents))
			}
			value, kind := t.next()
			if kind != word {
				return nil, fmt.Errorf("line %d: key %.40q has no value", t.line, key)
			}
			if len(e.Keys) >= maxKeys {
				return nil, fmt.Errorf("line %d: entity %d has more than %d keys", t.line, len(ents), maxKeys)
			}
			e.Keys = append(e.Keys, level.KV{Key: key, Value: value})
		}
		e.Class = e.Get("classname")
		ents = append(ents, e)
	}
}

type kind uint8

const (
	end kind = iota
	opening
	closing
	word
)

type tokens struct {
	text []byte
	pos  int
	line int
}

// next returns a brace or a text, quoted or bare.
func (t *tokens) next() (string, kind) {
	for t.pos < len(t.text) {
		switch c := t.text[t.pos]; {
		case c == '\n':
			t.line++
			t.pos++
		case c <= ' ':
			t.pos++
		case c == '{':
			t.pos++
			return "{", opening
		case c == '}':
			t.pos++
			return "}", closing
		case c == '"':
			start := t.pos + 1
			n := bytes.IndexByte(t.text[start:], '"')
			if n < 0 {
				n = len(t.text) - start
			}
			s := t.text[start : start+n]
			t.line += bytes.Count(s, []byte{'\n'})
			t.pos = min(start+n+1, len(t.text))
			return string(s), word
		default:
			start := t.pos
			for t.pos < len(t.text) && t.text[t.pos] > ' ' && t.text[t.pos] != '{' && t.text[t.pos] != '}' && t.text[t.pos] != '"' {
				t.pos++
			}
			return string(t.text[start:t.pos]), word
		}
	}
	return "", end
}
