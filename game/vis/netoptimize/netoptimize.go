// Package netoptimize is the rule of sv_netoptimize as OpenMoHAA has it, by a
// published reading of its code (the disclosure-timing post; revision 667c50f9).
// It is here to be compared with, so what it gets wrong is kept:
//
//   - A viewer sees a player when a ray from eye to eye is clear, or, in front of the
//     viewer only, one to half the eye's height above the feet. Nothing else of the
//     body is looked for: shins, shoulders and a hand at an edge do not count.
//   - A target that moves, and only such a one, is also looked for with both
//     players moved ahead along their velocities by three frames of the server
//     (150 ms at 20 Hz), through walls if that is where they lead. A viewer who runs
//     at a corner behind which somebody stands still learns of it when it is there.
//   - A lean is worked out and then overwritten: both look from the eye that does not
//     lean.
//   - For 200 ms after a clear ray nothing is traced and the target is sent.
//   - The answer is one way: the one may be sent while the other is not.
//   - In mode 1 whoever is close is sent without a ray: nearer than 640 units, or
//     2,560 for one who stands (at a field of view of 80 degrees).
//   - Beyond the far plane nobody is sent; for one behind the viewer's back it is at
//     a quarter of the way.
//   - Only players are withheld; things go to everybody in range.
//
// Where it differs on purpose: a door that is ajar does not block (here doors are
// drawn on another timeline than the one on which this is decided), a body
// is told of by the engine's own rules where they apply (team, arm's reach is not
// among them), and the frame is a setting instead of the server's tick, so that
// other tick rates keep the published 150 ms.
package netoptimize

import (
	"errors"
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

// Spec names the policy and its settings.
func Spec() vis.Spec {
	return vis.Spec{
		Name:    "netoptimize",
		Version: "1",
		Help:    "The published rule of OpenMoHAA's sv_netoptimize, with what it gets wrong, to compare with.",
		Schema: vis.Schema{
			{Name: "mode", Default: 2, Min: 0, Max: 2, Unit: "mode",
				Help: "0 sends everybody, 1 sends whoever is close without a ray, 2 looks for everybody. Source: sv_netoptimize."},
			{Name: "grace_ms", Default: 200, Min: 0, Max: 5000, Unit: "ms",
				Help: "How long somebody is still sent, untested, after a clear ray. Source: sv_netoptimize_vistime."},
			{Name: "ahead_ms", Default: 150, Min: 0, Max: 1000, Unit: "ms",
				Help: "How far ahead both are moved when the target moves. Source: three frames of 50 ms."},
			{Name: "far_plane_m", Default: farPlane, Min: 4, Max: 4096, Unit: "m",
				Help: "Nobody farther away than this is sent. Source: 12,000 units where the map sets none, and 128 more."},
			{Name: "fov_deg", Default: 80, Min: 1, Max: 170, Unit: "degrees",
				Help: "The field of view that distances are scaled by. Source: 80 leaves them as they are."},
		},
		New: New,
	}
}

// The published figures, in metres.
const (
	unit      = 1 / float32(level.UnitsPerMetre)
	farPlane  = 12128.0 / level.UnitsPerMetre
	closeM    = 640 * unit // sent without a ray in mode 1
	standing  = 5 * unit   // m/s: slower stands still for that
	standHalf = 0.25       // and counts as this much closer
)

// New returns the policy.
func New(env vis.Env) (vis.Policy, error) {
	set, err := Spec().Schema.Check(env.Settings)
	if err != nil {
		return nil, err
	}
	if env.World == nil {
		return nil, errors.New("netoptimize needs a world to look through")
	}
	return &policy{
		sight: vis.NewSight(env.World, env.TickRate),
		mode:  int(set["mode"]),
		grace: kit.Ticks(set["grace_ms"], env.TickRate),
		ahead: float32(set["ahead_ms"]) / 1000,
		far:   float32(set["far_plane_m"]),
		scale: float32(set["fov_deg"]) / 80,
	}, nil
}

type policy struct {
	sight *vis.Sight
	mode  int
	grace state.Tick
	ahead float32 // seconds
	far   float32
	scale float32
	pairs kit.Store[memory]
	fwd   []vec.V3 // by subject: where a viewer looks
}

// memory is until when each of the two is sent the other without a test: first
// the one with the lower id.
type memory [2]struct {
	set   bool
	heir  bool // by the word of whoever decided before
	until state.Tick
}

// Decide answers for every pair that is asked, each way by itself.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Take(in)
	pairs := p.pairs.Begin(in)
	p.fwd = slices.Grow(p.fwd[:0], len(in.Subjects))[:len(in.Subjects)]
	for i := range in.Viewers {
		if s := in.Viewers[i].Subject; s >= 0 && s < len(in.Subjects) {
			p.fwd[s] = vec.Forward(in.Subjects[s].Yaw, in.Subjects[s].Pitch)
		}
	}
	for i := range pairs {
		q := &pairs[i]
		m := p.pairs.Of(q)
		if m == nil {
			continue
		}
		low := 0
		if in.Subjects[q.B].ID < in.Subjects[q.A].ID {
			low = 1
		}
		if q.ASees >= 0 {
			p.look(in, out, q, q.ASees, q.A, q.B, m, low)
		}
		if q.BSees >= 0 {
			p.look(in, out, q, q.BSees, q.B, q.A, m, 1-low)
		}
	}
}

