package vis

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// tapeCrowd is a tick of n players each of whom knows so many others, with as many
// events as a fight has.
func tapeCrowd(n, knows int) (*Frame, *Input, *Answer, func(tick state.Tick)) {
	in, f, ans := &Input{}, &Frame{}, &Answer{}
	return f, in, ans, func(tick state.Tick) {
		in.Reset(tick, 64)
		f.Reset(tick)
		for i := range n {
			id := state.ID(i + 1)
			at := vec.V3{X: float32(i), Y: float32(tick % 64)}
			in.Subjects = append(in.Subjects, Subject{ID: id, Kind: state.KindPlayer, Alive: true, Pos: at, Eye: at, Chest: at})
			f.Entities = append(f.Entities, state.Entity{ID: id, Kind: state.KindPlayer, Pos: state.Quant(at)})
			in.Viewers = append(in.Viewers, Viewer{Subject: i, ID: id})
			f.Own = append(f.Own, Own{ID: id, Interp: 512})
		}
		for i := range n / 10 {
			f.Events = append(f.Events, state.Event{Kind: state.EvFootstep, Actor: state.ID(i*10 + 1), Pos: vec.V3{X: float32(i * 10)}})
		}
		for len(f.Doors) < 16 {
			f.Doors = append(f.Doors, state.DoorState{})
		}
		Candidates(in, 0)
		ans.Reset(in)
		for v := range n {
			for k := range knows {
				ans.Allow(v, (v+1+k*3)%n, EyeEye, tick, 0)
			}
		}
		Gate(in, ans)
	}
}

// What it costs to record one player's View, and what a tape of three seconds weighs:
// a hundred players of whom each knows 12 or 40, 16 doors, a tenth of them walking.
func BenchmarkTapeRecord(b *testing.B) {
	for _, knows := range []int{12, 40} {
		b.Run(map[int]string{12: "12 known", 40: "40 known"}[knows], func(b *testing.B) {
			f, in, ans, tick := tapeCrowd(100, knows)
			tape := NewTape(193)
			for n := range state.Tick(600) { // the memory of all its Views is there
				tick(n)
				tape.Record(f, in, ans, 7)
			}
			n := state.Tick(600)
			b.ReportAllocs()
			for b.Loop() {
				f.Tick, in.Tick = n, n
				tape.Record(f, in, ans, 7)
				n++
			}
			b.ReportMetric(float64(tape.Bytes())/1024, "KiB/tape")
		})
	}
}

// In the steady state a tape allocates nothing, neither recording nor playing.
func TestATapeDoesNotAllocate(t *testing.T) {
	f, in, ans, tick := tapeCrowd(40, 12)
	tape := NewTape(64)
	var out View
	own := Own{ID: 9, Watching: 8, Delay: 50}
	n := state.Tick(0)
	for range 300 {
		tick(n)
		tape.Record(f, in, ans, 7)
		tape.Replay(n-50, n, &own, &out)
		n++
	}
	if got := testing.AllocsPerRun(100, func() {
		f.Tick, in.Tick = n, n
		tape.Record(f, in, ans, 7)
		tape.Replay(n-50, n, &own, &out)
		n++
	}); got != 0 {
		t.Errorf("%v allocations per tick", got)
	}
	if len(out.Entities()) != 13 {
		t.Errorf("plays %d", len(out.Entities()))
	}
}
