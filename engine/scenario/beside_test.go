package scenario_test

import (
	"fmt"
	"hash/fnv"
	"runtime"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis"
)

// A match is the same whether its Views are built on one goroutine or on two: what every
// client is told in every tick, to the last bit; and some watch others, of lower and of
// higher ids, with whose ears they hear.
func TestViewsBuiltOnTwoGoroutinesAreTheSame(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var sums [2]uint64
	var beside [2]int
	for i := range sums {
		runtime.GOMAXPROCS(i + 1)
		cfg := config(maps{}, "pit", 36)
		sum := fnv.New64a()
		views, watching := 0, 0
		cfg.Hooks.View = func(v *vis.View) {
			views++
			if v.Own().Watching != 0 {
				watching++
			}
			fmt.Fprintln(sum, v.Tick(), *v.Own(), v.Entities(), v.Events(), v.Doors(), v.Pieces())
		}
		m, err := scenario.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for tick := range 3 * rate {
			m.Step()
			for k, b := range m.Crew.Bots() {
				switch {
				case k%6 != 0:
				case tick == rate/2:
					b.LookOn(true)
				case tick > rate && tick%(rate/2) == 0:
					b.SpectateNext(1 - k/6%2*2)
				}
			}
		}
		m.Close()
		sums[i], beside[i] = sum.Sum64(), m.Server.Stats().ViewsBeside
		if views < 2000 || watching < 200 {
			t.Errorf("only %d Views were told, %d of them to who watches", views, watching)
		}
	}
	if sums[0] != sums[1] {
		t.Errorf("on one goroutine the Views have the sum %x, on two %x", sums[0], sums[1])
	}
	if beside[0] != 0 || beside[1] == 0 {
		t.Errorf("%d and %d Views were built beside the tick", beside[0], beside[1])
	}
}
