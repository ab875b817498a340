package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// The contract that every policy keeps.
func TestConformance(t *testing.T) { plugintest.Policy(t, Spec()) }

// The same of the plugin, as a server would run it.
func TestPlugin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy-newpolicy")
	build := exec.Command("go", "build", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plugintest.Binary(t, file)
}

// What this policy promises of its own: whoever is in sight is sent at once.
func TestWhoIsSeenIsSent(t *testing.T) {
	const seed = 7
	w := plugintest.NewWorld(t, seed, 1, 8)
	set, err := Spec().Schema.Check(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Spec().New(vis.Env{World: w.Trace, TickRate: plugintest.TickRate, Seed: seed, Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	var out vis.Answer
	seen := 0
	for range 500 {
		in := w.Step()
		out.Reset(in)
		p.Decide(in, &out)
		for v := range in.Viewers {
			for s := range in.Subjects {
				if in.IsAsked(v, s) && w.Sees(v, s) {
					seen++
					if !out.Permitted(v, s) {
						t.Fatalf("seed %d, tick %d: viewer %d sees subject %d and is not told", seed, in.Tick, v, s)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal("nobody ever saw anybody")
	}
}
