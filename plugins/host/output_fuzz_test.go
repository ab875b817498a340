package host

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzOutput reads any line that a plugin may print: what reaches the log is short,
// valid text without control characters.
func FuzzOutput(f *testing.F) {
	f.Add(`{"@level":"warn","@message":"m","@timestamp":"x","key":1,"list":[1,{"a":null}]}`)
	f.Add(`{"@message":5}`)
	f.Add("panic: \x1b[31mred\xff\x00")
	f.Fuzz(func(t *testing.T, line string) {
		if line == "" || strings.Contains(line, "\n") {
			return
		}
		line = line[:min(len(line), lineLimit)]
		_, msg, _ := parseLine(line)
		if msg = printable(msg, lineLimit); len(msg) > lineLimit+8 || !utf8.ValidString(msg) || strings.ContainsAny(msg, "\x1b\x00\r") {
			t.Fatalf("%q becomes %q", line, msg)
		}
	})
}
