package host

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/state"
)

// TestRulesComeBackFromEveryTick: of a wild match every tick is one after which the
// rules are gone. From the last state and the journal, through the codec, others come
// to the same state, byte for byte, give the operations of the ticks that are done
// again as they were, and go on with the match operation for operation.
func TestRulesComeBackFromEveryTick(t *testing.T) {
	t.Parallel()
	const ticks, every, on = 640, 97, 10
	for _, c := range []struct {
		spec rules.Spec
		set  map[string]string
	}{
		{bomb.Spec(), map[string]string{"warmup_s": "0", "freeze_s": "1", "round_s": "2"}},
		{duel.Spec(), map[string]string{"warmup_s": "1", "time_limit_s": "3", "over_s": "1"}},
		{teams.Spec(), map[string]string{"warmup_s": "0", "time_limit_s": "3", "over_s": "1"}},
	} {
		for seed := uint64(1); seed <= 2; seed++ {
			start := func(saved []byte, tick state.Tick) rules.Rules {
				m := rulestest.Match(c.set, true)
				m.Saved, m.SavedTick = saved, tick
				return rulestest.Start(t, c.spec, m)
			}
			w, r := rulestest.New(8, seed), start(nil, 0)
			var ins []rules.TickIn
			var outs [][]rules.Op
			var saves [][]byte
			phases := 0
			for range ticks {
				w.Chaos("/team red", "/team blue", "/buy ammo", "/drop", "hello")
				in := w.Advance()
				ins = append(ins, rulestest.Copy(in))
				ops := r.Tick(in, nil)
				outs, saves = append(outs, ops), append(saves, r.Save())
				phases += len(rulestest.Find(ops, rules.OpPhase, 0))
				w.Done(ops)
			}
			if phases < 4 {
				t.Errorf("%s, seed %d: only %d phases", c.spec.Name, seed, phases)
			}
			for at := 0; at < ticks-on; at += 1 + 6*int(seed-1) { // the second seed at every seventh
				var j journal
				from := -1 // the tick of the last state
				if at > every {
					from = at - 1 - (at-1)%every
				}
				for k := from + 1; k <= at; k++ {
					j.add(&ins[k], ticks)
					j.entries[len(j.entries)-1].applied = k < at // the last one was not answered
				}
				var again rules.Rules
				if from < 0 {
					again = start(nil, 0)
				} else {
					again = start(saves[from], ins[from].Tick)
				}
				due := play(again, j.copied(0, false))
				if len(due)+len(outs[at]) > 0 && !reflect.DeepEqual(due, outs[at]) {
					t.Fatalf("%s, seed %d, tick %d: answered late it gives\n%+v, want\n%+v", c.spec.Name, seed, at, due, outs[at])
				}
				if !bytes.Equal(again.Save(), saves[at]) {
					t.Fatalf("%s, seed %d, tick %d: done again from tick %d it is another state", c.spec.Name, seed, at, from)
				}
				for k := at + 1; k <= at+on; k++ {
					if got := again.Tick(&ins[k], nil); len(got)+len(outs[k]) > 0 && !reflect.DeepEqual(got, outs[k]) {
						t.Fatalf("%s, seed %d, gone at tick %d, tick %d gives\n%+v, want\n%+v", c.spec.Name, seed, at, k, got, outs[k])
					}
				}
			}
		}
	}
}
