package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
)

// The shipped scenes are in the package, and show no leak of the shipped policies.
func TestShippedPoliciesLeakInNoScene(t *testing.T) {
	scenes, err := scenario.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range policiesThatHide() {
		t.Run(p.spec.Name, func(t *testing.T) {
			var sum scenario.Leaks
			for _, s := range scenes {
				l, err := s.Leaks(p.spec, true)
				if err != nil {
					t.Fatal(err)
				}
				sum.Pairs, sum.Spared = sum.Pairs+l.Pairs, sum.Spared+l.Spared
				for _, what := range l.Found {
					t.Error(what)
				}
			}
			t.Logf("%+v", sum)
		})
	}
}
