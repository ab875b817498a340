package server

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/weapon"
)

// TestScopeIsOfTheInventory: every bit that a command has, and every weapon that it may
// name, gives a client the optic that its player carries, while the player aims as the
// simulation has it, and never another one.
func TestScopeIsOfTheInventory(t *testing.T) {
	const seed = 5
	b := level.NewBuilder("floor")
	if err := b.AddBox(0, vec.Box{Min: vec.V3{X: -99, Y: -99, Z: -1}, Max: vec.V3{X: 99, Y: 99}}, level.Solid, "t"); err != nil {
		t.Fatal(err)
	}
	scene := trace.New(b.Build()).Closed()
	set := tables.Arena()
	r := vec.NewRand(seed)
	for carried := range uint8(tables.NumOptics) {
		p := &state.Player{Health: 100, Weapon: tables.Rifle, Owned: 1<<tables.Rifle | 1<<tables.Rocket | 1<<tables.Knife, Optic: carried}
		c := &conn{}
		asked := 0
		for tick := state.Tick(1000); tick < 4000; tick++ {
			cmd := state.Cmd{Tick: tick, Buttons: state.Buttons(r.Uint64()), Weapon: uint8(r.Intn(300)), Yaw: state.Angle16(r.Uint64())}
			if r.Intn(3) > 0 {
				cmd.Buttons |= state.BtnAim
				cmd.Weapon = 0
			}
			if r.Intn(4) == 0 {
				cmd.Weapon = tables.Rifle
			}
			before := p.Optic
			pmove.Step(p, cmd, pmove.Env{World: &scene, Move: &set.Movement, TickRate: 64, AimSpeed: weapon.AimSpeed(p, &set)})
			weapon.Step(p, cmd, weapon.Env{Set: &set, TickRate: 64, Tick: tick})
			c.looks(p, &set, tick, 64)
			if p.Optic != before {
				t.Fatalf("seed %d: a command changed the optic from %d to %d", seed, before, p.Optic)
			}
			o := &set.Optics[carried]
			aims := p.Flags&state.Aiming != 0 && p.Next == 0 && set.Weapons[p.Weapon].Mounts
			switch {
			case !o.Magnifies() && c.scope != (vis.Scope{}):
				t.Fatalf("seed %d: iron sights give %+v", seed, c.scope)
			case o.Magnifies() && c.scope.Asks(tick) != aims:
				t.Fatalf("seed %d: tick %d asks %v, wanted %v", seed, tick, c.scope.Asks(tick), aims)
			case aims && o.Magnifies():
				asked++
				if c.scope.Magnification != o.Magnification || c.scope.RangeM != o.RangeM || c.scope.HalfDeg != o.FovDeg/2 {
					t.Fatalf("seed %d: carries %s, looks through %+v", seed, o.Name, c.scope)
				}
			}
		}
		if set.Optics[carried].Magnifies() && asked < 50 {
			t.Errorf("optic %d was asked for in %d ticks", carried, asked)
		}
		p.Flags |= state.Dead
		c.looks(p, &set, 9000, 64)
		c.looks(nil, &set, 9001, 64)
		if c.scope != (vis.Scope{}) {
			t.Errorf("the dead keep %+v", c.scope)
		}
	}
}
