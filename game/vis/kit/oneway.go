package kit

import (
	"errors"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Looker is a rule that is asked of each viewer and subject by itself.
type Looker interface {
	// Fill says along which lines viewer in row v looks at subject b.
	Fill(l *Look, in *vis.Input, v, b int)
	// Volumes returns where the viewer's eye and the subject's body can be in all
	// that Fill will look at in the next ticks, as long as both stay Steady.
	Volumes(in *vis.Input, v, b int, ticks state.Tick) (eye, body vec.Box)
}

// OneWay decides by a Looker: whose lines are tested and when, what is remembered
// of each, how many rays that may take, and for how long a clear line counts.
//
// The answer for a viewer and a subject says nothing of the other way round. A
// hidden subject is tested in every tick, but for two cases: one solid hides all that
// could become visible within skip ticks (Between), or it is a thing that lies still.
// A clear one is tested when half of its hold is over. What was never tested goes
// first, then what has waited for MaxWaitMS, then the nearest (Queue); under the cap
// everything else keeps its answer.
type OneWay struct {
	// NoNews says that whoever is held only is told nothing newer of (vis.NoNews).
	NoNews bool
	// SeamRays is how many lines a hidden pair may take in a tick between those that the
	// Looker asks for (Look.Seams).
	SeamRays int

	look  Looker
	l     Look
	pairs Store[[2]way]
	queue Queue
	eyes  []common // by viewer's row, of this tick
	moves Moves
	cones Cones
	sight *vis.Sight

	far, arm    float32
	hold, again state.Tick
	lying       state.Tick
	oldest      state.Tick
	skip        state.Tick
	known       state.Tick // for how long room is taken for granted
	rays, first int
	send        bool
	blind       bool // it counts who is blinded
}

// way is what is remembered of a viewer and a subject.
type way struct {
	known  Known
	line   uint8 // the one that was clear
	clear  bool  // once, and since is when it was the last time
	seam   uint8 // 1 more than the one that was clear, 0 none
	skips  bool  // hidden for as long as both are steady
	reason vis.Reason
	tested state.Tick
	every  state.Tick
	since  state.Tick
	room   room
	by     [MaxCasts]trace.Occluder
}

// skipMS is for how long a solid is asked at once whether it hides everything.
const skipMS = 125

// OneWaySchema declares the settings of a OneWay, after those of its Looker.
func OneWaySchema(holdMS float64, own ...vis.Setting) vis.Schema {
	out := vis.Schema{
		{Name: "range_m", Default: vis.DefaultRange, Min: 0, Max: 4096, Unit: "m",
			Help: "Nobody farther away than this is sent; 0 has no limit. Cost: pairs grow with its square."},
		{Name: "reach_m", Default: 1.5, Min: 0, Max: 10, Unit: "m",
			Help: "Closer than this is always sent. Costs nothing."},
		{Name: "hold_ms", Default: holdMS, Min: 0, Max: 5000, Unit: "ms",
			Help: "How long somebody is still sent after the last clear line. Cost: below 100 ms clear pairs are tested more often."},
	}
	out = append(out, own...)
	out = append(out, MoveSchema()...)
	out = append(out, ConeSchema()...)
	return append(out,
		BlindSetting(),
		vis.Setting{Name: "retest_thing_ms", Default: 60, Min: 0, Max: 1000, Unit: "ms",
			Help: "After how long a hidden thing that lies still is tested again. Cost: below 30 ms as many tests as of players."},
		vis.Setting{Name: "rays_per_tick", Default: 2000, Min: 16, Max: 1e6, Unit: "rays",
			Help: "No more lines than this are searched in a tick; what is left over keeps its answer. Cost: half a microsecond for each on a large map."},
		vis.Setting{Name: "first_rays", Default: 1000, Min: 0, Max: 1e6, Unit: "rays",
			Help: "What of rays_per_tick is for pairs that were never tested, which go first."},
		vis.Setting{Name: "untested", Default: 1, Min: 0, Max: 1, Unit: "yes/no",
			Help: "Whether a pair is sent for which no ray was left since the two met. 1 sends it, so that nobody is missed; costs nothing."},
	)
}

// NewOneWay makes one with settings that OneWaySchema has checked.
func NewOneWay(env vis.Env, set vis.Settings, look Looker) (*OneWay, error) {
	if env.World == nil {
		return nil, errors.New("a policy of sight needs a world to look through")
	}
	o := &OneWay{
		look: look, sight: vis.NewSight(env.World, env.TickRate), moves: MovesOf(set), cones: NewCones(set, env.TickRate),
		far: float32(set["range_m"]), arm: float32(set["reach_m"]),
		hold:   Ticks(set["hold_ms"], env.TickRate),
		lying:  max(Ticks(set["retest_thing_ms"], env.TickRate), 1),
		oldest: Ticks(MaxWaitMS, env.TickRate), skip: Ticks(skipMS, env.TickRate),
		rays: int(set["rays_per_tick"]), first: int(set["first_rays"]), send: set["untested"] >= 0.5, blind: set["blind"] >= 0.5,
	}
	o.again = max(o.hold/2, 1)
	o.known = max(Ticks(roomMS, env.TickRate), 1)
	return o, nil
}

// Decide answers for every viewer and subject that is asked.
func (o *OneWay) Decide(in *vis.Input, out *vis.Answer) {
	pairs := o.pairs.Begin(in)
	o.queue.Begin()
	o.cones.Begin(in)
	o.eyes = slices.Grow(o.eyes[:0], len(in.Viewers))[:len(in.Viewers)]
	for i := range o.eyes {
		o.eyes[i].known = [MaxReaches]uint16{}
		o.eyes[i].stopped = [MaxReaches]uint16{}
	}
	for i := range pairs {
		q := &pairs[i]
		a, b := &in.Subjects[q.A], &in.Subjects[q.B]
		if !o.cones.Narrow(q, in, o.far) {
			continue
		}
		if Within(a, b, o.arm) {
			q.Allow(out, vis.ArmsReach, in.Tick+o.hold)
			continue
		}
		m := o.pairs.Of(q)
		if m == nil {
			continue
		}
		steady := o.Steady(a) && o.Steady(b)
		for k := range 2 {
			v, from, to := side(q, k)
			if v < 0 {
				continue
			}
			w := &m[wayOf(in, from, to)]
			if o.blind && Blind(in, v) {
				if w.clear && in.Tick-w.since <= o.hold {
					out.Allow(v, to, vis.Held, w.since+o.hold, 0)
				}
				continue
			}
			if w.isDue(in.Tick, steady) {
				o.queue.Add(2*i+k, a, b, w.known, in.Tick-w.tested, o.oldest)
				continue
			}
			o.answer(w, v, to, in, out)
		}
	}
	for _, d := range o.queue.Order() {
		q := &pairs[d.Pair/2]
		v, from, to := side(q, int(d.Pair&1))
		w := &o.pairs.Of(q)[wayOf(in, from, to)]
		limit := o.rays
		if w.known == Untested {
			limit = min(o.first, o.rays)
		}
		o.test(w, v, from, to, in, out, limit)
		o.answer(w, v, to, in, out)
	}
	every := uint8(0)
	if o.NoNews {
		every = vis.NoNews
	}
	o.pairs.Bequeath(in, out, o.hold, every)
}

// side is one direction of a pair: the viewer's row, and from whom to whom.
func side(q *Pair, k int) (v, from, to int) {
	if k == 0 {
		return q.ASees, q.A, q.B
	}
	return q.BSees, q.B, q.A
}

// wayOf is which of a pair's two ways leads from one subject to another.
func wayOf(in *vis.Input, from, to int) int {
	if in.Subjects[from].ID < in.Subjects[to].ID {
		return 0
	}
	return 1
}

// Steady reports whether somebody moves as players do on level ground: what can be
// said of the next ticks is said of such only.
func (o *OneWay) Steady(s *vis.Subject) bool {
	if s.Kind != state.KindPlayer {
		return isLying(s)
	}
	most := o.moves.Most()
	return vec.Abs(s.Vel.Z) < 0.5 && s.Vel.LenSq() < float32(most*most)
}

func (w *way) isDue(tick state.Tick, steady bool) bool {
	return w.known == Untested || tick-w.tested >= w.every || (w.skips && !steady)
}

// answer says what is known.
func (o *OneWay) answer(w *way, v, b int, in *vis.Input, out *vis.Answer) {
	held := w.clear && in.Tick-w.since <= o.hold
	reason := w.reason
	if o.cones.Any() && o.far > 0 && w.known == Seen {
		reason = ConeReason(!Within(&in.Subjects[in.Viewers[v].Subject], &in.Subjects[b], o.far), reason)
	}
	if !held {
		w.clear = false // so that it cannot come back when ticks wrap
	}
	switch {
	case w.known == Untested:
		if o.send {
			out.Allow(v, b, vis.Untested, in.Tick, 0)
		}
	case w.known == Seen && held:
		out.Allow(v, b, reason, w.since+o.hold, 0)
	case w.known == Seen: // no ray was left for it: its answer stands
		out.Allow(v, b, reason, in.Tick, 0)
	case held && o.NoNews:
		out.Allow(v, b, vis.Held, w.since+o.hold, vis.NoNews)
	case held:
		out.Allow(v, b, vis.Held, w.since+o.hold, 0)
	}
}

// test looks. When the limit of rays is reached before the answer is known, what
// was known stays.
func (o *OneWay) test(w *way, v, a, b int, in *vis.Input, out *vis.Answer, limit int) {
	if out.Rays >= limit {
		return
	}
	l := &o.l
	o.look.Fill(l, in, v, b)
	l.last = trace.Occluder{}
	if in.Tick-w.room.at < o.known {
		l.know(&w.room)
	} else {
		// Not all at once: who meets in the same tick takes turns.
		w.room.at = in.Tick - (Spread(&in.Subjects[a])+Spread(&in.Subjects[b]))%o.known
	}
	l.borrow(&o.eyes[v])
	defer l.done(&w.room, &o.eyes[v])
	l.Casts = l.Casts[:min(len(l.Casts), MaxCasts)]
	seen := -1
	if w.known == Seen && int(w.line) < len(l.Casts) {
		k := int(w.line)
		if open, known := l.open(l.Casts[k], &w.by[k], w.by[0], out, limit); !known {
			return
		} else if open {
			seen = k
		}
	}
	for k := 0; k < len(l.Casts) && seen < 0; k++ {
		open, known := l.open(l.Casts[k], &w.by[k], w.by[0], out, limit)
		if !known {
			return
		}
		if open {
			seen = k
		}
	}
	// Between them every other tick, as long as nothing was found there.
	turn := w.seam != 0 || (in.Tick+Spread(&in.Subjects[a])+Spread(&in.Subjects[b]))%2 == 0
	if seen < 0 && o.SeamRays > 0 && len(l.Seams) > 0 && turn {
		start := int(w.seam) - 1
		if start < 0 {
			start = int(in.Tick) * 7 // another one in every tick
		}
		w.seam = 0
		if k := l.seams(start, o.SeamRays, w.by[:], out, limit); k >= 0 {
			w.seam = uint8(k + 1)
			w.tested, w.skips = in.Tick, false
			w.known, w.every = Seen, o.again
			w.line, w.reason = 0, vis.Predicted
			w.clear, w.since = true, in.Tick
			return
		}
	}
	w.tested, w.skips = in.Tick, false
	if seen >= 0 {
		w.known, w.every = Seen, o.again
		w.line, w.reason = uint8(seen), l.Casts[seen].reason()
		w.clear, w.since = true, in.Tick
		return
	}
	w.known, w.every = Unseen, 1
	it := &in.Subjects[b]
	switch {
	case isLying(it):
		w.every = o.lying
	case o.Steady(&in.Subjects[a]) && o.Steady(it):
		eye, body := o.look.Volumes(in, v, b, o.skip)
		if Between(o.sight, w.by[0], eye, body) {
			// Pairs come to be hidden together: they are spread over the ticks.
			w.skips = true
			w.every = o.skip - (Spread(&in.Subjects[a])+Spread(it))%max(o.skip/2, 1)
		}
	}
}
