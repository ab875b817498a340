package snapshot_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// pair is an Encoder and a Decoder without a network between them.
type pair struct {
	t   *testing.T
	w   *world
	enc *snapshot.Encoder
	dec *snapshot.Decoder
	seq uint64
}

func newPair(t *testing.T, n int) *pair {
	p := &pair{t: t, w: newWorld(1, n, 1000), enc: snapshot.NewEncoder(64), dec: snapshot.NewDecoder(64)}
	for i := range p.w.shown {
		p.w.shown[i] = true
	}
	return p
}

// view is that of the world as it is, a tick later.
func (p *pair) view() *vis.View {
	p.w.tick++
	p.w.frame.Reset(p.w.tick)
	p.w.frame.Own = append(p.w.frame.Own, p.w.own)
	p.w.frame.Doors = append(p.w.frame.Doors, p.w.doors...)
	p.w.frame.Pieces = append(p.w.frame.Pieces, p.w.pieces...)
	return p.w.build()
}

// send encodes the world as it is.
func (p *pair) send() []byte {
	p.t.Helper()
	p.seq++
	b, err := encode(p.enc, p.view(), p.seq, snapshot.MaxPayload)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// deliver sends, decodes and acknowledges.
func (p *pair) deliver() *snapshot.Snapshot {
	p.t.Helper()
	s, err := decode(p.dec, p.send(), p.seq)
	if err != nil {
		p.t.Fatal(err)
	}
	p.enc.Acked(p.seq)
	return s
}

func TestWhoIsNotPermittedNeverChangesPacketSize(t *testing.T) {
	a, b := newPair(t, 20), newPair(t, 20)
	for _, p := range []*pair{a, b} {
		for i := 5; i < 15; i++ {
			p.w.shown[i] = false
		}
	}
	r := vec.NewRand(7)
	for range 200 {
		for i := 5; i < 15; i++ { // only b's hidden ones move, shoot, turn into things
			e := &b.w.ents[i]
			e.Pos.X += int32(r.Intn(1000))
			e.Vel.Y = int32(r.Intn(1000))
			e.ShotSeq++
			e.Kind = state.Kind(1 + r.Intn(4))
			e.ID = state.ID(300 + i*40 + r.Intn(40))
		}
		pa, pb := a.send(), b.send()
		if !bytes.Equal(pa, pb) {
			t.Fatalf("packets differ:\n%x\n%x", pa, pb)
		}
		a.enc.Acked(a.seq)
		b.enc.Acked(b.seq)
	}
}

func TestWhoReturnsComesInFull(t *testing.T) {
	p := newPair(t, 1)
	p.deliver()
	p.deliver()
	p.w.shown[0] = false
	if s := p.deliver(); len(s.Removed) != 1 || len(s.Entities) != 0 {
		t.Fatalf("not removed: %+v", s)
	}
	p.w.ents[0].Weapon, p.w.ents[0].Pose = 2, state.PoseDucked
	p.w.shown[0] = true
	s := p.deliver()
	if len(s.Entities) != 1 || !s.Entities[0].New || s.Entities[0].Entity != p.w.ents[0] {
		t.Fatalf("did not come back: %+v", s.Entities)
	}
	// The same when every packet of the absence is lost.
	p.w.shown[0] = false
	p.send()
	p.send()
	p.w.shown[0] = true
	p.w.ents[0].Kind = state.KindCorpse
	if s := p.deliver(); len(s.Entities) != 1 || !s.Entities[0].New || s.Entities[0].Kind != state.KindCorpse {
		t.Fatalf("an absence that was not seen left old state: %+v", s.Entities)
	}
}

func TestWhoStandsStillCostsNothing(t *testing.T) {
	p := newPair(t, 30)
	for range 5 {
		p.deliver()
	}
	if b := p.send(); len(b) > 8 {
		t.Fatalf("%d bytes for nothing new", len(b))
	}
	p.w.ents[3].Yaw++
	if b := p.send(); len(b) > 12 {
		t.Fatalf("%d bytes for one change", len(b))
	}
}

// TestAFullPacketMakesNobodyWaitForever fills packets for a long time.
func TestAFullPacketMakesNobodyWaitForever(t *testing.T) {
	p := newPair(t, 400)
	last := map[int]state.Tick{} // by number
	for range 60 {
		for i := range p.w.ents {
			p.w.ents[i].Pos.X += 100 + int32(i)
		}
		b := p.send()
		if len(b) > snapshot.MaxPayload {
			t.Fatalf("%d bytes", len(b))
		}
		s, err := decode(p.dec, b, p.seq)
		if err != nil {
			t.Fatal(err)
		}
		p.enc.Acked(p.seq)
		for i := range s.Entities {
			if s.Entities[i].Moved {
				last[s.Entities[i].Number()] = s.Tick
			}
		}
	}
	for i := range p.w.ents {
		when := last[p.enc.Number(p.w.ents[i].ID)]
		if age := p.w.tick - when; when == 0 || age > 16 {
			t.Errorf("%d was last sent %d ticks ago", p.w.ents[i].ID, age)
		}
	}
}

// What does not fit into one packet goes on in others, any of which the client may
// lose.
func TestASnapshotIsSplitByEntity(t *testing.T) {
	for _, lose := range []int{-1, 0, 1} {
		p := newPair(t, 200)
		p.dec.Predict(func(state.Tick) (*state.Player, bool) { q := p.w.own.Player; return &q, true })
		for round := range 40 {
			for i := range p.w.ents {
				p.w.ents[i].Pos.X += 100 + int32(i*round)
			}
			told := map[int]bool{}
			v := p.view()
			for part := 0; ; part++ {
				var w bits.Writer
				w.Reset(make([]byte, 300))
				p.seq++
				write := p.enc.Encode
				if part > 0 {
					write = p.enc.EncodeRest
				}
				if err := write(&w, v, p.seq); err != nil {
					t.Fatal(err)
				}
				if part != lose {
					s, err := decode(p.dec, w.Bytes(), p.seq)
					if err != nil {
						t.Fatalf("round %d, part %d: %v", round, part, err)
					}
					p.enc.Acked(p.seq)
					if s.Tick != v.Tick() || s.Complete {
						t.Fatalf("round %d, part %d: tick %d of %d, complete %v", round, part, s.Tick, v.Tick(), s.Complete)
					}
					for i := range s.Entities {
						if it := &s.Entities[i]; it.Moved {
							if told[it.Number()] {
								t.Fatal("told twice")
							}
							told[it.Number()] = true
						}
					}
				}
				if !p.enc.Pending() {
					if part == 0 {
						t.Fatal("the room is no test")
					}
					break
				}
			}
			if lose < 0 && len(told) != len(p.w.ents) {
				t.Fatalf("round %d: %d of %d were told", round, len(told), len(p.w.ents))
			}
		}
	}
}

// TestAnIntervalThinsUpdates has subjects that are due 16 times a second.
func TestAnIntervalThinsUpdates(t *testing.T) {
	p := newPair(t, 6)
	p.w.every = 2
	p.deliver()
	p.deliver()
	moved, complete := 0, 0
	for range 40 {
		for i := range p.w.ents {
			p.w.ents[i].Pos.Y += 77
		}
		s := p.deliver()
		for i := range s.Entities {
			if s.Entities[i].Moved {
				moved++
			}
			if age := s.Tick - s.Entities[i].Tick; age > 3 {
				t.Fatalf("%d ticks old", age)
			}
		}
		if s.Complete {
			complete++
		}
	}
	if moved != 6*10 || complete != 10 {
		t.Fatalf("%d updates, %d complete snapshots", moved, complete)
	}
	p.w.shown[0] = false
	p.deliver()
	p.w.shown[0] = true
	if s := p.deliver(); !s.Entities[0].Moved { // a reveal does not wait
		t.Fatal("a reveal waited")
	}
}

func TestAPacketTooSmallForTheOwnStateIsRefused(t *testing.T) {
	p := newPair(t, 1)
	p.w.step(0)
	var w bits.Writer
	w.Reset(make([]byte, 20))
	w.Bits(5, 3)
	if err := p.enc.Encode(&w, p.w.build(), 1); !errors.Is(err, snapshot.ErrBudget) || w.Len() != 3 {
		t.Fatalf("err %v, %d bits", err, w.Len())
	}
	if b, err := encode(p.enc, p.w.build(), 2, snapshot.MaxPayload); err != nil {
		t.Fatal(err)
	} else if _, err := decode(p.dec, b, 2); err != nil {
		t.Fatal(err)
	}
}

// TestAMissingBaseIsMended acknowledges packets that never came, as a client that
// lost its memory would have.
func TestAMissingBaseIsMended(t *testing.T) {
	p := newPair(t, 10)
	p.deliver()
	p.w.ents[0].Yaw++
	p.send()
	p.enc.Acked(p.seq)
	p.w.shown[4] = false
	p.send()
	p.enc.Acked(p.seq) // the removal never came
	p.w.ents[0].Yaw++
	if _, err := decode(p.dec, p.send(), p.seq); !errors.Is(err, snapshot.ErrNeedFull) {
		t.Fatalf("err %v", err)
	}
	p.enc.Reset()
	s := p.deliver()
	if len(s.Entities) != 9 || len(s.Removed) != 1 || !s.Complete {
		t.Fatalf("%d entities, removed %v", len(s.Entities), s.Removed)
	}
	for range 3 {
		p.deliver()
	}
}

func TestSilenceOfAMinuteIsMended(t *testing.T) {
	p := newPair(t, 10)
	p.deliver()
	p.deliver()
	for range 64 * 60 {
		p.w.ents[2].Pos.X++
		p.send()
	}
	p.w.shown[3] = false
	s := p.deliver()
	if len(s.Entities) != 9 || !s.Complete || s.Tick != p.w.tick {
		t.Fatalf("%d entities, tick %d of %d", len(s.Entities), s.Tick, p.w.tick)
	}
}

func TestTheSteadyStateDoesNotAllocate(t *testing.T) {
	w := newWorld(3, 40, 0)
	enc, dec := snapshot.NewEncoder(64), snapshot.NewDecoder(64)
	buf := make([]byte, snapshot.MaxPayload)
	var bw bits.Writer
	var br bits.Reader
	seq := uint64(0)
	tick := func() {
		seq++
		w.step(20)
		bw.Reset(buf)
		if err := enc.Encode(&bw, w.build(), seq); err != nil {
			t.Fatal(err)
		}
		br.Reset(bw.Bytes())
		if _, err := dec.Decode(&br, seq); err != nil {
			t.Fatal(err)
		}
		if seq > 3 {
			enc.Acked(seq - 3)
		}
	}
	for range 2000 {
		tick()
	}
	if n := testing.AllocsPerRun(1000, tick); n > 0 {
		t.Fatalf("%v allocations per tick", n)
	}
}

// A world with every kind of subject arrives as it was sent.
func TestEveryKindOfRecordArrives(t *testing.T) {
	for seed := range uint64(8) {
		w := newMixed(seed, 0)
		enc, dec := snapshot.NewEncoder(64), snapshot.NewDecoder(64)
		dec.Predict(func(state.Tick) (*state.Player, bool) { return &w.own.Player, true })
		kinds, began, bursts := map[state.Kind]bool{}, counters{}, 0
		for seq := range uint64(60) {
			w.step(40)
			v := w.build()
			b, err := encode(enc, v, seq, snapshot.MaxPayload)
			if err != nil {
				t.Fatal(err)
			}
			s, err := decode(dec, b, seq)
			if err != nil {
				t.Fatalf("seed %d, packet %d: %v", seed, seq, err)
			}
			enc.Acked(seq)
			compare(t, s, remember(enc, v), began)
			for i := range s.Entities {
				kinds[s.Entities[i].Kind] = true
			}
			for _, e := range s.Events {
				if e.Kind == state.EvFire && e.Actor >= stranger && e.Pos.Y == 8 {
					bursts++
				}
			}
		}
		for _, k := range []state.Kind{state.KindRocket, state.KindPickup, state.KindCorpse, state.KindObjective, state.KindGrenade, state.KindSmoke, state.KindHole, state.KindVehicle} {
			if !kinds[k] {
				t.Errorf("seed %d: nothing of kind %d came", seed, k)
			}
		}
		if bursts < 20 {
			t.Errorf("seed %d: %d shots of bursts came", seed, bursts)
		}
	}
}

// FuzzDecode reads any bytes after a few good packets, twice, and then goes on
// with good ones.
func FuzzDecode(f *testing.F) {
	w := newWorld(9, 12, 0)
	w.predicts = true
	enc := snapshot.NewEncoder(64)
	var good [][]byte
	for seq := range uint64(6) {
		w.step(10)
		b, err := encode(enc, w.build(), seq, snapshot.MaxPayload)
		if err != nil {
			f.Fatal(err)
		}
		if seq > 0 {
			enc.Acked(seq - 1)
		}
		good = append(good, b)
		f.Add(b, seq)
	}
	// Records of every kind, pieces and bursts, as a first packet has them and as those
	// after it do.
	mixed, first := newMixed(10, 0), snapshot.NewEncoder(64)
	for seq := range uint64(8) {
		mixed.step(10)
		b, err := encode(first, mixed.build(), seq, snapshot.MaxPayload)
		if err != nil {
			f.Fatal(err)
		}
		if seq > 1 {
			first.Acked(seq - 1)
		}
		f.Add(b, seq+3)
	}
	f.Add([]byte{}, uint64(3))
	f.Add(bytes.Repeat([]byte{0xff}, 200), uint64(1<<63))
	f.Fuzz(func(t *testing.T, b []byte, seq uint64) {
		if len(b) > 4*snapshot.MaxPayload {
			return
		}
		d := snapshot.NewDecoder(64)
		d.Predict(func(tick state.Tick) (*state.Player, bool) { return &state.Player{Yaw: state.Angle16(tick)}, true })
		for s, g := range good[:3] {
			if _, err := decode(d, g, uint64(s)); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			s, err := decode(d, b, seq)
			if err != nil {
				continue
			}
			if len(s.Entities) > 2048 || len(s.Events) > 128 || len(s.Doors) > 4096 || len(s.Pieces) > 4096 {
				t.Fatalf("%d entities, %d events, %d doors", len(s.Entities), len(s.Events), len(s.Doors))
			}
			for i := range s.Entities {
				if s.Entities[i].ID == 0 || s.Entities[i].Kind >= state.NumKinds {
					t.Fatalf("entity %+v", s.Entities[i])
				}
			}
		}
		decode(d, good[3], 3)
	})
}

// BenchmarkTick prints what a packet costs: 16 players of whom half are known and
// move, at 64 Hz.
func BenchmarkTick(b *testing.B) {
	w := newWorld(5, 16, 0)
	enc := snapshot.NewEncoder(64)
	buf := make([]byte, snapshot.MaxPayload)
	var bw bits.Writer
	total, seq := 0, uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		seq++
		w.step(0)
		bw.Reset(buf)
		if err := enc.Encode(&bw, w.build(), seq); err != nil {
			b.Fatal(err)
		}
		total += len(bw.Bytes())
		if seq > 4 {
			enc.Acked(seq - 4)
		}
	}
	b.ReportMetric(float64(total)/float64(seq), "bytes/packet")
}
