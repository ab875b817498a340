package vis

import (
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// takeClouds takes the smoke of an Input, and says where it has changed.
func (s *Sight) takeClouds(in *Input) {
	s.gone, s.stirred = append(s.gone[:0], s.clouds.Clouds...), s.stirred[:0]
	s.clouds.Set(in.Smokes, in.Holes, in.Tick, 0, s.tickRate)
	for i := range s.gone {
		if g := &s.gone[i]; !s.has(g.ID) {
			s.stirred = append(s.stirred, ball(g.At, g.Radius))
		}
	}
	for i := range in.Smokes {
		if sm := &in.Smokes[i]; scenery.SmokeChanges(sm, in.Tick, s.tickRate) || holed(in, sm.ID, s.tickRate) {
			s.stirred = append(s.stirred, ball(sm.Pos, float32(sm.Radius)/256))
		}
	}
}

// Stirred returns the balls of the clouds that the last Take has seen begin, grow, thin,
// go or be blown away. Who decides by it when somebody else is tested tells of clouds
// that nobody there sees; see Smoky. It is valid until the next.
func (s *Sight) Stirred() []vec.Box { return s.stirred }

func (s *Sight) has(id state.ID) bool {
	for i := range s.clouds.Clouds {
		if s.clouds.Clouds[i].ID == id {
			return true
		}
	}
	return false
}

// holed reports whether a hole in a cloud has come or gone in this tick.
func holed(in *Input, cloud state.ID, tickRate int) bool {
	for i := range in.Holes {
		h := &in.Holes[i]
		if h.Smoke == cloud && scenery.HoleOpen(h, in.Tick, 0, tickRate) != scenery.HoleOpen(h, in.Tick-1, 0, tickRate) {
			return true
		}
	}
	return false
}

func ball(at vec.V3, r float32) vec.Box {
	half := vec.V3{X: r, Y: r, Z: r}
	return vec.Box{Min: at.Sub(half), Max: at.Add(half)}
}

// Smoky reports whether smoke alone hides one end of a line from the other. It costs
// nothing where there is none.
func (s *Sight) Smoky(a, b vec.V3) bool { return s.clouds.Hide(a, b) }

// Bare returns the same sight lines without the smoke: what is asked of a cloud
// itself, which would stand before its own middle. It follows every Update and Take.
func (s *Sight) Bare() *Sight {
	if s.bare == nil {
		s.bare = new(Sight)
	}
	b := s.bare
	b.scene, b.tickRate, b.level = s.scene, s.tickRate, s.level
	return b
}

// IsCloud reports whether a subject is smoke, or a hole in it.
func (s *Subject) IsCloud() bool { return s.Kind == state.KindSmoke || s.Kind == state.KindHole }

// BallOf returns a cloud as a Subject at a tick: its box is that of the ball.
func BallOf(c *state.Smoke, tick state.Tick, tickRate int) Subject {
	r := scenery.Smoke(c, tick, 0, tickRate).Radius
	return Subject{ID: c.ID, Kind: state.KindSmoke, Alive: true, Pos: c.Pos, Eye: c.Pos, Chest: c.Pos, Box: ball(c.Pos, r)}
}

// HoleOf returns a hole as a Subject that is attached to its cloud.
func HoleOf(h *state.Hole) Subject {
	r := float32(h.Radius) / 256
	return Subject{ID: h.ID, Kind: state.KindHole, Owner: h.Smoke, Alive: true, Pos: h.Pos, Eye: h.Pos, Chest: h.Pos, Box: ball(h.Pos, r)}
}
