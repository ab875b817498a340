package snapshot_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// link is a server's and a client's end of a bad network, with the
// acknowledgements of netchan: the newest and the 32 before it.
type link struct {
	r         vec.Rand
	loss      int // of 100
	late      int // most ticks late
	now       int
	down, up  []flight
	got       map[uint64]bool
	newest    uint64
	told      map[uint64]bool
	newestAck uint64
}

type flight struct {
	at   int
	seq  uint64
	data []byte
	acks []uint64
}

func (l *link) send(q *[]flight, f flight) {
	for range 1 + l.r.Intn(20)/19 {
		if l.r.Intn(100) >= l.loss {
			g := f
			g.at = l.now + 2 + l.r.Intn(l.late+1)
			*q = append(*q, g)
		}
	}
}

func (l *link) due(q *[]flight) []flight {
	var out []flight
	*q = slices.DeleteFunc(*q, func(f flight) bool {
		if f.at <= l.now {
			out = append(out, f)
			return true
		}
		return false
	})
	return out
}

func (l *link) acks() []uint64 {
	var a []uint64
	for s := l.newest; s > 0 && s+33 > l.newest; s-- {
		if l.got[s] {
			a = append(a, s)
		}
	}
	return a
}

func (l *link) acked(e *snapshot.Encoder, acks []uint64) {
	for _, s := range acks {
		if !l.told[s] {
			l.told[s] = true
			e.Acked(s)
		}
		l.newestAck = max(l.newestAck, s)
	}
	for s := uint64(1); s+33 < l.newestAck; s++ {
		if !l.told[s] {
			l.told[s] = true
			e.Lost(s)
		}
	}
}

type past struct {
	tick  state.Tick
	own   vis.Own
	known map[int]*vis.Known // by number
}

// remember keeps a View, of which e has just written the snapshot.
func remember(e *snapshot.Encoder, v *vis.View) past {
	p := past{v.Tick(), *v.Own(), map[int]*vis.Known{}}
	for _, k := range v.Entities() {
		p.known[e.Number(k.ID)] = &k
	}
	return p
}

// TestWhatIsDecodedIsTheView runs random worlds over bad links and compares every
// snapshot with the View that it was made of.
func TestWhatIsDecodedIsTheView(t *testing.T) {
	for seed := range uint64(5) {
		for _, c := range []struct{ loss, late, n, calm, room int }{
			{0, 0, 20, 50, 1172}, {5, 3, 30, 80, 1172}, {30, 12, 20, 20, 1172}, {10, 30, 60, 90, 1172},
			{10, 4, 200, 10, 1172}, {10, 4, 60, 10, 300},
		} {
			t.Run(fmt.Sprintf("seed=%d/%+v", seed, c), func(t *testing.T) {
				runModel(t, seed, c.loss, c.late, c.n, c.calm, c.room)
			})
		}
	}
}

