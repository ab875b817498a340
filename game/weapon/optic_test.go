package weapon_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/weapon"
)

// TestRaiseTakesItsTime: at every tick rate an optic comes to the eye and goes down in
// the time of its table, to a tick and the rounding of its steps; it is asked for from the first tick on.
func TestRaiseTakesItsTime(t *testing.T) {
	set := tables.Arena()
	for _, rate := range []int{20, 64, 128} {
		for o := range tables.NumOptics {
			p := state.Player{Health: 100, Weapon: tables.Rifle, Owned: 1 << tables.Rifle, Optic: uint8(o)}
			count := func(aim bool, until uint8) (n int) {
				p.Flags &^= state.Aiming // as pmove does
				if aim {
					p.Flags |= state.Aiming
				}
				for p.Raise != until && n < 1000 {
					weapon.Step(&p, state.Cmd{}, weapon.Env{Set: &set, TickRate: rate})
					if n++; aim != weapon.Asks(&p) {
						t.Fatalf("optic %d, tick %d: asks %v", o, n, weapon.Asks(&p))
					}
				}
				return n
			}
			t255 := func(ms float32) float64 { return float64(ms) * float64(rate) / 1000 }
			up, down := count(true, 255), count(false, 0)
			if u, d := t255(set.Optics[o].RaiseMS), t255(set.Optics[o].LowerMS); float64(up) < u*0.93-1 || float64(up) > u*1.07+1 || float64(down) < d*0.93-1 || float64(down) > d*1.07+1 {
				t.Errorf("%s at %d Hz: up in %d ticks, down in %d, want %.1f and %.1f", set.Optics[o].Name, rate, up, down, u, d)
			}
		}
	}
}

// TestSpreadNarrowsWithTheRaise and is no narrower at once: aiming in haste is no aim.
func TestSpreadNarrowsWithTheRaise(t *testing.T) {
	set := tables.Arena()
	p := state.Player{Health: 100, Weapon: tables.Rifle, Owned: 1 << tables.Rifle, Optic: tables.Scope8x, Flags: state.OnGround | state.Aiming}
	hip := weapon.SpreadOf(&p, &set)
	last := hip + 1
	for raise := range 256 {
		p.Raise = uint8(raise)
		s := weapon.SpreadOf(&p, &set)
		if s > last || s < 0 {
			t.Fatalf("raised by %d: %v after %v", raise, s, last)
		}
		last = s
	}
	want := hip * set.Weapons[tables.Rifle].SpreadAim * set.Optics[tables.Scope8x].Spread
	if p.Raise = 0; weapon.SpreadOf(&p, &set) != hip || last < want*0.999 || last > want*1.001 {
		t.Errorf("from the hip %v, through the optic %v, want %v", hip, last, want)
	}
}

// TestOpticOfTheWeaponInHand: what is carried fits some weapons only, and lowering it
// goes with changing the weapon.
func TestOpticOfTheWeaponInHand(t *testing.T) {
	set := tables.Arena()
	p := state.Player{Health: 100, Weapon: tables.Rifle, Owned: 255, Optic: tables.Scope4x, Flags: state.Aiming, Raise: 255}
	p.Ammo[tables.Rocket] = 5
	for _, c := range []struct {
		weapon, optic uint8
		want          int
	}{
		{tables.Rifle, tables.Scope4x, tables.Scope4x}, {tables.Rifle, 0, tables.Iron}, {tables.Rocket, tables.Scope4x, tables.Iron},
		{tables.Knife, tables.Scope8x, tables.Iron}, {0, tables.Scope8x, tables.Iron}, {tables.Rifle, 200, tables.Iron}, {200, 1, tables.Iron},
	} {
		if got := weapon.OpticOf(&state.Player{Weapon: c.weapon, Optic: c.optic}, &set); got != c.want {
			t.Errorf("weapon %d with optic %d: %d, want %d", c.weapon, c.optic, got, c.want)
		}
	}
	env := weapon.Env{Set: &set, TickRate: 64}
	weapon.Step(&p, state.Cmd{Weapon: tables.Rocket}, env)
	if weapon.Asks(&p) || p.Raise == 255 {
		t.Errorf("while the weapon is changed it asks %v, raised by %d", weapon.Asks(&p), p.Raise)
	}
	for range 100 {
		if weapon.Step(&p, state.Cmd{}, env).Switched {
			break
		}
	}
	if p.Weapon != tables.Rocket || p.Raise > 60 {
		t.Errorf("weapon %d in hand with an optic raised by %d", p.Weapon, p.Raise)
	}
}
