package vis

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Sight answers whether a line is clear at one tick. Only what can never be seen
// through blocks it: solid brushes, curves and terrain, and doors that are fully
// closed, pieces that are not broken, and smoke. A door that is ajar does not block at all, because what is drawn of it
// swings on another timeline than the one on which the decision is made. Glass and
// clip brushes never block.
type Sight struct {
	scene    trace.Scene
	tickRate int
	level    *level.Level
	changed  []vec.Box
	unmoved  []bool // by door: it is closed and was never moved
	pieces   pieces
	clouds   scenery.Smokes
	gone     []scenery.Cloud // scratch: those of the tick before
	stirred  []vec.Box       // by the last Take
	bare     *Sight
}

// away is where the models of open doors are put: far outside every level.
var away = level.Pose{Off: vec.V3{Z: 1 << 20}}

// NewSight returns the sight lines of a world in which all doors are closed.
func NewSight(w *trace.World, tickRate int) *Sight {
	l := w.Level()
	return &Sight{
		scene:    trace.Scene{W: w, Poses: make([]level.Pose, len(l.Models))},
		tickRate: tickRate,
		level:    l,
		pieces:   newPieces(w),
	}
}

// Update takes the doors as they are at a tick. Doors without a state are closed.
func (s *Sight) Update(doors []state.DoorState, tick state.Tick) {
	s.changed = s.changed[:0]
	if len(s.unmoved) != len(s.level.Doors) {
		s.unmoved = make([]bool, len(s.level.Doors))
	}
	for i := range s.level.Doors {
		never := i >= len(doors) || doors[i] == state.DoorState{}
		if never && s.unmoved[i] {
			continue
		}
		s.unmoved[i] = never
		d := &s.level.Doors[i]
		if d.Model <= 0 || d.Model >= len(s.scene.Poses) {
			continue
		}
		at := level.Pose{}
		if i < len(doors) && !scenery.Closed(d, doors[i], tick, s.tickRate) {
			at = away
		}
		if s.scene.Poses[d.Model] != at {
			s.scene.Poses[d.Model] = at
			s.changed = append(s.changed, s.level.Models[d.Model].Bounds)
		}
	}
}

// Take takes everything that changes what is in sight as an Input has it.
func (s *Sight) Take(in *Input) {
	s.Update(in.Doors, in.Tick)
	s.takePieces(in.Pieces)
	s.takeClouds(in)
}

// Changed returns where the last Update or Take made something solid block that did not
// before, or the other way round. It is valid until the next.
func (s *Sight) Changed() []vec.Box { return s.changed }

// Clear reports whether nothing blocks the line between two points.
func (s *Sight) Clear(a, b vec.V3) bool {
	return !s.Smoky(a, b) && !s.scene.Blocked(a, b, level.MaskSight)
}

// Occluded reports whether something blocks the line between two points, and what; of
// smoke, which does not stay, the Occluder is zero.
func (s *Sight) Occluded(a, b vec.V3) (trace.Occluder, bool) {
	if s.Smoky(a, b) {
		return trace.Occluder{}, true
	}
	return s.scene.Occluded(a, b, level.MaskSight)
}

// Hides reports whether a thing that blocked another line blocks this one: a small
// part of the work of Clear. If it does not, something else still may.
func (s *Sight) Hides(by trace.Occluder, a, b vec.V3) bool {
	return s.scene.Hides(by, a, b, level.MaskSight)
}

// HidesAll reports whether a thing that blocked a line blocks all lines between two
// volumes, as far as that can be said at once (trace.Scene.HidesAll).
func (s *Sight) HidesAll(by trace.Occluder, a, b vec.Box) bool {
	return s.scene.HidesAll(by, a, b, level.MaskSight)
}

// Free returns how far a point gets on the way from a to b before something stops
// it that stops bodies.
func (s *Sight) Free(a, b vec.V3) vec.V3 {
	hit := s.scene.Ray(a, b, level.MaskMove)
	if hit.StartSolid {
		return a
	}
	return hit.End
}

// near is how far from a surface a point is taken that lies on it.
const near = 0.03

// ClearTo reports whether a point that may lie on a surface, as impacts do, can
// be seen: the line ends a little before it.
func (s *Sight) ClearTo(eye, p vec.V3) bool {
	d := eye.Sub(p)
	u, l := d.Norm()
	if l <= near {
		return true
	}
	return s.Clear(eye, p.Mad(near, u))
}
