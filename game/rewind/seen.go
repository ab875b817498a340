package rewind

import (
	"github.com/sightline-engine/sightline/game/state"
)

// window is how many ticks of packets are remembered for each shooter.
const window = 128

// Seen remembers what each shooter's client was sent of each player: in which
// ticks a packet left, whom it told of, with which detail, and whether it arrived.
// From that follows where that client drew a body at an instant (Look): it knows
// no other places than these.
//
// The server calls Begin for each packet, Tell for each player in it, Arrived when
// it is acknowledged, and Forget when a client comes or goes. Memory of a shooter is
// made at its first packet; nothing else allocates. It belongs to the goroutine of
// the simulation.
type Seen struct {
	players int
	words   int
	rate    int
	grain   func(s *Sample, class uint8)
	by      []*told // by shooter
}

// told is what one client was sent.
type told struct {
	newest state.Tick
	any    bool
	at     [window]state.Tick
	sent   [window]bool
	got    [window]bool
	// Bit rows by slot: the player was in the packet's View; the packet has its state
	// as of its tick; and with which detail, two bits.
	in, up, lo, hi []uint64
	late           []uint16 // by target, 256ths of a tick
}

// NewSeen makes the memory for players with the ids 1..players.
func NewSeen(players, tickRate int) *Seen {
	return &Seen{players: players, words: players/64 + 1, rate: tickRate, grain: Coarse, by: make([]*told, players+1)}
}

// SetGrain says how a client decodes a sample of a class of detail; without it,
// Coarse.
func (s *Seen) SetGrain(f func(s *Sample, class uint8)) { s.grain = f }

func (s *Seen) of(shooter state.ID) *told {
	if shooter < 1 || int(shooter) > s.players {
		return nil
	}
	return s.by[shooter]
}

// Forget drops all that is known of a client, for a new one or a new level.
func (s *Seen) Forget(shooter state.ID) {
	if t := s.of(shooter); t != nil {
		t.any = false
		clear(t.sent[:])
		clear(t.late)
	}
}

// Begin says that a packet of a tick leaves for a shooter. Ticks ascend; more
// packets of one tick are one.
func (s *Seen) Begin(shooter state.ID, tick state.Tick) {
	if shooter < 1 || int(shooter) > s.players {
		return
	}
	t := s.by[shooter]
	if t == nil {
		n := window * s.words
		t = &told{in: make([]uint64, n), up: make([]uint64, n), lo: make([]uint64, n), hi: make([]uint64, n), late: make([]uint16, s.players+1)}
		s.by[shooter] = t
	}
	k := int(tick % window)
	if t.sent[k] && t.at[k] == tick {
		return
	}
	if t.any && int32(tick-t.newest) <= 0 {
		clear(t.sent[:]) // time was set back: nothing of before is comparable
	}
	t.newest, t.any = tick, true
	t.at[k], t.sent[k], t.got[k] = tick, true, false
	row := k * s.words
	for _, bits := range [...][]uint64{t.in, t.up, t.lo, t.hi} {
		clear(bits[row : row+s.words])
	}
}

// Tell says that the packet of a tick that was begun has a player in it. updated
// says that it gives the player's state as of the tick, with a class of detail, 0 to
// 3.
func (s *Seen) Tell(shooter, target state.ID, tick state.Tick, updated bool, class uint8) {
	t := s.of(shooter)
	if t == nil || target < 1 || int(target) > s.players || !t.has(tick) {
		return
	}
	i, bit := int(tick%window)*s.words+int(target)/64, uint64(1)<<(target%64)
	t.in[i] |= bit
	if !updated {
		return
	}
	t.up[i] |= bit
	if class&1 != 0 {
		t.lo[i] |= bit
	}
	if class&2 != 0 {
		t.hi[i] |= bit
	}
}

// Arrived says that the packet of a tick has been acknowledged.
func (s *Seen) Arrived(shooter state.ID, tick state.Tick) {
	if t := s.of(shooter); t != nil && t.has(tick) {
		t.got[tick%window] = true
	}
}

// SetDelay says how much longer ago than others a shooter is shown a target that it
// is sent more rarely, in 256ths of a tick.
func (s *Seen) SetDelay(shooter, target state.ID, late256 uint16) {
	if t := s.of(shooter); t != nil && target >= 1 && int(target) <= s.players {
		t.late[target] = late256
	}
}

// Delay returns what SetDelay said.
func (s *Seen) Delay(shooter, target state.ID) uint32 {
	if t := s.of(shooter); t != nil && target >= 1 && int(target) <= s.players {
		return uint32(t.late[target])
	}
	return 0
}

// Knows reports whether anything was sent to a shooter.
func (s *Seen) Knows(shooter state.ID) bool {
	t := s.of(shooter)
	return t != nil && t.any
}

func (t *told) has(tick state.Tick) bool {
	k := tick % window
	return t.sent[k] && t.at[k] == tick
}

// Sight says how a shooter's client showed a target at an instant.
type Sight uint8

// The ways. Those from Untold on mean that it did not show it.
const (
	Blended  Sight = iota // between two updates
	Extended              // carried on past the last update
	Early                 // on arrival, before its first update
	Untold                // it was never told of it
	Lost                  // it was sent, but nothing had arrived when it shot
	Ended                 // it had been told that it is not there any more
	Later                 // it was told of it only for a time long after
	numSights
)

var sightNames = [numSights]string{"blended", "extended", "early", "never told of", "packet lost or under way", "not disclosed any more", "disclosed later"}

