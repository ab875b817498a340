package server

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/wire"
)

// changes returns the tables that a guest was told of.
func changes(g *guest) (ms []*wire.Tables) {
	for _, m := range g.got {
		if m, ok := m.(*wire.Tables); ok {
			ms = append(ms, m)
		}
	}
	return ms
}

func number(name string, to float32, from state.Tick) rules.Op {
	return rules.SetTable(tables.Value{Name: name, To: to}, from)
}

// All that the rules say of one tick is one change, earlier ticks first whatever their
// order, each told a second ahead and true from its tick on; what cannot be is left out
// as a whole, counted, and named in the log; back means what the match began with.
func TestRulesChangeTables(t *testing.T) {
	st := newStage(t, nil)
	g := st.join("Ada")
	st.run(30)
	now := st.s.Tick()
	st.rules.ops = []rules.Op{
		number("movement.gravity", 10, now+200),
		number("movement.gravity", 12, 0),
		number("movement.run_speed", 7, now+200),
		number("weapon.rifle.damage", 20, 0),
		number("movement.jump_speed", 3, now+100), // with one that cannot be
		number("movement.gravitas", 3, now+100),
	}
	st.run(1)
	if n := len(st.s.match.tab.coming); n != 2 {
		t.Fatalf("%d changes are announced, want 2: %v", n, st.s.Coming())
	}
	if st.s.badOps != 2 || !strings.Contains(st.log.String(), "movement.gravitas") {
		t.Errorf("%d operations were bad\n%s", st.s.badOps, &st.log)
	}
	st.run(63)
	if got := st.s.World().Set(); got.Movement.Gravity != 25 || st.s.Tick() != now+64 {
		t.Errorf("tick %d: gravity %v already", st.s.Tick()-now, got.Movement.Gravity)
	}
	st.run(1) // the tick after the announcement's, and a second
	if got := st.s.World().Set(); got.Movement.Gravity != 12 || got.Weapons[tables.Rifle].Damage != 20 || got.Movement.JumpSpeed != 8.4375 || got.Version != 2 {
		t.Errorf("tick %d: gravity %v, damage %v, version %d", st.s.Tick()-now, got.Movement.Gravity, got.Weapons[tables.Rifle].Damage, got.Version)
	}
	st.run(134)
	if got := st.s.World().Set(); st.s.Tick() != now+199 || got.Movement.Gravity != 12 {
		t.Errorf("tick %d: gravity %v", st.s.Tick()-now, got.Movement.Gravity)
	}
	st.run(1)
	if got := st.s.World().Set(); got.Movement.Gravity != 10 || got.Movement.RunSpeed != 7 || got.Weapons[tables.Rifle].Damage != 20 {
		t.Errorf("tick %d: gravity %v, run speed %v", st.s.Tick()-now, got.Movement.Gravity, got.Movement.RunSpeed)
	}
	st.rules.ops = []rules.Op{rules.ResetTables(0, false), number("sounds.step", 3, 0), number("weapon.flash.fade_ms", 9000, 0)}
	st.run(70)
	want := tables.Arena()
	want.Sounds.Step, want.Weapons[tables.FlashGrenade].FadeMS, want.Version = 3, 9000, 4
	if st.s.frame.Sounds.Set.Sounds.Step != 3 || st.s.match.fade != 9000 {
		t.Errorf("sounds and flashes are not by the tables: %v", st.s.match.fade)
	}
	if got, _ := st.s.Tables(); *got != want {
		t.Errorf("back to what it began with, they are %v", tables.Diff(&want, got))
	}
	told := changes(g)
	if len(told) != 3 {
		t.Fatalf("a guest was told of %d changes", len(told))
	}
	line := tables.Arena()
	for i, m := range told {
		next, err := line.With(m.Values)
		if err != nil || next.Hash() != m.Hash || int(m.Version) != i+2 {
			t.Fatalf("what a guest was told does not lead to what it says: %v, version %d", err, m.Version)
		}
		line = next
	}
	if *st.s.match.sim.Set() != line {
		t.Error("and not to what holds")
	}
}

// Rules that take over begin with tables of their own, to which back leads from then on.
func TestRulesThatTakeOverBeginAnew(t *testing.T) {
	st := newStage(t, nil)
	st.run(3)
	gravity := func() float32 { return st.s.World().Set().Movement.Gravity }
	st.rules.ops = []rules.Op{number("movement.gravity", 12, 0), number("movement.run_speed", 3, 0)}
	st.run(70)
	st.rules.ops = []rules.Op{rules.ResetTables(0, true), number("movement.gravity", 18, 0)}
	st.run(70)
	if got := st.s.World().Set(); gravity() != 18 || got.Movement.RunSpeed != 10 {
		t.Fatalf("gravity %v, run speed %v", gravity(), got.Movement.RunSpeed)
	}
	st.rules.ops = []rules.Op{number("movement.gravity", 30, 0)}
	st.run(70)
	st.rules.ops = []rules.Op{rules.ResetTables(0, false)}
	st.run(70)
	if gravity() != 18 {
		t.Errorf("back leads to %v", gravity())
	}
}

