package desktop

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// wheelM is the radius of a buggy's wheels, metres.
const wheelM = 0.38

// buggy is how a vehicle is drawn. On a slope its upright boxes touch the ground
// uphill, so the body lies lower; the wheels have turned by how far it is along its
// heading.
func buggy(o *client.Shown) scene.Vehicle {
	s, c := math.Sincos(float64(o.YawDeg) * math.Pi / 180)
	along := float64(o.At.X)*c + float64(o.At.Y)*s
	at := gl(o.At)
	at[2] -= 0.85 * float32(math.Abs(math.Sin(float64(o.PitchDeg)*math.Pi/180)))
	return scene.Vehicle{
		Pos: at, Yaw: o.YawDeg, Pitch: o.PitchDeg, Turned: float32(math.Mod(along/wheelM, 2*math.Pi)),
		Color: mgl32.Vec3{0.34, 0.27, 0.10},
	}
}

// shade is the soft shadow under a vehicle: one below each axle and one between, which
// tie it to the ground where no sun does.
func (s *Stage) shade(f *scene.Frame, v *View, o *client.Shown) {
	sin, cos := vec.SinCos(o.YawDeg)
	for _, along := range [...]float32{-1.05, 0, 1.05} {
		b := s.shadow(v, o.At.Add(vec.V3{X: cos * along, Y: sin * along}))
		b.Size, b.Alpha = 1.15, b.Alpha*0.8
		f.Sprites = append(f.Sprites, b)
	}
}
