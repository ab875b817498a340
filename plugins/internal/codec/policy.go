package codec

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Bytes of one row, all columns together.
const (
	subjectSize = 4*(3+3+3+6+3+3) + 2*4 + 5
	viewerSize  = (7+6)*4 + 2*2 + 1
	doorSize    = 4 + 2 + 1
	pieceSize   = 4 + 1
	smokeSize   = 4*4 + 2*2
	holeSize    = 4*4 + 2*3
	standSize   = 4 + 2*2 + 2
)

// Bits of an input's header flags: what stands of another policy's answers comes at the
// end. Only those are sent one who say that they take it over.
const (
	hasStanding = 1 << iota
	inputFlags  = 1<<iota - 1
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
	flags := uint8(0)
	if len(in.Standing) > 0 {
		flags |= hasStanding
	}
	w := begin(dst, KindInput, flags, in.Tick)
	w.u64(in.Seed)
	w.u32(uint32(in.TickRate))
	w.u32(uint32(len(in.Subjects)))
	w.u32(uint32(len(in.Viewers)))
	w.u32(uint32(len(in.Doors)))
	w.u32(uint32(len(in.Pieces)))
	w.u32(uint32(len(in.Smokes)))
	w.u32(uint32(len(in.Holes)))
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
		w.f32(v.BufferMS)
		w.f32(v.StillMS)
		w.f32(v.Loss)
	}
	for i := range in.Viewers {
		c := &in.Viewers[i].Scope
		w.f32(c.Magnification)
		w.f32(c.HalfDeg)
		w.f32(c.RangeM)
		w.f32(c.TurnDPS)
		w.u32(c.Since)
		w.u32(c.Last)
	}
	for i := range in.Doors {
		w.u32(in.Doors[i].Start)
	}
	for i := range in.Pieces {
		w.u32(in.Pieces[i].At)
	}
	for i := range in.Smokes {
		w.u32(in.Smokes[i].Start)
		w.v3(in.Smokes[i].Pos)
	}
	for i := range in.Holes {
		w.u32(in.Holes[i].Start)
		w.v3(in.Holes[i].Pos)
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
	for i := range ss {
		w.u16(ss[i].Blind)
	}
	for i := range in.Viewers {
		w.u16(uint16(in.Viewers[i].ID))
		w.u16(uint16(in.Viewers[i].Spectating))
	}
	for i := range in.Doors {
		w.u16(in.Doors[i].From)
	}
	for i := range in.Smokes {
		w.u16(uint16(in.Smokes[i].ID))
		w.u16(in.Smokes[i].Radius)
	}
	for i := range in.Holes {
		w.u16(uint16(in.Holes[i].ID))
		w.u16(uint16(in.Holes[i].Smoke))
		w.u16(in.Holes[i].Radius)
	}
	// 8 bits.
	for i := range ss {
		s := &ss[i]
		w.b = append(w.b, uint8(s.Kind), s.Team, s.Weapon, s.Teleports,
			bit(s.Alive, subjectAlive)|bit(s.Ducked, subjectDucked)|bit(s.Aiming, subjectAiming)|bit(s.Fired, subjectFired))
	}
	for i := range in.Viewers {
		w.u8(in.Viewers[i].SendTicks)
	}
	for i := range in.Doors {
		w.u8(bit(in.Doors[i].Open, 1))
	}
	for i := range in.Pieces {
		w.u8(bit(in.Pieces[i].Broken, 1))
	}
	if flags&hasStanding != 0 {
		w.standing(in.Standing[:min(len(in.Standing), MaxStanding)])
	}
	return w.end()
}

// standing appends what stands of another policy's answers, by viewer, then by subject.
func (w *writer) standing(st []vis.Standing) {
	w.u32(uint32(len(st)))
	for i := range st {
		w.u32(st[i].Until)
	}
	for i := range st {
		w.u16(uint16(st[i].Viewer))
	}
	for i := range st {
		w.u16(uint16(st[i].Subject))
	}
	for i := range st {
		w.u8(uint8(st[i].Reason))
	}
	for i := range st {
		w.u8(st[i].Interval)
	}
}

