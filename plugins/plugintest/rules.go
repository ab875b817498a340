package plugintest

import (
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// MaxState is how many bytes a saved state may have.
const MaxState = 1 << 20

// Rules tries rules. Each part is a subtest of its own.
func Rules(t *testing.T, spec rules.Spec, opt ...Options) {
	t.Helper()
	o := options(opt)
	match := func() *rules.Match { return rulestest.Match(maps.Clone(o.Settings), true) }
	t.Run("settings", func(t *testing.T) { rulesSettings(t, guardRules(t, spec), match) })
	t.Run("tables", func(t *testing.T) { rulesTables(t, guardRules(t, spec), match) })
	t.Run("tables later", func(t *testing.T) { rulesTablesLater(t, guardRules(t, spec), match) })
	t.Run("contract", func(t *testing.T) { rulesContract(t, guardRules(t, spec), match) })
	if !t.Run("determinism", func(t *testing.T) { rulesDeterminism(t, guardRules(t, spec), match) }) {
		return // who answers twice differently cannot go on the same
	}
	t.Run("saved state", func(t *testing.T) {
		rulestest.SavedGoesOnTheSame(t, guardRules(t, spec), match, 700, "/team red", "/buy ammo", "hello")
	})
	t.Run("damaged state", func(t *testing.T) { rulesDamaged(t, guardRules(t, spec), match) })
	t.Run("cost", func(t *testing.T) {
		rulestest.QuietTickAllocatesNothing(t, spec, match())
	})
}

func rulesSettings(t *testing.T, spec rules.Spec, match func() *rules.Match) {
	if spec.Name == "" || spec.Help == "" || spec.Version == "" {
		t.Error("the spec has no name, no version or no help: people see these in lists")
	}
	for _, s := range spec.Schema {
		if s.Name == "" || s.Help == "" || s.Usual < 0 || s.Usual > s.Max {
			t.Errorf("setting %+v has no name, no help or a usual value out of its range", s)
		}
	}
	m := match()
	m.Settings = map[string]string{"there is none of this name": "1"}
	if err := spec.New().Start(m); err == nil {
		t.Error("a misspelt setting is accepted: nobody would notice")
	}
	if err := spec.New().Start(match()); err != nil {
		t.Errorf("does not start with its own settings: %v", err)
	}
}

// opFault says what is wrong with an operation, "" when nothing is.
func opFault(op *rules.Op, there func(state.ID) bool) string {
	switch {
	case op.Kind == rules.OpNone || op.Kind >= rules.NumOps:
		return fmt.Sprintf("operation %d is none", op.Kind)
	case !op.Pos.IsFinite() || !vec.Finite(op.Yaw):
		return "a number of it is none"
	case len(op.Text) > rules.MaxText:
		return fmt.Sprintf("its text has %d bytes, allowed are %d", len(op.Text), rules.MaxText)
	case op.ID.IsPlayer() && !there(op.ID):
		return fmt.Sprintf("it is about player %d, who is not there", op.ID)
	}
	return ""
}

func rulesContract(t *testing.T, spec rules.Spec, match func() *rules.Match) {
	const seed = 61
	w, r := rulestest.New(6, seed), rulestest.Start(t, spec, match())
	v, q := rulestest.New(6, seed), rulestest.Start(t, spec, match())
	there := func(id state.ID) bool { return w.Row(id) != nil }
	set, err := follow(match(), r)
	if err != nil {
		return // of which the part about tables says something
	}
	for tick := range 900 {
		w.Chaos()
		v.Chaos()
		in := w.Advance()
		before := rulestest.Copy(in)
		ops := r.Tick(in, nil)
		if !reflect.DeepEqual(before.Players, in.Players) && len(in.Players) > 0 {
			t.Fatalf("tick %d: it has changed what it was given", tick)
		}
		if len(ops) > rules.MaxOps {
			t.Fatalf("tick %d: %d operations, allowed are %d", tick, len(ops), rules.MaxOps)
		}
		for i := range ops {
			if why := opFault(&ops[i], there); why != "" {
				t.Fatalf("seed %d, tick %d: operation %+v: %s", seed, tick, ops[i], why)
			}
		}
		if why := set.fault(ops); why != "" {
			t.Fatalf("seed %d, tick %d: %s", seed, tick, why)
		}
		// The other one is given memory that is something else afterwards.
		given := rulestest.Copy(v.Advance())
		same := q.Tick(&given, nil)
		if len(ops)+len(same) > 0 && !reflect.DeepEqual(ops, same) {
			if again := rulesTwice(t, spec, match, seed, tick+1); again != "" {
				t.Fatalf("seed %d, %s", seed, again)
			}
			t.Fatalf("seed %d, tick %d: it keeps slices of a tick beyond the call", seed, tick)
		}
		for i := range given.Players {
			given.Players[i] = rules.PlayerRow{ID: 500}
		}
		w.Done(ops)
		v.Done(same)
		if n := len(r.Save()); n > MaxState {
			t.Fatalf("tick %d: its state has %d bytes, allowed are %d", tick, n, MaxState)
		}
	}
}

func rulesDeterminism(t *testing.T, spec rules.Spec, match func() *rules.Match) {
	for seed := uint64(71); seed < 74; seed++ {
		if why := rulesTwice(t, spec, match, seed, 400); why != "" {
			t.Fatalf("seed %d, %s", seed, why)
		}
	}
}

// rulesTwice gives the same ticks to two and says where they answer differently.
func rulesTwice(t *testing.T, spec rules.Spec, match func() *rules.Match, seed uint64, ticks int) string {
	w := rulestest.New(5, seed)
	a, b := rulestest.Start(t, spec, match()), rulestest.Start(t, spec, match())
	for tick := range ticks {
		w.Chaos()
		in := w.Advance()
		x, y := a.Tick(in, nil), b.Tick(in, nil)
		if len(x)+len(y) > 0 && !reflect.DeepEqual(x, y) && fmt.Sprint(x) != fmt.Sprint(y) { // which are the same when a number is none
			return fmt.Sprintf("tick %d: twice the same ticks, two answers, %v and %v: no clock, no dice of one's own, no order of maps", tick, x, y)
		}
		w.Done(x)
	}
	return ""
}

// rulesDamaged starts rules from states of which bytes were changed, cut or added:
// they say no, or go on without a panic.
func rulesDamaged(t *testing.T, spec rules.Spec, match func() *rules.Match) {
	const seed = 81
	r := vec.NewRand(seed)
	saves := rulestest.Saves(t, spec, match())
	for n := range 400 {
		b := append([]byte(nil), saves[n%len(saves)]...)
		switch r.Intn(3) {
		case 0:
			b = b[:r.Intn(len(b)+1)]
		case 1:
			b = append(b, byte(r.Uint64()))
		default:
			for range 1 + r.Intn(4) {
				if len(b) > 0 {
					b[r.Intn(len(b))] = byte(r.Uint64())
				}
			}
		}
		m := match()
		m.Saved = b
		q := spec.New()
		if q.Start(m) != nil {
			continue
		}
		w := rulestest.New(5, seed)
		for range 10 {
			w.Tick(q)
		}
	}
}
