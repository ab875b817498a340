package tables_test

import (
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

func TestShippedSetsAreValidAndFoundByName(t *testing.T) {
	seen := map[[32]byte]string{}
	for _, name := range tables.Names() {
		s, ok := tables.ByName(name)
		if !ok || s.Movement.Name != name {
			t.Fatalf("ByName(%q) = %q, %v", name, s.Movement.Name, ok)
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if other, dup := seen[s.Hash()]; dup {
			t.Fatalf("%s and %s have one hash", name, other)
		}
		seen[s.Hash()] = name
	}
	if _, ok := tables.ByName("no such"); ok {
		t.Fatal("found a set that does not ship")
	}
}

func TestArenaHasQuakesNumbers(t *testing.T) {
	const u = 32.0
	m := tables.Arena().Movement
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"g_speed", float64(m.RunSpeed), 320 / u}, {"g_gravity", float64(m.Gravity), 800 / u},
		{"jump", float64(m.JumpSpeed), 270 / u}, {"accelerate", float64(m.Accelerate), 10},
		{"air accelerate", float64(m.AirAccelerate), 1}, {"friction", float64(m.Friction), 6},
		{"stopspeed", float64(m.StopSpeed), 100 / u}, {"step", float64(m.StepHeight), 18 / u},
		{"width", 2 * float64(m.HalfWidth), 30 / u}, {"height", float64(m.StandHeight), 56 / u},
		{"crouched", float64(m.CrouchHeight), 40 / u}, {"eye", float64(m.StandEye), 50 / u},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
}

// eachNumber calls f for every number of the set, with a way to change it.
func eachNumber(s *tables.Set, f func(name string, v reflect.Value)) {
	var walk func(string, reflect.Value)
	walk = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Array:
			for i := 1; i < v.Len(); i++ { // row 0 is no weapon
				walk(name, v.Index(i))
			}
		case reflect.Float32, reflect.Int, reflect.Uint16:
			f(name, v)
		}
	}
	walk("", reflect.ValueOf(s).Elem())
}

func TestEveryNumberHasARange(t *testing.T) {
	s := tables.Arena()
	eachNumber(&s, func(name string, v reflect.Value) {
		keep := reflect.ValueOf(v.Interface())
		switch v.Kind() {
		case reflect.Float32:
			for _, bad := range []float64{math.NaN(), math.Inf(1), -1e9, 1e9} {
				v.SetFloat(bad)
				err := s.Validate()
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%s = %v: %v", name, bad, err)
				}
			}
		case reflect.Int:
			v.SetInt(-5)
			if err := s.Validate(); err == nil {
				t.Errorf("%s = -5 was taken", name)
			}
		}
		v.Set(keep)
	})
	if err := s.Validate(); err != nil {
		t.Fatalf("restored set: %v", err)
	}
}

func TestAnyChangedNumberChangesTheHash(t *testing.T) {
	s := tables.Arena()
	was := s.Hash()
	eachNumber(&s, func(name string, v reflect.Value) {
		keep := reflect.ValueOf(v.Interface())
		switch v.Kind() {
		case reflect.Float32:
			v.SetFloat(v.Float() + 1)
		case reflect.Int:
			v.SetInt(v.Int() + 1)
		case reflect.Uint16:
			v.SetUint(v.Uint() + 1)
		}
		if s.Hash() == was {
			t.Errorf("%s does not reach the hash", name)
		}
		v.Set(keep)
	})
	if s.Hash() != was {
		t.Fatal("the hash of one set changed")
	}
	t.Log("arena", hex.EncodeToString(was[:8]))
}

func TestContradictionsAreNamed(t *testing.T) {
	for want, change := range map[string]func(*tables.Set){
		"CrouchHeight": func(s *tables.Set) { s.Movement.CrouchHeight = 3.5 },
		"StandEye":     func(s *tables.Set) { s.Movement.StandEye = 3.5 },
		"CrouchEye":    func(s *tables.Set) { s.Movement.CrouchEye = 1.5 },
		"StepHeight":   func(s *tables.Set) { s.Movement.StepHeight = 1.5 },
		"projectile":   func(s *tables.Set) { s.Weapons[tables.Rocket].Speed = 0 },
		"no name":      func(s *tables.Set) { s.Weapons[tables.Rifle].Name = "" },
		"version":      func(s *tables.Set) { s.Version = 0 },
	} {
		s := tables.Arena()
		change(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func TestWeaponRowsFitTheWire(t *testing.T) {
	if tables.NumWeapons > state.NumWeapons {
		t.Fatalf("%d weapon rows, but a player carries %d", tables.NumWeapons, state.NumWeapons)
	}
}
