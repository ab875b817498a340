package netchan_test

import (
	"testing"

	"github.com/sightline-engine/sightline/net/netchan"
)

// A question and its answer arrive as they were, once; a probe says nothing; and a
// question is never longer than the probe that it follows, whatever was received.
func TestPathControls(t *testing.T) {
	client, server := pair(t, netchan.ChaCha, 0)
	for i := range 400 {
		now := int64(i) * 16 * ms
		probe := client.SealProbe(nil, now)
		if len(probe) < netchan.ProbeSize {
			t.Fatalf("a probe of %d bytes", len(probe))
		}
		if i%3 == 0 { // holes in what was received make acknowledgements longest
			continue
		}
		if p, _, err := server.Open(probe, now); err != nil || len(p) != 0 {
			t.Fatal(p, err)
		}
		ask := server.SealAsk(nil, uint64(i)<<40, now)
		if len(ask) > len(probe) {
			t.Fatalf("%d bytes answered with %d", len(probe), len(ask))
		}
		if i%5 == 0 {
			continue
		}
		if _, _, err := client.Open(ask, now); err != nil {
			t.Fatal(err)
		}
		n, ok := client.Asked()
		if !ok || n != uint64(i)<<40 {
			t.Fatalf("asked %x, %v", n, ok)
		}
		if _, again := client.Asked(); again {
			t.Fatal("asked twice")
		}
		if _, _, err := server.Open(client.SealAnswer(nil, n, now), now); err != nil {
			t.Fatal(err)
		}
		if n, ok := server.Answered(); !ok || n != uint64(i)<<40 {
			t.Fatalf("answered %x, %v", n, ok)
		}
		if _, again := server.Answered(); again {
			t.Fatal("answered twice")
		}
	}
}

// A control of an impossible length or of an unknown kind breaks the protocol.
func TestDamagedPathControls(t *testing.T) {
	for _, c := range []struct{ kind, size byte }{{2, 7}, {2, 9}, {3, 0}, {3, 200}, {4, 0}, {4, 8}, {5, 0}, {0, 0}, {1, 201}} {
		server, err := netchan.New(netchan.Config{Recv: key(1), Suite: netchan.ChaCha}, 0)
		if err != nil {
			t.Fatal(err)
		}
		content := append([]byte{0, c.kind, c.size, 0, 0, 0}, make([]byte, c.size)...)
		if _, _, err := server.Open(netchan.SealRaw(key(1), 0x60, 1, content), 0); err != netchan.ErrProtocol {
			t.Errorf("kind %d of %d bytes: %v", c.kind, c.size, err)
		}
	}
}
