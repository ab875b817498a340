package tables_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/tables"
)

// Each tick has the set that was added last of those that hold by then, over the wrap of
// ticks too, and what is forgotten is the oldest.
func TestTimeline(t *testing.T) {
	for _, first := range []uint32{0, 1000, ^uint32(0) - 30} {
		var l tables.Timeline
		if l.At(first) != nil {
			t.Fatal("an empty timeline has a set")
		}
		set := tables.Arena()
		l.Reset(&set, first)
		for v := 2; v <= 5; v++ {
			set.Version = v
			l.Add(&set, first+uint32(v)*10)
		}
		for i := range uint32(80) {
			want := 1
			if i >= 20 {
				want = min(int(i/10), 5)
			}
			if got := l.At(first + i).Version; got != want {
				t.Fatalf("%d ticks after %d version %d holds, want %d", i, first, got, want)
			}
		}
		if got := l.At(first - 5).Version; got != 1 {
			t.Fatalf("before all of it version %d holds", got)
		}
		if next, ok := l.Next(first + 20); !ok || next != first+30 {
			t.Fatalf("after the first change comes %d %v", next, ok)
		}
		if _, ok := l.Next(first + 50); ok {
			t.Fatal("something follows the last change")
		}
		for v := 6; v < 6+tables.KeptSets; v++ {
			set.Version = v
			l.Add(&set, first+uint32(v)*10)
		}
		if got := l.At(first).Version; got != 6 {
			t.Fatalf("the oldest that is kept is version %d, want 6", got)
		}
		if last, from := l.Last(); last.Version != 5+tables.KeptSets || from != first+uint32(last.Version)*10 {
			t.Fatalf("the last is version %d from %d", last.Version, from)
		}
	}
}
