package netchan_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/net/netchan"
)

// wire is two channels over a lossy, doubling, reordering path with a delay
// in steps.
type wire struct {
	t      *testing.T
	a, b   *netchan.Channel
	rng    *rand.Rand
	loss   float64
	delay  int
	now    int64
	flying []flying
}

type flying struct {
	due int64
	to  *netchan.Channel
	pkt []byte
}

// step sends a packet each way and delivers what is due.
func (w *wire) step(payload []byte) {
	w.t.Helper()
	w.now += 16 * ms
	for _, d := range [][2]*netchan.Channel{{w.a, w.b}, {w.b, w.a}} {
		p := payload
		if len(p) > d[0].Budget() {
			p = p[:d[0].Budget()]
		}
		pkt, _, err := d[0].Seal(nil, p, w.now)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(pkt) > netchan.MaxPacket {
			w.t.Fatalf("packet of %d bytes", len(pkt))
		}
		if w.rng.Float64() < w.loss {
			continue
		}
		w.flying = append(w.flying, flying{w.now + int64(w.delay+w.rng.IntN(4))*16*ms, d[1], pkt})
		if w.rng.Float64() < w.loss/2 {
			w.flying = append(w.flying, flying{w.now + int64(w.delay+w.rng.IntN(40))*16*ms, d[1], pkt})
		}
	}
	kept := w.flying[:0]
	for _, f := range w.flying {
		if f.due > w.now {
			kept = append(kept, f)
			continue
		}
		if _, _, err := f.to.Open(f.pkt, w.now); err != nil && !errors.Is(err, netchan.ErrReplay) && !errors.Is(err, netchan.ErrFull) {
			w.t.Fatal(err)
		}
	}
	w.flying = kept
}

func TestReliableMessagesArriveOnceAndInOrder(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			a, b := pair(t, netchan.ChaCha, 0)
			w := &wire{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(seed, 4)), loss: 0.05 * float64(seed%6), delay: int(seed % 5)}
			const count = 400
			var queued, got [2]int
			size := func(i int) int { return max(4, i*i*31%netchan.MaxMessage+1) }
			for step := 0; got[0] < count || got[1] < count; step++ {
				if step > 6000 {
					t.Fatalf("stuck at %v of %d", got, count)
				}
				for side, c := range []*netchan.Channel{a, b} {
					for queued[side] < count && w.rng.IntN(3) > 0 {
						err := c.QueueReliable(numbered(queued[side], size(queued[side])))
						if errors.Is(err, netchan.ErrBacklog) {
							break
						}
						if err != nil {
							t.Fatal(err)
						}
						queued[side]++
					}
				}
				w.step(make([]byte, w.rng.IntN(2)*w.rng.IntN(1100)))
				for side, c := range []*netchan.Channel{b, a} {
					for {
						m, ok := c.ReliableIn()
						if !ok {
							break
						}
						if want := numbered(got[side], size(got[side])); !bytes.Equal(m, want) {
							t.Fatalf("message %d: %d bytes, want %d", got[side], len(m), len(want))
						}
						got[side]++
					}
				}
			}
			for range 200 {
				w.step(nil)
			}
			for _, c := range []*netchan.Channel{a, b} {
				if s := c.Stats(w.now); s.ReliableOut != 0 || c.Err() != nil || s.Drops.Protocol+s.Drops.BadAck+s.Drops.Auth > 0 {
					t.Errorf("afterwards: %+v, %v", s, c.Err())
				}
				if _, ok := c.ReliableIn(); ok {
					t.Error("a message too many")
				}
			}
		})
	}
}

