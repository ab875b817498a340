package snapshot_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// Somebody who joins late is told of everything that is broken, in as many packets as
// that takes, and nothing is sent of pieces afterwards.
func TestLateJoinersAreToldOfAllThatIsBroken(t *testing.T) {
	p := newPair(t, 3)
	p.w.pieces = make([]state.Piece, 1000)
	for i := range p.w.pieces {
		if i%2 == 0 {
			p.w.pieces[i] = state.Piece{Broken: true, At: p.w.tick - state.Tick(i*7)}
		}
	}
	var s *snapshot.Snapshot
	n := 0
	for ; n < 20; n++ {
		s = p.deliver()
		if len(s.Pieces) >= 999 && s.Pieces[998] == p.w.pieces[998] {
			break
		}
	}
	for i, want := range p.w.pieces {
		have := state.Piece{}
		if i < len(s.Pieces) {
			have = s.Pieces[i]
		}
		if have != want {
			t.Fatalf("after %d packets piece %d is %+v, want %+v", n+1, i, have, want)
		}
	}
	for range 4 {
		p.deliver()
	}
	before := p.enc.Spent().Doors
	const quiet = 64
	for range quiet {
		p.deliver()
	}
	if bits := p.enc.Spent().Doors - before; bits > quiet {
		t.Errorf("%d bits in %d packets in which nothing broke", bits, quiet)
	}
}
