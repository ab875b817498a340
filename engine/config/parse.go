package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Limits on a file; judgements, far above what people write. Together they bound
// what the TOML library can be made to do: its work grows with the product of
// the number of keys and their length.
const (
	MaxSize    = 1 << 20 // bytes
	maxDepth   = 32      // nested arrays and inline tables
	maxParts   = 16      // parts of a dotted key
	maxKeyPart = 128     // bytes of one part
	maxKeys    = 20000
)

// Doc is a parsed file.
type Doc struct {
	name  string
	tree  map[string]any
	lines map[string]int // canonical path → line
}

// Parse reads a TOML file; name is what messages call it. The error is a
// *Problem with the line where one is known.
func Parse(name string, data []byte) (*Doc, error) {
	fail := func(line int, format string, args ...any) (*Doc, error) {
		return nil, &Problem{File: name, Line: line, Text: fmt.Sprintf(format, args...)}
	}
	if len(data) > MaxSize {
		return fail(0, "file of %d bytes: at most %d are read", len(data), MaxSize)
	}
	// A byte-order mark, or text whose every other byte is zero.
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) ||
		len(data) >= 2 && (data[0] == 0) != (data[1] == 0) {
		return fail(1, "the file is UTF-16; save it as UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	lineOf := func(offset int) int { return 1 + bytes.Count(data[:offset], []byte("\n")) }
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return fail(lineOf(i), "there is a NUL byte; this is not a text file, or it was damaged")
	}
	if !utf8.Valid(data) {
		i := 0
		for rest := data; ; {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n == 1 {
				break
			}
			rest, i = rest[n:], i+n
		}
		return fail(lineOf(i), "byte 0x%02X is not UTF-8 text; save the file as UTF-8", data[i])
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")

	s := scan(text)
	if s.limit != "" {
		return fail(s.line, "%s", s.limit)
	}
	// Where the scanner stopped, the text is wrong; the library is shown no more
	// than the line of the mistake, so that what follows costs nothing.
	shown := text
	if s.stopped {
		if i := strings.IndexByte(text[s.pos:], '\n'); i >= 0 {
			shown = text[:s.pos+i+1]
		}
	}
	tree, err := decode(shown)
	if err == nil && s.stopped {
		return fail(s.line, "the file cannot be understood from here on")
	}
	if err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			key := ""
			if pe.LastKey != "" && !strings.Contains(pe.Message, pe.LastKey) {
				key = " (after " + clip(pe.LastKey) + ")"
			}
			return fail(max(pe.Position.Line, 1), "%s%s", clip(pe.Message), key)
		}
		return fail(s.line, "%s", clip(err.Error()))
	}
	return &Doc{name: name, tree: tree, lines: s.lines}, nil
}

// decode runs the library. A panic in it is a fault there; the operator gets an
// error all the same.
func decode(text string) (tree map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			tree, err = nil, fmt.Errorf("the file cannot be understood (%v)", p)
		}
	}()
	_, err = toml.Decode(text, &tree)
	return tree, err
}

// clip keeps a message on one line and short.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
