package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

var scenesOnly = flag.String("scenes.only", "", "part of the names of the scenes that are run")

// shipped are the policies that every scene is run with.
func shipped() []vis.Spec {
	return []vis.Spec{open.Spec(), pvs.Spec(), netoptimize.Spec(), deaddrop.Spec(), reach.Spec(), screen.Spec()}
}

// TestEveryScene runs each scene with each policy: what the file expects holds, or
// fails where the file says that it does by the policy's nature.
func TestEveryScene(t *testing.T) {
	files, err := filepath.Glob("testdata/fog/*.toml")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d scenes: %v", len(files), err)
	}
	for _, f := range files {
		if !strings.Contains(f, *scenesOnly) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(f), ".toml"), func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := scenario.ReadFile(f, data, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range shipped() {
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
				} else {
					t.Logf("%s", b.String())
				}
			}
		})
	}
}
