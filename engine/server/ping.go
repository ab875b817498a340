package server

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Marks: how far off one can be, and how many one player may set: markBurst, then one
// per markEveryNS.
const (
	markFar     = 400 // metres
	markBurst   = 3
	markEveryNS = 1_500_000_000
)

// mark1 sets a mark for a client's team where its view meets the world. What it is not
// being sent is not there for its ray, so that a mark says nothing of who hides behind a
// smoke or stands in the dark; a body that it is being sent stops it, and the mark is
// the place, without a name. Who has no team has nobody to tell.
func (s *Server) mark1(c *conn) {
	w, now := s.match.sim, s.lastNow
	p := w.Player(c.id)
	team := w.Side(c.id)
	if p == nil || !p.Alive() || team == 0 {
		return
	}
	for c.marks > 0 && now-c.marksAt >= markEveryNS {
		c.marks--
		c.marksAt += markEveryNS
	}
	if c.marks == 0 {
		c.marksAt = now
	}
	if c.marks >= markBurst {
		return
	}
	c.marks++
	eye := pmove.Eye(p, &s.match.Tables.Movement)
	to := eye.Mad(markFar, vec.Forward(p.Yaw.Deg(), p.Pitch.Deg()))
	scene := w.Scene()
	hit := scene.Ray(eye, to, level.MaskShot)
	if hit.StartSolid {
		return
	}
	at, frac := hit.End, hit.Frac
	for i := range c.view.Entities() {
		e := &c.view.Entities()[i]
		if e.Kind != state.KindPlayer || e.Pose&state.PoseDead != 0 {
			continue
		}
		body := pmove.Body(&state.Player{Duck: e.Duck, Flags: ducked(e.Pose)}, &s.match.Tables.Movement).Move(e.Pos.V3())
		if f, ok := enters(body, eye, to); ok && f < frac {
			frac = f
			at = eye.Lerp(to, f)
		}
	}
	w.Mark(state.Event{Kind: state.EvPing, Actor: c.id, Param: int32(team), Pos: vec.CanonV(at)})
}

func ducked(p state.Pose) state.Flags {
	if p&state.PoseDucked != 0 {
		return state.Ducked
	}
	return 0
}

// enters returns how far along a line it enters a box, as a share of it.
func enters(b vec.Box, from, to vec.V3) (float32, bool) {
	d := to.Sub(from)
	lo, hi := float32(0), float32(1)
	for _, a := range [3][4]float32{{from.X, d.X, b.Min.X, b.Max.X}, {from.Y, d.Y, b.Min.Y, b.Max.Y}, {from.Z, d.Z, b.Min.Z, b.Max.Z}} {
		if a[1] == 0 {
			if a[0] < a[2] || a[0] > a[3] {
				return 0, false
			}
			continue
		}
		t1, t2 := (a[2]-a[0])/a[1], (a[3]-a[0])/a[1]
		lo, hi = max(lo, min(t1, t2)), min(hi, max(t1, t2))
	}
	return lo, lo <= hi
}