func (s Sight) String() string {
	if s < numSights {
		return sightNames[s]
	}
	return "unknown"
}

// Shown reports whether the target was on the screen.
func (s Sight) Shown() bool { return s < Untold }

// earlyTicks is how long before its first update a target may be drawn.
const earlyTicks = 64

// view is the search of Look: updates from new to old.
type view struct {
	h        *History
	t        Time
	above    state.Tick // the next entry after the instant
	hasAbove bool
	aboveUp  bool // which is an update and not a withdrawal
}

// Look returns where a shooter's client drew a target at an instant, when the
// newest packet it had is that of tick upTo: on the client's own curve between the
// updates that had arrived. The tick is that of the update that begins the curve,
// in whose life the target was. When it was not shown the Placed is empty.
func (s *Seen) Look(h *History, shooter, target state.ID, at Time, upTo state.Tick) (p state.Placed, alive bool, life state.Tick, how Sight) {
	t := s.of(shooter)
	if t == nil || target < 1 || int(target) > s.players || !t.any {
		return p, false, 0, Untold
	}
	v := view{h: h, t: at}
	absent, hasAbsent, lostAbsent, sent, arrived := state.Tick(0), false, false, false, false
	word, bit := int(target)/64, uint64(1)<<(target%64)
	for n := range state.Tick(window) {
		tick := upTo - n
		k := int(tick % window)
		if !t.sent[k] || t.at[k] != tick {
			continue
		}
		i := k*s.words + word
		in := t.in[i]&bit != 0
		sent = sent || in
		if !t.got[k] {
			lostAbsent = lostAbsent || !in
			continue
		}
		if !in {
			absent, hasAbsent = tick, true
			continue
		}
		arrived = true
		if !hasAbsent && lostAbsent && v.hasAbove && v.aboveUp {
			absent, hasAbsent = v.above-1, true
		}
		if hasAbsent {
			if int32(absent-at.Tick) <= 0 {
				return s.early(t, target, &v, Ended)
			}
			v.above, v.hasAbove, v.aboveUp = absent, true, false
		}
		hasAbsent, lostAbsent = false, false
		if t.up[i]&bit == 0 {
			continue
		}
		if int32(tick-at.Tick) > 0 {
			v.above, v.hasAbove, v.aboveUp = tick, true, true
			continue
		}
		return s.drawn(t, target, &v, tick)
	}
	switch {
	case arrived && !v.hasAbove:
		return p, false, 0, Ended // told of so long ago that it is forgotten
	case arrived:
		return s.early(t, target, &v, Ended)
	case sent:
		return p, false, 0, Lost
	}
	return p, false, 0, Untold
}

// sample returns the update of a tick as the client decoded it.
func (s *Seen) sample(t *told, h *History, target state.ID, tick state.Tick) (Sample, bool) {
	b, ok := h.Sample(target, tick)
	if !ok {
		return b, false
	}
	i, n := int(tick%window)*s.words+int(target)/64, target%64
	if class := uint8(t.lo[i]>>n&1) | uint8(t.hi[i]>>n&1)<<1; class != 0 {
		s.grain(&b, class)
	}
	return b, true
}

// drawn is the instant after the update of tick from.
func (s *Seen) drawn(t *told, target state.ID, v *view, from state.Tick) (state.Placed, bool, state.Tick, Sight) {
	a, ok := s.sample(t, v.h, target, from)
	if !ok {
		return state.Placed{}, false, 0, Ended
	}
	passed := uint32(v.t.Tick-from)*256 + uint32(v.t.Frac)
	if v.hasAbove && v.aboveUp {
		if b, ok := s.sample(t, v.h, target, v.above); ok {
			return state.Blend(&a, &b, uint32(v.above-from), passed, s.rate), a.Alive, from, Blended
		}
	}
	if passed == 0 {
		return a.Placed(), a.Alive, from, Blended
	}
	return state.Carry(&a, int32(min(passed, 1<<20)), s.rate), a.Alive, from, Extended
}

// early is an instant before the first update of a disclosure.
func (s *Seen) early(t *told, target state.ID, v *view, otherwise Sight) (state.Placed, bool, state.Tick, Sight) {
	if !v.hasAbove || !v.aboveUp {
		return state.Placed{}, false, 0, otherwise
	}
	if int32(v.above-v.t.Tick) > earlyTicks {
		return state.Placed{}, false, 0, Later
	}
	a, ok := s.sample(t, v.h, target, v.above)
	if !ok {
		return state.Placed{}, false, 0, otherwise
	}
	by := int32(v.above-v.t.Tick)*256 - int32(v.t.Frac)
	return state.Carry(&a, -by, s.rate), a.Alive, v.above, Early
}

// Coarse rounds a sample as the wire does for a class of detail: 0 is near and
// exact; 1, mid, has 1/64 m and angles of 10 bits; from 2 on, far, 1/32 m and 9
// bits. A coarser grid is a shift of the finer one.
func Coarse(s *Sample, class uint8) {
	if class == 0 {
		return
	}
	shift, bits := uint(2), uint(6)
	if class > 1 {
		shift, bits = 3, 7
	}
	s.Pos = state.Q{X: snap(s.Pos.X, shift), Y: snap(s.Pos.Y, shift), Z: snap(s.Pos.Z, shift)}
	s.Yaw = state.Angle16(snap(int32(s.Yaw), bits))
	s.Pitch = state.Angle16(snap(int32(s.Pitch), bits))
}

// snap rounds to the nearest multiple of 1<<shift.
func snap(v int32, shift uint) int32 { return (v + 1<<(shift-1)) >> shift << shift }
