package vis

import "github.com/sightline-engine/sightline/game/state"

// DefaultRange is how far apart the pairs are that are asked, in metres, when a
// policy says nothing else.
const DefaultRange = 350

// Candidates marks the pairs that a policy is asked about: a living viewer and a
// subject that can be drawn, no farther apart than rangeM metres (0: no limit),
// which the Gate does not decide by itself. Of two players who are both viewers
// either both directions are asked or neither.
func Candidates(in *Input, rangeM float32) {
	in.SizeAsked()
	limit := float32(rangeM * rangeM)
	for v := range in.Viewers {
		me := in.body(v)
		if me == nil {
			continue
		}
		for s := range in.Subjects {
			it := &in.Subjects[s]
			if !it.Alive || it.Owner != 0 || it.ID == me.ID || isMate(me, it) {
				continue
			}
			if rangeM > 0 && !(me.Pos.DistSq(it.Pos) <= limit) {
				continue
			}
			in.Ask(v, s)
		}
	}
}

// body returns the living body of viewer v, and nil when it has none.
func (in *Input) body(v int) *Subject {
	i := in.Viewers[v].Subject
	if i < 0 || i >= len(in.Subjects) || !in.Subjects[i].Alive {
		return nil
	}
	return &in.Subjects[i]
}

// isMate reports whether two players are of one team.
func isMate(a, b *Subject) bool {
	return a.Team != 0 && a.Team == b.Team && a.Kind == state.KindPlayer && b.Kind == state.KindPlayer
}

// Gate applies the rules that no policy can switch off to a policy's answer, in
// place:
//
//   - what is dead, removed or not asked is denied, whatever the policy said;
//   - a viewer's own body is permitted, and so are its living teammates, at any
//     distance and through anything;
//   - what is attached to a subject (Owner) shares its answer;
//   - a viewer without a living body who watches nobody gets no enemy at all;
//   - one who watches a player gets exactly that player's row.
//
// An answer of another shape than in permits nothing of the policy's.
func Gate(in *Input, ans *Answer) {
	if ans.Viewers != len(in.Viewers) || ans.Subjects != len(in.Subjects) || ans.Words != (len(in.Subjects)+63)/64 {
		ans.Reset(in)
	}
	ans.Tick = in.Tick
	for v := range in.Viewers {
		gateRow(in, ans, v)
	}
	for v := range in.Viewers {
		if in.body(v) == nil && in.Viewers[v].Spectating != 0 {
			spectate(in, ans, v)
		}
	}
}

// gateRow decides a viewer's row as if it watched nobody.
func gateRow(in *Input, ans *Answer, v int) {
	asked := len(in.Asked) == in.Words*len(in.Viewers) && in.Words == ans.Words
	body := in.body(v)
	var me *Subject
	if i := in.Viewers[v].Subject; i >= 0 && i < len(in.Subjects) {
		me = &in.Subjects[i]
	}
	for s := range in.Subjects {
		it := &in.Subjects[s]
		switch {
		case it.Owner != 0: // in the second pass, when its owner has been decided
		case !it.Alive:
			ans.Deny(v, s)
		case me != nil && it.ID == me.ID:
			ans.Allow(v, s, Self, in.Tick, 0)
		case me != nil && isMate(me, it):
			ans.Allow(v, s, Teammate, in.Tick, 0)
		case body == nil, !asked, !in.IsAsked(v, s):
			ans.Deny(v, s)
		case !ans.Permitted(v, s):
			ans.Deny(v, s)
		}
	}
	for s := range in.Subjects {
		it := &in.Subjects[s]
		if it.Owner == 0 {
			continue
		}
		o := ownerOf(in, s)
		if !it.Alive || o < 0 || !ans.Permitted(v, o) {
			ans.Deny(v, s)
			continue
		}
		i := v*ans.Subjects + o
		ans.Allow(v, s, Attached, ans.Hold[i], ans.Interval[i])
	}
}

// ownerOf follows attachment to the subject that is attached to nothing, and
// returns -1 when there is none.
func ownerOf(in *Input, s int) int {
	for range 4 {
		id := in.Subjects[s].Owner
		if id == 0 {
			return s
		}
		next := -1
		for i := range in.Subjects {
			if in.Subjects[i].ID == id {
				next = i
				break
			}
		}
		if next < 0 || !in.Subjects[next].Alive {
			return -1
		}
		s = next
	}
	return -1
}

// spectate gives viewer v the row of the player it watches, who must be a viewer
// and not watch anyone either.
func spectate(in *Input, ans *Answer, v int) {
	w := watched(in, v)
	for s := range in.Subjects {
		if w < 0 || !ans.Permitted(w, s) {
			ans.Deny(v, s)
			continue
		}
		i := w*ans.Subjects + s
		r := ans.Reason[i]
		if r == Self {
			r = Spectated
		}
		ans.Allow(v, s, r, ans.Hold[i], ans.Interval[i])
	}
}

// watched returns the row of the player whom viewer v watches, or -1.
func watched(in *Input, v int) int {
	id := in.Viewers[v].Spectating
	for w := range in.Viewers {
		if w == v || in.Viewers[w].ID != id {
			continue
		}
		if in.body(w) == nil && in.Viewers[w].Spectating != 0 {
			return -1
		}
		return w
	}
	return -1
}

// Count returns how many living players viewer v is sent, itself excepted, and
// how many it is not: for statistics on the server.
func Count(in *Input, ans *Answer, v int) (sent, withheld int) {
	for s := range in.Subjects {
		it := &in.Subjects[s]
		switch {
		case it.Kind != state.KindPlayer || !it.Alive || it.ID == in.Viewers[v].ID:
		case ans.Permitted(v, s):
			sent++
		default:
			withheld++
		}
	}
	return sent, withheld
}
