package netchan_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/net/netchan"
)

const ms = int64(1e6)

func key(b byte) (k [32]byte) {
	for i := range k {
		k[i] = b + byte(i)
	}
	return k
}

// pair makes both ends of a session; sent and received shift both counters.
func pair(t testing.TB, suite netchan.Suite, used uint64) (a, b *netchan.Channel) {
	t.Helper()
	a, err := netchan.New(netchan.Config{Send: key(1), Recv: key(2), Suite: suite, Sent: used, Received: used}, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err = netchan.New(netchan.Config{Send: key(2), Recv: key(1), Suite: suite, Sent: used, Received: used}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

func seal(t testing.TB, c *netchan.Channel, payload string, now int64) []byte {
	t.Helper()
	p, _, err := c.Seal(nil, []byte(payload), now)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPacketsCarryTheirPayload(t *testing.T) {
	for _, s := range []netchan.Suite{netchan.AESGCM, netchan.ChaCha} {
		t.Run(s.String(), func(t *testing.T) {
			a, b := pair(t, s, 0)
			for i := range 200 {
				want := fmt.Sprint("packet ", i)
				pkt := seal(t, a, want, int64(i)*ms)
				if pkt[0]&0xC0 != 0x40 || !netchan.IsData(pkt) {
					t.Fatalf("first byte %#x", pkt[0])
				}
				got, seq, err := b.Open(pkt, int64(i)*ms)
				if err != nil || string(got) != want || seq != uint64(i+1) {
					t.Fatalf("%q, seq %d, %v", got, seq, err)
				}
				// Nobody answers a thing: a's view must stay honest.
				if a.NewestAcked() != 0 {
					t.Fatal("acknowledged out of nothing")
				}
			}
			if b.Newest() != 200 || b.Stats(0).LossIn != 0 {
				t.Errorf("newest %d, %+v", b.Newest(), b.Stats(0))
			}
		})
	}
	if _, err := netchan.New(netchan.Config{Suite: 4}, 0); err == nil {
		t.Error("an unknown suite is taken")
	}
}

func TestHealthyLinkCostsOneByteForAcks(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	narrow := 0
	for i := range 160 {
		now := int64(i) * 16 * ms
		pkt := seal(t, a, "x", now)
		if len(pkt) == netchan.Overhead+1+1 {
			narrow++
		}
		if _, _, err := b.Open(pkt, now); err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Open(seal(t, b, "y", now), now+ms); err != nil {
			t.Fatal(err)
		}
	}
	if narrow != 150 { // all but every 16th
		t.Errorf("%d of 160 packets had an acknowledgement of one byte", narrow)
	}
	if a.NewestAcked() != 160 || a.Stats(0).Lost != 0 {
		t.Errorf("acked %d, %+v", a.NewestAcked(), a.Stats(0))
	}
}

// Every single-bit change of a packet, and every shorter form of it, is
// refused and changes nothing.
func TestDamagedPacketsChangeNothing(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	if err := a.QueueReliable([]byte("reliable")); err != nil {
		t.Fatal(err)
	}
	pkt := seal(t, a, "the payload of a packet", 0)
	var before netchan.Stats
	try := func(name string, p []byte) {
		t.Helper()
		if got, _, err := b.Open(p, 50*ms); err == nil {
			t.Fatalf("%s: accepted as %q", name, got)
		}
		if _, ok := b.ReliableIn(); ok || b.Newest() != 0 || b.LastRecv() != 0 || b.Err() != nil {
			t.Fatalf("%s: changed the channel", name)
		}
		if netchan.Authentic(netchan.Config{Send: key(2), Recv: key(1), Suite: netchan.ChaCha}, p) {
			t.Fatalf("%s: authentic", name)
		}
	}
	for i := range len(pkt) * 8 {
		p := bytes.Clone(pkt)
		p[i/8] ^= 1 << (i % 8)
		try(fmt.Sprintf("bit %d flipped", i), p)
	}
	for n := range len(pkt) {
		try(fmt.Sprintf("cut to %d", n), pkt[:n])
	}
	try("one byte longer", append(bytes.Clone(pkt), 0))
	try("reflected", seal(t, b, "own packet", 0))
	before = b.Stats(0)
	if before.Drops.Auth == 0 || before.Drops.NotData == 0 {
		t.Errorf("not counted: %+v", before.Drops)
	}
	if !netchan.Authentic(netchan.Config{Send: key(2), Recv: key(1), Suite: netchan.ChaCha}, pkt) {
		t.Error("the true packet is not authentic")
	}
	if got, _, err := b.Open(pkt, 60*ms); err != nil || string(got) != "the payload of a packet" {
		t.Errorf("the true packet afterwards: %q, %v", got, err)
	}
}

func TestReplaysAreRefusedAndLatePacketsTaken(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	var pkts [][]byte
	for i := range 3000 {
		pkts = append(pkts, seal(t, a, fmt.Sprint(i), int64(i)*ms))
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(netchan.Window)
	for _, i := range order {
		if _, seq, err := b.Open(pkts[i], 0); err != nil || seq != uint64(i+1) {
			t.Fatalf("packet %d: seq %d, %v", i, seq, err)
		}
	}
	for i := range netchan.Window {
		if _, _, err := b.Open(pkts[i], 0); !errors.Is(err, netchan.ErrReplay) {
			t.Fatalf("packet %d once more: %v", i, err)
		}
	}
	if _, _, err := b.Open(pkts[2999], 0); err != nil {
		t.Fatal(err)
	}
	for i := range 2999 {
		_, _, err := b.Open(pkts[i], 0)
		switch {
		case i < 3000-netchan.Window && !errors.Is(err, netchan.ErrOld):
			t.Fatalf("packet %d behind the window: %v", i, err)
		case i >= 3000-netchan.Window && err != nil:
			t.Fatalf("packet %d in the window: %v", i, err)
		}
	}
}

// Both counters pass 2^16 and 2^32 in the middle of loss and reordering.
func TestSequenceNumbersWrapOnTheWire(t *testing.T) {
	for _, start := range []uint64{0, 1<<16 - 300, 1<<31 - 300, 1<<32 - 300, 1<<48 - 300} {
		t.Run(fmt.Sprintf("from %#x", start), func(t *testing.T) {
			a, b := pair(t, netchan.AESGCM, start)
			rng := rand.New(rand.NewPCG(start, 1))
			sent := map[uint64]string{}
			var held []byte
			for i := range 1000 {
				now := int64(i) * 8 * ms
				pkt, seq, err := a.Seal(nil, []byte(fmt.Sprint(i)), now)
				if err != nil || seq != start+uint64(i)+1 {
					t.Fatalf("seq %d, %v", seq, err)
				}
				sent[seq] = fmt.Sprint(i)
				deliver := [][]byte{pkt}
				switch rng.IntN(10) {
				case 0, 1:
					deliver = nil
				case 2:
					held, deliver = pkt, nil
				case 3:
					if held != nil {
						deliver, held = [][]byte{pkt, held}, nil
					}
				}
				for _, p := range deliver {
					got, seq, err := b.Open(p, now)
					if err != nil || sent[seq] != string(got) {
						t.Fatalf("seq %d: %q, %v", seq, got, err)
					}
				}
				if _, _, err := a.Open(seal(t, b, "", now), now); err != nil {
					t.Fatal(err)
				}
			}
			s := a.Stats(8000 * ms)
			if a.NewestAcked() < start+990 || s.Acked+s.Lost < 980 || s.Lost < 150 || s.Lost > 320 || s.Drops != (netchan.Drops{}) {
				t.Errorf("acked up to %d, %+v", a.NewestAcked()-start, s)
			}
		})
	}
}

// What the sender believes about each packet against what truly happened,
// under loss both ways.
func TestAcksTellTheTruth(t *testing.T) {
	for seed := range uint64(20) {
		a, b := pair(t, netchan.ChaCha, 0)
		rng := rand.New(rand.NewPCG(seed, 3))
		arrived := map[uint64]bool{}
		acked := map[uint64]bool{}
		gone := map[uint64]bool{}
		const count = 600
		for i := range count {
			now := int64(i) * 16 * ms
			pkt, seq, _ := a.Seal(nil, nil, now)
			if rng.Float64() < 0.7 {
				if _, _, err := b.Open(pkt, now+20*ms); err != nil {
					t.Fatal(err)
				}
				arrived[seq] = true
			}
			back := seal(t, b, "", now+20*ms)
			if rng.Float64() < 0.7 {
				if _, _, err := a.Open(back, now+40*ms); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range a.DrainAcks(nil) {
				if e.Lost {
					if acked[e.Seq] || gone[e.Seq] {
						t.Fatalf("seed %d: %d lost after it was known", seed, e.Seq)
					}
					gone[e.Seq] = true
					continue
				}
				if !arrived[e.Seq] || acked[e.Seq] {
					t.Fatalf("seed %d: %d acknowledged, arrived %v, before %v", seed, e.Seq, arrived[e.Seq], acked[e.Seq])
				}
				if e.RTT < 40*ms {
					t.Fatalf("seed %d: round trip of %d ms", seed, e.RTT/ms)
				}
				acked[e.Seq] = true
				delete(gone, e.Seq)
			}
			// What b was told it had sent is what it can look up.
			if src := a.AckSource(); src > 0 {
				newest, _, ok := b.SentAck(src)
				if !ok || newest != a.NewestAcked() {
					t.Fatalf("seed %d: packet %d acknowledged %d for us, %d for the peer", seed, src, a.NewestAcked(), newest)
				}
			}
		}
		for s := uint64(1); s < count-80; s++ {
			if arrived[s] != acked[s] || arrived[s] == gone[s] {
				t.Fatalf("seed %d: packet %d arrived %v, acked %v, lost %v", seed, s, arrived[s], acked[s], gone[s])
			}
		}
	}
}

// 5 s of silence at 128 Hz are more packets than the narrow form can tell
// apart: nothing may be acknowledged that was not received.
func TestLongSilenceGivesNoWrongAcks(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	now := int64(0)
	got := map[uint64]bool{}
	for i := range 2000 {
		now += 8 * ms
		pkt, seq, _ := a.Seal(nil, nil, now)
		back := seal(t, b, "", now)
		if i < 100 || i >= 740 { // what a sends is lost in between
			if _, _, err := b.Open(pkt, now); err != nil {
				t.Fatal(err)
			}
			got[seq] = true
		}
		if _, _, err := a.Open(back, now); err != nil {
			t.Fatal(err)
		}
		for _, e := range a.DrainAcks(nil) {
			if !e.Lost && !got[e.Seq] {
				t.Fatalf("packet %d acknowledged, never arrived", e.Seq)
			}
		}
	}
	if a.NewestAcked() < 1990 {
		t.Errorf("acknowledged up to %d after the silence", a.NewestAcked())
	}
}

func TestRoundTripEstimates(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	step := func(i int, delay int64) int64 {
		now := int64(i) * 50 * ms
		pkt := seal(t, a, "", now)
		if _, _, err := b.Open(pkt, now); err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Open(seal(t, b, "", now), now+delay); err != nil {
			t.Fatal(err)
		}
		return now + delay
	}
	if last, least := a.RTT(0); last != 0 || least != 0 {
		t.Error("a round trip before the first packet")
	}
	for i := range 100 {
		step(i, 30*ms)
	}
	if last, least := a.RTT(5000 * ms); last != 30*ms || least != 30*ms {
		t.Errorf("last %d, least %d", last/ms, least/ms)
	}
	for i := 100; i < 130; i++ {
		step(i, 45*ms)
	}
	if last, least := a.RTT(6500 * ms); last != 45*ms || least != 30*ms {
		t.Errorf("after 1.5 s: last %d, least %d", last/ms, least/ms)
	}
	for i := 130; i < 150; i++ {
		step(i, 45*ms)
	}
	if _, least := a.RTT(7500 * ms); least != 45*ms {
		t.Errorf("after 2.5 s: least %d", least/ms)
	}
}

func TestAcksForPacketsNeverSentAreIgnored(t *testing.T) {
	a, _ := pair(t, netchan.ChaCha, 0)
	// A peer that claims to have received 5,000 packets.
	liar, err := netchan.New(netchan.Config{Send: key(2), Recv: key(1), Suite: netchan.ChaCha, Received: 5000}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		seal(t, a, "", 0)
	}
	for range 20 {
		if _, _, err := a.Open(seal(t, liar, "", 0), ms); err != nil {
			t.Fatal(err)
		}
	}
	if a.NewestAcked() > 10 || a.Stats(0).Drops.BadAck == 0 {
		t.Errorf("acked %d, %+v", a.NewestAcked(), a.Stats(0))
	}
}

func TestGoodbyeCarriesItsReason(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	var pkts [][]byte
	for range 3 {
		p, _ := a.SealGoodbye(nil, "kicked: \xff\x00 too many team kills", 0)
		pkts = append(pkts, p)
	}
	forged := bytes.Clone(pkts[0])
	forged[10] ^= 1
	if _, _, err := b.Open(forged, 0); err == nil {
		t.Fatal("forged goodbye accepted")
	}
	if _, left := b.Goodbye(); left {
		t.Fatal("a forged packet ended the session")
	}
	for _, p := range pkts[1:] { // the first one is lost
		if _, _, err := b.Open(p, 0); err != nil {
			t.Fatal(err)
		}
		if why, left := b.Goodbye(); !left || why != "kicked: \xff\x00 too many team kills" {
			t.Fatalf("left %v, %q", left, why)
		}
	}
	long, _ := a.SealGoodbye(nil, string(make([]byte, 5000)), 0)
	if len(long) > netchan.MaxPacket {
		t.Errorf("goodbye of %d bytes", len(long))
	}
}

func TestPayloadIsBounded(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	if _, _, err := a.Seal(nil, make([]byte, netchan.MaxPayload), 0); !errors.Is(err, netchan.ErrTooLong) {
		t.Errorf("too long: %v", err)
	}
	pkt, _, err := a.Seal(nil, make([]byte, a.Budget()), 0)
	if err != nil || len(pkt) > netchan.MaxPacket {
		t.Fatalf("%d bytes, %v", len(pkt), err)
	}
	if got, _, err := b.Open(pkt, 0); err != nil || len(got) != a.Budget() {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for _, s := range []netchan.Suite{netchan.AESGCM, netchan.ChaCha} {
		a, b := pair(t, s, 0)
		buf := make([]byte, 0, netchan.MaxPacket)
		payload, msg := make([]byte, 200), make([]byte, 90)
		acks := make([]netchan.Ack, 0, 64)
		now := int64(0)
		n := testing.AllocsPerRun(500, func() {
			now += 16 * ms
			for _, d := range [][2]*netchan.Channel{{a, b}, {b, a}} {
				if err := d[0].QueueReliable(msg); err != nil {
					t.Fatal(err)
				}
				pkt, _, err := d[0].Seal(buf, payload, now)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := d[1].Open(pkt, now); err != nil {
					t.Fatal(err)
				}
				pkt[5] ^= 1
				if _, _, err := d[1].Open(pkt, now); err == nil {
					t.Fatal("damaged packet taken")
				}
				for {
					if _, ok := d[1].ReliableIn(); !ok {
						break
					}
				}
				acks = d[0].DrainAcks(acks[:0])
			}
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", s, n)
		}
	}
}

// FuzzOpen gives hostile content to a channel in two ways: as bytes from
// anybody, and sealed as the true peer would, so that what lies behind the
// authentication is reached.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{0x60, 1, 0, 9, 9}, []byte{0, 0, 0, 0, 4, 0, 3, 'a', 'b', 'c'})
	f.Add([]byte{0x7F, 1, 0}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw, content []byte) {
		a, b := pair(t, netchan.ChaCha, 0)
		_, _, _ = b.Open(raw, 0)
		if b.Newest() != 0 || b.Err() != nil {
			t.Fatal("unauthenticated bytes changed the channel")
		}
		if len(content) == 0 || len(content) > netchan.MaxPayload {
			return
		}
		flags := byte(0x40)
		if len(raw) > 0 {
			flags |= raw[0] & 0x3F
		}
		for i := range 3 {
			pkt := netchan.SealRaw(key(1), flags, uint64(i+1), content)
			payload, seq, err := b.Open(pkt, int64(i))
			if err == nil && (seq != uint64(i+1) || len(payload) > len(content)) {
				t.Fatalf("seq %d, %d bytes of %d", seq, len(payload), len(content))
			}
			for {
				m, ok := b.ReliableIn()
				if !ok {
					break
				}
				if len(m) == 0 || len(m) > netchan.MaxMessage {
					t.Fatalf("message of %d bytes", len(m))
				}
			}
			pkt, _, err = b.Seal(nil, nil, int64(i))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := a.Open(pkt, int64(i)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkSealOpen(b *testing.B) {
	for _, s := range []netchan.Suite{netchan.AESGCM, netchan.ChaCha} {
		b.Run(s.String(), func(b *testing.B) {
			x, y := pair(b, s, 0)
			buf, payload := make([]byte, 0, netchan.MaxPacket), make([]byte, 200)
			now := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				now += 16 * ms
				pkt, _, _ := x.Seal(buf, payload, now)
				if _, _, err := y.Open(pkt, now); err != nil {
					b.Fatal(err)
				}
				pkt, _, _ = y.Seal(buf, payload, now)
				if _, _, err := x.Open(pkt, now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// numbered makes a message that names itself and is n bytes long.
func numbered(i, n int) []byte {
	m := bytes.Repeat([]byte{byte(i * 7)}, max(n, 4))
	binary.LittleEndian.PutUint32(m, uint32(i))
	return m
}
