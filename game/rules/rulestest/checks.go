package rulestest

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// Start starts rules, or ends the test.
func Start(t testing.TB, spec rules.Spec, m *rules.Match) rules.Rules {
	t.Helper()
	r := spec.New()
	if err := r.Start(m); err != nil {
		t.Fatal(err)
	}
	return r
}

// SavedGoesOnTheSame plays a wild match of so many ticks and says whether rules that
// are started from the state of any tick give the same operations from there on, and
// save the same bytes. match makes the Match anew. It returns all operations.
func SavedGoesOnTheSame(t testing.TB, spec rules.Spec, match func() *rules.Match, ticks int, says ...string) []rules.Op {
	t.Helper()
	const seed = 3
	w, r := New(6, seed), Start(t, spec, match())
	var ins []rules.TickIn
	var outs [][]rules.Op
	var saves [][]byte
	var all []rules.Op
	for range ticks {
		w.Chaos(says...)
		in := w.Advance()
		ins = append(ins, Copy(in))
		ops := r.Tick(in, nil)
		outs, saves, all = append(outs, ops), append(saves, r.Save()), append(all, ops...)
		w.Done(ops)
	}
	for at := 0; at < len(ins)-1; at += 13 {
		m := match()
		m.Saved, m.SavedTick = saves[at], ins[at].Tick
		m.Roster = []rules.Member{{ID: 1, Name: "other"}}
		again := Start(t, spec, m)
		if !bytes.Equal(again.Save(), saves[at]) {
			t.Fatalf("seed %d, tick %d: what was restored saves differently", seed, at)
		}
		for k := at + 1; k < min(at+120, len(ins)); k++ {
			if got := again.Tick(&ins[k], nil); !reflect.DeepEqual(got, outs[k]) {
				t.Fatalf("seed %d, saved at %d, tick %d gives\n%+v, want\n%+v", seed, at, k, got, outs[k])
			}
		}
	}
	return all
}

// QuietTickAllocatesNothing says whether a tick without news does.
func QuietTickAllocatesNothing(t testing.TB, spec rules.Spec, m *rules.Match) {
	t.Helper()
	w, r := New(8, 1), Start(t, spec, m)
	for range 6 * Rate {
		w.Tick(r)
	}
	ops := make([]rules.Op, 0, 64)
	if n := testing.AllocsPerRun(100, func() { ops = r.Tick(w.Advance(), ops[:0]) }); n != 0 {
		t.Errorf("%v allocations in a quiet tick", n)
	}
}

// RefusesNonsense says whether what no match can be started with is refused. one is
// the name of a setting with the most that it may be.
func RefusesNonsense(t testing.TB, spec rules.Spec, match func() *rules.Match, one, most string) {
	t.Helper()
	for name, change := range map[string]func(*rules.Match){
		"no spawns":       func(m *rules.Match) { m.Spawns = nil },
		"no rate":         func(m *rules.Match) { m.TickRate = 0 },
		"unknown setting": func(m *rules.Match) { m.Settings = map[string]string{one + "x": "3"} },
		"not a number":    func(m *rules.Match) { m.Settings = map[string]string{one: "many"} },
		"negative":        func(m *rules.Match) { m.Settings = map[string]string{one: "-1"} },
		"huge":            func(m *rules.Match) { m.Settings = map[string]string{one: most + "9"} },
		"damaged save":    func(m *rules.Match) { m.Saved = []byte{9, 9, 9} },
		"empty save":      func(m *rules.Match) { m.Saved = []byte{} },
	} {
		m := match()
		change(m)
		if err := spec.New().Start(m); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Restores tries bytes as a saved state: they are refused, or are what these rules
// would write, and a match goes on from them.
func Restores(t testing.TB, spec rules.Spec, m *rules.Match, b []byte) {
	t.Helper()
	m.Saved = b
	r := spec.New()
	if m.Saved == nil || r.Start(m) != nil {
		return
	}
	if !bytes.Equal(r.Save(), b) {
		t.Fatal("accepted bytes that it would not write")
	}
	w := New(5, 2)
	for range 20 {
		w.Chaos()
		w.Tick(r)
	}
}

// Saves returns some states of a wild match.
func Saves(t testing.TB, spec rules.Spec, m *rules.Match) (saves [][]byte) {
	w, r := New(4, 1), Start(t, spec, m)
	for i := range 400 {
		w.Chaos()
		w.Tick(r)
		if i%80 == 50 {
			saves = append(saves, r.Save())
		}
	}
	return saves
}

// Team returns a player's team.
func (w *World) Team(id state.ID) uint8 { return w.Row(id).Team }
