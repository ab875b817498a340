package kit

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Entrances are the places where a level is entered.
type Entrances struct {
	Seed   uint64
	Spawns []rules.Spawn

	tick  state.Tick
	taken []vec.V3 // where somebody is about to enter in this tick
}

// Who asks for a place.
type Who struct {
	ID   state.ID
	Team uint8 // whose living are no threat; 0: everyone is one
	Side uint8 // of the spawns that are wanted; 0: any
}

// choice is how many of the places that are farthest from every threat are drawn
// from: always the farthest one could be waited at.
const choice = 3

// tooClose is a distance in metres at which an arrival would kill who stands there.
const tooClose = 1.5

const nobody = float32(1e30)

// Tick begins a tick: nobody is about to enter.
func (e *Entrances) Tick(tick state.Tick) { e.tick, e.taken = tick, e.taken[:0] }

// Pick draws a place for somebody among those that are farthest from the living
// whom it should fear and from those about to enter. Places too close to somebody
// are used only when there are no others, and then a step beside. Spawns must not be
// empty.
func (e *Entrances) Pick(in *rules.TickIn, who Who) rules.Spawn {
	var best [choice]int
	var far [choice]float32
	n, empty := 0, 0
	own := e.sided(who.Side)
	for i := range e.Spawns {
		if own && e.Spawns[i].Team != who.Side {
			continue
		}
		dist := e.clearance(in, who, e.Spawns[i].Pos)
		if dist == nobody {
			empty++
		}
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
	r := vec.NewRand(e.Seed, uint64(e.tick), uint64(who.ID))
	var sp rules.Spawn
	switch {
	case empty > choice: // no threat on the whole level: anywhere
		sp = e.anywhere(in, who, own, r.Intn(empty))
	case free > 0:
		sp = e.Spawns[best[r.Intn(free)]]
	default:
		sp = e.beside(in, who, own, best[0], &r)
	}
	e.taken = append(e.taken, sp.Pos)
	return sp
}

// anywhere returns the k-th of the places that have no threat.
func (e *Entrances) anywhere(in *rules.TickIn, who Who, own bool, k int) rules.Spawn {
	for i := range e.Spawns {
		if own && e.Spawns[i].Team != who.Side || e.clearance(in, who, e.Spawns[i].Pos) != nobody {
			continue
		}
		if k == 0 {
			return e.Spawns[i]
		}
		k--
	}
	return e.Spawns[0]
}

// sided reports whether any place is of a side.
func (e *Entrances) sided(side uint8) bool {
	for i := range e.Spawns {
		if side != 0 && e.Spawns[i].Team == side {
			return true
		}
	}
	return false
}

// clearance returns the squared distance to the nearest threat, and to anybody who
// is nearer than tooClose.
func (e *Entrances) clearance(in *rules.TickIn, who Who, pos vec.V3) float32 {
	near := nobody
	for i := range in.Players {
		row := &in.Players[i]
		if row.ID == who.ID || row.Flags&(state.Dead|state.Spectating) != 0 {
			continue
		}
		near = closer(near, row.Pos.DistSq(pos), who.Team == 0 || row.Team != who.Team)
	}
	for _, t := range e.taken {
		near = closer(near, t.DistSq(pos), who.Team == 0)
	}
	return near
}

func closer(near, dist float32, threat bool) float32 {
	if threat || dist <= tooClose*tooClose {
		return min(near, dist)
	}
	return near
}

// beside looks for a free spot on rings around the places, the narrowest first, and
// returns the place given when there is none. Whether it is in a wall the engine says
// when it drops the operation: another is drawn then.
func (e *Entrances) beside(in *rules.TickIn, who Who, own bool, place int, r *vec.Rand) rules.Spawn {
	first, turn := r.Intn(len(e.Spawns)), r.Intn(8)
	for ring := float32(1); ring <= 3; ring++ {
		for i := range e.Spawns {
			at := e.Spawns[(first+i)%len(e.Spawns)]
			if own && at.Team != who.Side {
				continue
			}
			from := at.Pos
			for k := range 8 {
				at.Pos = from.Mad(float32(ring*(tooClose*1.1)), vec.Forward(float32((turn+k)%8)*45, 0))
				if e.clearance(in, who, at.Pos) > tooClose*tooClose {
					return at
				}
			}
		}
	}
	return e.Spawns[place]
}
