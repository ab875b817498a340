package desktop

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// Sizes of the pools. When one is full its oldest entry is overwritten: a missing
// spark is never noticed, a frame that waits for memory is.
const (
	maxTracers = 96
	maxBits    = 1024
	maxFlashes = 48
	maxStains  = 128
)

// tracer is a bullet's way, drawn as a short line of light that runs along it.
type tracer struct {
	from, dir mgl32.Vec3
	dist      float32
	age       float32
	color     mgl32.Vec3
	of        client.Key
}

// tracerSpeed is how fast the light runs; the bullet itself has arrived at once.
// Judgement: slower looks like a laser pistol, faster is over in one frame.
const (
	tracerSpeed  = 260 // m/s
	tracerLength = 7   // metres
)

// streak is how long a spark is smeared, seconds of its flight: the shutter of the
// eye, not the way it takes in a frame, so that a slow renderer draws no lances.
const streak = 0.04

// bit is one short-lived sprite.
type bit struct {
	kind       scene.SpriteKind
	pos, vel   mgl32.Vec3
	fall       float32 // m/s² downwards; negative rises
	drag       float32 // share of the speed lost per second
	age, life  float32
	size, grow float32 // metres, metres per second
	color      mgl32.Vec3
	alpha      float32
	turn       float32
	seed       float32
	along      mgl32.Vec3 // of a splinter: from end to end, as it began
	spin       mgl32.Vec3 // and around what it turns, radians a second
	of         client.Key
}

// flash is one short-lived light.
type flash struct {
	pos       mgl32.Vec3
	color     mgl32.Vec3
	radius    float32
	age, life float32
	of        client.Key
}

// stain is a mark left on a surface. On a part of the level that moves or breaks, place
// and normal are as the part has them where the map put it.
type stain struct {
	pos, normal mgl32.Vec3
	model       int // whose surface it is, 0 the world's
	size        float32
	age, life   float32
	seed        float32
	of          client.Key
}

// effects is everything short-lived that is seen. All of it is for show: nothing
// reads it back.
type effects struct {
	tracers  [maxTracers]tracer
	bits     [maxBits]bit
	flashes  [maxFlashes]flash
	stains   [maxStains]stain
	nt, nb   int // next to overwrite
	nf, ns   int
	lastBit  int // bits beyond were never used
	randomly uint32
	of       client.Key // of what is being added: the zero Key cannot be taken back
	on       int        // the part of the level that is being struck, 0 the world itself
	poses    []level.Pose
}

// cancel takes back what was added under a key.
func (e *effects) cancel(k client.Key) {
	if k == (client.Key{}) {
		return
	}
	for i := range e.tracers {
		if t := &e.tracers[i]; t.of == k {
			t.dist = 0
		}
	}
	for i := range e.bits[:e.lastBit] {
		if b := &e.bits[i]; b.of == k {
			b.life = 0
		}
	}
	for i := range e.flashes {
		if f := &e.flashes[i]; f.of == k {
			f.life = 0
		}
	}
	for i := range e.stains {
		if s := &e.stains[i]; s.of == k {
			s.life = 0
		}
	}
}

// rnd returns a number in [0, 1); the same sequence for the same events.
func (e *effects) rnd() float32 {
	e.randomly = e.randomly*1664525 + 1013904223
	return float32(e.randomly>>8) / (1 << 24)
}

// sym returns a number in (-1, 1).
func (e *effects) sym() float32 { return 2*e.rnd() - 1 }

func (e *effects) ball() mgl32.Vec3 {
	return mgl32.Vec3{e.sym(), e.sym(), e.sym()}
}

func (e *effects) bit(b bit) {
	b.seed = e.rnd() * 100
	b.turn = e.rnd() * 360
	b.of = e.of
	e.bits[e.nb] = b
	e.lastBit = max(e.lastBit, e.nb+1)
	e.nb = (e.nb + 1) % maxBits
}

func (e *effects) flash(pos, color mgl32.Vec3, radius, life float32) {
	e.flashes[e.nf] = flash{pos: pos, color: color, radius: radius, life: life, of: e.of}
	e.nf = (e.nf + 1) % maxFlashes
}

func (e *effects) stain(pos, normal mgl32.Vec3, size, life float32) {
	e.stains[e.ns] = stain{pos: pos.Add(normal.Mul(0.012)), normal: normal, size: size, life: life, seed: e.rnd() * 100, of: e.of}
	e.stains[e.ns].stick(e.on, e.poses)
	e.ns = (e.ns + 1) % maxStains
}

func (e *effects) tracer(from, to, color mgl32.Vec3) {
	d := to.Sub(from)
	n := d.Len()
	if n < 1 {
		return
	}
	e.tracers[e.nt] = tracer{from: from, dir: d.Mul(1 / n), dist: n, color: color, of: e.of}
	e.nt = (e.nt + 1) % maxTracers
}

