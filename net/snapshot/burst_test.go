package snapshot

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// heardShots sends 90 shots of an unseen shooter, who moves on after 45, one in seven
// ticks, with packets acknowledged late and every lose-th lost, and returns what the
// client made of them and what the events took; whole tells each shot as if it were the
// first, and silent none.
func heardShots(t *testing.T, lose int, whole, silent bool) (came []Event, spent int64) {
	t.Helper()
	const rate, late = 64, 4 // so that what is sent again is not lost again for ever
	e, d := NewEncoder(rate), NewDecoder(rate)
	var queue event90
	for tick := range state.Tick(90*7 + 100) {
		queue.events = queue.events[:0]
		if tick%7 == 0 && tick < 90*7 && !silent {
			ev := state.Event{Kind: state.EvFire, Actor: 9, Weapon: 1, Pos: vec.V3{X: 37.5, Y: -12, Z: 1.5}, Yaw: 0x4300, Pitch: 0xFF00}
			if tick >= 45*7 {
				ev.Pos.X, ev.Param = 38.25, state.Quiet
			}
			queue.events = append(queue.events, ev)
		}
		if whole {
			e.bursts.forget()
		}
		view := queue.view(1000 + tick)
		var w bits.Writer
		w.Reset(make([]byte, MaxPayload))
		seq := uint64(tick) + 1
		if err := e.Encode(&w, view, seq); err != nil {
			t.Fatal(err)
		}
		lost := func(seq uint64) bool { return lose > 0 && seq%uint64(lose) == 2 }
		if !lost(seq) {
			var r bits.Reader
			r.Reset(w.Bytes())
			s, err := d.Decode(&r, seq)
			if err != nil {
				t.Fatal(err)
			}
			came = append(came, s.Events...)
		}
		if back := seq - late; seq > late {
			if lost(back) {
				e.Lost(back)
			} else {
				e.Acked(back)
			}
		}
	}
	return came, e.Spent().Events
}

// event90 makes Views with events and nobody else.
type event90 struct {
	events []state.Event
	frame  vis.Frame
	in     vis.Input
	ans    vis.Answer
	v      vis.View
}

// view routes the events as the client's own, so that they pass as they are, and takes
// the name back out.
func (q *event90) view(tick state.Tick) *vis.View {
	q.in.Reset(tick, 64)
	q.frame.Reset(tick)
	q.in.Subjects = append(q.in.Subjects, vis.Subject{ID: 1, Kind: state.KindPlayer, Alive: true})
	q.frame.Entities = append(q.frame.Entities, state.Entity{ID: 1, Kind: state.KindPlayer})
	q.in.Viewers = append(q.in.Viewers, vis.Viewer{ID: 1})
	q.frame.Own = append(q.frame.Own, vis.Own{ID: 1, LastCmd: tick, Player: state.Player{Health: 100}})
	for _, e := range q.events {
		e.Only = 1
		q.frame.Events = append(q.frame.Events, e)
	}
	q.in.SizeAsked()
	q.ans.Reset(&q.in)
	vis.Build(&q.frame, &q.in, &q.ans, 0, &q.v)
	for i := range q.v.Events() {
		q.v.Events()[i].Actor = q.events[i].Actor
	}
	return &q.v
}

// A burst of somebody unseen arrives shot by shot, each once and as it was, over a link
// that loses; most of it costs next to nothing.
func TestBurstsArriveShotByShot(t *testing.T) {
	for _, lose := range []int{0, 10, 3} {
		came, spent := heardShots(t, lose, false, false)
		_, plain := heardShots(t, lose, true, false)
		_, nothing := heardShots(t, lose, false, true)
		at := map[state.Tick]int{}
		for _, e := range came {
			if e.Kind != state.EvFire {
				continue
			}
			at[e.Tick]++
			want := state.Event{Kind: state.EvFire, Actor: 9, Weapon: 1, Pos: vec.V3{X: 37.5, Y: -12, Z: 1.5}, Yaw: 0x4300, Pitch: 0xFF00}
			if e.Tick >= 1000+45*7 {
				want.Pos.X, want.Param = 38.25, state.Quiet
			}
			if e.Event != want {
				t.Fatalf("1 in %d lost: shot of tick %d is %+v", lose, e.Tick, e.Event)
			}
		}
		for k := range state.Tick(90) {
			if at[1000+k*7] != 1 {
				t.Errorf("1 in %d lost: shot %d came %d times", lose, k, at[1000+k*7])
			}
		}
		burst, event := float64(spent-nothing)/90, float64(plain-nothing)/90
		t.Logf("1 in %d lost: %.1f bits a shot, %.1f when each is told whole", lose, burst, event)
		if burst > event/2 {
			t.Errorf("1 in %d lost: a shot of a burst takes %.1f bits, one told whole %.1f", lose, burst, event)
		}
	}
}

// What comes in bursts is told, not made up: a burst that nobody opened is silent, and
// no number breaks anything.
func TestUnknownBurstsAreSilent(t *testing.T) {
	var h heardBursts
	for p := range int32(600) {
		if e := (state.Event{Kind: wire.GoesOn, Param: p}); h.take(&e, 1) {
			t.Fatalf("burst %d was not opened and is told as %+v", p, e)
		}
	}
	for p := int32(-600); p < 600; p++ {
		for _, k := range []state.EventKind{state.EvFire, wire.GoesOn} {
			e := state.Event{Kind: k, Actor: 3, Param: p}
			ok := h.take(&e, 1)
			if ok && (e.Kind != state.EvFire || e.Param < 0) {
				t.Fatalf("%d of kind %d becomes %+v", p, k, e)
			}
		}
	}
}
