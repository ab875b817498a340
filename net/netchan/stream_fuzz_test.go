package netchan_test

import (
	"errors"
	"testing"

	"github.com/sightline-engine/sightline/net/netchan"
)

// FuzzStream gives a channel a whole session of a hostile peer: sealed packets with
// numbers that jump, repeat and go back, and contents of any kind, while it sends and
// reads itself. Whatever it takes, it stays within its bounds, a packet is taken
// once, and the peer is acknowledged nothing that it did not send.
func FuzzStream(f *testing.F) {
	f.Add([]byte{1, 6, 0x20, 0, 0, 0, 0, 4, 0, 3, 'a', 'b', 'c', 1, 1, 0, 0})
	f.Add([]byte{1, 8, 0x20, 0, 2, 0, 0, 1, 0, 'a', 9, 9, 2, 8, 0x20, 0, 0, 0, 0, 1, 0, 1, 9, 9})
	f.Add([]byte{200, 3, 0x10, 5, 0, 7, 255, 3, 0x1F, 9, 9, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 {
			return
		}
		_, c := pair(t, netchan.ChaCha, 0)
		seq, newest, read := uint64(0), uint64(0), 0
		taken := map[uint64]bool{}
		now, total := int64(0), 0
		for n := 0; len(b) > 3 && n < 400; n++ {
			step, size, flags := int(int8(b[0])), int(b[1]), b[2]&0x3F
			b = b[3:]
			if next := int64(seq) + int64(step); next > 0 {
				seq = uint64(next)
			} else {
				seq++
			}
			size = min(size, len(b))
			content := b[:size]
			b = b[size:]
			total += size
			now += int64(flags) * ms
			_, got, err := c.Open(netchan.SealRaw(key(1), 0x40|flags, seq, content), now)
			if err == nil || errors.Is(err, netchan.ErrProtocol) { // the latter counts as received
				if err == nil && got != seq || taken[seq] {
					t.Fatalf("packet %d taken as %d, before %v", seq, got, taken[seq])
				}
				taken[seq] = true
				newest = max(newest, seq)
			}
			if c.Newest() != newest || c.NewestAcked() > c.Sent() {
				t.Fatalf("newest %d of %d, acknowledged %d of %d", c.Newest(), newest, c.NewestAcked(), c.Sent())
			}
			if n%3 == 0 {
				_ = c.QueueReliable([]byte("something of our own"))
				if _, _, err := c.Seal(nil, nil, now); err != nil {
					t.Fatal(err)
				}
			}
			for k := 0; n%4 == 0; k++ {
				m, ok := c.ReliableIn()
				if !ok {
					break
				}
				if read += len(m) + 1; len(m) == 0 || len(m) > netchan.MaxMessage || read > netchan.Backlog+total {
					t.Fatalf("message of %d bytes, %d read of %d", len(m), read, total)
				}
			}
			for _, a := range c.DrainAcks(nil) {
				if a.Seq > c.Sent() || a.RTT < 0 {
					t.Fatalf("acknowledged %+v of %d", a, c.Sent())
				}
			}
			if s := c.Stats(now); s.ReliableOut > netchan.Backlog || s.RTT < 0 || s.Jitter < 0 || s.MinRTT < 0 || s.LossOut < 0 || s.LossOut > 1 {
				t.Fatalf("%+v", s)
			}
		}
		if reason, _ := c.Goodbye(); len(reason) > netchan.MaxReason {
			t.Fatalf("reason of %d bytes", len(reason))
		}
	})
}
