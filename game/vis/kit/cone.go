package kit

import (
	"slices"

	"github.com/sightline-engine/sightline/game/vis"
)

// ConeSchema declares the settings of Cones, for the end of a policy's schema.
func ConeSchema() vis.Schema {
	return vis.Schema{
		{Name: "cone_pad", Default: vis.ConePad, Min: 0, Max: vis.MostConePad, Unit: "factor",
			Help: "How much of what a view can turn through an optic (its turn rate × the viewer's round trip and interpolation delay) is added to either side of the cone. Source: the rule of padding of the Dead Drop post. Cost: pairs grow with the square of the cone; below 1 the edge of a turning picture is empty."},
		{Name: "cone_constant_deg", Default: vis.ConeDeg, Min: 0, Max: vis.MostConeDeg, Unit: "degrees",
			Help: "What else is added to either side of the cone. Source: judgement, a tick's turn of the quickest optic and the rounding of angles. Cost: as cone_pad."},
		{Name: "cone_linger_ms", Default: vis.ConeLingerMS, Min: 0, Max: vis.MostLingerMS, Unit: "ms",
			Help: "How long the cone stays after the optic was left, and no longer than it was looked through. Source: the Dead Drop post. Cost: who leaves the optic is told that much longer of those far off."},
	}
}

// Cones are where the viewers of a tick see farther than the naked eye: through optics
// that the server knows them to carry. A cone adds range and nothing else: it begins
// with the first command that asks, whoever is in it is still to be looked for along a
// line, and inside it a distance counts as what the optic makes of it. Begin it in each
// tick.
type Cones struct {
	rule vis.ConeRule
	all  []vis.Sector // by viewer's row; zero: none
	any  bool
}

// NewCones makes Cones with settings that ConeSchema has checked.
func NewCones(set vis.Settings, tickRate int) Cones {
	return Cones{rule: vis.ConeRule{
		Pad: float32(set["cone_pad"]), ConstantDeg: float32(set["cone_constant_deg"]), Linger: Ticks(set["cone_linger_ms"], tickRate),
	}}
}

// Begin takes the viewers of a tick.
func (c *Cones) Begin(in *vis.Input) {
	c.all = slices.Grow(c.all[:0], len(in.Viewers))[:len(in.Viewers)]
	c.any = false
	for v := range c.all {
		c.all[v] = vis.Sector{}
		if in.Viewers[v].Scope.Magnification > 1 {
			var is bool
			c.all[v], is = in.Sector(v, &c.rule)
			c.any = c.any || is
		}
	}
}

// Any reports whether anybody has a cone in this tick.
func (c *Cones) Any() bool { return c.any }

// Holds reports whether a subject is in the cone of the viewer in row v; -1 has none.
func (c *Cones) Holds(v int, s *vis.Subject) bool {
	return c.any && v >= 0 && v < len(c.all) && c.all[v].Magnification > 0 && c.all[v].Holds(s.Pos)
}

// Nearer returns by how much the optic of the viewer in row v brings a subject nearer:
// its magnification within the cone, and 1 elsewhere. The effective distance is the
// distance divided by it.
func (c *Cones) Nearer(v int, s *vis.Subject) float32 {
	if !c.Holds(v, s) {
		return 1
	}
	return c.all[v].Magnification
}

// Narrow takes from a pair whoever is not to be told of the other: within r metres (0
// has no limit) both are told, beyond only who has the other in its cone. It reports
// whether anybody is left.
func (c *Cones) Narrow(q *Pair, in *vis.Input, r float32) bool {
	a, b := &in.Subjects[q.A], &in.Subjects[q.B]
	if !(r > 0) || Within(a, b, r) {
		return true
	}
	if !c.any {
		q.ASees, q.BSees = -1, -1
		return false
	}
	if !c.Holds(q.ASees, b) {
		q.ASees = -1
	}
	if !c.Holds(q.BSees, a) {
		q.BSees = -1
	}
	return q.ASees >= 0 || q.BSees >= 0
}

// ConeReason is the reason that somebody is told of who is told by a cone alone: vis.Cone
// instead of the line that was clear. What is held or was never tested stays so.
func ConeReason(far bool, r vis.Reason) vis.Reason {
	switch r {
	case vis.Held, vis.Untested, vis.ArmsReach, vis.Hidden:
		return r
	}
	if far {
		return vis.Cone
	}
	return r
}
