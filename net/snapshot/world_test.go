package snapshot_test

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// world makes Views of random subjects for one viewer, player 1.
type world struct {
	r      vec.Rand
	tick   state.Tick
	ents   []state.Entity
	shown  []bool
	doors  []state.DoorState
	pieces []state.Piece
	own    vis.Own
	every  uint8 // interval of every permitted subject
	fine   []state.Detail

	coarse   bool // details differ
	mixed    bool // see newMixed
	predicts bool // the client predicts the own state, but for now and then
	doorAt   state.Tick

	frame vis.Frame
	in    vis.Input
	ans   vis.Answer
	view  vis.View
}

func newWorld(seed uint64, n int, tick state.Tick) *world {
	w := &world{r: vec.NewRand(seed), tick: tick, doorAt: tick, doors: make([]state.DoorState, 5), pieces: make([]state.Piece, 200)}
	for i := range n {
		e := state.Entity{ID: state.ID(i + 2), Kind: state.KindPlayer, Weapon: 1}
		if i >= 40 {
			e.ID, e.Kind = state.FirstThing+state.ID(i*7), state.KindRocket
		}
		e.Pos = state.Q{X: int32(w.r.Intn(40000) - 20000), Y: int32(w.r.Intn(40000) - 20000), Z: int32(w.r.Intn(2000))}
		w.ents = append(w.ents, e)
		w.shown = append(w.shown, w.r.Intn(2) == 0)
		w.fine = append(w.fine, state.Near)
	}
	w.own = vis.Own{ID: 1, Interp: 900}
	w.own.Player.Health = 100
	return w
}

// newMixed is a world with every kind of subject, and with noises.
func newMixed(seed uint64, tick state.Tick) *world {
	w := newWorld(seed, 80, tick)
	w.predicts, w.mixed = true, true
	for i := range w.ents {
		e := &w.ents[i]
		if i < 40 {
			if i%5 == 0 {
				e.Seat = uint8(1 + i%4)
			}
			continue
		}
		e.Kind = state.KindRocket + state.Kind(i)%(state.NumKinds-state.KindRocket)
		if e.Kind == state.KindCamera { // never shown
			e.Kind = state.KindVehicle
		}
		e.Weapon, e.Owner, e.Stride = uint8(i%4), state.ID(i-38), uint16(w.tick)-uint16(i)
		e.Yaw, e.Pitch = state.Angle16(i*300), state.Angle16(i*77)
	}
	return w
}

// stranger is the first player of a mixed world who is never shown, and only heard.
const stranger = 200

// noises adds what is heard: bursts of strangers, and things.
func (w *world) noises() {
	if !w.mixed {
		return
	}
	by := int(w.tick/8) % 4
	w.frame.Events = append(w.frame.Events,
		// As the client's own, so that it passes as it is; build names who it was.
		state.Event{Kind: state.EvFire, Only: 1, Weapon: 1, Pos: vec.V3{X: float32(by), Y: 8, Z: 1}, Yaw: state.Angle16(by) << 12},
		state.Event{Kind: state.EvBreak, Only: 1, Param: int32(w.tick % 200), Pos: vec.V3{X: 3, Y: 1}},
		state.Event{Kind: state.EvBounce, Only: 1, Pos: vec.V3{X: 2, Z: 1}, Dir: vec.V3{Z: 1}},
		state.Event{Kind: state.EvFlash, Only: 1, Weapon: 5, Pos: vec.V3{X: 2, Z: 1}},
	)
}

