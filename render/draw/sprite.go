package draw

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
)

// Kinds that only the drawer makes; they follow scene.SpriteKind in sprite.vert.
const (
	beamSprite = 8
	lineSprite = 9
)

// sprite is one instance as sprite.vert reads it; depth is for sorting only.
type sprite struct {
	pos, axis, color, look mgl32.Vec4
	depth                  float32
	_                      [3]float32
}

const spriteStride = unsafe.Sizeof(sprite{})

// sprites are a frame's, in three lists: on the ground, in the air, over
// everything.
type sprites struct {
	ground, air, top []sprite
}

func (s *sprites) reset() { s.ground, s.air, s.top = s.ground[:0], s.air[:0], s.top[:0] }

// collect turns a frame's beams, sprites, trails, shadows and lines into
// instances.
func (s *sprites) collect(f *scene.Frame, view *view) {
	for i := range f.Figures {
		g := &f.Figures[i]
		r := 0.42 + 0.25*clamp01(g.Dead)
		s.shadow(g.Pos, r, 0.55*(1-0.7*clamp01(g.Air)))
	}
	for i := range f.Items {
		if f.Items[i].Carried {
			continue
		}
		s.shadow(f.Items[i].Pos, 0.52, 0.4)
		c := itemColor(&f.Items[i])
		if k := 1 - clamp01(f.Items[i].Fade); k > 0 {
			s.glow(view, f.Items[i].Pos.Add(v(0, 0, 0.45)), 0.75, c, 0.16*k)
		}
	}
	for i := range f.Projectiles {
		p := &f.Projectiles[i]
		c := p.Color
		if c == (mgl32.Vec3{}) {
			c = v(1, 0.45, 0.1)
		}
		tail := p.Pos.Sub(p.Dir.Mul(0.3))
		s.glow(view, tail, 0.55, c.Mul(1.6), 0.9)
		if p.Trail > 0 {
			s.beam(view, tail.Sub(p.Dir.Mul(p.Trail)), tail, 0.09, c.Mul(1.5), 0.9, true)
		}
	}
	for i := range f.Beams {
		b := &f.Beams[i]
		s.beam(view, b.From, b.To, b.Width, b.Color, b.Alpha, b.Taper)
	}
	for i := range f.Sprites {
		p := &f.Sprites[i]
		if p.Kind > scene.SplinterSprite || !(p.Size > 0) || !(p.Alpha > 0) {
			continue
		}
		n := sprite{
			pos:   p.Pos.Vec4(p.Size),
			axis:  p.Vel.Vec4(radians(p.Turn)),
			color: p.Color.Vec4(min(p.Alpha, 1)),
			look:  mgl32.Vec4{float32(p.Kind), clamp01(p.Age), p.Seed, 0},
			depth: p.Pos.Sub(view.pos).Dot(view.forward),
		}
		if p.Kind == scene.BlobSprite {
			if p.Vel.Len() < 1e-4 {
				n.axis = mgl32.Vec4{0, 0, 1, 0}
			}
			s.ground = append(s.ground, n)
			continue
		}
		s.air = append(s.air, n)
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		n := sprite{
			pos: l.A.Vec4(0.8), axis: l.B.Sub(l.A).Vec4(0), color: linear(l.Color),
			look: mgl32.Vec4{lineSprite, 0, 0, 0}, depth: l.A.Sub(view.pos).Dot(view.forward),
		}
		if l.OnTop {
			s.top = append(s.top, n)
			continue
		}
		s.air = append(s.air, n)
	}
	slices.SortFunc(s.air, func(a, b sprite) int { return cmp.Compare(b.depth, a.depth) })
}

func (s *sprites) shadow(at mgl32.Vec3, radius, alpha float32) {
	s.ground = append(s.ground, sprite{
		pos: at.Vec4(radius), axis: mgl32.Vec4{0, 0, 1, 0}, color: mgl32.Vec4{0, 0, 0, alpha},
		look: mgl32.Vec4{float32(scene.BlobSprite), 0, 0, 0},
	})
}

func (s *sprites) glow(view *view, at mgl32.Vec3, radius float32, c mgl32.Vec3, alpha float32) {
	s.air = append(s.air, sprite{
		pos: at.Vec4(radius), color: c.Vec4(alpha), look: mgl32.Vec4{float32(scene.GlowSprite), 0, 0, 0},
		depth: at.Sub(view.pos).Dot(view.forward),
	})
}

func (s *sprites) beam(view *view, from, to mgl32.Vec3, width float32, c mgl32.Vec3, alpha float32, taper bool) {
	n := sprite{
		pos: from.Vec4(width), axis: to.Sub(from).Vec4(0), color: c.Vec4(alpha),
		look:  mgl32.Vec4{beamSprite, 0, 0, 0},
		depth: from.Add(to).Mul(0.5).Sub(view.pos).Dot(view.forward),
	}
	if taper {
		n.look[3] = 1
	}
	s.air = append(s.air, n)
}

// linear returns an sRGB colour as light.
func linear(c scene.RGBA) mgl32.Vec4 {
	// Squaring is near enough for lines that nobody measures.
	f := func(b uint8) float32 { x := float32(b) / 255; return x * x }
	return mgl32.Vec4{f(c.R), f(c.G), f(c.B), float32(c.A) / 255}
}

// spriteBatch is the GPU's side of a list of sprites.
type spriteBatch struct {
	instances *gpu.Buffer
	array     *gpu.VertexArray
}

func newSpriteBatch() *spriteBatch {
	b := &spriteBatch{instances: gpu.NewBuffer(gpu.Vertices), array: gpu.NewVertexArray()}
	b.array.Attributes(b.instances, spriteStride, true,
		gpu.Attr{Location: 0, Size: 4}, gpu.Attr{Location: 1, Size: 4, Offset: 16},
		gpu.Attr{Location: 2, Size: 4, Offset: 32}, gpu.Attr{Location: 3, Size: 4, Offset: 48})
	return b
}

func (b *spriteBatch) draw(list []sprite) {
	if len(list) == 0 {
		return
	}
	gpu.Stream(b.instances, list)
	b.array.Bind()
	gpu.DrawStripInstanced(4, len(list))
}

func (b *spriteBatch) delete() {
	b.array.Delete()
	b.instances.Delete()
}
