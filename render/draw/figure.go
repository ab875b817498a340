package draw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// Sizes of a standing figure in metres. The whole is 1.80 high, crouched 1.25;
// feet, hips and head stay inside a body of 0.35 to each side.
const (
	hipStand, hipCrouch = 0.90, 0.50
	hipSeated           = 0.42
	thigh, shin         = 0.47, 0.47
	torsoLength         = 0.50
	upperArm, foreArm   = 0.30, 0.29
)

func mix(a, b, t float32) float32 { return a + (b-a)*t }

func clamp01(v float32) float32 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// colours of a figure: cloth, armour in the team's colour, and what glows.
func figurePaints(f *scene.Figure) (cloth, armour, dark, glow paint) {
	c := f.Color
	if c == (mgl32.Vec3{}) {
		c = mgl32.Vec3{0.55, 0.55, 0.55}
	}
	if f.Pain > 0 {
		c = c.Add(mgl32.Vec3{1, 0.9, 0.8}.Mul(0.6 * clamp01(f.Pain)))
	}
	tone := 0.9 + 0.2*float32(f.Seed%7)/7
	cloth = paint{color: mgl32.Vec3{0.075, 0.08, 0.09}.Mul(tone).Add(c.Mul(0.05)), gloss: 0.1}
	armour = paint{color: c.Mul(0.85), glow: 0.12, gloss: 0.35}
	dark = paint{color: mgl32.Vec3{0.03, 0.032, 0.036}, gloss: 0.4}
	glow = paint{color: c.Add(mgl32.Vec3{0.05, 0.05, 0.05}), glow: 1.1 * (1 - clamp01(f.Dead)), gloss: 0.5}
	return cloth, armour, dark, glow
}

// figure adds one body. Its parts hang together by joints, from the ground up:
// feet by the walk, hips by the crouch, torso by lean and aim, arms by the
// weapon that both hands hold.
func (s *shapes) figure(f *scene.Figure) {
	cloth, armour, dark, glow := figurePaints(f)
	crouch, lean, dead, air := clamp01(f.Crouch), min(max(f.Lean, -1), 1), clamp01(f.Dead), clamp01(f.Air)

	root := mgl32.Translate3D(f.Pos[0], f.Pos[1], f.Pos[2]).Mul4(mgl32.HomogRotate3DZ(radians(f.Yaw)))
	if dead > 0 {
		// It falls on its back, or on a side by its seed.
		side := radians(float32(int(f.Seed%5)-2) * 14)
		root = root.Mul4(mgl32.HomogRotate3DZ(side)).
			Mul4(mgl32.Translate3D(0, 0, 0.16*dead)).
			Mul4(mgl32.HomogRotate3DY(radians(-88 * dead))).
			Mul4(mgl32.Translate3D(0, 0, -0.1*dead))
	}
	at := func(p mgl32.Vec3) mgl32.Vec3 { return mgl32.TransformCoordinate(p, root) }
	dir := func(p mgl32.Vec3) mgl32.Vec3 { return mgl32.TransformNormal(p, root) }

	// The way of the step in the figure's own directions.
	sy, cy := sincos(radians(-f.Yaw))
	step := mgl32.Vec3{f.Velocity[0]*cy - f.Velocity[1]*sy, f.Velocity[0]*sy + f.Velocity[1]*cy, 0}
	speed := step.Len()
	if speed > 1e-3 {
		step = step.Mul(1 / speed)
	} else {
		step = mgl32.Vec3{1, 0, 0}
	}
	walk := clamp01(speed/5) * (1 - 0.6*air) * (1 - dead)
	bounce := float32(math.Abs(math.Sin(2*math.Pi*float64(f.Stride)))) * 0.05 * walk

	sits := clamp01(f.Seated)
	hipHeight := mix(mix(hipStand, hipCrouch, crouch), hipSeated, sits) - 0.03*walk + bounce
	shift := lean * -0.16 // y is to the left
	hips := mgl32.Vec3{-0.05 * crouch, shift * 0.4, hipHeight}
	aim := min(max(f.Pitch, -80), 80) * (1 - dead)
	bow := radians(8 + 16*crouch*(1-sits) - 6*sits + 6*walk - 0.30*aim) // torso tilts forward
	roll := lean * radians(22)
	sb, cb := sincos(bow)
	sr, cr := sincos(roll)
	spine := mgl32.Vec3{sb, -sr * cb, cr * cb}
	chest := hips.Add(spine.Mul(torsoLength))

	for i := range 2 {
		side := float32(1 - 2*i) // left first
		s.leg(at, dir, f, side, hips, step, walk, crouch, air, cloth, armour, dark)
	}

	// Pelvis, belly, breastplate and pack are boxes along the spine.
	fwd := mgl32.Vec3{cb, 0, -sb}
	left := spine.Cross(fwd)
	body := func(along, ahead float32) mgl32.Mat4 {
		p := hips.Add(spine.Mul(along)).Add(fwd.Mul(ahead))
		m := mgl32.Mat4FromCols(fwd.Vec4(0), left.Vec4(0), spine.Vec4(0), p.Vec4(1))
		return root.Mul4(m)
	}
	m := body(0.02, 0)
	s.box(&m, mgl32.Vec3{0.12, 0.17, 0.11}, 0.06, cloth)
	m = body(0.13, 0)
	s.tapered(&m, mgl32.Vec3{0.115, 0.155, 0.12}, 0.06, 1.05, 1.1, cloth)
	m = body(0.07, 0)
	s.box(&m, mgl32.Vec3{0.135, 0.182, 0.028}, 0.02, dark) // belt
	m = body(0.36, 0.01)
	s.tapered(&m, mgl32.Vec3{0.145, 0.205, 0.17}, 0.075, 0.92, 1.12, armour)
	m = body(0.37, 0.12)
	s.box(&m, mgl32.Vec3{0.045, 0.13, 0.10}, 0.03, armour)
	m = body(0.44, 0.150)
	s.box(&m, mgl32.Vec3{0.016, 0.055, 0.018}, 0.012, glow)
	m = body(0.33, -0.17)
	s.box(&m, mgl32.Vec3{0.07, 0.13, 0.16}, 0.04, dark)
	m = body(0.37, -0.235)
	s.box(&m, mgl32.Vec3{0.012, 0.035, 0.09}, 0.01, glow)

	// Head: it looks where the figure aims.
	neck := chest.Add(spine.Mul(0.05))
	sa, ca := sincos(radians(aim * 0.8))
	look := mgl32.Vec3{ca, 0, sa}
	crown := mgl32.Vec3{-sa, -sr * 0.6, ca}.Normalize()
	look = look.Sub(crown.Mul(look.Dot(crown))).Normalize()
	headAt := neck.Add(spine.Mul(0.05)).Add(crown.Mul(0.11)).Add(look.Mul(0.03))
	headM := mgl32.Mat4FromCols(look.Vec4(0), crown.Cross(look).Vec4(0), crown.Vec4(0), headAt.Vec4(1))
	headM = root.Mul4(headM)
	s.limb(at(neck.Sub(spine.Mul(0.05))), at(headAt), dir(mgl32.Vec3{0, 1, 0}), 0.06, 0.06, 1, cloth)
	s.box(&headM, mgl32.Vec3{0.135, 0.115, 0.135}, 0.10, armour)
	s.at(&headM, mgl32.Vec3{0.065, 0, -0.045}, mgl32.Vec3{0.085, 0.088, 0.075}, 0.05, dark)
	s.at(&headM, mgl32.Vec3{0.105, 0, 0.012}, mgl32.Vec3{0.045, 0.098, 0.032}, 0.028, glow)
	s.at(&headM, mgl32.Vec3{-0.01, 0, 0.128}, mgl32.Vec3{0.10, 0.022, 0.02}, 0.015, dark)

	s.arms(at, dir, f, root, chest, spine, left, roll, aim, cloth, armour, dark)
}

