package scenario_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// seen is what the match itself says of a tick.
type seen struct {
	tick   state.Tick
	who    []state.Entity
	events int
	doors  []state.DoorState
	known  map[state.ID][]vis.Known
	heard  map[state.ID][]state.Event
	scores []state.Score
}

// A match that is recorded from its third second on reads back as it was: every
// position at every tick, who was told of whom and why, and what everybody heard.
// Seeking there gives the same.
func TestDemoHoldsTheMatchAndWhoWasToldWhat(t *testing.T) {
	t.Logf("seed %d", *seed)
	var out bytes.Buffer
	var rec *demo.Recorder
	var truth []seen
	var views []*vis.View
	cfg := config(maps{}, "corner", 8)
	cfg.Hooks = server.Hooks{
		Scores: func(rows []state.Score) {
			if rec != nil {
				rec.Roster(rows)
			}
		},
		View: func(v *vis.View) {
			views = append(views, v)
			if rec != nil {
				rec.View(v)
			}
		},
	}
	var m *scenario.Match
	cfg.Hooks.Frame = func(in *vis.Input, f *vis.Frame, ans *vis.Answer) {
		if rec != nil {
			rec.Frame(in, f, ans)
			now := seen{tick: f.Tick, events: len(f.Events), known: map[state.ID][]vis.Known{}, heard: map[state.ID][]state.Event{}, scores: m.Server.Scores()}
			w := m.Server.World()
			now.doors = append(now.doors, w.Doors()...)
			for _, id := range w.IDs() {
				now.who = append(now.who, w.Entity(id))
			}
			for _, v := range views {
				id := v.Own().ID
				now.known[id] = append([]vis.Known{}, v.Entities()...)
				for i := range v.Events() {
					now.heard[id] = append(now.heard[id], wire.Rounded(&v.Events()[i]))
				}
			}
			truth = append(truth, now)
		}
		views = views[:0]
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for i := range 12 * rate {
		if i == 3*rate {
			rec, err = demo.NewRecorder(&out, demo.Header{Level: "corner", TickRate: rate, Seed: *seed}, demo.Options{Queue: 1 << 12})
			if err != nil {
				t.Fatal(err)
			}
			rec.Roster(m.Server.Scores())
		}
		m.Step()
	}
	if n, err := rec.Close(); err != nil || n != len(truth) {
		t.Fatalf("%d frames of %d: %v", n, len(truth), err)
	}
	r, err := demo.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var f demo.Frame
	told, withheld, heard := 0, 0, 0
	compare := func(want *seen) {
		t.Helper()
		if err := r.Next(&f); err != nil {
			t.Fatal(err)
		}
		if f.Tick != want.tick || len(f.Events) != want.events || !reflect.DeepEqual(append([]state.DoorState(nil), f.Doors...), want.doors) {
			t.Fatalf("tick %d: tick %d, %d events, doors %v", want.tick, f.Tick, len(f.Events), f.Doors)
		}
		for _, e := range want.who {
			if k := f.Find(e.ID); k < 0 || f.Entities[k] != e {
				t.Fatalf("tick %d: player %d is not as it was", f.Tick, e.ID)
			}
		}
		if len(f.Roster) != len(want.scores) {
			t.Fatalf("tick %d: %d rows, not %d", f.Tick, len(f.Roster), len(want.scores))
		}
		if len(f.Viewers) != len(want.known) {
			t.Fatalf("tick %d: %d viewers, not %d", f.Tick, len(f.Viewers), len(want.known))
		}
		for i := range f.Viewers {
			v := &f.Viewers[i]
			n := 0
			for k, to := range v.Told {
				if !to.Told {
					withheld++
					continue
				}
				n++
				found := false
				for _, kn := range want.known[v.ID] {
					if kn.ID == f.Entities[k].ID {
						found = kn.Reason == to.Reason && kn.Interval == to.Interval && kn.Pos == f.Entities[k].Pos
					}
				}
				if !found {
					t.Fatalf("tick %d: %d was not told of %d as the demo says", f.Tick, v.ID, f.Entities[k].ID)
				}
			}
			if n != len(want.known[v.ID]) {
				t.Fatalf("tick %d: %d was told of %d, the demo has %d", f.Tick, v.ID, len(want.known[v.ID]), n)
			}
			if got := append([]state.Event(nil), v.Events...); !reflect.DeepEqual(got, want.heard[v.ID]) {
				t.Fatalf("tick %d: %d heard %v, the demo has %v", f.Tick, v.ID, want.heard[v.ID], got)
			}
			told, heard = told+n, heard+len(v.Events)
		}
	}
	for i := range truth {
		compare(&truth[i])
	}
	if err := r.Next(&f); err != io.EOF {
		t.Error(err)
	}
	for _, k := range []int{len(truth) - 1, 0, len(truth) / 2, len(truth)/2 - 10, 1} {
		if err := r.Seek(truth[k].tick); err != nil {
			t.Fatal(err)
		}
		compare(&truth[k])
	}
	if i := r.Info(); told == 0 || withheld == 0 || heard == 0 || i.Truncated || i.First < 3*rate-1 {
		t.Errorf("told %d, withheld %d, heard %d; %+v", told, withheld, heard, i)
	}
	t.Logf("%d frames of 8 players in %d bytes: %.1f kB/s", len(truth), out.Len(), float64(out.Len())/float64(len(truth))*rate/1000)
}
