// Package pvs is the policy of engines that know nothing finer than what a map's
// compiler worked out: a subject is sent when its part of the map could be seen
// from some place in the viewer's part (Quake III). A wall inside such a set hides
// nobody, so it sends far more than can be seen; it is here to be compared with.
//
// A body is in every cluster that its eye, its chest, its feet or a corner of its
// box is in. On a map without such sets, and for bodies outside all clusters,
// everything in range is sent. Doors do not close the areas behind them: a View is
// not told of a door by sight, and an answer by closed doors would be finer than
// the published rule says of brush models.
package pvs

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
		Name:    "pvs",
		Version: "1",
		Help:    "Sends everybody whose part of the map is potentially visible from the viewer's; everything where the map has no such sets.",
		Schema: vis.Schema{
			{Name: "range_m", Default: vis.DefaultRange, Min: 0, Max: 4096, Unit: "m",
				Help: "Nobody farther away than this is sent; 0 has no limit. Costs nothing."},
			{Name: "hold_ms", Default: 0, Min: 0, Max: 5000, Unit: "ms",
				Help: "How long somebody is still sent after leaving the set. Quake III has none. Costs nothing."},
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
		return nil, errors.New("pvs needs a world to look clusters up in")
	}
	return &policy{
		sets: env.World.Level().Vis, far: float32(set["range_m"]), hold: kit.Ticks(set["hold_ms"], env.TickRate),
	}, nil
}

type policy struct {
	sets  *level.Vis
	far   float32
	hold  state.Tick
	pairs kit.Pairs
	in    [][]int32 // by subject: the clusters that it is in
}

// Decide answers for every pair that is asked.
func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	pairs := p.pairs.Begin(in)
	p.place(in)
	for i := range pairs {
		q := &pairs[i]
		if p.far > 0 && !kit.Within(&in.Subjects[q.A], &in.Subjects[q.B], p.far) {
			q.ASees, q.BSees = -1, -1
			continue
		}
		if p.see(q.A, q.B) {
			p.pairs.See(q, in.Tick)
			q.Allow(out, vis.PVS, in.Tick+p.hold)
		} else if until, held := p.pairs.Held(q, in.Tick, p.hold); held && p.hold > 0 {
			q.Allow(out, vis.Held, until)
		}
	}
	p.pairs.Bequeath(in, out, p.hold, 0)
}

// Inherits: see vis.Heir.
func (p *policy) Inherits() {}

// place finds the clusters of every subject.
func (p *policy) place(in *vis.Input) {
	for len(p.in) < len(in.Subjects) {
		p.in = append(p.in, nil)
	}
	for i := range in.Subjects {
		s := &in.Subjects[i]
		p.in[i] = p.in[i][:0]
		if p.sets == nil {
			continue
		}
		p.add(i, s.Eye)
		p.add(i, s.Chest)
		p.add(i, s.Pos)
		if s.Box == (vec.Box{}) || s.Box.IsEmpty() {
			continue
		}
		for k := range 8 {
			c := s.Box.Min
			if k&1 != 0 {
				c.X = s.Box.Max.X
			}
			if k&2 != 0 {
				c.Y = s.Box.Max.Y
			}
			if k&4 != 0 {
				c.Z = s.Box.Max.Z
			}
			p.add(i, c)
		}
	}
}

func (p *policy) add(i int, at vec.V3) {
	leaf := p.sets.Leaf(at)
	if leaf < 0 || leaf >= len(p.sets.Leafs) {
		return
	}
	if c := int32(p.sets.Leafs[leaf].Cluster); c >= 0 && !slices.Contains(p.in[i], c) {
		p.in[i] = append(p.in[i], c)
	}
}

// see reports whether a cluster of one may see one of the other. Quake III looks
// from the viewer to the entity; the sets that compilers write are the same both
// ways, and where they are not either way counts.
func (p *policy) see(a, b int) bool {
	if p.sets == nil || len(p.in[a]) == 0 || len(p.in[b]) == 0 {
		return true
	}
	for _, x := range p.in[a] {
		for _, y := range p.in[b] {
			if p.sets.MaySee(int(x), int(y)) || p.sets.MaySee(int(y), int(x)) {
				return true
			}
		}
	}
	return false
}
