package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// A suppressor that rules give stays through a life and the next, is on the rifle and on
// nothing that is as loud with one, and can be seen on the muzzle.
func TestASuppressorIsOnWhatTakesOne(t *testing.T) {
	set := tables.Arena()
	p := &state.Player{Flags: state.Suppressed}
	for w, want := range map[uint8]bool{tables.Rifle: true, tables.Rocket: false, tables.Knife: false, tables.SmokeGrenade: false, tables.NoWeapon: false, 200: false} {
		if got := weapon.Suppressed(p, w, &set); got != want {
			t.Errorf("weapon %d: suppressed is %v, want %v", w, got, want)
		}
	}
	p.Flags = 0
	if weapon.Suppressed(p, tables.Rifle, &set) {
		t.Error("a rifle is suppressed of somebody who carries no suppressor")
	}
	set.Weapons[tables.Rifle].Suppressor = true
	if !weapon.Suppressed(p, tables.Rifle, &set) {
		t.Error("a rifle with one of its own is not")
	}
}

func TestASuppressorMufflesShots(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-10, 0, 0), 0)
	fires := func() (loud, soft int) {
		for range 64 {
			r.press(1, state.BtnFire)
			r.run(1)
			for _, e := range r.s.Events() {
				switch {
				case e.Kind == state.EvFire && e.Muffled:
					soft++
				case e.Kind == state.EvFire:
					loud++
				}
			}
		}
		return loud, soft
	}
	seen := func() bool { e := r.s.Entity(1); w, on := e.Arm(); return on && w == p.Weapon }
	if loud, soft := fires(); loud == 0 || soft > 0 || seen() {
		t.Fatalf("without one: %d loud shots, %d through a suppressor, seen %v", loud, soft, seen())
	}
	r.apply(0, rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: state.Suppressed})
	if loud, soft := fires(); loud > 0 || soft == 0 || !seen() {
		t.Fatalf("with one: %d loud shots, %d through it, seen %v", loud, soft, seen())
	}
	r.apply(0, rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags2: state.Suppressed})
	if loud, soft := fires(); loud == 0 || soft > 0 || seen() {
		t.Fatalf("taken away: %d loud shots, %d through it, seen %v", loud, soft, seen())
	}
}
