package scenery

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// The life of a cloud. The figures of growth and life are those published of smoke
// that policies were tried on; thinning is judgement.
const (
	GrowMS  = 3000  // from a quarter of its radius to all of it
	ThinMS  = 3250  // at the end, from opaque to nothing
	SmokeMS = 19250 // altogether
	HoleMS  = 2500  // that a burst's hole stays
	infancy = 0.25  // of the radius, at the beginning
)

// Opaque is from where on the densities of the clouds on a line hide what is behind.
const Opaque = 0.999

// MaxSmokes and MaxHoles bound the clouds of a world and the holes in them.
const (
	MaxSmokes = 64
	MaxHoles  = 64
)

// Cloud is a Smoke at an instant.
type Cloud struct {
	ID      state.ID
	At      vec.V3
	Radius  float32 // metres; 0: there is none
	Density float32 // 1 hides by itself
}

// age returns how many milliseconds have passed since a tick.
func age(start, tick state.Tick, frac256 uint8, tickRate int) float32 {
	if tickRate <= 0 {
		return -1
	}
	dt := float32(min(max(int32(tick-start), -1<<20), 1<<20)) + float32(float32(frac256)/256)
	return float32(dt*1000) / float32(tickRate)
}

// Smoke returns a cloud at a tick and frac256 256ths of the next. The server, the
// policies, the picture and lag compensation call nothing else.
func Smoke(s *state.Smoke, tick state.Tick, frac256 uint8, tickRate int) Cloud {
	ms := age(s.Start, tick, frac256, tickRate)
	if !(ms >= 0 && ms < SmokeMS) {
		return Cloud{ID: s.ID, At: s.Pos}
	}
	full := float32(float32(s.Radius) / 256)
	grown := min(infancy+float32(float32((1-infancy)*ms)/GrowMS), 1)
	return Cloud{
		ID: s.ID, At: s.Pos, Radius: float32(full * grown),
		Density: vec.Clamp(float32((SmokeMS-ms)/ThinMS), 0, 1),
	}
}

// SmokeChanges reports whether a cloud is another than it was a tick before.
func SmokeChanges(s *state.Smoke, tick state.Tick, tickRate int) bool {
	ms, step := age(s.Start, tick, 0, tickRate), float32(1000)/float32(max(tickRate, 1))
	return ms >= 0 && ms <= GrowMS+step || ms >= SmokeMS-ThinMS && ms <= SmokeMS+step
}

// HoleOpen reports whether a hole is there at an instant.
func HoleOpen(h *state.Hole, tick state.Tick, frac256 uint8, tickRate int) bool {
	ms := age(h.Start, tick, frac256, tickRate)
	return ms >= 0 && ms < HoleMS
}

// SmokeTicks returns for how many ticks a cloud is there.
func SmokeTicks(tickRate int) state.Tick { return state.Tick((SmokeMS*tickRate + 999) / 1000) }

// HoleTicks returns for how many ticks a hole is there.
func HoleTicks(tickRate int) state.Tick { return state.Tick((HoleMS*tickRate + 999) / 1000) }

// Smokes is the clouds and holes of an instant, and what they hide. Its memory is
// reused by Set; the zero value hides nothing.
type Smokes struct {
	Clouds []Cloud
	holes  []hole
}

type hole struct {
	cloud  int
	at     vec.V3
	radius float32
}

// Set takes the clouds and holes of an instant. What is not there then is left out.
func (c *Smokes) Set(smokes []state.Smoke, holes []state.Hole, tick state.Tick, frac256 uint8, tickRate int) {
	c.Clouds, c.holes = c.Clouds[:0], c.holes[:0]
	for i := range smokes {
		if cl := Smoke(&smokes[i], tick, frac256, tickRate); cl.Radius > 0 && cl.At.IsFinite() && len(c.Clouds) < MaxSmokes {
			c.Clouds = append(c.Clouds, cl)
		}
	}
	for i := range holes {
		h := &holes[i]
		if !HoleOpen(h, tick, frac256, tickRate) || !h.Pos.IsFinite() || len(c.holes) >= MaxHoles {
			continue
		}
		for k := range c.Clouds {
			if c.Clouds[k].ID == h.Smoke {
				c.holes = append(c.holes, hole{k, h.Pos, float32(float32(h.Radius) / 256)})
			}
		}
	}
}

// Hide reports whether the clouds on the line from a to b hide one end from the other:
// those whose ball it touches count with their densities, which add up to Opaque. A
// cloud through whose hole the line goes does not count: a burst has blown it away
// before and behind as well. It is the same both ways.
func (c *Smokes) Hide(a, b vec.V3) bool {
	if len(c.Clouds) == 0 {
		return false
	}
	if b.X < a.X || b.X == a.X && (b.Y < a.Y || b.Y == a.Y && b.Z < a.Z) {
		a, b = b, a // so that rounding is the same both ways
	}
	sum := float32(0)
	for i := range c.Clouds {
		cl := &c.Clouds[i]
		t0, t1, ok := chord(a, b, cl.At, cl.Radius)
		if !ok || c.pierced(i, a, b, t0, t1) {
			continue
		}
		if sum += cl.Density; sum >= Opaque {
			return true
		}
	}
	return false
}

// pierced reports whether the part of a line that is in a cloud goes through a hole.
func (c *Smokes) pierced(cloud int, a, b vec.V3, t0, t1 float32) bool {
	for i := range c.holes {
		h := &c.holes[i]
		if h.cloud != cloud {
			continue
		}
		if h0, h1, ok := chord(a, b, h.at, h.radius); ok && h0 <= t1 && h1 >= t0 {
			return true
		}
	}
	return false
}

// chord returns which part of the line from a to b is in a ball, as fractions; false
// when it does not touch it.
func chord(a, b, at vec.V3, radius float32) (t0, t1 float32, ok bool) {
	d, m := b.Sub(a), at.Sub(a)
	dd, rr := d.LenSq(), float32(radius*radius)
	if !(dd > 1e-12) {
		return 0, 1, m.LenSq() <= rr
	}
	mid := float32(m.Dot(d) / dd)
	off := m.Sub(d.Scale(mid)).LenSq()
	if off > rr {
		return 0, 0, false
	}
	half := vec.Sqrt(float32((rr - off) / dd))
	t0, t1 = max(mid-half, 0), min(mid+half, 1)
	return t0, t1, t0 <= t1
}

// Contains returns the density of the clouds that a point is in.
func (c *Smokes) Contains(p vec.V3) float32 {
	sum := float32(0)
	for i := range c.Clouds {
		if cl := &c.Clouds[i]; cl.At.DistSq(p) <= float32(cl.Radius*cl.Radius) {
			sum += cl.Density
		}
	}
	return sum
}

// White returns how white the picture of somebody blinded is, 0 to 1: all of it until
// no more is left than the fade takes.
func White(blind uint16, fadeMS float32, tickRate int) float32 {
	fade := float32(fadeMS*float32(tickRate)) / 1000
	if blind == 0 || !(fade > 0) {
		return 0
	}
	return min(float32(blind)/fade, 1)
}

// Blinded returns for how many ticks more somebody sees nothing but white.
func Blinded(blind uint16, fadeMS float32, tickRate int) uint16 {
	fade := vec.Floor(float32(vec.Clamp(fadeMS, 0, 60000)*float32(tickRate)) / 1000)
	return uint16(max(int32(blind)-fade, 0))
}
