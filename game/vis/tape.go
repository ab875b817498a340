package vis

import "github.com/sightline-engine/sightline/game/state"

// Tape is what one player was told, tick by tick, as far back as it is long: what who
// watches that player late is told. It holds Views as Build makes them and nothing
// else, so that what it plays is what the player was permitted, and never more. Make
// it with NewTape; one goroutine uses it.
type Tape struct {
	ring []View
	live View // of the last Record, for who came into view since
}

// NewTape makes a Tape of at least so many ticks: of a power of two, since ticks wrap.
// It takes the memory of its Views as they come: Bytes says how much.
func NewTape(ticks int) *Tape {
	n := 1
	for n < ticks {
		n *= 2
	}
	return &Tape{ring: make([]View, n)}
}

// Len returns how many ticks the Tape is long.
func (t *Tape) Len() int { return len(t.ring) }

// Reset empties the Tape, keeping its memory.
func (t *Tape) Reset() {
	for i := range t.ring {
		t.ring[i].taped = false
	}
	t.live.tick, t.live.known, t.live.now = 0, t.live.known[:0], t.live.now[:0]
}

// Record adds what viewer row v is told of a tick, as somebody would be who watched
// it: with its own body and its own noises. Frame and Input must be of one tick, and
// the Answer one that Gate has been through.
func (t *Tape) Record(f *Frame, in *Input, ans *Answer, v int) {
	f.maker.build(f, in, ans, v, &t.live, true)
	slot := &t.ring[f.Tick%state.Tick(len(t.ring))]
	t.live.copyTo(slot)
	slot.taped = true
}

// Replay makes out what was told of a tick, moved to the tick now: all times in it are
// later by as much. own is the client's own state of now; whom it watches and how late
// it is are own's to say. The rest stands as it was, the watched player's delay of
// interpolation included. It reports false, and gives a View with own alone, when the
// Tape does not hold the tick.
func (t *Tape) Replay(of, now state.Tick, own *Own, out *View) bool {
	slot := &t.ring[of%state.Tick(len(t.ring))]
	if !slot.taped || slot.tick != of {
		Blank(now, own, out)
		return false
	}
	interp := slot.own.Interp
	slot.copyTo(out)
	late := now - of
	out.tick, out.own = now, *own
	out.own.Interp = interp
	for i := range out.known {
		k := &out.known[i]
		k.Since += late
		out.now[i].tick = k.Since
		switch k.Kind { // these tell when they began
		case state.KindSmoke:
			k.Stride += uint16(late)
		case state.KindHole:
			k.Stride, k.Pitch = k.Stride+uint16(late), k.Pitch+state.Angle16(late)
		}
	}
	for i := range out.doors {
		out.doors[i].State.Start += late
	}
	for i := range out.pieces {
		out.pieces[i].State.At += late
	}
	return true
}

// Blank makes a View of nothing but the client's own state.
func Blank(now state.Tick, own *Own, out *View) {
	var none View
	none.copyTo(out)
	out.tick, out.own = now, *own
}

// copyTo makes out a copy that shares nothing with v but what nobody writes to. What
// out knew of the ticks before is left as it is.
func (v *View) copyTo(out *View) {
	was := *out
	*out = *v
	out.doored = doorsOf{} // the states may be moved in time
	out.before, out.heard, out.waits = was.before, was.heard, was.waits
	out.known = append(was.known[:0], v.known...)
	out.now = append(was.now[:0], v.now...)
	out.events = append(was.events[:0], v.events...)
	out.doors = append(was.doors[:0], v.doors...)
	out.pieces = append(was.pieces[:0], v.pieces...)
	out.paths = was.paths[:0]
	for i := range out.known {
		out.paths = append(out.paths, out.known[i].Path...)
	}
	from := 0
	for i := range out.known {
		if n := len(out.known[i].Path); n > 0 {
			out.known[i].Path = out.paths[from : from+n : from+n]
			from += n
		}
	}
}

// Bytes of a View without its lists, and of what is in them, at the least.
const (
	viewBytes  = 216
	knownBytes = 80
	sinceBytes = 12
	bodyBytes  = 32
	eventBytes = 44
	doorBytes  = 24
)

// bytes returns about how much memory a View takes.
func (v *View) bytes() int {
	return viewBytes + cap(v.known)*knownBytes + (cap(v.now)+cap(v.before))*sinceBytes + cap(v.paths)*bodyBytes + cap(v.events)*eventBytes + (cap(v.doors)+cap(v.pieces))*doorBytes
}

// Bytes returns about how much memory the Tape takes.
func (t *Tape) Bytes() int {
	n := t.live.bytes()
	for i := range t.ring {
		n += t.ring[i].bytes()
	}
	return n
}
