package desktop

import (
	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/vec"
)

// skin is how far from a told place its surface is looked for, metres.
const skin = 0.06

// struck returns the part of the level on whose surface a place is, 0 for the world.
func (s *Stage) struck(at, normal vec.V3) int {
	if s.scene.W == nil || normal == (vec.V3{}) {
		return 0
	}
	r := s.scene.Ray(at.Mad(skin, normal), at.Mad(-skin, normal), level.MaskShot)
	if r.Frac == 1 || r.StartSolid || r.Model <= 0 {
		return 0
	}
	return int(r.Model)
}

// stick makes a stain go with the part of the level that it is on.
func (t *stain) stick(model int, poses []level.Pose) {
	if model <= 0 || model >= len(poses) {
		return
	}
	p := &poses[model]
	at := vec.V3{X: t.pos[0], Y: t.pos[1], Z: t.pos[2]}
	n := vec.V3{X: t.normal[0], Y: t.normal[1], Z: t.normal[2]}
	in := p.Into(at)
	t.model, t.pos, t.normal = model, gl(in), gl(p.Into(at.Add(n)).Sub(in))
}

// now returns where a stain is, and false when what it was on is gone.
func (t *stain) now(poses []level.Pose) (at, normal mgl32.Vec3, ok bool) {
	if t.model == 0 || t.model >= len(poses) {
		return t.pos, t.normal, t.model == 0
	}
	p := &poses[t.model]
	if p.Off == scenery.Away {
		return at, normal, false
	}
	in := vec.V3{X: t.pos[0], Y: t.pos[1], Z: t.pos[2]}
	n := vec.V3{X: t.normal[0], Y: t.normal[1], Z: t.normal[2]}
	return gl(p.Out(in)), gl(p.Turn(n)), true
}
