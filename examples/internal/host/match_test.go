package host_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/examples/internal/host"
)

// Sixteen bots over a bad network, policy and rules in processes of their own and
// waited for: nothing is mispredicted that no outside force explains, nobody
// leaves the world, and kills are scored.
func TestMatchWithPluginsOverBadLinksHasNoPredictionErrors(t *testing.T) {
	for _, level := range []string{"pit", "corner"} {
		t.Run(level, func(t *testing.T) {
			t.Logf("seed %d", *seed)
			r := newRoom(t, "plugin.wait", "true")
			h := host.Stepped(r.set, r.levels, r.slog(), *seed)
			cfg := r.scene(h, level, 16)
			if testing.Short() {
				cfg.Seconds = 10
			}
			got, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			p, ru, _ := h.Plugins()
			t.Logf("%v; policy: %d answers, %d from a fallback; rules: %d answers", got, p.Answers, p.FromFallback+p.FromStanding, ru.Answers)
			switch {
			case got.Check != nil:
				t.Error(got.Check)
			case got.Joined != 16:
				t.Errorf("%d of 16 bots are playing: %v", got.Joined, got.Gone)
			case got.Errors != 0:
				t.Errorf("%d prediction errors, the worst %g m", got.Errors, got.WorstError)
			case got.OutOfWorld != 0:
				t.Errorf("somebody was out of the world for %d ticks", got.OutOfWorld)
			case got.Kills == 0:
				t.Errorf("nobody scored in %d shots", got.Shots)
			}
			if p.FromFallback+p.FromStanding+p.Misses+p.Nonsense != 0 || p.Answers == 0 {
				t.Errorf("the policy process did not decide all by itself: %+v", p)
			}
		})
	}
}
