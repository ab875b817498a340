package snapshot_test

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// sound fails when a Snapshot holds what none may: ids that nobody has, one twice,
// more than fits into a packet, kinds that there are not.
func sound(t *testing.T, s *snapshot.Snapshot, size int) {
	t.Helper()
	last := state.ID(0)
	moved := 0
	for i := range s.Entities {
		e := &s.Entities[i]
		thing := e.ID >= state.FirstThing && int(e.ID-state.FirstThing) < state.MaxThings
		if e.ID <= last || !e.ID.IsPlayer() && !thing || e.Kind >= state.NumKinds {
			t.Fatalf("entity %d after %d, kind %d", e.ID, last, e.Kind)
		}
		last = e.ID
		if e.Moved {
			moved++
		}
	}
	removed := slices.Clone(s.Removed)
	slices.Sort(removed)
	if len(slices.Compact(removed)) != len(s.Removed) {
		t.Fatalf("removed twice: %v", s.Removed)
	}
	for i := range s.Events {
		if e := &s.Events[i]; e.Kind >= state.NumEvents || !e.Pos.IsFinite() || !e.Dir.IsFinite() {
			t.Fatalf("event %+v", e)
		}
	}
	// Every one of these takes two bits at the least, but for those that move on as the
	// tables expect: a base here has at most 16.
	if n := moved + len(s.Events); n > size*8/2+16 {
		t.Fatalf("%d records and events out of %d bytes", n, size)
	}
	if len(s.Doors) > 4096 || len(s.Pieces) > 4096 || len(s.Removed) > state.MaxPlayers+state.MaxThings {
		t.Fatalf("%d doors, %d removed", len(s.Doors), len(s.Removed))
	}
}

// values is what a byte is set to: each of its bits the other way, and the ends.
func values(is byte) []byte {
	v := []byte{0, 0xff, is + 1, is - 1}
	for i := range 8 {
		v = append(v, is^1<<i)
	}
	return v
}

// Every byte of a packet changed, each of its bits and to its ends, and the packet cut
// at every byte: an error, or a Snapshot that may be; and the stream goes on with the
// true packet, as if nothing had been.
func TestEveryByteOfASnapshotChanged(t *testing.T) {
	for name, plain := range map[string]bool{"range coded": false, "packed": true} {
		t.Run(name, func(t *testing.T) { everyByte(t, plain) })
	}
}

func everyByte(t *testing.T, plain bool) {
	w := newWorld(21, 14, 0)
	w.predicts = true
	enc := snapshot.NewEncoder(64)
	enc.Plain(plain)
	var good [][]byte
	for seq := range uint64(24) {
		w.step(10)
		b, err := encode(enc, w.build(), seq, snapshot.MaxPayload)
		if err != nil {
			t.Fatal(err)
		}
		if seq > 1 {
			enc.Acked(seq - 1)
		}
		good = append(good, b)
	}
	damaged, taken := 0, 0
	for _, at := range []uint64{0, 5, 16} {
		fresh := func() *snapshot.Decoder {
			d := snapshot.NewDecoder(64)
			d.Predict(func(tick state.Tick) (*state.Player, bool) { return &state.Player{Yaw: state.Angle16(tick)}, true })
			for s := range at {
				if _, err := decode(d, good[s], s); err != nil && !errors.Is(err, snapshot.ErrMismatch) {
					t.Fatal(err)
				}
			}
			return d
		}
		try := func(d *snapshot.Decoder, b []byte) *snapshot.Decoder {
			s, err := decode(d, b, at)
			if err != nil {
				damaged++
				if errors.Is(err, snapshot.ErrNeedFull) {
					return fresh() // it asks for a full one from now on
				}
				return d
			}
			taken++
			sound(t, s, len(b))
			return fresh()
		}
		d := fresh()
		for i := range good[at] {
			b := bytes.Clone(good[at])
			for _, v := range values(good[at][i]) {
				b[i] = v
				d = try(d, b)
			}
		}
		for n := range good[at] {
			d = try(d, good[at][:n])
		}
		// A true beginning of every length, then ones, which are lists that go on and
		// numbers that are large, then zeros, with which any packet ends well.
		for n := int(at) % 3; n < len(good[at])*8; n += 3 {
			for _, ones := range []int{2, 5, 9, 12, 17} {
				b := make([]byte, snapshot.MaxPayload)
				copy(b, good[at][:n/8])
				b[n/8] = good[at][n/8] & (1<<(n%8) - 1)
				for i := n; i < n+ones; i++ {
					b[i/8] |= 1 << (i % 8)
				}
				d = try(d, b)
			}
		}
		for n := range 40 { // and longer than it was
			d = try(d, append(bytes.Clone(good[at]), bytes.Repeat([]byte{0xff}, n+1)...))
		}
		d = fresh()
		if s, err := decode(d, good[at], at); err != nil && !errors.Is(err, snapshot.ErrMismatch) {
			t.Errorf("the true packet afterwards: %v", err)
		} else if err == nil {
			sound(t, s, len(good[at]))
		}
	}
	if damaged == 0 || taken == 0 {
		t.Errorf("%d damaged, %d taken", damaged, taken)
	}
	t.Logf("%d damaged packets refused, %d taken", damaged, taken)
}

