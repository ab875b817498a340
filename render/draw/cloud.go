package draw

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
)

const (
	maxClouds  = 16   // MAX_CLOUDS in smoke.glsl; of more the nearest are drawn
	cloudShell = 1.36 // SHELL in smoke.glsl
)

// cloudUniforms are the places of a cloud program's uniforms.
type cloudUniforms struct {
	ball, self, total gpu.Uniform
	cloud, look       [maxClouds]gpu.Uniform
	hole, cut         [maxClouds]gpu.Uniform
}

func (u *cloudUniforms) find(p *gpu.Program) {
	u.ball, u.self, u.total = p.Uniform("ball"), p.Uniform("self"), p.Uniform("total")
	for i := range maxClouds {
		at := func(name string) gpu.Uniform { return p.Uniform(fmt.Sprintf("%s[%d]", name, i)) }
		u.cloud[i], u.look[i], u.hole[i], u.cut[i] = at("clouds"), at("looks"), at("holes"), at("cuts")
	}
}

// nearestClouds puts the clouds of a frame into order, the nearest first, and returns
// how many are drawn.
func (r *Renderer) nearestClouds(f *scene.Frame) int {
	r.clouds = r.clouds[:0]
	for i := range f.Clouds {
		c := &f.Clouds[i]
		if c.Radius > 0 && c.Density > 0 && r.view.seesBall(c.Pos, c.Radius*cloudShell) {
			r.clouds = append(r.clouds, i)
		}
	}
	far := func(i int) float32 { return f.Clouds[i].Pos.Sub(r.view.pos).Len() }
	for i := 1; i < len(r.clouds); i++ {
		for j := i; j > 0 && far(r.clouds[j]) < far(r.clouds[j-1]); j-- {
			r.clouds[j], r.clouds[j-1] = r.clouds[j-1], r.clouds[j]
		}
	}
	return min(len(r.clouds), maxClouds)
}

// tagShell is as wide as a cloud hides the name of whoever is behind it: most of its
// lumps, which hide a body to the eye though not to the server.
const tagShell = 1.2

// veiled reports whether the clouds of a frame hide the name at a place.
func (r *Renderer) veiled(f *scene.Frame, at mgl32.Vec3) bool {
	sum := float32(0)
	line := at.Sub(r.view.pos)
	far := line.Len()
	if far < 1e-3 {
		return false
	}
	d := line.Mul(1 / far)
	// chord is the part of the line that is in a ball.
	chord := func(c mgl32.Vec3, radius float32) (from, to float32, ok bool) {
		m := c.Sub(r.view.pos)
		mid := m.Dot(d)
		q := radius*radius - m.Sub(d.Mul(mid)).LenSqr()
		if !(q >= 0) {
			return 0, 0, false
		}
		half := float32(math.Sqrt(float64(q)))
		from, to = max(mid-half, 0), min(mid+half, far)
		return from, to, from <= to
	}
	for i := range f.Clouds {
		c := &f.Clouds[i]
		from, to, ok := chord(c.Pos, c.Radius*tagShell)
		for h := range f.CloudHoles {
			it := &f.CloudHoles[h]
			if a, b, hit := chord(it.Pos, it.Radius); ok && hit && it.Cloud == i && it.Open > 0 && a <= to && b >= from {
				ok = false
			}
		}
		if ok {
			sum += min(c.Density, 1)
		}
	}
	return sum >= 0.9
}

// drawClouds draws the smoke over everything solid that is there already, and returns
// how many clouds it was. What shines or floats among them is drawn afterwards, each
// piece as far as they leave it.
func (r *Renderer) drawClouds(f *scene.Frame) int {
	n := r.nearestClouds(f)
	if n == 0 {
		return 0
	}
	r.targets.readDepth()
	gpu.State{Blend: gpu.Over, Cull: gpu.CullNone}.Apply()
	p, u := r.programs.cloud, &r.programs.clouds
	p.Use()
	r.empty.Bind()
	r.setClouds(u, f, n)
	for k := n - 1; k >= 0; k-- {
		c := &f.Clouds[r.clouds[k]]
		out := c.Radius * cloudShell
		away := c.Pos.Sub(r.view.pos).Len()
		side := float32(0)
		if away > out*1.6 {
			// Wide enough that a square across the view holds the ball wherever on the
			// picture it is.
			side = out * 1.5 * away / float32(math.Sqrt(float64(away*away-out*out)))
		}
		u.self.Int(k)
		u.ball.Vec4(c.Pos[0], c.Pos[1], c.Pos[2], side)
		if side > 0 {
			gpu.DrawStripInstanced(4, 1)
		} else {
			gpu.DrawTriangles(0, 3)
		}
	}
	return n
}

// setClouds hands the nearest n clouds and the holes in them to the program in use.
func (r *Renderer) setClouds(u *cloudUniforms, f *scene.Frame, n int) {
	u.total.Int(n)
	if n == 0 {
		return
	}
	holes := 0
	for k := range n {
		i := r.clouds[k]
		c := &f.Clouds[i]
		u.cloud[k].Vec4(c.Pos[0], c.Pos[1], c.Pos[2], c.Radius)
		u.look[k].Vec4(min(c.Density, 1), 0, 0, 0)
		for h := range f.CloudHoles {
			it := &f.CloudHoles[h]
			if it.Cloud != i || holes == maxClouds || !(it.Radius > 0) {
				continue
			}
			u.hole[holes].Vec4(it.Pos[0], it.Pos[1], it.Pos[2], it.Radius)
			u.cut[holes].Vec4(float32(k), it.Open, 0, 0)
			holes++
		}
	}
	for ; holes < maxClouds; holes++ {
		u.cut[holes].Vec4(-1, 0, 0, 0)
	}
}
