package host

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// standing is the plugin's last good answer, by id and not by index, so that it
// still means the same after someone has joined or left.
type standing struct {
	ok    bool
	pairs permits
	who   []subjectKey // by column
	whose []state.ID   // by row

	cols, rows []int32 // scratch: this answer's index of the present one's, -1 none
	find       []int32 // scratch: index by id
}

// subjectKey is what must be the same for a hold to go on: a subject that was
// teleported, respawned or replaced under its id is another one. The same holds
// for the viewer's own body.
type subjectKey struct {
	id        state.ID
	owner     state.ID
	kind      state.Kind
	team      uint8
	alive     bool
	teleports uint8
}

func keyOf(s *vis.Subject) subjectKey {
	return subjectKey{s.ID, s.Owner, s.Kind, s.Team, s.Alive, s.Teleports}
}

// permits is what an answer permits: of thousands of pairs some hundreds.
type permits struct {
	tick     state.Tick
	subjects int // columns
	words    int // of a row
	bits     []uint64
	first    []int32 // by word: which of list is its first
	list     []permit
}

// permit is what an answer says of a pair that it permits.
type permit struct {
	until    state.Tick
	reason   vis.Reason
	interval uint8
}

// take copies what an answer permits.
func (p *permits) take(a *vis.Answer) {
	p.tick, p.subjects, p.words = a.Tick, a.Subjects, a.Words
	p.bits, p.first, p.list = append(p.bits[:0], a.Permit...), p.first[:0], p.list[:0]
	for at, word := range p.bits {
		p.first = append(p.first, int32(len(p.list)))
		base := at/a.Words*a.Subjects + at%a.Words*64
		for ; word != 0; word &= word - 1 {
			i := base + bits.TrailingZeros64(word)
			p.list = append(p.list, permit{a.Hold[i], a.Reason[i], a.Interval[i]})
		}
	}
}

// of returns what is said of a pair, nil when it is not permitted.
func (p *permits) of(v, s int) *permit {
	at, bit := v*p.words+s/64, uint64(1)<<(s%64)
	if p.bits[at]&bit == 0 {
		return nil
	}
	return &p.list[int(p.first[at])+bits.OnesCount64(p.bits[at]&(bit-1))]
}

// copyFrom makes p what another is.
func (p *permits) copyFrom(o *permits) {
	was := *p
	*p = *o
	p.bits = append(was.bits[:0], o.bits...)
	p.first, p.list = append(was.first[:0], o.first...), append(was.list[:0], o.list...)
}

// set takes over an answer to in.
func (st *standing) set(a *vis.Answer, in *vis.Input) {
	st.ok = true
	st.pairs.take(a)
	st.who, st.whose = st.who[:0], st.whose[:0]
	for i := range in.Subjects {
		st.who = append(st.who, keyOf(&in.Subjects[i]))
	}
	for i := range in.Viewers {
		st.whose = append(st.whose, in.Viewers[i].ID)
	}
}

func copyAnswer(dst, src *vis.Answer) {
	permit, reason, hold, interval := dst.Permit[:0], dst.Reason[:0], dst.Hold[:0], dst.Interval[:0]
	*dst = *src
	dst.Permit = append(permit, src.Permit...)
	dst.Reason = append(reason, src.Reason...)
	dst.Hold = append(hold, src.Hold...)
	dst.Interval = append(interval, src.Interval...)
}

// fill makes out the answer to in of a tick whose own answer did not come: the
// pairs whose hold goes on keep it, as long as the last answer is not older than
// maxAge ticks; every other pair is the fallback's to decide, which may be nil and
// then permits nothing. Pairs that the fallback would send only because it has not
// tested them are withheld.
func (st *standing) fill(in *vis.Input, fb *vis.Answer, maxAge int, out *vis.Answer) {
	out.Reset(in)
	out.Source = vis.FromFallback
	if fb != nil {
		out.Rays = fb.Rays
		eachPermit(fb, func(v, s, i int) {
			if fb.Reason[i] != vis.Untested {
				out.Allow(v, s, vis.Fallback, fb.Hold[i], fb.Interval[i])
			}
		})
	}
	if age := int32(in.Tick - st.pairs.tick); !st.ok || age < 0 || int(age) > maxAge {
		return
	}
	st.each(in, func(v, s int, p *permit) {
		out.Allow(v, s, vis.Late, p.until, p.interval)
		out.Source = vis.FromStanding
	})
}

// each calls f for every pair of the present input that is permitted still.
func (st *standing) each(in *vis.Input, f func(v, s int, p *permit)) {
	st.match(in)
	for v, row := range st.rows {
		if row < 0 {
			continue
		}
		for s, col := range st.cols {
			if col < 0 {
				continue
			}
			if p := st.pairs.of(int(row), int(col)); p != nil && !isOver(p.until, in.Tick) {
				f(v, s, p)
			}
		}
	}
}

// match fills rows and cols for the present input.
func (st *standing) match(in *vis.Input) {
	if st.find == nil {
		st.find = make([]int32, 1<<16)
		for i := range st.find {
			st.find[i] = -1
		}
	}
	for i, k := range st.who {
		st.find[k.id] = int32(i)
	}
	st.cols = st.cols[:0]
	for i := range in.Subjects {
		col := st.find[in.Subjects[i].ID]
		if col >= 0 && st.who[col] != keyOf(&in.Subjects[i]) {
			col = -1
		}
		st.cols = append(st.cols, col)
	}
	for _, k := range st.who { // all -1 again: few of 65,536 were set
		st.find[k.id] = -1
	}
	for i, id := range st.whose {
		st.find[id] = int32(i)
	}
	st.rows = st.rows[:0]
	for i := range in.Viewers {
		v := &in.Viewers[i]
		row := st.find[v.ID]
		if v.Subject >= 0 && v.Subject < len(st.cols) && st.cols[v.Subject] < 0 {
			row = -1 // a new body under this client: nothing goes on
		}
		st.rows = append(st.rows, row)
	}
	for _, id := range st.whose {
		st.find[id] = -1
	}
}

// eachPermit calls f for every permitted pair with its index.
func eachPermit(a *vis.Answer, f func(v, s, i int)) {
	for at, word := range a.Permit[:a.Words*a.Viewers] {
		v, base := at/a.Words, at%a.Words*64
		for ; word != 0; word &= word - 1 {
			s := base + bits.TrailingZeros64(word)
			f(v, s, v*a.Subjects+s)
		}
	}
}
