package snapshot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// A burst is the shots of somebody unseen that sound alike: the same shooter, weapon,
// place and way, as far as the client is told of them. Its shots are told whole until
// the client is known to have one of them; from then on a shot says which burst goes on.
// Each shot is an event for all that: numbered, and sent again when it was lost.

// burst is what the Encoder knows of one.
type burst struct {
	event state.Event // Kind EvNone: none
	gen   uint32      // of the slot
	known bool        // the client has it
	used  uint64      // packet that last had a shot of it
}

// bursts are those of a client.
type bursts struct{ list [wire.BurstSlots]burst }

// opened is a burst that a packet tells whole.
type opened struct {
	slot uint8
	gen  uint32
}

// form returns an event as it is sent in packet seq, and which burst it opens, slot -1
// for none. mine is the client's own id.
func (b *bursts) form(e *state.Event, mine state.ID, seq uint64) (state.Event, int) {
	if e.Kind != state.EvFire || e.Actor == mine || e.Actor == 0 || e.Target != 0 || e.Param != 0 && e.Param != state.Quiet {
		return *e, -1
	}
	slot := -1
	oldest := 0
	for i := range b.list {
		it := &b.list[i]
		if it.event == *e {
			slot = i
			break
		}
		// The shooter's own slot is taken over, and otherwise the one unused for longest.
		switch was := &b.list[oldest]; {
		case was.event.Actor == e.Actor && was.event.Kind == state.EvFire:
		case it.event.Actor == e.Actor && it.event.Kind == state.EvFire, it.used < was.used:
			oldest = i
		}
	}
	if slot < 0 {
		slot = oldest
		b.list[slot] = burst{event: *e, gen: b.list[slot].gen + 1}
	}
	it := &b.list[slot]
	it.used = seq
	name := wire.Burst(slot, it.gen, e.Param == state.Quiet)
	if it.known {
		return state.Event{Kind: wire.GoesOn, Param: name}, -1
	}
	out := *e
	out.Param = -1 - name
	return out, slot
}

// arrived notes that the client has a packet that opened a burst.
func (b *bursts) arrived(o opened) {
	if it := &b.list[o.slot]; it.gen == o.gen && it.event.Kind != state.EvNone {
		it.known = true
	}
}

// forget begins anew with a client that has lost what it was told.
func (b *bursts) forget() {
	for i := range b.list {
		b.list[i].known = false
	}
}

// heardBursts are what the Decoder knows of them.
type heardBursts [wire.BurstSlots]struct {
	event state.Event
	gen   uint32
	have  bool
}

// take makes of an event of a packet what it stands for; false when it goes on with a
// burst that is not known any more. own is the client's own id.
func (h *heardBursts) take(e *state.Event, own state.ID) bool {
	switch {
	case e.Kind == wire.GoesOn:
		slot, gen, _, ok := wire.BurstOf(e.Param)
		if !ok || !h[slot].have || h[slot].gen != gen {
			return false
		}
		*e = h[slot].event
	case e.Kind == state.EvFire && e.Param < 0 && e.Actor != own:
		slot, gen, muffled, ok := wire.BurstOf(-1 - e.Param)
		if !ok {
			return false
		}
		if e.Param = 0; muffled {
			e.Param = state.Quiet
		}
		if s := &h[slot]; !s.have || wire.BurstAfter(gen, s.gen) {
			s.event, s.gen, s.have = *e, gen, true
		}
	}
	return true
}