// step moves everything on by a tick. calm is how many of 100 do nothing.
func (w *world) step(calm int) {
	w.tick++
	r := &w.r
	for i := range w.ents {
		if calm < 100 && r.Intn(100) == 0 {
			w.shown[i] = !w.shown[i]
		}
		if r.Intn(100) < calm {
			continue
		}
		if w.coarse && r.Intn(50) == 0 {
			w.fine[i] = state.Detail(r.Intn(int(state.NumDetails)))
		}
		e := &w.ents[i]
		e.Vel.X += int32(r.Intn(101) - 50)
		e.Vel.Y += int32(r.Intn(101) - 50)
		e.Pos.X += e.Vel.X/64 + int32(r.Intn(3)-1)
		e.Pos.Y += e.Vel.Y / 64
		e.Yaw += state.Angle16(r.Intn(400))
		e.Stride += 4
		switch r.Intn(40) {
		case 0:
			e.Pose ^= state.PoseDucked
			e.Duck = uint8(r.Intn(256))
		case 1:
			e.ShotSeq++
		case 2:
			e.Teleports++
			e.Pos = state.Q{X: int32(r.Intn(1 << 20)), Y: -int32(r.Intn(1 << 20)), Z: 7}
		}
	}
	p := &w.own.Player
	p.Pos = p.Pos.Add(vec.V3{X: r.Signed(), Y: r.Signed(), Z: 0.25})
	p.Vel = vec.V3{X: r.Signed() * 9, Y: r.Signed() * 9}
	p.Yaw += state.Angle16(r.Intn(100))
	p.Ammo[1] = uint16(r.Intn(30))
	if w.predicts {
		if w.own.Undisturbed++; r.Intn(25) == 0 {
			w.own.Undisturbed = 0
		}
		if r.Intn(10) == 0 {
			p.Health, p.Armor, p.Team = int16(r.Intn(100)), int16(r.Intn(100)), uint8(r.Intn(3))
		}
	}
	w.own.LastCmd = w.tick - state.Tick(r.Intn(3))
	w.own.Margin = int8(r.Intn(3) - 1)
	if calm < 100 && r.Intn(30) == 0 {
		w.doorAt = w.tick
		w.doors[r.Intn(len(w.doors))] = state.DoorState{Open: r.Intn(2) == 0, Start: w.tick, From: uint16(r.Intn(65536))}
	}
	if calm < 100 && r.Intn(30) == 0 {
		w.doorAt = w.tick
		for range 1 + r.Intn(3)*r.Intn(3) {
			p := &w.pieces[r.Intn(len(w.pieces))]
			*p = state.Piece{Broken: !p.Broken, At: w.tick - state.Tick(r.Intn(2))}
		}
	}
	w.frame.Reset(w.tick)
	w.frame.Pieces = append(w.frame.Pieces, w.pieces...)
	w.frame.Own = append(w.frame.Own, w.own)
	w.frame.Doors = append(w.frame.Doors, w.doors...)
	for range r.Intn(3) {
		w.frame.Events = append(w.frame.Events, state.Event{
			Kind: state.EvHit, Actor: 1, Weapon: uint8(r.Intn(3)), Param: int32(r.Intn(1000)) - 500,
			Pos: vec.V3{X: r.Signed() * 100, Y: r.Signed() * 100}, Dir: vec.V3{Z: 1}, Yaw: state.Angle16(r.Intn(65536)),
		})
	}
	w.noises()
}

// build makes the View of what is shown now.
func (w *world) build() *vis.View {
	w.in.Reset(w.tick, 64)
	w.frame.Entities = w.frame.Entities[:0]
	for i := range w.ents {
		w.in.Subjects = append(w.in.Subjects, vis.Subject{ID: w.ents[i].ID, Kind: w.ents[i].Kind, Alive: true, Pos: w.ents[i].Pos.V3()})
		w.frame.Entities = append(w.frame.Entities, w.ents[i])
	}
	w.in.Viewers = append(w.in.Viewers, vis.Viewer{Subject: -1, ID: 1})
	w.in.SizeAsked()
	w.ans.Reset(&w.in)
	for i := range w.ents {
		if w.shown[i] {
			w.ans.Allow(0, i, vis.Open, w.tick, w.every)
		}
	}
	vis.Build(&w.frame, &w.in, &w.ans, 0, &w.view)
	for i := range w.view.Events() {
		if e := &w.view.Events()[i]; w.mixed && e.Kind == state.EvFire {
			e.Actor = stranger + state.ID(e.Pos.X)
		}
	}
	known := w.view.Entities()
	for i := range known {
		for k := range w.ents {
			if w.ents[k].ID == known[i].ID {
				known[i].Detail = w.fine[k]
			}
		}
	}
	return &w.view
}

// encode returns the packet of a View.
func encode(e *snapshot.Encoder, v *vis.View, seq uint64, room int) ([]byte, error) {
	var w bits.Writer
	buf := make([]byte, room)
	w.Reset(buf)
	err := e.Encode(&w, v, seq)
	return w.Bytes(), err
}

func decode(d *snapshot.Decoder, b []byte, seq uint64) (*snapshot.Snapshot, error) {
	var r bits.Reader
	r.Reset(b)
	return d.Decode(&r, seq)
}