// muzzle shows a shot leaving a barrel.
func (e *effects) muzzle(at, dir mgl32.Vec3, rocket bool) {
	e.flash(at.Add(dir.Mul(0.2)), mgl32.Vec3{5, 3.2, 1.5}, 5, 0.07)
	if rocket {
		for range 5 {
			e.bit(bit{kind: scene.SmokeSprite, pos: at, vel: dir.Mul(-1.5).Add(e.ball().Mul(0.8)), drag: 3, life: 0.7,
				size: 0.08, grow: 0.5, color: mgl32.Vec3{0.55, 0.55, 0.55}, alpha: 0.35})
		}
		return
	}
	e.bit(bit{kind: scene.GlowSprite, pos: at.Add(dir.Mul(0.08)), life: 0.05, size: 0.16, color: mgl32.Vec3{6, 3.6, 1.5}, alpha: 1})
}

// impact shows a bullet striking a wall.
func (e *effects) impact(at, n mgl32.Vec3) {
	at = at.Add(n.Mul(0.02))
	e.bit(bit{kind: scene.GlowSprite, pos: at, life: 0.09, size: 0.16, color: mgl32.Vec3{4, 2.4, 1}, alpha: 1})
	for range 7 {
		v := n.Mul(2 + 3*e.rnd()).Add(e.ball().Mul(2.6))
		e.bit(bit{kind: scene.SparkSprite, pos: at, vel: v, fall: 9, life: 0.18 + 0.3*e.rnd(), size: 0.012, color: mgl32.Vec3{6, 3.4, 1.2}, alpha: 1})
	}
	for range 2 {
		e.bit(bit{kind: scene.DustSprite, pos: at, vel: n.Mul(0.7).Add(e.ball().Mul(0.25)), drag: 2.5, life: 0.5 + 0.4*e.rnd(),
			size: 0.05, grow: 0.35, color: mgl32.Vec3{0.42, 0.39, 0.34}, alpha: 0.4})
	}
	e.stain(at, n, 0.055, 14)
}

// puff shows a body that was hit: dust and light in its colour, no blood.
func (e *effects) puff(at, color mgl32.Vec3, n int) {
	for range n {
		e.bit(bit{kind: scene.DustSprite, pos: at, vel: e.ball().Mul(1.1), drag: 3, life: 0.35 + 0.3*e.rnd(),
			size: 0.06, grow: 0.5, color: color.Mul(0.5).Add(mgl32.Vec3{0.3, 0.3, 0.3}), alpha: 0.5})
		e.bit(bit{kind: scene.SparkSprite, pos: at, vel: e.ball().Mul(4.5), fall: 6, life: 0.25 + 0.25*e.rnd(),
			size: 0.014, color: color.Mul(5).Add(mgl32.Vec3{1, 1, 1}), alpha: 1})
	}
	e.bit(bit{kind: scene.GlowSprite, pos: at, life: 0.12, size: 0.3, color: color.Mul(3), alpha: 0.8})
}

// burst shows a rocket that bursts. A zero normal is a burst in the air.
func (e *effects) burst(at, n mgl32.Vec3) {
	at = at.Add(n.Mul(0.15))
	e.flash(at.Add(n.Mul(0.5)), mgl32.Vec3{9, 4.6, 1.6}, 10, 0.45)
	e.bit(bit{kind: scene.GlowSprite, pos: at, life: 0.16, size: 1.3, color: mgl32.Vec3{7, 4, 1.6}, alpha: 1})
	e.bit(bit{kind: scene.RingSprite, pos: at, life: 0.35, size: 0.3, grow: 9, color: mgl32.Vec3{1.4, 1.0, 0.6}, alpha: 0.55})
	for range 9 {
		e.bit(bit{kind: scene.FireSprite, pos: at.Add(e.ball().Mul(0.3)), vel: n.Mul(1.6).Add(e.ball().Mul(2.4)), drag: 3, fall: -1,
			life: 0.4 + 0.35*e.rnd(), size: 0.4 + 0.25*e.rnd(), grow: 1.0, color: mgl32.Vec3{1, 1, 1}, alpha: 1})
	}
	for range 9 {
		e.bit(bit{kind: scene.SmokeSprite, pos: at.Add(e.ball().Mul(0.5)), vel: n.Mul(1.2).Add(e.ball().Mul(1.2)), drag: 1.6, fall: -0.7,
			life: 1.1 + 0.9*e.rnd(), size: 0.45, grow: 0.75, color: mgl32.Vec3{0.20, 0.19, 0.18}, alpha: 0.5})
	}
	for range 22 {
		e.bit(bit{kind: scene.SparkSprite, pos: at, vel: n.Mul(3).Add(e.ball().Mul(9)), fall: 9, drag: 0.6, life: 0.35 + 0.6*e.rnd(),
			size: 0.022, color: mgl32.Vec3{7, 3.6, 1.1}, alpha: 1})
	}
	if n.Len() > 0.5 {
		e.stain(at.Sub(n.Mul(0.15)), n, 1.1, 25)
	}
}

