package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// heardStep is a step or a shot as a client played it.
type heardStep struct {
	ms   int
	kind state.EventKind
	name state.ID
}

// runsPast has somebody run past a listener over a line, under a policy that hides it
// from and to some milliseconds, and returns the steps and shots that the listener's
// client played and when it first drew the runner after from.
func runsPast(t *testing.T, policy *curtain, line link.SimConfig, from, to int) (played []heardStep, drawn int) {
	t.Helper()
	up := line
	up.Loss = 0
	a := &actor{at: rules.Spawn{Pos: vec.New(-6, 2, 0.1)}, fps: 250}
	b := &actor{at: rules.Spawn{Pos: vec.New(-20, 8, 0.1)}}
	b.input = func(_ *actor, tick state.Tick) state.Cmd {
		c := state.Cmd{Forward: 127, Weapon: 1}
		if tick%37 < 9 {
			c.Buttons = state.BtnFire
		}
		return c
	}
	var s *stand
	a.event = func(_ *actor, e *state.Event, predicted bool) {
		if (e.Kind == state.EvFootstep || e.Kind == state.EvFire) && !predicted && s != nil {
			played = append(played, heardStep{s.ms, e.Kind, e.Actor})
		}
	}
	s = newStand(t, standConfig{up: up, down: line, actors: []*actor{a, b}, policy: policy})
	s.rules.do = append(s.rules.do, rules.Op{Kind: rules.OpGive, ID: policy.who, Weapon: 0, Value: 90})
	for begin := s.ms; s.ms < begin+1400; {
		at := s.ms - begin
		policy.on = at >= from && at < to
		s.run(1)
		for _, o := range a.Others(nil) {
			if o.ID == policy.who && drawn == 0 && at > to {
				drawn = s.ms
			}
		}
	}
	s.clean()
	return played, drawn
}

// count is how many of a kind were played.
func count(played []heardStep, kind state.EventKind) (n int) {
	for _, p := range played {
		if p.kind == kind {
			n++
		}
	}
	return n
}

// A step inside a backfilled path is played once: somebody who runs out of sight is
// heard, roughly and without a name, and comes into view at every phase of its steps,
// with the way that it came. Each step is played once, as when everybody is sent all
// the time, those before it is known without a name and those after with one.
func TestAStepInsideABackfilledPathIsPlayedOnce(t *testing.T) {
	for _, loss := range []float64{0, 0.1} {
		line := link.SimConfig{LatencyMS: 30, Loss: loss}
		want, _ := runsPast(t, &curtain{who: 2}, line, 0, 0)
		if count(want, state.EvFootstep) < 6 {
			t.Fatalf("%d steps", count(want, state.EvFootstep))
		}
		inside := 0
		for at := 500; at < 660; at += 16 { // a step takes 150 ms
			got, drawn := runsPast(t, &curtain{who: 2}, line, 0, at)
			known := false
			for i, g := range got {
				if g.kind != state.EvFootstep {
					continue
				}
				if known = known || g.name == 2; loss == 0 && known != (g.name == 2) {
					t.Errorf("revealed at %d ms: step %d is told as of %d", at, i, g.name)
				}
				// Heard within an interpolation delay before it is drawn: its path holds it.
				if g.name == 0 && g.ms > drawn-50 {
					inside++
				}
			}
			// With its first record a step may be lost that is taken before the next.
			if n, m := count(got, state.EvFootstep), count(want, state.EvFootstep); n != m && (loss == 0 || n != m-1) {
				t.Errorf("revealed at %d ms, loss %v: %d steps are played of %d: %v, and %v when it is always sent", at, loss, n, m, got, want)
			}
		}
		t.Logf("loss %v: %d of %d steps inside a backfilled path", loss, inside, 10*count(want, state.EvFootstep))
		if inside < 2 {
			t.Errorf("loss %v: %d steps inside a backfilled path: nothing is tested", loss, inside)
		}
	}
}

// What somebody does who goes out of sight and is held, known and told of no more
// (vis.NoNews), is played once as well: by its records when it comes back within the
// hold, and otherwise as of the unseen when that is over.
func TestStepsAndShotsOfTheHeldArePlayedOnce(t *testing.T) {
	line := link.SimConfig{LatencyMS: 30}
	want, _ := runsPast(t, &curtain{who: 2}, line, 0, 0)
	for _, away := range []int{30, 45, 62, 400} {
		for at := 500; at < 660; at += 16 {
			got, _ := runsPast(t, &curtain{who: 2, hold: 4}, line, at, at+away)
			for _, kind := range []state.EventKind{state.EvFootstep, state.EvFire} {
				if n, m := count(got, kind), count(want, kind); n != m {
					t.Errorf("away for %d ms from %d ms on: %d of kind %d are played of %d: %v, and %v when it is always sent", away, at, n, kind, m, got, want)
				}
			}
		}
	}
}
