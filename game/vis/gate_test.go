package vis_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

func expect(t *testing.T, what string, got []state.ID, want ...state.ID) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: shown %v, want %v", what, got, want)
	}
}

func TestOneselfIsNotAmongTheOthers(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.player(2, 0, 1, 0)
	s.decide(all)
	expect(t, "1", s.ids(0), 2)
	if s.view.Own().ID != 1 || s.ans.Reason[0] != vis.Self {
		t.Errorf("own %+v, reason %v", s.view.Own(), s.ans.Reason[0])
	}
}

func TestTeammatesAreAlwaysShown(t *testing.T) {
	s := newScene()
	s.player(1, 1, 0, 0)
	s.player(2, 1, 5000, 0) // out of any range
	s.player(3, 2, 1, 0)
	s.player(4, 0, 1, 0)
	s.player(5, 0, 2, 0) // no team is not a team
	s.decide(none)
	for v, want := range [][]state.ID{{2}, {1}, nil, nil, nil} {
		expect(t, "viewer", s.ids(v), want...)
	}
	s.decide(all)
	expect(t, "1", s.ids(0), 2, 3, 4, 5)
	for _, k := range s.view.Entities() {
		if want := k.ID == 2; (k.Health != 0) != want {
			t.Errorf("health of %d is %d", k.ID, k.Health)
		}
	}
	for i := range s.in.Subjects {
		s.in.Subjects[i].Team = 0 // flipped: takes effect at once
	}
	s.decide(none)
	expect(t, "without teams", s.ids(0))
}

func TestWhatWasNotAskedIsDenied(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.player(2, 0, 349, 0)
	s.player(3, 0, 351, 0)
	s.decide(all)
	expect(t, "1", s.ids(0), 2)
	s.in.SizeAsked()
	vis.Gate(&s.in, &s.ans)
	expect(t, "nothing asked", s.ids(0))
	s.in.Asked = nil
	s.ans.Allow(0, 1, vis.Open, 0, 0)
	vis.Gate(&s.in, &s.ans)
	expect(t, "no candidates at all", s.ids(0))
}

func TestAnAnswerOfAnotherShapePermitsNothing(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.player(2, 0, 1, 0)
	s.decide(all)
	s.player(3, 0, 2, 0)
	vis.Candidates(&s.in, 350)
	vis.Gate(&s.in, &s.ans)
	expect(t, "1", s.ids(0))
}

func TestTheDeadAreNotShownAndSeeNoEnemy(t *testing.T) {
	s := newScene()
	s.player(1, 1, 0, 0)
	s.player(2, 2, 1, 0)
	s.player(3, 1, 2, 0)
	s.subject(vis.Subject{ID: 1024, Kind: state.KindRocket, Alive: true})
	s.in.Subjects[0].Alive = false
	s.decide(all)
	expect(t, "the dead", s.ids(0), 3) // the teammate only
	expect(t, "the enemy", s.ids(1), 3, 1024)
	s.in.Viewers[1].Subject = -1 // a viewer without any body
	s.decide(all)
	expect(t, "nobody", s.ids(1))
}

func TestASpectatorGetsExactlyTheWatchedRow(t *testing.T) {
	s := newScene()
	a := s.player(1, 1, 0, 0)
	b := s.player(2, 2, 1, 0)
	s.player(3, 1, 2, 0)
	s.player(4, 2, 3, 0)
	s.in.Subjects[0].Alive = false
	s.in.Viewers[a].Spectating = 2
	s.decide(func(v, i int) bool { return i == 2 })
	expect(t, "the watched", s.ids(b), 3, 4)
	expect(t, "the spectator", s.ids(a), 2, 3, 4)
	if i := 0*s.ans.Subjects + 1; s.ans.Reason[i] != vis.Spectated {
		t.Errorf("the watched is shown as %v", s.ans.Reason[i])
	}
	// The watched player's view is the same with and without a spectator.
	expect(t, "the watched, again", s.ids(b), 3, 4)

	s.in.Viewers[a].Spectating = 9 // not there
	s.decide(all)
	expect(t, "watching nobody there", s.ids(a))

	s.in.Viewers[a].Spectating = 4 // who watches somebody
	s.in.Subjects[3].Alive = false
	s.in.Viewers[3].Spectating = 2
	s.decide(all)
	expect(t, "watching a spectator", s.ids(a))

	s.in.Subjects[0].Alive = true // the living watch nobody
	s.decide(none)
	expect(t, "alive", s.ids(a), 3)
}

func TestWhatIsAttachedSharesItsOwnersAnswer(t *testing.T) {
	s := newScene()
	s.player(1, 0, 0, 0)
	s.player(2, 0, 1, 0)
	s.subject(vis.Subject{ID: 1024, Kind: state.KindPickup, Owner: 2, Alive: true})
	s.subject(vis.Subject{ID: 1025, Kind: state.KindPickup, Owner: 1024, Alive: true})
	s.subject(vis.Subject{ID: 1026, Kind: state.KindPickup, Owner: 77, Alive: true})
	s.subject(vis.Subject{ID: 1027, Kind: state.KindPickup, Owner: 1027, Alive: true}) // of itself
	s.decide(func(v, i int) bool { return i > 1 })                                     // the policy allows only the things
	expect(t, "owner hidden", s.ids(0))
	expect(t, "its owner", s.ids(1), 1024, 1025)
	s.decide(func(v, i int) bool { return i == 1 })
	expect(t, "owner shown", s.ids(0), 2, 1024, 1025)
}

func TestCandidatesAreAskedBothWaysOrNot(t *testing.T) {
	r := vec.NewRand(4)
	for range 200 {
		s := newScene()
		for i := range 12 {
			s.player(state.ID(i+1), uint8(r.Intn(3)), r.Signed()*300, r.Signed()*300)
			s.in.Subjects[i].Alive = r.Intn(4) > 0
		}
		vis.Candidates(&s.in, 200)
		for a := range s.in.Viewers {
			for b := range s.in.Viewers {
				if s.in.IsAsked(a, b) != s.in.IsAsked(b, a) {
					t.Fatalf("%d and %d", a, b)
				}
			}
		}
	}
}