// Inherits: see vis.Heir.
func (p *policy) Inherits() {}

// look decides whether the viewer in row v, subject a, is sent subject b.
func (p *policy) look(in *vis.Input, out *vis.Answer, q *kit.Pair, v, a, b int, m *memory, way int) {
	grace := &m[way]
	from, to := &in.Subjects[a], &in.Subjects[b]
	allow := func(r vis.Reason) {
		grace.set, grace.heir, grace.until = true, false, in.Tick+p.grace
		out.Allow(v, b, r, in.Tick+p.grace, 0)
	}
	fwd := p.fwd[a]
	near, beyond := p.distance(from, to, fwd)
	switch {
	case beyond:
		return
	case to.Kind != state.KindPlayer || p.mode == 0:
		out.Allow(v, b, vis.Open, in.Tick, 0)
		return
	case p.mode == 1 && near:
		allow(vis.Open)
		return
	}
	if until, ok := p.pairs.Inherited(q, in, a, b, p.grace); ok && (!grace.set || grace.heir) {
		grace.set, grace.heir, grace.until = true, true, until
	}
	switch {
	case grace.set && int32(grace.until-in.Tick) > 0:
		out.Allow(v, b, vis.Held, grace.until, 0)
		return
	}
	grace.set = false
	eye, target := upright(from), upright(to)
	front := fwd.Dot(target.Sub(eye)) >= 0
	lower := (to.Eye.Z - to.Pos.Z) / 2
	if r := p.ray(out, eye, target, lower, front); r != vis.Hidden {
		allow(r)
		return
	}
	if !(to.Vel.LenSq() > 0) {
		return
	}
	if p.ray(out, eye.Mad(p.ahead, from.Vel), target.Mad(p.ahead, to.Vel), lower, front) != vis.Hidden {
		allow(vis.Predicted)
	}
}

// ray is one ray, and one to a lower place of what is in front.
func (p *policy) ray(out *vis.Answer, a, b vec.V3, lower float32, front bool) vis.Reason {
	out.Rays++
	if p.sight.Bare().Clear(a, b) {
		return vis.EyeEye
	}
	if !front {
		return vis.Hidden
	}
	out.Rays++
	b.Z -= lower
	if p.sight.Bare().Clear(a, b) {
		return vis.EyeChest
	}
	return vis.Hidden
}

// distance classifies a target: near enough to be sent without a ray in mode 1, or
// beyond the far plane.
func (p *policy) distance(from, to *vis.Subject, fwd vec.V3) (near, beyond bool) {
	mid, radius := to.Pos, float32(0)
	if to.Box != (vec.Box{}) && !to.Box.IsEmpty() {
		mid, radius = to.Box.Center(), to.Box.Size().Len()/2
	}
	d := from.Eye.Sub(mid)
	length := d.Len() - radius
	if length >= p.far {
		return false, true
	}
	scaled := p.scale * length
	if to.Kind == state.KindPlayer && to.Vel.Len() < standing {
		scaled *= standHalf
	}
	if scaled <= closeM {
		return true, false
	}
	// d points away from the target: this grows as the viewer turns its back.
	dot := max(fwd.Dot(d.Unit())+0.5, 0)
	return false, scaled*(dot*2+1) >= p.far
}

// upright is the eye of a body that does not lean.
func upright(s *vis.Subject) vec.V3 { return vec.V3{X: s.Pos.X, Y: s.Pos.Y, Z: s.Eye.Z} }
