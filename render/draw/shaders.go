package draw

import (
	"embed"
	"fmt"

	"github.com/sightline-engine/sightline/render/gpu"
)

//go:embed shaders
var files embed.FS

// source reads one embedded shader.
func source(name string) gpu.Source {
	b, err := files.ReadFile("shaders/" + name)
	if err != nil { // it was compiled in, so the name is wrong
		panic("draw: " + err.Error())
	}
	return gpu.Source{File: "render/draw/shaders/" + name, Text: string(b)}
}

// program builds a program from a pair of files; lit ones get light.glsl too, and
// those that know of clouds smoke.glsl, as the beginning of their fragment shader.
func program(name, vertex, fragment string, lit, smoke bool) (*gpu.Program, error) {
	f := source(fragment)
	if smoke {
		f.Text = source("smoke.glsl").Text + "\n#line 1\n" + f.Text
	}
	if lit {
		f.Text = source("light.glsl").Text + "\n#line 1\n" + f.Text
	}
	p, err := gpu.NewProgram(name, source("common.glsl"), source(vertex), f)
	if err != nil {
		return nil, err
	}
	p.Block("Frame", frameBinding)
	return p, nil
}

// programs are all of them with the places of their uniforms.
type programs struct {
	world, depth, shape, sky, sprite, cloud, blur, post, hud *gpu.Program

	clouds, among cloudUniforms // of the cloud's program, of the sprites'

	worldOffset, worldTurn, worldKind, worldTint, worldGlow, worldCutout, worldBlended gpu.Uniform
	shapeViewProj, shapeRim                                                            gpu.Uniform
	blurStride, blurThreshold                                                          gpu.Uniform
	postShare, postExposure, postWash                                                  gpu.Uniform
	hudSize                                                                            gpu.Uniform
}

// Texture units.
const (
	unitImage = iota
	unitLightmaps
	unitShadow
	unitVolume
	unitLamps
	unitNoise
	unitDepth
	unitBillows
)

func (p *programs) build() error {
	for _, b := range []struct {
		to               **gpu.Program
		name, vert, frag string
		lit, smoke       bool
	}{
		{&p.world, "world", "world.vert", "world.frag", true, false},
		{&p.depth, "depth", "depth.vert", "depth.frag", false, false},
		{&p.shape, "shape", "shape.vert", "shape.frag", true, false},
		{&p.sky, "sky", "sky.vert", "sky.frag", false, false},
		{&p.sprite, "sprite", "sprite.vert", "sprite.frag", false, true},
		{&p.cloud, "cloud", "cloud.vert", "cloud.frag", true, true},
		{&p.blur, "blur", "screen.vert", "blur.frag", false, false},
		{&p.post, "post", "screen.vert", "post.frag", false, false},
		{&p.hud, "hud", "hud.vert", "hud.frag", false, false},
	} {
		made, err := program(b.name, b.vert, b.frag, b.lit, b.smoke)
		if err != nil {
			p.delete()
			return fmt.Errorf("build shaders: %w", err)
		}
		*b.to = made
	}
	for _, q := range []*gpu.Program{p.world, p.shape, p.sky, p.sprite, p.cloud} {
		q.Use()
		q.Uniform("noises").Int(unitNoise)
	}
	for _, lit := range []*gpu.Program{p.world, p.shape, p.cloud} {
		lit.Use()
		lit.Uniform("image").Int(unitImage)
		lit.Uniform("lightmaps").Int(unitLightmaps)
		lit.Uniform("shadowMap").Int(unitShadow)
		lit.Uniform("volume").Int(unitVolume)
		lit.Uniform("lamps").Int(unitLamps)
	}
	p.worldOffset = p.world.Uniform("offset")
	p.worldTurn = p.world.Uniform("turn")
	p.worldKind = p.world.Uniform("kind")
	p.worldTint = p.world.Uniform("tint")
	p.worldGlow = p.world.Uniform("glow")
	p.worldCutout = p.world.Uniform("cutout")
	p.worldBlended = p.world.Uniform("blended")
	p.shapeViewProj = p.shape.Uniform("viewProjShape")
	p.shapeRim = p.shape.Uniform("rimLight")
	p.clouds.find(p.cloud)
	p.among.find(p.sprite)
	p.cloud.Use()
	p.cloud.Uniform("depths").Int(unitDepth)
	p.cloud.Uniform("billows").Int(unitBillows)
	p.blur.Use()
	p.blur.Uniform("source").Int(0)
	p.blurStride = p.blur.Uniform("stride")
	p.blurThreshold = p.blur.Uniform("threshold")
	p.post.Use()
	p.post.Uniform("source").Int(0)
	p.post.Uniform("bloom").Int(1)
	p.postShare = p.post.Uniform("bloomShare")
	p.postExposure = p.post.Uniform("exposure")
	p.postWash = p.post.Uniform("wash")
	p.hud.Use()
	p.hud.Uniform("atlas").Int(0)
	p.hudSize = p.hud.Uniform("size")
	return nil
}

func (p *programs) delete() {
	for _, q := range []*gpu.Program{p.world, p.depth, p.shape, p.sky, p.sprite, p.cloud, p.blur, p.post, p.hud} {
		q.Delete()
	}
}
