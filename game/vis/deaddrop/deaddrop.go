// Package deaddrop is the default policy: an enemy is sent while a line between
// the two bodies is clear, and a moment longer.
//
// In this order, for a pair within range_m metres of each other:
//
//  1. closer than reach_m: sent, whatever is between them;
//  2. a clear line from eye to eye, or from eye to chest either way: sent;
//  3. a line was clear within the last hold_ms: sent.
//
// The world's solid parts and fully closed doors block a line; glass, clip brushes
// and a door that is ajar do not. A pair has one answer, the same for both, and is
// tested in every tick in which it is asked, so none waits for its first test.
package deaddrop

import (
	"errors"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

// Spec names the policy and its settings.
func Spec() vis.Spec {
	return vis.Spec{
		Name:    "deaddrop",
		Version: "1",
		Help:    "Sends whoever is in a line of sight, was a moment ago, or is within arm's reach.",
		Schema: vis.Schema{
			{Name: "range_m", Default: vis.DefaultRange, Min: 0, Max: 4096, Unit: "m",
				Help: "Nobody farther away than this is sent; 0 has no limit."},
			{Name: "reach_m", Default: 1.5, Min: 0, Max: 10, Unit: "m",
				Help: "Closer than this is always sent."},
			{Name: "hold_ms", Default: 200, Min: 0, Max: 5000, Unit: "ms",
				Help: "How long somebody is still sent after the last clear line."},
		},
		New: New,
	}
}

// New returns the policy.
func New(env vis.Env) (vis.Policy, error) {
	set, err := Spec().Schema.Check(env.Settings)
	if err != nil {
		return nil, err
	}
	if env.World == nil {
		return nil, errors.New("deaddrop needs a world to look through")
	}
	return &policy{
		sight: vis.NewSight(env.World, env.TickRate),
		far:   float32(set["range_m"]),
		reach: float32(set["reach_m"]),
		hold:  kit.Ticks(set["hold_ms"], env.TickRate),
	}, nil
}

type policy struct {
	sight      *vis.Sight
	pairs      kit.Pairs
	far, reach float32
	hold       state.Tick
}

func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Update(in.Doors, in.Tick)
	pairs := p.pairs.Begin(in)
	for i := range pairs {
		q := &pairs[i]
		a, b := &in.Subjects[q.A], &in.Subjects[q.B]
		if p.far > 0 && !kit.Within(a, b, p.far) {
			continue
		}
		if kit.Within(a, b, p.reach) {
			q.Allow(out, vis.ArmsReach, in.Tick+p.hold)
			continue
		}
		line, rays := kit.Lines(p.sight, a, b)
		out.Rays += rays
		if line != vis.Hidden {
			p.pairs.See(q, in.Tick)
			q.Allow(out, line, in.Tick+p.hold)
			continue
		}
		if until, held := p.pairs.Held(q, in.Tick, p.hold); held {
			q.Allow(out, vis.Held, until)
		}
	}
}
