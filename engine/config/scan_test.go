package config

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestScannerKnowsEveryLine(t *testing.T) {
	text := `a = 1 # c
"b c".'d' = """
x = 1
\""" \
"""
e = '''
y = 2'''
[t.u]
f = [1, 2, # ]
  { g = 1, h = "]" },
  [ 3,
    4 ]]
[[v]]
i = 1979-05-27T07:32:00Z
[v.w]
j = "#"
[[v]]
[v.w]
j = 1
k = { l = { m = 1 }, n.o = 2 }
[v.w.p]
q = -1.5e3
`
	s := scan(text)
	if !s.ok() {
		t.Fatalf("stopped at line %d: %q %q", s.line, s.limit, text[s.pos:])
	}
	for path, want := range map[string]int{
		"a": 1, "b c.d": 2, "e": 6, "t.u": 8, "t.u.f": 9, "t.u.f[2]": 10, "t.u.f[2].g": 10, "t.u.f[3]": 11, "t.u.f[3][1]": 12,
		"v": 13, "v[0].i": 14, "v[0].w.j": 16, "v[1].w.j": 19, "v[1].w.k.l.m": 20, "v[1].w.k.n.o": 20, "v[1].w.p.q": 22,
	} {
		if got := s.lines[path]; got != want {
			t.Errorf("%s at line %d, want %d", path, got, want)
		}
	}
}

// The parser never panics, and where it accepts a text the scanner has understood
// it whole, so that its limits hold for everything the library sees.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "a = 1", "[server]\nport = 1\n\xda", "J={D.J=2,D=2,D.K=2", "\ufeffa=1\r\n", "\xff\xfea\x00", "a = 1\x00", "a=1\na=2", "[[[[[[",
		"[a]\nb.c = [1, {d='x'}, \"\"\"\n\"\"\"]\n[[e]]\n[e.f]\ng = 1979-05-27T07:32:00Z", "'' = 1", "a = {b = 1, # c\n}", "\"\\u00e9\" = 1_000", "a = 07:32:00.5",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Parse("f", data)
		if err != nil {
			if msg := err.Error(); len(msg) > 1000 || strings.Contains(msg, "runtime error") {
				t.Fatalf("%q", msg)
			}
			return
		}
		text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
		if s := scan(text); !s.ok() {
			t.Fatalf("the scanner stopped at line %d of an accepted file", s.line)
		}
		var tree map[string]any
		md, err := toml.Decode(text, &tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range md.Keys() {
			if len(k) == 1 && doc.line(k[0]) == 0 {
				t.Fatalf("no line for %q", k)
			}
		}
		var free map[string]any
		if err := doc.Decode(&free); err != nil {
			t.Fatal(err)
		}
	})
}