// standing reads it.
func (r *reader) standing(in *vis.Input) error {
	n := r.count(MaxStanding, standSize)
	if r.err == nil && (n == 0 || len(r.b)-r.off != n*standSize) {
		return ErrShort
	}
	in.Standing = grow(in.Standing, n)
	st := in.Standing
	for i := range st {
		st[i].Until = r.u32()
	}
	for i := range st {
		st[i].Viewer = int(r.u16())
	}
	for i := range st {
		st[i].Subject = int(r.u16())
	}
	for i := range st {
		st[i].Reason = vis.Reason(r.u8())
	}
	for i := range st {
		st[i].Interval = r.u8()
	}
	for i := range st {
		s := &st[i]
		if s.Viewer >= len(in.Viewers) || s.Subject >= len(in.Subjects) || s.Reason == vis.Hidden || s.Reason >= vis.NumReasons {
			return ErrValue
		}
		if i > 0 && (s.Viewer < st[i-1].Viewer || s.Viewer == st[i-1].Viewer && s.Subject <= st[i-1].Subject) {
			return ErrValue // each once, in order
		}
	}
	return nil
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
	if h.Flags&^inputFlags != 0 {
		return ErrValue
	}
	in.Reset(h.Tick, 0)
	in.Seed = r.u64()
	in.TickRate = int(int32(r.u32()))
	ns := r.count(MaxSubjects, subjectSize)
	nv := r.count(MaxViewers, viewerSize)
	nd := r.count(MaxDoors, doorSize)
	np := r.count(MaxPieces, pieceSize)
	nc := r.count(MaxSmokes, smokeSize)
	nh := r.count(MaxHoles, holeSize)
	words := (ns + 63) / 64
	rest := words*nv*8 + ns*subjectSize + nv*viewerSize + nd*doorSize + np*pieceSize + nc*smokeSize + nh*holeSize
	if left := len(r.b) - r.off; r.err == nil && left != rest && !(h.Flags&hasStanding != 0 && left > rest) {
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
	in.Pieces = grow(in.Pieces, np)
	in.Smokes = grow(in.Smokes, nc)
	in.Holes = grow(in.Holes, nh)
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
		v.BufferMS, v.StillMS, v.Loss = r.f32(), r.f32(), r.f32()
	}
	for i := range in.Viewers {
		c := &in.Viewers[i].Scope
		c.Magnification, c.HalfDeg, c.RangeM, c.TurnDPS = r.f32(), r.f32(), r.f32(), r.f32()
		c.Since, c.Last = r.u32(), r.u32()
	}
	for i := range in.Doors {
		in.Doors[i].Start = r.u32()
	}
	for i := range in.Pieces {
		in.Pieces[i].At = r.u32()
	}
	for i := range in.Smokes {
		in.Smokes[i].Start, in.Smokes[i].Pos = r.u32(), r.v3()
	}
	for i := range in.Holes {
		in.Holes[i].Start, in.Holes[i].Pos = r.u32(), r.v3()
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
	for i := range ss {
		ss[i].Blind = r.u16()
	}
	for i := range in.Viewers {
		in.Viewers[i].ID, in.Viewers[i].Spectating = state.ID(r.u16()), state.ID(r.u16())
	}
	for i := range in.Doors {
		in.Doors[i].From = r.u16()
	}
	for i := range in.Smokes {
		in.Smokes[i].ID, in.Smokes[i].Radius = state.ID(r.u16()), r.u16()
	}
	for i := range in.Holes {
		h := &in.Holes[i]
		h.ID, h.Smoke, h.Radius = state.ID(r.u16()), state.ID(r.u16()), r.u16()
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
	for i := range in.Viewers {
		in.Viewers[i].SendTicks = r.u8()
	}
	for i := range in.Doors {
		in.Doors[i].Open = r.flag()
	}
	for i := range in.Pieces {
		in.Pieces[i].Broken = r.flag()
	}
	if r.err == nil && h.Flags&hasStanding != 0 {
		if err := r.standing(in); err != nil {
			return err
		}
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
	n, flags := survey(a)
	w := begin(dst, KindAnswer, flags, a.Tick)
	w.u32(uint32(a.Viewers))
	w.u32(uint32(a.Subjects))
	w.u32(uint32(a.Rays))
	w.u32(uint32(n))
	for _, word := range a.Permit[:a.Words*a.Viewers] {
		w.u64(word)
	}
	// The three columns are filled in one walk over the pairs.
	h := len(w.b)
	re := h + 4*column(flags, sameHold, n)
	iv := re + column(flags, sameReason, n)
	end := iv + column(flags, sameInterval, n)
	w.b = slices.Grow(w.b, end-h)[:end]
	hold, reason, interval := w.b[h:re], w.b[re:iv], w.b[iv:end]
	k := 0
	for at, word := range a.Permit[:a.Words*a.Viewers] {
		row := at/a.Words*a.Subjects + at%a.Words*64
		for ; word != 0; word &= word - 1 {
			p := row + bits.TrailingZeros64(word)
			if k == 0 || flags&sameHold == 0 {
				binary.LittleEndian.PutUint32(hold[4*k:], a.Hold[p])
			}
			if k == 0 || flags&sameReason == 0 {
				reason[k] = uint8(a.Reason[p])
			}
			if k == 0 || flags&sameInterval == 0 {
				interval[k] = a.Interval[p]
			}
			k++
		}
	}
	return w.end()
}

// column is how many values a column has: one when it is the same for all pairs.
func column(flags, same uint8, n int) int {
	if flags&same != 0 {
		return min(n, 1)
	}
	return n
}

// survey counts the permitted pairs and says which columns hold one value only.
func survey(a *vis.Answer) (n int, flags uint8) {
	first := -1
	flags = answerFlags
	for at, word := range a.Permit[:a.Words*a.Viewers] {
		row := at/a.Words*a.Subjects + at%a.Words*64
		n += bits.OnesCount64(word)
		for ; word != 0 && flags != 0; word &= word - 1 {
			p := row + bits.TrailingZeros64(word)
			if first < 0 {
				first = p
			}
			if a.Reason[p] != a.Reason[first] {
				flags &^= sameReason
			}
			if a.Hold[p] != a.Hold[first] {
				flags &^= sameHold
			}
			if a.Interval[p] != a.Interval[first] {
				flags &^= sameInterval
			}
		}
	}
	if n == 0 {
		flags = 0
	}
	return n, flags
}

// DecodeAnswer fills a from a frame that must answer in: same tick, same number
// of viewers and subjects. The answer's memory is reused, see vis.Answer.Renew for
// what may have filled it before; on an error its contents are of no use but to that.
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
	a.Renew(in)
	a.Rays = int(rays)
	// Renew took the shape from in, whose Words a caller may have left unset.
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
	hold := r.take(4 * column(h.Flags, sameHold, found))
	reason := r.take(column(h.Flags, sameReason, found))
	interval := r.take(column(h.Flags, sameInterval, found))
	if err := r.close(); err != nil {
		return err
	}
	for _, v := range reason {
		if vis.Reason(v) >= vis.NumReasons {
			return ErrValue
		}
	}
	// A column of one value is read again for every pair.
	hs, rs, is := step(h.Flags, sameHold), step(h.Flags, sameReason), step(h.Flags, sameInterval)
	k := 0
	for at, word := range a.Permit {
		row := at/a.Words*a.Subjects + at%a.Words*64
		for ; word != 0; word &= word - 1 {
			p := row + bits.TrailingZeros64(word)
			a.Hold[p] = binary.LittleEndian.Uint32(hold[4*k*hs:])
			a.Reason[p] = vis.Reason(reason[k*rs])
			a.Interval[p] = interval[k*is]
			k++
		}
	}
	return nil
}

func step(flags, same uint8) int {
	if flags&same != 0 {
		return 0
	}
	return 1
}
