package scenario_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
)

// Of somebody who is heard, the viewer is told no more than the sound's precision: two
// worlds in which the hidden player stands and shoots an eighth of a metre apart, 34 m
// away, where sound is rounded to half a metre, give the same packets unless a line of
// the grid lies between; and the mistake that sends the exact place is found.
func TestASoundTellsItsPlaceRoughly(t *testing.T) {
	exact := leak{name: "the exact place of a sound", view: func(w *proveWorld, v *vis.View) {
		p := w.hiddenBody()
		for i := range v.Events() {
			if e := &v.Events()[i]; p != nil && e.Kind == state.EvFire && e.Actor == proveHidden {
				e.Pos.X = p.Pos.X
			}
		}
	}}
	const worlds = 4
	for _, l := range []leak{{}, exact} {
		same, heard := 0, 0
		for n := range uint64(worlds) {
			cfg := proveConfig{
				spec: deaddrop.Spec(), seed: *seed*1000 + n, path: 1, ticks: 300, earshot: asShipped, own: stands, leak: l,
				at: [4]float32{-24, -30, 10, 24},
				hidden: func(*rand.Rand, int) state.Cmd {
					return state.Cmd{Buttons: state.BtnFire, Weapon: 1, Pitch: state.AngleOf(-5)}
				},
			}
			loaded := proveLevel(t, cfg.seed)
			a := runWorld(t, loaded, cfg)
			cfg.at[2] += 0.125
			b := runWorld(t, loaded, cfg)
			if kind, _ := difference(a, b); kind == "" {
				same++
			}
			if heard += min(a.audible, b.audible); a.told || b.told {
				t.Fatal("the hidden player is sent")
			}
		}
		t.Logf("%q: %d of %d pairs the same, %d sounds", l.name, same, worlds, heard)
		switch {
		case heard < 20*worlds:
			t.Errorf("%d sounds: nothing is proved", heard)
		case l.name == "" && same < worlds/2:
			t.Errorf("%d of %d pairs the same: sounds tell more than their precision", same, worlds)
		case l.name != "" && same > 0:
			t.Errorf("%q is not found in %d of %d pairs", l.name, same, worlds)
		}
	}
}
