// Package nearby is the smallest policy that hides somebody, for reading: README.md of
// game/vis teaches with it. Whoever a line is clear to is sent, and a second longer.
package nearby

import (
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

type policy struct {
	pairs kit.Pairs
	sight *vis.Sight
}

// New returns the policy.
func New(env vis.Env) (vis.Policy, error) {
	return &policy{sight: vis.NewSight(env.World, env.TickRate)}, nil
}

// Decide permits whom a line was clear to within the last second.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Take(in)
	second := kit.Ticks(1000, in.TickRate)
	pairs := p.pairs.Begin(in)
	for i := range pairs {
		q := &pairs[i]
		a, b := &in.Subjects[q.A], &in.Subjects[q.B]
		if line, rays := kit.Lines(p.sight, a, b); line != vis.Hidden {
			out.Rays += rays
			p.pairs.See(q, in.Tick)
		}
		if until, held := p.pairs.Held(q, in.Tick, second); held {
			q.Allow(out, vis.Held, until)
		}
	}
}
