package sdk_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/plugintest"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

// scout is a policy made of the SDK's parts, and says only what is new about it: in a band
// of 25 m everybody is sent as soon as seen and in every snapshot, farther off only pairs
// of whom one moves or shoots, every third tick.
type scout struct {
	sight *vis.Sight // lines
	pairs sdk.Pairs  // hold
	cones sdk.Cones  // whoever looks through an optic counts as near
	set   vis.Settings
}

const (
	bandM = 25 // metres
	farM  = 350
)

func (p *scout) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Take(in)
	p.cones.Begin(in)
	hold := sdk.Ticks(p.set["hold_ms"], in.TickRate)
	for _, q := range p.pairs.Begin(in) {
		a, b := &in.Subjects[q.A], &in.Subjects[q.B]
		near, every := sdk.Within(a, b, bandM), uint8(0)
		if !near && !p.cones.Narrow(&q, in, farM) {
			continue
		}
		line, rays := sdk.Lines(p.sight, a, b)
		if out.Rays += rays; line != vis.Hidden && (near || stirs(a) || stirs(b)) {
			p.pairs.See(&q, in.Tick)
		}
		if !near {
			every = 3
		}
		if until, held := p.pairs.Held(&q, in.Tick, hold); held {
			q.AllowEvery(out, vis.Held, until, every)
		}
	}
}

// stirs reports whether somebody draws the eye.
func stirs(s *vis.Subject) bool { return s.Fired || s.Vel.Len2() > 1 }

func scoutSpec() vis.Spec {
	return vis.Spec{
		Name: "scout", Version: "1", Help: "Sends who is near and in sight, and of the others who moves or shoots.",
		Schema: slices.Concat(vis.Schema{{Name: "hold_ms", Default: 300, Max: 2000, Unit: "ms", Help: "How long somebody is still sent."}}, sdk.ConeSchema()),
		New: func(e vis.Env) (vis.Policy, error) {
			return &scout{sight: vis.NewSight(e.World, e.TickRate), cones: sdk.NewCones(e.Settings, e.TickRate), set: e.Settings}, nil
		},
	}
}

// A main of one line makes a plugin of it.
func ExampleServePolicy() {
	main := func() { sdk.ServePolicy(scoutSpec()) }
	_ = main
}

// A policy that is put together from parts keeps the contract.
func TestAPolicyOfParts(t *testing.T) { plugintest.Policy(t, scoutSpec()) }
