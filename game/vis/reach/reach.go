// Package reach is a policy of sets: an enemy is sent while a line is clear between
// any place that the viewer could be at within the viewer's own horizon, and any
// place that the enemy could be at in that time.
//
// What either could do follows from how players move (kit.Moves): run in any
// direction from the present motion, jump, duck and lean. It is sampled: where one is
// (Here), where one is going (Ahead), the extremes across the line between the two
// (Left, Right: at full speed to that side, with a lean), half way to these, a jump
// and a duck; each no farther than the world lets a point go. Of a body at any of
// these are looked for the head, the chest, a foot, and the low, middle and upper end
// of each edge that it shows. The lines are those of players, 64 of them: an extreme of
// the one goes with the same side of the other, because that is what comes round a
// corner first. A gap that is seen through only from between two samples is missed
// until one of the two bodies is nearer to it.
//
// The horizon of a viewer is its round trip, its jitter, a tick, the server's input
// buffer and the delay of its picture, at most horizon_ms. The answer is one way: somebody with a long line is
// told sooner.
//
// Sources: the rule of CornerCulling and of VALORANT's look-ahead, as published.
package reach

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

// Spec names the policy and its settings.
func Spec() vis.Spec {
	return vis.Spec{
		Name:    "reach",
		Version: "1",
		Help:    "Sends whoever could come into sight within the viewer's horizon, whatever either of the two does.",
		Schema: kit.OneWaySchema(100,
			vis.Setting{Name: "horizon_ms", Default: 250, Min: 0, Max: 1000, Unit: "ms",
				Help: "How far ahead is looked at most; the viewer's own round trip decides below that. Cost: what could be seen grows with its square; 0 looks at the present only."}),
		New: New,
	}
}

// New returns the policy.
func New(env vis.Env) (vis.Policy, error) {
	set, err := Spec().Schema.Check(env.Settings)
	if err != nil {
		return nil, err
	}
	p := &policy{moves: kit.MovesOf(set), horizon: float32(set["horizon_ms"]), rate: env.TickRate, players: players(), things: things()}
	if p.pairs, err = kit.NewOneWay(env, set, p); err != nil {
		return nil, err
	}
	p.moves.Pads = env.World.Level().Pads
	p.sight = vis.NewSight(env.World, env.TickRate)
	return p, nil
}

type policy struct {
	pairs   *kit.OneWay
	sight   *vis.Sight
	moves   kit.Moves
	horizon float32 // ms
	rate    int

	players, things []kit.Cast
}

// Decide answers for every pair that is asked.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	p.sight.Take(in)
	p.pairs.Decide(in, out)
}

// Inherits: see vis.Heir.
func (p *policy) Inherits() {}

// ahead is a viewer's horizon in seconds.
func (p *policy) ahead(v *vis.Viewer) float32 {
	ms := v.RTTms + v.JitterMS + v.BufferMS + v.RenderMS + 1000/float32(p.rate)
	if !(ms > 0) { // a number
		return 0
	}
	return min(ms, p.horizon) / 1000
}

// Fill says along which lines a viewer looks at a subject.
func (p *policy) Fill(l *kit.Look, in *vis.Input, v, b int) {
	eye, it := &in.Subjects[in.Viewers[v].Subject], &in.Subjects[b]
	s := p.ahead(&in.Viewers[v])
	l.Eyes[0].Aim(&p.moves, eye, it.Eye, s)
	at := kit.Place{Pos: it.Pos, Eye: it.Eye, Chest: it.Chest, Box: it.Box}
	if it.IsCloud() {
		l.SetCloud(0, p.sight, &at, l.Eyes[0].Left)
		l.Move.Still(it)
		l.Casts = p.players
		return
	}
	if it.Kind != state.KindPlayer {
		l.SetThing(0, p.sight, &at)
		l.Move.Still(it)
		l.Casts = p.things
		return
	}
	l.SetBody(0, p.sight, &at, l.Eyes[0].Left)
	l.Move.Follow(&p.moves, it, &l.Eyes[0], s)
	l.Casts = p.players
}

// Volumes returns where the two can be in what is looked at within some ticks.
func (p *policy) Volumes(in *vis.Input, v, b int, ticks state.Tick) (eye, body vec.Box) {
	s := p.ahead(&in.Viewers[v]) + float32(ticks)/float32(p.rate)
	return p.moves.EyeVolume(&in.Subjects[in.Viewers[v].Subject], s), p.moves.BodyVolume(&in.Subjects[b], s)
}
