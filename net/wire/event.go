package wire

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// What a snapshot's events are rounded to: 1/16 m, directions to 1/127.
const eventGrid = 4

// Event codes an event exactly but for what Rounded rounds, as in a demo: packed bit
// by bit, its place against a near point. Only and Muffled are not sent.
func (c *Coder) Event(e *state.Event, near state.Q) {
	if c.r != nil {
		*e = state.Event{}
	}
	limited(c, "kind", &e.Kind, 5, state.NumEvents)
	if c.has("weapon", e.Weapon != 0) {
		fixed(c, "weapon", &e.Weapon, 8)
		c.done()
	}
	if c.has("actor", e.Actor != 0) {
		fixed(c, "actor", &e.Actor, 16)
		c.done()
	}
	if c.has("target", e.Target != 0) {
		fixed(c, "target", &e.Target, 16)
		c.done()
	}
	if c.has("number", e.Param != 0) {
		gap(c, "number", &e.Param, 0, 4)
		c.done()
	}
	if c.has("place", e.Pos != vec.V3{}) {
		q := state.Quant(e.Pos)
		c.q("place", &q, near, 9)
		if c.r != nil {
			e.Pos = q.V3()
		}
		c.done()
	}
	if c.has("direction", e.Dir != vec.V3{}) {
		c.unit("x", &e.Dir.X)
		c.unit("y", &e.Dir.Y)
		c.unit("z", &e.Dir.Z)
		c.done()
	}
	if c.has("aim", e.Yaw != 0 || e.Pitch != 0) {
		fixed(c, "yaw", &e.Yaw, 16)
		fixed(c, "pitch", &e.Pitch, 16)
		c.done()
	}
}

// unit is a number from -1 to 1 in 8 bits.
func (c *Coder) unit(name string, v *float32) {
	n := level127(*v)
	signed(c, name, &n, 8)
	if c.r != nil {
		*v = max(float32(n)/127, -1)
	}
}

func level127(v float32) int8 { return int8(vec.Floor(float32(vec.Clamp(v, -1, 1)*127) + 0.5)) }

// Rounded returns an event as it is in a demo: rounded, and without what is for game/hear.
func Rounded(e *state.Event) state.Event {
	r := *e
	r.Only, r.Muffled = 0, false
	if r.Pos != (vec.V3{}) {
		r.Pos = state.Quant(r.Pos).V3()
	}
	for _, v := range []*float32{&r.Dir.X, &r.Dir.Y, &r.Dir.Z} {
		*v = float32(level127(*v)) / 127
	}
	return r
}

// Told returns an event as it arrives in a snapshot: Rounded, its place to 1/16 m.
func Told(e *state.Event) state.Event {
	r := Rounded(e)
	if e.Pos != (vec.V3{}) {
		r.Pos = state.RoundQ(state.Quant(e.Pos), eventGrid).V3()
	}
	return r
}

// GoesOn is the kind, in a snapshot, of a shot that is like one that the client has
// been told of whole: of a burst by somebody unseen. Its Param is the burst.
const GoesOn state.EventKind = 31

// BurstSlots is how many bursts a client is told of at a time.
const (
	BurstSlots = 16
	burstGens  = 8
)

// Burst names a burst: what a shot that may be gone on with has as the negative of its
// Param, less one, and one that goes on as its Param.
func Burst(slot int, gen uint32, muffled bool) int32 {
	b := int32(slot)*burstGens + int32(gen%burstGens)
	b *= 2
	if muffled {
		b++
	}
	return b
}

// BurstOf is Burst turned round; false for what names none.
func BurstOf(b int32) (slot int, gen uint32, muffled, ok bool) {
	if b < 0 || b >= 2*BurstSlots*burstGens {
		return 0, 0, false, false
	}
	return int(b / (2 * burstGens)), uint32(b / 2 % burstGens), b&1 != 0, true
}

// BurstAfter reports whether a slot was given in generation a after it was in b.
func BurstAfter(a, b uint32) bool { return (a-b-1)%burstGens < burstGens/2 }

// maxGrain is how coarse a place is coded at most: 128 m.
const maxGrain = 11

// grainOf returns to how many powers of two of a 16th of a metre a place is rounded.
func grainOf(q state.Q) int {
	v := uint32(q.X|q.Y|q.Z) >> eventGrid
	if v == 0 {
		return 0
	}
	return min(bits.TrailingZeros32(v), maxGrain)
}

