package config

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// scanner walks a TOML text to learn two things that the library does not tell:
// on which line each key stands, and whether the text stays within the limits. It
// is run before the library, on text that may be anything: it stops at the first
// thing it does not understand and leaves the message to the library.
//
// Paths are canonical: parts joined by dots, elements of arrays by [index], as in
// client[2].name.
type scanner struct {
	text    string
	pos     int
	line    int
	lines   map[string]int
	arrays  map[string]int // path of an array of tables → how many so far
	keys    int
	limit   string // a limit that was passed
	stopped bool
}

func scan(text string) *scanner {
	s := &scanner{text: text, line: 1, lines: map[string]int{}, arrays: map[string]int{}}
	prefix := ""
	for s.ok() {
		s.blank(true)
		if s.pos >= len(text) {
			break
		}
		if s.peek() == '[' {
			prefix = s.header()
		} else {
			s.pair(prefix, 0)
		}
		if s.blank(false); s.ok() && s.pos < len(text) && s.peek() != '\n' {
			s.stopped = true
		}
	}
	return s
}

func (s *scanner) ok() bool { return !s.stopped && s.limit == "" }

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) tooMuch(format string, args ...any) {
	if s.limit == "" {
		s.limit = fmt.Sprintf(format, args...)
	}
}

// blank skips blanks and a comment, and line ends too where lines says so.
func (s *scanner) blank(lines bool) {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t':
			s.pos++
		case c == '\n' && lines:
			s.pos++
			s.line++
		case c == '#':
			n := strings.IndexByte(s.text[s.pos:], '\n')
			if n < 0 {
				n = len(s.text) - s.pos
			}
			s.pos += n
		default:
			return
		}
	}
}

// header reads [a.b] or [[a.b]] and returns the path of the table.
func (s *scanner) header() string {
	line := s.line
	s.pos++
	isArray := s.peek() == '['
	if isArray {
		s.pos++
	}
	parts := s.key()
	for n := 1; s.ok() && n >= 0; n-- {
		if n == 0 && !isArray {
			break
		}
		if s.peek() != ']' {
			s.stopped = true
			return ""
		}
		s.pos++
	}
	if !s.ok() {
		return ""
	}
	path := ""
	for i, p := range parts {
		path = join(path, p)
		last := i == len(parts)-1
		if last && isArray {
			s.arrays[path]++
		}
		if !last || isArray {
			if n := s.arrays[path]; n > 0 {
				s.note(path, line)
				path += "[" + strconv.Itoa(n-1) + "]"
			}
		}
		s.note(path, line)
	}
	return path
}

// note remembers the first line on which a path is named.
func (s *scanner) note(path string, line int) {
	if _, known := s.lines[path]; !known {
		s.lines[path] = line
		if s.keys++; s.keys > maxKeys {
			s.tooMuch("more than %d keys", maxKeys)
		}
	}
}

// pair reads key = value.
func (s *scanner) pair(prefix string, depth int) {
	line := s.line
	parts := s.key()
	if !s.ok() || s.peek() != '=' {
		s.stopped = true
		return
	}
	s.pos++
	path := prefix
	for _, p := range parts {
		path = join(path, p)
		s.note(path, line)
	}
	s.blank(false)
	s.value(path, depth)
}

// key reads a dotted key and the blanks after it.
func (s *scanner) key() []string {
	var parts []string
	for s.ok() {
		s.blank(false)
		part := ""
		switch c := s.peek(); c {
		case '"', '\'':
			start, line := s.pos, s.line
			s.str()
			if s.line != line || !s.ok() {
				s.stopped = true
				return nil
			}
			part = unquote(s.text[start:s.pos])
		default:
			start := s.pos
			for s.pos < len(s.text) && isBare(s.text[s.pos]) {
				s.pos++
			}
			if part = s.text[start:s.pos]; part == "" {
				s.stopped = true
				return nil
			}
		}
		if len(part) > maxKeyPart {
			s.tooMuch("a key of more than %d bytes", maxKeyPart)
		}
		if parts = append(parts, part); len(parts) > maxParts {
			s.tooMuch("a key of more than %d parts", maxParts)
		}
		s.blank(false)
		if s.peek() != '.' {
			return parts
		}
		s.pos++
	}
	return nil
}

func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= utf8.RuneSelf
}

// unquote reads a quoted key as the library reads a text: the two have the same
// escapes, of which each version of TOML brings more. What it refuses it refuses as a
// key too.
func unquote(q string) string {
	var v struct{ K string }
	if q[0] == '"' && strings.Contains(q, "\\") {
		if _, err := toml.Decode("K = "+q, &v); err == nil {
			return v.K
		}
	}
	return q[1 : len(q)-1]
}

// value skips a value; path is its own.
func (s *scanner) value(path string, depth int) {
	if depth > maxDepth {
		s.tooMuch("values nested more than %d deep", maxDepth)
		return
	}
	switch c := s.peek(); c {
	case '"', '\'':
		s.str()
	case '[':
		line := s.line
		s.pos++
		for i := 0; s.ok(); i++ {
			s.blank(true)
			if s.peek() == ']' {
				s.pos++
				return
			}
			elem := path + "[" + strconv.Itoa(i) + "]"
			if c := s.peek(); c == '{' || c == '[' || s.line != line {
				s.note(elem, s.line) // a plain value is where its list is
			}
			s.value(elem, depth+1)
			s.blank(true)
			if s.peek() == ',' {
				s.pos++
			} else if s.peek() != ']' {
				s.stopped = true
			}
		}
	case '{':
		s.pos++
		for s.ok() {
			s.blank(true)
			if s.peek() == '}' {
				s.pos++
				return
			}
			s.pair(path, depth+1)
			s.blank(true)
			if s.peek() == ',' {
				s.pos++
			} else if s.peek() != '}' {
				s.stopped = true
			}
		}
	default:
		start := s.pos
		for s.pos < len(s.text) && !strings.ContainsRune(",]}#\n[{\"'=", rune(s.text[s.pos])) {
			s.pos++
		}
		if strings.TrimSpace(s.text[start:s.pos]) == "" {
			s.stopped = true
		}
	}
}

// str skips a string of any of the four forms.
func (s *scanner) str() {
	q := s.text[s.pos]
	rest := s.text[s.pos:]
	long := string([]byte{q, q, q})
	if strings.HasPrefix(rest, long) {
		for i := 3; i < len(rest); i++ {
			switch {
			case rest[i] == '\\' && q == '"':
				if i+1 < len(rest) && rest[i+1] == '\n' {
					s.line++
				}
				i++
			case rest[i] == '\n':
				s.line++
			case strings.HasPrefix(rest[i:], long):
				for i += 3; i < len(rest) && rest[i] == q; i++ { // up to two quotes may end the text itself
				}
				s.pos += i
				return
			}
		}
		s.stopped = true
		return
	}
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch {
		case rest[i] == '\\' && q == '"':
			i++
		case rest[i] == q:
			s.pos += i + 1
			return
		}
	}
	s.stopped = true
}

func join(prefix, part string) string {
	if prefix == "" {
		return part
	}
	return prefix + "." + part
}
