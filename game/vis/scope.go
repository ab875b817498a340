package vis

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Scope is the optic that a viewer looks through or has just looked through: the one
// in the server's own inventory, and when that player asked for it by the commands
// that the server ran. Nothing of it is a client's word. The zero Scope is the naked
// eye.
type Scope struct {
	Magnification float32    // how many times larger things look
	HalfDeg       float32    // half of the picture's diagonal, degrees
	RangeM        float32    // how far the optic shows people
	TurnDPS       float32    // how fast a view turns through it, degrees per second
	Since         state.Tick // of the first command that asked, of those up to Last
	Last          state.Tick // of the last command that asked: this tick's while it does
}

// scopeMS is for how long a Scope that is not asked for any more is remembered.
const scopeMS = 2000

// Ask notes that the player asks in this tick for an optic, or, with asks false, that
// it does not. now holds the optic's numbers; its ticks do not count.
func (s *Scope) Ask(asks bool, now Scope, tick state.Tick, tickRate int) {
	if !asks || !(now.Magnification > 1) {
		if s.Magnification != 0 && int64(tick-s.Last)*1000 > int64(scopeMS*tickRate) {
			*s = Scope{}
		}
		return
	}
	now.Since, now.Last = tick, tick
	same := s.Magnification == now.Magnification && s.RangeM == now.RangeM
	if same && tick-s.Last == 1 {
		now.Since = s.Since
	}
	*s = now
}

// Asks reports whether the optic is asked for in a tick.
func (s *Scope) Asks(tick state.Tick) bool { return s.Magnification > 1 && s.Last == tick }

// ConeRule says how a cone follows from a Scope. They are settings of policies; see
// kit.ConeSchema.
type ConeRule struct {
	Pad         float32    // factor on how far a view can turn before what is sent is shown
	ConstantDeg float32    // added to the half angle
	Linger      state.Tick // for how long it stays after the last command that asked
}

// widest is the half angle in degrees that no cone goes beyond.
const widest = 60

// bodyM is how far a body reaches around its feet: who is that far outside a cone may
// still be partly in it, metres.
const bodyM = 2

// Sector is a viewer's cone: where it sees farther than the naked eye, and by how much
// nearer things look there. The zero Sector holds nothing.
type Sector struct {
	Eye, Dir      vec.V3
	RangeM        float32
	HalfDeg       float32
	Magnification float32
	tan, sin, cos float32 // of the half angle
}

// Sector returns the cone of a viewer, false when it has none. It begins with the first
// command that asks for the optic, and lingers after the last one, for as long as it
// was asked for and no longer than the rule says: so that who only taps the key gains
// nothing. Half of its angle is half of the picture's diagonal, and how far the view
// can turn until what is sent is on the screen (turn rate × (round trip +
// interpolation delay) × Pad), and a constant.
func (in *Input) Sector(v int, r *ConeRule) (Sector, bool) {
	w := &in.Viewers[v]
	s := &w.Scope
	me := in.body(v)
	if !(s.Magnification > 1) || me == nil || !me.Eye.IsFinite() || !(s.RangeM > 0) {
		return Sector{}, false
	}
	if gone := in.Tick - s.Last; gone != 0 && gone > min(r.Linger, s.Last-s.Since+1) {
		return Sector{}, false
	}
	seconds := float32(positive(w.RTTms)+positive(w.RenderMS)) / 1000
	half := s.HalfDeg + float32(float32(s.TurnDPS*seconds)*r.Pad) + r.ConstantDeg
	if !(half > 0) {
		return Sector{}, false
	}
	half = min(half, widest)
	sin, cos := vec.SinCos(half)
	return Sector{
		Eye: me.Eye, Dir: vec.Forward(me.Yaw, me.Pitch), RangeM: s.RangeM, HalfDeg: half,
		Magnification: s.Magnification, tan: sin / cos, sin: sin, cos: cos,
	}, true
}

// UsualSector is Sector by the rule with the default settings: what the engine itself
// goes by, and what a developer is shown.
func (in *Input) UsualSector(v int) (Sector, bool) {
	rule := usualCone(in.TickRate)
	return in.Sector(v, &rule)
}

