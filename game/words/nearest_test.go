package words

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"cl.fov", "cl.rate", "sv.rate", "sv.port", "sv.part", "sv.password"}
	for word, want := range map[string][]string{
		"fov":                    {"cl.fov"},
		"RATE":                   {"cl.rate", "sv.rate"},
		"sv.prot":                {"sv.port"}, // two letters swapped are one fault
		"sv.pxrt":                {"sv.port", "sv.part"},
		"sv.passsswurd":          {}, // three
		"sv.pasword":             {"sv.password"},
		"nothing like it":        {},
		"":                       {},
		strings.Repeat("x", 129): {},
	} {
		if got := Nearest(word, names, 2, 2); !slices.Equal(got, want) {
			t.Errorf("near %q are %q, want %q", word, got, want)
		}
	}
	if got := Nearest("rate", names, 1, 1); !slices.Equal(got, []string{"cl.rate"}) {
		t.Errorf("%q", got)
	}
}
