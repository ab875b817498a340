// Package open is the policy that most shooters have: everything in range is
// sent, seen or not. It is what the others are measured against.
package open

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

// Spec names the policy and its settings.
func Spec() vis.Spec {
	return vis.Spec{
		Name:    "open",
		Version: "1",
		Help:    "Sends everything in range, whether it can be seen or not.",
		Schema: vis.Schema{{
			Name: "range_m", Default: vis.DefaultRange, Min: 0, Max: 4096, Unit: "m",
			Help: "Nobody farther away than this is sent; 0 has no limit.",
		}},
		New: New,
	}
}

// New returns the policy.
func New(env vis.Env) (vis.Policy, error) {
	set, err := Spec().Schema.Check(env.Settings)
	if err != nil {
		return nil, err
	}
	return &policy{reach: float32(set["range_m"]), serve: kit.Ticks(250, env.TickRate)}, nil
}

type policy struct {
	reach float32
	serve state.Tick // how long an answer stands without a new one
	pairs kit.Pairs
}

// Inherits: nothing is remembered, and so nothing is to be taken over (vis.Heir).
func (p *policy) Inherits() {}

func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	pairs := p.pairs.Begin(in)
	for i := range pairs {
		q := &pairs[i]
		if p.reach == 0 || kit.Within(&in.Subjects[q.A], &in.Subjects[q.B], p.reach) {
			q.Allow(out, vis.Open, in.Tick+p.serve)
		}
	}
}
