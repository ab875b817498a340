// Package deaddrop is the default policy: an enemy is sent while a line between
// the two bodies is clear, or will be in a moment, and a moment longer.
//
// In this order, for a pair within range_m metres of each other, or of which one has
// the other in the cone of its optic (kit.Cones) and is told alone:
//
//  1. closer than reach_m: sent, whatever is between them;
//  2. a clear line between the two bodies (kit.Bodies): eye to eye, eye to chest
//     either way, eye to eye with both moved ahead by the horizon; within near_m, which
//     is the whole range, also the lines of a body's edges, from eyes moved ahead as well,
//     and of one of the two moved ahead: sent;
//  3. a line was clear within the last hold_ms: sent.
//
// The world's solid parts and fully closed doors block a line; glass, clip brushes
// and a door that is ajar do not. Nobody is moved ahead through a wall.
//
// The horizon of a viewer is its round trip, its jitter, a tick, the server's input
// buffer and the delay of its picture, at most horizon_ms; a pair is looked at with
// the longer of the two. From an eye moved ahead to shoulders it is a frame of the
// client in place of the delay of the picture: whoever runs past a corner sees others
// where they stood. So it is to chests, feet and tops of heads.
//
// A pair has one answer, the same for both. It is remembered:
//
//   - A clear pair is tested again when half of its hold has passed, the line
//     first that was clear the last time.
//   - A hidden pair is tested again in the next tick (retest_far_ms), one with a
//     thing that lies still after retest_thing_ms. Each of its lines is first held
//     against what blocked it the last time, which costs a twentieth of a ray and is
//     not counted as one; only a line that this does not block any more is searched.
//     Before that, one solid or a ridge of the terrain that blocks all of them is found
//     for the price of two or three (trace.Scene.HidesAll).
//   - A door that opens or closes near the line makes a pair due at once.
//
// Somebody who is sent is told of as often as possible up to full_m, and beyond at
// mid_hz and far_hz; through an optic those distances, and near_m, are divided by its
// magnification. (The engine lifts that for whoever is aimed at or shoots.)
//
// Rays are counted and capped (rays_per_tick). Pairs that were never tested go
// first, on first_rays of the cap; then those that have waited for 500 ms, then
// the nearest. A pair for which no ray is left keeps its answer; one without an
// answer is sent or not as untested says.
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
		Version: "4",
		Help:    "Sends whoever is in a line of sight, will be or was a moment ago, or is within arm's reach.",
		Schema: append(vis.Schema{
			{Name: "range_m", Default: vis.DefaultRange, Min: 0, Max: 4096, Unit: "m",
				Help: "Nobody farther away than this is sent; 0 has no limit. Cost: pairs grow with its square."},
			{Name: "reach_m", Default: 1.5, Min: 0, Max: 10, Unit: "m",
				Help: "Closer than this is always sent. Costs nothing."},
			{Name: "hold_ms", Default: 200, Min: 0, Max: 5000, Unit: "ms",
				Help: "How long somebody is still sent after the last clear line. Cost: below 100 ms clear pairs are tested more often."},
			{Name: "near_m", Default: vis.DefaultRange, Min: 0, Max: 4096, Unit: "m",
				Help: "Closer than this, the edges of bodies are looked for as well: tops of heads, shoulders, sides and feet. Source: measured, with 40 m eight times as many frames lack somebody. Cost: up to twenty-two more lines for each pair that near, most of them a twentieth of a ray."},
			{Name: "horizon_ms", Default: 250, Min: 0, Max: 1000, Unit: "ms",
				Help: "How far ahead bodies are moved at most; the viewer's own round trip decides below that. Cost: a line for each pair, and a ray for each body that moves; 0 looks at the present only."},
			{Name: "retest_far_ms", Default: 0, Min: 0, Max: 1000, Unit: "ms",
				Help: "After how long a hidden pair at the edge of the range is tested again, nearer ones sooner in proportion; at 0 all in every tick. Cost: each test of a hidden pair is about a tenth of a microsecond; above 0, whoever becomes visible without being expected to is sent that much later."},
			{Name: "retest_thing_ms", Default: 60, Min: 0, Max: 1000, Unit: "ms",
				Help: "After how long a hidden thing that lies still is tested again. Cost: as retest_far_ms."},
			{Name: "full_m", Default: 60, Min: 0, Max: 4096, Unit: "m",
				Help: "Up to here somebody who is sent is told of as often as possible, and beyond whenever the viewer aims there or shots are fired. Cost: bandwidth."},
			{Name: "mid_m", Default: 150, Min: 0, Max: 4096, Unit: "m",
				Help: "Up to here the updates come at mid_hz, beyond at far_hz. Cost: bandwidth."},
			{Name: "mid_hz", Default: 10, Min: 1, Max: 32, Unit: "Hz",
				Help: "Updates of somebody between full_m and mid_m, in steps of 1/32 s; the longer they take, the later that player is drawn. Cost: about 30 bits each."},
			{Name: "far_hz", Default: 8, Min: 1, Max: 32, Unit: "Hz",
				Help: "Updates of somebody beyond mid_m. Below 8 the picture is so late that at 80 ms of round trip shots fall out of what is rewound."},
			kit.BlindSetting(),
			{Name: "rays_per_tick", Default: 2000, Min: 16, Max: 1e6, Unit: "rays",
				Help: "No more lines than this are searched in a tick; what is left over keeps its answer. Cost: half a microsecond for each on a large map."},
			{Name: "first_rays", Default: 1000, Min: 0, Max: 1e6, Unit: "rays",
				Help: "What of rays_per_tick is for pairs that were never tested, which go first."},
			{Name: "untested", Default: 1, Min: 0, Max: 1, Unit: "yes/no",
				Help: "Whether a pair is sent for which no ray was left since the two met. 1 sends it, so that nobody is missed; costs nothing."},
		}, kit.ConeSchema()...),
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
	p := &policy{
		sight:   vis.NewSight(env.World, env.TickRate),
		rate:    env.TickRate,
		cones:   kit.NewCones(set, env.TickRate),
		far:     float32(set["range_m"]),
		reach:   float32(set["reach_m"]),
		near:    float32(set["near_m"]),
		hold:    kit.Ticks(set["hold_ms"], env.TickRate),
		horizon: float32(set["horizon_ms"]),
		retest:  float32(set["retest_far_ms"]) * float32(env.TickRate) / 1000,
		lying:   max(kit.Ticks(set["retest_thing_ms"], env.TickRate), 1),
		oldest:  kit.Ticks(kit.MaxWaitMS, env.TickRate),
		rays:    int(set["rays_per_tick"]),
		first:   int(set["first_rays"]),
		send:    set["untested"] >= 0.5,
		blind:   set["blind"] >= 0.5,
	}
	p.again = max(p.hold/2, 1)
	p.full, p.mid = float32(set["full_m"]), float32(set["mid_m"])
	p.midEvery, p.farEvery = thirtySeconds(set["mid_hz"]), thirtySeconds(set["far_hz"])
	return p, nil
}

