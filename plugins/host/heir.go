package host

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// A process that begins to decide in the middle of a match has seen nothing: whoever
// was seen a moment ago would blink off. What was disclosed before it goes to it with
// every tick until it has decided one (vis.Input.Standing); where it does not take that
// over, it is kept beside its answers here until each hold is over. Either way nobody is
// told of anybody for longer than the answer that permitted it said.

// last is what was decided in the last tick: by the plugin, or by holds and the
// fallback, whoever was later.
func (p *Policy) last() *standing {
	if p.told.ok && (!p.standing.ok || int32(p.told.pairs.tick-p.standing.pairs.tick) > 0) {
		return &p.told
	}
	return &p.standing
}

// inherit names whose disclosures the next tick takes over, in place of this policy's
// own: those of the one that decided before. With anew also a process takes them over
// that has answered already.
func (p *Policy) inherit(from *standing, anew bool) {
	p.from, p.anew = from, anew
}

// bequest returns what the present process has to take over in this tick, none when it
// has decided for itself. Of one that cannot, it is kept beside its answers.
func (p *Policy) bequest(in *vis.Input) []vis.Standing {
	from, anew := p.from, p.anew
	p.from, p.anew = nil, false
	if p.now == nil || p.now.decided && !anew {
		return nil
	}
	if from == nil {
		from = p.last()
	}
	p.heirs = from.stands(in, p.heirs[:0])
	if p.now.inherits {
		p.kept.ok = false
		return p.heirs
	}
	p.kept.copyFrom(from)
	return nil
}

// keep permits in out what this process does not take over by itself.
func (p *Policy) keep(in *vis.Input, out *vis.Answer) {
	if !p.kept.ok {
		return
	}
	p.heirs = p.kept.stands(in, p.heirs[:0])
	p.kept.ok = len(p.heirs) > 0
	for i := range p.heirs {
		s := &p.heirs[i]
		if !out.Permitted(s.Viewer, s.Subject) && in.IsAsked(s.Viewer, s.Subject) {
			out.Allow(s.Viewer, s.Subject, vis.Held, s.Until, s.Interval)
		}
	}
}

// stands appends the pairs of the present input whose hold goes on.
func (st *standing) stands(in *vis.Input, dst []vis.Standing) []vis.Standing {
	if !st.ok || int32(in.Tick-st.pairs.tick) <= 0 {
		return dst
	}
	st.each(in, func(v, s int, p *permit) {
		if p.reason != vis.Untested {
			dst = append(dst, vis.Standing{Viewer: v, Subject: s, Until: p.until, Reason: p.reason, Interval: p.interval})
		}
	})
	return dst
}

// isOver reports whether a hold has run out.
func isOver(until, now state.Tick) bool { return int32(until-now) < 0 }

// copyFrom makes st what another is.
func (st *standing) copyFrom(o *standing) {
	st.ok = o.ok
	st.pairs.copyFrom(&o.pairs)
	st.who = append(st.who[:0], o.who...)
	st.whose = append(st.whose[:0], o.whose...)
}
