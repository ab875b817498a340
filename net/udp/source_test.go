package udp_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/link/linktest"
	"github.com/sightline-engine/sightline/net/udp"
)

// answering opens a socket whose answers leave from where they were asked.
func answering(t testing.TB, address string) *udp.Conn {
	t.Helper()
	c, err := udp.Listen(address, udp.Options{Answer: true})
	if err != nil {
		t.Skipf("no such address on this machine: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask sends one packet from a to an address of b, which answers each packet that
// it gets; it returns where the answer came from.
func ask(t *testing.T, a, b *udp.Conn, to link.Addr) (from link.Addr) {
	t.Helper()
	var buf [link.MaxPacket]byte
	if err := a.Send([]byte("asked "+to.String()), to); err != nil {
		t.Fatal(err)
	}
	a.Flush()
	until(t, func() bool {
		n, peer, ok := b.Recv(buf[:])
		if !ok {
			return false
		}
		if err := b.Send(buf[:n], peer); err != nil {
			t.Fatal(err)
		}
		b.Flush()
		return true
	})
	until(t, func() bool {
		n, peer, ok := a.Recv(buf[:])
		if from = peer; ok && string(buf[:n]) != "asked "+to.String() {
			t.Errorf("answered with %q", buf[:n])
		}
		return ok
	})
	return from
}

// A server on all addresses of a machine answers from the one that was asked, in
// both families, whichever the system would choose; a peer that goes on to another
// of its addresses is answered from there.
func TestAnswersLeaveFromTheAddressThatWasAsked(t *testing.T) {
	for _, wild := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		b := answering(t, wild)
		for _, host := range []string{"127.0.0.2", "127.0.0.1", "127.0.0.3", "::1", "127.0.0.2"} {
			if wild == "0.0.0.0:0" && host == "::1" {
				continue
			}
			any := ":0"
			if host == "::1" {
				any = "[::1]:0"
			}
			a := listen(t, any)
			for range 3 {
				to := at(b, host)
				if from := ask(t, a, b, to); from != to {
					t.Errorf("%s: asked %v, answered from %v", wild, to, from)
				}
			}
			if other := at(b, "127.0.0.4"); host != "::1" {
				if from := ask(t, a, b, other); from != other {
					t.Errorf("%s: then asked %v, answered from %v", wild, other, from)
				}
			}
			a.Close()
		}
		if s := b.Stats(); s.SendErrors != 0 {
			t.Errorf("%s: %+v", wild, s)
		}
	}
}

// Both families are served by one socket that has no address of its own, and IPv4
// peers look the same on it as on a socket of IPv4.
func TestBothFamiliesByDefault(t *testing.T) {
	b := answering(t, ":0")
	four, six := listen(t, "127.0.0.1:0"), listen(t, "[::1]:0")
	var buf [link.MaxPacket]byte
	for _, f := range []struct {
		from *udp.Conn
		host string
	}{{four, "127.0.0.1"}, {six, "::1"}} {
		f.from.Send([]byte("x"), at(b, f.host))
		f.from.Flush()
		until(t, func() bool {
			_, peer, ok := b.Recv(buf[:])
			if ok && peer != f.from.LocalAddr() {
				t.Errorf("%v is seen as %v", f.from.LocalAddr(), peer)
			}
			return ok
		})
	}
}

func TestAnsweringConnIsALink(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "::1"} {
		t.Run(host, func(t *testing.T) {
			own := netip.AddrPortFrom(netip.MustParseAddr(host), 0).String()
			listen(t, own)
			linktest.Run(t, func(t *testing.T) linktest.Pair {
				a, b := listen(t, own), answering(t, ":0")
				return linktest.Pair{A: a, B: b, AddrA: at(a, host), AddrB: at(b, host), Settle: settle(t)}
			})
		})
	}
}

// Peers beyond the table's room push out others and nothing else happens: whoever
// has just asked is answered from where he asked.
func TestManyPeersKeepTheirAnswers(t *testing.T) {
	tab := udp.NewSources()
	where := netip.MustParseAddr("127.0.0.2")
	peer := func(i int) link.Addr {
		return netip.MustParseAddrPort(fmt.Sprintf("10.%d.%d.%d:7", i>>16&255, i>>8&255, i&255))
	}
	kept := netip.MustParseAddrPort("[2001:db8::1]:5")
	lost := 0
	for i := range 200_000 {
		if i%1500 == 0 { // a player's packets at 64 Hz amid 100,000 invented ones a second
			if i > 0 && tab.Of(kept) != where {
				lost++
			}
			tab.Note(kept, where)
		}
		tab.Note(peer(i), where)
		if tab.Of(peer(i)) != where {
			t.Fatalf("peer %d is not remembered", i)
		}
	}
	if lost > 12 { // one on average
		t.Errorf("pushed out %d times of 133", lost)
	}
	tab.Forget(kept)
	if tab.Of(kept).IsValid() {
		t.Error("remembered what was to be forgotten")
	}
}

// A packet whose way out is gone is sent the way that the system likes.
func TestGoneAddressesAreForgotten(t *testing.T) {
	b, a := answering(t, ":0"), listen(t, "127.0.0.1:0")
	var buf [link.MaxPacket]byte
	ask(t, a, b, at(b, "127.0.0.1"))
	udp.Pretend(b, a.LocalAddr(), netip.MustParseAddr("192.0.2.99"))
	for range 2 {
		b.Send([]byte("still there"), a.LocalAddr())
		b.Flush()
		until(t, func() bool { _, _, ok := a.Recv(buf[:]); return ok })
	}
	if s := b.Stats(); s.SendErrors != 0 || s.Sent != 3 {
		t.Errorf("%+v", s)
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1": "192.0.2.1:27960", "192.0.2.1:5": "192.0.2.1:5", "2001:db8::1": "[2001:db8::1]:27960",
		"[2001:db8::1]": "[2001:db8::1]:27960", "[2001:db8::1]:5": "[2001:db8::1]:5", "::ffff:192.0.2.1": "192.0.2.1:27960",
		"example.org": "example.org:27960", "example.org:7": "example.org:7", "[::FFFF:192.0.2.1]:5": "192.0.2.1:5",
		"Example.ORG": "example.org:27960", "[fe80::1%lo]:7": "[fe80::1%lo]:7",
	} {
		if got := udp.Name(in, 27960); got != want {
			t.Errorf("%s is named %s, want %s", in, got, want)
		}
	}
}
