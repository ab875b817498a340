package scenario

import (
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Cause is why a target was missing from a frame: what the server could have known of
// it when it made the newest snapshot that had arrived by then.
type Cause uint8

// The causes, in the order in which they are looked for.
const (
	CauseSpawn   Cause = iota // the picture is of a time before the viewer's own spawn or teleport
	CauseUnknown              // what the server answered is not in the log
	CauseUnasked              // the pair was no candidate: out of range for the server
	CauseOnWay                // it was permitted, and no packet that arrived held it
	CauseNear                 // a part of it was in sight from the eye on the server, within 40 m
	CauseFar                  // the same, farther away
	CauseEye                  // it was in sight only from where the viewer's eye has come to since
	CauseShown                // it was in sight only where the screen still shows it
	CauseBoth                 // only the eye of the frame sees it where it is shown
	NumCauses
)

func (c Cause) String() string {
	return [...]string{
		"after the viewer's spawn", "unknown", "out of the server's range", "permitted, on its way", "a part in sight within 40 m",
		"a part in sight beyond 40 m", "by the viewer's own motion", "where it was shown, not where it was", "by both motions",
	}[min(c, NumCauses-1)]
}

// cause says why a target that a frame should show was not told. It leaves sight at
// another tick.
func (o *Onlooker) cause(g *Glimpse, id state.ID, shown *state.Placed, fresh bool) Cause {
	if fresh {
		return CauseSpawn
	}
	m := o.at(g.Arrived)
	if m == nil || len(m.Told) == 0 {
		return CauseUnknown
	}
	own, is := m.of(g.Viewer), m.of(id)
	if own == nil || is == nil {
		return CauseUnknown
	}
	why, asked := m.told(g.Viewer, id)
	switch {
	case !asked:
		return CauseUnasked
	case why != vis.Hidden:
		return CauseOnWay
	}
	o.block(m)
	me, at := own.Placed(), is.Placed()
	eye := o.eyeOf(&me)
	var p pairLog
	switch {
	case o.sees(&p, eye, &at):
		if eye.DistSq(at.Pos) <= 40*40 {
			return CauseNear
		}
		return CauseFar
	case o.sees(&p, g.Eye, &at):
		return CauseEye
	case o.sees(&p, eye, shown):
		return CauseShown
	}
	return CauseBoth
}

// eyeOf returns the eye of a body.
func (o *Onlooker) eyeOf(at *state.Placed) vec.V3 {
	s := hitbox.ShapeOf(&o.set.Movement, hitbox.Pose{Pos: at.Pos, Yaw: at.Yaw, Duck: at.Duck, Lean: at.Lean})
	sin, cos := vec.SinCos(at.Yaw.Deg())
	v := s.HeadAt
	return at.Pos.Add(vec.V3{X: v.X*cos - v.Y*sin, Y: v.X*sin + v.Y*cos, Z: v.Z})
}