// Rules that change tables in every tick are refused most of it, and nobody is lost: one
// who takes nothing in least of all.
func TestRulesThatChangeTablesWithoutEnd(t *testing.T) {
	st := newStage(t, nil)
	g := st.join("Ada")
	st.run(30)
	g.deaf = true
	names := tables.ValueNames(st.s.World().Set())
	for i := range 640 {
		st.rules.ops = st.rules.ops[:0]
		for k := range tables.MaxChange {
			n := names[(i+k)%30]
			v, _ := st.s.World().Set().Get(n)
			st.rules.ops = append(st.rules.ops, number(n, v*(1+float32(i%7)/1000), 0))
		}
		st.run(1)
	}
	if n := len(st.s.match.tab.coming); n > maxComing {
		t.Errorf("%d changes wait", n)
	}
	if v := st.s.World().Set().Version; v > 4*12 {
		t.Errorf("version %d after 10 s", v)
	}
	if st.seated() != 1 {
		t.Errorf("a player was lost\n%.2000s", &st.log)
	}
}

// A guest who loads for a while comes in with the tables that it was welcomed with,
// whatever has been changed since; who comes later is sent those of then, and all that
// is announced. After the level they are the match's own again.
func TestWelcomeOfChangedTables(t *testing.T) {
	st := newStage(t, nil)
	slow := st.join("Ada")
	slow.slow = true
	st.run(30)
	if slow.wel == nil || len(slow.wel.Tables) != 0 {
		t.Fatalf("welcome %+v", slow.wel)
	}
	change := func(to float32, in state.Tick) {
		t.Helper()
		if _, err := st.s.ChangeTables([]tables.Value{{Name: "movement.gravity", To: to}}, st.s.Tick()+in); err != nil {
			t.Fatal(err)
		}
	}
	change(12, 0)
	st.run(100)
	change(14, 300)
	slow.ready()
	st.run(5)
	if slow.snap == 0 || len(changes(slow)) != 2 {
		t.Errorf("who loaded meanwhile has %d snapshots, and was told of %d changes", slow.snap, len(changes(slow)))
	}
	late := st.join("Bea")
	st.run(30)
	w := late.wel
	if w == nil || w.TablesHash != st.s.match.tab.hash || late.snap == 0 {
		t.Fatalf("welcome %+v, %d snapshots", w, late.snap)
	}
	got, err := wire.ParseTables(w.Tables)
	if err != nil || got.Hash() != w.TablesHash || got.Movement.Gravity != 12 || got.Version != 2 {
		t.Errorf("it was sent version %v: %v", got, err)
	}
	if told := changes(late); len(told) != 1 || told[0].Version != 3 {
		t.Errorf("and told of %v", told)
	}
	if err := st.s.Change("b"); err != nil {
		t.Fatal(err)
	}
	st.run(10)
	shipped := tables.Arena()
	if late.wel.TablesHash != shipped.Hash() || len(late.wel.Tables) != 0 || len(st.s.match.tab.coming) != 0 {
		t.Error("the next level does not begin with its own tables")
	}
}

// Who wishes for all tables is told them, a few times and then once in two seconds, and
// its own state is not left to its prediction before it says that it has them.
func TestWishForAllTables(t *testing.T) {
	st := newStage(t, nil)
	g := st.join("Ada")
	st.run(30)
	lacks := func() bool { return st.s.lacksTables(st.s.conns[0]) }
	if lacks() {
		t.Error("it lacks what it was welcomed with")
	}
	from, err := st.s.ChangeTables([]tables.Value{{Name: "movement.gravity", To: 12}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	st.run(3)
	if !lacks() {
		t.Error("it has not said yet that it has the change")
	}
	g.say(&wire.Wish{What: wire.WishTables, Value: wire.TablesNo(2)})
	st.run(2)
	if lacks() {
		t.Error("it has said so")
	}
	for range 128 {
		g.say(&wire.Wish{What: wire.WishTables, Value: wire.TablesWhole})
		st.run(1)
	}
	if !lacks() {
		t.Error("it has asked for all of them")
	}
	whole := 0
	for _, m := range changes(g) {
		if len(m.Whole) > 0 {
			whole++
			if s, err := wire.ParseTables(m.Whole); err != nil || s.Hash() != m.Hash || s.Version != int(m.Version) {
				t.Fatalf("%v", err)
			}
		}
	}
	if whole < 3 || whole > 6 { // each of now and, at first, of what is announced
		t.Errorf("in two seconds it was told %d times all", whole)
	}
	g.say(&wire.Wish{What: wire.WishTables, Value: wire.TablesNo(9)}) // which there is not
	st.run(2)
	if !lacks() {
		t.Error("it says that it has what nobody has announced")
	}
	g.say(&wire.Wish{What: wire.WishTables, Value: wire.TablesNo(2)})
	st.run(2)
	if lacks() || int32(st.s.Tick()-from) < 0 {
		t.Error("it has them again")
	}
}
