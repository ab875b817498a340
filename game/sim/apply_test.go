package sim_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

func TestBadOpsAreDroppedAndCounted(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	here := vec.New(-10, 0, 0)
	for _, c := range []struct {
		name string
		op   rules.Op
		want sim.Bad
	}{
		{"no such kind", rules.Op{Kind: rules.NumOps, ID: 1}, sim.BadKind},
		{"kind 255", rules.Op{Kind: 255, ID: 1}, sim.BadKind},
		{"spawn nobody", rules.Op{Kind: rules.OpSpawn, ID: 0, Pos: here}, sim.BadID},
		{"spawn a stranger", rules.Op{Kind: rules.OpSpawn, ID: 7, Pos: here}, sim.BadID},
		{"spawn a thing", rules.Op{Kind: rules.OpSpawn, ID: 1024, Pos: here}, sim.BadID},
		{"spawn an id beyond the slots", rules.Op{Kind: rules.OpSpawn, ID: 65535, Pos: here}, sim.BadID},
		{"spawn at NaN", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(0, nan, 0)}, sim.BadNumber},
		{"spawn at infinity", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(inf, 0, 0)}, sim.BadNumber},
		{"spawn looking at NaN", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: here, Yaw: nan}, sim.BadNumber},
		{"spawn in a wall", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(0, 10, 2)}, sim.BadPlace},
		{"spawn inside a door", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(0, 0, 0)}, sim.BadPlace},
		{"spawn outside", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(0, 0, 5000)}, sim.BadPlace},
		{"spawn below", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(0, 0, -60)}, sim.BadPlace},
		{"spawn with endless health", rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: here, Value: 1 << 30}, sim.BadRange},
		{"kill the dead", rules.Op{Kind: rules.OpKillOff, ID: 2}, sim.BadState},
		{"teleport the dead", rules.Op{Kind: rules.OpTeleport, ID: 2, Pos: here}, sim.BadState},
		{"teleport into a wall", rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(0, 10, 2)}, sim.BadPlace},
		{"set dead by flag", rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: state.Dead}, sim.BadRange},
		{"clear spectating by flag", rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags2: state.Spectating}, sim.BadRange},
		{"team -1", rules.Op{Kind: rules.OpSetTeam, ID: 1, Value: -1}, sim.BadRange},
		{"give no weapon", rules.Op{Kind: rules.OpGive, ID: 1, Weapon: 0}, sim.BadRange},
		{"give weapon 200", rules.Op{Kind: rules.OpGive, ID: 1, Weapon: 200}, sim.BadRange},
		{"give negative rounds", rules.Op{Kind: rules.OpGive, ID: 1, Weapon: 1, Value: -5}, sim.BadRange},
		{"take weapon 9", rules.Op{Kind: rules.OpTake, ID: 1, Weapon: 9}, sim.BadRange},
		{"heal by damage", rules.Op{Kind: rules.OpHeal, ID: 1, Value: -5}, sim.BadRange},
		{"damage by nothing", rules.Op{Kind: rules.OpDamage, ID: 1}, sim.BadRange},
		{"door -1", rules.Op{Kind: rules.OpDoor, Value: -1}, sim.BadRange},
		{"door 2", rules.Op{Kind: rules.OpDoor, Value: 2}, sim.BadRange},
		{"phase 9", rules.Op{Kind: rules.OpPhase, Value: 9}, sim.BadRange},
		{"score beyond its word", rules.Op{Kind: rules.OpScore, ID: 1, Value: 1 << 20}, sim.BadRange},
		{"remove nothing", rules.Op{Kind: rules.OpRemove, ID: 0}, sim.BadID},
		{"remove a player", rules.Op{Kind: rules.OpRemove, ID: 1}, sim.BadID},
		{"remove a rocket that is not", rules.Op{Kind: rules.OpRemove, ID: 4000}, sim.BadID},
		{"vehicle of no type", rules.Op{Kind: rules.OpVehicle, Value: 1, Weapon: tables.NumVehicles}, sim.BadRange},
		{"vehicle in a wall", rules.Op{Kind: rules.OpVehicle, Value: 1, Pos: vec.New(0, 10, 2)}, sim.BadPlace},
		{"remove no vehicle", rules.Op{Kind: rules.OpVehicle, ID: 4000}, sim.BadID},
		{"long text", rules.Op{Kind: rules.OpAnnounce, Text: strings.Repeat("x", rules.MaxText+1)}, sim.BadText},
		{"announce to a stranger", rules.Op{Kind: rules.OpAnnounce, ID: 9}, sim.BadID},
		{"watch a stranger", rules.Op{Kind: rules.OpSpectate, ID: 1, Value: 9}, sim.BadID},
		{"watch -1", rules.Op{Kind: rules.OpSpectate, ID: 1, Value: -1}, sim.BadID},
	} {
		r := newRig(t, nil)
		r.enter(1, here, 0)
		r.s.Join(2, 0)
		r.run(2)
		was := r.s.Hash()
		r.apply(1, c.op)
		if r.s.BadOps()[c.want] != 1 {
			t.Errorf("%s: counted as %v, want %v", c.name, r.s.BadOps(), c.want)
		}
		if r.s.Hash() != was {
			t.Errorf("%s: dropped, and yet it changed something", c.name)
		}
	}
}

