package tables_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/tables"
)

// Every number of every shipped set has one name, under which it is found, and a
// change of it is a change of the hash: no number is left out and none has two names.
func TestEveryNumberHasOneName(t *testing.T) {
	for _, set := range tables.Names() {
		s, _ := tables.ByName(set)
		names := tables.ValueNames(&s)
		seen := map[string]bool{}
		for _, n := range names {
			if seen[n] || len(n) > tables.MaxValueName || strings.ToLower(n) != n || strings.ContainsAny(n, " -") {
				t.Fatalf("%s: a name is given twice, or is none: %q", set, n)
			}
			seen[n] = true
			was, err := s.Get(n)
			if err != nil {
				t.Fatal(err)
			}
			to := s
			if err := to.Put(tables.Value{Name: n, To: was}); err != nil || to != s {
				t.Fatalf("%s: what %s is cannot be put back: %v", set, n, err)
			}
			other := float32(-1)
			for _, x := range []float32{0, 1, 2, 5, 0.5, 1.01, 60, 70} {
				if x != was && to.Put(tables.Value{Name: n, To: x}) == nil {
					other = x
					break
				}
			}
			if got, _ := to.Get(n); got != other || to.Hash() == s.Hash() {
				t.Fatalf("%s: %s was put to %v and is %v", set, n, other, got)
			}
			if d := tables.Diff(&s, &to); len(d) != 1 || d[0] != (tables.Value{Name: n, To: other}) {
				t.Fatalf("%s: %s differs, found was %v", set, n, d)
			}
		}
		if n := numbers(reflect.ValueOf(s)) - numbers(reflect.ValueOf(s.Weapons[tables.NoWeapon])) - 1; len(names) != n {
			t.Fatalf("%s: %d names for %d numbers", set, len(names), n) // all but what no weapon has, and the version
		}
		for _, n := range []string{
			"movement.gravity", "movement.auto_jump", "movement.fall_damage_per_ms", "weapon.rifle.interval_ms", "weapon.smoke.cloud_radius",
			"optic.4x.magnification", "items.respawn_ms", "sounds.dry_fire", "vehicle.buggy.top_speed", "vehicle.buggy.seat.0.x",
			"vehicle.buggy.seat.3.fire", "vehicle.buggy.exit.5.y", "weapon.flash.fade_ms", "optic.iron.turn_dps",
		} {
			if !seen[n] {
				t.Errorf("%s: nothing is named %s", set, n)
			}
		}
	}
}

// numbers counts the numbers, and what is yes or no, of a value.
func numbers(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n += numbers(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			n += numbers(v.Index(i))
		}
	case reflect.String:
	default:
		n = 1
	}
	return n
}

// What cannot be is said in one sentence that names it, and nothing is changed.
func TestBadValuesAreRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		to   float32
		want string
	}{
		{"movement.gravty", 10, `no number of the tables is named "movement.gravty"; near are movement.gravity`},
		{"gravity", 10, "near are movement.gravity"},
		{"respawn_ms", 10, "near are items.respawn_ms, vehicle.buggy.respawn_ms"},
		{"weapon.rifel.damage", 10, "near are weapon.rifle.damage"},
		{"", 0, "names are like movement.gravity"},
		{"movement", 0, "named \"movement\""},
		{"movement.", 0, "named"},
		{"movement.name", 0, "named"},
		{"Movement.Gravity", 0, "near are movement.gravity"},
		{"version", 2, "named"},
		{"vehicle.buggy.seat.4.x", 0, "near are vehicle.buggy.seat.0.x"},
		{"vehicle.buggy.seat.00.x", 0, "near are"},
		{"vehicle.buggy.seat.-1.x", 0, "near are"},
		{"weapon..damage", 0, "near are"},
		{strings.Repeat("a", 1<<20), 0, "as long as"},
		{"movement.gravity", nan, "movement.gravity = NaN is not a finite number"},
		{"movement.gravity", inf, "not a finite number"},
		{"movement.gravity", 201, "movement.gravity = 201 is outside 0 to 200"},
		{"movement.gravity", -1, "movement.gravity = -1 is outside 0 to 200"},
		{"weapon.rifle.mag", 2.5, "weapon.rifle.mag = 2.5 is not a whole number, from 0 to 255"},
		{"weapon.rifle.mag", 256, "outside 0 to 255"},
		{"movement.auto_jump", 2, "movement.auto_jump = 2 is neither 0 nor 1"},
		{"items.spawn_health", 0, "items.spawn_health = 0 is outside 1 to 10000"},
	} {
		s := tables.Arena()
		err := s.Put(tables.Value{Name: c.name, To: c.to})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q = %v: %v; want %q", c.name, c.to, err, c.want)
		}
		if s != tables.Arena() {
			t.Errorf("%.40q = %v changed the set", c.name, c.to)
		}
		if _, err := s.With([]tables.Value{{Name: "movement.gravity", To: 3}, {Name: c.name, To: c.to}}); err == nil {
			t.Errorf("%.40q = %v is part of a change", c.name, c.to)
		}
	}
}

