package kit_test

import (
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/kit"
)

func TestTicksRoundUp(t *testing.T) {
	for _, c := range []struct {
		ms   float64
		rate int
		want state.Tick
	}{{0, 64, 0}, {200, 64, 13}, {250, 64, 16}, {1, 20, 1}, {200, 20, 4}, {1000, 128, 128}} {
		if got := kit.Ticks(c.ms, c.rate); got != c.want {
			t.Errorf("%v ms at %d Hz are %d ticks, want %d", c.ms, c.rate, got, c.want)
		}
	}
}

// TestPairsRememberLikeAMap runs random crowds that come, go and jump, beside a
// plain map from two ids to a tick.
func TestPairsRememberLikeAMap(t *testing.T) {
	const hold = 5
	for seed := range uint64(30) {
		r := vec.NewRand(seed)
		var p kit.Pairs
		type key struct{ lo, hi state.ID }
		seen := map[key]state.Tick{}
		was := map[state.ID]uint8{}
		tick := ^state.Tick(20) // wraps
		for range 60 {
			tick++
			var in vis.Input
			in.Reset(tick, 64)
			now := map[state.ID]uint8{}
			for id := state.ID(1); id <= 50; id++ {
				if r.Intn(8) == 0 {
					continue
				}
				now[id] = was[id]
				if r.Intn(15) == 0 {
					now[id]++
				}
				if now[id] != was[id] {
					for k := range seen {
						if k.lo == id || k.hi == id {
							delete(seen, k)
						}
					}
				}
				in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true, Teleports: now[id]})
				if id <= 40 {
					in.Viewers = append(in.Viewers, vis.Viewer{Subject: len(in.Subjects) - 1, ID: id})
				}
			}
			for k := range seen {
				if _, ok := now[k.lo]; !ok {
					delete(seen, k)
				} else if _, ok := now[k.hi]; !ok {
					delete(seen, k)
				}
			}
			was = now
			vis.Candidates(&in, 0)
			asked := 0
			pairs := p.Begin(&in)
			for i := range pairs {
				q := &pairs[i]
				a, b := in.Subjects[q.A].ID, in.Subjects[q.B].ID
				k := key{min(a, b), max(a, b)}
				if q.ASees >= 0 {
					asked++
				}
				if q.BSees >= 0 {
					asked++
				}
				last, ok := seen[k]
				want := ok && tick-last <= hold
				until, held := p.Held(q, tick, hold)
				if held != want || (held && until != last+hold) {
					t.Fatalf("seed %d tick %d, %d and %d: held %v until %d, want %v", seed, int32(tick), a, b, held, until, want)
				}
				if r.Intn(6) == 0 {
					p.See(q, tick)
					seen[k] = tick
				}
			}
			if want := len(in.Viewers) * (len(in.Subjects) - 1); asked != want {
				t.Fatalf("%d directions are listed, want %d", asked, want)
			}
		}
	}
}

// Example is a whole policy: whoever is near is known, and for a second after.
func Example() {
	var p nearby
	d := vis.Inline(&p)
	var in vis.Input
	in.Reset(1, 64)
	for i := range 3 {
		in.Subjects = append(in.Subjects, vis.Subject{ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true, Pos: vec.V3{X: float32(i * i * 8)}})
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: i, ID: state.ID(i + 1)})
	}
	vis.Candidates(&in, vis.DefaultRange)
	d.Submit(&in)
	a := d.Collect()
	vis.Gate(&in, a)
	fmt.Println(a.Permitted(0, 1), a.Permitted(0, 2))
	// Output: true false
}

type nearby struct{ pairs kit.Pairs }

func (p *nearby) Decide(in *vis.Input, out *vis.Answer) {
	second := kit.Ticks(1000, in.TickRate)
	pairs := p.pairs.Begin(in)
	for i := range pairs {
		q := &pairs[i]
		if kit.Within(&in.Subjects[q.A], &in.Subjects[q.B], 20) {
			p.pairs.See(q, in.Tick)
		}
		if until, held := p.pairs.Held(q, in.Tick, second); held {
			q.Allow(out, vis.Held, until)
		}
	}
}
