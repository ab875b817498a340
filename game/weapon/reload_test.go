package weapon_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/weapon"
)

// A magazine is emptied, changed in its time and filled from what is carried; another
// weapon breaks the change off, and so does what is not there to be loaded.
func TestMagazines(t *testing.T) {
	set := testSet()
	w := &set.Weapons[tables.Rifle]
	w.Mag, w.ReloadMS = 5, 500
	start := func(ammo uint16) state.Player {
		p := soldier()
		p.Ammo[tables.Rifle] = ammo
		weapon.Load(&p, tables.Rifle, set)
		return p
	}
	// Held on: five shots, a reload of half a second, five more, and so on: 12 in all.
	for _, rate := range []int{20, 64, 128} {
		p := start(12)
		fired, outs := run(&p, set, rate, rate*4, hold)
		reloads := 0
		for _, o := range outs {
			if o.Reloads {
				reloads++
			}
		}
		if len(fired) != 12 || reloads != 2 || p.Ammo[tables.Rifle] != 0 || p.Mag[tables.Rifle] != 0 {
			t.Fatalf("%d Hz: %d shots, %d reloads, left %d and %d", rate, len(fired), reloads, p.Ammo[tables.Rifle], p.Mag[tables.Rifle])
		}
		if pause := fired[5] - fired[4]; pause < rate/2 || pause > rate/2+rate/8+2 {
			t.Errorf("%d Hz: %d ticks between magazines", rate, pause)
		}
	}
	env := weapon.Env{Set: set, TickRate: 64}
	ask := state.Cmd{Buttons: state.BtnReload}
	p := start(12)
	if o := weapon.Step(&p, ask, env); o.Reloads || p.Reload != 0 {
		t.Error("a full magazine is changed")
	}
	weapon.Step(&p, hold(0), env)
	for range 8 {
		weapon.Step(&p, state.Cmd{}, env)
	}
	if o := weapon.Step(&p, ask, env); !o.Reloads || p.Mag[tables.Rifle] != 4 {
		t.Fatalf("asked to reload: %+v, %d in it", o, p.Mag[tables.Rifle])
	}
	if o := weapon.Step(&p, hold(0), env); o.Fired || o.Reloads {
		t.Error("fires while it is reloaded")
	}
	mid := p
	for range 40 {
		weapon.Step(&p, state.Cmd{}, env)
	}
	if spare, ok := weapon.Spare(&p, tables.Rifle, set); !ok || p.Mag[tables.Rifle] != 5 || spare != 6 {
		t.Errorf("after it %d and %d beside", p.Mag[tables.Rifle], spare)
	}
	p = mid
	weapon.Step(&p, state.Cmd{Weapon: tables.Rocket}, env)
	weapon.Step(&p, state.Cmd{Weapon: tables.Rifle}, env)
	for range 100 {
		weapon.Step(&p, state.Cmd{}, env)
	}
	if p.Mag[tables.Rifle] != 4 || p.Reload != 0 {
		t.Errorf("a change that was broken off left %d", p.Mag[tables.Rifle])
	}
	p = mid
	p.Flags |= state.Dead
	weapon.Step(&p, state.Cmd{}, env)
	if p.Reload != 0 {
		t.Error("the dead reload")
	}
	// Rounds that are taken away are not in the magazine any more.
	p = start(12)
	p.Ammo[tables.Rifle] = 2
	if fired, _ := run(&p, set, 64, 200, hold); len(fired) != 2 {
		t.Errorf("%d shots of two rounds", len(fired))
	}
	// A weapon without a magazine knows none of it.
	if _, ok := weapon.Spare(&p, tables.Rocket, set); ok {
		t.Error("the rocket launcher has a magazine")
	}
}
