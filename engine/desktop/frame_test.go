package desktop_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// fight is a view with everything in it.
func fight(t testing.TB) *desktop.View {
	l := shipped(t, "pit")
	v := view(l, trace.New(l), 0)
	for i := range 8 {
		v.Others = append(v.Others, enemy(v, state.ID(2+i), 6+2*float32(i), float32(i*5-20)))
	}
	for i := range 4 {
		v.Others = append(v.Others, client.Shown{
			Entity: state.Entity{ID: state.FirstThing + 100 + state.ID(i), Kind: state.KindRocket}, At: v.Eye.Add(vec.V3{X: float32(i)}), Velocity: vec.V3{X: 25},
		})
	}
	return v
}

func shots(st *desktop.Stage, v *desktop.View) {
	for _, e := range [...]state.Event{
		{Kind: state.EvFire, Actor: 3, Weapon: tables.Rifle, Pos: v.Eye, Yaw: 900},
		{Kind: state.EvFire, Actor: 1, Weapon: tables.Rifle, Pos: v.Eye, Dir: vec.V3{X: 1}},
		{Kind: state.EvImpact, Pos: v.Eye, Dir: vec.Up},
		{Kind: state.EvExplode, Pos: v.Eye, Dir: vec.Up},
		{Kind: state.EvHit, Actor: 1, Target: 3, Pos: v.Eye},
		{Kind: state.EvHurt, Target: 1, Param: 20, Dir: vec.V3{X: 1}},
		{Kind: state.EvDeath, Target: 4, Pos: v.Eye},
	} {
		st.Event(&e, false)
	}
}

func TestSteadyFramesDoNotAllocate(t *testing.T) {
	v := fight(t)
	var st desktop.Stage
	st.Reset()
	var f scene.Frame
	f.HUD.Resize(1280, 720)
	status := desktop.StatusFrame(&f, v, &st)
	one := func() {
		v.Time += float64(v.DT)
		for i := range v.Others {
			if v.Others[i].Kind == state.KindRocket {
				v.Others[i].At.X += 0.4
			}
		}
		shots(&st, v)
		st.Build(&f, v)
		status()
	}
	for range 300 { // the pools fill
		one()
	}
	if n := testing.AllocsPerRun(100, one); n != 0 {
		t.Errorf("a frame allocates %v times", n)
	}
	if len(f.Sprites) > 1024+128+64 || len(f.Beams) > 96 || len(f.Lights) > 48+8 {
		t.Errorf("pools ran over: %d sprites, %d beams, %d lights", len(f.Sprites), len(f.Beams), len(f.Lights))
	}
}

func TestEffectsEnd(t *testing.T) {
	v := fight(t)
	v.Others = nil
	var st desktop.Stage
	st.Reset()
	var f scene.Frame
	st.Build(&f, v)
	shots(&st, v)
	st.Build(&f, v)
	if len(f.Sprites) == 0 || len(f.Beams) == 0 || len(f.Lights) == 0 {
		t.Fatalf("a fight shows %d sprites, %d beams, %d lights", len(f.Sprites), len(f.Beams), len(f.Lights))
	}
	v.DT = 0.1
	for range 300 {
		st.Build(&f, v)
	}
	if len(f.Sprites) != 0 || len(f.Beams) != 0 || len(f.Lights) != 0 || f.Tint.A != 0 {
		t.Errorf("after half a minute: %d sprites, %d beams, %d lights, tint %v", len(f.Sprites), len(f.Beams), len(f.Lights), f.Tint)
	}
}

