package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/boxes"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
)

// newScenario returns the scenario subcommands.
func newScenario() *cobra.Command {
	c := &cobra.Command{Use: "scenario", Short: "Play small scenes with a fog-of-war policy and judge it"}
	c.AddCommand(newScenarioRun(), newScenarioReport())
	return c
}

func newScenarioRun() *cobra.Command {
	var policy, draw string
	var assets []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "run PATH...",
		Short: "Play scenes, and say which expectations hold",
		Long: "Plays scenes (TOML files, or folders of them) headless and in stepped time, and says of each\n" +
			"expectation whether it holds. One that a file records as failing by the policy's nature is\n" +
			"\"known\", and a fault only when it holds after all. Exit status 1 when something is not as\n" +
			"expected.\n\n" +
			"With --policy FILE: a built plugin, in a process of its own. Scenes that name a map are for\n" +
			"linked-in policies.\n\n" +
			"With --json: every disclosure with its reasons, when the target could truly be seen, and of\n" +
			"each reveal S A R V (seconds) and H W L, preload and tail (ms).\n\n" +
			"With --draw: a picture from above of one scene, with walls, paths, and who was sent when.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			specs, end, err := scenarioPlugin(c.Context(), policy)
			if specs == nil && err == nil {
				specs, err = scenarioPolicies(policy)
			}
			if err != nil {
				return err
			}
			scenes, err := readScenes(args, assets)
			if err != nil {
				return err
			}
			if draw != "" && len(scenes) != 1 {
				return fmt.Errorf("--draw is for one scene, and these are %d", len(scenes))
			}
			bad, n := 0, 0
			var all []*scenario.Result
			for _, s := range scenes {
				use := specs
				if use == nil {
					spec, ok := policies()[s.File.Policy]
					if !ok {
						return fmt.Errorf("%s: policy %q is none of %s", s.Path, s.File.Policy, policyNames())
					}
					use = []vis.Spec{spec}
				}
				for _, spec := range use {
					r, err := s.Run(spec)
					if end != nil { // the processes of this scene
						err = errors.Join(err, end())
					}
					if err != nil {
						return err
					}
					all = append(all, r)
					n += len(r.Findings)
					for _, f := range r.Findings {
						if !f.OK {
							bad++
						}
					}
					if !asJSON {
						if err := r.Print(c.OutOrStdout()); err != nil {
							return err
						}
					}
				}
			}
			if draw != "" {
				if err := writePNG(draw, drawScene(scenes[0], all)); err != nil {
					return err
				}
			}
			if asJSON {
				if err := writeJSON(c.OutOrStdout(), all); err != nil {
					return err
				}
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d expectations are not as the files say", bad, n)
			}
			return nil
		},
	}
	fl := c.Flags()
	fl.StringVar(&policy, "policy", "", policyNames()+", all, or the file of a plugin; left out: that of each file")
	fl.StringVar(&draw, "draw", "", "the PNG to write")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	fl.StringArrayVar(&assets, "assets", nil, "folder with .pk3 packs that the maps need (may be repeated)")
	return c
}

func policyNames() string { return strings.Join(slices.Sorted(maps.Keys(policies())), ", ") }

// scenarioPolicies returns what a name means; nil: what the files say.
func scenarioPolicies(name string) ([]vis.Spec, error) {
	switch name {
	case "":
		return nil, nil
	case "all":
		return everyPolicy(), nil
	}
	spec, ok := policies()[name]
	if !ok {
		return nil, fmt.Errorf("policy %q is none of %s, not all, and not the file of a plugin", name, policyNames())
	}
	return []vis.Spec{spec}, nil
}

// scenarioPlugin is the policy of a path, nil when it is none. end ends its processes.
func scenarioPlugin(ctx context.Context, path string) (specs []vis.Spec, end func() error, err error) {
	if _, known := policies()[path]; known || path == "" || path == "all" {
		return nil, nil, nil
	}
	if _, err := os.Stat(path); err != nil && !strings.ContainsRune(path, filepath.Separator) {
		return nil, nil, nil
	}
	spec, end, err := host.PolicySpec(ctx, quietHost(path), func(e vis.Env) (*host.Level, error) {
		made, ok := boxes.Of(e.World.Level())
		if !ok {
			return nil, errors.New("this scene names a map: a plugin plays only scenes that are built of slabs")
		}
		return host.LevelOf("scene"+boxes.Ext, made.Text(), level.Options{}, e.World.Level()), nil
	})
	return []vis.Spec{spec}, end, err
}

// everyPolicy is what is compared, from the one that tells most.
func everyPolicy() []vis.Spec {
	var out []vis.Spec
	for _, name := range []string{"open", "pvs", "netoptimize", "deaddrop", "reach", "screen"} {
		out = append(out, policies()[name])
	}
	return out
}

// readScenes reads files and folders of scenes.
func readScenes(args, assets []string) ([]*scenario.Scene, error) {
	var files []string
	for _, a := range args {
		st, err := os.Stat(a)
		if err != nil {
			return nil, err
		}
		if !st.IsDir() {
			files = append(files, a)
			continue
		}
		err = filepath.WalkDir(a, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && filepath.Ext(path) == ".toml" {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, errors.New("there is no scene (a .toml file) in there")
	}
	var out []*scenario.Scene
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		s, err := scenario.ReadFile(f, data, func(ref string) (*level.Level, error) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(f), ref)); err == nil {
				ref = filepath.Join(filepath.Dir(f), ref)
			}
			return loadMap(ref, assets)
		})
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
