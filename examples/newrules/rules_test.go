package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// The contract that all rules keep.
func TestConformance(t *testing.T) { plugintest.Rules(t, Spec()) }

// The same of the plugin, as a server would run it.
func TestPlugin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules-newrules")
	build := exec.Command("go", "build", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plugintest.Binary(t, file)
}

// What these rules promise of their own: the limit wins, and it begins again.
func TestTheLimitWins(t *testing.T) {
	g := Spec().New()
	m := &rules.Match{TickRate: 64, Spawns: []rules.Spawn{{Yaw: 90}}, Settings: map[string]string{"kill_limit": "2"}}
	if err := g.Start(m); err != nil {
		t.Fatal(err)
	}
	said, rounds := 0, 0
	for tick := range state.Tick(4) {
		in := &rules.TickIn{Tick: tick, Events: []state.Event{{Kind: state.EvKill, Actor: 1, Target: 2}}}
		for _, op := range g.Tick(in, nil) {
			switch op.Kind {
			case rules.OpAnnounce:
				said++
			case rules.OpPhase:
				rounds++
			}
		}
	}
	if said != 2 || rounds != 3 {
		t.Errorf("4 kills with a limit of 2: won %d times, %d rounds begun", said, rounds)
	}
}
