package main

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

// Spec names the policy and its settings. On a server they are vis.newpolicy.range_m and
// so on.
func Spec() vis.Spec {
	return vis.Spec{
		Name: "newpolicy", Version: "0.1.0",
		Help: "Sends whoever is in sight within a range, and for a moment after.",
		Schema: vis.Schema{
			{Name: "range_m", Default: 200, Min: 1, Max: 2000, Unit: "m", Help: "How far anybody is looked for."},
			{Name: "hold_ms", Default: 200, Min: 0, Max: 2000, Unit: "ms", Help: "How long somebody is sent after the last clear line."},
			{Name: "reach_m", Default: 1.5, Min: 0, Max: 10, Unit: "m", Help: "Within which everybody is sent."},
		},
		New: func(env vis.Env) (vis.Policy, error) {
			return &policy{
				sight: vis.NewSight(env.World, env.TickRate),
				far:   float32(env.Settings["range_m"]),
				reach: float32(env.Settings["reach_m"]),
				hold:  sdk.Ticks(env.Settings["hold_ms"], env.TickRate),
			}, nil
		},
	}
}

// policy is what is remembered from tick to tick.
type policy struct {
	sight      *vis.Sight // lines through the level as it is in the tick
	pairs      sdk.Pairs  // when two bodies last saw each other, by their ids
	far, reach float32    // metres
	hold       state.Tick
}

// Decide is called once per tick: in is everything that is so, out is empty and takes
// what is permitted. The same ticks must give the same answers: no clock, no dice but
// sdk.Random of Env.Seed and the tick. Neither in nor out may be kept.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Take(in)
	pairs := p.pairs.Begin(in) // each asked pair once, though both may ask
	for i := range pairs {
		q := &pairs[i]
		a, b := &in.Subjects[q.A], &in.Subjects[q.B]
		switch {
		case sdk.Within(a, b, p.reach):
			q.Allow(out, vis.ArmsReach, in.Tick)
			continue
		case sdk.Within(a, b, p.far):
			line, rays := sdk.Lines(p.sight, a, b)
			out.Rays += rays
			if line != vis.Hidden {
				p.pairs.See(q, in.Tick)
				q.Allow(out, line, in.Tick+p.hold)
				continue
			}
		}
		if until, held := p.pairs.Held(q, in.Tick, p.hold); held {
			q.Allow(out, vis.Held, until)
		}
	}
}
