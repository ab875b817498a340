package sim_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// armed puts two of given teams face to face, with full rifles.
func (r *rig) armed(a, b int32) {
	r.t.Helper()
	r.enter(1, vec.New(-16, 12, 0.1), 0)
	r.enter(2, vec.New(-10, 12, 0.1), 180)
	r.apply(0,
		rules.Op{Kind: rules.OpSetTeam, ID: 1, Value: a}, rules.Op{Kind: rules.OpSetTeam, ID: 2, Value: b},
		rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rifle, Value: 30}, rules.Op{Kind: rules.OpGive, ID: 2, Weapon: tables.Rifle, Value: 30})
	r.run(30)
	r.aim(1, vec.New(-10, 12, 1))
}

// A mate is spared as much of a blow as the shield says, an enemy nothing, nobody in a
// free-for-all, and the change is there in the next tick.
func TestMatesAreShielded(t *testing.T) {
	harm := func(teams sim.Teams, a, b int32) int {
		r := newRig(t, func(c *sim.Config) { c.Teams = teams })
		r.armed(a, b)
		r.shot(1)
		return 100 - int(r.s.Player(2).Health)
	}
	full := harm(sim.Teams{}, 1, 2)
	if full < 5 {
		t.Fatalf("a shot takes %d", full)
	}
	for _, c := range []struct {
		name  string
		teams sim.Teams
		a, b  int32
		want  int
	}{
		{"mates without a shield", sim.Teams{}, 1, 1, full},
		{"half", sim.Teams{Shield: 50}, 1, 1, int(float32(full)/2 + 0.5)},
		{"whole", sim.Teams{Shield: 100}, 1, 1, 0},
		{"enemies", sim.Teams{Shield: 100}, 1, 2, full},
		{"without a team", sim.Teams{Shield: 100}, 0, 0, full},
		{"free-for-all", sim.Teams{Shield: 100, FreeForAll: true}, 1, 1, full},
	} {
		if got := harm(c.teams, c.a, c.b); got != c.want {
			t.Errorf("%s: a shot takes %d, want %d", c.name, got, c.want)
		}
	}
	r := newRig(t, func(c *sim.Config) { c.Teams = sim.Teams{Shield: 100} })
	r.armed(1, 1)
	r.shot(1)
	if r.count(state.EvHurt) != 0 || r.s.Player(2).Health != 100 {
		t.Error("a blow of nothing is felt")
	}
	r.apply(0, rules.Op{Kind: rules.OpTeams, Value: 1, Value2: 100})
	if r.s.Mates(1, 2) || r.s.Side(1) != 0 {
		t.Error("mates in a free-for-all")
	}
	r.shot(1)
	if r.s.Player(2).Health == 100 {
		t.Error("the free-for-all has not begun")
	}
	r.apply(2, rules.Op{Kind: rules.OpTeams, Value: 2}, rules.Op{Kind: rules.OpTeams, Value2: 101})
	r.apply(0, rules.Op{Kind: rules.OpTeams, Value2: 100})
	// The rules' own word is not softened, and one's own rocket is no mate's.
	r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 2})
	if r.s.Player(2).Alive() {
		t.Error("a mate survives the rules")
	}
}

// things counts those of a kind and returns the last; of pickups the rifles, of which
// the fixture has none of its own.
func things(s *sim.Sim, k state.Kind) (n int, last sim.Thing) {
	for _, th := range s.Things() {
		if th.Kind == k && (k != state.KindPickup || th.Weapon == uint8(level.PickRifle)) {
			n, last = n+1, th
		}
	}
	return n, last
}

