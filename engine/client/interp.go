package client

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// trackLen is how many updates of one subject are kept: half a second of 128 Hz.
const trackLen = 64

// track is the recent updates of one subject, oldest first, and the source of
// where it is drawn.
type track struct {
	id    state.ID
	n     int
	ticks [trackLen]state.Tick
	ents  [trackLen]state.Entity
	// gone is the first snapshot without the subject, 0 while it is present. What
	// was shown until then is drawn until the shown timeline gets there.
	gone state.Tick
	seen state.Tick // newest snapshot that holds it
}

// add appends an update; one that is not newer than the last is ignored.
func (t *track) add(tick state.Tick, e *state.Entity) {
	if t.n > 0 && int32(tick-t.ticks[t.n-1]) <= 0 {
		return
	}
	if t.n == trackLen {
		copy(t.ticks[:], t.ticks[trackLen/2:])
		copy(t.ents[:], t.ents[trackLen/2:])
		t.n = trackLen / 2
	}
	t.ticks[t.n] = tick
	t.ents[t.n] = *e
	t.n++
}

// newest returns the last update.
func (t *track) newest() *state.Entity { return &t.ents[t.n-1] }

// Shown is where and how a subject is drawn.
type Shown struct {
	state.Entity
	At           vec.V3 // metres
	Velocity     vec.V3 // m/s
	YawDeg       float32
	PitchDeg     float32
	Duck01       float32 // 0..1
	Lean11       float32 // -1..1
	StrideM      float32 // metres walked, wrapping at 1024
	Extrapolated bool
}

// at fills out with the subject at a tick and fraction, linearly between the two
// updates around it, never across a teleport. Past the last update it is carried
// on along its velocity for at most maxExtra ticks. It reports false when the
// subject is not on the screen at that time.
func (t *track) at(tick state.Tick, frac uint8, maxExtra float32, tickRate int, out *Shown) bool {
	if t.n == 0 {
		return false
	}
	if t.gone != 0 && int32(tick-t.gone) >= 0 {
		return false
	}
	i := t.n - 1
	for i > 0 && int32(t.ticks[i]-tick) > 0 {
		i--
	}
	a := &t.ents[i]
	now := float32(int32(tick-t.ticks[i])) + float32(frac)/256
	switch {
	case now < 0:
		// Not yet reached: a first reveal is drawn on arrival.
		fill(out, a, a, 0)
		return now > -8 || t.n == 1 && now >= -trackLen
	case i == t.n-1:
		fill(out, a, a, 0)
		if a.Kind != state.KindPickup && a.Pose&state.PoseDead == 0 {
			extra := min(now, maxExtra)
			out.At = out.At.Mad(extra/float32(tickRate), out.Velocity)
			out.Extrapolated = now > 0
		}
		return true
	}
	b := &t.ents[i+1]
	span := float32(int32(t.ticks[i+1] - t.ticks[i]))
	if a.Teleports != b.Teleports {
		fill(out, a, a, 0)
		return true
	}
	fill(out, a, b, now/span)
	return true
}

func fill(out *Shown, a, b *state.Entity, f float32) {
	near := a
	if f >= 0.5 {
		near = b
	}
	out.Entity = *near
	out.At = a.Pos.V3().Lerp(b.Pos.V3(), f)
	out.Velocity = a.Vel.V3().Lerp(b.Vel.V3(), f)
	out.YawDeg = lerpAngle(a.Yaw, b.Yaw, f)
	out.PitchDeg = lerpAngle(a.Pitch, b.Pitch, f)
	out.Duck01 = vec.Lerp(float32(a.Duck), float32(b.Duck), f) / 255
	out.Lean11 = vec.Lerp(float32(a.Lean), float32(b.Lean), f) / 127
	d := float32(int16(b.Stride - a.Stride))
	out.StrideM = (float32(a.Stride) + d*f) / 64
	out.Extrapolated = false
}

func lerpAngle(a, b state.Angle16, f float32) float32 {
	d := float32(int16(b - a))
	return vec.WrapDeg(a.Deg() + d*f*(360.0/65536))
}
