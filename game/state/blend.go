package state

import "github.com/sightline-engine/sightline/game/vec"

// Body is how somebody stood at one tick: what is sent of a moving subject, and
// what lag compensation stores of a player.
type Body struct {
	Pos, Vel   Q // 1/256 m and 1/256 m/s
	Yaw, Pitch Angle16
	Duck       uint8
	Lean       int8
	Teleports  uint8
	Alive      bool
}

// Body returns the part of an Entity that is blended. Things never die.
func (e *Entity) Body() Body {
	return Body{
		Pos: e.Pos, Vel: e.Vel, Yaw: e.Yaw, Pitch: e.Pitch, Duck: e.Duck, Lean: e.Lean, Teleports: e.Teleports,
		Alive: e.Kind != KindPlayer || e.Pose&PoseDead == 0,
	}
}

// Placed is a Body at an instant, not on the grid any more.
type Placed struct {
	Pos, Vel   vec.V3 // metres, m/s
	Yaw, Pitch Angle16
	Duck       uint8
	Lean       int8
}

// Placed returns b as it is.
func (b *Body) Placed() Placed {
	return Placed{Pos: b.Pos.V3(), Vel: b.Vel.V3(), Yaw: b.Yaw, Pitch: b.Pitch, Duck: b.Duck, Lean: b.Lean}
}

// SameLife reports whether nothing between the two forbids a blend: no teleport,
// no spawn, no death.
func SameLife(a, b *Body) bool { return a.Teleports == b.Teleports && a.Alive == b.Alive }

// What Blend and Carry do with time. CarryMS is how far past an update, or before
// the first, somebody is carried along the velocity. Shorter than curveFromMS two
// updates are neighbouring ticks, between which nothing is known: the line. Beyond
// curveToMS a body may have turned twice, and the line errs least.
const (
	CarryMS     = 100
	curveFromMS = 20
	curveToMS   = 150
)

// PathGap returns how many ticks lie between two places of the way that somebody
// came by before coming into view: 32 places in a second.
func PathGap(tickRate int) int { return max(tickRate/32, 1) }

// Blend is the curve between two updates, span ticks apart, at an instant at256
// 256ths of a tick after the first. It is the same for who draws a body and for
// the server who tests a shot at it: they must call nothing else. Over a change of
// life the first holds until the second is reached.
//
// Near updates are joined by a Hermite curve through both velocities, when these
// explain the way between them: a body that was stopped by a wall, or stands on a
// lift, has not moved as it says. Otherwise by a line.
func Blend(a, b *Body, span, at256 uint32, tickRate int) Placed {
	out := a.Placed()
	if at256 == 0 || span == 0 || span > 1<<16 || tickRate <= 0 {
		return out
	}
	if at256 >= span*256 {
		return b.Placed()
	}
	if !SameLife(a, b) {
		return out
	}
	f := float32(at256) / float32(span*256)
	d := b.Pos.sub(a.Pos)
	dv := b.Vel.sub(a.Vel)
	seconds := float32(span) / float32(tickRate)
	out.Vel = out.Vel.Mad(f, dv)
	if curved(a, b, d, dv, seconds) {
		f2 := float32(f * f)
		f3 := float32(f2 * f)
		h1 := float32(3*f2) - float32(2*f3)
		h0 := float32((f3 - float32(2*f2) + f) * seconds)
		h2 := float32((f3 - f2) * seconds)
		d = d.Scale(h1).Mad(h0, a.Vel.V3()).Mad(h2, b.Vel.V3())
	} else {
		d = d.Scale(f)
	}
	out.Pos = out.Pos.Add(d)
	k := int32(at256 / span) // 256ths of the way
	out.Yaw += Angle16(int32(int16(b.Yaw-a.Yaw)) * k >> 8)
	out.Pitch += Angle16(int32(int16(b.Pitch-a.Pitch)) * k >> 8)
	out.Duck = uint8(int32(a.Duck) + ((int32(b.Duck)-int32(a.Duck))*k)>>8)
	out.Lean = int8(int32(a.Lean) + ((int32(b.Lean)-int32(a.Lean))*k)>>8)
	return out
}

// curved reports whether the velocities explain the way d: under an even
// acceleration it is their mean times the time, and what is missing of that is to
// be small beside the change of velocity.
func curved(a, b *Body, d, dv vec.V3, seconds float32) bool {
	if ms := float32(seconds * 1000); ms < curveFromMS || ms > curveToMS {
		return false
	}
	mean := a.Vel.V3().Add(b.Vel.V3()).Scale(float32(0.5 * seconds))
	const grid = 3 * QuantStep
	return d.Sub(mean).Len() <= float32(float32(dv.Len()*seconds)*0.25)+grid
}

// Carry carries a body along its velocity, by256 256ths of a tick ahead or, when
// negative, back; at most CarryMS, then it stands. The dead are not carried.
func Carry(a *Body, by256 int32, tickRate int) Placed {
	out := a.Placed()
	if !a.Alive || tickRate <= 0 {
		return out
	}
	seconds := float32(by256) / float32(256*tickRate)
	const most = float32(CarryMS) / 1000
	out.Pos = out.Pos.Mad(vec.Clamp(seconds, -most, most), out.Vel)
	return out
}

// sub returns q - p in metres; exact while they are within 64 km.
func (q Q) sub(p Q) vec.V3 { return Q{q.X - p.X, q.Y - p.Y, q.Z - p.Z}.V3() }
