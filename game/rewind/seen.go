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
	path           []uint8       // by slot and target: earlier places told with it
	late           []state.Delay // by target
}

// NewSeen makes the memory for players with the ids 1..players.
func NewSeen(players, tickRate int) *Seen {
	return &Seen{players: players, words: players/64 + 1, rate: tickRate, by: make([]*told, players+1)}
}

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
		t = &told{
			in: make([]uint64, n), up: make([]uint64, n), lo: make([]uint64, n), hi: make([]uint64, n),
			path: make([]uint8, window*(s.players+1)), late: make([]state.Delay, s.players+1),
		}
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
	row = k * (s.players + 1)
	clear(t.path[row : row+s.players+1])
}

// TellPath says that the packet tells of the way that somebody new to the client
// came by: so many places, state.PathGap ticks apart.
func (s *Seen) TellPath(shooter, target state.ID, tick state.Tick, places int) {
	if t := s.of(shooter); t != nil && target >= 1 && int(target) <= s.players && t.has(tick) {
		t.path[int(tick%window)*(s.players+1)+int(target)] = uint8(min(max(places, 0), 255))
	}
}

// Tell says that the packet of a tick that was begun has a player in it. updated
// says that it gives the player's state as of the tick, in a detail.
func (s *Seen) Tell(shooter, target state.ID, tick state.Tick, updated bool, detail state.Detail) {
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
	if detail&1 != 0 {
		t.lo[i] |= bit
	}
	if detail&2 != 0 {
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
// is sent more rarely.
func (s *Seen) SetDelay(shooter, target state.ID, d state.Delay) {
	if t := s.of(shooter); t != nil && target >= 1 && int(target) <= s.players {
		t.late[target] = d
	}
}

// Delay returns, in 256ths of a tick, how much longer ago that is when others are
// shown at a tick.
func (s *Seen) Delay(shooter, target state.ID, shown state.Tick) uint32 {
	if t := s.of(shooter); t != nil && target >= 1 && int(target) <= s.players {
		return t.late[target].Back(shown)
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

// entry is one line of what a client remembers of a target: an update, or that the
// target is not disclosed any more.
type entry struct {
	tick state.Tick
	what uint8
	of   state.Tick // the update that told of it: the tick itself, or later for a place of a path
}

// The kinds of entry.
const (
	nothing uint8 = iota
	update
	withdrawn
)

// look is a search through the entries, from new to old.
type look struct {
	s      *Seen
	t      *told
	h      *History
	target state.ID
	at     Time
	above  entry // the last one after the instant
	// A path that reaches back over a withdrawal: its places from i to n are still to
	// be put, as far back as the update before.
	first entry
	i, n  state.Tick
}

// put takes the next older entry; true says that the instant lies after it.
func (l *look) put(e entry) bool {
	if int32(e.tick-l.at.Tick) > 0 {
		l.above = e
		return false
	}
	return true
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
	l := look{s: s, t: t, h: h, target: target, at: at, i: 1}
	sent, arrived := false, false
	var gone entry      // the withdrawal that the newer entries follow
	lostAbsent := false // a packet without the target did not arrive
	last := entry{}     // the oldest update so far: the first of its disclosure, perhaps
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
		switch {
		case !t.got[k]:
			lostAbsent = lostAbsent || !in
			continue
		case !in:
			gone = entry{tick, withdrawn, tick}
			continue
		}
		arrived = true
		if gone.what == nothing && lostAbsent && last.what == update {
			gone = entry{last.tick - 1, withdrawn, last.tick - 1}
		}
		if gone.what != nothing {
			// The disclosure before: the newer one began with a path, which may reach back
			// over the gap.
			if !l.path(last, gone) {
				if back, done := l.back(gone.tick); done {
					return l.drawn(back)
				}
				if l.put(gone) {
					return l.early(Ended)
				}
			}
		}
		gone, lostAbsent = entry{}, false
		if t.up[i]&bit == 0 {
			continue
		}
		if back, done := l.back(tick); done {
			return l.drawn(back)
		}
		last = entry{tick, update, tick}
		if l.put(last) {
			return l.drawn(last)
		}
	}
	if l.i > l.n {
		l.path(last, gone)
	}
	if back, done := l.back(upTo - window); done {
		return l.drawn(back)
	}
	switch {
	case arrived:
		return l.early(Ended)
	case sent:
		return p, false, 0, Lost
	}
	return p, false, 0, Untold
}

// path begins the places that the first update of a disclosure was told with, and
// reports whether they reach back over a withdrawal, which is then dropped.
func (l *look) path(first, gone entry) bool {
	l.first, l.i, l.n = first, 1, 0
	if first.what != update {
		return false
	}
	l.n = state.Tick(l.t.path[int(first.tick%window)*(l.s.players+1)+int(l.target)])
	return l.n > 0 && gone.what != nothing && int32(first.tick-l.gap()*l.n-gone.tick) <= 0
}

func (l *look) gap() state.Tick { return state.Tick(state.PathGap(l.s.rate)) }

// back puts the places of the path that are later than a tick; true with the one
// that the instant lies after.
func (l *look) back(than state.Tick) (entry, bool) {
	for ; l.i <= l.n; l.i++ {
		e := entry{l.first.tick - l.gap()*l.i, update, l.first.tick}
		if int32(e.tick-than) <= 0 {
			break
		}
		if l.put(e) {
			return e, true
		}
	}
	l.n = 0
	return entry{}, false
}

// sample returns an update as the client decoded it: what is stored, on the grid of
// the detail in which it was sent.
func (l *look) sample(e entry) (Sample, bool) {
	b, ok := l.h.Sample(l.target, e.of)
	if !ok {
		return b, false
	}
	if e.tick != e.of { // of a path only place and speed are told
		was, ok := l.h.Sample(l.target, e.tick)
		if !ok {
			return b, false
		}
		b.Pos, b.Vel = was.Pos, was.Vel
	}
	i, n := int(e.of%window)*l.s.words+int(l.target)/64, l.target%64
	b.Coarsen(state.Detail(l.t.lo[i]>>n&1) | state.Detail(l.t.hi[i]>>n&1)<<1)
	return b, true
}

// drawn is the instant after an update.
func (l *look) drawn(from entry) (state.Placed, bool, state.Tick, Sight) {
	a, ok := l.sample(from)
	if !ok {
		return state.Placed{}, false, 0, Ended
	}
	passed := uint32(l.at.Tick-from.tick)*256 + uint32(l.at.Frac)
	if l.above.what == update {
		if b, ok := l.sample(l.above); ok {
			return state.Blend(&a, &b, uint32(l.above.tick-from.tick), passed, l.s.rate), a.Alive, from.tick, Blended
		}
	}
	if passed == 0 {
		return a.Placed(), a.Alive, from.tick, Blended
	}
	return state.Carry(&a, int32(min(passed, 1<<20)), l.s.rate), a.Alive, from.tick, Extended
}

// early is an instant before the first update of a disclosure.
func (l *look) early(otherwise Sight) (state.Placed, bool, state.Tick, Sight) {
	if l.above.what != update {
		return state.Placed{}, false, 0, otherwise
	}
	if int32(l.above.tick-l.at.Tick) > earlyTicks {
		return state.Placed{}, false, 0, Later
	}
	a, ok := l.sample(l.above)
	if !ok {
		return state.Placed{}, false, 0, otherwise
	}
	by := int32(l.above.tick-l.at.Tick)*256 - int32(l.at.Frac)
	return state.Carry(&a, -by, l.s.rate), a.Alive, l.above.tick, Early
}
