package demo

import (
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// What a late spectator was told is kept as it was told it, however it stands now, and
// is what it knew.
func TestALateSpectatorsPlacesAreKept(t *testing.T) {
	world := func(x int32) []state.Entity {
		return []state.Entity{{ID: 1, Kind: state.KindPlayer, Teleports: 1, Pos: state.Q{X: x}}, {ID: 2}, {ID: 3, Kind: state.KindPlayer, Teleports: 1, Pos: state.Q{X: -x}}}
	}
	frame := func(tick state.Tick, x int32, late ...state.Entity) *Frame {
		f := &Frame{Tick: tick, Entities: world(x)}
		f.Viewers = []Viewer{
			{ID: 1, Told: []Told{{}, {}, {Told: true, Reason: vis.EyeEye}}, Doors: []bool{}},
			{ID: 2, Watching: 1, Told: make([]Told, 3), Doors: []bool{}},
		}
		if late != nil {
			f.Viewers[1].Delay, f.Viewers[1].Late = 192, late
		}
		return f
	}
	old := func(x int32) []state.Entity { return world(x) }
	frames := []*Frame{
		frame(100, 5000), frame(101, 5010, old(200)[0]), frame(102, 5020, old(210)[0], old(210)[2]),
		frame(103, 5030, old(220)[2]), frame(104, 5040),
	}
	before, base := &Frame{}, &Frame{}
	for n, f := range frames {
		var w bits.Writer
		w.Reset(make([]byte, 1<<12))
		cw := code{w: &w, c: wire.Writing(&w), rate: 64}
		cw.frame(f, before)
		var r bits.Reader
		r.Reset(w.Bytes())
		cr := code{r: &r, c: wire.Reading(&r), rate: 64}
		got := &Frame{Tick: f.Tick}
		cr.frame(got, base)
		if r.Err() != nil {
			t.Fatal(n, r.Err())
		}
		v, want := &got.Viewers[1], &f.Viewers[1]
		if v.Delay != want.Delay || len(v.Late) != len(want.Late) || len(want.Late) > 0 && !reflect.DeepEqual(v.Late, want.Late) {
			t.Errorf("frame %d: %d ticks late, %+v, want %+v", n, v.Delay, v.Late, want.Late)
		}
		if want.Delay != 0 {
			if known := got.Known(v, nil); !reflect.DeepEqual(known[1:], want.Late) || known[0].ID != 2 {
				t.Errorf("frame %d: knew %+v", n, known)
			}
		}
		before, base = f, got
		var again Frame
		again.copyFrom(got)
		if !reflect.DeepEqual(append([]state.Entity(nil), again.Viewers[1].Late...), append([]state.Entity(nil), v.Late...)) || again.Viewers[1].Delay != v.Delay {
			t.Errorf("frame %d: the copy is another", n)
		}
	}
}
