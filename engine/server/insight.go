package server

import (
	"sync"

	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Insight is what one viewer was told of in a tick and what was withheld from it, with
// the truth beside it. It is for who runs the server: it is handed over inside the
// process and there is no message that could carry it.
type Insight struct {
	Tick     state.Tick
	TickRate int
	Source   vis.Source // who decided
	Rays     int        // that it spent, on all viewers

	Viewer    state.ID
	Alive     bool // has a living body; who has none is told of no enemy
	Feet, Eye vec.V3
	Yaw       float32
	Cone      vis.Sector // of its optic, with the engine's own rule; zero: none

	Told, Withheld int // living players
	Bodies         []Candidate
	Smokes         []scenery.Cloud

	last []Candidate // of the tick before
}

// Candidate is one player, or one thing that moves, as a viewer stands to it.
type Candidate struct {
	ID    state.ID
	Kind  state.Kind
	Team  uint8
	Told  bool
	Why   Why
	By    vis.Reason // of one that is told of
	Pos   vec.V3
	Eye   vec.V3
	Box   vec.Box
	Yaw   float32
	Far   float32    // from the viewer's eye to its chest, metres
	Since state.Tick // told of, or withheld, from here on
	// Clear says that a line from the viewer's eye to its eye or chest is clear: traced
	// again for this view, which is a sample and not what the policy has traced. To is
	// where the line ends: there, or at what blocks it.
	Clear bool
	To    vec.V3
}

// Why says why a candidate is told of or not, as far as can be seen from outside the
// policy.
type Why uint8

// The whys.
const (
	WhyTold  Why = iota
	WhyBody      // the viewer has no living body
	WhyRange     // no candidate: too far off
	WhyLine      // neither eye nor chest is in sight
	WhySmoke     // smoke stands before both
	WhyYet       // a line is clear, and the policy has not tested it yet, or does not go by it
	numWhys
)

func (w Why) String() string {
	return [numWhys + 1]string{"told of", "no living body", "out of range", "no clear line", "behind smoke", "clear line, untested", "unknown"}[min(w, numWhys)]
}

// maxCandidates bounds what one Insight holds: the nearest.
const maxCandidates = 32

// shows reports whether a kind of subject is drawn: what lies about is left out.
func shows(k state.Kind) bool {
	switch k {
	case state.KindPlayer, state.KindRocket, state.KindGrenade, state.KindVehicle, state.KindObjective:
		return true
	}
	return false
}

// Take fills the Insight with one viewer's row of an answer that vis.Gate has been
// through; sight must have taken the same Input. It reports whether there is such a
// viewer. Memory is reused.
func (n *Insight) Take(in *vis.Input, ans *vis.Answer, of state.ID, sight *vis.Sight) bool {
	row := -1
	for v := range in.Viewers {
		if in.Viewers[v].ID == of {
			row = v
			break
		}
	}
	if row < 0 || ans.Viewers != len(in.Viewers) || ans.Subjects != len(in.Subjects) {
		return false
	}
	if n.Viewer != of || in.Tick-n.Tick > 8 {
		n.Bodies = n.Bodies[:0]
	}
	bodies, last := n.last[:0], n.Bodies
	*n = Insight{Tick: in.Tick, TickRate: in.TickRate, Source: ans.Source, Rays: ans.Rays, Viewer: of, Bodies: bodies, last: last, Smokes: n.Smokes[:0]}
	v := &in.Viewers[row]
	var me *vis.Subject
	if v.Subject >= 0 && v.Subject < len(in.Subjects) {
		me = &in.Subjects[v.Subject]
		n.Alive, n.Feet, n.Eye, n.Yaw = me.Alive, me.Pos, me.Eye, me.Yaw
		n.Cone, _ = in.UsualSector(row)
	}
	for i := range in.Smokes {
		if c := scenery.Smoke(&in.Smokes[i], in.Tick, 0, in.TickRate); c.Radius > 0 {
			n.Smokes = append(n.Smokes, c)
		}
	}
	for s := range in.Subjects {
		it := &in.Subjects[s]
		if it == me || it.ID == of || !it.Alive || it.Owner != 0 || !shows(it.Kind) {
			continue
		}
		c := Candidate{ID: it.ID, Kind: it.Kind, Team: it.Team, Pos: it.Pos, Eye: it.Eye, Box: it.Box, Yaw: it.Yaw, Since: in.Tick, Far: n.Eye.Dist(it.Chest), To: it.Eye}
		if c.Told = ans.Permitted(row, s); c.Told {
			c.By = ans.Reason[row*ans.Subjects+s]
		}
		if it.Kind == state.KindPlayer {
			if c.Told {
				n.Told++
			} else {
				n.Withheld++
			}
		}
		c.Why = WhyTold
		switch {
		case c.Told:
		case !n.Alive:
			c.Why = WhyBody
		case len(in.Asked) != in.Words*len(in.Viewers) || !in.IsAsked(row, s):
			c.Why = WhyRange
		default:
			c.Why = WhyLine // until it is traced
		}
		n.near(c)
	}
	for i := range n.Bodies {
		c := &n.Bodies[i]
		c.trace(n, in, sight)
		for k := range n.last {
			if l := &n.last[k]; l.ID == c.ID && l.Told == c.Told {
				c.Since = l.Since
			}
		}
	}
	return true
}

// near adds a candidate, and leaves out the farthest when there are too many.
func (n *Insight) near(c Candidate) {
	i := len(n.Bodies)
	if i == maxCandidates {
		if i--; n.Bodies[i].Far <= c.Far {
			return
		}
		n.Bodies = n.Bodies[:i]
	}
	n.Bodies = append(n.Bodies, c)
	for ; i > 0 && n.Bodies[i-1].Far > n.Bodies[i].Far; i-- {
		n.Bodies[i-1], n.Bodies[i] = n.Bodies[i], n.Bodies[i-1]
	}
}

// halvings is how often the blocked part of a line is halved: to a 64th of it.
const halvings = 6

// trace looks along the lines from the viewer's eye.
func (c *Candidate) trace(n *Insight, in *vis.Input, sight *vis.Sight) {
	if !n.Alive || sight == nil || c.Why == WhyRange {
		return
	}
	chest := c.Box.Center()
	for s := range in.Subjects {
		if in.Subjects[s].ID == c.ID {
			chest = in.Subjects[s].Chest
			break
		}
	}
	for _, to := range [...]vec.V3{c.Eye, chest} {
		if sight.Clear(n.Eye, to) {
			c.Clear, c.To = true, to
			if !c.Told {
				c.Why = WhyYet
			}
			return
		}
	}
	if !c.Told && sight.Bare().Clear(n.Eye, c.Eye) {
		c.Why = WhySmoke
	}
	lo, hi := float32(0), float32(1)
	for range halvings {
		mid := (lo + hi) / 2
		if sight.Clear(n.Eye, n.Eye.Lerp(c.Eye, mid)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	c.To = n.Eye.Lerp(c.Eye, lo)
}

// copyTo copies without sharing memory; what is needed to go on is not copied.
func (n *Insight) copyTo(dst *Insight) {
	bodies, smokes, last := append(dst.Bodies[:0], n.Bodies...), append(dst.Smokes[:0], n.Smokes...), dst.last
	*dst = *n
	dst.Bodies, dst.Smokes, dst.last = bodies, smokes, last
}

// Insights makes the Insight of two viewers at most while somebody asks: the player who
// runs the server looks into it with them. Nothing is done while nobody does.
type Insights struct {
	sight *vis.Sight // of the server's goroutine
	rate  int

	mu   sync.Mutex
	of   [2]wanted
	tick state.Tick
}

type wanted struct {
	id    state.ID // 0: nobody
	asked state.Tick
	has   bool
	now   Insight
}

// unaskedTicks is for how long an Insight is made that nobody has fetched.
const unaskedTicks = 128

// Hook adds what it needs to a server's hooks.
func (x *Insights) Hook(h Hooks, tickRate int) Hooks {
	level, decided := h.Level, h.Decided
	h.Level = func(m *Match) {
		x.mu.Lock()
		x.sight, x.rate, x.of = vis.NewSight(m.World, tickRate), tickRate, [2]wanted{}
		x.mu.Unlock()
		if level != nil {
			level(m)
		}
	}
	h.Decided = func(in *vis.Input, ans *vis.Answer) {
		x.decided(in, ans)
		if decided != nil {
			decided(in, ans)
		}
	}
	return h
}

func (x *Insights) decided(in *vis.Input, ans *vis.Answer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tick = in.Tick
	taken := false
	for i := range x.of {
		w := &x.of[i]
		if w.id == 0 {
			continue
		}
		if in.Tick-w.asked > unaskedTicks {
			*w = wanted{now: w.now}
			continue
		}
		if !taken {
			x.sight.Take(in)
			taken = true
		}
		w.has = w.now.Take(in, ans, w.id, x.sight)
	}
}

// Look copies the newest Insight of a viewer, and has them made from now on. It is false
// while there is none yet. It may be called from any goroutine.
func (x *Insights) Look(dst *Insight, of state.ID) bool {
	if of == 0 {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	w := &x.of[0]
	for i := range x.of {
		o := &x.of[i]
		if o.id == of {
			w = o
			break
		}
		if o.id == 0 || w.id != 0 && int32(o.asked-w.asked) < 0 {
			w = o
		}
	}
	if w.id != of {
		*w = wanted{id: of, now: w.now}
	}
	w.asked = x.tick
	if w.has {
		w.now.copyTo(dst)
	}
	return w.has
}
