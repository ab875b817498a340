package asset

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrName is what every refused name is, for errors.Is.
var ErrName = errors.New("name not allowed")

const maxName = 255

// Clean checks a name from anywhere and returns it in its one proper form, with
// no doubled or final slashes. It refuses rather than repairs whatever could mean
// a place outside the search path.
func Clean(name string) (string, error) {
	bad := func(why string) (string, error) {
		shown := name
		if len(shown) > 64 {
			shown = shown[:64] + "…"
		}
		return "", fmt.Errorf("%w: %s %s", ErrName, strconv.Quote(shown), why)
	}
	switch {
	case name == "":
		return bad("is empty")
	case len(name) > maxName:
		return bad("is longer than 255 bytes")
	case !utf8.ValidString(name):
		return bad("is not UTF-8 text")
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return bad("has a control character in it")
	case strings.Contains(name, `\`):
		return bad("has a backslash in it; names use /")
	case strings.Contains(name, ":"):
		return bad("has a colon in it: no drives, no streams")
	case name[0] == '/':
		return bad("is absolute; names are relative to the search path")
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return bad("leads out of the search path")
		}
	}
	name = path.Clean(name)
	if name == "." {
		return bad("names no file")
	}
	return name, nil
}

// MapName checks the name of a map that came from outside the machine: letters,
// digits and _ - . + only, with / for folders below maps/. What it returns is
// looked up in the search path and nowhere else.
func MapName(name string) (string, error) {
	clean, err := Clean(name)
	if err != nil {
		return "", err
	}
	for _, r := range clean {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.+/", r)) {
			return "", fmt.Errorf("%w: map %s has more than letters, digits and _ - . + / in it", ErrName, strconv.Quote(clean))
		}
	}
	return clean, nil
}
