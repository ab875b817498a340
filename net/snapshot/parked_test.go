package snapshot_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// parking is a pair that has n vehicles standing about beside players, of whom one
// walks, all of it known to the client.
func parking(t *testing.T, n int) *pair {
	p := newPair(t, 6)
	for i := range n {
		p.w.ents = append(p.w.ents, state.Entity{
			ID: state.FirstThing + state.ID(1+i), Kind: state.KindVehicle,
			Pos: state.Q{X: int32(i) * 7001, Y: int32(i) * 301, Z: 513}, Yaw: state.Angle16(i * 999),
		})
		p.w.shown, p.w.fine = append(p.w.shown, true), append(p.w.fine, state.Near)
	}
	for range 6 {
		p.deliver()
	}
	return p
}

// A vehicle that stands where it stood costs no bit, whatever else would be told of it:
// how often, since somebody looks at it or has come nearer, and how coarsely, since
// somebody has gone away.
func TestAParkedVehicleCostsNothing(t *testing.T) {
	with, without := parking(t, 40), parking(t, 0)
	for n := range 120 {
		for _, p := range []*pair{with, without} {
			p.w.ents[0].Pos.X += 300
			p.w.every = [...]uint8{0, 3, 8}[n/7%3]
			if n == 60 {
				for i := 6; i < len(p.w.fine); i++ {
					p.w.fine[i] = state.Far
				}
			}
		}
		a, b := with.send(), without.send()
		if !bytes.Equal(a, b) {
			t.Fatalf("packet %d: %d bytes with 40 that stand, %d without", n, len(a), len(b))
		}
		for _, p := range []*pair{with, without} {
			if _, err := decode(p.dec, a, p.seq); err != nil {
				t.Fatal(err)
			}
			p.enc.Acked(p.seq)
		}
	}
	// It is told of in the packet in which it moves, as coarsely as is due, and is told
	// of again to a client that has lost everything.
	with.w.every = 0
	moved := &with.w.ents[20]
	moved.Pos.X, moved.Vel.X = moved.Pos.X+4096, 512
	want := state.Shown(*moved, state.Far)
	for _, what := range []string{"moves", "is forgotten"} {
		s := with.deliver()
		found := false
		for i := range s.Entities {
			if e := &s.Entities[i]; e.Kind == state.KindVehicle && e.Pos == want.Pos && e.Vel == want.Vel {
				found = true
			}
		}
		if !found || len(s.Entities) != len(with.w.ents) {
			t.Fatalf("one that %s is not told of at %v, %d of %d are known", what, want.Pos, len(s.Entities), len(with.w.ents))
		}
		with.enc.Reset()
		with.dec = snapshot.NewDecoder(64)
	}
}

// A finer picture of what stands still is told when it is due.
func TestAParkedVehicleComesNearer(t *testing.T) {
	p := parking(t, 1)
	car := len(p.w.ents) - 1
	p.w.ents[car].Pos.X += 3
	p.w.fine[car] = state.Far
	for range 4 {
		p.deliver()
	}
	p.w.fine[car] = state.Near
	s := p.deliver()
	for i := range s.Entities {
		if e := &s.Entities[i]; e.Kind == state.KindVehicle && e.Pos != p.w.ents[car].Pos {
			t.Fatalf("it is told to be at %v, and near by it is seen to be at %v", e.Pos, p.w.ents[car].Pos)
		}
	}
}

// BenchmarkParked makes packets with and without vehicles that stand about.
func BenchmarkParked(b *testing.B) {
	for _, n := range []int{0, 40} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := parking(&testing.T{}, n)
			view := p.view()
			b.ReportAllocs()
			for b.Loop() {
				p.seq++
				if _, err := encode(p.enc, view, p.seq, snapshot.MaxPayload); err != nil {
					b.Fatal(err)
				}
				p.enc.Acked(p.seq)
			}
		})
	}
}
