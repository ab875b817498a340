package deaddrop

import (
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

// memory is what is kept of a pair.
type memory struct {
	state  kit.Known
	line   uint8 // the one that was visible
	reason vis.Reason
	phase  uint8 // so that pairs take turns
	smoky  bool  // smoke was between the two at the last test
	tested state.Tick
	every  state.Tick                   // ticks between two tests
	by     [kit.MaxLines]trace.Occluder // what blocked each line the last time
	saw    [2]saw                       // of the first of the pair and of the second
}

// saw is until when one of a pair was to be told of the other before it was blinded.
type saw struct {
	any   bool
	until state.Tick
}

// path is what is remembered of where a player is going.
type path struct {
	known     bool
	stops     bool  // at end; otherwise nothing is in the way up to there
	teleports uint8 // of the subject
	tick      state.Tick
	vel       vec.V3
	end       vec.V3
}

const (
	still    = 0.1 // m/s: slower than this nobody is expected to get anywhere
	swerve   = 1   // m/s: a change of the velocity by more makes a path anew
	pathLife = 4   // ticks
	frame    = 17  // ms: a frame of a client that draws 60 a second
)

// look takes the horizons of this tick.
func (p *policy) look(in *vis.Input) {
	p.ahead = slices.Grow(p.ahead[:0], len(in.Subjects))[:len(in.Subjects)]
	p.own = slices.Grow(p.own[:0], len(in.Subjects))[:len(in.Subjects)]
	for i := range p.ahead {
		p.ahead[i], p.own[i] = 0, 0
	}
	tick := 1000 / float32(p.rate)
	for i := range in.Viewers {
		v := &in.Viewers[i]
		if v.Subject < 0 || v.Subject >= len(in.Subjects) {
			continue
		}
		if ms := v.RTTms + v.JitterMS + v.BufferMS + tick + frame; ms > 0 { // a number
			p.own[v.Subject] = min(ms, p.horizon)
		}
		if ms := v.RTTms + v.JitterMS + v.BufferMS + v.RenderMS + tick; ms > 0 {
			p.ahead[v.Subject] = min(ms, p.horizon)
		}
	}
}

// expected returns where a player's eye will be after that many milliseconds if it
// goes on as it goes, at most as far as the world lets it. A path is looked at once
// in a few ticks.
func (p *policy) expected(in *vis.Input, s int, ms float32, out *vis.Answer) vec.V3 {
	it := &in.Subjects[s]
	if ms <= 0 || it.Kind != state.KindPlayer || !(it.Vel.LenSq() > still*still) {
		return it.Eye
	}
	if int(it.ID) >= len(p.paths) {
		p.paths = append(p.paths, make([]path, int(it.ID)+1-len(p.paths))...)
	}
	w := &p.paths[it.ID]
	old := in.Tick-w.tick >= pathLife || (in.Tick != w.tick && (in.Tick+state.Tick(it.ID))%pathLife == 0)
	if !w.known || old || w.teleports != it.Teleports || !(w.vel.DistSq(it.Vel) < swerve*swerve) {
		seconds := p.horizon/1000 + pathLife/float32(p.rate)
		to := it.Eye.Mad(seconds, it.Vel)
		end := p.sight.Free(it.Eye, to)
		out.Rays++
		*w = path{known: true, stops: end != to, teleports: it.Teleports, tick: in.Tick, vel: it.Vel, end: end}
	}
	ahead := it.Eye.Mad(ms/1000, it.Vel)
	if w.stops && it.Vel.Dot(ahead.Sub(w.end)) > 0 { // it would be beyond
		if it.Vel.Dot(it.Eye.Sub(w.end)) > 0 {
			return it.Eye // past it already: it went another way
		}
		return w.end
	}
	return ahead
}

// isDue reports whether a pair is to be tested.
func (p *policy) isDue(m *memory, a, b *vis.Subject, tick state.Tick) bool {
	return m.state == kit.Untested || tick-m.tested >= m.every || (tick+state.Tick(m.phase))%m.every == 0 ||
		p.disturbed(a, b) || p.clouded(m, a, b)
}

// clouded reports whether smoke has come or gone between two since they were tested. A
// cloud that touches no line between them is nothing to them, however near it is: it may
// be behind a wall, and when they are tested would tell of it. Clouds themselves are
// tested as they change.
func (p *policy) clouded(m *memory, a, b *vis.Subject) bool {
	if !b.IsCloud() {
		return p.sight.Smoky(a.Eye, b.Eye) != m.smoky
	}
	for _, ball := range p.sight.Stirred() {
		if ball.Center().DistSq(b.Pos) < 1.0/256 {
			return true
		}
	}
	return false
}

// disturbed reports whether something that blocks sight came or went near the line.
func (p *policy) disturbed(a, b *vis.Subject) bool {
	changed := p.sight.Changed()
	if len(changed) == 0 {
		return false
	}
	const around = 3 // metres: bodies, and what they do within a horizon
	way := vec.Box{Min: a.Eye.Min(b.Eye), Max: a.Eye.Max(b.Eye)}.Pad(around)
	for i := range changed {
		if way.Overlaps(changed[i]) {
			return true
		}
	}
	return false
}

// test looks at a pair. When the limit of rays is reached before the answer is
// known, the pair keeps the one it has.
func (p *policy) test(q *kit.Pair, m *memory, in *vis.Input, out *vis.Answer, limit int) {
	a, b := &in.Subjects[q.A], &in.Subjects[q.B]
	if out.Rays+2 > limit {
		return
	}
	p.through = p.sight
	if b.IsCloud() {
		p.through = p.sight.Bare()
	}
	ms := max(p.ahead[q.A], p.ahead[q.B])
	l := &p.lines
	pa, pb, near := p.expected(in, q.A, ms, out), p.expected(in, q.B, ms, out), kit.Within(a, b, p.near) || p.magnified(q, a, b)
	la, lb := pa, pb
	if near {
		soon := max(p.own[q.A], p.own[q.B])
		la, lb = p.expected(in, q.A, soon, out), p.expected(in, q.B, soon, out)
	}
	seen := -1
	if m.state == kit.Unseen && !b.IsCloud() && p.hidesAll(m, kit.Volume(a, pa, la), kit.Volume(b, pb, lb)) {
		p.remember(q, m, a, b, in.Tick, seen)
		return
	}
	l.Between(a, b, pa, pb, la, lb, near)
	if m.state == kit.Seen && int(m.line) < l.N {
		if open, known := p.open(l, m, int(m.line), out, limit); !known {
			return
		} else if open {
			seen = int(m.line)
		}
	}
	for k := 0; k < l.N && seen < 0; k++ {
		open, known := p.open(l, m, k, out, limit)
		if !known {
			return
		}
		if open {
			seen = k
		}
	}
	p.remember(q, m, a, b, in.Tick, seen)
}

// hidesAll reports whether what blocked one of a pair's lines the last time blocks all: it
// is asked of the lines from eye to eye, and to the tops of heads, which are the highest.
func (p *policy) hidesAll(m *memory, a, b vec.Box) bool {
	if p.lineByLine {
		return false
	}
	for i, k := range [3]int{0, kit.ToCrown, kit.FromCrown} {
		if (i == 0 || m.by[k] != m.by[0]) && p.sight.HidesAll(m.by[k], a, b) {
			p.atOnce++
			return true
		}
	}
	return false
}

// remember keeps what was found: the line that is clear, or -1.
func (p *policy) remember(q *kit.Pair, m *memory, a, b *vis.Subject, tick state.Tick, seen int) {
	// The turn of a pair depends on who they are and on the tick alone: who has
	// missed some ticks is in step again with who has not.
	m.tested, m.phase = tick, phaseOf(a, b)
	m.smoky = !b.IsCloud() && p.sight.Smoky(a.Eye, b.Eye)
	if seen < 0 {
		m.state, m.every = kit.Unseen, p.wait(a, b)
		return
	}
	m.state, m.every = kit.Seen, p.again
	m.line, m.reason = uint8(seen), p.lines.Line[seen].Reason
	if kit.Turned(a, b) {
		m.reason = kit.Turn(m.reason)
	}
	p.pairs.See(q, tick)
}

// phaseOf is the same whoever is named first.
func phaseOf(a, b *vis.Subject) uint8 {
	x, y := kit.Spread(a), kit.Spread(b)
	return uint8(min(x, y)*31 + max(x, y)*17)
}

// magnified reports whether one of the two has the other as near as near_m before its
// eye by an optic: its edges are seen then.
func (p *policy) magnified(q *kit.Pair, a, b *vis.Subject) bool {
	if !p.cones.Any() {
		return false
	}
	return kit.Within(a, b, float32(p.near*max(p.cones.Nearer(q.ASees, b), p.cones.Nearer(q.BSees, a))))
}

// wait is for how many ticks a hidden pair is left alone.
func (p *policy) wait(a, b *vis.Subject) state.Tick {
	if isLying(a) || isLying(b) {
		return p.lying
	}
	edge := p.far
	if edge <= 0 {
		edge = vis.DefaultRange
	}
	return max(state.Tick(min(a.Pos.Dist(b.Pos)/edge, 1)*p.retest+0.5), 1)
}

// isLying reports whether a subject is a thing that does not move.
func isLying(s *vis.Subject) bool { return s.Kind != state.KindPlayer && s.Vel == vec.V3{} }

// open reports whether a line is clear, and whether that is known: not when it
// would take one ray more than the limit.
func (p *policy) open(l *kit.Bodies, m *memory, k int, out *vis.Answer, limit int) (open, known bool) {
	ln, s := &l.Line[k], p.through
	if ln.Reason == vis.Hidden {
		return false, true
	}
	if s.Hides(m.by[k], ln.A, ln.B) {
		return false, true
	}
	if k > 0 && m.by[0] != m.by[k] && s.Hides(m.by[0], ln.A, ln.B) {
		m.by[k] = m.by[0]
		return false, true
	}
	if s.Smoky(ln.A, ln.B) {
		return false, true
	}
	if out.Rays >= limit {
		return false, false
	}
	out.Rays++
	by, blocked := s.Occluded(ln.A, ln.B)
	if blocked {
		m.by[k] = by
	}
	return !blocked, true
}
