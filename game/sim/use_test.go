package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// hall is a floor with a wall across at x = 0 and a doorway in it, whose leaf hangs at
// y = -1 and is two metres wide.
func hall(t testing.TB, both bool, post *vec.Box) *trace.World {
	t.Helper()
	b := level.NewBuilder("hall")
	add := func(m int, x0, y0, z0, x1, y1, z1 float32) {
		if err := b.AddBox(m, vec.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}, level.Solid, "wall"); err != nil {
			t.Fatal(err)
		}
	}
	add(0, -20, -20, -1, 20, 20, 0)
	add(0, -0.1, -20, 0, 0.1, -1, 4)
	add(0, -0.1, 1, 0, 0.1, 20, 4)
	add(0, -0.1, -1, 3, 0.1, 1, 4)
	if post != nil {
		add(0, post.Min.X, post.Min.Y, post.Min.Z, post.Max.X, post.Max.Y, post.Max.Z)
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	add(m, -0.05, -1, 0, 0.05, 1, 3)
	b.AddSpawn(vec.New(-5, 0, 0.1), 0, 0)
	l := b.Build()
	l.Doors = []level.Door{{
		Model: m, Hinge: vec.New(0, -1, 0), Swing: 90, Both: both, Ajar: 12, Use: true, Speed: 120, Wait: -1, Trigger: vec.EmptyBox(),
	}}
	return trace.New(l)
}

// user is one player at a hinged door.
type user struct {
	s    *sim.Sim
	tick state.Tick
}

func newUser(t testing.TB, w *trace.World, at vec.V3, yaw float32) *user {
	t.Helper()
	s, err := sim.New(sim.Config{World: w, Set: tables.Arena(), TickRate: 64, MaxPlayers: 4, MaxRewindMS: 400, First: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	})
	s.Join(1, 0)
	s.Apply([]rules.Op{{Kind: rules.OpSpawn, ID: 1, Pos: at, Yaw: yaw, Value: 100}})
	u := &user{s: s, tick: 1}
	u.run(32, state.Cmd{Yaw: state.AngleOf(yaw)})
	return u
}

func (u *user) run(n int, c state.Cmd) {
	for range n {
		u.tick++
		c.Tick = u.tick
		u.s.Step([]sim.Input{{ID: 1, Cmd: c}})
	}
}

func (u *user) press(yaw float32, b state.Buttons) {
	u.run(2, state.Cmd{Yaw: state.AngleOf(yaw), Buttons: b | state.BtnUse})
	u.run(80, state.Cmd{Yaw: state.AngleOf(yaw)})
}

func (u *user) open() float32 {
	l := u.s.Scene().W.Level()
	f := scenery.Frac(&l.Doors[0], u.s.Doors()[0], u.s.Tick(), 0, 64)
	if scenery.Other(&l.Doors[0], u.s.Doors()[0]) {
		return 0 - f
	}
	return f
}

func TestTheUseKeyOpensShutsAndSetsAjar(t *testing.T) {
	u := newUser(t, hall(t, false, nil), vec.New(1.6, 0, 0.05), 180)
	if u.open() != 0 {
		t.Fatalf("open by %v at first", u.open())
	}
	for i, step := range []struct {
		buttons state.Buttons
		want    float32
	}{{0, 1}, {0, 0}, {state.BtnWalk, 12.0 / 90}, {state.BtnWalk, 0}, {state.BtnWalk, 12.0 / 90}, {0, 1}, {state.BtnWalk, 12.0 / 90}, {0, 1}, {0, 0}} {
		u.press(180, step.buttons)
		if step.want == 1 { // swung away, out of reach: go after it
			if got := u.open(); got != 1 {
				t.Fatalf("step %d: open by %v, want 1", i, got)
			}
			u.s.Apply([]rules.Op{{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(-1, 0, 0.05), Yaw: 270}})
			u.press(-90, 0)
			if got := u.open(); got != 0 {
				t.Fatalf("step %d: used again it is open by %v", i, got)
			}
			u.s.Apply([]rules.Op{{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(1.6, 0, 0.05), Yaw: 180}})
			u.run(10, state.Cmd{Yaw: state.AngleOf(180)})
			return
		}
		if got := u.open(); vec.Abs(got-step.want) > 1e-6 {
			t.Fatalf("step %d: open by %v, want %v", i, got, step.want)
		}
	}
}

