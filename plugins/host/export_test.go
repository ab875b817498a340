package host

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Standing returns the answer whose holds may go on, nil when there is none. It is for
// the goroutine of Submit and Collect.
func (p *Policy) Standing() *vis.Answer {
	if !p.standing.ok {
		return nil
	}
	st := &p.standing.pairs
	a := &vis.Answer{}
	in := vis.Input{Tick: st.tick, Words: st.words, Subjects: make([]vis.Subject, st.subjects), Viewers: make([]vis.Viewer, len(p.standing.whose))}
	a.Reset(&in)
	for v := range a.Viewers {
		for s := range a.Subjects {
			if x := st.of(v, s); x != nil {
				a.Allow(v, s, x.reason, x.until, x.interval)
			}
		}
	}
	return a
}

// Answers is the shared memory that the plugin writes, nil without one.
func (p *Policy) Answers() []byte {
	l := p.sup.life()
	if l == nil || l.box == nil {
		return nil
	}
	return l.box.Answers()
}

// Stands returns what a process that begins in this tick has to take over. It is for the
// goroutine of Submit and Collect.
func (p *Policy) Stands(in *vis.Input) []vis.Standing { return p.last().stands(in, nil) }

// Saved returns the last state of the plugin that decides.
func (s *RulesStage) Saved() ([]byte, state.Tick, bool) { return s.live.Saved() }

// IsSane is isSane.
func IsSane(o *rules.Op) bool { return isSane(o) }
