package kit

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// heir is a hold of the policy before, for one way of a pair: first from the lower id.
type heir struct {
	set   bool
	at    state.Tick // when it was inherited
	until state.Tick
}

// inherit takes over what stands of another policy's answers (vis.Input.Standing). What
// was permitted because the two were at arm's length, or because nobody had looked, says
// nothing of a moment later.
func (p *Store[T]) inherit(in *vis.Input) {
	for i := range in.Standing {
		s := &in.Standing[i]
		if s.Viewer < 0 || s.Viewer >= len(in.Viewers) || s.Subject < 0 || s.Subject >= len(in.Subjects) ||
			s.Reason == vis.ArmsReach || s.Reason == vis.Untested || int32(s.Until-in.Tick) < 0 {
			continue
		}
		a := in.Viewers[s.Viewer].Subject
		if a < 0 || a >= len(in.Subjects) || a == s.Subject {
			continue
		}
		from, to := in.Subjects[a].ID, in.Subjects[s.Subject].ID
		e := p.entryOf(from, to)
		if e < 0 {
			continue
		}
		p.entries[e].heir[lower(from, to)] = heir{set: true, at: in.Tick, until: s.Until}
		if !p.heirs || int32(s.Until-p.heirsEnd) > 0 {
			p.heirs, p.heirsEnd = true, s.Until
		}
	}
}

// lower is 0 for the way from the lower of two ids to the higher, and 1 for the other.
func lower(from, to state.ID) int {
	if from < to {
		return 0
	}
	return 1
}

// Inherited reports whether subject from of the pair was being told of subject to when
// the policy began, and until when that lasts: as the policy before has said, and no
// longer than hold ticks from then.
func (p *Store[T]) Inherited(q *Pair, in *vis.Input, from, to int, hold state.Tick) (until state.Tick, ok bool) {
	if !p.heirs || q.entry < 0 {
		return 0, false
	}
	h := &p.entries[q.entry].heir[lower(in.Subjects[from].ID, in.Subjects[to].ID)]
	if !h.set {
		return 0, false
	}
	until = h.until
	if int32(until-h.at) > int32(hold) {
		until = h.at + hold
	}
	if int32(until-in.Tick) < 0 {
		h.set = false // so that it cannot come back when ticks wrap
		return 0, false
	}
	return until, true
}

// Bequeath permits what was inherited and what out does not permit by itself, with an
// update interval. It is called when all else of the tick is decided; whoever was taken
// out of a pair of the list (Cones.Narrow) stays out.
func (p *Store[T]) Bequeath(in *vis.Input, out *vis.Answer, hold state.Tick, every uint8) {
	if !p.heirs {
		return
	}
	if int32(p.heirsEnd-in.Tick) < 0 {
		p.heirs = false
		return
	}
	for i := range p.list {
		q := &p.list[i]
		p.bequeath(q, in, out, q.ASees, q.A, q.B, hold, every)
		p.bequeath(q, in, out, q.BSees, q.B, q.A, hold, every)
	}
}

func (p *Store[T]) bequeath(q *Pair, in *vis.Input, out *vis.Answer, v, from, to int, hold state.Tick, every uint8) {
	if v < 0 || out.Permitted(v, to) {
		return
	}
	if until, ok := p.Inherited(q, in, from, to, hold); ok {
		out.Allow(v, to, vis.Held, until, every)
	}
}
