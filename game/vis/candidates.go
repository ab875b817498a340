package vis

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// DefaultRange is how far apart the pairs are that are asked, in metres, when a
// policy says nothing else.
const DefaultRange = 350

// field is the subjects that can be asked about, in strips along x.
type field struct {
	at, all []spot // by strip, and by subject
	from    [strips + 1]int32
	lo, per float32
}

func (f *field) strip(x float32) int32 { return int32(min(max((x-f.lo)*f.per, 0), strips-1)) }

const strips = 64

type spot struct {
	pos   vec.V3
	s     int32
	strip int32
	id    state.ID
	side  uint8 // a player's team; 0 of everything else
}

// sideOf is by what isMate goes: two of one side that is not 0 are mates.
func sideOf(it *Subject) uint8 {
	if it.Kind == state.KindPlayer {
		return it.Team
	}
	return 0
}

// fill puts the subjects into strips.
func (f *field) fill(in *Input) {
	f.all = f.all[:0]
	lo, hi := float32(0), float32(0)
	for s := range in.Subjects {
		it := &in.Subjects[s]
		if !it.Alive || it.Owner != 0 || it.Kind == state.KindCamera || it.Kind == state.KindVehicle || !it.Pos.IsFinite() {
			continue
		}
		if len(f.all) == 0 {
			lo, hi = it.Pos.X, it.Pos.X
		}
		lo, hi = min(lo, it.Pos.X), max(hi, it.Pos.X)
		f.all = append(f.all, spot{pos: it.Pos, s: int32(s), id: it.ID, side: sideOf(it)})
	}
	f.lo, f.per = lo, strips/max(hi-lo, 1)
	clear(f.from[:])
	for i := range f.all {
		p := &f.all[i]
		p.strip = f.strip(p.pos.X)
		f.from[p.strip+1]++
	}
	for i := range strips {
		f.from[i+1] += f.from[i]
	}
	f.at = sized(f.at, len(f.all))
	next := f.from
	for _, p := range f.all {
		f.at[next[p.strip]] = p
		next[p.strip]++
	}
}

// Candidates marks the pairs that a policy is asked about: a living viewer and a
// subject that can be drawn, no farther apart than rangeM metres (0: no limit),
// which the Gate does not decide by itself. Of two players who are both viewers
// either both directions are asked or neither, with one exception: a viewer who looks
// through an optic is asked for beyond the range, about whoever is in its cone, and
// whoever is looked at is not asked for the other way.
func Candidates(in *Input, rangeM float32) {
	in.SizeAsked()
	if !(rangeM > 0) {
		for v := range in.Viewers {
			if me := in.body(v); me != nil {
				for s := range in.Subjects {
					if it := &in.Subjects[s]; it.Alive && it.Owner == 0 {
						in.askOther(v, me, s)
					}
				}
			}
		}
		return
	}
	f := &in.field
	f.fill(in)
	limit := float32(rangeM * rangeM)
	wide := rangeM + 1 // more than rounding
	cone := widestCone(in.TickRate)
	for v := range in.Viewers {
		me := in.body(v)
		if me == nil || !me.Pos.IsFinite() {
			continue
		}
		at := f.at[f.from[f.strip(me.Pos.X-wide)]:f.from[f.strip(me.Pos.X+wide)+1]]
		asked, x, y, z := in.Asked[v*in.Words:(v+1)*in.Words], me.Pos.X, me.Pos.Y, me.Pos.Z
		side, id := sideOf(me), me.ID
		for i := range at {
			p := &at[i]
			if p.id == id || side != 0 && p.side == side {
				continue
			}
			// Without a branch: whether it is near enough cannot be guessed.
			dx, dy, dz := p.pos.X-x, p.pos.Y-y, p.pos.Z-z
			is := uint64(0)
			if float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= limit {
				is = 1
			}
			asked[p.s>>6] |= is << (p.s & 63)
		}
		if in.Viewers[v].Scope.Magnification > 1 {
			in.askCone(v, me, f, limit, &cone)
		}
	}
}

// askOther asks about a subject that is neither the viewer's body nor a mate.
func (in *Input) askOther(v int, me *Subject, s int) {
	if it := &in.Subjects[s]; it.ID != me.ID && it.Kind != state.KindVehicle && it.Kind != state.KindCamera && !isMate(me, it) {
		in.Ask(v, s)
	}
}
