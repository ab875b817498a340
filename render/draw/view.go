package draw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

const (
	frameBinding = 0
	maxLights    = 8 // MAX_LIGHTS in common.glsl
)

// frameBlock is the uniform block Frame of common.glsl, in its std140 layout.
type frameBlock struct {
	viewProj, shadow        mgl32.Mat4
	eye, right, up, forward mgl32.Vec4
	sunDir, sunColor        mgl32.Vec4
	zenith, horizon, ground mgl32.Vec4
	fog                     mgl32.Vec4
	volumeLow, volumeScale  mgl32.Vec4
	lightPos, lightColor    [maxLights]mgl32.Vec4
	counts, tanHalf         mgl32.Vec4
}

// view is where a frame is seen from.
type view struct {
	pos, forward, right, up mgl32.Vec3
	viewProj                mgl32.Mat4
	weaponProj              mgl32.Mat4 // for what the viewer holds: nearer, and of a fixed angle
	tanX, tanY, near, far   float32
	planes                  [6]mgl32.Vec4
	width, height           int
}

// finite returns v, or the fallback where it is not a number one can draw with.
func finite(v, fallback float32) float32 {
	if v != v || v > 1e9 || v < -1e9 {
		return fallback
	}
	return v
}

func radians(deg float32) float32 { return deg * math.Pi / 180 }

func sincos(rad float32) (sin, cos float32) {
	s, c := math.Sincos(float64(rad))
	return float32(s), float32(c)
}

// angles returns the three directions of a view: forward, right and up.
func angles(yaw, pitch, roll float32) (f, r, u mgl32.Vec3) {
	sy, cy := sincos(radians(yaw))
	sp, cp := sincos(radians(pitch))
	f = mgl32.Vec3{cp * cy, cp * sy, sp}
	r = mgl32.Vec3{sy, -cy, 0}
	u = r.Cross(f)
	if roll != 0 {
		s, c := sincos(radians(roll))
		r, u = r.Mul(c).Sub(u.Mul(s)), u.Mul(c).Add(r.Mul(s))
	}
	return f, r, u
}

// set computes a view from a camera and a target's size, neither of which has
// to make sense: a target without pixels counts as one pixel.
func (v *view) set(c *scene.Camera, width, height int) {
	v.width, v.height = max(width, 1), max(height, 1)
	aspect := float32(v.width) / float32(v.height)
	for k := range 3 {
		v.pos[k] = finite(c.Pos[k], 0)
	}
	v.forward, v.right, v.up = angles(finite(c.Yaw, 0), finite(c.Pitch, 0), finite(c.Roll, 0))
	fov := finite(c.FovX, 90)
	if fov == 0 {
		fov = 90
	}
	fov = min(max(fov, 5), 150)
	near, far := finite(c.Near, 0), finite(c.Far, 0)
	if near <= 0 {
		near = 0.05
	}
	if far <= near {
		far = max(2000, near*2)
	}
	v.tanY = float32(math.Tan(float64(radians(fov/2)))) * 3 / 4
	v.tanX = v.tanY * aspect
	base := viewMatrix(v.pos, v.forward, v.right, v.up)
	v.near, v.far = near, far
	v.viewProj = perspective(v.tanX, v.tanY, near, far).Mul4(base)
	// The weapon keeps its shape whatever the view's angle, and its own depth.
	const weaponTan = 0.56
	v.weaponProj = perspective(weaponTan*aspect, weaponTan, 0.01, 10).Mul4(base)
	v.planes = frustum(v.viewProj)
}

func viewMatrix(pos, f, r, u mgl32.Vec3) mgl32.Mat4 {
	return mgl32.Mat4{
		r[0], u[0], -f[0], 0,
		r[1], u[1], -f[1], 0,
		r[2], u[2], -f[2], 0,
		-r.Dot(pos), -u.Dot(pos), f.Dot(pos), 1,
	}
}

func perspective(tanX, tanY, near, far float32) mgl32.Mat4 {
	return mgl32.Mat4{
		1 / tanX, 0, 0, 0,
		0, 1 / tanY, 0, 0,
		0, 0, -(far + near) / (far - near), -1,
		0, 0, -2 * far * near / (far - near), 0,
	}
}

// frustum returns the six planes of a projection, pointing inwards.
func frustum(m mgl32.Mat4) (p [6]mgl32.Vec4) {
	row := func(i int) mgl32.Vec4 { return mgl32.Vec4{m[i], m[4+i], m[8+i], m[12+i]} }
	w := row(3)
	for i := range 3 {
		p[2*i] = w.Add(row(i))
		p[2*i+1] = w.Sub(row(i))
	}
	return p
}

// sees reports whether a box may be inside; it never denies one that is.
func (v *view) sees(lo, hi mgl32.Vec3) bool {
	for i := range v.planes {
		p := &v.planes[i]
		d := p[3]
		for k := range 3 {
			if p[k] > 0 {
				d += p[k] * hi[k]
			} else {
				d += p[k] * lo[k]
			}
		}
		if d < 0 {
			return false
		}
	}
	return true
}

// seesBall is sees for a ball.
func (v *view) seesBall(c mgl32.Vec3, r float32) bool {
	e := mgl32.Vec3{r, r, r}
	return v.sees(c.Sub(e), c.Add(e))
}

// project returns where on the target a point is seen, in pixels from the upper
// left corner, and its distance along the view; false when it is behind.
func (v *view) project(p mgl32.Vec3) (x, y, depth float32, ok bool) {
	c := v.viewProj.Mul4x1(p.Vec4(1))
	if !(c[3] > 0.05) {
		return 0, 0, 0, false
	}
	return (c[0]/c[3]*0.5 + 0.5) * float32(v.width), (0.5 - c[1]/c[3]*0.5) * float32(v.height), c[3], true
}

// Project returns where a point of the world is seen by a camera on a target of
// the given size, in pixels from its upper left corner, and false when it is
// behind the camera.
func Project(c *scene.Camera, width, height int, p mgl32.Vec3) (x, y float32, ok bool) {
	var v view
	v.set(c, width, height)
	x, y, _, ok = v.project(p)
	return x, y, ok
}
