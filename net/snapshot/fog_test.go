package snapshot_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// stream runs 300 ticks of three players in the hall with a divider: 1 looks, 2
// stays where 1 cannot see it and does what hidden says, 3 walks about in sight.
// It returns the packets for 1.
func stream(t *testing.T, w *trace.World, make func(vis.Env) (vis.Policy, error), hidden uint64) [][]byte {
	t.Helper()
	p, err := make(vis.Env{World: w, TickRate: 64})
	if err != nil {
		t.Fatal(err)
	}
	d := vis.Inline(p)
	sight := vis.NewSight(w, 64)
	enc := snapshot.NewEncoder(64)
	seen, unseen := vec.NewRand(1), vec.NewRand(hidden)
	var in vis.Input
	var f vis.Frame
	var view vis.View
	var out [][]byte
	for tick := state.Tick(1); tick <= 300; tick++ {
		in.Reset(tick, 64)
		f.Reset(tick)
		f.Sight = sight
		add := func(id state.ID, kind state.Kind, x, y, z float32, r *vec.Rand, alive bool) vec.V3 {
			at := func(up float32) vec.V3 { return vec.V3{X: x, Y: y, Z: z + up}.Scale(1. / 32) }
			in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: kind, Alive: alive, Pos: at(0), Eye: at(58), Chest: at(40)})
			f.Entities = append(f.Entities, state.Entity{ID: id, Kind: kind, Pos: state.Quant(at(0)), Yaw: state.Angle16(r.Intn(65536)), Owner: 2})
			if kind == state.KindPlayer {
				in.Viewers = append(in.Viewers, vis.Viewer{Subject: len(in.Subjects) - 1, ID: id})
				f.Own = append(f.Own, vis.Own{ID: id})
			}
			return at(40)
		}
		add(1, state.KindPlayer, -384, -128, 0, &seen, true)
		u := &unseen
		behind := add(2, state.KindPlayer, 60+float32(u.Intn(400)), -240+float32(u.Intn(180)), float32(u.Intn(50)), u, u.Intn(10) > 0)
		add(3, state.KindPlayer, -300+float32(seen.Intn(100)), float32(seen.Intn(100)), 0, &seen, true)
		for i := range u.Intn(3) { // its rockets, the ids used anew
			add(state.FirstThing+state.ID(i), state.KindRocket, 60+float32(u.Intn(300)), -200, 100, u, true)
		}
		for range u.Intn(4) {
			f.Events = append(f.Events, state.Event{
				Kind:  []state.EventKind{state.EvFire, state.EvFootstep, state.EvImpact, state.EvExplode, state.EvDeath, state.EvPickup}[u.Intn(6)],
				Actor: 2, Target: 2, Pos: behind, Dir: vec.V3{X: 1}, Param: int32(u.Intn(100)),
			})
		}
		f.Events = append(f.Events, state.Event{Kind: state.EvFire, Actor: 3, Param: int32(seen.Intn(9))})

		vis.Candidates(&in, vis.DefaultRange)
		d.Submit(&in)
		a := d.Collect()
		vis.Gate(&in, a)
		vis.Build(&f, &in, a, 0, &view)
		buf := [snapshot.MaxPayload]byte{}
		var bw bits.Writer
		bw.Reset(buf[:])
		if err := enc.Encode(&bw, &view, uint64(tick)); err != nil {
			t.Fatal(err)
		}
		out = append(out, bw.Bytes())
		if tick > 5 && tick%7 != 0 {
			enc.Acked(uint64(tick - 5))
		}
	}
	return out
}

// TestHiddenTargetNeverChangesPacketSize compares the packets, byte for byte, of
// worlds that differ only in what somebody behind a wall does; and makes sure
// that it does matter to a policy that sends everything.
func TestHiddenTargetNeverChangesPacketSize(t *testing.T) {
	raw, err := os.ReadFile("../../game/level/testdata/r2.map")
	if err != nil {
		t.Fatal(err)
	}
	l, err := mapfile.Parse("r2", raw, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := trace.New(l)
	first, differs := stream(t, w, deaddrop.New, 100), 0
	for seed := uint64(101); seed < 110; seed++ {
		for i, b := range stream(t, w, deaddrop.New, seed) {
			if !bytes.Equal(b, first[i]) {
				t.Fatalf("seed %d, tick %d: %d bytes and %d bytes\n%x\n%x", seed, i+1, len(first[i]), len(b), first[i], b)
			}
		}
		if !bytes.Equal(bytes.Join(stream(t, w, open.New, 100), nil), bytes.Join(stream(t, w, open.New, seed), nil)) {
			differs++
		}
	}
	if differs != 9 {
		t.Fatalf("open differs in only %d worlds of 9", differs)
	}
}

// Numbers of things are given out in turn in the whole world: which of two rockets
// has the higher one depends on how many others have fired, once the turn is over.
// Two that come into view together are told of alike whichever it is.
func TestTheOrderOfThingsIdsIsNotTold(t *testing.T) {
	told := func(ids ...state.ID) (out [][]byte) {
		enc := snapshot.NewEncoder(64)
		p, err := open.New(vis.Env{TickRate: 64})
		if err != nil {
			t.Fatal(err)
		}
		d := vis.Inline(p)
		var in vis.Input
		var f vis.Frame
		var view vis.View
		for tick := state.Tick(1); tick <= 20; tick++ {
			in.Reset(tick, 64)
			f.Reset(tick)
			add := func(id state.ID, kind state.Kind, at vec.V3) {
				in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: kind, Alive: true, Pos: at, Eye: at, Chest: at})
				f.Entities = append(f.Entities, state.Entity{ID: id, Kind: kind, Pos: state.Quant(at), Vel: state.Quant(at)})
			}
			add(1, state.KindPlayer, vec.V3{})
			in.Viewers = append(in.Viewers, vis.Viewer{ID: 1})
			f.Own = append(f.Own, vis.Own{ID: 1})
			if tick > 5 {
				for i, id := range ids {
					add(id, state.KindRocket, vec.V3{X: 3, Y: float32(i) + float32(tick)/4})
				}
			}
			vis.Candidates(&in, vis.DefaultRange)
			d.Submit(&in)
			a := d.Collect()
			vis.Gate(&in, a)
			vis.Build(&f, &in, a, 0, &view)
			if tick > 5 && len(view.Entities()) != len(ids) {
				t.Fatalf("%d in view", len(view.Entities()))
			}
			buf := [snapshot.MaxPayload]byte{}
			var bw bits.Writer
			bw.Reset(buf[:])
			if err := enc.Encode(&bw, &view, uint64(tick)); err != nil {
				t.Fatal(err)
			}
			out = append(out, bw.Bytes())
			if tick > 2 {
				enc.Acked(uint64(tick - 2))
			}
		}
		return out
	}
	first := told(1100, 1101, 1102)
	for _, ids := range [][]state.ID{{1101, 1100, 1102}, {2000, 1500, 1024}, {4000, 1024, 1025}} {
		for i, b := range told(ids...) {
			if !bytes.Equal(b, first[i]) {
				t.Errorf("ids %v, tick %d: %d bytes and %d bytes", ids, i+1, len(first[i]), len(b))
				break
			}
		}
	}
}
