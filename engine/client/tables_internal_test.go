package client

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/wire"
)

// announce makes an announcement of what follows on a set, and the set.
func announce(t *testing.T, s *tables.Set, from state.Tick, gravity float32, whole bool) (*wire.Tables, *tables.Set) {
	t.Helper()
	vs := []tables.Value{{Name: "movement.gravity", To: gravity}}
	next, err := s.With(vs)
	if err != nil {
		t.Fatal(err)
	}
	m := &wire.Tables{Version: uint32(next.Version), From: from, Hash: next.Hash(), Values: vs}
	if whole {
		m.Values, m.Whole = nil, wire.TablesBlob(&next)
	}
	return m, &next
}

// Which ticks a client knows the tables of: all, until a snapshot names a version that it
// does not have; then those up to a second after the last that did not, over the wrap of
// ticks too. When it is told, all again.
func TestWhichTicksAreKnown(t *testing.T) {
	const hz = 64
	for _, first := range []state.Tick{1000, ^state.Tick(0) - 20} {
		var b book
		arena := tables.Arena()
		b.begin(&arena, first)
		check := func(what string, from, to int, want bool) {
			t.Helper()
			for i := from; i <= to; i++ {
				if got := b.has(first + state.Tick(i)); got != want {
					t.Fatalf("first tick %d, %s: tick %d is known: %v", first, what, i, got)
				}
			}
		}
		check("welcomed", 0, 200, true)
		b.heard(1, first+10, hz)
		b.heard(2, first+14, hz) // announced in 11 to 14: from 11+64 on at the earliest
		check("behind", 0, 74, true)
		check("behind", 75, 300, false)
		b.heard(2, first+40, hz)
		check("still behind", 0, 74, true)
		check("still behind", 75, 300, false)
		m, next := announce(t, &arena, first+80, 12, false)
		if !b.take(m) {
			t.Fatal("a right announcement is refused")
		}
		check("told", 0, 300, true)
		if b.line.At(first+79).Version != 1 || b.line.At(first+80).Version != 2 {
			t.Error("it does not hold from its tick on")
		}

		// An announcement that is faster than snapshots is no lack, nor is an old snapshot.
		m, next = announce(t, next, first+150, 13, false)
		if !b.take(m) {
			t.Fatal("a right announcement is refused")
		}
		b.heard(2, first+60, hz)
		check("told early", 0, 300, true)

		// One whose hash is another's counts for nothing from its first tick on.
		m, _ = announce(t, next, first+230, 14, false)
		m.Hash[3]++
		if b.take(m) || b.newest != 3 {
			t.Fatal("a wrong one is taken")
		}
		b.broken, b.wrongAt = true, m.From
		check("broken", 0, 229, true)
		check("broken", 230, 300, false)
		whole, next4 := announce(t, next, first+230, 14, true)
		again, _ := announce(t, &arena, first+80, 12, true)
		if !b.take(again) || b.newest != 3 || b.line.At(first+100).Version != 2 {
			t.Error("what it has, told again, does harm")
		}
		if !b.take(whole) || b.broken {
			t.Fatal("whole tables are refused")
		}
		check("mended", 0, 400, true)

		// One between was left out: of its ticks nothing is known, even when the next is here.
		b.heard(4, first+300, hz)
		b.heard(6, first+301, hz)
		_, next5 := announce(t, next4, first+370, 15, false)
		last, _ := announce(t, next5, first+400, 16, false)
		if b.take(last) {
			t.Fatal("one that builds on what is missing is taken")
		}
		last, _ = announce(t, next5, first+400, 16, true)
		if !b.take(last) {
			t.Fatal("whole tables are refused")
		}
		check("a hole", 0, 364, true)
		check("a hole", 365, 399, false)
		check("a hole", 400, 500, true)
	}
}

// A client that has been welcomed and has heard of no snapshot yet predicts nothing of what
// the first one finds it to lack; announcements in a burst are looked at, a flood is not.
func TestFirstSnapshotNamesMore(t *testing.T) {
	var b book
	arena := tables.Arena()
	b.begin(&arena, 100)
	b.heard(2, 130, 64)
	if !b.has(130) || b.has(131) {
		t.Error("it cannot know from when on")
	}
	n := 0
	for i := range 1000 {
		if b.mayTell(5_000_000 + int64(i)*1_000_000) {
			n++
		}
	}
	if n < tellBurst || n > tellBurst+tellPerS {
		t.Errorf("of 1000 announcements in a second %d are looked at", n)
	}
}

// What is shown of the own player while nothing is predicted lies between what the
// server told.
func TestToldStatesAreBlended(t *testing.T) {
	var o ownTrack
	for i := range state.Tick(200) {
		if i%3 == 0 {
			p := state.Player{Health: 100}
			p.Pos.X = float32(i)
			o.add(1000+i, &p)
			o.add(900+i, &p) // an old one
		}
	}
	for _, c := range []struct {
		tick state.Tick
		frac uint8
		want float32
	}{{1190, 128, 190.5}, {1191, 0, 191}, {1500, 0, 198}} {
		if p := o.at(c.tick, c.frac); p.Pos.X != c.want {
			t.Errorf("at %d and %d/256 it is at %v, want %v", c.tick, c.frac, p.Pos.X, c.want)
		}
	}
	p := state.Player{Health: 100, Teleports: 1}
	o.add(1210, &p)
	if got := o.at(1205, 0); got.Pos.X != 198 {
		t.Errorf("over a teleport it is at %v", got.Pos.X)
	}
}
