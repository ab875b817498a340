package host

import (
	"sort"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// journalSeconds bounds the journal, together with twice the time between two saved
// states: ticks that no state covers and that are older are forgotten.
const journalSeconds = 30

// journal holds the frames of the ticks that no saved state covers, oldest first.
// A new life of rules is given all of them in order; its first are those that an
// earlier life has answered already.
type journal struct {
	entries []entry
	free    [][]byte
	work    []byte // a frame is made here: the memory of the others has not been used for seconds
	lost    int    // ticks that were forgotten
}

// entry is one tick.
type entry struct {
	tick    state.Tick
	frame   []byte
	applied bool   // its operations have been taken over: a later life only replays it
	refused bool   // the answer to it was nonsense
	sum     uint32 // of the frame of those operations, valid with applied
}

// add appends a tick, forgetting the oldest beyond most.
func (j *journal) add(in *rules.TickIn, most int) {
	for len(j.entries) >= most {
		j.lost++
		j.shift(1)
	}
	var f []byte
	if n := len(j.free); n > 0 {
		f = j.free[n-1]
		j.free = j.free[:n-1]
	}
	j.work = codec.AppendTick(j.work[:0], in)
	j.entries = append(j.entries, entry{tick: in.Tick, frame: append(f[:0], j.work...)})
}

// covered forgets the ticks up to and including one that a state covers.
func (j *journal) covered(tick state.Tick) {
	n := 0
	for n < len(j.entries) && int32(j.entries[n].tick-tick) <= 0 {
		n++
	}
	j.shift(n)
}

func (j *journal) shift(n int) {
	for i := range n {
		j.free = append(j.free, j.entries[i].frame)
	}
	m := copy(j.entries, j.entries[n:])
	clear(j.entries[m:])
	j.entries = j.entries[:m]
}

// after returns the first entry later than a tick, or the first of all when there
// was none yet. Ticks rise from one entry to the next.
func (j *journal) after(tick state.Tick, any bool) *entry {
	if n := j.behind(tick, any); n > 0 {
		return &j.entries[len(j.entries)-n]
	}
	return nil
}

// behind returns how many entries are later than a tick, all when there was none yet.
func (j *journal) behind(tick state.Tick, any bool) int {
	if !any {
		return len(j.entries)
	}
	return len(j.entries) - sort.Search(len(j.entries), func(i int) bool { return int32(j.entries[i].tick-tick) > 0 })
}

// copied returns the entries later than a tick, which share nothing with the journal's.
func (j *journal) copied(tick state.Tick, any bool) (out []entry) {
	for i := range j.entries {
		if e := j.entries[i]; !any || int32(e.tick-tick) > 0 {
			e.frame = append([]byte(nil), e.frame...)
			out = append(out, e)
		}
	}
	return out
}
