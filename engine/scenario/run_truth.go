package scenario

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// truth is what holds of a pair whatever the policy: when the target can be seen, and
// in which frames it would be on the viewer's screen.
type truth struct {
	visible []Interval
	screen  []bool // by frame
}

// truthStep is how far apart in time it is looked whether a target can be seen:
// within that the ends of an interval are known.
const truthStep = 0.002

// truth samples the pairs, once.
func (s *Scene) truth() []truth {
	if s.truths != nil {
		return s.truths
	}
	s.truths = make([]truth, 0, len(s.pairs)+1)
	l := &looker{s: s, poses: make([]level.Pose, len(s.level.Models))}
	for _, p := range s.pairs {
		v, t := &s.actors[p.v], &s.actors[p.t]
		var tr truth
		open := false
		n := int(s.File.Seconds/truthStep + 0.5)
		for i := 0; i <= n; i++ {
			at := float64(i) * truthStep
			sees := v.alive(at) && t.alive(at) && s.blinded(p.v, at) == 0 && l.sees(s.eye(v, at), s.box(t, at), at)
			if sees && !open {
				tr.visible = append(tr.visible, Interval{From: at})
			}
			if sees {
				tr.visible[len(tr.visible)-1].To = at
			}
			open = sees
		}
		for i := range int(s.File.Seconds * s.File.FrameHz) {
			mine, theirs := s.shown(v, s.frame(i))
			tr.screen = append(tr.screen, v.alive(mine) && t.alive(theirs) && s.blinded(p.v, mine) == 0 && s.framed(v, t, mine, theirs) && l.sees(s.eye(v, mine), s.box(t, theirs), theirs))
		}
		s.truths = append(s.truths, tr)
	}
	return s.truths
}

func (s *Scene) frame(i int) float64 { return float64(i) / s.File.FrameHz }

// shown returns of when a screen shows the viewer's own eye, as the server will know
// it, and of when it shows others.
func (s *Scene) shown(v *actor, now float64) (mine, theirs float64) {
	return now + v.rtt/2 + s.File.BufferMS/1000, now - v.rtt/2 - v.interp
}

// looker looks at bodies through doors that stand where they truly are.
type looker struct {
	s      *Scene
	poses  []level.Pose
	clouds scenery.Smokes
}

// Points of a body that are looked for: around it at so many heights, and across its
// top.
const (
	aroundPoints = 5     // along each side
	upPoints     = 13    // six units apart on a body of 72
	skin         = 0.001 // metres inside the body
)

// sees reports whether any of many points of a body's surface can be seen.
func (l *looker) sees(eye vec.V3, body vec.Box, t float64) bool {
	doors, tick, part := l.s.doorsAt(t)
	scenery.Poses(l.s.level, doors, tick, part, l.s.File.TickRate, l.poses)
	l.s.poseBreaks(tick, l.poses)
	sc := trace.Scene{W: l.s.world, Poses: l.poses}
	l.s.Clouds(t, &l.clouds)
	b := body.Pad(-skin)
	size := b.Size()
	for k := range upPoints {
		z := b.Min.Z + float32(size.Z*float32(k)/(upPoints-1))
		for i := range aroundPoints {
			for j := range aroundPoints {
				edge := i == 0 || j == 0 || i == aroundPoints-1 || j == aroundPoints-1
				if !edge && k != upPoints-1 {
					continue
				}
				p := vec.V3{X: b.Min.X + float32(size.X*float32(i)/(aroundPoints-1)), Y: b.Min.Y + float32(size.Y*float32(j)/(aroundPoints-1)), Z: z}
				if !l.clouds.Hide(eye, p) && !sc.Blocked(eye, p, level.MaskSight) {
					return true
				}
			}
		}
	}
	return false
}
