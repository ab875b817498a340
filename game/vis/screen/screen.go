// Package screen is a policy of what an honest screen shows: an enemy is sent when
// it would be in sight on the viewer's screen at a time at which this tick's
// snapshot, and no later one, could show it.
//
// Snapshot s is on the screen when the viewer's own eye is predicted for s + U, and
// others are drawn as they were at s - I. So somebody is needed in it if and only if
//
//	sight( eye of the viewer at s + U + t, target at s - I + t )
//
// holds for some t from 0 to D + m, the target no later than s:
//
//   - U is the viewer's round trip, the server's input buffer, a tick and a frame of
//     the client (frame_ms), at most 250 ms (horizon_ms);
//   - I is the interpolation delay that the server dictates, at most 150 ms;
//   - D is the time to the next possible send: a tick, since a reveal is sent in the
//     tick that decides it, or more at a fixed rate of snapshots;
//   - m covers a lost or late packet: the measured jitter (jitter_times of it), the
//     time to the packet after the next, D or 1/32 s, where more than 0.5 % were lost
//     lately, and margin_ms.
//
// Where the viewer's eye will be is not known: it is any place that the viewer can
// reach in that time (kit.Reach), which for one who stands begins when the commands
// have been run that the server has already (vis.Viewer.StillMS). Where the target is drawn is known exactly: it is the
// way that it came (kit.Paths). Doors are taken as they were when it was there.
//
// It is sampled. In t: at 0 and at D + m, and where these are more than 50 ms apart
// half way between; that each tick is decided anew covers the rest. The eye: where it
// is going (Ahead), its extremes across the line with a lean and half way to these,
// along the line, jumping and ducking, each clipped by the world. The body: head,
// chest, a foot, and the low, middle and upper end of both edges that it shows, each
// edge from the same side of the eye's reach, and all from Ahead. When all lines are
// blocked, and two that are neighbours by different solids, it looks between those as
// well, half way and half of that (kit.Seam), with seam_rays lines at most.
//
// The answer is one way. The hold runs from the last tick in which the target was
// needed, 50 ms, and while it is not needed nothing newer is told of it (vis.NoNews):
// the client has its way up to the last instant that was needed. Pads are
// foreseen; what is not is an explosion's push, and a mover under the feet.
package screen

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

// Spec names the policy and its settings.
func Spec() vis.Spec {
	return vis.Spec{
		Name:    "screen",
		Version: "2",
		Help:    "Sends whoever would be in sight on the viewer's own screen by the time that the snapshot is on it, and nobody sooner.",
		Schema: kit.OneWaySchema(50,
			vis.Setting{Name: "horizon_ms", Default: 250, Min: 0, Max: 1000, Unit: "ms",
				Help: "How far ahead the viewer's own motion is looked at most; its round trip decides below that. Cost: what could be seen grows with it."},
			vis.Setting{Name: "frame_ms", Default: 17, Min: 0, Max: 100, Unit: "ms",
				Help: "How long a frame of the client takes. Source: 60 frames a second. Too little, and whoever comes round a corner is shown late; too much, and sooner than needed."},
			vis.Setting{Name: "jitter_times", Default: 2.5, Min: 0, Max: 8, Unit: "times",
				Help: "How much sooner somebody is sent in case the packet comes late, in times of the measured jitter. Source: as much as the interpolation delay allows for. Cost: a cheat knows that much sooner."},
			vis.Setting{Name: "margin_ms", Default: 0, Min: 0, Max: 250, Unit: "ms",
				Help: "How much sooner somebody is sent beyond what jitter and loss call for. Cost: a cheat knows that much sooner."},
			kit.SeamSetting()),
		New: New,
	}
}

// mostRender is the longest interpolation delay, ms.
const mostRender = 150

// apart is how far apart the samples in time are at most, ms.
const apart = 50

// New returns the policy.
func New(env vis.Env) (vis.Policy, error) {
	set, err := Spec().Schema.Check(env.Settings)
	if err != nil {
		return nil, err
	}
	p := &policy{
		moves: kit.MovesOf(set), rate: env.TickRate, horizon: float32(set["horizon_ms"]),
		tick: 1000 / float32(env.TickRate), frame: float32(set["frame_ms"]),
		late: float32(set["jitter_times"]), margin: float32(set["margin_ms"]),
		players: players(), things: things(),
	}
	p.short = len(p.players) - len(at(2))
	p.seams = kit.Seams(p.players[:p.short])
	if p.pairs, err = kit.NewOneWay(env, set, p); err != nil {
		return nil, err
	}
	p.moves.Pads = env.World.Level().Pads
	p.pairs.NoNews, p.pairs.SeamRays = true, int(set["seam_rays"])
	p.depth = int(kit.Ticks(mostRender, env.TickRate)) + 1
	p.paths, p.sights = kit.NewPaths(p.depth), kit.NewSights(env.World, env.TickRate, p.depth)
	return p, nil
}

