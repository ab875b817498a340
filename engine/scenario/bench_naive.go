package scenario

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// naive counts what a plain encoder would have sent one client of the Views that
// the real one was sent, in the same packets: the own state whole in each, every
// event by itself, and of others whole fields behind a bit each where they differ
// from the last View that the client is known to have. No entropy coding, no
// extrapolation, no prediction. What it says is counted, not written.
//
// It is spared what a real one has beside: acknowledgements arrive always, and an
// event is said once.
type naive struct {
	lag   int // packets until one is known to have arrived
	sent  [][]state.Entity
	doors [][]vis.DoorSeen
	n     int
	waits int // bits of events since the last packet
	Bits  int64
	Pkts  int64
}

// naiveLag is 80 ms and a tick at 64 Hz.
const naiveLag = 6

// Bits of what a field is sent in when it is sent.
const (
	naiveHead  = 32 + 8 + 32 + 16 + 8 + 16 // tick, base, command, starved, margin, delay
	naiveID    = 10
	naiveCount = 8 // how many fields follow
	// Place and velocity as floats, two angles, flags and the rest of movement, the
	// weapon's state, eight kinds of rounds, counters, health and armour.
	naiveOwn   = 6*32 + 2*16 + 16 + 8 + 8 + 8 + 16 + 8 + 8 + 16 + 7*8 + 8*16 + 2*8 + 2*16 + 8
	naiveEvent = 8 + 8 + 10 + 10 + 32 + 3*32 + 3*16 + 2*16 // kind, weapon, actor, target, number, place, direction, aim
	naiveDoor  = 12 + 1 + 32 + 16
)

// naiveFields is the width of each field of an entity; place and velocity are
// coordinates of 24 and 16 bits.
var naiveFields = [...]int{24, 24, 24, 16, 16, 16, 16, 16, 16, 8, 8, 8, 8, 4, 8, 8, 10, 8, 8}

// note takes the events of a tick.
func (n *naive) note(v *vis.View) { n.waits += naiveEvent * len(v.Events()) }

// send counts a packet of the View.
func (n *naive) send(v *vis.View) {
	if n.lag == 0 {
		n.lag = naiveLag
	}
	if n.sent == nil {
		n.sent, n.doors = make([][]state.Entity, n.lag+1), make([][]vis.DoorSeen, n.lag+1)
	}
	var base []state.Entity
	var shut []vis.DoorSeen
	if n.n >= n.lag {
		base, shut = n.sent[(n.n-n.lag)%len(n.sent)], n.doors[(n.n-n.lag)%len(n.sent)]
	}
	size := naiveHead + naiveOwn + 8 + n.waits
	n.waits = 0
	now := n.sent[n.n%len(n.sent)][:0]
	known := v.Entities()
	for i := range known {
		now = append(now, known[i].Entity)
	}
	i, k := 0, 0
	for i < len(now) || k < len(base) {
		switch {
		case k == len(base) || i < len(now) && now[i].ID < base[k].ID:
			size += naiveID + 2 + naiveCount + fields(&now[i], &state.Entity{})
			i++
		case i == len(now) || base[k].ID < now[i].ID:
			size += naiveID + 1 // gone
			k++
		default:
			if f := fields(&now[i], &base[k]); f > 0 {
				size += naiveID + 2 + naiveCount + f
			}
			i++
			k++
		}
	}
	size += naiveID // the end
	for i, d := range v.Doors() {
		if i >= len(shut) || shut[i].State != d.State {
			size += naiveDoor
		}
	}
	n.sent[n.n%len(n.sent)] = now
	n.doors[n.n%len(n.sent)] = append(n.doors[n.n%len(n.sent)][:0], v.Doors()...)
	n.n++
	n.Bits += int64((size + 7) / 8 * 8)
	n.Pkts++
}

// fields returns the bits of an entity's fields, 0 when nothing differs: a bit for
// each up to the last that does, and its value where it does.
func fields(e, base *state.Entity) int {
	differs := [...]bool{
		e.Pos.X != base.Pos.X, e.Pos.Y != base.Pos.Y, e.Pos.Z != base.Pos.Z,
		e.Vel.X != base.Vel.X, e.Vel.Y != base.Vel.Y, e.Vel.Z != base.Vel.Z,
		e.Yaw != base.Yaw, e.Pitch != base.Pitch, e.Stride != base.Stride, e.ShotSeq != base.ShotSeq,
		e.Pose != base.Pose, e.Duck != base.Duck, e.Lean != base.Lean, e.Kind != base.Kind, e.Team != base.Team,
		e.Weapon != base.Weapon, e.Owner != base.Owner, e.Teleports != base.Teleports, e.Health != base.Health,
	}
	var mask uint32
	sum := 0
	for i, d := range differs {
		if d {
			mask |= 1 << i
			sum += naiveFields[i]
		}
	}
	if mask == 0 {
		return 0
	}
	return sum + bits.Len32(mask)
}