func TestGoodOpsOfABadBatchApply(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-10, 0, 0), 0)
	r.apply(2,
		rules.Op{Kind: 99}, rules.Op{Kind: rules.OpDamage, ID: 1, Value: 20},
		rules.Op{Kind: rules.OpDamage, ID: 5, Value: 20}, rules.Op{Kind: rules.OpAnnounce, Text: "hello"})
	if p.Health != 80 {
		t.Errorf("health %d", p.Health)
	}
	many := make([]rules.Op, rules.MaxOps+7)
	r.apply(7, many...)
	if r.s.BadOps()[sim.BadCount] != 7 {
		t.Error("not counted")
	}
}

func TestOpsOnWeaponsAndFlags(t *testing.T) {
	r := newRig(t, nil)
	p := r.enter(1, vec.New(-10, 0, 0), 0)
	for _, w := range []uint8{tables.SmokeGrenade, tables.FlashGrenade} {
		r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: w})
	}
	f := p.Forced
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rifle}, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Rocket})
	if p.Owned != 1<<tables.Knife || p.Weapon != tables.Knife || p.Forced != f+2 {
		t.Errorf("after taking the guns: %+v", p)
	}
	r.apply(0, rules.Op{Kind: rules.OpTake, ID: 1, Weapon: tables.Knife})
	if p.Owned != 0 || p.Weapon != 0 || p.Forced != f+3 {
		t.Errorf("after taking all: %+v", p)
	}
	r.press(1, state.BtnFire)
	r.run(20)
	r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rocket, Value: 9})
	if p.Weapon != tables.Rocket || p.Ammo[tables.Rocket] != 9 {
		t.Errorf("after giving: %+v", p)
	}
	r.apply(0, rules.Op{Kind: rules.OpSetFlags, ID: 1, Flags: state.NoFire})
	r.run(20)
	if p.Ammo[tables.Rocket] != 9 {
		t.Error("fires against the rules")
	}
	r.apply(0, rules.Op{Kind: rules.OpSpectate, ID: 1})
	r.run(5)
	if p.Alive() || r.s.Entity(1).Kind != state.KindNone {
		t.Error("a spectator has a body")
	}
	rows := r.s.RulesRows(nil)
	if len(rows) != 1 || rows[0].DeadFor != 5 || rows[0].Buttons != state.BtnFire {
		t.Errorf("rows %+v", rows)
	}
	r.apply(0, rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: vec.New(-10, 0, 0)})
	if !p.Alive() || p.Flags&state.NoFire == 0 {
		t.Error("the rules' flags do not outlive a death")
	}
}

// decodeOps reads operations from fuzzed bytes, 32 each.
func decodeOps(b []byte) []rules.Op {
	var ops []rules.Op
	for ; len(b) >= 32; b = b[32:] {
		f := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[i:])) }
		op := rules.Op{
			Kind: rules.OpKind(b[0]), ID: state.ID(binary.LittleEndian.Uint16(b[1:])), Weapon: b[3],
			Flags: state.Flags(binary.LittleEndian.Uint16(b[4:])), Flags2: state.Flags(binary.LittleEndian.Uint16(b[6:])),
			Value: int32(binary.LittleEndian.Uint32(b[8:])), Value2: int32(int16(binary.LittleEndian.Uint16(b[12:]))),
			Value3: int32(b[14]), Yaw: f(28), Pos: vec.New(f(16), f(20), f(24)),
		}
		if b[15]&1 != 0 { // often a player that exists, and a place inside
			op.ID = op.ID%4 + 1
			op.Value %= 300
			op.Pos = vec.New(float32(int8(b[16]))/6, float32(int8(b[17]))/6, float32(b[18]%8))
		}
		ops = append(ops, op)
	}
	return ops
}

func FuzzApply(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 64))
	r := vec.NewRand(1)
	for range 20 {
		b := make([]byte, 32*20)
		for i := range b {
			b[i] = byte(r.Uint64())
			if i%32 == 0 {
				b[i] %= byte(rules.NumOps) + 1
			}
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 {
			return
		}
		r := newRig(t, nil)
		for id := state.ID(1); id <= 4; id++ {
			r.enter(id, vec.New(float32(id)*3-15, -3, 0), 0)
		}
		ops := decodeOps(b)
		for len(ops) > 0 {
			n := min(5, len(ops))
			r.s.Apply(ops[:n])
			ops = ops[n:]
			if err := r.s.Check(); err != nil {
				t.Fatal(err)
			}
			r.run(2)
		}
	})
}
