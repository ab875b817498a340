package draw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// Paints that weapons share.
var (
	gunmetal = paint{color: mgl32.Vec3{0.055, 0.058, 0.065}, gloss: 0.55}
	polymer  = paint{color: mgl32.Vec3{0.10, 0.105, 0.11}, gloss: 0.15}
	steel    = paint{color: mgl32.Vec3{0.30, 0.31, 0.33}, gloss: 0.8}
	white    = paint{color: mgl32.Vec3{0.72, 0.73, 0.74}, gloss: 0.3}
)

// weapon adds a weapon whose grip is at the origin of m, x along the barrel and
// z up.
func (s *shapes) weapon(m *mgl32.Mat4, w scene.Weapon, color mgl32.Vec3) {
	if color == (mgl32.Vec3{}) {
		color = mgl32.Vec3{0.2, 0.75, 1}
	}
	accent := paint{color: color, glow: 0.25, gloss: 0.4}
	glow := paint{color: color.Add(mgl32.Vec3{0.1, 0.1, 0.1}), glow: 0.9}
	switch w {
	case scene.Rifle:
		s.rifle(m, accent, glow)
	case scene.QuietRifle:
		s.rifle(m, accent, glow)
		s.at(m, v(0.755, 0, 0.088), v(0.115, 0.025, 0.025), 0.022, polymer) // suppressor
		s.at(m, v(0.655, 0, 0.088), v(0.015, 0.027, 0.027), 0.020, gunmetal)
		s.at(m, v(0.862, 0, 0.088), v(0.010, 0.026, 0.026), 0.020, gunmetal)
	case scene.RocketLauncher:
		s.launcher(m, accent, glow)
	case scene.Canister:
		s.canister(m, accent)
	}
}

// v is short for a vector where a model is a table of them.
func v(x, y, z float32) mgl32.Vec3 { return mgl32.Vec3{x, y, z} }

func (s *shapes) rifle(m *mgl32.Mat4, accent, glow paint) {
	s.at(m, v(0.06, 0, 0.075), v(0.17, 0.026, 0.042), 0.012, gunmetal)   // receiver
	s.at(m, v(0.03, 0, 0.088), v(0.10, 0.0285, 0.018), 0.008, accent)    // its plates
	s.at(m, v(0.32, 0, 0.080), v(0.13, 0.027, 0.030), 0.014, polymer)    // hand guard
	s.at(m, v(0.32, 0, 0.053), v(0.10, 0.018, 0.008), 0.006, gunmetal)   // rail below
	s.at(m, v(0.53, 0, 0.088), v(0.12, 0.011, 0.011), 0.011, steel)      // barrel
	s.at(m, v(0.645, 0, 0.088), v(0.035, 0.018, 0.018), 0.012, gunmetal) // brake
	s.at(m, v(0.12, 0, 0.127), v(0.20, 0.012, 0.007), 0.004, gunmetal)   // rail
	s.at(m, v(0.10, 0, 0.148), v(0.040, 0.016, 0.016), 0.010, polymer)   // sight
	s.at(m, v(0.142, 0, 0.149), v(0.004, 0.011, 0.011), 0.004, glow)     // its lens
	s.at(m, v(0.40, 0, 0.142), v(0.008, 0.005, 0.014), 0.003, gunmetal)  // foresight
	s.at(m, v(-0.21, 0, 0.060), v(0.10, 0.022, 0.040), 0.016, polymer)   // stock
	s.at(m, v(-0.14, 0, 0.082), v(0.06, 0.012, 0.012), 0.010, steel)
	s.at(m, v(-0.31, 0, 0.050), v(0.014, 0.024, 0.062), 0.010, gunmetal)
	s.at(m, v(0.24, 0.0275, 0.082), v(0.07, 0.003, 0.005), 0.002, glow)
	s.at(m, v(0.24, -0.0275, 0.082), v(0.07, 0.003, 0.005), 0.002, glow)
	grip := m.Mul4(mgl32.Translate3D(-0.035, 0, -0.01)).Mul4(mgl32.HomogRotate3DY(radians(18)))
	s.box(&grip, v(0.024, 0.019, 0.062), 0.014, polymer)
	mag := m.Mul4(mgl32.Translate3D(0.135, 0, -0.02)).Mul4(mgl32.HomogRotate3DY(radians(-10)))
	s.box(&mag, v(0.034, 0.016, 0.090), 0.010, polymer)
	s.at(&mag, v(0, 0, -0.06), v(0.036, 0.018, 0.014), 0.008, accent)
}

