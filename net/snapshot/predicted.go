package snapshot

import (
	"fmt"
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// hashEvery is how often the own state's hash is sent, in packets.
const hashEvery = 16

// ErrMismatch says that the own state that a packet leads to is not the server's:
// the client predicted something else, or began with something else. It is an
// ErrNeedFull.
var ErrMismatch = fmt.Errorf("snapshot: own state is not as predicted: %w", ErrNeedFull)

// ErrUnpredicted says that a packet calls the own state as predicted for a tick
// that the client has no prediction of. It is an ErrNeedFull.
var ErrUnpredicted = fmt.Errorf("snapshot: nothing was predicted: %w", ErrNeedFull)

// Predict tells the Decoder where to find the own state that the client predicted
// for a tick, after that tick's command. Without it a packet that leaves the own
// state to the prediction is an ErrUnpredicted. What f returns is only read.
func (d *Decoder) Predict(f func(tick state.Tick) (*state.Player, bool)) { d.predict = f }

// asPredicted reports whether a client that takes the own state of the base, and
// the doors and pieces near it as it knows them there, and runs its commands since, gets to the own
// state of now.
func (e *Encoder) asPredicted(tick, base state.Tick, undisturbed uint16) bool {
	if !e.based || !e.baseDoors || tick-base > state.Tick(undisturbed) {
		return false
	}
	if tick-base > state.Tick(e.tickRate) {
		return false // further back than View.Doors looks
	}
	for i := range e.doors {
		if d := &e.doors[i]; !d.near {
			continue
		} else if d.now != d.last || d.sent && e.baseSeq < d.run {
			return false
		}
	}
	return e.piecesSettled()
}

// parsePlayer reads the own state.
func (d *Decoder) parsePlayer(c *wire.Coder, p, base *packet) error {
	if p.head.Based == 0 {
		c.Player(&p.player, &base.player, 0, d.tickRate)
		return nil
	}
	if c.AsPredicted(false) {
		if c.Err() != nil {
			return c.Err()
		}
		if d.predict == nil {
			return ErrUnpredicted
		}
		own, ok := d.predict(p.tick)
		if !ok {
			return ErrUnpredicted
		}
		p.player = *own
		c.Unpredicted(&p.player, &base.player)
	} else {
		c.Player(&p.player, &base.player, int32(p.tick-base.tick), d.tickRate)
	}
	if p.seq%hashEvery == 0 {
		sum := c.Hash(0)
		if c.Err() == nil && sum != hash(&p.player) {
			return ErrMismatch
		}
	}
	return nil
}

// hash sums up what is predicted of a player.
func hash(p *state.Player) uint16 {
	h := fnv(2166136261)
	for _, v := range [...]float32{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Vel.X, p.Vel.Y, p.Vel.Z} {
		b := math.Float32bits(v)
		h = h.two(uint16(b)).two(uint16(b >> 16))
	}
	h = h.two(uint16(p.Yaw)).two(uint16(p.Pitch)).two(uint16(p.Flags))
	h = h.one(p.Duck).one(uint8(p.Lean)).one(p.WaterLevel).two(uint16(p.Ground))
	h = h.one(p.MoveTimer).one(p.LadderHold).two(p.Stride)
	h = h.one(p.Weapon).one(p.Next).one(p.WTimer).one(p.Shots).one(p.Cool).one(p.ShotSeq).one(p.Owned)
	for _, n := range p.Ammo {
		h = h.two(n)
	}
	for _, n := range p.Mag {
		h = h.one(n)
	}
	h = h.two(p.Reload)
	h = h.one(p.Teleports).one(p.Forced).one(p.Optic).one(p.Raise).two(p.Blind)
	h = h.one(p.Vehicle).one(p.Seat)
	for _, v := range [...]float32{p.Car.Pos.X, p.Car.Pos.Y, p.Car.Pos.Z, p.Car.Vel.X, p.Car.Vel.Y, p.Car.Vel.Z} {
		b := math.Float32bits(v)
		h = h.two(uint16(b)).two(uint16(b >> 16))
	}
	h = h.two(uint16(p.Car.Yaw)).two(uint16(p.Car.Pitch))
	return uint16(h>>16) ^ uint16(h)
}

// fnv is a running FNV-1a.
type fnv uint32

func (h fnv) one(b uint8) fnv  { return (h ^ fnv(b)) * 16777619 }
func (h fnv) two(v uint16) fnv { return h.one(uint8(v)).one(uint8(v >> 8)) }
