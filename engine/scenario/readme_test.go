package scenario_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/nearby"
)

// The policy that game/vis/README.md teaches with is what is compiled, has under 40
// lines, and does on scenes what is said of it: it hides whom a door hides and sends him
// when it opens, and keeps teams apart.
func TestTheReadmesPolicyIsOne(t *testing.T) {
	read := func(file string) string {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	_, code, _ := strings.Cut(read("../../game/vis/README.md"), "```go\n")
	code, _, ok := strings.Cut(code, "```")
	if _, file, _ := strings.Cut(read("../../game/vis/nearby/nearby.go"), "package nearby"); !ok || code != "package nearby"+file {
		t.Errorf("README.md does not show game/vis/nearby/nearby.go: put the file into it, without its first comment\n%s", code)
	}
	if n := strings.Count(code, "\n"); n == 0 || n >= 40 {
		t.Errorf("the smallest policy has %d lines, under 40 are promised", n)
	}
	spec := vis.Spec{Name: "nearby", Version: "1", Help: "The README's.", New: nearby.New}
	for _, name := range []string{"t08-door", "t11-teams", "t05-slit"} {
		file := "testdata/fog/" + name + ".toml"
		s, err := scenario.ReadFile(file, []byte(read(file)), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(spec)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := r.Print(&b); err != nil {
			t.Fatal(err)
		}
		if !r.OK {
			t.Errorf("%s", b.String())
		}
	}
}
