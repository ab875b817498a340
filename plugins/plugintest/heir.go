package plugintest

import (
	"testing"

	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

func isHeir(p vis.Policy) bool { _, ok := p.(vis.Heir); return ok }

// policyInherits tries a policy that says it takes over what stood before it began
// (vis.Heir): beside one that was given nothing it sends those pairs, none of them for
// longer than was said unless it has seen them itself since, and nobody else.
func policyInherits(t *testing.T, spec vis.Spec) {
	for seed := uint64(41); seed < 44; seed++ {
		a, b := NewWorld(t, seed, 1, crowdSize), NewWorld(t, seed, 1, crowdSize)
		heir, plain := start(t, spec, a, seed), start(t, spec, b, seed)
		r := vec.NewRand(seed, 3)
		until, saw := map[[2]int]uint32{}, map[[2]int]bool{}
		var out, other vis.Answer
		for tick := range 120 {
			in, same := a.Step(), b.Step()
			if tick < 2 { // as a process is told until it has decided
				for v := range in.Viewers {
					for s := range in.Subjects {
						if !in.IsAsked(v, s) || r.Intn(3) != 0 {
							continue
						}
						x := vis.Standing{Viewer: v, Subject: s, Until: in.Tick + uint32(r.Intn(60)), Reason: vis.EyeEye, Interval: 1}
						in.Standing = append(in.Standing, x)
						until[[2]int{v, s}] = x.Until
					}
				}
			}
			out.Reset(in)
			heir.Decide(in, &out)
			in.Standing = in.Standing[:0]
			other.Reset(same)
			plain.Decide(same, &other)
			for v := range in.Viewers {
				for s := range in.Subjects {
					if !out.Permitted(v, s) {
						continue
					}
					if out.Reason[v*out.Subjects+s] != vis.Held { // by its own sight, which it may hold
						saw[[2]int{v, s}] = true
					}
					if other.Permitted(v, s) {
						continue
					}
					switch end, stood := until[[2]int{v, s}]; {
					case !stood:
						t.Fatalf("seed %d, tick %d: viewer %d is sent subject %d, of which nothing stood and which one that was given nothing withholds", seed, in.Tick, v, s)
					case int32(end-in.Tick) < 0 && !saw[[2]int{v, s}]:
						t.Fatalf("seed %d, tick %d: viewer %d is sent subject %d, which stood until tick %d: it is held for longer than was said", seed, in.Tick, v, s, end)
					}
				}
			}
		}
	}
}
