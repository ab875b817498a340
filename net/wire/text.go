package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns s as text that may be shown to others: valid UTF-8 of at most
// most bytes without control characters, formatting controls (which turn text
// round or hide it) and line breaks, which become spaces. What is invalid is left
// out. Text that is clean already is returned as it is.
func Clean(s string, most int) string {
	if len(s) <= most && isClean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == utf8.RuneError && n <= 1:
			continue
		case r == '\n' || r == '\t' || r == '\r':
			r = ' '
		case !isShown(r):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > most {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// CleanName is Clean for a player's name: no spaces at the ends, never empty.
func CleanName(s string, most int) string {
	s = strings.TrimSpace(Clean(s, most))
	if s == "" {
		return "player"
	}
	return s
}

func isClean(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if (r == utf8.RuneError && n <= 1) || !isShown(r) {
			return false
		}
		i += n
	}
	return true
}

func isShown(r rune) bool {
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}
