package vis

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
)

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
//   - a viewer with a living body is told of vehicles by distance alone;
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
	ans.gate.fill(in)
	for v := range in.Viewers {
		gateRow(in, ans, v)
	}
	for v := range in.Viewers {
		if in.body(v) == nil && in.Viewers[v].Spectating != 0 {
			spectate(in, ans, v)
		}
	}
}

// gate is what rows are decided by, a bit per subject.
type gate struct {
	open     []uint64 // alive and attached to nothing
	players  []uint64 // of those, players
	attached []int32  // subjects that are attached to another
	vehicles []int32  // subjects that are told of by distance alone
}

func (g *gate) fill(in *Input) {
	words := (len(in.Subjects) + 63) / 64
	g.open, g.players, g.attached = sized(g.open, words), sized(g.players, words), g.attached[:0]
	g.vehicles = g.vehicles[:0]
	for s := range in.Subjects {
		it := &in.Subjects[s]
		bit := uint64(1) << (s % 64)
		if it.Owner != 0 {
			g.attached = append(g.attached, int32(s))
		} else if it.Alive && it.Kind != state.KindCamera {
			g.open[s/64] |= bit
			if it.Kind == state.KindVehicle {
				g.vehicles = append(g.vehicles, int32(s))
			}
		}
		if it.Alive && it.Kind == state.KindPlayer {
			g.players[s/64] |= bit
		}
	}
}

// gateRow decides a viewer's row as if it watched nobody.
func gateRow(in *Input, ans *Answer, v int) {
	g := &ans.gate
	var asked []uint64
	if len(in.Asked) == in.Words*len(in.Viewers) && in.Words == ans.Words && in.body(v) != nil {
		asked = in.Asked[v*in.Words : (v+1)*in.Words]
	}
	row := ans.Permit[v*ans.Words : (v+1)*ans.Words]
	for w := range row {
		may := g.open[w]
		if asked == nil {
			may = 0
		} else {
			may &= asked[w]
		}
		for out := row[w] &^ may; out != 0; out &= out - 1 {
			if s := w*64 + bits.TrailingZeros64(out); s < len(in.Subjects) {
				ans.Deny(v, s)
			}
		}
		row[w] &= may // also what is beyond the subjects
	}
	if i := in.Viewers[v].Subject; i >= 0 && i < len(in.Subjects) {
		me := &in.Subjects[i]
		if me.Team != 0 {
			for w := range g.players {
				for word := g.players[w] & g.open[w]; word != 0; word &= word - 1 {
					if s := w*64 + bits.TrailingZeros64(word); s != i && isMate(me, &in.Subjects[s]) {
						ans.Allow(v, s, Teammate, in.Tick, 0)
					}
				}
			}
		}
		if me.Alive && me.Owner == 0 && me.Kind != state.KindCamera {
			ans.Allow(v, i, Self, in.Tick, 0)
		}
	}
	vehicles(in, ans, v)
	for _, k := range g.attached {
		s := int(k)
		o := ownerOf(in, s)
		if !in.Subjects[s].Alive || o < 0 || !ans.Permitted(v, o) {
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

// CountAll adds up Count over the viewers with a living body, of an Answer that
// Gate has been through.
func CountAll(in *Input, ans *Answer) (sent, withheld, viewers int) {
	players := ans.gate.players
	all := 0
	for _, w := range players {
		all += bits.OnesCount64(w)
	}
	for v := range in.Viewers {
		if in.body(v) == nil {
			continue
		}
		viewers++
		row := ans.Permit[v*ans.Words : (v+1)*ans.Words]
		known, others := 0, all
		for w := range row {
			known += bits.OnesCount64(row[w] & players[w])
		}
		me := in.Viewers[v].Subject
		if in.Subjects[me].Kind == state.KindPlayer && in.Subjects[me].ID == in.Viewers[v].ID {
			others--
			if ans.Permitted(v, me) {
				known--
			}
		}
		sent, withheld = sent+known, withheld+others-known
	}
	return sent, withheld, viewers
}
