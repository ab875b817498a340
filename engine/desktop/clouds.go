package desktop

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/render/scene"
)

// holeFades is for how long before its end the picture of a hole closes, ms: it hides
// less than the cloud as long as the server lets something be seen through it.
const holeFades = 400

// clouds adds the smoke that is known: the ball that hides is drawn as large as the
// server takes it at the shown instant.
func clouds(f *scene.Frame, v *View) {
	c := &v.Clouds
	for i := range c.Smokes.Clouds {
		it := &c.Smokes.Clouds[i]
		f.Clouds = append(f.Clouds, scene.Cloud{Pos: gl(it.At), Radius: it.Radius, Density: it.Density})
	}
	for i := range c.Holes {
		h := &c.Holes[i]
		if !scenery.HoleOpen(h, c.Tick, c.Frac, c.Rate) {
			continue
		}
		age := (float32(int32(c.Tick-h.Start)) + float32(c.Frac)/256) * 1000 / float32(max(c.Rate, 1))
		for k := range c.Smokes.Clouds {
			if c.Smokes.Clouds[k].ID == h.Smoke {
				f.CloudHoles = append(f.CloudHoles, scene.CloudHole{
					Cloud: k, Pos: gl(h.Pos), Radius: float32(h.Radius) / 256, Open: min((scenery.HoleMS-age)/holeFades, 1),
				})
			}
		}
	}
}

// Colours of the thrown.
var (
	smokeColor = mgl32.Vec3{0.16, 0.2, 0.16}
	flashColor = mgl32.Vec3{0.5, 0.5, 0.54}
)

// grenade adds a thrown thing, which tumbles while it flies.
func grenade(f *scene.Frame, o *client.Shown, time float64) {
	dir := mgl32.Vec3{0, 0, 1}
	if o.Velocity.LenSq() > 0.01 {
		s, c := math.Sincos(time*11 + float64(o.ID))
		dir = mgl32.Vec3{float32(c) * 0.8, float32(s) * 0.8, 0.6}.Normalize()
	}
	color := smokeColor
	if o.Weapon == tables.FlashGrenade {
		color = flashColor
	}
	f.Projectiles = append(f.Projectiles, scene.Projectile{Pos: gl(o.At), Dir: dir, Color: color, Thrown: true})
}