func (s *shapes) launcher(m *mgl32.Mat4, accent, glow paint) {
	s.at(m, v(0.14, 0, 0.10), v(0.40, 0.070, 0.070), 0.068, polymer)   // tube
	s.at(m, v(0.50, 0, 0.10), v(0.055, 0.088, 0.088), 0.050, gunmetal) // mouth
	s.at(m, v(0.545, 0, 0.10), v(0.014, 0.060, 0.060), 0.014, glow)
	s.at(m, v(-0.27, 0, 0.10), v(0.05, 0.086, 0.086), 0.050, gunmetal) // vent
	s.at(m, v(0.20, 0, 0.10), v(0.10, 0.075, 0.075), 0.060, accent)    // band
	s.at(m, v(0.36, 0, 0.10), v(0.018, 0.077, 0.077), 0.060, steel)
	s.at(m, v(0.02, 0, 0.10), v(0.018, 0.077, 0.077), 0.060, steel)
	s.at(m, v(0.10, 0.075, 0.145), v(0.065, 0.024, 0.032), 0.012, gunmetal) // sight
	s.at(m, v(0.165, 0.075, 0.150), v(0.004, 0.014, 0.018), 0.004, glow)
	s.at(m, v(0.25, 0, 0.012), v(0.022, 0.018, 0.050), 0.012, polymer)
	grip := m.Mul4(mgl32.Translate3D(-0.02, 0, -0.02)).Mul4(mgl32.HomogRotate3DY(radians(16)))
	s.box(&grip, v(0.024, 0.019, 0.060), 0.014, polymer)
	s.at(m, v(-0.02, 0, 0.036), v(0.07, 0.024, 0.020), 0.010, gunmetal)
}

// canister is one held upright in the fist, its lever along the palm.
func (s *shapes) canister(m *mgl32.Mat4, accent paint) {
	s.at(m, v(0.02, 0, 0.02), v(0.033, 0.033, 0.058), 0.030, polymer)    // body
	s.at(m, v(0.02, 0, 0.045), v(0.035, 0.035, 0.010), 0.032, accent)    // its band
	s.at(m, v(0.02, 0, 0.088), v(0.020, 0.020, 0.014), 0.012, steel)     // head
	s.at(m, v(0.058, 0, 0.050), v(0.004, 0.009, 0.050), 0.003, steel)    // lever
	s.at(m, v(0.02, 0.034, 0.098), v(0.014, 0.004, 0.014), 0.004, steel) // ring
}

// muzzle is how far the barrel's end is from the grip.
func muzzle(w scene.Weapon) mgl32.Vec3 {
	if w == scene.RocketLauncher {
		return v(0.57, 0, 0.10)
	}
	if w == scene.QuietRifle {
		return v(0.88, 0, 0.088)
	}
	return v(0.69, 0, 0.088)
}

