package host

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// decided is a policy that notes which ticks it was asked about.
type decided struct {
	mu    sync.Mutex
	ticks []state.Tick
	did   chan state.Tick
}

func (d *decided) Decide(in *vis.Input, _ *vis.Answer) {
	d.mu.Lock()
	d.ticks = append(d.ticks, in.Tick)
	d.mu.Unlock()
	select {
	case d.did <- in.Tick:
	default:
	}
}

func (d *decided) all() []state.Tick {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.ticks)
}

// ask submits a tick.
func ask(f *fallback, tick state.Tick, all, now bool) {
	b := f.pool.get()
	b.in.Reset(tick, 64)
	f.submit(b, all, now)
	f.pool.drop(b)
}

// A fallback whose goroutine is not due yet decides when its answer is wanted, on the
// goroutine of whoever wants it, once; and in lockstep it leaves no tick out.
func TestFallbackDecidesForWhoeverNeedsIt(t *testing.T) {
	d, pl := &decided{}, &pool{}
	f := newFallback(d, pl, 2*time.Hour, 64)
	defer f.close()
	ask(f, 1, false, false)
	ask(f, 2, false, false) // nobody wanted the one before
	for range 2 {
		if a := f.answer(2); a == nil || a.Tick != 2 {
			t.Fatalf("%+v", a)
		}
	}
	for tick := state.Tick(3); tick <= 6; tick++ {
		ask(f, tick, true, false)
	}
	if a := f.answer(5); a != nil {
		t.Errorf("an answer to tick %d in place of 5", a.Tick)
	}
	if got := d.all(); !slices.Equal(got, []state.Tick{2, 3, 4, 5, 6}) {
		t.Errorf("decided %v", got)
	}
}

// Its goroutine decides what nobody asks for: a while after it was submitted, at once
// where its decision will be needed, and also after a time without any.
func TestFallbackKeepsItsCachesWarm(t *testing.T) {
	d, pl := &decided{did: make(chan state.Tick, 16)}, &pool{}
	f := newFallback(d, pl, 4*time.Millisecond, 240)
	wait := func(tick state.Tick) {
		t.Helper()
		select {
		case got := <-d.did:
			if got != tick {
				t.Fatalf("decided %d, wanted %d", got, tick)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("tick %d is not decided", tick)
		}
	}
	for tick := state.Tick(1); tick <= 5; tick++ {
		ask(f, tick, false, tick == 3)
		wait(tick)
	}
	for end := time.Now().Add(30 * time.Second); ; {
		f.mu.Lock()
		asleep := f.asleep
		f.mu.Unlock()
		if asleep {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it looks again and again")
		}
		time.Sleep(time.Millisecond)
	}
	ask(f, 6, false, false)
	wait(6)
	f.close()
	if n := len(pl.free); n != 2 && n != 1 {
		t.Errorf("%d batches are free: one is held, or one is twice there", n)
	}
}