// 40 KB of join data beside full snapshots, with the snapshots' share kept.
func TestJoinDataFlowsBesideSnapshots(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	w := &wire{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(1, 5)), loss: 0.05, delay: 3}
	for i := range 40 {
		if err := a.QueueReliable(numbered(i, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	steps, got := 0, 0
	for ; got < 40; steps++ {
		if steps > 400 {
			t.Fatalf("%d messages after %d packets", got, steps)
		}
		if a.Budget() < netchan.MaxPayload-6-400 {
			t.Fatalf("budget of %d", a.Budget())
		}
		w.step(make([]byte, 1172))
		for {
			m, ok := b.ReliableIn()
			if !ok {
				break
			}
			if !bytes.Equal(m, numbered(got, 1000)) {
				t.Fatalf("message %d is another", got)
			}
			got++
		}
	}
	t.Logf("%d packets beside snapshots", steps)
	for range 100 {
		w.step(nil)
	}
	if a.Budget() != netchan.MaxPayload-6 {
		t.Errorf("budget %d when all is through", a.Budget())
	}
}

func TestBacklogIsBounded(t *testing.T) {
	a, _ := pair(t, netchan.ChaCha, 0)
	n := 0
	var err error
	for ; err == nil && n < 1000; n++ {
		err = a.QueueReliable(make([]byte, netchan.MaxMessage))
		if _, _, e := a.Seal(nil, nil, int64(n)*16*ms); e != nil {
			t.Fatal(e)
		}
	}
	if !errors.Is(err, netchan.ErrBacklog) || n != netchan.Backlog/(netchan.MaxMessage+2)+1 {
		t.Errorf("%v after %d messages", err, n)
	}
	if err := a.QueueReliable(make([]byte, netchan.MaxMessage+1)); !errors.Is(err, netchan.ErrTooLong) {
		t.Error(err)
	}
	if err := a.QueueReliable(nil); !errors.Is(err, netchan.ErrEmpty) {
		t.Error(err)
	}
	// A peer that never acknowledges costs bounded packets, for ever.
	for i := range 5000 {
		pkt, _, e := a.Seal(nil, []byte{1}, int64(1000+i)*16*ms)
		if e != nil || len(pkt) > netchan.Overhead+6+400+1 {
			t.Fatalf("%d bytes, %v", len(pkt), e)
		}
	}
}

// A receiver that does not take its messages stops the stream, and it goes on
// when it does.
func TestReceiverThatDoesNotReadHoldsTheStream(t *testing.T) {
	a, b := pair(t, netchan.ChaCha, 0)
	w := &wire{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(9, 9))}
	queued, got := 0, 0
	fill := func(steps int) {
		for range steps {
			for a.QueueReliable(numbered(queued, 700)) == nil {
				queued++
			}
			w.step(nil)
		}
	}
	fill(1500)
	if queued > 2*netchan.Backlog/700+2 {
		t.Fatalf("%d messages taken with nobody reading", queued)
	}
	if a.Stats(0).Drops.Protocol > 0 || b.Stats(0).Drops.Full == 0 {
		t.Errorf("%+v", b.Stats(0).Drops)
	}
	for steps := 0; got < 400; steps++ {
		if steps > 3000 {
			t.Fatalf("stuck at %d", got)
		}
		fill(1)
		for {
			m, ok := b.ReliableIn()
			if !ok {
				break
			}
			if !bytes.Equal(m, numbered(got, 700)) {
				t.Fatalf("message %d is another", got)
			}
			got++
		}
	}
}

func TestPeerThatBreaksTheStreamIsReported(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
	}{
		{"segment head cut off", []byte{0, 0, 0}},
		{"segment longer than the packet", []byte{0, 0, 0, 0, 200, 0, 'a'}},
		{"unknown control", []byte{0, 9, 0, 0, 0, 0}},
		{"goodbye longer than the packet", []byte{0, 1, 9, 0, 0, 0, 'a'}},
		{"five segments", append([]byte{0}, bytes.Repeat([]byte{0, 0, 0, 1, 0x80, 'a'}, 5)...)},
		{"before the start of the stream", []byte{0, 0xFF, 0xFF, 0xFF, 1, 0, 'a'}},
		{"message of no bytes", []byte{0, 0, 0, 0, 2, 0, 0, 0}},
		{"message too long", []byte{0, 0, 0, 0, 2, 0, 0xFF, 0xFF}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, b := pair(t, netchan.ChaCha, 0)
			_, _, err := b.Open(netchan.SealRaw(key(1), 0x60, 1, c.content), 0)
			if err == nil {
				if _, ok := b.ReliableIn(); ok {
					t.Fatal("a message came of it")
				}
			}
			if !errors.Is(b.Err(), netchan.ErrProtocol) || b.Stats(0).Drops.Protocol != 1 {
				t.Errorf("error %v, %+v", b.Err(), b.Stats(0).Drops)
			}
		})
	}
}
