package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// TestEverySceneIsTheSameFromAllSides plays every scene as it stands, mirrored, and
// turned by quarters: in all eight, everyone is sent to everyone at the same times.
func TestEverySceneIsTheSameFromAllSides(t *testing.T) {
	files, err := filepath.Glob("testdata/fog/*.toml")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d scenes: %v", len(files), err)
	}
	for i, f := range files {
		if !strings.Contains(f, *scenesOnly) {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenario.ReadFile(f, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, spec := range []vis.Spec{deaddrop.Spec(), reach.Spec(), screen.Spec(), netoptimize.Spec()} {
			if (i+k)%2 != 0 && *proveWorlds < 50 {
				continue // in turns; make prove plays each with all
			}
			found, err := s.Alike(spec)
			if err != nil {
				t.Fatal(err)
			}
			if found != "" {
				t.Errorf("%s, %s: %s", filepath.Base(f), spec.Name, found)
			}
		}
		if strings.HasSuffix(f, "t27-orientations.toml") {
			if found, err := s.Alike(lopsided()); err != nil || found == "" {
				t.Errorf("a rule that sends to one side only is not found: %v", err)
			}
		}
	}
}

// lopsided sends whoever is farther along y than the viewer.
func lopsided() vis.Spec {
	return vis.Spec{Name: "lopsided", Version: "1", Help: "Sends to one side.", New: func(vis.Env) (vis.Policy, error) { return toOneSide{}, nil }}
}

type toOneSide struct{}

func (toOneSide) Decide(in *vis.Input, out *vis.Answer) {
	for v := range in.Viewers {
		for s := range in.Subjects {
			if me := in.Viewers[v].Subject; me >= 0 && in.IsAsked(v, s) && in.Subjects[s].Pos.Y > in.Subjects[me].Pos.Y {
				out.Allow(v, s, vis.Open, in.Tick, 0)
			}
		}
	}
}
