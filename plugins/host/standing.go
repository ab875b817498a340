package host

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// standing is the plugin's last good answer, by id and not by index, so that it
// still means the same after someone has joined or left.
type standing struct {
	ok     bool
	answer vis.Answer
	who    []subjectKey // by column
	whose  []state.ID   // by row

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

// set copies an answer to in.
func (st *standing) set(a *vis.Answer, in *vis.Input) {
	st.ok = true
	copyAnswer(&st.answer, a)
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
	a := &st.answer
	if !st.ok || int32(in.Tick-a.Tick) < 0 || int(int32(in.Tick-a.Tick)) > maxAge {
		return
	}
	st.each(in, func(v, s, i int) {
		out.Allow(v, s, vis.Late, a.Hold[i], a.Interval[i])
		out.Source = vis.FromStanding
	})
}

// each calls f for every pair of the present input that is permitted still, with its
// index in the answer.
func (st *standing) each(in *vis.Input, f func(v, s, i int)) {
	a := &st.answer
	st.match(in)
	for v, row := range st.rows {
		if row < 0 {
			continue
		}
		for s, col := range st.cols {
			if col < 0 || !a.Permitted(int(row), int(col)) {
				continue
			}
			if i := int(row)*a.Subjects + int(col); !isOver(a.Hold[i], in.Tick) {
				f(v, s, i)
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