// The dead leave what is in their hand, with its rounds, on the floor below; who comes
// by takes it; what nobody takes fades after 20 s. Without the setting nobody leaves
// anything.
func TestTheDeadLeaveTheirWeapon(t *testing.T) {
	for _, on := range []bool{false, true} {
		r := newRig(t, func(c *sim.Config) { c.Drops = on })
		r.armed(0, 0)
		rounds := int(r.s.Player(2).Ammo[tables.Rifle])
		r.apply(0, rules.Op{Kind: rules.OpTeleport, ID: 2, Pos: vec.New(-10, 12, 2)})
		r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 2})
		r.run(1)
		n, th := things(r.s, state.KindPickup)
		if !on {
			if n != 0 {
				t.Error("without the setting something is left")
			}
			continue
		}
		if n != 1 || th.Pos.Dist(vec.New(-10, 12, 0)) > 0.1 || th.Vel != (vec.V3{}) {
			t.Fatalf("%d left, at %v", n, th.Pos)
		}
		had := int(r.s.Player(1).Ammo[tables.Rifle])
		r.walk(1, 127, 0)
		r.run(100)
		if n, _ := things(r.s, state.KindPickup); n != 0 {
			t.Errorf("%d lie there after somebody came by", n)
		}
		most := int(tables.Arena().Weapons[tables.Rifle].AmmoMax)
		if got := int(r.s.Player(1).Ammo[tables.Rifle]); got != min(had+rounds, most) {
			t.Errorf("%d rounds, had %d and found %d", got, had, rounds)
		}
		r.walk(1, 0, 0)
		r.enter(3, vec.New(10, -5, 0.1), 0)
		r.apply(0, rules.Op{Kind: rules.OpGive, ID: 3, Weapon: tables.Rifle, Value: 5})
		r.run(20)
		r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 3})
		r.run(19 * rate)
		if n, _ := things(r.s, state.KindPickup); n != 1 {
			t.Fatalf("%d lie there after 19 s", n)
		}
		r.run(2 * rate)
		if n, _ := things(r.s, state.KindPickup); n != 0 {
			t.Errorf("%d lie there after 21 s", n)
		}
	}
}

// An objective is one thing, on whoever carries it or where it lies: who dies, looks on
// or leaves puts it down on the floor where it was, and what it cannot be told is
// refused.
func TestObjectivesAreCarriedAndPutDown(t *testing.T) {
	for _, end := range []string{"dies", "looks on", "leaves", "puts it down"} {
		r := newRig(t, nil)
		r.enter(1, vec.New(-10, 8, 0.1), 0)
		r.enter(2, vec.New(-10, 14, 0.1), 0)
		r.run(10)
		r.apply(0, rules.Op{Kind: rules.OpPlace, Value: 2, Pos: vec.New(-12, 4, 0.1)})
		r.run(1)
		if n, th := things(r.s, state.KindObjective); n != 1 || th.Owner != 0 || th.Weapon != 2 {
			t.Fatalf("%d, %+v", n, th)
		}
		_, first := things(r.s, state.KindObjective)
		r.apply(0, rules.Op{Kind: rules.OpCarry, ID: 2, Value: 2})
		r.apply(0, rules.Op{Kind: rules.OpCarry, ID: 1, Value: 2}) // from the other's back
		r.walk(1, 127, -90)
		r.run(20)
		p := r.s.Player(1)
		if n, th := things(r.s, state.KindObjective); n != 1 || th.Owner != 1 || th.ID != first.ID || th.Pos.Dist(p.Pos) > 1.2 || th.Vel != p.Vel {
			t.Fatalf("%s: %d, %+v of who is at %v", end, n, th, p.Pos)
		}
		at := p.Pos
		switch end {
		case "dies":
			r.apply(0, rules.Op{Kind: rules.OpKillOff, ID: 1})
		case "looks on":
			r.apply(0, rules.Op{Kind: rules.OpSpectate, ID: 1})
		case "leaves":
			r.s.Leave(1)
			delete(r.cmds, 1)
		case "puts it down":
			r.apply(0, rules.Op{Kind: rules.OpPlace, Value: 2, Value2: 1})
		}
		carrier, lies, ok := r.s.Objective(2)
		if !ok || carrier != 0 || lies.Dist(vec.New(at.X, at.Y, 0)) > 0.2 {
			t.Errorf("%s: carried by %d at %v, was at %v", end, carrier, lies, at)
		}
		r.run(1)
		r.apply(7,
			rules.Op{Kind: rules.OpPlace, Value: 2, Value2: 1},                               // nobody carries it
			rules.Op{Kind: rules.OpPlace, Value: 3, Value2: 1},                               // there is none
			rules.Op{Kind: rules.OpPlace, Value: 8, Pos: vec.New(0, 4, 0.1)},                 // no such number
			rules.Op{Kind: rules.OpPlace, Value: 1, Pos: vec.New(1e9, 0, 0)},                 // nowhere
			rules.Op{Kind: rules.OpCarry, ID: 2, Value: -1},                                  // no such number
			rules.Op{Kind: rules.OpCarry, ID: 9, Value: 2},                                   // nobody
			rules.Op{Kind: rules.OpPlace, Value: 1, Pos: vec.New(0, 0, float32(math.NaN()))}) // no place
		r.apply(0, rules.Op{Kind: rules.OpRemove, ID: first.ID})
		r.run(1)
		if n, _ := things(r.s, state.KindObjective); n != 0 {
			t.Errorf("%s: it is still there", end)
		}
	}
}