// A Decoder that is given hostile packets for ever holds what its ring, the ids and
// the doors that there can be take, and in the end allocates nothing for any of them.
func TestBombsFillBoundedMemory(t *testing.T) {
	const seed, count = 6, 6000
	r := vec.NewRand(seed)
	w := newWorld(8, 30, 0)
	enc := snapshot.NewEncoder(64)
	packets := make([][]byte, count)
	for i := range packets {
		w.step(30)
		enc.Plain(i%2 == 0) // both forms; in the packed one bits are what they say
		b, err := encode(enc, w.build(), uint64(i), snapshot.MaxPayload)
		if err != nil {
			t.Fatal(err)
		}
		enc.Reset() // each decodable alone, so that damage to it reaches far
		b = bytes.Clone(b)
		switch i % 3 {
		case 0:
			for range 1 + r.Intn(4) {
				b[20+r.Intn(len(b)-20)] ^= byte(r.Uint64())
			}
		case 1:
			for len(b) < snapshot.MaxPayload {
				b = append(b, byte(r.Uint64()))
			}
			for range 2 {
				b[20+r.Intn(200)] ^= byte(r.Uint64())
			}
		case 2: // a true beginning, then lists that do not end
			n := 20 + r.Intn(len(b)-20)
			b = append(b[:n], bytes.Repeat([]byte{byte(r.Uint64()) | 0x11}, snapshot.MaxPayload-n)...)
		}
		packets[i] = b
	}
	d := snapshot.NewDecoder(64)
	seq := uint64(0)
	taken := 0
	round := func() {
		for _, b := range packets {
			seq++
			s, err := decode(d, b, seq)
			if err != nil {
				continue
			}
			taken++
			sound(t, s, len(b))
		}
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	round()
	round()
	grown := heap() - before
	if grown > 24<<20 {
		t.Errorf("seed %d: %d bytes are held", seed, grown)
	}
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	round()
	runtime.ReadMemStats(&b)
	if n := float64(b.TotalAlloc-a.TotalAlloc) / count; n > 400 {
		t.Errorf("seed %d: %.0f bytes are allocated for a packet in the end", seed, n)
	}
	if taken < count/100 {
		t.Errorf("seed %d: only %d packets were taken", seed, taken)
	}
	t.Logf("seed %d: %d of %d packets taken, %d KiB held", seed, taken, 3*count, grown>>10)
	runtime.KeepAlive(d)
}

// Older packets that come late, in any order and twice, never end anything: each is
// an error that says so or a Snapshot marked Late, and what is newest stays.
func TestOldSnapshotsNeverEndAnything(t *testing.T) {
	const seed = 3
	p := newPair(t, 10)
	r := vec.NewRand(seed)
	var held [][]byte
	var seqs []uint64
	newest := uint64(0)
	var tick state.Tick
	for range 3000 {
		for i := range p.w.ents {
			p.w.ents[i].Pos.X += int32(r.Intn(50))
		}
		b := bytes.Clone(p.send())
		held, seqs = append(held, b), append(seqs, p.seq)
		if len(held) < 12 {
			continue
		}
		for range 2 {
			i := r.Intn(len(held))
			s, err := decode(p.dec, held[i], seqs[i])
			switch {
			case errors.Is(err, snapshot.ErrStale):
			case err != nil:
				t.Fatalf("seed %d: packet %d: %v", seed, seqs[i], err)
			case s.Late != (seqs[i] < newest):
				t.Fatalf("seed %d: packet %d after %d: late %v", seed, seqs[i], newest, s.Late)
			default:
				if p.enc.Acked(seqs[i]); !s.Late {
					newest, tick = seqs[i], s.Tick
				}
				if s.Late && s.Tick >= tick {
					t.Fatalf("seed %d: late, and newer: tick %d of %d", seed, s.Tick, tick)
				}
			}
			if r.Intn(2) == 0 { // half of them come a second time
				continue
			}
			held, seqs = slices.Delete(held, i, i+1), slices.Delete(seqs, i, i+1)
		}
	}
}