// held adds the viewer's own weapon with the hands on it, and returns where its
// barrel ends.
func (s *shapes) held(view *view, w *scene.ViewWeapon) (muzzleAt mgl32.Vec3, ok bool) {
	raise := clamp01(w.Raise)
	if w.Weapon == scene.NoWeapon || raise >= 1 {
		return mgl32.Vec3{}, false
	}
	recoil, walk, aim := clamp01(w.Recoil), clamp01(w.Walk), clamp01(w.Aim)
	phase := 2 * math.Pi * float64(finite(w.Bob, 0))
	still := 1 - 0.85*aim
	bobX := float32(math.Sin(phase)) * 0.012 * walk * still
	bobZ := -float32(math.Abs(math.Sin(phase))) * 0.014 * walk * still
	// x ahead, y to the left, z up from the eye.
	p := v(mix(0.46, 0.34, aim), mix(-0.185, 0, aim), mix(-0.225, -0.160, aim))
	if w.Weapon == scene.RocketLauncher {
		p = v(mix(0.50, 0.42, aim), mix(-0.245, -0.14, aim), mix(-0.285, -0.24, aim))
	}
	if w.Weapon == scene.Canister {
		p = v(0.50, -0.20, -0.22)
	}
	p = p.Add(v(-0.075*recoil, bobX, bobZ-0.34*raise))
	cam := mgl32.Mat4FromCols(view.forward.Vec4(0), view.right.Mul(-1).Vec4(0), view.up.Vec4(0), view.pos.Vec4(1))
	m := cam.Mul4(mgl32.Translate3D(p[0], p[1], p[2])).
		Mul4(mgl32.HomogRotate3DZ(radians(mix(2.5, 0, aim) - min(max(w.Sway[0], -8), 8)*still))).
		Mul4(mgl32.HomogRotate3DY(radians(-5*recoil + 35*raise + min(max(w.Sway[1], -8), 8)*still))).
		Mul4(mgl32.HomogRotate3DX(radians(mix(-4, 0, aim) + bobX*120)))
	s.weapon(&m, w.Weapon, w.Color)

	sleeve := paint{color: v(0.075, 0.08, 0.09).Add(w.Color.Mul(0.05)), gloss: 0.1}
	glove := paint{color: v(0.03, 0.032, 0.036), gloss: 0.3}
	plate := paint{color: w.Color.Mul(0.85), glow: 0.1, gloss: 0.35}
	at := func(q mgl32.Vec3) mgl32.Vec3 { return mgl32.TransformCoordinate(q, m) }
	up := mgl32.TransformNormal(v(0, 0, 1), m)
	right, left := v(-0.03, -0.01, -0.02), v(0.30, 0.012, 0.035)
	if w.Weapon == scene.RocketLauncher {
		left = v(0.25, 0.01, -0.01)
	}
	if w.Weapon == scene.Canister {
		left = v(0.10, 0.30, -0.10) // the other hand balances
		right = v(0.01, -0.02, 0.01)
	}
	// Fingers are a block around the grip, forearms come in from below.
	s.limb(at(right.Add(v(-0.03, -0.012, -0.045))), at(right.Add(v(0.03, -0.008, 0.02))), up, 0.036, 0.030, 0.9, glove)
	s.limb(at(right.Add(v(0.015, 0.024, 0.02))), at(right.Add(v(0.06, 0.024, 0.03))), up, 0.013, 0.011, 1, glove)
	s.limb(at(v(-0.36, -0.13, -0.30)), at(right.Add(v(-0.045, -0.02, -0.05))), up, 0.062, 0.040, 1, sleeve)
	s.limb(at(v(-0.30, -0.115, -0.235)), at(right.Add(v(-0.09, -0.035, -0.065))), up, 0.060, 0.043, 1, plate)
	s.limb(at(left.Add(v(-0.045, 0.010, -0.01))), at(left.Add(v(0.045, 0.004, -0.005))), up, 0.034, 0.030, 1.1, glove)
	s.limb(at(v(-0.14, 0.20, -0.34)), at(left.Add(v(-0.05, 0.02, -0.03))), up, 0.062, 0.040, 1, sleeve)
	s.limb(at(v(-0.06, 0.16, -0.25)), at(left.Add(v(-0.10, 0.045, -0.065))), up, 0.060, 0.043, 1, plate)
	return at(muzzle(w.Weapon)), true
}
