package snapshot_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// The first packet that holds a player tells the way there, so that it can be drawn
// at once; should that packet be lost the next one does, and should that be lost too,
// the one after the first that arrives.
func TestAFirstRecordTellsTheWayThere(t *testing.T) {
	const hz, id = 64, 7
	gap := state.Tick(state.PathGap(hz))
	truth := func(tick state.Tick) state.Body {
		return state.Body{Pos: state.Q{X: int32(tick) * 20, Y: int32(tick*tick) % 97}, Vel: state.Q{X: 1280}, Alive: true}
	}
	var f vis.Frame
	f.Past = func(who state.ID, tick state.Tick) (state.Body, bool) { return truth(tick), who == id }
	var in vis.Input
	var ans vis.Answer
	var v vis.View
	view := func(tick state.Tick, shown bool) *vis.View {
		in.Reset(tick, hz)
		f.Reset(tick)
		f.Own = append(f.Own, vis.Own{ID: 1, Interp: 5*256 + 1})
		b := truth(tick)
		f.Entities = append(f.Entities, state.Entity{ID: id, Kind: state.KindPlayer, Pos: b.Pos, Vel: b.Vel})
		in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true})
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: -1, ID: 1})
		in.SizeAsked()
		ans.Reset(&in)
		if shown {
			ans.Allow(0, 0, vis.Open, tick, 0)
		}
		vis.Build(&f, &in, &ans, 0, &v)
		return &v
	}
	for _, lost := range []int{0, 1, 2} { // packets that do not arrive
		e, d := snapshot.NewEncoder(hz), snapshot.NewDecoder(hz)
		v = vis.View{}
		seq := uint64(0)
		for tick := state.Tick(990); tick < 1010; tick++ {
			seq++
			b, err := encode(e, view(tick, tick >= 1000), seq, 1100)
			if err != nil {
				t.Fatal(err)
			}
			if tick >= 1000 && tick < 1000+state.Tick(lost) {
				continue
			}
			s, err := decode(d, b, seq)
			if err != nil {
				t.Fatal(err)
			}
			e.Acked(seq)
			first := tick == 1000+state.Tick(lost+lost/2)
			if tick < 1000 {
				continue
			}
			if lost == 2 && tick == 1002 {
				if len(s.Entities) != 0 {
					t.Fatal("read what could not be")
				}
				continue
			}
			it := s.Entities[0]
			if it.New != first {
				t.Fatalf("lost %d, tick %d: new %v", lost, tick, it.New)
			}
			want := 0
			if first {
				want = 3 // of 2 ticks each: 5.004 ticks of delay and no more
			}
			if len(it.Path) != want {
				t.Fatalf("lost %d, tick %d: %d places", lost, tick, len(it.Path))
			}
			for i, p := range it.Path {
				was := truth(tick - gap*state.Tick(i+1))
				if was.Coarsen(it.Detail); p.Pos != was.Pos || p.Vel != was.Vel {
					t.Errorf("lost %d: place %d is %v, want %v", lost, i, p, was)
				}
			}
		}
	}
}
