package kit

import (
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Known is what is known of a pair.
type Known uint8

// A pair is Untested until a test of it was finished.
const (
	Untested Known = iota
	Unseen
	Seen
)

// MaxWaitMS is after how many milliseconds without a test a pair goes before nearer
// ones.
const MaxWaitMS = 500

// Queue puts the pairs that are to be tested in a tick in order: those that were
// never tested, those that have waited for longer than MaxWaitMS, the others; of
// each the nearest first, to a few metres. It keeps the order within each step, so
// that the same input gives the same order.
type Queue struct {
	due, sorted []Due
}

// Due is a pair that is to be tested.
type Due struct {
	Pair int32 // whatever Add was told
	bin  uint16
}

const (
	binM    = 4
	bins    = 128 // of each kind; what is farther than all is in the last
	numBins = 3 * bins
)

// Begin empties the queue for a new tick.
func (q *Queue) Begin() { q.due = q.due[:0] }

// Add adds a pair of two subjects, of which so much is known, and which has not been
// tested for so many ticks.
func (q *Queue) Add(pair int, a, b *vis.Subject, known Known, waited, oldest state.Tick) {
	bin := uint16(2 * bins)
	switch {
	case known == Untested:
		bin = 0
	case waited > oldest:
		bin = bins
	}
	q.due = append(q.due, Due{int32(pair), bin + uint16(min(a.Pos.Dist(b.Pos)/binM, bins-1))})
}

// Order returns the pairs of this tick in order. The slice is valid until the next
// call.
func (q *Queue) Order() []Due {
	var from [numBins + 1]int32
	for _, d := range q.due {
		from[d.bin+1]++
	}
	for i := range numBins {
		from[i+1] += from[i]
	}
	q.sorted = slices.Grow(q.sorted[:0], len(q.due))[:len(q.due)]
	for _, d := range q.due {
		q.sorted[from[d.bin]] = d
		from[d.bin]++
	}
	return q.sorted
}
