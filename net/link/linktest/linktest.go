// Package linktest holds the tests that every link.Link passes.
package linktest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sightline-engine/sightline/net/link"
)

// Pair is two ends that can reach each other, and how to wait for packets.
type Pair struct {
	A, B  link.Link
	AddrA link.Addr // of A, as B sees and reaches it
	AddrB link.Addr
	// Settle returns when the end given probably has a packet to Recv. It
	// does nothing where what was sent has arrived already.
	Settle func(to link.Link)
}

// Run tests an implementation. make gives a fresh pair; the test closes it.
func Run(t *testing.T, make func(t *testing.T) Pair) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Pair)
	}{
		{"carries packets both ways with their sender", carries},
		{"copies what it is given", copies},
		{"carries empty and longest packets, refuses longer", sizes},
		{"drops what does not fit the buffer and goes on", shortBuffer},
		{"returns at once when nothing is there", empty},
		{"refuses to send when closed, twice is fine", closed},
		{"does not allocate once used", allocations},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := make(t)
			defer p.A.Close()
			defer p.B.Close()
			c.test(t, p)
		})
	}
}

func send(t *testing.T, p Pair, from link.Link, pkt []byte, to link.Addr) {
	t.Helper()
	if err := from.Send(pkt, to); err != nil {
		t.Fatalf("send %d bytes: %v", len(pkt), err)
	}
	if err := link.Flush(from); err != nil {
		t.Fatalf("flush: %v", err)
	}
}

func recv(t *testing.T, p Pair, at link.Link, buf []byte) ([]byte, link.Addr) {
	t.Helper()
	n, from, ok := at.Recv(buf)
	for tries := 0; !ok && tries < 5; tries++ { // Settle may be early
		p.Settle(at)
		n, from, ok = at.Recv(buf)
	}
	if !ok {
		t.Fatal("a packet did not arrive")
	}
	return buf[:n], from
}

func carries(t *testing.T, p Pair) {
	var buf [link.MaxPacket]byte
	for i := range 100 {
		pkt := bytes.Repeat([]byte{byte(i)}, i+1)
		send(t, p, p.A, pkt, p.AddrB)
		if got, from := recv(t, p, p.B, buf[:]); !bytes.Equal(got, pkt) || from != p.AddrA {
			t.Fatalf("packet %d from A: %d bytes from %v, want %d from %v", i, len(got), from, len(pkt), p.AddrA)
		}
		send(t, p, p.B, pkt, p.AddrA)
		if got, from := recv(t, p, p.A, buf[:]); !bytes.Equal(got, pkt) || from != p.AddrB {
			t.Fatalf("packet %d from B: %d bytes from %v, want %d from %v", i, len(got), from, len(pkt), p.AddrB)
		}
	}
}

func copies(t *testing.T, p Pair) {
	var buf [link.MaxPacket]byte
	pkt := []byte("first")
	if err := p.A.Send(pkt, p.AddrB); err != nil {
		t.Fatal(err)
	}
	copy(pkt, "later")
	if err := link.Flush(p.A); err != nil {
		t.Fatal(err)
	}
	if got, _ := recv(t, p, p.B, buf[:]); string(got) != "first" {
		t.Fatalf("got %q", got)
	}
}

func sizes(t *testing.T, p Pair) {
	var buf [link.MaxPacket]byte
	for _, n := range []int{0, 1, 1200, link.MaxPacket} {
		pkt := bytes.Repeat([]byte{7}, n)
		send(t, p, p.A, pkt, p.AddrB)
		if got, _ := recv(t, p, p.B, buf[:]); !bytes.Equal(got, pkt) {
			t.Fatalf("%d bytes came as %d", n, len(got))
		}
	}
	if err := p.A.Send(make([]byte, link.MaxPacket+1), p.AddrB); !errors.Is(err, link.ErrTooLong) {
		t.Fatalf("one byte too many: %v", err)
	}
}

func shortBuffer(t *testing.T, p Pair) {
	send(t, p, p.A, make([]byte, 100), p.AddrB)
	p.Settle(p.B)
	if n, _, ok := p.B.Recv(make([]byte, 99)); ok { // early or not: nothing
		t.Fatalf("%d bytes of a packet that does not fit", n)
	}
	send(t, p, p.A, []byte("next"), p.AddrB)
	if got, _ := recv(t, p, p.B, make([]byte, 99)); string(got) != "next" {
		t.Fatalf("got %q after it", got)
	}
}

func empty(t *testing.T, p Pair) {
	var buf [link.MaxPacket]byte
	if n, from, ok := p.A.Recv(buf[:]); ok || n != 0 || from.IsValid() {
		t.Fatalf("%d bytes from %v out of nothing", n, from)
	}
}

func closed(t *testing.T, p Pair) {
	if err := p.A.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.A.Close(); err != nil {
		t.Fatalf("second close: %v", err)
	}
	if err := p.A.Send([]byte{1}, p.AddrB); !errors.Is(err, link.ErrClosed) {
		t.Fatalf("send after close: %v", err)
	}
	if _, _, ok := p.A.Recv(make([]byte, 10)); ok {
		t.Fatal("received after close")
	}
	// The other end outlives it.
	if err := p.B.Send([]byte{1}, p.AddrA); err != nil {
		t.Fatalf("send to a closed end: %v", err)
	}
	if err := link.Flush(p.B); err != nil {
		t.Fatalf("flush to a closed end: %v", err)
	}
}

func allocations(t *testing.T, p Pair) {
	var buf [link.MaxPacket]byte
	pkt := make([]byte, 300)
	round := func() {
		for range 8 {
			_ = p.A.Send(pkt, p.AddrB)
		}
		_ = link.Flush(p.A)
		p.Settle(p.B)
		for {
			if _, _, ok := p.B.Recv(buf[:]); !ok {
				return
			}
		}
	}
	for range 300 { // every slot of the queues once
		round()
	}
	if n := testing.AllocsPerRun(100, round); n > slack {
		t.Errorf("%v allocations per 8 packets", n)
	}
}
