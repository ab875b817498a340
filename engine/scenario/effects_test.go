package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// heard counts what a player was told of its own shots.
type heard struct {
	predicted, late map[state.EventKind]int
	live            map[client.Key]bool
	cancelled       int
	bySeq           map[uint8]int // shots played and not cancelled, by number
}

// reset begins anew: the first commands of a client come too late.
func (h *heard) reset() {
	*h = heard{predicted: map[state.EventKind]int{}, late: map[state.EventKind]int{}, live: map[client.Key]bool{}, bySeq: map[uint8]int{}}
}

func listen(a *actor) *heard {
	h := &heard{}
	h.reset()
	a.event = func(a *actor, e *state.Event, predicted bool) {
		if e.Actor != a.ID() {
			return
		}
		if !predicted {
			h.late[e.Kind]++
		} else {
			h.predicted[e.Kind]++
			if h.live[a.Key()] {
				h.late[state.EvNone]++ // a key twice
			}
			h.live[a.Key()] = true
		}
		if e.Kind == state.EvFire {
			h.bySeq[uint8(e.Param)]++
		}
	}
	a.cancel = func(_ *actor, k client.Key) {
		h.cancelled++
		delete(h.live, k)
		if k.Kind == state.EvFire {
			h.bySeq[k.N]--
		}
	}
	return h
}

// gunner fires bursts at the far wall and jumps about.
func gunner(_ *actor, tick state.Tick) state.Cmd {
	c := state.Cmd{Forward: 60, Yaw: state.Angle16(tick * 300), Weapon: 1}
	if tick/16%2 == 0 {
		c.Buttons |= state.BtnFire
	}
	if tick%40 < 3 {
		c.Buttons |= state.BtnJump
	}
	return c
}

// An own shot is seen and heard at once and once, over 200 ms, jitter, loss and
// reordering; nothing that was right is taken back. S-20.
func TestOwnShotsPlayOnce(t *testing.T) {
	line := link.SimConfig{LatencyMS: 100, JitterMS: 8, Loss: 0.02, Dup: 0.02, Reorder: 0.02}
	a := &actor{at: rules.Spawn{Pos: vec.New(0, 5, 0.1)}, input: gunner}
	h := listen(a)
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a}})
	s.run(15000)
	s.clean()
	fired := int(a.Own().ShotSeq)
	if fired == 0 || h.predicted[state.EvFire] < fired || h.predicted[state.EvImpact] == 0 {
		t.Fatalf("%d shots, predicted %v", fired, h.predicted)
	}
	starved := a.Stats().Starved
	if n := h.late[state.EvNone]; n != 0 {
		t.Errorf("%d keys came twice", n)
	}
	if starved == 0 && (h.late[state.EvFire] != 0 || h.late[state.EvImpact] != 0 || h.cancelled != 0) {
		t.Errorf("played late: %v, cancelled %d, though no command was made up", h.late, h.cancelled)
	}
	for seq, n := range h.bySeq {
		if n != 1 {
			t.Errorf("shot %d was played %d times", seq, n)
		}
	}
	t.Logf("%d commands made up, predicted %v, late %v, cancelled %d", starved, h.predicted, h.late, h.cancelled)
}

// A shot that the server does not fire is taken back: here the rules take the
// weapon, and the client hears of it a round trip later.
func TestRefusedShotsAreCancelled(t *testing.T) {
	line := link.SimConfig{LatencyMS: 100}
	a := &actor{at: rules.Spawn{Pos: vec.New(0, 5, 0.1)}, input: gunner}
	h := listen(a)
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a}})
	s.run(1000)
	h.reset()
	before := a.Own().ShotSeq
	s.run(3000)
	if h.cancelled != 0 {
		t.Fatalf("%d cancelled before anything was refused", h.cancelled)
	}
	played := len(h.bySeq)
	for n := range 12 {
		op := rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: state.NoFire}
		if n%2 == 1 {
			op.Flags, op.Flags2 = 0, state.NoFire
		}
		s.rules.do = append(s.rules.do, op)
		s.run(310)
	}
	s.run(1000)
	s.clean()
	if h.cancelled == 0 {
		t.Fatal("nothing was cancelled")
	}
	sum, most := 0, 0
	for _, n := range h.bySeq {
		sum += n
		most = max(most, n)
	}
	fired := int(a.Own().ShotSeq - before)
	if sum != fired || most > 1 {
		t.Errorf("%d shots stand, at most %d of one number, %d were fired", sum, most, fired)
	}
	t.Logf("%d played before, %d fired, %d cancelled, late %v", played, fired, h.cancelled, h.late)
}

// A bullet that stops in a body has not struck the wall behind it.
func TestAHitTakesThePredictedImpactBack(t *testing.T) {
	line := link.SimConfig{LatencyMS: 60}
	a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}}
	b := &actor{at: rules.Spawn{Pos: vec.New(-4, 5, 0.1), Yaw: 180}}
	h := listen(a)
	hits := 0
	old := a.event
	a.event = func(a *actor, e *state.Event, predicted bool) {
		if e.Kind == state.EvHit {
			hits++
		}
		old(a, e, predicted)
	}
	aimed := false
	a.input = func(a *actor, tick state.Tick) state.Cmd {
		c := state.Cmd{Weapon: 1}
		to := vec.New(-4, 5, 1.1)
		if !aimed {
			to = vec.New(-4, 9, 1.1)
		}
		yaw, pitch := vec.Angles(to.Sub(a.Eye()))
		c.Yaw, c.Pitch = state.AngleOf(yaw), state.AngleOf(pitch)
		if tick%64 == 0 {
			c.Buttons = state.BtnFire
		}
		return c
	}
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a, b}})
	s.run(1000)
	h.reset()
	s.run(3500)
	if h.cancelled != 0 || h.predicted[state.EvImpact] == 0 {
		t.Fatalf("beside it: %d cancelled of %v", h.cancelled, h.predicted)
	}
	shots, impacts := h.predicted[state.EvFire], h.predicted[state.EvImpact]
	aimed = true
	s.run(3500)
	shots, impacts = h.predicted[state.EvFire]-shots, h.predicted[state.EvImpact]-impacts
	if hits == 0 || h.cancelled != hits || impacts != shots {
		t.Errorf("%d hits, %d cancelled, %d impacts of %d shots", hits, h.cancelled, impacts, shots)
	}
	s.clean()
}
