//go:build unix

package host_test

import (
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// BenchmarkPolicy compares one lockstep tick of 100 players in process and out:
// what a crossing costs.
func BenchmarkPolicy(b *testing.B) {
	run := func(b *testing.B, d vis.Decider) {
		var in vis.Input
		tick := state.Tick(0)
		b.ReportAllocs()
		for b.Loop() {
			tick++
			sample.Input(&in, tick, 100)
			d.Submit(&in)
			d.Collect()
		}
	}
	b.Run("linked", func(b *testing.B) {
		set, _ := open.Spec().Schema.Check(nil)
		p, err := open.Spec().New(vis.Env{TickRate: 64, Settings: set})
		if err != nil {
			b.Fatal(err)
		}
		run(b, vis.Inline(p))
	})
	b.Run("process", func(b *testing.B) {
		p, err := host.StartPolicy(b.Context(), host.PolicyConfig{Config: host.Config{Path: filepath.Join(bins, "policy-open"), TickRate: 64, Wait: true}})
		if err != nil {
			b.Fatal(err)
		}
		defer p.Close()
		run(b, p)
		s := p.Stats()
		b.ReportMetric(float64(s.P50.Microseconds()), "p50-µs")
		b.ReportMetric(float64(s.P99.Microseconds()), "p99-µs")
	})
}