func positive(ms float32) float32 {
	if !(ms > 0) || ms > 2000 {
		return 0
	}
	return ms
}

// Holds reports whether a body or a thing at p is in the cone, or may reach into it.
func (c *Sector) Holds(p vec.V3) bool { return c.holds(p, bodyM) }

// HoldsBox reports whether a box is in the cone or reaches into it; it may also say so
// of one that is a little outside.
func (c *Sector) HoldsBox(b vec.Box) bool { return c.holds(b.Center(), b.Size().Len()/2) }

func (c *Sector) holds(p vec.V3, wide float32) bool {
	if c.Magnification == 0 {
		return false
	}
	to := p.Sub(c.Eye)
	along := to.Dot(c.Dir)
	far := c.RangeM + wide
	all := to.LenSq()
	if !(all <= float32(far*far)) {
		return false
	}
	if !(along > 0) {
		return all <= float32(wide*wide)
	}
	across := float32(along*c.tan) + wide
	return all-float32(along*along) <= float32(across*across)
}

// Effective returns how far off something at p looks: its distance, or in the cone what
// the optic makes of that.
func (c *Sector) Effective(from, p vec.V3) float32 {
	d := from.Dist(p)
	if c.Holds(p) {
		return d / c.Magnification
	}
	return d
}

// Bounds of the settings of cones (kit.ConeSchema): the engine asks about whoever is in
// the widest cone that a policy can be set to.
const (
	MostConePad  = 1.5
	MostConeDeg  = 5
	MostLingerMS = 1000
	ConePad      = 1 // the defaults
	ConeDeg      = 2
	ConeLingerMS = 500
)

// widestCone is the rule with the largest settings.
func widestCone(tickRate int) ConeRule {
	return ConeRule{Pad: MostConePad, ConstantDeg: MostConeDeg, Linger: lingerTicks(MostLingerMS, tickRate)}
}

// usualCone is the rule with the default settings: what the engine itself goes by, for
// doors, what happens, and how finely subjects are sent.
func usualCone(tickRate int) ConeRule {
	return ConeRule{Pad: ConePad, ConstantDeg: ConeDeg, Linger: lingerTicks(ConeLingerMS, tickRate)}
}

func lingerTicks(ms, tickRate int) state.Tick {
	return state.Tick((ms*max(tickRate, 1) + 999) / 1000)
}

// askCone asks about what is beyond the range and in a viewer's cone. The other
// direction is not asked by that: to be looked at through an optic shows nobody who
// does it.
func (in *Input) askCone(v int, me *Subject, f *field, limit float32, r *ConeRule) {
	c, ok := in.Sector(v, r)
	if !ok {
		return
	}
	lo, hi := c.across()
	for _, p := range f.at[f.from[f.strip(lo)]:f.from[f.strip(hi)+1]] {
		// What Holds computes, without a call for each: this is asked of everything.
		x, y, z := p.pos.X-c.Eye.X, p.pos.Y-c.Eye.Y, p.pos.Z-c.Eye.Z
		along := float32(x*c.Dir.X) + float32(y*c.Dir.Y) + float32(z*c.Dir.Z)
		if along < -bodyM {
			continue
		}
		all := float32(x*x) + float32(y*y) + float32(z*z)
		wide := float32(along*c.tan) + bodyM
		if all-float32(along*along) > float32(wide*wide) {
			continue
		}
		if me.Pos.DistSq(p.pos) > limit && c.Holds(p.pos) {
			in.askOther(v, me, int(p.s))
		}
	}
}

// across returns between which x everything is that the cone holds.
func (c *Sector) across() (lo, hi float32) {
	far := c.RangeM + bodyM
	side := vec.Sqrt(max(1-float32(c.Dir.X*c.Dir.X), 0))
	reach := func(x float32) float32 { // how far it goes along an axis to which Dir has that cosine
		if x >= c.cos {
			return far
		}
		return float32(far * max(float32(x*c.cos)+float32(side*c.sin), 0))
	}
	return c.Eye.X - reach(0-c.Dir.X) - 2*bodyM, c.Eye.X + reach(c.Dir.X) + 2*bodyM
}
