package config

import (
	"fmt"
	"strings"
)

// Problem is one mistake in a file.
type Problem struct {
	File string
	Line int    // 0 where it is not known
	Key  string // full dotted key, "" for a mistake of syntax
	Text string
	Err  error // what refused a value, or nil
}

func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// Unwrap returns what refused the value.
func (p *Problem) Unwrap() error { return p.Err }

// Problems are all mistakes of a file, in the order of its lines.
type Problems []*Problem

// maxShown keeps the message readable; the rest is counted.
const maxShown = 20

func (ps Problems) Error() string {
	var lines []string
	for i, p := range ps {
		if i == maxShown {
			lines = append(lines, fmt.Sprintf("%s: and %d more mistakes", p.File, len(ps)-i))
			break
		}
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single mistakes.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}
