package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// A Sight that takes what changes answers as one that is made anew for each tick, and
// says where something changed that can hide; a pane never is.
func TestSightTakesPiecesAsIfMadeAnew(t *testing.T) {
	const seed = 4
	r := vec.NewRand(seed, 0)
	b := level.NewBuilder("pieces")
	if err := b.AddBox(0, vec.Box{Min: vec.New(-40, -40, -1), Max: vec.New(40, 40, 0)}, level.Solid, "floor"); err != nil {
		t.Fatal(err)
	}
	const n = 40
	for i := range n {
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		at := vec.New(r.Signed()*30, r.Signed()*30, 0)
		if err := b.AddBox(m, vec.Box{Min: at, Max: at.Add(vec.New(1+r.Float()*6, 0.3+r.Float(), 3))}, level.Solid, "piece"); err != nil {
			t.Fatal(err)
		}
		b.AddPiece(level.Piece{Model: m, Health: 1, Material: level.Material(i) % level.NumMaterials})
	}
	w := trace.New(b.Build())
	l := w.Level()
	s := vis.NewSight(w, 64)
	in := vis.Input{TickRate: 64, Pieces: make([]state.Piece, n)}
	differ := 0
	for tick := state.Tick(1); tick < 300; tick++ {
		in.Tick = tick
		want := 0
		for range r.Intn(4) {
			i := r.Intn(n)
			if in.Pieces[i].At == tick {
				continue
			}
			in.Pieces[i] = state.Piece{Broken: !in.Pieces[i].Broken, At: tick}
			if l.Pieces[i].Material != level.Pane {
				want++
			}
		}
		s.Take(&in)
		if len(s.Changed()) != want {
			t.Fatalf("seed %d tick %d: %d places changed, want %d", seed, tick, len(s.Changed()), want)
		}
		fresh := vis.NewSight(w, 64)
		fresh.Take(&in)
		for range 30 {
			p, q := vec.New(r.Signed()*35, r.Signed()*35, 0.2+r.Float()*3), vec.New(r.Signed()*35, r.Signed()*35, 0.2+r.Float()*3)
			plain := true
			for i := range l.Pieces {
				if !in.Pieces[i].Broken && l.Pieces[i].Material != level.Pane && crosses(l.Models[l.Pieces[i].Model].Bounds, p, q) {
					plain = false
				}
			}
			if got := s.Clear(p, q); got != fresh.Clear(p, q) || got != plain {
				t.Fatalf("seed %d tick %d: %v to %v is clear: %v, made anew %v, by hand %v", seed, tick, p, q, got, fresh.Clear(p, q), plain)
			} else if !got {
				differ++
			}
		}
	}
	if differ < 500 {
		t.Fatalf("%d lines were blocked: nothing is shown", differ)
	}
}

// crosses reports whether a line meets a box.
func crosses(box vec.Box, a, b vec.V3) bool {
	lo, hi := 0.0, 1.0
	for k := range 3 {
		p, d := float64(a.At(k)), float64(b.At(k)-a.At(k))
		if d == 0 {
			if p < float64(box.Min.At(k)) || p > float64(box.Max.At(k)) {
				return false
			}
			continue
		}
		t0, t1 := (float64(box.Min.At(k))-p)/d, (float64(box.Max.At(k))-p)/d
		lo, hi = max(lo, min(t0, t1)), min(hi, max(t0, t1))
	}
	return lo <= hi
}

// Everybody is told of every piece that was ever broken, near or far, alive or not,
// and of nothing else of pieces.
func TestEverybodyIsToldOfBrokenPieces(t *testing.T) {
	var f vis.Frame
	var in vis.Input
	var ans vis.Answer
	in.Reset(9, 64)
	f.Reset(9)
	for i := range 3 {
		id := state.ID(i + 1)
		if i < 2 {
			in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: i == 0})
			f.Entities = append(f.Entities, state.Entity{ID: id})
		}
		in.Viewers = append(in.Viewers, vis.Viewer{ID: id, Subject: min(i, 2) - 3*(i/2)})
		f.Own = append(f.Own, vis.Own{ID: id})
	}
	f.Own[1].Player.Pos = vec.New(500, 0, 0)
	in.SizeAsked()
	ans.Reset(&in)
	f.Pieces = append(f.Pieces, state.Piece{}, state.Piece{Broken: true, At: 4}, state.Piece{}, state.Piece{At: 7})
	f.PieceAt = make([]vec.Box, 4)
	f.DoorRange, f.EventRange = 10, 10
	var v vis.View
	for i := range in.Viewers {
		vis.Build(&f, &in, &ans, i, &v)
		got := v.Pieces()
		if len(got) != 2 || got[0].Index != 1 || got[0].State != f.Pieces[1] || got[1].Index != 3 || got[1].State != f.Pieces[3] {
			t.Errorf("viewer %d is told of %+v", i, got)
		}
		if len(got) == 2 && got[0].Near != (i != 1) {
			t.Errorf("viewer %d: near %v", i, got[0].Near)
		}
	}
}
