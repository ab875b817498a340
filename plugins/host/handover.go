package host

import (
	"context"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// handover is a match on its way from one runner of rules to the next.
type handover struct {
	saved   []byte // the state as of tick; nil: none, the next begins afresh
	tick    state.Tick
	entries []entry    // the ticks after it
	whole   bool       // without a state: they are all ticks since the rules began
	due     []rules.Op // decided, and not taken yet
}

// take makes a match that others have run so far this one's. Before the first life.
func (r *Rules) take(h *handover) {
	r.saved, r.savedTick, r.hasSaved, r.ownState = h.saved, h.tick, h.saved != nil, h.saved != nil
	r.feed(h.entries)
	r.due = append(r.due, h.due...)
}

// feed puts ticks behind those of the journal.
func (r *Rules) feed(entries []entry) {
	r.mu.Lock()
	for i := range entries {
		r.journal.entries = append(r.journal.entries, entries[i])
		r.last, r.any = entries[i].tick, true
	}
	l := r.live
	r.mu.Unlock()
	if l != nil {
		signal(l.wake)
	}
}

// hold asks for a state as of the last tick and lets later ticks wait in the journal.
func (r *Rules) hold() {
	r.mu.Lock()
	r.held, r.until, r.wantSave, r.stateless = true, r.last, true, false
	l := r.live
	r.mu.Unlock()
	signal(l.wake)
}

// release lets the ticks go on that hold kept back.
func (r *Rules) release() {
	r.mu.Lock()
	r.held = false
	l := r.live
	r.mu.Unlock()
	signal(l.wake)
}

// isHanded reports whether the state that hold asked for has come.
func (r *Rules) isHanded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held && (r.stateless || r.ownState && r.savedTick == r.until)
}

// handed waits for it with Wait, where nothing depends on a clock.
func (r *Rules) handed() {
	r.guard.Reset(r.cfg.patience())
	defer r.guard.Stop()
	for !r.isHanded() {
		l := r.sup.settle()
		if l == nil {
			return
		}
		select {
		case <-r.got:
		case <-l.dead:
		case <-r.guard.C():
			return
		}
	}
}

// give returns the match as it stands: the last state and the ticks since.
func (r *Rules) give() *handover {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := &handover{tick: r.savedTick, due: append([]rules.Op(nil), r.due...)}
	if r.hasSaved {
		h.saved = append([]byte{}, r.saved...)
	}
	h.entries = r.journal.copied(r.savedTick, r.ownState)
	h.whole = !r.hasSaved && r.journal.lost == 0
	return h
}

// fresh is the match for rules that cannot go on from the state: what nobody has
// answered yet.
func (h *handover) fresh() *handover {
	f := &handover{due: h.due, tick: h.tick}
	for _, e := range h.entries {
		if !e.applied {
			f.entries = append(f.entries, e)
		}
	}
	return f
}

// isOff reports whether the plugin has been given up.
func (r *Rules) isOff() bool {
	r.sup.mu.Lock()
	defer r.sup.mu.Unlock()
	return r.sup.phase == off
}

// starting is rules that another goroutine starts.
type startingRules struct {
	r     *Rules
	from  *handover
	again bool // they are given all ticks since the rules began
	begun []rules.Member
	fresh error // set: they refused the state, and this is why
	err   error
}

// succeed starts a plugin from a handover, or afresh when it refuses the state, or there
// is none. When it is the same rules anew that have saved nothing yet, and all ticks are
// there since they began with begun, it is given those.
func succeed(ctx context.Context, cfg RulesConfig, h *handover, roster, begun []rules.Member, same bool) *startingRules {
	s := &startingRules{from: h, begun: roster}
	cfg.Match.Roster = roster
	cfg.Match.Saved = nil
	if h.saved == nil {
		if s.again = same && h.whole; s.again {
			cfg.Match.Roster, s.begun = begun, begun
		}
		s.r, s.err = startRules(ctx, cfg, nil)
		return s
	}
	if s.r, s.err = startRules(ctx, cfg, &handover{saved: h.saved, tick: h.tick}); s.err == nil {
		return s
	}
	why := s.err
	if cfg.Attach != "" { // one process is one life: it was configured once
		return s
	}
	if s.r, s.err = startRules(ctx, cfg, nil); s.err == nil {
		s.fresh, s.from = why, h.fresh()
	} else {
		s.err = why
	}
	return s
}
