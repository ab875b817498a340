package vis_test

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// toldBy is what a View tells.
func toldBy(v *vis.View) []any {
	return []any{v.Tick(), *v.Own(), v.Entities(), v.Events(), v.Doors(), v.Pieces()}
}

// Views built on several goroutines are those built one after the other, bit for bit,
// over hundreds of ticks with what each remembers: of viewers who walk, die, watch one
// another, look through optics and hear, whoever of those that watch comes before the
// watched and whoever after.
func TestViewsBuiltBesideAreTheSame(t *testing.T) {
	const players, doors = 24, 40
	world := hall(t)
	set := tables.Arena()
	for seed := range uint64(3) {
		r := vec.NewRand(seed, 5)
		var in vis.Input
		var ans vis.Answer
		var frames [2]vis.Frame
		var views [2][players]vis.View
		makers := make([]vis.Maker, 3)
		sight := vis.NewSight(world, 64)
		rules := hear.Rules{Set: &set, TickRate: 64, Seed: seed}
		past := func(id state.ID, tick state.Tick) (state.Body, bool) {
			return state.Body{Pos: state.Q{X: int32(id), Y: int32(tick)}, Alive: true}, true
		}
		var at [players]vec.V3
		var alive [players]bool
		var watches [players]state.ID
		for i := range at {
			at[i], alive[i] = vec.V3{X: 15 * r.Signed(), Y: 15 * r.Signed()}, true
		}
		var doorAt []vec.Box
		states := make([]state.DoorState, doors)
		for range doors {
			p := vec.V3{X: 200 * r.Signed(), Y: 200 * r.Signed()}
			doorAt = append(doorAt, vec.Box{Min: p, Max: p.Add(vec.V3{X: 2, Y: 1, Z: 2})})
		}
		events, watched := 0, 0
		for tick := state.Tick(1000); tick < 1200; tick++ {
			in.Reset(tick, 64)
			var ents []state.Entity
			var own []vis.Own
			for i := range at {
				id := state.ID(i + 1)
				at[i] = at[i].Add(vec.V3{X: r.Signed(), Y: r.Signed()}.Scale(0.2))
				if r.Intn(60) == 0 {
					alive[i], watches[i] = !alive[i], state.ID(r.Intn(players+1))
				}
				in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: alive[i], Pos: at[i], Eye: at[i].Add(vec.Up), Chest: at[i], Yaw: 360 * r.Float()})
				v := vis.Viewer{Subject: i, ID: id}
				if !alive[i] && watches[i] != id {
					v.Spectating = watches[i]
				}
				if i%5 == 0 {
					v.Scope = vis.Scope{Magnification: 4, HalfDeg: 5, RangeM: 100, Since: tick - 9, Last: tick}
				}
				in.Viewers = append(in.Viewers, v)
				ents = append(ents, state.Entity{ID: id, Kind: state.KindPlayer, Pos: state.Quant(at[i])})
				own = append(own, vis.Own{ID: id, Interp: 700, Player: state.Player{Pos: at[i]}})
			}
			if r.Intn(5) == 0 {
				states[r.Intn(doors)].Start = tick
			}
			vis.Candidates(&in, vis.DefaultRange)
			ans.Reset(&in)
			for v := range in.Viewers {
				for s := range in.Subjects {
					if (int(tick)/16+v*7+s*3)%4 == 0 {
						ans.Allow(v, s, vis.EyeEye, tick+9, uint8(r.Intn(2)*r.Intn(2)*vis.NoNews))
					}
				}
			}
			vis.Gate(&in, &ans)
			var happened []state.Event
			for range r.Intn(20) {
				a := r.Intn(players)
				happened = append(happened, state.Event{Kind: state.EventKind(1 + r.Intn(int(state.NumEvents)-1)), Actor: state.ID(a + 1), Target: state.ID(r.Intn(players)),
					Weapon: tables.Rifle, Pos: at[a].Add(vec.Up), Dir: vec.Up, Param: int32(r.Intn(doors))})
			}
			for k := range frames {
				f := &frames[k]
				f.Reset(tick)
				f.Entities, f.Own, f.Events = append(f.Entities, ents...), append(f.Own, own...), append(f.Events, happened...)
				f.Doors, f.DoorAt, f.DoorRange = append(f.Doors, states...), doorAt, 60
				f.Pieces = append(f.Pieces, state.Piece{}, state.Piece{Broken: true, At: 5})
				f.Sight, f.EventRange, f.Sounds, f.Past = sight, 100, &rules, past
			}
			for v := range in.Viewers {
				vis.Build(&frames[0], &in, &ans, v, &views[0][v])
			}
			f := &frames[1]
			f.Prepare(&in)
			var jobs, after []int
			for v := range in.Viewers {
				switch w := &in.Viewers[v]; {
				case !in.Watches(v):
					jobs = append(jobs, v)
				case w.Spectating > w.ID:
					vis.Build(f, &in, &ans, v, &views[1][v])
				default:
					after = append(after, v)
				}
			}
			var next atomic.Int32
			var all sync.WaitGroup
			for k := range makers {
				all.Go(func() {
					for i := next.Add(1); int(i) <= len(jobs); i = next.Add(1) {
						v := jobs[i-1]
						makers[k].Build(f, &in, &ans, v, &views[1][v])
					}
				})
			}
			all.Wait()
			for _, v := range after {
				vis.Build(f, &in, &ans, v, &views[1][v])
			}
			watched += players - len(jobs)
			for v := range in.Viewers {
				a, b := toldBy(&views[0][v]), toldBy(&views[1][v])
				events += len(views[0][v].Events())
				if !reflect.DeepEqual(a, b) {
					t.Fatalf("seed %d, tick %d, viewer %d: beside others\n%+v\nby itself\n%+v", seed, tick, v, b, a)
				}
			}
		}
		if events < 5000 || watched < 500 {
			t.Errorf("seed %d: only %d events told, and %d Views of who watches", seed, events, watched)
		}
	}
}
