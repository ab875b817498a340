package draw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// itemColor is what an item's glow and ring are shown in.
func itemColor(it *scene.Item) mgl32.Vec3 {
	if it.Color != (mgl32.Vec3{}) {
		return it.Color
	}
	switch it.Kind {
	case scene.HealthItem:
		return v(0.9, 0.10, 0.10)
	case scene.ArmourItem:
		return v(0.12, 0.45, 1.0)
	case scene.AmmoItem:
		return v(1.0, 0.62, 0.08)
	case scene.RocketItem:
		return v(1.0, 0.30, 0.06)
	case scene.FlagItem:
		return v(0.9, 0.9, 0.9)
	case scene.SatchelItem:
		return v(1.0, 0.42, 0.05)
	}
	return v(0.15, 0.85, 0.75)
}

// item adds one pickup, floating and turning, over a plate on the ground.
func (s *shapes) item(it *scene.Item, time float64) {
	fade := clamp01(it.Fade)
	size := 1 - fade
	c := itemColor(it)
	base := mgl32.Translate3D(it.Pos[0], it.Pos[1], it.Pos[2])
	if it.Kind == scene.SatchelItem {
		s.satchel(&base, it, time)
		return
	}
	s.at(&base, v(0, 0, 0.012), v(0.36, 0.36, 0.016), 0.014, gunmetal)
	s.at(&base, v(0, 0, 0.020), v(0.27, 0.27, 0.012), 0.010, paint{color: c, glow: 0.55 * size})
	if size < 0.02 {
		return
	}
	turn := float64(it.Spin) * math.Pi / 180
	float := 0.48 + 0.06*float32(math.Sin(time*2.2+float64(it.Pos[0]+it.Pos[1])))
	m := base.Mul4(mgl32.Translate3D(0, 0, float)).Mul4(mgl32.HomogRotate3DZ(float32(turn))).Mul4(mgl32.Scale3D(size, size, size))
	own := paint{color: c, glow: 0.5, gloss: 0.4}
	bright := paint{color: c, glow: 0.9}
	switch it.Kind {
	case scene.HealthItem:
		s.box(&m, v(0.13, 0.20, 0.18), 0.05, white)
		for _, x := range [2]float32{-1, 1} {
			s.at(&m, v(0.128*x, 0, 0), v(0.012, 0.11, 0.038), 0.008, bright)
			s.at(&m, v(0.128*x, 0, 0), v(0.012, 0.038, 0.11), 0.008, bright)
		}
		s.at(&m, v(0, 0, 0.195), v(0.03, 0.075, 0.02), 0.015, gunmetal)
	case scene.ArmourItem:
		s.tapered(&m, v(0.10, 0.19, 0.20), 0.06, 0.9, 1.2, own)
		s.at(&m, v(0.07, 0, 0.03), v(0.05, 0.12, 0.11), 0.03, own)
		s.at(&m, v(0.115, 0, 0.08), v(0.012, 0.05, 0.02), 0.008, bright)
		for _, y := range [2]float32{-1, 1} {
			s.at(&m, v(0, 0.22*y, 0.17), v(0.09, 0.06, 0.05), 0.04, own)
		}
	case scene.AmmoItem:
		s.box(&m, v(0.12, 0.20, 0.13), 0.025, paint{color: v(0.13, 0.15, 0.10), gloss: 0.2})
		s.at(&m, v(0, 0, 0.115), v(0.128, 0.208, 0.022), 0.012, gunmetal)
		s.at(&m, v(0, 0, -0.01), v(0.124, 0.205, 0.022), 0.006, bright)
		for i := range 3 {
			y := float32(i-1) * 0.09
			s.at(&m, v(0, y, 0.16), v(0.022, 0.022, 0.065), 0.020, paint{color: v(0.75, 0.5, 0.16), gloss: 0.8})
		}
	case scene.RifleItem, scene.RocketItem:
		w := scene.Rifle
		if it.Kind == scene.RocketItem {
			w = scene.RocketLauncher
		}
		big := m.Mul4(mgl32.Scale3D(1.35, 1.35, 1.35)).Mul4(mgl32.Translate3D(-0.14, 0, -0.05))
		s.weapon(&big, w, c)
	case scene.FlagItem:
		s.at(&m, v(0, 0, 0.25), v(0.022, 0.022, 0.75), 0.02, steel)
		s.at(&m, v(0, 0.27, 0.75), v(0.012, 0.26, 0.19), 0.01, own)
	}
}

