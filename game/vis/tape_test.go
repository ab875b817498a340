package vis

import (
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// fillField puts something into a field of a View, whatever its type.
func fillField(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillField(v.Index(i), n+i)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fillField(f, n+i)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fillField(v.Index(i), n+i)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32:
		v.SetFloat(float64(n))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(int64(n%100 + 1))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(uint64(n%100 + 1))
	}
}

// A copy of a View is equal to it and shares no list with it, whatever a View holds:
// what is added to it must be added to copyTo.
func TestATapeCopiesAllOfAView(t *testing.T) {
	var v View
	for i := range 7 {
		k := Known{Entity: state.Entity{ID: state.ID(i + 1), Kind: state.KindPlayer}, Reason: EyeEye}
		fillField(reflect.ValueOf(&k).Elem(), i)
		v.known = append(v.known, k)
		v.paths = append(v.paths, k.Path...)
	}
	for i := range v.known {
		v.now = append(v.now, since{id: v.known[i].ID, tick: v.known[i].Since})
	}
	fillField(reflect.ValueOf(&v.own).Elem(), 3)
	fillField(reflect.ValueOf(&v.events).Elem(), 5)
	fillField(reflect.ValueOf(&v.doors).Elem(), 7)
	fillField(reflect.ValueOf(&v.pieces).Elem(), 8)
	v.tick = 99
	var out View
	v.copyTo(&out)
	a, b := reflect.ValueOf(v), reflect.ValueOf(out)
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if name == "before" || name == "heard" || name == "waits" {
			continue
		}
		if f := a.Field(i); f.Kind() == reflect.Slice {
			if f.Len() == 0 {
				t.Errorf("%s: this test must fill it, and copyTo copy it", name)
				continue
			}
			if b.Field(i).Len() != f.Len() || b.Field(i).Pointer() == f.Pointer() {
				t.Errorf("%s is shared, or left out", name)
			}
		}
	}
	if !reflect.DeepEqual(v.known, out.known) || !reflect.DeepEqual(v.events, out.events) || !reflect.DeepEqual(v.doors, out.doors) || v.own != out.own {
		t.Errorf("the copy is another")
	}
	if &v.known[0].Path[0] == &out.known[0].Path[0] {
		t.Error("a path is shared")
	}
}

// tapeWorld is two players, and a third whom nobody sees.
func tapeWorld(tick state.Tick) (*Frame, *Input, *Answer) {
	in, f := &Input{}, &Frame{}
	in.Reset(tick, 64)
	f.Reset(tick)
	for id := state.ID(1); id <= 3; id++ {
		at := vec.V3{X: float32(id), Y: float32(tick)}
		in.Subjects = append(in.Subjects, Subject{ID: id, Kind: state.KindPlayer, Alive: true, Pos: at, Eye: at})
		f.Entities = append(f.Entities, state.Entity{ID: id, Kind: state.KindPlayer, Pos: state.Quant(at), Health: 90})
	}
	in.Viewers = append(in.Viewers, Viewer{Subject: 0, ID: 1})
	f.Own = append(f.Own, Own{ID: 1, Interp: 777, Player: state.Player{Health: 90}})
	f.Events = append(f.Events,
		state.Event{Kind: state.EvFootstep, Actor: 1, Pos: vec.V3{X: float32(tick)}},
		state.Event{Kind: state.EvFire, Actor: 2, Pos: vec.V3{X: 2}}, state.Event{Kind: state.EvFire, Actor: 3, Pos: vec.V3{X: 3}})
	f.Doors = append(f.Doors, state.DoorState{Start: tick - 5})
	Candidates(in, 0)
	ans := &Answer{}
	ans.Reset(in)
	ans.Allow(0, 1, EyeEye, 0, 0)
	Gate(in, ans)
	return f, in, ans
}

// A Tape plays what its player was told, the player's own body and noises with it, so
// many ticks later and with all times as much later; before it holds the tick, and after
// it was reset, nothing but the own state.
func TestATapePlaysWhatItsPlayerWasTold(t *testing.T) {
	const late = 10
	tape := NewTape(late + 1)
	own := Own{ID: 9, Watching: 1, Delay: late}
	var out View
	start := ^state.Tick(0) - 15 // wraps
	for n := range state.Tick(40) {
		now := start + n
		f, in, ans := tapeWorld(now)
		tape.Record(f, in, ans, 0)
		ok := tape.Replay(now-late, now, &own, &out)
		if ok != (n >= late) {
			t.Fatalf("tick %d: plays %v", n, ok)
		}
		if out.Tick() != now || out.Own().ID != 9 {
			t.Fatalf("tick %d: of tick %d for %d", n, out.Tick(), out.Own().ID)
		}
		if !ok {
			if len(out.Entities())+len(out.Events())+len(out.Doors()) != 0 {
				t.Fatalf("tick %d: tells of something before the tape has it", n)
			}
			continue
		}
		k := out.Entities()
		if len(k) != 2 || k[0].ID != 1 || k[0].Reason != Spectated || k[0].Health != 90 || k[1].ID != 2 || k[1].Health != 0 {
			t.Fatalf("tick %d: %+v", n, k)
		}
		if want := state.Quant(vec.V3{X: 2, Y: float32(now - late)}); k[1].Pos != want {
			t.Fatalf("tick %d: stands at %v, not %v", n, k[1].Pos, want)
		}
		if k[1].Since != start+late {
			t.Fatalf("tick %d: known since %d", n, k[1].Since)
		}
		if e := out.Events(); len(e) != 2 || e[0].Kind != state.EvFootstep || e[1].Actor != 2 {
			t.Fatalf("tick %d: hears %+v", n, e)
		}
		if d := out.Doors(); len(d) != 1 || d[0].State.Start != now-5 {
			t.Fatalf("tick %d: door since %d", n, d[0].State.Start)
		}
		if out.Own().Interp != 777 {
			t.Fatalf("the delay is not the watched player's")
		}
	}
	tape.Reset()
	if tape.Replay(start+20, start+30, &own, &out) || len(out.Entities()) != 0 {
		t.Error("plays after it was reset")
	}
	if b := tape.Bytes(); b < 16*viewBytes || b > 64<<10 {
		t.Errorf("%d bytes", b)
	}
}

// A camera is a viewer and no subject: nobody is told of it, whatever a policy says.
func TestACameraIsToldToNobody(t *testing.T) {
	f, in, _ := tapeWorld(5)
	in.Subjects[2].Kind = state.KindCamera
	in.Viewers = append(in.Viewers, Viewer{Subject: 2, ID: 3})
	f.Own = append(f.Own, Own{ID: 3})
	Candidates(in, 0)
	if in.IsAsked(0, 2) || !in.IsAsked(1, 0) || !in.IsAsked(1, 1) || in.IsAsked(1, 2) {
		t.Fatal("asks about a camera, or nothing for it")
	}
	Candidates(in, 100)
	if in.IsAsked(0, 2) || !in.IsAsked(1, 0) {
		t.Fatal("asks about a camera, or nothing for it, within a range")
	}
	ans := &Answer{}
	ans.Reset(in)
	for v := range in.Viewers {
		for s := range in.Subjects {
			ans.Allow(v, s, Open, 0, 0)
		}
	}
	Gate(in, ans)
	if ans.Permitted(0, 2) || ans.Permitted(1, 2) || !ans.Permitted(1, 0) {
		t.Fatal("a camera is told of")
	}
}
