package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/state"
)

// Every stage is reported once per tick, in order and before the tick, and their
// times add up to the tick's; without a clock none is.
func TestStagesAreTimedInOrder(t *testing.T) {
	var got []Stage
	var sum, tick time.Duration
	st := newStage(t, func(c *Config) {
		c.Hooks.Stage = func(s Stage, took time.Duration) { got = append(got, s); sum += took }
		c.Hooks.TickDone = func(_ state.Tick, took time.Duration) { tick += took }
	})
	st.run(3)
	if len(got) != 0 {
		t.Fatalf("%v without a clock", got)
	}
	at := time.Unix(0, 0)
	st.s.Measure(func() time.Time { at = at.Add(time.Millisecond); return at })
	st.run(2)
	want := "[receive rules simulate submit submit_rules meanwhile decide views encode send]"
	if len(got) != 2*int(NumStages) || fmt.Sprint(got[:NumStages]) != want || fmt.Sprint(got[NumStages:]) != want {
		t.Errorf("%v", got)
	}
	if ms := time.Millisecond; sum != 20*ms || tick != 22*ms {
		t.Errorf("stages took %v, ticks %v", sum, tick)
	}
}
