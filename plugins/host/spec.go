package host

import (
	"context"
	"fmt"

	"github.com/sightline-engine/sightline/game/vis"
)

// Decide lets the process decide one tick, and waits for it: a Policy with Wait is a
// vis.Policy. Where no answer comes nothing is permitted but what its last answer and the
// fallback do; Stats says so.
func (p *Policy) Decide(in *vis.Input, out *vis.Answer) {
	p.Submit(in)
	copyAnswer(out, p.Collect())
}

// PolicySpec makes a built policy what a linked-in one is: New starts a process of it,
// which loads the level that level makes of the Env; with a nil level it gets none.
// Everything is waited for. end ends the processes that were started; an error of it says
// that one gave no answer.
func PolicySpec(ctx context.Context, cfg Config, level func(vis.Env) (*Level, error)) (spec vis.Spec, end func() error, err error) {
	d, err := Describe(ctx, cfg)
	if err != nil {
		return spec, nil, err
	}
	if d.Kind != "policy" {
		return spec, nil, fmt.Errorf("%s is a %s plugin, and a policy is wanted", d.Path, d.Kind)
	}
	spec = vis.Spec{Name: d.Name, Version: d.Version, Help: d.Help}
	for _, s := range d.Settings {
		spec.Schema = append(spec.Schema, vis.Setting{Name: s.Name, Default: s.Default, Min: s.Min, Max: s.Max, Unit: s.Unit, Help: s.Help})
	}
	var all []*Policy
	spec.New = func(e vis.Env) (vis.Policy, error) {
		pc := PolicyConfig{Config: cfg, Seed: e.Seed, Settings: e.Settings}
		pc.TickRate, pc.Wait = e.TickRate, true
		if level != nil {
			var err error
			if pc.Level, err = level(e); err != nil {
				return nil, err
			}
		}
		p, err := StartPolicy(ctx, pc)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		return p, nil
	}
	return spec, func() (err error) {
		for _, p := range all {
			if s := p.Stats(); s.FromPolicy < s.Ticks && err == nil {
				err = fmt.Errorf("%s: of %d ticks %d were not answered: it ended, or answered nonsense", d.Path, s.Ticks, s.Ticks-s.FromPolicy)
			}
			p.Close()
		}
		all = nil
		return err
	}, nil
}