// A spark is a short streak at any frame rate, and being hurt leaves the picture
// readable: where it came from is said by the marks.
func TestEffectsKeepTheViewClear(t *testing.T) {
	for _, dt := range []float32{0.001, 0.016, 0.1} {
		v := fight(t)
		v.DT = dt
		var st desktop.Stage
		st.Reset()
		var f scene.Frame
		for range 10 {
			shots(&st, v)
		}
		for range 20 {
			st.Build(&f, v)
			for i := range f.Sprites {
				if s := &f.Sprites[i]; s.Kind == scene.SparkSprite && s.Vel.Len() > 1 {
					t.Fatalf("frames of %v s: a spark is %v m long", dt, s.Vel.Len())
				}
			}
			if f.Tint.A > 32 {
				t.Fatalf("frames of %v s: tint %v", dt, f.Tint)
			}
		}
	}
}

func TestFiguresFollowWhatIsShown(t *testing.T) {
	v := fight(t)
	e := v.Others[len(v.Others)-5]
	e.Duck01, e.Lean11, e.Pose = 1, -0.5, state.PoseOnGround|state.PoseDucked
	dead := e
	dead.ID, dead.Pose = 77, state.PoseDead
	v.Others = []client.Shown{e, dead, {Entity: state.Entity{ID: v.ID, Kind: state.KindPlayer}}}
	var st desktop.Stage
	st.Reset()
	var f scene.Frame
	st.Build(&f, v)
	if len(f.Figures) != 2 {
		t.Fatalf("%d figures: the own body is not drawn while alive", len(f.Figures))
	}
	if g := f.Figures[0]; g.Crouch != 1 || g.Lean != -0.5 || g.Dead != 0 || g.Weapon != scene.Rifle {
		t.Errorf("figure %+v", g)
	}
	if f.Figures[1].Dead != 1 {
		t.Errorf("one who lies dead when first seen is at %v of falling", f.Figures[1].Dead)
	}
	v.Alive, v.Own.Flags = false, state.Dead
	for range 60 {
		st.Build(&f, v)
	}
	if len(f.Figures) != 3 || f.View.Weapon != scene.NoWeapon {
		t.Errorf("dead: %d figures, weapon %d", len(f.Figures), f.View.Weapon)
	}
	if d := f.Camera.Pos.Sub([3]float32{v.Own.Pos.X, v.Own.Pos.Y, v.Own.Pos.Z}).Len(); d < 0.7 {
		t.Errorf("the dead look from %v m", d)
	}
}

// What a predicted shot showed is gone when the shot is cancelled, and only that.
func TestCancelledShotsLeaveNoTrace(t *testing.T) {
	v := fight(t)
	v.Others = nil
	count := func(f *scene.Frame) int { return len(f.Sprites) + len(f.Lights) + len(f.Beams) }
	draw := func(st *desktop.Stage) int {
		var f scene.Frame
		f.HUD.Resize(640, 360)
		st.Build(&f, v)
		return count(&f)
	}
	var st desktop.Stage
	st.Reset()
	empty := draw(&st)
	show := func(k client.Key) {
		for _, e := range [...]state.Event{
			{Kind: state.EvFire, Actor: 1, Weapon: tables.Rifle, Pos: v.Eye, Dir: vec.V3{X: 1}},
			{Kind: state.EvImpact, Actor: 1, Pos: v.Eye, Dir: vec.Up},
		} {
			k.Kind = e.Kind
			st.Predicted(&e, k)
		}
	}
	cancel := func(k client.Key) {
		for _, k.Kind = range [...]state.EventKind{state.EvFire, state.EvImpact} {
			st.Cancel(k)
		}
	}
	a, b := client.Key{Tick: 7, N: 1}, client.Key{Tick: 8, N: 2}
	show(a)
	one := draw(&st)
	show(b)
	if two := draw(&st); one <= empty || two <= one {
		t.Fatalf("%d, %d, %d things to draw", empty, one, two)
	}
	cancel(b)
	if got := draw(&st); got > one || got <= empty {
		t.Errorf("one of two cancelled: %d things, one alone had %d", got, one)
	}
	cancel(a)
	cancel(client.Key{})
	if got := draw(&st); got != empty {
		t.Errorf("both cancelled: %d things, %d without any", got, empty)
	}
}
