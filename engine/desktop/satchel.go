package desktop

import (
	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// satchelColors are the strips by which objectives are told apart, by their numbers.
var satchelColors = [...]mgl32.Vec3{{1.0, 0.42, 0.05}, {0.10, 0.55, 1.0}, {0.25, 0.85, 0.25}, {0.85, 0.2, 0.85}}

// Where a satchel is on somebody's back, metres: how high while it stands, and how far
// behind its middle.
const (
	backUp     = 1.22
	backBehind = 0.21
)

// satchel adds an objective: on the back of who carries it, or where it lies. Who looks
// out of its carrier's eyes does not see it.
func satchel(f *scene.Frame, v *View, o *client.Shown) {
	it := scene.Item{Kind: scene.SatchelItem, Pos: gl(o.At), Spin: o.YawDeg, Color: satchelColors[int(o.Weapon)%len(satchelColors)]}
	if o.Owner == 0 {
		f.Items = append(f.Items, it)
		return
	}
	if o.Owner == v.ID {
		return
	}
	for i := range v.Others {
		c := &v.Others[i]
		if c.ID != o.Owner || c.Kind != state.KindPlayer {
			continue
		}
		d := direction(c.YawDeg, 0)
		it.Pos = gl(c.At).Sub(d.Mul(backBehind)).Add(mgl32.Vec3{0, 0, backUp * vec.Lerp(1, 0.68, c.Duck01)})
		it.Spin, it.Carried = c.YawDeg, true
		f.Items = append(f.Items, it)
		return
	}
}
