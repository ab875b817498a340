package plugintest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/boxes"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
)

// policyScenes plays the shipped scenes (doors, smoke, panes that break, optics,
// spectators, vehicles): with and without somebody of whom a viewer is never told, it is
// told the same of the others; and who could not have been seen so far is not sent.
func policyScenes(t *testing.T, spec vis.Spec, o Options, end func() error) {
	scenes, err := scenario.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	var sum scenario.Leaks
	found := 0
	known := map[string]bool{}
	for _, s := range scenes {
		known[s.File.Name] = true
	}
	began := time.Now()
	if end != nil { // a process for each time that a scene is played
		scenes = slices.DeleteFunc(scenes, func(s *scenario.Scene) bool { return !slices.Contains(few[:], s.File.Name) })
		if len(scenes) != len(few) {
			t.Fatalf("%d of %d scenes are there", len(scenes), len(few))
		}
	}
	for _, s := range scenes {
		l, err := s.Leaks(spec, !o.SendsHidden)
		if end != nil && err == nil {
			err = end()
		}
		if err != nil {
			t.Fatalf("%s: %v", s.File.Name, err)
		}
		sum.Pairs, sum.Spared = sum.Pairs+l.Pairs, sum.Spared+l.Spared
		switch why, is := o.Except[s.File.Name]; {
		case is && why == "":
			t.Errorf("%s: Options.Except gives no reason", s.File.Name)
		case is && len(l.Found) == 0:
			t.Errorf("%s: nothing is wrong in it: it need not be in Options.Except", s.File.Name)
		case !is:
			for _, what := range l.Found {
				if found++; found <= mostFound {
					t.Error(what)
				}
			}
		}
	}
	if found > mostFound {
		t.Errorf("and %d more of that kind", found-mostFound)
	}
	if found > 0 {
		t.Log("each scene by itself: sightline scenario run --draw out.png --policy FILE SCENE, with SCENE from engine/scenario/testdata/fog; one that the policy fails by its nature may stand in Options.Except")
	}
	for name := range o.Except {
		if !known[name] {
			t.Errorf("Options.Except names %q, which is no shipped scene", name)
		}
	}
	t.Logf("%d scenes, %d viewers and those they were never told of, %d hidden players, in %v", len(scenes), sum.Pairs, sum.Spared, time.Since(began).Round(time.Millisecond))
}

// mostFound is how many leaks are told.
const mostFound = 8

// few are the scenes that a process plays: one for each thing that hides or shows.
var few = [...]string{
	"Aim through a window", "T07 nine panes, one solid", "T08 door", "T09 into the smoke's shadow", "T12 spectator", "T17 late joiner",
	"T29 piece that breaks", "vehicle behind a hill",
}

// sceneSpec is a built policy that plays scenes; end ends its processes.
func sceneSpec(t *testing.T, path string) (vis.Spec, func() error) {
	t.Helper()
	spec, end, err := host.PolicySpec(context.Background(), config(path), func(e vis.Env) (*host.Level, error) {
		made, ok := boxes.Of(e.World.Level())
		if !ok {
			t.Fatal("a shipped scene is not made of boxes")
		}
		return host.LevelOf("scene"+boxes.Ext, made.Text(), level.Options{}, e.World.Level()), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end() })
	return spec, end
}
