package duel

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// choice is how many of the spawns that are farthest from everybody are drawn
// from: always the farthest one could be waited at.
const choice = 3

// tooClose is a distance in metres at which an arrival would kill who stands
// there.
const tooClose = 1.5

// enter asks for a new life.
func (d *Rules) enter(in *rules.TickIn, id state.ID, ops []rules.Op) []rules.Op {
	p := &d.players[id]
	sp := d.pick(in, id)
	d.taken = append(d.taken, sp.Pos)
	p.wants, p.asked, p.askedAt, p.entered = false, true, d.tick, true
	ops = append(ops, rules.Op{Kind: rules.OpSpawn, ID: id, Pos: sp.Pos, Yaw: sp.Yaw})
	flags := rules.Op{Kind: rules.OpSetFlags, ID: id, Flags2: stop}
	if d.limits.protect > 0 {
		p.guarded, p.guardEnds = true, d.tick+1+d.limits.protect
		flags.Flags, flags.Flags2 = state.Invulnerable, stop&^state.Invulnerable
	}
	return append(ops, flags)
}

// pick draws one of the spawns that are farthest from the living and from those
// about to enter. Spawns too close to somebody are used only when there are no
// others.
func (d *Rules) pick(in *rules.TickIn, id state.ID) rules.Spawn {
	var best [choice]int
	var far [choice]float32
	n := 0
	for i := range d.spawns {
		dist := d.clearance(in, id, d.spawns[i].Pos)
		at := n
		for at > 0 && dist > far[at-1] {
			at--
		}
		if at == choice {
			continue
		}
		n = min(n+1, choice)
		copy(best[at+1:n], best[at:n-1])
		copy(far[at+1:n], far[at:n-1])
		best[at], far[at] = i, dist
	}
	free := 0
	for free < n && far[free] > tooClose*tooClose {
		free++
	}
	r := vec.NewRand(d.seed, uint64(d.tick), uint64(id))
	if n := len(d.spawns); free > 0 && far[0] == nobody {
		return d.spawns[r.Intn(n)] // an empty level: anywhere
	}
	return d.spawns[best[r.Intn(max(free, 1))]]
}

const nobody = float32(1e30)

// clearance returns the squared distance to whoever is nearest.
func (d *Rules) clearance(in *rules.TickIn, id state.ID, pos vec.V3) float32 {
	near := nobody
	for i := range in.Players {
		row := &in.Players[i]
		if row.ID != id && row.Flags&(state.Dead|state.Spectating) == 0 {
			near = min(near, row.Pos.DistSq(pos))
		}
	}
	for _, t := range d.taken {
		near = min(near, t.DistSq(pos))
	}
	return near
}
