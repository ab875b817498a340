package client

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// trackLen is how many updates of one subject are kept: half a second of 128 Hz.
const trackLen = 64

// track is the recent updates of one subject, oldest first, and the source of
// where it is drawn.
type track struct {
	id    state.ID
	n     int
	ticks [trackLen]state.Tick
	// An Entity of KindNone says that the subject was not disclosed any more from
	// that tick on. What was shown until then is drawn until the shown timeline gets
	// there.
	ents [trackLen]state.Entity
	seen state.Tick // newest snapshot that holds it
	late state.Delay
	told revealed // to the server, where it asks
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

// back puts the way that somebody new came by before the record of it. Where that
// overlaps with what was shown before, what was shown stands.
func (t *track) back(it *snapshot.Item, tickRate int) {
	gap := state.Tick(state.PathGap(tickRate))
	oldest := it.Tick - gap*state.Tick(len(it.Path))
	if t.n > 0 && !t.here() && int32(oldest-t.ticks[t.n-1]) <= 0 {
		t.n-- // the way reaches back to when it left: there is no gap to show
	}
	e := it.Entity
	for i := len(it.Path) - 1; i >= 0; i-- {
		e.Pos, e.Vel = it.Path[i].Pos, it.Path[i].Vel
		t.add(it.Tick-gap*state.Tick(i+1), &e)
	}
}

// leave notes that from tick on the subject is not disclosed.
func (t *track) leave(tick state.Tick) {
	if t.here() {
		t.add(tick, &state.Entity{ID: t.id})
	}
}

// here reports whether the subject is disclosed as of the newest update.
func (t *track) here() bool { return t.n > 0 && t.newest().Kind != state.KindNone }

// newest returns the last update.
func (t *track) newest() *state.Entity { return &t.ents[t.n-1] }

// Shown is where and how a subject is drawn.
type Shown struct {
	state.Entity
	At       vec.V3 // metres
	Velocity vec.V3 // m/s
	YawDeg   float32
	PitchDeg float32
	Duck01   float32 // 0..1
	Lean11   float32 // -1..1
	StrideM  float32 // metres walked, wrapping at 1024
	// Extrapolated says that it is carried on past its last update, Early that it is
	// drawn at a time before its first.
	Extrapolated, Early bool
	// Suppressed says that a suppressor is on its weapon, of which Weapon is then only
	// which.
	Suppressed bool
	// Late is how much earlier than Client.Shown the instant is that it is shown at, in
	// 256ths of a tick: not 0 for who is updated rarely.
	Late uint32
}

// at fills out with the subject where the shown timeline is at a tick and fraction;
// one that is updated rarely is shown at its own, earlier instant. It is on the
// curve of state.Blend between the two updates around that, never across a teleport,
// a spawn or a death. Past the last update, and before the first one of a
// disclosure, it is carried along its velocity as state.Carry does. It reports false
// when the subject is not on the screen at that time.
func (t *track) at(tick state.Tick, frac uint8, tickRate int, out *Shown) bool {
	late := t.late.Back(tick)
	tick, frac = state.Earlier(tick, frac, late)
	if !t.place(tick, frac, tickRate, out) {
		return false
	}
	out.Late = late
	return true
}

// place is at for the subject's own instant.
func (t *track) place(tick state.Tick, frac uint8, tickRate int, out *Shown) bool {
	i := t.n - 1
	for i >= 0 && int32(t.ticks[i]-tick) > 0 {
		i--
	}
	if i < 0 || t.ents[i].Kind == state.KindNone {
		if i+1 >= t.n || int32(t.ticks[i+1]-tick) > trackLen {
			return false
		}
		// Not yet reached: a first reveal is drawn on arrival, where it must have come
		// from. A rocket has not come from behind its barrel.
		a := &t.ents[i+1]
		by := int32(t.ticks[i+1]-tick)*256 - int32(frac)
		if a.Kind != state.KindPlayer {
			by = 0
		}
		fill(out, a, carry(a, -by, tickRate))
		out.Early = true
		return true
	}
	a := &t.ents[i]
	passed := uint32(tick-t.ticks[i])*256 + uint32(frac)
	if i == t.n-1 || t.ents[i+1].Kind == state.KindNone {
		fill(out, a, carry(a, int32(min(passed, 1<<20)), tickRate))
		out.Extrapolated = passed > 0 && carried(a)
		return true
	}
	b := &t.ents[i+1]
	span := uint32(t.ticks[i+1] - t.ticks[i])
	x, y := a.Body(), b.Body()
	near := a
	if state.SameLife(&x, &y) && passed >= span*128 {
		near = b
	}
	fill(out, near, state.Blend(&x, &y, span, passed, tickRate))
	d := float32(int16(b.Stride - a.Stride))
	if !state.SameLife(&x, &y) {
		d = 0
	}
	out.StrideM = (float32(a.Stride) + d*float32(passed)/float32(span*256)) / 64
	return true
}

// carried reports whether a subject may be carried along its velocity.
func carried(e *state.Entity) bool { return e.Kind != state.KindPickup && e.Pose&state.PoseDead == 0 }

func carry(e *state.Entity, by256 int32, tickRate int) state.Placed {
	b := e.Body()
	if !carried(e) {
		return b.Placed()
	}
	return state.Carry(&b, by256, tickRate)
}

func fill(out *Shown, e *state.Entity, p state.Placed) {
	*out = Shown{
		Entity: *e, At: p.Pos, Velocity: p.Vel, YawDeg: p.Yaw.Deg(), PitchDeg: p.Pitch.Deg(),
		Duck01: float32(p.Duck) / 255, Lean11: float32(p.Lean) / 127, StrideM: float32(e.Stride) / 64,
	}
	out.Weapon, out.Suppressed = e.Arm()
}
