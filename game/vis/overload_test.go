package vis_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/kit"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// TestUnderTheCapWhoIsLateAndByHowMuch decides a crowd twice, with rays enough and with
// far too few: every tick keeps the cap; what an unlimited policy tells the limited one
// tells as well, at most twice as many ticks later as a pair waits before it goes
// before the nearer ones; and it is the far ones who wait. What one more player
// costs changes the answers about others for no longer.
func TestUnderTheCapWhoIsLateAndByHowMuch(t *testing.T) {
	const players, ticks = 20, 300
	oldest := int(kit.Ticks(kit.MaxWaitMS, 64))
	for _, c := range []struct {
		spec  vis.Spec
		limit int
	}{{deaddrop.Spec(), 24}, {reach.Spec(), 120}, {screen.Spec(), 80}} {
		spec, limit := c.spec, c.limit
		set := vis.Settings{"rays_per_tick": float64(limit), "first_rays": float64(limit) / 2, "untested": 0}
		if spec.Name != "deaddrop" {
			for k, v := range runs {
				set[k] = v
			}
		}
		g := newCrowd(t, *seed+90, players, spec, set)
		q, err := spec.New(vis.Env{World: g.world, TickRate: 64, Settings: set})
		if err != nil {
			t.Fatal(err)
		}
		without := vis.Inline(q)
		set["rays_per_tick"], set["first_rays"] = 1e6, 1e6
		p, err := spec.New(vis.Env{World: g.world, TickRate: 64, Settings: set})
		if err != nil {
			t.Fatal(err)
		}
		free := vis.Inline(p)
		other := map[[2]int]int{}
		differ, longestOther := 0, 0
		wait := map[[2]int]int{}
		var late, longest, capped int
		most, total := 0, 0 // rays of an unlimited tick
		var far, near [2]int
		for range ticks {
			g.step()
			free.Submit(&g.in)
			all := free.Collect()
			asked := slices.Clone(g.in.Asked)
			for v := range g.in.Viewers { // as if the last player were not there
				g.in.Asked[v*g.in.Words+(players-1)/64] &^= 1 << ((players - 1) % 64)
				if v == players-1 {
					clear(g.in.Asked[v*g.in.Words : (v+1)*g.in.Words])
				}
			}
			without.Submit(&g.in)
			less := without.Collect()
			copy(g.in.Asked, asked)
			for v := range players - 1 {
				for s := range players - 1 {
					k := [2]int{v, s}
					if v == s || less.Permitted(v, s) == g.ans.Permitted(v, s) {
						other[k] = 0
						continue
					}
					differ++
					other[k]++
					longestOther = max(longestOther, other[k])
				}
			}
			most, total = max(most, all.Rays), total+all.Rays
			if g.ans.Rays > limit {
				t.Fatalf("%s: %d rays in a tick", spec.Name, g.ans.Rays)
			}
			if g.ans.Rays+2 >= limit {
				capped++
			}
			for v := range g.goal {
				for s := range g.goal {
					k := [2]int{v, s}
					missing := all.Permitted(v, s) && !g.ans.Permitted(v, s)
					if !missing {
						wait[k] = 0
						continue
					}
					late++
					wait[k]++
					longest = max(longest, wait[k])
				}
			}
			for v := range g.goal {
				for s := range g.goal {
					d := &far
					if g.in.Subjects[v].Pos.Dist(g.in.Subjects[s].Pos) < 15 {
						d = &near
					}
					if all.Permitted(v, s) {
						d[0]++
						if !g.ans.Permitted(v, s) {
							d[1]++
						}
					}
				}
			}
		}
		// A pair goes before the nearer ones when it has waited for that long; then all that
		// have waited are before it, nearest first, which takes as long again where the
		// cap is half of what is needed.
		bound := 2 * oldest
		t.Logf("%s: %d of %d ticks at the cap of %d (unlimited: %d on average, %d at most); %d late pair ticks, the longest %d ticks, bound %d; within 15 m %d of %d, beyond %d of %d",
			spec.Name, capped, ticks, limit, total/ticks, most, late, longest, bound, near[1], near[0], far[1], far[0])
		t.Logf("%s: without one of them %d pair ticks of others are different, the longest %d ticks", spec.Name, differ, longestOther)
		if longestOther > bound {
			t.Errorf("%s: what one player costs changes the answer of others for %d ticks, the bound is %d", spec.Name, longestOther, bound)
		}
		if capped < ticks/10 {
			t.Errorf("%s: the cap was reached in %d ticks: nothing is tested", spec.Name, capped)
		}
		if longest > bound {
			t.Errorf("%s: somebody is told %d ticks late, the bound is %d", spec.Name, longest, bound)
		}
		if late > 0 && near[1]*far[0] > far[1]*near[0] {
			t.Errorf("%s: the near wait rather than the far: %v, %v", spec.Name, near, far)
		}
	}
}