func runModel(t *testing.T, seed uint64, loss, late, n, calm, room int) {
	w := newWorld(seed, n, ^state.Tick(99)) // the tick wraps
	l := &link{r: vec.NewRand(seed, 1), loss: loss, late: late, got: map[uint64]bool{}, told: map[uint64]bool{}}
	enc, dec := snapshot.NewEncoder(64), snapshot.NewDecoder(64)
	views := map[uint64]past{}
	w.predicts, w.coarse = true, seed%2 == 1
	me := newPredicting(w)
	dec.Predict(me.at)
	sent := map[state.Event]int{}
	began := counters{}
	var want, gotEvents int
	var snap *snapshot.Snapshot
	const steps = 400
	for step := uint64(1); step <= steps; step++ {
		l.now++
		if step == steps-150 {
			l.loss, l.late = 0, 0
			calm = 100
		}
		w.step(calm)
		if step > steps-150 {
			w.frame.Events = w.frame.Events[:0]
		}
		v := w.build()
		for _, e := range v.Events() {
			sent[wire.Told(&e)]++
			want++
		}
		me.happened(step)
		b, err := encode(enc, v, step, room)
		if err != nil {
			t.Fatal(err)
		}
		views[step] = remember(enc, v)
		l.send(&l.down, flight{seq: step, data: b})
		for _, f := range l.due(&l.down) {
			s, err := decode(dec, f.data, f.seq)
			if l.got[f.seq] {
				if !errors.Is(err, snapshot.ErrStale) {
					t.Fatalf("packet %d came twice: %v", f.seq, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("packet %d: %v", f.seq, err)
			}
			l.got[f.seq] = true
			l.newest = max(l.newest, f.seq)
			snap = s
			compare(t, s, views[f.seq], began)
			me.decoded(f.seq, s)
			for _, e := range s.Events {
				if e.Kind != state.EvHit {
					continue // made out of a record
				}
				if sent[e.Event]--; sent[e.Event] < 0 {
					t.Fatalf("event twice or never sent: %+v", e)
				}
				gotEvents++
			}
		}
		l.send(&l.up, flight{acks: l.acks()})
		for _, f := range l.due(&l.up) {
			l.acked(enc, f.acks)
		}
	}
	if !snap.Complete && room > 1000 {
		t.Fatal("not complete after a calm time")
	}
	if snap.Complete {
		whole(t, snap, remember(enc, w.build()), began)
	}
	for i, d := range w.doors {
		if have := (state.DoorState{}); i < len(snap.Doors) {
			if have = snap.Doors[i]; have != d {
				t.Fatalf("door %d is %+v, want %+v", i, have, d)
			}
		} else if have != d {
			t.Fatalf("door %d never came", i)
		}
	}
	for i, d := range w.pieces {
		have := state.Piece{}
		if i < len(snap.Pieces) {
			have = snap.Pieces[i]
		}
		if have != d {
			t.Fatalf("piece %d is %+v, want %+v", i, have, d)
		}
	}
	if b := enc.Spent(); loss <= 10 && late < 10 && b.Predicted < b.Packets/8 {
		t.Fatalf("the own state was left to the client in %d packets of %d", b.Predicted, b.Packets)
	}
	if loss <= 10 && late < 10 && gotEvents != want && room > 1000 {
		t.Fatalf("%d events of %d arrived", gotEvents, want)
	}
}

// counters holds, by subject, what its counters were when it came into view.
type counters map[state.ID]state.Entity

// check compares a subject with what it is in the View.
func (c counters) check(t *testing.T, it *snapshot.Item, k *vis.Known) {
	t.Helper()
	if k == nil {
		t.Fatalf("%d is not in the View", it.ID)
	}
	want := state.Shown(k.Entity, k.Detail)
	if !want.ID.IsPlayer() {
		want.ID = it.ID // a name of the client's own
	}
	if it.New && it.Moved {
		c[it.ID] = state.Entity{ShotSeq: want.ShotSeq - it.ShotSeq, Teleports: want.Teleports - it.Teleports, Stride: want.Stride - it.Stride}
	}
	from := c[it.ID]
	want.ShotSeq -= from.ShotSeq
	want.Teleports -= from.Teleports
	want.Stride -= from.Stride
	if by := int16(want.Stride - it.Stride); by > -48 && by < 48 {
		want.Stride = it.Stride
	}
	if it.Entity != want || it.Detail != k.Detail {
		t.Fatalf("entity\n%+v\nwant\n%+v", it.Entity, want)
	}
}

// compare checks one snapshot against the View of its packet.
func compare(t *testing.T, s *snapshot.Snapshot, v past, c counters) {
	t.Helper()
	if s.Tick != v.tick {
		t.Fatalf("tick %d, want %d", s.Tick, v.tick)
	}
	v.own.Undisturbed = 0 // is not sent
	if s.Own != v.own {
		t.Fatalf("own\n%+v\nwant\n%+v", s.Own, v.own)
	}
	for i := range s.Entities {
		it := &s.Entities[i]
		if i > 0 && s.Entities[i-1].ID >= it.ID {
			t.Fatal("entities out of order")
		}
		if !it.Moved {
			continue
		}
		c.check(t, it, v.known[it.Number()])
	}
	if s.Complete && !s.Late {
		whole(t, s, v, c)
	}
}

func whole(t *testing.T, s *snapshot.Snapshot, v past, c counters) {
	t.Helper()
	if len(s.Entities) != len(v.known) {
		t.Fatalf("%d entities, want %d", len(s.Entities), len(v.known))
	}
	for i := range s.Entities {
		it := &s.Entities[i]
		c.check(t, it, v.known[it.Number()])
		if s.Entities[i].Tick != s.Tick {
			t.Fatalf("entity of tick %d in a complete snapshot of %d", s.Entities[i].Tick, s.Tick)
		}
	}
}
