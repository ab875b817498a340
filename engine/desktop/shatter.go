package desktop

import (
	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// shatter remembers which pieces were drawn broken, so that one that breaks is seen to
// burst. It goes by what is drawn and not by events: a piece that breaks out of sight
// and one in a demo look the same when looked at.
type shatter struct {
	level *level.Level
	gone  []bool
	since float32 // seconds that this level has been drawn
}

// quietStart is for how long after a level's first frame nothing bursts, seconds: who
// joins late is told of what is broken by then.
const quietStart = 1

// breaks shows the pieces that have broken since the last frame.
func (s *Stage) breaks(v *View) {
	p := &s.pieces
	if v.Scene.W == nil {
		return
	}
	l := v.Scene.W.Level()
	if p.level != l {
		*p = shatter{level: l, gone: make([]bool, len(l.Pieces))}
	}
	p.since += v.DT
	for i := range p.gone {
		m := l.Pieces[i].Model
		gone := m > 0 && m < len(v.Scene.Poses) && v.Scene.Poses[m].Off == scenery.Away
		if gone && !p.gone[i] && p.since > quietStart {
			s.fx.shards(l.Models[m].Bounds, l.Pieces[i].Material)
		}
		p.gone[i] = gone
	}
}

// materialLooks is what the pieces of each material look like as they fly.
var materialLooks = [level.NumMaterials]struct {
	color, dust mgl32.Vec3
	kind        scene.SpriteKind
	size, fall  float32
	dusty       float32 // puffs for each shard
}{
	level.Wood:  {mgl32.Vec3{0.62, 0.41, 0.20}, mgl32.Vec3{0.40, 0.33, 0.25}, scene.SplinterSprite, 0.020, 11, 0.5},
	level.Stone: {mgl32.Vec3{0.38, 0.37, 0.35}, mgl32.Vec3{0.50, 0.48, 0.45}, scene.DustSprite, 0.09, 14, 1},
	level.Metal: {mgl32.Vec3{4.5, 2.9, 1.3}, mgl32.Vec3{0.30, 0.30, 0.31}, scene.SparkSprite, 0.016, 12, 0.3},
	level.Pane:  {mgl32.Vec3{1.5, 1.9, 2.1}, mgl32.Vec3{0.75, 0.82, 0.85}, scene.SparkSprite, 0.014, 10, 0.12},
}

// Shards for each square metre of a piece's largest side, and the fewest and most.
const (
	shardsPerArea = 14
	fewShards     = 16
	mostShards    = 160
)

// shards shows a piece that bursts: bits fly from all over it, dust stays for a moment.
func (e *effects) shards(box vec.Box, m level.Material) {
	look := &materialLooks[min(m, level.NumMaterials-1)]
	size := box.Size()
	area := max(size.X*size.Y, size.X*size.Z, size.Y*size.Z)
	n := int(vec.Clamp(area*shardsPerArea, fewShards, mostShards))
	inside := func() mgl32.Vec3 {
		return mgl32.Vec3{box.Min.X + size.X*e.rnd(), box.Min.Y + size.Y*e.rnd(), box.Min.Z + size.Z*e.rnd()}
	}
	puffs := float32(0)
	for range n {
		v := e.ball().Mul(2.2)
		v[2] += 0.8
		it := bit{kind: look.kind, pos: inside(), vel: v, fall: look.fall, drag: 0.4, life: 0.5 + 0.6*e.rnd(),
			size: look.size * (0.5 + e.rnd()), color: look.color.Mul(0.7 + 0.6*e.rnd()), alpha: 1}
		if look.kind == scene.SplinterSprite {
			it.split(e, &size)
		}
		e.bit(it)
		for puffs += look.dusty; puffs >= 1; puffs-- {
			e.bit(bit{kind: scene.DustSprite, pos: inside(), vel: e.ball().Mul(0.5), drag: 2, life: 0.6 + 0.6*e.rnd(),
				size: 0.12, grow: 0.5, color: look.dust, alpha: 0.35})
		}
	}
}

// split makes a bit a splinter: a sliver of a board, some of them as long as half of
// what they come from, that tumbles.
func (b *bit) split(e *effects, of *vec.V3) {
	long := vec.Clamp(max(of.X, of.Y, of.Z)*0.5, 0.15, 0.7)
	b.along = e.ball()
	if l := b.along.Len(); l > 1e-3 {
		r := e.rnd()
		b.along = b.along.Mul((0.12 + (long-0.12)*r*r) / l)
	}
	b.spin = e.ball().Mul(11)
	b.life += 0.25
}

// tumbled is what a splinter lies along that has turned for some seconds.
func tumbled(along, spin mgl32.Vec3, seconds float32) mgl32.Vec3 {
	rate := spin.Len()
	if rate < 1e-3 {
		return along
	}
	return mgl32.QuatRotate(rate*seconds, spin.Mul(1/rate)).Rotate(along)
}
