package vis

import (
	"testing"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// What somebody does who is held out of sight, known and told of no more, is told as of
// the unseen: neither where exactly nor, of a step, whose it is, and nothing of how it
// falls. What records show waits: it is dropped when the player is needed again, and
// told once when it is not.
func TestOfTheHeldNoNewPlaceIsHeard(t *testing.T) {
	set := tables.Arena()
	sounds := &hear.Rules{Set: &set, TickRate: 64}
	var v View
	place := func(tick state.Tick) vec.V3 { return vec.New(2.03125, float32(tick)+0.015625, 1) }
	tick := state.Tick(100)
	// at is a tick in which player 2 does something, seen, held or gone.
	at := func(interval uint8, known bool, kinds ...state.EventKind) []state.Event {
		tick++
		f, in, ans := tapeWorld(tick)
		f.Sounds, f.Events = sounds, f.Events[:0]
		for _, k := range kinds {
			f.Events = append(f.Events, state.Event{Kind: k, Actor: 2, Target: 2, Weapon: tables.Rifle, Pos: place(tick)})
		}
		if ans.Deny(0, 1); known {
			ans.Allow(0, 1, Held, tick, interval)
		}
		Build(f, in, ans, 0, &v)
		return v.Events()
	}
	exact := func(es []state.Event) (n int) {
		for _, e := range es {
			if e.Pos == place(tick) || e.Target == 2 || e.Kind != state.EvFire && e.Actor == 2 {
				n++
			}
		}
		return n
	}
	if es := at(0, true, state.EvReload, state.EvDeath); len(es) != 2 || exact(es) != 2 {
		t.Fatalf("of who is seen: %+v", es)
	}
	if es := at(NoNews, true, state.EvReload, state.EvSwitch, state.EvPickup, state.EvDeath); len(es) != 3 || exact(es) != 0 {
		t.Errorf("of who is held: %+v", es)
	}
	if es := at(NoNews, true, state.EvFire, state.EvFootstep); len(es) != 0 {
		t.Errorf("of who may come back: %+v", es)
	}
	if es := at(0, true); len(es) != 0 {
		t.Errorf("of who has come back, whose records tell: %+v", es)
	}
	at(NoNews, true, state.EvFire, state.EvFootstep)
	if es := at(0, false); len(es) != 2 || exact(es) != 0 || es[0].Kind != state.EvFire || es[0].Actor != 2 {
		t.Errorf("of who has not: %+v", es)
	}
	if es := at(0, false); len(es) != 0 {
		t.Errorf("a second time: %+v", es)
	}
	// Held for long it is heard in the meantime.
	at(NoNews, true, state.EvFootstep)
	heard := 0
	for range 10 {
		heard += len(at(NoNews, true))
	}
	if heard != 1 {
		t.Errorf("heard %d times while it is held for long", heard)
	}
	for range 3 * maxWaits {
		at(NoNews, true, state.EvFootstep)
	}
	if cap(v.waits) > 2*maxWaits {
		t.Errorf("%d wait", cap(v.waits))
	}
}