// sparkle shows somebody arriving: a spawn or the end of a teleport.
func (e *effects) sparkle(at, color mgl32.Vec3) {
	e.flash(at.Add(mgl32.Vec3{0, 0, 1}), color.Mul(3), 5, 0.4)
	e.bit(bit{kind: scene.RingSprite, pos: at.Add(mgl32.Vec3{0, 0, 1}), life: 0.4, size: 0.3, grow: 2.5, color: color.Mul(1.5), alpha: 0.7})
	for range 18 {
		a := float64(e.rnd()) * 2 * math.Pi
		p := at.Add(mgl32.Vec3{0.45 * float32(math.Cos(a)), 0.45 * float32(math.Sin(a)), 1.7 * e.rnd()})
		e.bit(bit{kind: scene.SparkSprite, pos: p, vel: mgl32.Vec3{0, 0, 1 + 2*e.rnd()}, life: 0.3 + 0.4*e.rnd(), size: 0.015, color: color.Mul(4), alpha: 1})
	}
}

// smoke leaves one puff of a rocket's trail.
func (e *effects) smoke(at mgl32.Vec3) {
	e.bit(bit{kind: scene.SmokeSprite, pos: at, vel: e.ball().Mul(0.25), fall: -0.2, drag: 1, life: 0.7 + 0.4*e.rnd(),
		size: 0.09, grow: 0.35, color: mgl32.Vec3{0.5, 0.49, 0.48}, alpha: 0.33})
}

// step lets time pass and adds everything to a frame.
func (e *effects) step(f *scene.Frame, dt float32) {
	e.stepStains(f, dt)
	for i := range e.bits[:e.lastBit] {
		b := &e.bits[i]
		if b.life == 0 {
			continue
		}
		if b.age += dt; b.age >= b.life {
			b.life = 0
			continue
		}
		b.vel = b.vel.Mul(max(1-b.drag*dt, 0))
		b.vel[2] -= b.fall * dt
		b.pos = b.pos.Add(b.vel.Mul(dt))
		b.size += b.grow * dt
		t, way := b.age/b.life, b.vel
		if b.kind == scene.SparkSprite {
			way = way.Mul(streak)
		}
		if b.kind == scene.SplinterSprite {
			way = tumbled(b.along, b.spin, b.age)
		}
		f.Sprites = append(f.Sprites, scene.Sprite{
			Kind: b.kind, Pos: b.pos, Vel: way, Size: b.size, Turn: b.turn,
			Color: b.color, Alpha: b.alpha * fadeOut(b.kind, t), Age: t, Seed: b.seed,
		})
	}
	for i := range e.tracers {
		t := &e.tracers[i]
		if t.dist == 0 {
			continue
		}
		head := t.age * tracerSpeed
		t.age += dt
		tail := head - tracerLength
		if tail >= t.dist {
			t.dist = 0
			continue
		}
		a, b := max(tail, 0), min(head+3, t.dist)
		f.Beams = append(f.Beams, scene.Beam{
			From: t.from.Add(t.dir.Mul(a)), To: t.from.Add(t.dir.Mul(b)),
			Width: 0.028, Color: t.color, Alpha: 0.9, Taper: true,
		})
	}
	for i := range e.flashes {
		l := &e.flashes[i]
		if l.life == 0 {
			continue
		}
		k := 1 - l.age/l.life
		f.Lights = append(f.Lights, scene.PointLight{Pos: l.pos, Radius: l.radius, Color: l.color.Mul(k * k)})
		if l.age += dt; l.age >= l.life {
			l.life = 0
		}
	}
}

func (e *effects) stepStains(f *scene.Frame, dt float32) {
	for i := range e.stains {
		s := &e.stains[i]
		if s.life == 0 {
			continue
		}
		if s.age += dt; s.age >= s.life {
			s.life = 0
			continue
		}
		at, n, ok := s.now(e.poses)
		if !ok {
			s.life = 0
			continue
		}
		f.Sprites = append(f.Sprites, scene.Sprite{
			Kind: scene.BlobSprite, Pos: at, Vel: n, Size: s.size,
			Alpha: 0.75 * min(1, 3*(1-s.age/s.life)), Age: s.age / s.life, Seed: s.seed,
		})
	}
}

// fadeOut is how much of a sprite is left at a share of its life: light goes with a
// knee, smoke thins from its first moment.
func fadeOut(k scene.SpriteKind, t float32) float32 {
	switch k {
	case scene.SmokeSprite, scene.DustSprite:
		return (1 - t) * min(1, t*12)
	case scene.FireSprite:
		return 1
	}
	return 1 - t*t
}

// towards moves a value to a goal with a time constant in seconds.
func towards(x, goal, seconds, dt float32) float32 {
	return x + (goal-x)*vec.Clamp(dt/seconds, 0, 1)
}
