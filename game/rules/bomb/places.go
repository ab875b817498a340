package bomb

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/vec"
)

// zoneName is what a level calls a site.
const zoneName = "bombsite"

// siteHalf and siteHigh are the size of a site that a level does not mark, metres.
const siteHalf, siteHigh = 3, 3

// places returns where the sides enter, and the sites.
func places(m *rules.Match) ([]rules.Spawn, []vec.Box) {
	spawns := append([]rules.Spawn(nil), m.Spawns...)
	marked := [3]bool{}
	for i := range spawns {
		if spawns[i].Team < 3 {
			marked[spawns[i].Team] = true
		}
	}
	if !marked[1] || !marked[2] {
		divide(spawns)
	}
	var sites []vec.Box
	for i := range m.Zones {
		if m.Zones[i].Name == zoneName {
			sites = append(sites, m.Zones[i].Box)
		}
	}
	if len(sites) == 0 {
		sites = invent(spawns)
	}
	return spawns, sites
}

// divide gives every place to the nearer of the two that are farthest apart.
func divide(spawns []rules.Spawn) {
	a, d, far := 0, 1, float32(-1)
	for i := range spawns {
		for j := i + 1; j < len(spawns); j++ {
			if dist := spawns[i].Pos.DistSq(spawns[j].Pos); dist > far {
				a, d, far = i, j, dist
			}
		}
	}
	for i := range spawns {
		spawns[i].Team = 1
		if spawns[i].Pos.DistSq(spawns[d].Pos) < spawns[i].Pos.DistSq(spawns[a].Pos) {
			spawns[i].Team = 2
		}
	}
	spawns[a].Team, spawns[d].Team = 1, 2
}

// invent makes sites of the two places of the defenders that are farthest from all of
// the attackers'.
func invent(spawns []rules.Spawn) []vec.Box {
	best, far := [2]int{-1, -1}, [2]float32{-1, -1}
	for i := range spawns {
		if spawns[i].Team != 2 {
			continue
		}
		near := float32(1e30)
		for j := range spawns {
			if spawns[j].Team == 1 {
				near = min(near, spawns[i].Pos.DistSq(spawns[j].Pos))
			}
		}
		switch {
		case near > far[0]:
			best, far = [2]int{i, best[0]}, [2]float32{near, far[0]}
		case near > far[1]:
			best[1], far[1] = i, near
		}
	}
	var sites []vec.Box
	for _, i := range best {
		if i >= 0 {
			at := spawns[i].Pos
			sites = append(sites, vec.Box{
				Min: vec.V3{X: at.X - siteHalf, Y: at.Y - siteHalf, Z: at.Z - 1},
				Max: vec.V3{X: at.X + siteHalf, Y: at.Y + siteHalf, Z: at.Z + siteHigh},
			})
		}
	}
	return sites
}

// inSite reports whether a place is in one.
func (b *Rules) inSite(p vec.V3) bool {
	for i := range b.sites {
		if b.sites[i].Contains(p) {
			return true
		}
	}
	return false
}
