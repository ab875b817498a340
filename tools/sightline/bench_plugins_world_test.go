package main

import (
	"math/bits"
	"testing"

	"github.com/sightline-engine/sightline/game/vis"
)

// BenchmarkDecide is a tick of each policy of bench plugins, linked in, for 100 players
// in each of its worlds.
func BenchmarkDecide(b *testing.B) {
	for _, world := range costWorlds() {
		g, err := newCostGround(world)
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range costPolicies() {
			b.Run(world+"/"+p.name, func(b *testing.B) {
				set, err := p.spec.Schema.Check(p.set)
				if err != nil {
					b.Fatal(err)
				}
				pol, err := p.spec.New(vis.Env{World: g.trace, TickRate: 64, Seed: 1, Settings: set})
				if err != nil {
					b.Fatal(err)
				}
				w := newCostWorld(g, 100, 64)
				var out vis.Answer
				asked := 0
				for b.Loop() {
					b.StopTimer()
					in, _ := w.step()
					asked = 0
					for _, word := range in.Asked {
						asked += bits.OnesCount64(word)
					}
					b.StartTimer()
					out.Reset(in)
					pol.Decide(in, &out)
				}
				b.ReportMetric(float64(asked), "asked/tick")
				b.ReportMetric(float64(out.Rays), "rays/tick")
			})
		}
	}
}
