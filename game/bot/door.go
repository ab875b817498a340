package bot

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

const (
	doorReach = 1.6 // metres from the eye at which a bot uses a door, less than what the game allows
	doorAjar  = 0.9 // cosine of a turn that still counts as in the way: 25 degrees
)

// opens reports whether the use key is to be pressed: something that it opens stands
// in the way, shut or ajar. The bot then looks along its way.
func (b *Brain) opens(s *Senses, wish vec.V3) bool {
	if b.handle > 0 {
		b.handle--
		return false
	}
	if b.stuck < b.ticks(60) || wish.Len2() < 0.3 || s.Scene.W == nil {
		return false
	}
	way := wish.Flat().Unit()
	hit := s.Scene.Ray(s.Eye, s.Eye.Mad(doorReach, way), level.MaskMove)
	if hit.Model <= 0 {
		return false
	}
	l := s.Scene.W.Level()
	for i := range l.Doors {
		if d := &l.Doors[i]; !d.Use || d.Model != int(hit.Model) {
			continue
		}
		if m := int(hit.Model); m < len(s.Scene.Poses) && s.Scene.Poses[m].IsTurned() && s.Scene.Poses[m].Cos < doorAjar {
			return false // it is open: pushing on will do
		}
		b.yaw, _ = vec.Angles(way)
		b.pitch = 0
		b.handle = b.ticks(900)
		b.stuck = 0
		return true
	}
	return false
}

// use adds what opens does to a command.
func (b *Brain) use(s *Senses, wish vec.V3, cmd *state.Cmd) {
	if b.opens(s, wish) {
		cmd.Buttons |= state.BtnUse
	}
}