// thirtySeconds is the interval of a rate, as Answers count it.
func thirtySeconds(hz float64) uint8 { return uint8(32/hz + 0.5) }

type policy struct {
	sight *vis.Sight
	rate  int
	pairs kit.Store[memory]
	ahead []float32 // by subject: its viewer's horizon in ms; 0 for a thing
	own   []float32 // the same without the delay of the picture
	paths []path    // by a player's id
	lines kit.Bodies
	// through is what the pair in hand is looked at through: a cloud without smoke.
	through *vis.Sight

	due   kit.Queue
	cones kit.Cones

	far, reach, near float32
	full, mid        float32

	midEvery, farEvery uint8

	horizon     float32 // ms
	retest      float32 // ticks, at the edge of the range
	lying       state.Tick
	hold, again state.Tick
	oldest      state.Tick
	rays, first int
	send        bool
	blind       bool // it counts who is blinded

	lineByLine bool // of tests: no pair is taken for hidden at once
	atOnce     int  // pairs that were
}

// Decide answers for every pair that is asked.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Take(in)
	pairs := p.pairs.Begin(in)
	p.look(in)
	p.due.Begin()
	p.cones.Begin(in)
	for i := range pairs {
		q := &pairs[i]
		a, b := &in.Subjects[q.A], &in.Subjects[q.B]
		if !p.cones.Narrow(q, in, p.far) {
			continue
		}
		if kit.Within(a, b, p.reach) {
			q.Allow(out, vis.ArmsReach, in.Tick+p.hold)
			continue
		}
		m := p.pairs.Of(q)
		if m == nil {
			continue
		}
		if p.isDue(m, a, b, in.Tick) {
			p.due.Add(i, a, b, m.state, in.Tick-m.tested, p.oldest)
			continue
		}
		p.answer(q, m, in, out)
	}
	for _, d := range p.due.Order() {
		q := &pairs[d.Pair]
		m := p.pairs.Of(q)
		limit := p.rays
		if m.state == kit.Untested {
			limit = min(p.first, p.rays)
		}
		p.test(q, m, in, out, limit)
		p.answer(q, m, in, out)
	}
	p.pairs.Bequeath(in, out, p.hold, 0)
}

