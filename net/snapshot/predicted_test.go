package snapshot_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// predicting is a client that predicts right from whatever it was told, as long as
// nothing happened since that it was not told of; and wrongly otherwise.
type predicting struct {
	w      *world
	began  state.Tick
	own    []state.Player      // by step
	since  []int               // first step from which a client predicts this one right
	doors  [][]state.DoorState // by step
	pieces [][]state.Piece
	told   []bool // step was decoded in time, with the doors as they were
}

func newPredicting(w *world) *predicting {
	return &predicting{
		w: w, began: w.tick, own: make([]state.Player, 1), since: make([]int, 1),
		doors: make([][]state.DoorState, 1), pieces: make([][]state.Piece, 1), told: make([]bool, 1),
	}
}

// happened notes the world's tick.
func (m *predicting) happened(step uint64) {
	m.own = append(m.own, m.w.own.Player)
	m.since = append(m.since, max(int(step)-int(m.w.own.Undisturbed), int(int32(m.w.doorAt-m.began))))
	m.doors = append(m.doors, slices.Clone(m.w.doors))
	m.pieces = append(m.pieces, slices.Clone(m.w.pieces))
	m.told = append(m.told, false)
}

func (m *predicting) decoded(step uint64, s *snapshot.Snapshot) {
	right := !s.Late
	for i, d := range m.doors[step] {
		have := state.DoorState{}
		if i < len(s.Doors) {
			have = s.Doors[i]
		}
		right = right && have == d
	}
	for i, d := range m.pieces[step] {
		have := state.Piece{}
		if i < len(s.Pieces) {
			have = s.Pieces[i]
		}
		right = right && have == d
	}
	m.told[step] = right
}

func (m *predicting) at(tick state.Tick) (*state.Player, bool) {
	step := int(int32(tick - m.began))
	p := m.own[step]
	p.Health, p.Armor, p.Team = -7, -7, 9
	for b := step - 1; b >= max(m.since[step], 1); b-- {
		if m.told[b] {
			return &p, true
		}
	}
	p.Pos.X = -999999
	return &p, true
}

func TestAPredictedOwnStateCostsABit(t *testing.T) {
	p := newPair(t, 1)
	own := &p.w.own
	p.dec.Predict(func(state.Tick) (*state.Player, bool) { q := own.Player; return &q, true })
	p.deliver()
	move := func() vis.Own {
		own.Player.Pos.X += 0.25
		own.Player.Yaw += 900
		own.Undisturbed++
		return *own
	}
	for range 40 {
		want, before := move(), p.enc.Spent()
		s := p.deliver()
		after := p.enc.Spent()
		most := int64(3)
		if p.seq%16 == 0 {
			most += 16
		}
		if took := after.Own - before.Own; s.Own.Player != want.Player || took > most || after.Predicted == before.Predicted {
			t.Fatalf("%d bits, own %+v, want %+v", took, s.Own.Player, want.Player)
		}
	}
	// What acts from outside is told bit for bit until a packet with it has arrived.
	move()
	own.Undisturbed = 0
	own.Player.Vel.Z = 5
	before := p.enc.Spent().Predicted
	for range 3 {
		b := p.send()
		if s, err := decode(p.dec, b, p.seq); err != nil || s.Own.Player != own.Player {
			t.Fatalf("err %v, own %+v", err, s.Own.Player)
		}
		move()
	}
	if p.enc.Spent().Predicted != before {
		t.Fatal("left to the client before it could know")
	}
	p.enc.Acked(p.seq)
	p.deliver()
	if p.enc.Spent().Predicted == before {
		t.Fatal("not left to the client again")
	}
	// So is a door that moves.
	p.w.doors[1] = state.DoorState{Open: true, Start: p.w.tick}
	before = p.enc.Spent().Predicted
	move()
	p.deliver()
	if p.enc.Spent().Predicted != before {
		t.Fatal("left to the client while a door moves that it does not know of")
	}
	move()
	p.deliver()
	if p.enc.Spent().Predicted == before {
		t.Fatal("not left to the client again")
	}
	// And a piece that breaks.
	p.w.pieces[3] = state.Piece{Broken: true, At: p.w.tick}
	before = p.enc.Spent().Predicted
	move()
	if s := p.deliver(); p.enc.Spent().Predicted != before || s.Pieces[3] != p.w.pieces[3] {
		t.Fatal("left to the client while a piece breaks that it does not know of")
	}
	move()
	p.deliver()
	if p.enc.Spent().Predicted == before {
		t.Fatal("not left to the client again")
	}
	// One that moves beyond reach changes nothing, and is told all the same.
	p.w.frame.DoorAt = make([]vec.Box, len(p.w.doors))
	far := own.Player.Pos.Add(vec.V3{X: 1000})
	p.w.frame.DoorAt[1] = vec.Box{Min: far, Max: far}
	p.w.doors[1] = state.DoorState{Start: p.w.tick}
	before = p.enc.Spent().Predicted
	move()
	s := p.deliver()
	if p.enc.Spent().Predicted == before || s.Doors[1] != p.w.doors[1] {
		t.Fatalf("a door out of reach: left to the client %v, told %+v of %+v", p.enc.Spent().Predicted > before, s.Doors[1], p.w.doors[1])
	}
}

func TestAWrongPredictionIsFoundWithin16Packets(t *testing.T) {
	p := newPair(t, 1)
	own := &p.w.own
	wrong := float32(0)
	p.dec.Predict(func(state.Tick) (*state.Player, bool) { q := own.Player; q.Vel.Y += wrong; return &q, true })
	for range 5 {
		p.deliver()
		own.Undisturbed++
	}
	wrong = 1e-6
	n := 0
	for {
		own.Undisturbed++
		_, err := decode(p.dec, p.send(), p.seq)
		if n++; err != nil {
			if !errors.Is(err, snapshot.ErrMismatch) || !errors.Is(err, snapshot.ErrNeedFull) {
				t.Fatal(err)
			}
			break
		}
		p.enc.Acked(p.seq)
	}
	if n > 16 {
		t.Fatalf("found after %d packets", n)
	}
	p.enc.Reset()
	wrong = 0
	for range 20 {
		if s := p.deliver(); s.Own.Player != own.Player {
			t.Fatalf("own %+v", s.Own.Player)
		}
		own.Undisturbed++
	}
}

func TestWithoutAPredictionAFullStateIsAskedFor(t *testing.T) {
	p := newPair(t, 1)
	p.deliver()
	p.w.own.Undisturbed = 9
	if _, err := decode(p.dec, p.send(), p.seq); !errors.Is(err, snapshot.ErrUnpredicted) || !errors.Is(err, snapshot.ErrNeedFull) {
		t.Fatal(err)
	}
	p.enc.Reset()
	p.deliver()
}
