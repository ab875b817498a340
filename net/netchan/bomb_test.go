package netchan_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sightline-engine/sightline/net/netchan"
)

// hostile makes contents of packets that only the true peer can seal: what a client
// of an attacker's own would send.
func hostile(rng *rand.Rand, n int) []byte {
	b := make([]byte, 0, netchan.MaxPayload)
	b = append(b, byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()))
	b = b[:1+rng.IntN(6)]
	for more := true; more && len(b) < netchan.MaxPayload-8; {
		size := rng.IntN(12)
		if rng.IntN(3) == 0 {
			size = rng.IntN(500)
		}
		more = rng.IntN(2) == 0
		off := uint32(rng.IntN(4 * netchan.Backlog))
		switch n % 4 {
		case 0: // islands, as many as there can be
			off, size = uint32(n*37%netchan.Backlog), 1
		case 1:
			off = rng.Uint32()
		}
		size = min(size, netchan.MaxPayload-len(b)-5)
		h := byte(size >> 8)
		if more {
			h |= 0x80
		}
		b = append(b, byte(off), byte(off>>8), byte(off>>16), byte(size), h)
		for range size {
			b = append(b, byte(rng.Uint32()))
		}
	}
	return b
}

// Whatever a peer seals, a packet allocates nothing beyond the one reason of a
// goodbye, and gives no more messages than its bytes can hold: a Channel's memory is
// what it was made with.
func TestBombsCostNothing(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, seed))
	var packets [][]byte
	bytes := 0
	for i := range 4000 {
		c := hostile(rng, i)
		bytes += len(c)
		packets = append(packets, netchan.SealRaw(key(1), 0x40|byte(rng.Uint32()&0x3F), uint64(i*(1+i%3*40)+1), c))
	}
	_, b := pair(t, netchan.ChaCha, 0)
	messages, refused := 0, map[error]int{}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i, p := range packets {
		_, _, err := b.Open(p, int64(i)*ms)
		for _, e := range []error{netchan.ErrOld, netchan.ErrReplay, netchan.ErrFull, netchan.ErrProtocol} {
			if errors.Is(err, e) {
				refused[e]++
			}
		}
		for k := 0; ; k++ {
			if _, ok := b.ReliableIn(); !ok {
				break
			}
			if messages++; k > netchan.Backlog/2 {
				t.Fatalf("seed %d: packet %d gives messages for ever", seed, i)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 50 {
		t.Errorf("seed %d: %d allocations for %d packets", seed, n, len(packets))
	}
	if messages > bytes/2 {
		t.Errorf("seed %d: %d messages out of %d bytes", seed, messages, bytes)
	}
	if refused[netchan.ErrProtocol] == 0 || refused[netchan.ErrFull] == 0 {
		t.Errorf("seed %d: the packets do not reach what they are for: %v", seed, refused)
	}
}

// A peer that leaves a hole at the front and sends islands behind it, the smallest
// that there are, holds 64 of them; each of the rest is refused.
func TestFullIslandsLetTheGapsBeFilled(t *testing.T) {
	_, b := pair(t, netchan.ChaCha, 0)
	seq := uint64(0)
	put := func(off int, data byte) error {
		seq++
		c := []byte{0, byte(off), byte(off >> 8), byte(off >> 16), 1, 0, data}
		_, _, err := b.Open(netchan.SealRaw(key(1), 0x60, seq, c), 0)
		return err
	}
	refused := 0
	for i := range 5000 {
		switch err := put(1+2*i, 'a'); {
		case errors.Is(err, netchan.ErrFull):
			refused++
		case err != nil:
			t.Fatal(err)
		}
	}
	if refused != 5000-64 || b.Err() != nil {
		t.Errorf("%d of 5000 islands refused, %v", refused, b.Err())
	}
	// Messages of one byte, 1 'a' 1 'a' …: the gaps are the lengths. The last one
	// first, the one at the front at the very end.
	for i := 63; i >= 0; i-- {
		if err := put(2*i, 1); err != nil {
			t.Fatalf("gap %d: %v", i, err)
		}
	}
	got := 0
	for m, ok := b.ReliableIn(); ok && string(m) == "a"; m, ok = b.ReliableIn() {
		got++
	}
	if got != 64 || b.Err() != nil {
		t.Errorf("%d of 64 messages, %v", got, b.Err())
	}
}

// Many small messages, each in a packet of its own, over a line that loses every
// other packet and answers half a second later: more gaps than there are islands,
// and the stream goes on.
func TestEveryOtherPacketLostLeavesNoStreamStuck(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	rng := rand.New(rand.NewPCG(5, 5))
	queued, got := 0, 0
	var back [][]byte
	const count, late = 600, 60
	for step := 0; got < count; step++ {
		if step > 20*count {
			t.Fatalf("stuck at %d of %d messages; %+v", got, count, b.Stats(0).Drops)
		}
		now := int64(step) * 8 * ms
		if queued < count && a.QueueReliable(numbered(queued, 30)) == nil {
			queued++
		}
		pkt := seal(t, a, "snapshot", now)
		if lost := step%2 == 0; step > 200 && rng.IntN(2) == 0 || step <= 200 && !lost {
			if _, _, err := b.Open(pkt, now); err != nil && !errors.Is(err, netchan.ErrFull) {
				t.Fatal(err)
			}
		}
		if back = append(back, seal(t, b, "", now)); step >= late {
			if _, _, err := a.Open(back[step-late], now); err != nil {
				t.Fatal(err)
			}
		}
		for m, ok := b.ReliableIn(); ok; m, ok = b.ReliableIn() {
			if string(m) != string(numbered(got, 30)) {
				t.Fatalf("message %d is another", got)
			}
			got++
		}
	}
	if b.Stats(0).Drops.Full == 0 {
		t.Error("there were never more gaps than islands: the test tests nothing")
	}
}

// Messages of exactly one, two and three segments, one byte less and more, and of
// the longest length, arrive whole: beside full snapshots and alone.
func TestMessagesAtTheSegmentSize(t *testing.T) {
	for _, payload := range []int{0, 1100} {
		for _, n := range []int{1, 2, 3} {
			for d := -3; d <= 3; d++ {
				size := min(n*380+d, netchan.MaxMessage)
				t.Run(fmt.Sprintf("%d beside %d", size, payload), func(t *testing.T) {
					a, b := pair(t, netchan.ChaCha, 0)
					w := &wire{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(uint64(size), 8)), loss: 0.1}
					for i := range 5 {
						if err := a.QueueReliable(numbered(i, size)); err != nil {
							t.Fatal(err)
						}
					}
					got := 0
					for step := 0; got < 5; step++ {
						if step > 300 {
							t.Fatalf("%d of 5 after %d packets", got, step)
						}
						w.step(make([]byte, payload))
						for m, ok := b.ReliableIn(); ok; m, ok = b.ReliableIn() {
							if string(m) != string(numbered(got, size)) {
								t.Fatalf("message %d: %d bytes", got, len(m))
							}
							got++
						}
					}
				})
			}
		}
	}
}

// The stream's offsets, 24 bits on the wire, go round: 40 MB arrive as they were
// sent, over a line that loses and reorders.
func TestStreamOffsetsWrap(t *testing.T) {
	a, b := pair(t, netchan.AESGCM, 0)
	const size, count = 1000, 40 << 20 / 1000
	queued, got := 0, 0
	now := int64(0)
	for step := 0; got < count; step++ {
		if step > 40*count {
			t.Fatalf("stuck at %d of %d", got, count)
		}
		now += 2 * ms
		for queued < count && a.QueueReliable(numbered(queued, size)) == nil {
			queued++
		}
		pkt := seal(t, a, "", now)
		if step%17 != 0 {
			if _, _, err := b.Open(pkt, now); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := a.Open(seal(t, b, "", now), now+ms); err != nil {
			t.Fatal(err)
		}
		for m, ok := b.ReliableIn(); ok; m, ok = b.ReliableIn() {
			if len(m) != size || string(m[:8]) != string(numbered(got, size)[:8]) {
				t.Fatalf("message %d is another", got)
			}
			got++
		}
	}
	if a.Stats(now).Drops != (netchan.Drops{}) || b.Err() != nil {
		t.Errorf("%+v, %v", a.Stats(now).Drops, b.Err())
	}
}

// A window that is exhausted is back-pressure, never loss: while a peer is cut off,
// QueueReliable says so at the documented limit, and everything that it took arrives
// once the line is back.
func TestExhaustedWindowLosesNothing(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	w := &wire{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(3, 8)), loss: 1}
	taken, refused := 0, 0
	for range 400 {
		for range 5 {
			switch err := a.QueueReliable(numbered(taken, 200)); {
			case errors.Is(err, netchan.ErrBacklog):
				refused++
			case err != nil:
				t.Fatal(err)
			default:
				taken++
			}
		}
		w.step(nil)
	}
	if refused == 0 || taken > netchan.Backlog/202 {
		t.Fatalf("%d taken, %d refused", taken, refused)
	}
	w.loss = 0.1
	for got, step := 0, 0; got < taken; step++ {
		if step > 2000 {
			t.Fatalf("%d of %d arrived", got, taken)
		}
		w.step(nil)
		for m, ok := b.ReliableIn(); ok; m, ok = b.ReliableIn() {
			if string(m) != string(numbered(got, 200)) {
				t.Fatalf("message %d is another", got)
			}
			got++
		}
	}
}

// Times around 2^31 and 2^32 milliseconds, and around 2^62 nanoseconds, give the same
// round trips and lose nothing.
func TestTimesAtTheirEnds(t *testing.T) {
	for _, start := range []int64{0, 1<<31*ms - 1000*ms, 1<<32*ms - 1000*ms, 1 << 62} {
		a, b := pair(t, netchan.ChaCha, 0)
		for i := range 200 {
			now := start + int64(i)*16*ms
			if _, _, err := b.Open(seal(t, a, "", now), now+20*ms); err != nil {
				t.Fatal(err)
			}
			if _, _, err := a.Open(seal(t, b, "", now+20*ms), now+40*ms); err != nil {
				t.Fatal(err)
			}
		}
		last, least := a.RTT(start + 200*16*ms)
		if s := a.Stats(start + 200*16*ms); last != 40*ms || least != 40*ms || s.Lost != 0 || s.Acked < 199 {
			t.Errorf("from %d: last %d ms, least %d ms, %+v", start, last/ms, least/ms, s)
		}
	}
}
