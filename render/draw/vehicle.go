package draw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// vehicle adds an open buggy: a tub between four wheels, a bonnet with lamps, a roll
// bar, four seats and a wheel to steer with. Its hull is the one that stops shots.
func (s *shapes) vehicle(c *scene.Vehicle) {
	rad := func(deg float32) float32 { return deg * math.Pi / 180 }
	m := mgl32.Translate3D(c.Pos[0], c.Pos[1], c.Pos[2]).
		Mul4(mgl32.HomogRotate3DZ(rad(c.Yaw))).Mul4(mgl32.HomogRotate3DY(-rad(c.Pitch)))
	body := paint{color: c.Color, gloss: 0.4}
	dark := paint{color: v(0.045, 0.045, 0.05), gloss: 0.15}
	seat := paint{color: v(0.10, 0.085, 0.07), gloss: 0.1}
	lamp := paint{color: v(1.0, 0.93, 0.75), glow: 0.7}
	rear := paint{color: v(0.8, 0.05, 0.03), glow: 0.5}

	s.at(&m, v(-0.1, 0, 0.38), v(1.45, 0.62, 0.07), 0.05, dark) // floor
	s.at(&m, v(1.15, 0, 0.62), v(0.55, 0.60, 0.17), 0.10, body) // bonnet
	s.at(&m, v(-1.52, 0, 0.62), v(0.18, 0.66, 0.19), 0.06, body)
	for _, y := range [2]float32{-1, 1} {
		s.at(&m, v(-0.35, 0.70*y, 0.60), v(1.05, 0.06, 0.18), 0.05, body) // sides
		s.at(&m, v(1.70, 0.40*y, 0.64), v(0.03, 0.11, 0.08), 0.03, lamp)
		s.at(&m, v(-1.71, 0.50*y, 0.66), v(0.02, 0.09, 0.05), 0.02, rear)
		s.at(&m, v(-0.45, 0.64*y, 1.20), v(0.035, 0.035, 0.62), 0.03, gunmetal) // roll bar
		s.at(&m, v(0.62, 0.58*y, 0.95), v(0.03, 0.03, 0.18), 0.025, gunmetal)   // windscreen frame
		for _, x := range [2]float32{0.02, -1.02} {
			s.at(&m, v(x, 0.36*y, 0.52), v(0.23, 0.22, 0.07), 0.05, seat)
			s.at(&m, v(x-0.24, 0.36*y, 0.78), v(0.06, 0.22, 0.26), 0.05, seat)
		}
	}
	s.at(&m, v(-0.45, 0, 1.80), v(0.035, 0.67, 0.035), 0.03, gunmetal)
	s.at(&m, v(0.62, 0, 1.13), v(0.03, 0.61, 0.03), 0.025, gunmetal)
	s.at(&m, v(0.46, 0.36, 0.92), v(0.03, 0.17, 0.17), 0.03, gunmetal) // steering wheel
	s.at(&m, v(1.76, 0, 0.48), v(0.05, 0.62, 0.06), 0.04, gunmetal)    // bumper
	for _, x := range [2]float32{1.12, -1.12} {
		for _, y := range [2]float32{-0.76, 0.76} {
			w := m.Mul4(mgl32.Translate3D(x, y, 0.38)).Mul4(mgl32.HomogRotate3DY(c.Turned))
			s.at(&w, v(0, 0, 0), v(0.38, 0.13, 0.38), 0.36, dark)
			side := float32(0.12)
			if y < 0 {
				side = -side
			}
			s.at(&w, v(0, side, 0), v(0.20, 0.02, 0.05), 0.02, steel) // spokes show that it turns
			s.at(&w, v(0, side, 0), v(0.05, 0.02, 0.20), 0.02, steel)
		}
	}
}
