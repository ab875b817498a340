package vis

import (
	"testing"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// What is nothing to a viewer is what hear.Route tells it nothing of, and remembers
// nothing of: every kind of event, near and far, by known, held and unknown ones, for
// viewers with ears and without, with an optic and without, dead and alive.
func TestWhatIsNothingIsNotRouted(t *testing.T) {
	b := level.NewBuilder("ground")
	if err := b.AddBox(0, vec.Box{Min: vec.V3{X: -900, Y: -900, Z: -1}, Max: vec.V3{X: 900, Y: 900}}, level.Solid, "t"); err != nil {
		t.Fatal(err)
	}
	sight := NewSight(trace.New(b.Build()), 64)
	set := tables.Arena()
	r := vec.NewRand(11, 1)
	nothing, told := 0, 0
	for range 400 {
		in, f, ans := &Input{}, &Frame{}, &Answer{}
		in.Reset(50, 64)
		f.Reset(50)
		if r.Intn(4) > 0 {
			f.Sounds = &hear.Rules{Set: &set, TickRate: 64, Seed: 3}
		}
		f.Sight, f.EventRange = sight, float32(r.Intn(3))*100
		place := func() vec.V3 { return vec.V3{X: 400 * r.Signed(), Y: 400 * r.Signed(), Z: 2 * r.Float()} }
		for i := range 6 {
			at := place()
			in.Subjects = append(in.Subjects, Subject{ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: r.Intn(6) > 0, Pos: at, Eye: at.Add(vec.Up), Chest: at})
			in.Viewers = append(in.Viewers, Viewer{Subject: i, ID: state.ID(i + 1)})
			f.Entities, f.Own = append(f.Entities, state.Entity{ID: state.ID(i + 1)}), append(f.Own, Own{})
			w := &in.Viewers[i]
			switch r.Intn(5) {
			case 0:
				w.Subject = -1
			case 1:
				w.Scope = Scope{Magnification: 4, HalfDeg: 10, RangeM: 300, Last: 50, Since: 10}
			case 2:
				w.Spectating = state.ID(1 + r.Intn(6))
			}
		}
		in.SizeAsked()
		ans.Reset(in)
		for v := range in.Viewers {
			for s := range in.Subjects {
				if r.Intn(3) == 0 {
					ans.Allow(v, s, EyeEye, 60, uint8(r.Intn(2)*NoNews))
				}
			}
		}
		f.Prepare(in)
		for v := range in.Viewers {
			var out View
			b := &builder{f: f, in: in, ans: ans, v: v, self: in.Viewers[v].ID}
			if r.Intn(4) == 0 {
				b.self = 0
			}
			b.place()
			l := b.listener(&out)
			out.heard.Begin(&l, b)
			for range 60 {
				at := place()
				if s := r.Intn(12); s < len(in.Subjects) {
					at = in.Subjects[s].Pos.Add(vec.V3{X: 30 * r.Signed(), Y: 30 * r.Signed(), Z: 1})
				}
				ev := state.Event{
					Kind: state.EventKind(r.Intn(int(state.NumEvents) + 1)), Actor: state.ID(r.Intn(9)), Target: state.ID(r.Intn(9)),
					Weapon: uint8(r.Intn(int(tables.NumWeapons))), Pos: at, Dir: vec.Up.Scale(float32(r.Intn(3))), Muffled: r.Intn(2) == 0,
				}
				if r.Intn(8) == 0 {
					ev.Only = state.ID(1 + r.Intn(7))
				}
				is, had := b.isNothing(&l, &ev), out.heard.Sources()
				if is && b.waits(&out, &ev) {
					t.Fatalf("%+v waits and is nothing", ev)
				}
				_, ok := hear.Route(&l, b, &ev)
				if is && (ok || out.heard.Sources() != had) {
					t.Fatalf("viewer %d is told of %+v, which is nothing to it", v, ev)
				}
				if is {
					nothing++
				} else if ok {
					told++
				}
			}
		}
	}
	if nothing < 30000 || told < 20000 {
		t.Errorf("%d events were nothing, and %d told", nothing, told)
	}
}
