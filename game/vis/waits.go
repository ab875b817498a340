package vis

import (
	"slices"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
)

// Who is held out of sight (NoNews) is known, and of what it does meanwhile the viewer
// is told as of the unseen: roughly, and within earshot. Its shots, steps, jumps and
// landings wait: if it is needed again its records tell of them, and once it is no
// longer held they are heard. So none of them is played twice, and none is lost.
const (
	// waitMS is how long a sound waits, by judgement: longer than who is held by the
	// default, and shorter than what would seem late.
	waitMS   = 100
	maxWaits = 32
)

// waiting is what somebody who is held has done.
type waiting struct {
	since state.Tick
	event state.Event
}

// ByRecord reports whether an event of a kind can be told from its actor's records.
func ByRecord(k state.EventKind) bool {
	switch k {
	case state.EvFire, state.EvJump, state.EvLand, state.EvFootstep:
		return true
	}
	return false
}

// isHeld reports whether a subject is permitted, and nothing newer of it is told.
func (b *builder) isHeld(s int) bool {
	return b.ans.Interval[b.v*b.ans.Subjects+s] == NoNews
}

// waits reports whether an event is to wait, and takes it.
func (b *builder) waits(out *View, ev *state.Event) bool {
	if !ByRecord(ev.Kind) || ev.Only != 0 || !ev.Actor.IsPlayer() {
		return false
	}
	s := b.row(ev.Actor)
	if s < 0 || !b.permits(s) || !b.isHeld(s) {
		return false
	}
	if len(out.waits) == maxWaits {
		out.waits = slices.Delete(out.waits, 0, 1)
	}
	out.waits = append(out.waits, waiting{out.tick, *ev})
	return true
}

// hearWaits tells of what has waited, of those who are no longer held.
func (b *builder) hearWaits(out *View, l *hear.Listener) {
	most := state.Tick(max(waitMS*b.in.TickRate/1000, 1))
	n := 0
	for i := range out.waits {
		w := &out.waits[i]
		s := b.row(w.event.Actor)
		held := s >= 0 && b.permits(s)
		switch age := out.tick - w.since; {
		case held && !b.isHeld(s): // its records tell
		case held && age < most:
			out.waits[n] = *w
			n++
		case age <= 2*most:
			if ev, ok := hear.Route(l, b, &w.event); ok {
				out.events = append(out.events, ev)
			}
		}
	}
	out.waits = out.waits[:n]
}

// row returns the subject with an id, -1 when there is none.
func (b *builder) row(id state.ID) int {
	s := int(b.f.index.of(id))
	if s < 0 || s >= len(b.in.Subjects) || b.in.Subjects[s].ID != id {
		return -1
	}
	return s
}
