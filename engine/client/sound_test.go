package client

import (
	"testing"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// A sound is louder the nearer it is and comes from its side, whatever way the listener
// looks; what is no sound or out of earshot makes none.
func TestSoundsHaveAPlaceAndAVolume(t *testing.T) {
	set := tables.Arena()
	r := &hear.Rules{Set: &set, TickRate: 64}
	at := vec.New(10, 20, 1)
	shot := func(x, y float32) state.Event {
		return state.Event{Kind: state.EvFire, Weapon: tables.Rifle, Actor: 3, Pos: at.Add(vec.New(x, y, 0))}
	}
	for _, yaw := range []float32{0, 90, 215} {
		before := float32(2)
		for d := float32(1); d < 60; d += 7 {
			sin, cos := vec.SinCos(yaw + 90) // to the left
			e := shot(d*cos, d*sin)
			s, ok := soundAt(r, &e, 1, false, at, yaw)
			if !ok || s.Volume >= before || s.Left < 0.99 || !s.Unseen || s.Own || s.Actor != 3 {
				t.Errorf("%v m to the left, looking along %v: %v %+v", d, yaw, ok, s)
			}
			before = s.Volume
			e = shot(-d*cos, -d*sin)
			if s, ok = soundAt(r, &e, 1, true, at, yaw); !ok || s.Left > -0.99 || s.Unseen {
				t.Errorf("%v m to the right, looking along %v: %v %+v", d, yaw, ok, s)
			}
		}
	}
	e := shot(30, 0)
	e.Param = state.Quiet
	if s, ok := soundAt(r, &e, 1, false, at, 0); ok {
		t.Errorf("a suppressed shot at 30 m: %+v", s)
	}
	e = shot(12, 0)
	e.Param = state.Quiet
	if s, ok := soundAt(r, &e, 1, false, at, 0); !ok || !s.Quiet {
		t.Errorf("a suppressed shot at 12 m: %v %+v", ok, s)
	}
	if s, ok := soundAt(r, &e, 1, true, at, 0); !ok || s.Quiet { // the number of a known one's shot
		t.Errorf("shot 1 of a known player: %v %+v", ok, s)
	}
	e = shot(400, 0)
	if s, ok := soundAt(r, &e, 1, false, at, 0); ok {
		t.Errorf("a shot at 400 m: %+v", s)
	}
	e = shot(3000, 0)
	if s, ok := soundAt(r, &e, 3, true, at, 0); !ok || s.Volume != 1 || !s.Own {
		t.Errorf("the own shot: %v %+v", ok, s)
	}
	for k := range state.NumEvents + 3 {
		e := state.Event{Kind: k, Weapon: 200, Pos: at}
		if s, ok := soundAt(r, &e, 1, false, at, 0); ok && !(s.Volume > 0 && s.Volume <= 1) {
			t.Errorf("kind %d: %+v", k, s)
		}
	}
}
