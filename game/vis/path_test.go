package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// The View of somebody new tells where it came from, within this life and within
// the viewer's delay, and only for a moment. A body that stayed in view has no
// path, nor has a thing, nor anyone when nothing is remembered.
func TestPathOfWhoComesIntoView(t *testing.T) {
	var f vis.Frame
	var in vis.Input
	var ans vis.Answer
	var v vis.View
	jumped := state.Tick(0) // first tick of the present life
	build := func(tick state.Tick, shown bool, interp uint16) vis.Known {
		in.Reset(tick, 64)
		f.Reset(tick)
		f.Own = append(f.Own, vis.Own{ID: 1, Interp: interp})
		f.Entities = append(f.Entities, state.Entity{ID: 7, Kind: state.KindPlayer, Teleports: 1}, state.Entity{ID: 1030, Kind: state.KindPickup})
		in.Subjects = append(in.Subjects, vis.Subject{ID: 7, Kind: state.KindPlayer, Alive: true}, vis.Subject{ID: 1030, Kind: state.KindPickup, Alive: true})
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: -1, ID: 1})
		in.SizeAsked()
		ans.Reset(&in)
		ans.Allow(0, 1, vis.Open, tick, 0)
		if shown {
			ans.Allow(0, 0, vis.Open, tick, 0)
		}
		vis.Build(&f, &in, &ans, 0, &v)
		if k := v.Entities()[len(v.Entities())-1]; len(k.Path) != 0 {
			t.Fatalf("a thing has a path: %+v", k)
		}
		if !shown {
			return vis.Known{}
		}
		return v.Entities()[0]
	}
	build(99, false, 1024)
	if k := build(100, true, 1024); k.Since != 100 || len(k.Path) != 0 {
		t.Errorf("nothing is remembered: %+v", k)
	}
	f.Past = func(id state.ID, tick state.Tick) (state.Body, bool) {
		b := state.Body{Pos: state.Q{X: int32(tick)}, Teleports: 1, Alive: true}
		if int32(tick-jumped) < 0 {
			b.Teleports = 0
		}
		return b, true
	}
	for _, c := range []struct {
		name   string
		ago    int // ticks since it came into view
		life   int // ticks since it teleported
		interp uint16
		want   int
	}{
		{"new", 0, 1000, 1024, 2}, {"new, short delay", 0, 1000, 1, 1}, {"new, long delay", 0, 1000, 65535, 7},
		{"no delay", 0, 1000, 0, 0}, {"a moment later", 8, 1000, 1024, 2}, {"known", 9, 1000, 1024, 0},
		{"just arrived", 0, 3, 1024, 1}, {"this tick", 0, 0, 1024, 0},
	} {
		tick := state.Tick(1000)
		build(tick-1, false, c.interp)
		var k vis.Known
		for n := range c.ago + 1 {
			now := tick + state.Tick(n)
			jumped = now - state.Tick(c.life)
			k = build(now, true, c.interp)
		}
		if k.Since != tick || len(k.Path) != c.want {
			t.Errorf("%s: since %d, %d places, want %d", c.name, k.Since, len(k.Path), c.want)
		}
		for i, p := range k.Path {
			if want := int32(tick) + int32(c.ago) - int32(2*(i+1)); p.Pos.X != want {
				t.Errorf("%s: place %d is of tick %d, want %d", c.name, i, p.Pos.X, want)
			}
		}
	}
	build(1100, true, 1024)
	if k := build(1100+8, true, 1024); k.Since != 1100 {
		t.Errorf("8 ticks without a View: since %d", k.Since)
	}
	if k := build(2000, true, 1024); k.Since != 2000 {
		t.Errorf("long without a View: since %d", k.Since)
	}
	if k := build(5, true, 1024); k.Since != 5 { // another level
		t.Errorf("time was set back: since %d", k.Since)
	}
}