// Inherits: see vis.Heir.
func (p *policy) Inherits() {}

// answer says of a pair what is known of it.
func (p *policy) answer(q *kit.Pair, m *memory, in *vis.Input, out *vis.Answer) {
	until, held := p.pairs.Held(q, in.Tick, p.hold)
	reason := m.reason
	switch {
	case m.state == kit.Untested && p.send:
		reason, until = vis.Untested, in.Tick
	case m.state == kit.Seen && !held:
		until = in.Tick // no ray was left for it: its answer stands
	case m.state == kit.Seen:
	case held:
		reason = vis.Held
	default:
		return
	}
	a, b := &in.Subjects[q.A], &in.Subjects[q.B]
	far := p.far > 0 && !kit.Within(a, b, p.far)
	if q.ASees >= 0 && p.sees(q.ASees, 0, m, in, &reason, &until) {
		out.Allow(q.ASees, q.B, kit.ConeReason(far, reason), until, p.every(a, b, p.cones.Nearer(q.ASees, b)))
	}
	if q.BSees >= 0 && p.sees(q.BSees, 1, m, in, &reason, &until) {
		out.Allow(q.BSees, q.A, kit.ConeReason(far, kit.Turn(reason)), until, p.every(a, b, p.cones.Nearer(q.BSees, a)))
	}
}

// sees reports whether a viewer of a pair is told what the pair's answer is. One who is
// blinded is not told of what it did not know when that began, and of the others until
// their hold is over.
func (p *policy) sees(v, side int, m *memory, in *vis.Input, reason *vis.Reason, until *state.Tick) bool {
	w := &m.saw[side]
	if !p.blind || !kit.Blind(in, v) {
		w.any, w.until = true, *until
		return true
	}
	if !w.any || int32(w.until-in.Tick) < 0 {
		w.any = false
		return false
	}
	*reason, *until = vis.Held, w.until
	return true
}

// every is how rarely somebody is told of another who is so far off, and brought nearer
// by an optic.
func (p *policy) every(a, b *vis.Subject, nearer float32) uint8 {
	switch {
	case kit.Within(a, b, float32(p.full*nearer)), flies(a), flies(b):
		return 0
	case kit.Within(a, b, float32(p.mid*nearer)):
		return p.midEvery
	}
	return p.farEvery
}

// flies reports whether a subject is a thing that moves: too fast to be told of
// rarely.
func flies(s *vis.Subject) bool { return s.Kind != state.KindPlayer && !isLying(s) }
