package duel_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/tables"
)

// A match begins with the server's tables unless settings say otherwise, and then with
// what they say; however they are set it can begin.
func TestPaceIsWhatTheMatchBeginsWith(t *testing.T) {
	for _, c := range []struct {
		gravity, speed string
		want           map[string]float32
	}{
		{"100", "100", nil},
		{"50", "100", map[string]float32{"movement.gravity": 12.5}},
		{"0", "100", map[string]float32{"movement.gravity": 1.25}},
		{"300", "200", map[string]float32{"movement.gravity": 75, "movement.run_speed": 20, "movement.crouch_speed": 5}},
		{"100", "0", map[string]float32{"movement.run_speed": 2.5}},
	} {
		m := match(map[string]string{"gravity_pct": c.gravity, "speed_pct": c.speed})
		vs := rules.TablesOf(start(t, m))
		set, err := rules.Begin(&m.Tables, vs)
		if err != nil || len(vs) < len(c.want) || len(c.want) == 0 && len(vs) > 0 {
			t.Fatalf("gravity %s, speed %s: %v, %v", c.gravity, c.speed, vs, err)
		}
		for name, want := range c.want {
			if got, _ := set.Get(name); got != want {
				t.Errorf("gravity %s, speed %s: %s is %v, want %v", c.gravity, c.speed, name, got, want)
			}
		}
	}
	for _, name := range tables.Names() {
		m := match(map[string]string{"gravity_pct": "300", "speed_pct": "300"})
		m.Tables, _ = tables.ByName(name)
		if _, err := rules.Begin(&m.Tables, rules.TablesOf(start(t, m))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// With moon_s a match's last seconds have a sixth of the gravity that it began with, told
// two seconds ahead, and the end takes that back; without, nothing is said of tables.
func TestTheMoonRisesAtTheEnd(t *testing.T) {
	const live, moon = 10, 4
	for _, c := range []struct {
		set    map[string]string
		tell   int // ticks of the match
		from   int
		silent bool
	}{
		{map[string]string{"time_limit_s": "10"}, 0, 0, true},
		{map[string]string{"time_limit_s": "10", "moon_s": "4"}, (live - moon - 2) * rate, (live - moon) * rate, false},
		{map[string]string{"time_limit_s": "10", "moon_s": "40", "gravity_pct": "200"}, 0, (live - 40) * rate, false},
		{map[string]string{"time_limit_s": "0", "moon_s": "4"}, 0, 0, true},
	} {
		c.set["warmup_s"], c.set["over_s"] = "1", "1"
		m := match(c.set)
		w, d := newWorld(2, 1), start(t, m)
		begun, err := rules.Begin(&m.Tables, rules.TablesOf(d))
		if err != nil {
			t.Fatal(err)
		}
		began, told, reset := -1, 0, 0
		for tick := range 13 * rate {
			ops := w.Tick(d)
			for _, op := range find(ops, rules.OpPhase, 0) {
				if op.Value == rules.Live && began < 0 {
					began = tick
				}
			}
			for _, op := range find(ops, rules.OpTable, 0) {
				if op.Text == "" {
					reset++
					if p := find(ops, rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Over || op.Value != 0 {
						t.Errorf("%v: taken back in tick %d: %v", c.set, tick, ops)
					}
					continue
				}
				told++
				if v := op.TableValue(); v.Name != "movement.gravity" || v.To < begun.Movement.Gravity*0.16 || v.To > begun.Movement.Gravity*0.18 {
					t.Errorf("%v: %v of %v", c.set, v, begun.Movement.Gravity)
				}
				if now := int(w.In.Tick); tick != began+c.tell || int(op.Value) != now-c.tell+c.from {
					t.Errorf("%v: told in tick %d of a match that began in %d, from %d on, now is %d", c.set, tick, began, op.Value, now)
				}
			}
		}
		if c.silent && told+reset > 0 || !c.silent && (told != 1 || reset != 1) {
			t.Errorf("%v: %d changes, %d taken back", c.set, told, reset)
		}
	}
}

// What is saved in the middle of such a match goes on the same.
func TestSavedUnderTheMoonItGoesOnTheSame(t *testing.T) {
	set := map[string]string{"time_limit_s": "8", "warmup_s": "1", "over_s": "1", "moon_s": "3", "gravity_pct": "150"}
	ops := rulestest.SavedGoesOnTheSame(t, duel.Spec(), func() *rules.Match { return match(set) }, 900)
	if n := len(find(ops, rules.OpTable, 0)); n < 2 || !slices.ContainsFunc(ops, func(op rules.Op) bool { return op.Kind == rules.OpTable && op.Text != "" }) {
		t.Fatalf("says nothing: %d changes", n)
	}
}