type policy struct {
	pairs  *kit.OneWay
	paths  *kit.Paths
	sights *kit.Sights
	moves  kit.Moves
	rate   int

	players, things []kit.Cast
	short           int // of players, without those of half way
	seams           []kit.Seam

	depth int // ticks of history

	tick, horizon, frame, margin float32 // ms
	late                         float32 // times of the jitter
}

// HistoryTicks is how many ticks must have passed before the answers count.
func (p *policy) HistoryTicks() int { return p.depth }

// Decide answers for every pair that is asked.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.paths.Put(in)
	p.sights.Put(in)
	p.pairs.Decide(in, out)
}

// Inherits: see vis.Heir.
func (p *policy) Inherits() {}

// lossy is the share of lost packets from which on one is reckoned with.
const lossy = 0.005

// again is how much later than a reveal the next packet leaves at adaptive rates, ms:
// whoever knows an enemy is sent 32 a second.
const again = 1000.0 / 32

// times returns U, I and D + m of a viewer, in ms, and for how much of U it is known
// to stand.
func (p *policy) times(v *vis.Viewer) (u, i, more, still float32) {
	u = min(number(v.RTTms)+number(v.BufferMS)+p.tick+p.frame, p.horizon)
	i = min(number(v.RenderMS), mostRender)
	send := float32(max(v.SendTicks, 1)) * p.tick
	more = send + min(float32(number(v.JitterMS)*p.late), mostRender) + p.margin
	if v.Loss > lossy {
		more += max(send, again)
	}
	return u, i, more, min(number(v.StillMS), u)
}

// number is a time that was measured, and 0 for what is none.
func number(ms float32) float32 {
	if !(ms > 0) {
		return 0
	}
	return ms
}

// ago returns how many ticks ago a target is drawn, to the older and to the newer
// side.
func (p *policy) ago(ms float32) (older, newer state.Tick) {
	newer = state.Tick(max(ms, 0) / p.tick)
	older = newer
	if float32(float32(newer)*p.tick) < ms {
		older++
	}
	return older, newer
}

// Fill says along which lines a viewer looks at a subject.
func (p *policy) Fill(l *kit.Look, in *vis.Input, v, b int) {
	eye, it := &in.Subjects[in.Viewers[v].Subject], &in.Subjects[b]
	u, i, more, still := p.times(&in.Viewers[v])
	u -= still
	l.Eyes[0].Aim(&p.moves, eye, it.Eye, u/1000)
	l.Eyes[1].Aim(&p.moves, eye, it.Eye, (u+more)/1000)
	l.Move.Still(it)
	first, _ := p.ago(i)
	_, last := p.ago(i - more)
	p.set(l, 0, it, first)
	p.set(l, 1, it, last)
	mid := more > apart
	if mid {
		l.Eyes[2].Aim(&p.moves, eye, it.Eye, (u+more/2)/1000)
		_, at := p.ago(i - more/2)
		p.set(l, 2, it, at)
	}
	l.Seams = p.seams
	switch {
	case it.Kind != state.KindPlayer && !it.IsCloud():
		l.Casts, l.Seams = p.things, nil
	case mid:
		l.Casts = p.players
	default:
		l.Casts = p.players[:p.short]
	}
}

// set fills in one body, as it was so many ticks ago.
func (p *policy) set(l *kit.Look, i int, it *vis.Subject, ago state.Tick) {
	at, ok := p.paths.Back(it.ID, ago)
	if !ok {
		at = kit.Place{Pos: it.Pos, Eye: it.Eye, Chest: it.Chest, Box: it.Box}
	}
	s := p.sights.Back(ago)
	if it.IsCloud() {
		l.SetCloud(i, s, &at, l.Eyes[i].Left)
		return
	}
	if it.Kind != state.KindPlayer {
		l.SetThing(i, s, &at)
		return
	}
	l.SetBody(i, s, &at, l.Eyes[i].Left)
}

// Volumes returns where the two can be in what is looked at within some ticks.
func (p *policy) Volumes(in *vis.Input, v, b int, ticks state.Tick) (eye, body vec.Box) {
	u, i, more, _ := p.times(&in.Viewers[v])
	it := &in.Subjects[b]
	later := float32(ticks) / float32(p.rate)
	eye = p.moves.EyeVolume(&in.Subjects[in.Viewers[v].Subject], (u+more)/1000+later)
	body = p.moves.BodyVolume(it, later)
	for n, _ := p.ago(i); n > 0; n-- {
		if was, ok := p.paths.Back(it.ID, n); ok {
			body = body.Union(was.Box.Grow(was.Eye))
		}
	}
	// A foot is looked for a little above the ground.
	body.Min.Z = max(body.Min.Z, it.Pos.Z+0.05)
	return eye, body
}
