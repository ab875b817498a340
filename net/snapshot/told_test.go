package snapshot

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// What Told says of the newest packet, from the slots, is what the packet's own list
// says.
func TestToldOfTheNewestIsWhatThePacketLists(t *testing.T) {
	e := NewEncoder(64)
	e.seq, e.begun = 9, true
	p := &e.ring[9%Ring]
	p.clear(9)
	for n, id := range []state.ID{3, 5, 8} {
		index := indexOf(id)
		e.slots = append(e.slots, slot{index: uint16(index), here: true, sent: true, lastSeq: 9})
		e.at[index] = uint16(n + 1)
		s := &e.slots[n]
		s.now.Detail, s.last.Detail = state.Detail(n), state.Detail(n)
		p.given = append(p.given, given{index: uint16(index), detail: state.Detail(n), path: uint8(2 * n)})
	}
	e.slots[2].path = make([]state.Body, 4)
	p.given[1].path = 0
	for _, whole := range []bool{false, true} {
		p.whole = whole
		e.slots[0].lastSeq = 7 // not in this packet
		if up, d, path := e.Told(9, 3); up != whole || up && d != 0 || path != 0 {
			t.Errorf("left out, whole %v: %v %v %v", whole, up, d, path)
		}
		if up, d, path := e.Told(9, 5); !up || d != 1 || path != 0 {
			t.Errorf("given: %v %v %v", up, d, path)
		}
		if up, d, path := e.Told(9, 8); !up || d != 2 || path != 4 {
			t.Errorf("given with a path: %v %v %v", up, d, path)
		}
		if up, _, _ := e.Told(9, 77); up != whole {
			t.Errorf("somebody unknown: %v", up)
		}
		if up, _, _ := e.Told(8, 5); up {
			t.Error("a packet that is not there")
		}
	}
}