// A change is all of its values, is a version of its own, and says what it contradicts.
func TestAChangeIsAllOrNothing(t *testing.T) {
	s := tables.Arena()
	to, err := s.With([]tables.Value{{"movement.gravity", 3}, {"weapon.rifle.damage", 7}, {"movement.gravity", 12}, {"movement.auto_jump", 1}})
	if err != nil || to.Version != s.Version+1 || to.Movement.Gravity != 12 || to.Weapons[tables.Rifle].Damage != 7 || !to.Movement.AutoJump {
		t.Fatal(err, to.Version, to.Movement.Gravity)
	}
	if s != tables.Arena() {
		t.Fatal("the set itself is changed")
	}
	d := tables.Diff(&s, &to)
	back, err := s.With(d)
	if err != nil || back != to {
		t.Fatalf("%v does not make the one of the other: %v", d, err)
	}
	if d := tables.Diff(&to, &to); d != nil {
		t.Fatalf("differs from itself in %v", d)
	}
	if _, err := s.With([]tables.Value{{"movement.crouch_height", 1.8}}); err == nil || err.Error() != "movement CrouchHeight 1.8 is above StandHeight 1.75" {
		t.Fatal(err)
	}
	if to, err := s.With([]tables.Value{{"movement.crouch_height", 1.8}, {"movement.stand_height", 2}}); err != nil || to.Movement.StandHeight != 2 {
		t.Fatal("the order of values matters:", err)
	}
	if _, err := s.With(make([]tables.Value, tables.MaxChange+1)); err == nil || !strings.Contains(err.Error(), "at most 64") {
		t.Fatal(err)
	}
}

// The other shipped set is made of the first by what differs.
func TestDiffMakesOneSetOfAnother(t *testing.T) {
	from, to := tables.Arena(), tables.Tactical()
	d := tables.Diff(&from, &to)
	for _, v := range d {
		if err := from.Put(v); err != nil {
			t.Fatal(err)
		}
	}
	from.Movement.Name = to.Movement.Name
	if from != to {
		t.Fatalf("%d values do not make it", len(d))
	}
}

// Whatever a name and a value are, the set is valid afterwards or a sentence says why.
func FuzzPut(f *testing.F) {
	s := tables.Arena()
	for i, n := range tables.ValueNames(&s) {
		if i%16 == 0 {
			f.Add(n, float32(i))
		}
	}
	f.Add("vehicle.buggy.seat.9.x", float32(1))
	f.Add("weapon...", float32(math.NaN()))
	f.Fuzz(func(t *testing.T, name string, to float32) {
		s := tables.Arena()
		err := s.Put(tables.Value{Name: name, To: to})
		got, unknown := s.Get(name)
		switch {
		case err == nil && (unknown != nil || got != to):
			t.Fatalf("%q is %v, put was %v", name, got, to)
		case err != nil && (len(err.Error()) > 1000 || s != tables.Arena()):
			t.Fatalf("%q: %v", name, err)
		}
	})
}
