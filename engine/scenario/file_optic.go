package scenario

import (
	"math"

	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// optic returns the optic of a name.
func (c *checker) optic(key, name string) int {
	set := tables.Arena()
	i, ok := set.OpticNamed(name)
	if !ok {
		c.bad(key, "optic = %q is none of iron, 2x, 4x and 8x", name)
	}
	return i
}

// aimed works out when everybody aims, of the events in order.
func (s *Scene) aimed() {
	for i := range s.events {
		e := &s.events[i]
		if e.Kind != "aim" || e.who < 0 || e.who >= len(s.actors) {
			continue
		}
		a := &s.actors[e.who]
		n := len(a.aims)
		open := n > 0 && math.IsInf(a.aims[n-1].To, 1)
		switch {
		case e.On && !open:
			a.aims = append(a.aims, Interval{e.At, math.Inf(1)})
		case !e.On && open:
			a.aims[n-1].To = e.At
		}
	}
}

// scope is what an actor asks for while it aims, as the server has it: the zero Scope
// of one over iron sights.
func (s *Scene) scope(a *actor) vis.Scope {
	o := &s.optics[a.optic]
	if !o.Magnifies() {
		return vis.Scope{}
	}
	return vis.Scope{Magnification: o.Magnification, HalfDeg: o.FovDeg / 2, RangeM: o.RangeM, TurnDPS: o.TurnDPS}
}

// framed reports whether an actor's screen has room for a body in it: within the range
// always, since it may look there, and beyond through an optic that is at the eye, in
// its round picture. mine and theirs are of when the screen shows the two.
func (s *Scene) framed(a, b *actor, mine, theirs float64) bool {
	far := s.File.RangeM > 0 && float64(a.feet(mine).Dist(b.feet(theirs))) > s.File.RangeM
	o := &s.optics[a.optic]
	if !far || !o.Magnifies() {
		return true
	}
	for _, up := range a.aims {
		if mine < up.From+float64(o.RaiseMS)/1000 || mine >= up.To {
			continue
		}
		to, _ := s.box(b, theirs).Center().Sub(s.eye(a, mine)).Norm()
		return float64(to.Dot(vec.Forward(a.yaw(mine), 0))) >= math.Cos(float64(o.FovDeg)/360*math.Pi)
	}
	return false
}