// satchel adds a bag with a flap, two straps and a lamp that blinks: upright on a back,
// or lying flat on the ground.
func (s *shapes) satchel(base *mgl32.Mat4, it *scene.Item, time float64) {
	m := base.Mul4(mgl32.HomogRotate3DZ(float32(float64(it.Spin) * math.Pi / 180)))
	if !it.Carried { // on its face, so that the lamp is up
		m = m.Mul4(mgl32.Translate3D(0, 0, 0.11)).Mul4(mgl32.HomogRotate3DY(math.Pi / 2))
	}
	cloth := paint{color: v(0.10, 0.105, 0.075), gloss: 0.08}
	flap := paint{color: v(0.14, 0.14, 0.10), gloss: 0.08}
	strap := paint{color: v(0.05, 0.045, 0.04), gloss: 0.1}
	lamp := paint{color: itemColor(it), glow: 0.5 + 2.5*float32(math.Pow(0.5+0.5*math.Sin(time*5), 4))}
	s.at(&m, v(0, 0, 0), v(0.10, 0.20, 0.23), 0.05, cloth)
	s.at(&m, v(-0.035, 0, 0.10), v(0.085, 0.205, 0.135), 0.04, flap) // behind and over the top
	s.at(&m, v(-0.10, 0, -0.12), v(0.035, 0.14, 0.07), 0.03, cloth)  // pocket
	for _, y := range [2]float32{-1, 1} {
		s.at(&m, v(-0.118, 0.11*y, 0.03), v(0.008, 0.02, 0.14), 0.006, strap)
		s.at(&m, v(-0.125, 0.11*y, -0.03), v(0.01, 0.028, 0.018), 0.006, steel)
		s.at(&m, v(0.105, 0.13*y, 0.02), v(0.012, 0.03, 0.20), 0.01, strap)
	}
	s.at(&m, v(-0.125, 0, 0.10), v(0.012, 0.055, 0.03), 0.01, gunmetal)
	s.at(&m, v(-0.138, 0, 0.10), v(0.008, 0.035, 0.014), 0.006, lamp)
	s.at(&m, v(0, 0, 0.25), v(0.015, 0.07, 0.02), 0.012, strap) // handle
}

// rocket adds one projectile.
func (s *shapes) rocket(p *scene.Projectile) {
	d := p.Dir
	if d.Len() < 1e-3 {
		d = v(1, 0, 0)
	}
	d = d.Normalize()
	side := d.Cross(v(0.02, 0.01, 1))
	if side.Len() < 1e-3 {
		side = v(0, 1, 0)
	}
	side = side.Normalize()
	m := mgl32.Mat4FromCols(d.Vec4(0), side.Mul(-1).Vec4(0), side.Cross(d).Vec4(0), p.Pos.Vec4(1))
	c := p.Color
	if p.Thrown {
		s.at(&m, v(0, 0, 0), v(0.085, 0.038, 0.038), 0.03, paint{color: c, gloss: 0.4})
		s.at(&m, v(0.085, 0, 0), v(0.022, 0.02, 0.02), 0.012, gunmetal)
		s.at(&m, v(0.06, 0.042, 0), v(0.045, 0.005, 0.014), 0.004, gunmetal)
		return
	}
	if c == (mgl32.Vec3{}) {
		c = v(1, 0.45, 0.1)
	}
	s.at(&m, v(-0.10, 0, 0), v(0.20, 0.050, 0.050), 0.048, white)
	s.at(&m, v(0.10, 0, 0), v(0.09, 0.042, 0.042), 0.042, paint{color: c, glow: 0.6, gloss: 0.5})
	s.at(&m, v(-0.30, 0, 0), v(0.03, 0.042, 0.042), 0.03, paint{color: v(1, 0.7, 0.35), glow: 6})
	s.at(&m, v(-0.24, 0, 0), v(0.05, 0.11, 0.008), 0.006, gunmetal)
	s.at(&m, v(-0.24, 0, 0), v(0.05, 0.008, 0.11), 0.006, gunmetal)
}
