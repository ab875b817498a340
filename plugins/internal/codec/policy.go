package codec

import (
	"fmt"
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Bytes of one row, all columns together.
const (
	subjectSize = 4*(3+3+3+6+3+3) + 2*3 + 5
	viewerSize  = 4*4 + 2*2
	doorSize    = 4 + 2 + 1
)

// Bits of a subject's flags.
const (
	subjectAlive = 1 << iota
	subjectDucked
	subjectAiming
	subjectFired
	subjectFlags = 1<<iota - 1
)

// AppendInput appends the frame of a policy's input.
func AppendInput(dst []byte, in *vis.Input) []byte {
	w := begin(dst, KindInput, 0, in.Tick)
	w.u64(in.Seed)
	w.u32(uint32(in.TickRate))
	w.u32(uint32(len(in.Subjects)))
	w.u32(uint32(len(in.Viewers)))
	w.u32(uint32(len(in.Doors)))
	for _, word := range in.Asked[:in.Words*len(in.Viewers)] {
		w.u64(word)
	}

	// Subjects, 32 bits.
	ss := in.Subjects
	for i := range ss {
		w.v3(ss[i].Pos)
	}
	for i := range ss {
		w.v3(ss[i].Eye)
	}
	for i := range ss {
		w.v3(ss[i].Chest)
	}
	for i := range ss {
		w.v3(ss[i].Box.Min)
		w.v3(ss[i].Box.Max)
	}
	for i := range ss {
		w.v3(ss[i].Vel)
	}
	for i := range ss {
		w.f32(ss[i].Yaw)
		w.f32(ss[i].Pitch)
		w.f32(ss[i].Lean)
	}
	// Viewers and doors, 32 bits.
	for i := range in.Viewers {
		v := &in.Viewers[i]
		w.u32(uint32(int32(v.Subject)))
		w.f32(v.RTTms)
		w.f32(v.JitterMS)
		w.f32(v.RenderMS)
	}
	for i := range in.Doors {
		w.u32(in.Doors[i].Start)
	}
	// 16 bits.
	for i := range ss {
		w.u16(uint16(ss[i].ID))
	}
	for i := range ss {
		w.u16(uint16(ss[i].Owner))
	}
	for i := range ss {
		w.u16(uint16(ss[i].Watching))
	}
	for i := range in.Viewers {
		w.u16(uint16(in.Viewers[i].ID))
		w.u16(uint16(in.Viewers[i].Spectating))
	}
	for i := range in.Doors {
		w.u16(in.Doors[i].From)
	}
	// 8 bits.
	for i := range ss {
		s := &ss[i]
		w.b = append(w.b, uint8(s.Kind), s.Team, s.Weapon, s.Teleports,
			bit(s.Alive, subjectAlive)|bit(s.Ducked, subjectDucked)|bit(s.Aiming, subjectAiming)|bit(s.Fired, subjectFired))
	}
	for i := range in.Doors {
		w.u8(bit(in.Doors[i].Open, 1))
	}
	return w.end()
}

func bit(b bool, v uint8) uint8 {
	if b {
		return v
	}
	return 0
}

// DecodeInput fills in from a frame, reusing its memory.
func DecodeInput(b []byte, in *vis.Input) error {
	r, h, err := open(b, KindInput)
	if err != nil {
		return err
	}
	in.Reset(h.Tick, 0)
	in.Seed = r.u64()
	in.TickRate = int(int32(r.u32()))
	ns := r.count(MaxSubjects, subjectSize)
	nv := r.count(MaxViewers, viewerSize)
	nd := r.count(MaxDoors, doorSize)
	words := (ns + 63) / 64
	if left := len(r.b) - r.off; r.err == nil && left != words*nv*8+ns*subjectSize+nv*viewerSize+nd*doorSize {
		r.fail(ErrShort)
	}
	if r.err != nil {
		return r.err
	}
	in.Words = words
	in.Asked = grow(in.Asked, words*nv)
	for i := range in.Asked {
		in.Asked[i] = r.u64()
	}
	if !paddingClear(in.Asked, words, ns) {
		return ErrValue
	}

	in.Subjects = grow(in.Subjects, ns)
	in.Viewers = grow(in.Viewers, nv)
	in.Doors = grow(in.Doors, nd)
	ss := in.Subjects
	for i := range ss {
		ss[i].Pos = r.v3()
	}
	for i := range ss {
		ss[i].Eye = r.v3()
	}
	for i := range ss {
		ss[i].Chest = r.v3()
	}
	for i := range ss {
		ss[i].Box = vec.Box{Min: r.v3(), Max: r.v3()}
	}
	for i := range ss {
		ss[i].Vel = r.v3()
	}
	for i := range ss {
		ss[i].Yaw, ss[i].Pitch, ss[i].Lean = r.f32(), r.f32(), r.f32()
	}
	for i := range in.Viewers {
		v := &in.Viewers[i]
		v.Subject = int(int32(r.u32()))
		if v.Subject < -1 || v.Subject >= ns {
			return ErrValue
		}
		v.RTTms, v.JitterMS, v.RenderMS = r.f32(), r.f32(), r.f32()
	}
	for i := range in.Doors {
		in.Doors[i].Start = r.u32()
	}
	for i := range ss {
		ss[i].ID = state.ID(r.u16())
	}
	for i := range ss {
		ss[i].Owner = state.ID(r.u16())
	}
	for i := range ss {
		ss[i].Watching = state.ID(r.u16())
	}
	for i := range in.Viewers {
		in.Viewers[i].ID, in.Viewers[i].Spectating = state.ID(r.u16()), state.ID(r.u16())
	}
	for i := range in.Doors {
		in.Doors[i].From = r.u16()
	}
	for i := range ss {
		s := &ss[i]
		s.Kind, s.Team, s.Weapon, s.Teleports = state.Kind(r.u8()), r.u8(), r.u8(), r.u8()
		f := r.u8()
		if f&^subjectFlags != 0 {
			return ErrValue
		}
		s.Alive, s.Ducked = f&subjectAlive != 0, f&subjectDucked != 0
		s.Aiming, s.Fired = f&subjectAiming != 0, f&subjectFired != 0
	}
	for i := range in.Doors {
		in.Doors[i].Open = r.flag()
	}
	return r.close()
}

// paddingClear reports whether no row has a bit at or after column n.
func paddingClear(rows []uint64, words, n int) bool {
	if words == 0 || n%64 == 0 {
		return true
	}
	for i := words - 1; i < len(rows); i += words {
		if rows[i]>>(n%64) != 0 {
			return false
		}
	}
	return true
}

// Bits of an answer's header flags: the column is one value that holds for every
// permitted pair (a policy that sends everyone to everyone would otherwise answer
// with six equal bytes per pair).
const (
	sameReason = 1 << iota
	sameHold
	sameInterval
	answerFlags = 1<<iota - 1
)

// AppendAnswer appends the frame of a policy's answer. Only permitted pairs have
// a reason, a hold and an interval; they follow each other by viewer, then by
// subject.
func AppendAnswer(dst []byte, a *vis.Answer) []byte {
	n, flags, first := survey(a)
	w := begin(dst, KindAnswer, flags, a.Tick)
	w.u32(uint32(a.Viewers))
	w.u32(uint32(a.Subjects))
	w.u32(uint32(a.Rays))
	w.u32(uint32(n))
	for _, word := range a.Permit[:a.Words*a.Viewers] {
		w.u64(word)
	}
	if n == 0 {
		return w.end()
	}
	if flags&sameHold != 0 {
		w.u32(a.Hold[first])
	} else {
		for p := (pairs{a: a}); p.next(); {
			w.u32(a.Hold[p.i])
		}
	}
	if flags&sameReason != 0 {
		w.u8(uint8(a.Reason[first]))
	} else {
		for p := (pairs{a: a}); p.next(); {
			w.u8(uint8(a.Reason[p.i]))
		}
	}
	if flags&sameInterval != 0 {
		w.u8(a.Interval[first])
	} else {
		for p := (pairs{a: a}); p.next(); {
			w.u8(a.Interval[p.i])
		}
	}
	return w.end()
}

// survey counts the permitted pairs and says which columns hold one value only.
func survey(a *vis.Answer) (n int, flags uint8, first int) {
	flags = answerFlags
	for p := (pairs{a: a}); p.next(); n++ {
		if n == 0 {
			first = p.i
			continue
		}
		if a.Reason[p.i] != a.Reason[first] {
			flags &^= sameReason
		}
		if a.Hold[p.i] != a.Hold[first] {
			flags &^= sameHold
		}
		if a.Interval[p.i] != a.Interval[first] {
			flags &^= sameInterval
		}
	}
	if n == 0 {
		flags = 0
	}
	return n, flags, first
}

// pairs walks over the permitted pairs by viewer, then by subject.
type pairs struct {
	a       *vis.Answer
	word    uint64 // bits of the present word that are still to come
	at      int    // index of the next word of Permit
	v, base int    // viewer and first subject of the present word
	i       int    // index of the pair in Reason, Hold, Interval
}

func (p *pairs) next() bool {
	a := p.a
	for p.word == 0 {
		if p.at >= a.Words*a.Viewers {
			return false
		}
		p.v, p.base = p.at/a.Words, p.at%a.Words*64
		p.word = a.Permit[p.at]
		p.at++
	}
	b := bits.TrailingZeros64(p.word)
	p.word &= p.word - 1
	p.i = p.v*a.Subjects + p.base + b
	return true
}

// DecodeAnswer fills a from a frame that must answer in: same tick, same number
// of viewers and subjects. The answer's memory is reused; on an error its
// contents are of no use.
func DecodeAnswer(b []byte, in *vis.Input, a *vis.Answer) error {
	r, h, err := open(b, KindAnswer)
	if err != nil {
		return err
	}
	if h.Tick != in.Tick {
		return fmt.Errorf("%w: %d, wanted %d", ErrTick, h.Tick, in.Tick)
	}
	if h.Flags&^answerFlags != 0 {
		return ErrValue
	}
	nv, ns, rays, n := r.u32(), r.u32(), r.u32(), r.u32()
	if r.err != nil {
		return r.err
	}
	if uint64(nv) != uint64(len(in.Viewers)) || uint64(ns) != uint64(len(in.Subjects)) {
		return fmt.Errorf("%w: %d×%d, wanted %d×%d", ErrShape, nv, ns, len(in.Viewers), len(in.Subjects))
	}
	if rays > 1<<30 {
		return ErrValue
	}
	a.Reset(in)
	a.Rays = int(rays)
	// Reset took the shape from in, whose Words a caller may have left unset.
	a.Words = (a.Subjects + 63) / 64
	a.Permit = grow(a.Permit, a.Words*a.Viewers)
	found := 0
	for i := range a.Permit {
		a.Permit[i] = r.u64()
		found += bits.OnesCount64(a.Permit[i])
	}
	if r.err != nil {
		return r.err
	}
	if uint64(found) != uint64(n) || !paddingClear(a.Permit, a.Words, a.Subjects) {
		return ErrValue
	}
	if found == 0 {
		if h.Flags != 0 {
			return ErrValue
		}
		return r.close()
	}
	if h.Flags&sameHold != 0 {
		v := r.u32()
		for p := (pairs{a: a}); p.next(); {
			a.Hold[p.i] = v
		}
	} else {
		for p := (pairs{a: a}); p.next(); {
			a.Hold[p.i] = r.u32()
		}
	}
	if h.Flags&sameReason != 0 {
		v := r.reason()
		for p := (pairs{a: a}); p.next(); {
			a.Reason[p.i] = v
		}
	} else {
		for p := (pairs{a: a}); p.next(); {
			a.Reason[p.i] = r.reason()
		}
	}
	if h.Flags&sameInterval != 0 {
		v := r.u8()
		for p := (pairs{a: a}); p.next(); {
			a.Interval[p.i] = v
		}
	} else {
		for p := (pairs{a: a}); p.next(); {
			a.Interval[p.i] = r.u8()
		}
	}
	return r.close()
}

// reason reads a reason that exists.
func (r *reader) reason() vis.Reason {
	v := vis.Reason(r.u8())
	if v >= vis.NumReasons {
		r.fail(ErrValue)
	}
	return v
}
