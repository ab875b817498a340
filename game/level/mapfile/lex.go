package mapfile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// lexer splits a map's text into tokens. Brackets stand alone; anything else is
// what lies between blanks. "//" starts a comment where a token could start.
type lexer struct {
	name string
	src  []byte
	pos  int
	line int

	tok    string
	quoted bool
	eof    bool
	// at is the line on which tok started.
	at int
}

// Error is what makes a map unreadable, and where.
type Error struct {
	File string
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

func (l *lexer) errorf(format string, args ...any) error {
	return &Error{l.name, l.at, fmt.Sprintf(format, args...)}
}

// skipBlank moves to the next token and reports whether there is one.
func (l *lexer) skipBlank() bool {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.line++
			l.pos++
		case c <= ' ':
			l.pos++
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '/':
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
		default:
			return true
		}
	}
	return false
}

func bracket(c byte) bool {
	return c == '{' || c == '}' || c == '(' || c == ')' || c == '[' || c == ']'
}

// next reads a token into l.tok.
func (l *lexer) next() error { return l.read(false) }

// word reads a token in which brackets are letters: a texture's name, such as
// "{fence".
func (l *lexer) word() error { return l.read(true) }

func (l *lexer) read(word bool) error {
	l.tok, l.quoted, l.eof = "", false, false
	if !l.skipBlank() {
		l.eof, l.at = true, l.line
		return nil
	}
	l.at = l.line
	start := l.pos
	switch c := l.src[l.pos]; {
	case c == '"':
		return l.quote()
	case bracket(c) && !word:
		l.pos++
	default:
		for l.pos < len(l.src) && l.src[l.pos] > ' ' && (word || !bracket(l.src[l.pos])) && l.src[l.pos] != '"' {
			l.pos++
		}
	}
	if l.pos-start > maxToken {
		return l.errorf("a word of %d characters", l.pos-start)
	}
	l.tok = string(l.src[start:l.pos])
	return nil
}

// quote reads a quoted string, which may go on over lines. \" stands for a
// quote; but as Windows paths end in a backslash, not where the string would
// then swallow what plainly follows it: a line end and the next key or bracket.
func (l *lexer) quote() error {
	l.quoted = true
	l.pos++
	start := l.pos
	escaped := false
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case '"':
			if l.pos-start > maxToken {
				return l.errorf("a quoted text of %d characters", l.pos-start)
			}
			l.tok = string(l.src[start:l.pos])
			if escaped {
				l.tok = strings.ReplaceAll(l.tok, `\"`, `"`)
			}
			l.pos++
			return nil
		case '\n':
			l.line++
		case '\\':
			if l.pos+1 < len(l.src) && l.src[l.pos+1] == '"' && !l.endsAt(l.pos+1) {
				escaped = true
				l.pos++
			}
		}
		l.pos++
	}
	return l.errorf("a quoted text that starts here is never closed")
}

// endsAt reports whether the quote at i, though behind a backslash, ends its
// string: its line ends there and the next line starts with a quote or bracket.
func (l *lexer) endsAt(i int) bool {
	newline := false
	for i++; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\n':
			newline = true
		case c <= ' ':
		case c == '}':
			return true
		default:
			return newline && (c == '"' || c == '{')
		}
	}
	return true
}

// expect reads one bracket or word.
func (l *lexer) expect(want string) error {
	if err := l.next(); err != nil {
		return err
	}
	if l.eof || l.quoted || l.tok != want {
		return l.errorf("%s where %q is due", l.found(), want)
	}
	return nil
}

// found names the current token for a message.
func (l *lexer) found() string {
	if l.eof {
		return "the file ends"
	}
	if len(l.tok) > 40 {
		return strconv.Quote(l.tok[:40]) + "…"
	}
	return strconv.Quote(l.tok)
}

// number reads a number in any form that editors and exporters write. Words
// that are numbers but not finite are returned, for their brush to be refused.
func (l *lexer) number() (float64, error) {
	if err := l.next(); err != nil {
		return 0, err
	}
	v, ok := parseNumber(l.tok)
	if l.eof || l.quoted || !ok {
		return 0, l.errorf("%s where a number is due", l.found())
	}
	return v, nil
}

func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > 64 || strings.ContainsAny(s, "_xXpP") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		// Windows' C library writes "-1.#IND" and the like for no number.
		if strings.Contains(s, "#") && strings.Trim(s, "+-0123456789.#INDQSFAindqsfa") == "" {
			return math.NaN(), true
		}
		return 0, false
	}
	return v + 0, true
}

// numbers reads n numbers between brackets.
func (l *lexer) numbers(open, end string, dst []float64) error {
	if err := l.expect(open); err != nil {
		return err
	}
	if err := l.fill(dst); err != nil {
		return err
	}
	return l.expect(end)
}

func (l *lexer) fill(dst []float64) error {
	for i := range dst {
		v, err := l.number()
		if err != nil {
			return err
		}
		dst[i] = v
	}
	return nil
}