type place func(mgl32.Vec3) mgl32.Vec3

func (s *shapes) leg(at, dir place, f *scene.Figure, side float32, hips, step mgl32.Vec3, walk, crouch, air float32, cloth, armour, dark paint) {
	phase := 2 * math.Pi * float64(f.Stride)
	if side < 0 {
		phase += math.Pi
	}
	swing, lift := float32(math.Sin(phase)), float32(math.Cos(phase))
	hip := hips.Add(mgl32.Vec3{0, 0.105 * side, -0.02})
	foot := mgl32.Vec3{0.02, 0.13 * side, 0.07}
	foot = foot.Add(step.Mul(0.40 * swing * walk))
	foot[2] += max(lift, 0) * 0.20 * walk
	// Standing, one foot is ahead; crouched, one knee is near the ground.
	sits := clamp01(f.Seated)
	foot[0] += side*(0.10+0.14*crouch)*(1-walk)*(1-sits) + 0.44*sits
	if air > 0 {
		foot = foot.Add(mgl32.Vec3{-0.10 + 0.16*side, 0, 0.20 + 0.06*side}.Mul(air))
	}
	foot[0] -= 0.02
	knee := joint(hip, foot, thigh, shin, mgl32.Vec3{1, 0.15 * side, 0.05})
	out := mgl32.Vec3{0, 1, 0}
	s.limb(at(hip), at(knee), dir(out), 0.092, 0.070, 1.05, cloth)
	s.limb(at(knee), at(foot), dir(out), 0.072, 0.055, 1.05, cloth)
	shinDir := foot.Sub(knee).Normalize()
	ahead := mgl32.Vec3{1, 0, 0}.Sub(shinDir.Mul(shinDir[0])).Normalize()
	s.limb(at(hip.Add(knee.Sub(hip).Mul(0.30)).Add(mgl32.Vec3{0.035, 0.025 * side, 0})),
		at(hip.Add(knee.Sub(hip).Mul(0.72)).Add(mgl32.Vec3{0.035, 0.02 * side, 0})), dir(out), 0.075, 0.065, 0.8, armour)
	s.limb(at(knee.Add(ahead.Mul(0.03)).Sub(shinDir.Mul(0.02))), at(knee.Add(ahead.Mul(0.035)).Add(shinDir.Mul(0.30))), dir(out), 0.068, 0.052, 0.75, armour)
	toe := mgl32.Vec3{1, 0.12 * side, min(0, shinDir[0]*-0.4)}.Normalize()
	s.limb(at(foot.Add(mgl32.Vec3{-0.06, 0, -0.02})), at(foot.Add(toe.Mul(0.14)).Add(mgl32.Vec3{0, 0, -0.035})), dir(out), 0.062, 0.052, 0.75, dark)
}

