package tables

// KeptSets is how many Sets a Timeline remembers: those in which a rewind, a replay or
// a late spectator can still be, and those that are to come.
const KeptSets = 16

// Timeline is which Set holds in which tick of a match. Ticks wrap: all that it holds
// must lie within half of what a tick counts. The zero Timeline holds nothing.
type Timeline struct {
	sets [KeptSets]Set
	from [KeptSets]uint32
	n    int // sets that are kept, oldest first
}

// Reset forgets everything and begins with s, which holds from the first tick on.
func (l *Timeline) Reset(s *Set, from uint32) {
	l.sets[0], l.from[0], l.n = *s, from, 1
}

// Add makes s hold from a tick on, in place of what was to hold then and after. The
// oldest is forgotten when there is no room.
func (l *Timeline) Add(s *Set, from uint32) {
	if l.n == KeptSets {
		copy(l.sets[:], l.sets[1:])
		copy(l.from[:], l.from[1:])
		l.n--
	}
	l.sets[l.n], l.from[l.n] = *s, from
	l.n++
}

// At returns the Set of a tick: of those that hold by then the one that was added last.
// For a tick before all that is kept it is the oldest; nil when there is none. It is
// only read, and stays as it is until the next Add or Reset.
func (l *Timeline) At(tick uint32) *Set {
	if l.n == 0 {
		return nil
	}
	for i := l.n - 1; i > 0; i-- {
		if int32(tick-l.from[i]) >= 0 {
			return &l.sets[i]
		}
	}
	return &l.sets[0]
}

// Last returns the Set that was added last, and the tick from which it holds; nil when
// there is none.
func (l *Timeline) Last() (*Set, uint32) {
	if l.n == 0 {
		return nil, 0
	}
	return &l.sets[l.n-1], l.from[l.n-1]
}

// Next returns the first tick after one from which another Set holds, and false when
// none follows.
func (l *Timeline) Next(tick uint32) (uint32, bool) {
	next, ok := uint32(0), false
	for i := 1; i < l.n; i++ {
		if d := int32(l.from[i] - tick); d > 0 && (!ok || d < int32(next-tick)) {
			next, ok = l.from[i], true
		}
	}
	return next, ok
}
