package host_test

import (
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/examples/internal/host"
)

// Every shipped policy decides a match by its name, linked in and in a process of
// its own, and what each discloses is the same both ways.
func TestEveryPolicyDecidesAMatch(t *testing.T) {
	for _, name := range []string{"policy-deaddrop", "policy-netoptimize", "policy-open", "policy-pvs", "policy-reach", "policy-screen"} {
		t.Run(name, func(t *testing.T) {
			var want string
			for _, linked := range []string{"true", "false"} {
				r := newRoom(t, "plugin.wait", "true", "plugin.policy", name, "plugin.linked", linked)
				h := host.Stepped(r.set, r.levels, r.slog(), *seed)
				cfg := r.scene(h, "pit", 6)
				cfg.Seconds = 3
				got, err := scenario.Run(cfg)
				if err != nil {
					t.Fatal(err)
				}
				if got.Check != nil || got.Joined != 6 || got.Errors != 0 {
					t.Fatalf("linked %s: %v", linked, got)
				}
				if p, _, ok := h.Plugins(); linked == "false" && (!ok || p.Plugin != name || p.Answers == 0 || p.FromFallback+p.FromStanding != 0) {
					t.Errorf("the process did not decide all by itself: %+v", p)
				}
				if is := fmt.Sprint(got); want == "" {
					want = is
				} else if is != want {
					t.Errorf("in a process %v, linked in %v", is, want)
				}
			}
			t.Log(want)
		})
	}
}

// The settings of the default policy have the short names, the others' their own.
func TestPoliciesHaveSettingsOfTheirOwn(t *testing.T) {
	r := newRoom(t, "vis.screen.hold_ms", "75.0", "plugin.policy", "policy-screen", "plugin.linked", "true")
	for name, want := range map[string]string{"vis.hold_ms": "200", "vis.screen.hold_ms": "75", "vis.reach.hold_ms": "100", "vis.range_m": "350"} {
		vars := r.reg.Vars(name)
		if len(vars) == 0 || vars[0].Name != name {
			t.Errorf("no %s", name)
		} else if vars[0].Value != want {
			t.Errorf("%s is %s, want %s", name, vars[0].Value, want)
		}
	}
	for _, name := range []string{"vis.screen.range_m", "vis.deaddrop.hold_ms"} {
		if vars := r.reg.Vars(name); len(vars) > 0 {
			t.Errorf("there is %s", name)
		}
	}
}
