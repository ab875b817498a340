package vis_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// The plain things: every viewer with every subject.

func plainBody(in *vis.Input, v int) *vis.Subject {
	if i := in.Viewers[v].Subject; i >= 0 && i < len(in.Subjects) && in.Subjects[i].Alive {
		return &in.Subjects[i]
	}
	return nil
}

func plainMate(a, b *vis.Subject) bool {
	return a.Team != 0 && a.Team == b.Team && a.Kind == state.KindPlayer && b.Kind == state.KindPlayer
}

func plainAsked(in *vis.Input, v, s int, far float32) bool {
	me, it := plainBody(in, v), &in.Subjects[s]
	return me != nil && it.Alive && it.Owner == 0 && it.ID != me.ID && !plainMate(me, it) &&
		(!(far > 0) || me.Pos.DistSq(it.Pos) <= far*far)
}

// plainGate is what the row of a viewer who watches nobody must be.
func plainGate(in *vis.Input, ans *vis.Answer, v int) []vis.Reason {
	out := make([]vis.Reason, len(in.Subjects))
	body := plainBody(in, v)
	var me *vis.Subject
	if i := in.Viewers[v].Subject; i >= 0 && i < len(in.Subjects) {
		me = &in.Subjects[i]
	}
	for s := range in.Subjects {
		it := &in.Subjects[s]
		switch {
		case it.Owner != 0 || !it.Alive:
		case me != nil && it.ID == me.ID:
			out[s] = vis.Self
		case me != nil && plainMate(me, it):
			out[s] = vis.Teammate
		case body != nil && in.IsAsked(v, s) && ans.Permitted(v, s):
			out[s] = ans.Reason[v*ans.Subjects+s]
		}
	}
	for s := range in.Subjects {
		it := &in.Subjects[s]
		o := s
		for range 3 {
			if in.Subjects[o].Owner == 0 {
				break
			}
			o = slices.IndexFunc(in.Subjects, func(x vis.Subject) bool { return x.ID == in.Subjects[o].Owner })
			if o < 0 || !in.Subjects[o].Alive {
				o = -1
				break
			}
		}
		if it.Owner != 0 && it.Alive && o >= 0 && in.Subjects[o].Owner == 0 && out[o] != vis.Hidden {
			out[s] = vis.Attached
		}
	}
	return out
}

// TestGateAndCandidatesAreAsThePlainOnes compares on random worlds.
func TestGateAndCandidatesAreAsThePlainOnes(t *testing.T) {
	asked, permitted := 0, 0
	var in vis.Input
	var ans vis.Answer
	for seed := range uint64(200) {
		r := vec.NewRand(seed, 0x6a)
		in.Reset(state.Tick(seed), 64)
		n := 1 + r.Intn(150)
		players := r.Intn(n + 1)
		for i := range n {
			s := vis.Subject{ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: r.Intn(6) > 0, Team: uint8(max(0, r.Intn(5)-2)),
				Pos: vec.V3{X: r.Signed() * 600, Y: r.Signed() * 600, Z: r.Signed() * 40}}
			if i >= players {
				s.ID, s.Kind, s.Team = state.FirstThing+state.ID(i), state.KindRocket, 0
				if i > 0 && r.Intn(3) == 0 {
					s.Owner = in.Subjects[r.Intn(i)].ID
				}
			}
			in.Subjects = append(in.Subjects, s)
		}
		for i := range players {
			v := vis.Viewer{Subject: i, ID: in.Subjects[i].ID}
			switch r.Intn(12) {
			case 0:
				v.Subject = -1
			case 1:
				v.Subject = n + 5
			}
			in.Viewers = append(in.Viewers, v)
		}
		far := []float32{0, 20, 350, 5000}[r.Intn(4)]
		vis.Candidates(&in, far)
		for v := range in.Viewers {
			for s := range in.Subjects {
				if got, want := in.IsAsked(v, s), plainAsked(&in, v, s, far); got != want {
					t.Fatalf("seed %d: %d of %d asked %v, want %v", seed, v, s, got, want)
				} else if got {
					asked++
				}
			}
		}
		ans.Reset(&in)
		for v := range in.Viewers {
			for s := range in.Subjects {
				if r.Intn(3) == 0 { // also of what was not asked
					ans.Allow(v, s, vis.Open, in.Tick+5, 3)
				}
			}
		}
		var want [][]vis.Reason
		for v := range in.Viewers {
			want = append(want, plainGate(&in, &ans, v))
		}
		vis.Gate(&in, &ans)
		sent, withheld, viewers := 0, 0, 0
		for v := range in.Viewers {
			for s, w := range want[v] {
				if ans.Permitted(v, s) != (w != vis.Hidden) || ans.Reason[v*ans.Subjects+s] != w {
					t.Fatalf("seed %d: viewer %d, subject %d (%+v): %v, want %v", seed, v, s, in.Subjects[s], ans.Reason[v*ans.Subjects+s], w)
				}
				if w != vis.Hidden {
					permitted++
				}
			}
			if plainBody(&in, v) != nil {
				a, b := vis.Count(&in, &ans, v)
				sent, withheld, viewers = sent+a, withheld+b, viewers+1
			}
		}
		if a, b, c := vis.CountAll(&in, &ans); a != sent || b != withheld || c != viewers {
			t.Fatalf("seed %d: counted %d, %d of %d viewers, want %d, %d of %d", seed, a, b, c, sent, withheld, viewers)
		}
	}
	t.Logf("%d asked, %d permitted", asked, permitted)
}

// TestWhoIsAimedAtIsToldOfOften: an interval holds for those beside the view, who do
// not shoot.
func TestWhoIsAimedAtIsToldOfOften(t *testing.T) {
	s := newScene()
	s.in.TickRate = 64
	s.player(1, 0, 0, 0)
	s.player(2, 0, 100, 0) // ahead
	s.player(3, 0, 0, 100) // to the left
	s.player(4, 0, 0, -90) // to the right, shooting
	s.player(5, 0, -1, 0)  // behind, and near
	s.in.Subjects[3].Fired = true
	s.decide(all)
	for i := range s.ans.Interval {
		s.ans.Interval[i] = 4
	}
	often := func() (ids []state.ID) {
		vis.Build(&s.frame, &s.in, &s.ans, 0, &s.view)
		for _, k := range s.view.Entities() {
			if k.Interval == 0 {
				ids = append(ids, k.ID)
			}
		}
		return ids
	}
	if got := often(); !slices.Equal(got, []state.ID{2, 4}) {
		t.Errorf("ahead: %v", got)
	}
	s.in.Subjects[0].Yaw = 84.5 // the crosshair is half a degree beyond the cone, less the width
	if got := often(); !slices.Equal(got, []state.ID{3, 4}) {
		t.Errorf("to the left: %v", got)
	}
	s.in.Subjects[0].Yaw = 45
	if got := often(); !slices.Equal(got, []state.ID{4}) {
		t.Errorf("between: %v", got)
	}
	s.in.Subjects[0].Alive = false
	s.in.Viewers[0].Spectating = 2
	s.in.Subjects[1].Yaw = 180
	s.decide(all)
	for i := range s.ans.Interval {
		s.ans.Interval[i] = 4
	}
	if got := often(); !slices.Contains(got, 5) {
		t.Errorf("through another's eyes: %v", got)
	}
}