func TestALightUseGoesAjarAndBack(t *testing.T) {
	u := newUser(t, hall(t, false, nil), vec.New(1.6, 0, 0.05), 180)
	for i, want := range []float32{12.0 / 90, 0, 12.0 / 90} {
		u.press(180, state.BtnWalk)
		if got := u.open(); vec.Abs(got-want) > 1e-6 {
			t.Fatalf("light use %d: open by %v, want %v", i, got, want)
		}
	}
	u.press(180, 0)
	if got := u.open(); got != 1 {
		t.Fatalf("a door that is ajar and used opens by %v", got)
	}
}

func TestHoldingTheKeyOrLookingAwayDoesNothingMore(t *testing.T) {
	u := newUser(t, hall(t, false, nil), vec.New(1.6, 0, 0.05), 180)
	u.press(0, 0)
	if u.open() != 0 {
		t.Fatal("opened behind the back")
	}
	u.run(200, state.Cmd{Yaw: state.AngleOf(180), Buttons: state.BtnUse})
	if u.open() != 1 {
		t.Fatalf("held: open by %v", u.open())
	}
	far := newUser(t, hall(t, false, nil), vec.New(3, 0, 0.05), 180)
	far.press(180, 0)
	if far.open() != 0 {
		t.Fatal("opened from three metres")
	}
}

func TestADoorThatSwingsBothWaysSwingsAway(t *testing.T) {
	for _, side := range []float32{1, -1} {
		yaw := 90 + float32(90*side)
		u := newUser(t, hall(t, true, nil), vec.New(float32(1.6*side), 0, 0.05), yaw)
		u.press(yaw, 0)
		// Its first side is to -x, counter-clockwise from y = 1 about y = -1.
		if got := u.open(); got != side {
			t.Errorf("used from x = %v it is open by %v", 1.6*side, got)
		}
		if p := u.s.Player(1); vec.Abs(p.Pos.X-float32(1.6*side)) > 0.01 {
			t.Errorf("the user was moved to %v", p.Pos)
		}
	}
}

// The leaf swings against who stands in its way: a body with room behind it is pushed,
// one without sends the leaf back, and nobody is ever left inside it.
func TestASwingPushesOrTurnsBack(t *testing.T) {
	for _, c := range []struct {
		name string
		post *vec.Box
		want float32
	}{
		{"room", nil, 1},
		{"a post behind", &vec.Box{Min: vec.New(-2.2, -0.9, 0), Max: vec.New(-1.05, 2, 3)}, 0},
	} {
		u := newUser(t, hall(t, false, c.post), vec.New(-0.56, 0.3, 0.05), 0)
		stuck := 0
		u.run(2, state.Cmd{Buttons: state.BtnUse})
		for range 200 {
			u.run(1, state.Cmd{})
			p := u.s.Player(1)
			h := tables.Arena().Movement
			box := vec.Box{Min: vec.V3{X: -h.HalfWidth, Y: -h.HalfWidth}, Max: vec.V3{X: h.HalfWidth, Y: h.HalfWidth, Z: h.StandHeight}}
			if u.s.Scene().Overlaps(box.Move(p.Pos), level.MaskMove) {
				stuck++
			}
			if p.Health != 100 {
				t.Fatalf("%s: hurt to %d", c.name, p.Health)
			}
		}
		if got := u.open(); got != c.want || stuck > 0 {
			t.Errorf("%s: open by %v, want %v; %d ticks inside it; the body is at %v", c.name, got, c.want, stuck, u.s.Player(1).Pos)
		}
	}
}

func TestRulesSendAHingedDoor(t *testing.T) {
	u := newUser(t, hall(t, false, nil), vec.New(5, 0, 0.05), 0)
	for _, c := range []struct {
		to   int32
		want float32
	}{{rules.DoorAjar, 12.0 / 90}, {rules.DoorOpen, 1}, {rules.DoorClosed, 0}} {
		u.s.Apply([]rules.Op{{Kind: rules.OpDoor, Value: 0, Value2: c.to}})
		u.run(80, state.Cmd{})
		if got := u.open(); vec.Abs(got-c.want) > 1e-6 {
			t.Errorf("sent to %d it is open by %v", c.to, got)
		}
	}
}