// Happened codes an event of a snapshot: near is the viewer's own place. A place that is
// rounded, as those of sounds are, is coded by the grid that it is on.
func (c *Coder) Happened(e *state.Event, near state.Q) {
	if c.reading() {
		*e = state.Event{}
	}
	kind := c.pick(mEventKind, 0, "kind", int(e.Kind))
	if c.reading() && kind >= int(state.NumEvents) && kind != int(GoesOn) {
		c.Fail(ErrRange)
		kind = 0
	}
	e.Kind = state.EventKind(kind)
	if e.Kind == GoesOn || c.text != nil {
		c.group("if it goes on with a burst, which, and no more")
		e.Param = int32(c.num(mEventVal, int(GoesOn)*2, "burst", uint32(e.Param), 4))
		c.done()
		if c.text == nil {
			return
		}
	}
	has := func(part int, name string, is bool) bool { return c.when(mEventHas, kind*8+part, name, is) }
	if has(0, "weapon", e.Weapon != 0) {
		e.Weapon = uint8(c.num(mEventVal, kind*2, "weapon", uint32(e.Weapon), 2))
		c.done()
	}
	if has(1, "actor", e.Actor != 0) {
		e.Actor = state.ID(c.num(mEventWho, 0, "actor", uint32(e.Actor), 6))
		c.done()
	}
	if has(2, "target", e.Target != 0) {
		e.Target = state.ID(c.num(mEventWho, 1, "target", uint32(e.Target), 6))
		c.done()
	}
	if has(3, "number", e.Param != 0) {
		e.Param = c.off(mEventVal, kind*2+1, "number", e.Param, 4)
		c.done()
	}
	if has(4, "place", e.Pos != vec.V3{}) {
		q, at := state.Quant(e.Pos), state.RoundQ(near, eventGrid)
		grain := 0
		if c.when(mEventHas, kind*8+7, "rough", !c.reading() && grainOf(state.RoundQ(q, eventGrid)) > 0) {
			grain = 1 + int(c.num(mEventVal, int(GoesOn)*2+1, "grid, powers of two, less one", uint32(grainOf(state.RoundQ(q, eventGrid))-1), 1))
			grain = min(grain, maxGrain)
			c.done()
		}
		axis := func(m model, ctx int, name string, v, at int32) int32 {
			at >>= eventGrid + grain
			return (at + c.off(m, ctx, name, state.Round(v, eventGrid)>>grain-at, 7)) << (eventGrid + grain)
		}
		c.group("place, 1/16 m, or on that grid")
		q.X = axis(mEventX, 0, "x", q.X, at.X)
		q.Y = axis(mEventX, 0, "y", q.Y, at.Y)
		q.Z = axis(mEventX, 1, "z", q.Z, at.Z)
		c.done()
		if c.reading() {
			e.Pos = q.V3()
		}
		c.done()
	}
	if has(5, "direction", e.Dir != vec.V3{}) {
		c.normal(&e.Dir)
		c.done()
	}
	if has(6, "aim", e.Yaw != 0 || e.Pitch != 0) {
		e.Yaw = state.Angle16(c.raw("yaw", uint64(e.Yaw), 16))
		e.Pitch = state.Angle16(c.raw("pitch", uint64(e.Pitch), 16))
		c.done()
	}
}

// normal codes a direction: one of the 27 that go along axes and their diagonals,
// as most walls face, or three numbers.
func (c *Coder) normal(d *vec.V3) {
	v := [3]int8{level127(d.X), level127(d.Y), level127(d.Z)}
	sym, unit := 0, 1
	for _, n := range v {
		switch n {
		case 127:
			sym += unit
		case -127:
			sym += 2 * unit
		}
		unit *= 3
	}
	for _, n := range v {
		if n != 0 && n != 127 && n != -127 {
			sym = 27
		}
	}
	sym = c.pick(mNormal, 0, "axes, 27 none", sym)
	if sym == 27 || c.text != nil {
		c.group("if none")
		for i, name := range [3]string{"x", "y", "z"} {
			v[i] = int8(c.raw(name, uint64(uint8(v[i])), 8))
		}
		c.done()
	} else {
		for i := range v {
			v[i] = [3]int8{0, 127, -127}[sym%3]
			sym /= 3
		}
	}
	if c.reading() {
		at := func(n int8) float32 { return max(float32(n)/127, -1) }
		*d = vec.V3{X: at(v[0]), Y: at(v[1]), Z: at(v[2])}
	}
}

// Door codes a door's swing at a tick.
func (c *Coder) Door(d *state.DoorState, tick state.Tick) {
	d.Open = c.bit(mDoor, 0, "opens", d.Open)
	d.Start = tick + uint32(c.off(mDoorNum, 0, "begin, after the snapshot", int32(d.Start-tick), 5))
	if c.when(mDoor, 1, "from", d.From != 0) {
		d.From = uint16(c.raw("from", uint64(d.From), 16))
		c.done()
	} else {
		d.From = 0
	}
}