// joint returns where the knee or elbow of two bones is, bent towards pole.
func joint(a, b mgl32.Vec3, la, lb float32, pole mgl32.Vec3) mgl32.Vec3 {
	d := b.Sub(a)
	l := d.Len()
	if l < 1e-4 {
		return a.Add(pole.Normalize().Mul(la))
	}
	d = d.Mul(1 / l)
	l = min(l, (la+lb)*0.999)
	x := (la*la - lb*lb + l*l) / (2 * l)
	h := float32(math.Sqrt(float64(max(la*la-x*x, 0))))
	side := pole.Sub(d.Mul(pole.Dot(d)))
	if side.Len() < 1e-4 {
		side = mgl32.Vec3{0, 0, 1}
	}
	return a.Add(d.Mul(x)).Add(side.Normalize().Mul(h))
}

// arms adds both arms and the weapon that they hold.
func (s *shapes) arms(at, dir place, f *scene.Figure, root mgl32.Mat4, chest, spine, left mgl32.Vec3, roll, aim float32, cloth, armour, dark paint) {
	dead := clamp01(f.Dead)
	shoulder := [2]mgl32.Vec3{}
	for i := range 2 {
		side := float32(1 - 2*i)
		shoulder[i] = chest.Sub(spine.Mul(0.03)).Add(left.Mul(0.235 * side))
	}
	// The weapon lies at the right shoulder and points where the figure aims.
	sa, ca := sincos(radians(aim))
	ahead := mgl32.Vec3{ca, 0, sa}
	over := mgl32.Vec3{-sa, 0, ca}
	grip := chest.Add(left.Mul(-0.12)).Add(ahead.Mul(0.26 - 0.05*clamp01(f.Firing))).Add(over.Mul(-0.03))
	fore := grip.Add(ahead.Mul(0.27)).Add(over.Mul(-0.01)).Add(left.Mul(0.02))
	if f.Weapon == scene.RocketLauncher {
		grip = grip.Add(over.Mul(0.02)).Sub(ahead.Mul(0.03))
		fore = grip.Add(ahead.Mul(0.24)).Sub(over.Mul(0.02))
	}
	if f.Weapon == scene.Canister {
		// Beside the head, and down ahead as it leaves.
		grip = chest.Add(left.Mul(-0.26)).Add(ahead.Mul(0.16 + 0.28*clamp01(f.Firing))).Add(over.Mul(0.22 - 0.2*clamp01(f.Firing)))
		fore = chest.Add(left.Mul(0.16)).Add(ahead.Mul(0.40)).Add(over.Mul(-0.06))
	}
	hands := [2]mgl32.Vec3{fore, grip}
	if f.Weapon == scene.NoWeapon || dead > 0.3 {
		for i := range 2 {
			side := float32(1 - 2*i)
			hands[i] = shoulder[i].Add(mgl32.Vec3{0.10, 0.12 * side, -0.50})
		}
	}
	for i := range 2 {
		side := float32(1 - 2*i)
		elbow := joint(shoulder[i], hands[i], upperArm, foreArm, mgl32.Vec3{-0.25, 0.75 * side, -0.85})
		s.limb(at(shoulder[i]), at(elbow), dir(left), 0.066, 0.054, 1, cloth)
		s.limb(at(elbow), at(hands[i]), dir(left), 0.056, 0.042, 1, cloth)
		s.limb(at(elbow.Add(hands[i].Sub(elbow).Mul(0.15))), at(elbow.Add(hands[i].Sub(elbow).Mul(0.7))), dir(left), 0.062, 0.050, 0.95, armour)
		s.limb(at(hands[i].Sub(hands[i].Sub(elbow).Normalize().Mul(0.03))), at(hands[i].Add(hands[i].Sub(elbow).Normalize().Mul(0.05))), dir(left), 0.048, 0.04, 0.8, dark)
		// The shoulder's plate is what tells a team from far away.
		top := shoulder[i].Add(spine.Mul(0.03)).Add(left.Mul(0.02 * side))
		s.limb(at(top.Add(left.Mul(0.015*side))), at(shoulder[i].Add(elbow.Sub(shoulder[i]).Mul(0.45)).Add(left.Mul(0.03*side))), dir(mgl32.Vec3{1, 0, 0}), 0.098, 0.078, 0.85, armour)
	}
	if f.Weapon == scene.NoWeapon || dead > 0.3 {
		return
	}
	w := mgl32.Mat4FromCols(ahead.Vec4(0), over.Cross(ahead).Vec4(0), over.Vec4(0), grip.Vec4(1))
	w = root.Mul4(w)
	s.weapon(&w, f.Weapon, f.Color)
}
