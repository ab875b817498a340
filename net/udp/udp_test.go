package udp_test

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/link/linktest"
	"github.com/sightline-engine/sightline/net/udp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is when a packet that must come over the loopback device is given
// up; it is not waited for otherwise.
const patience = 5 * time.Second

func listen(t testing.TB, address string) *udp.Conn {
	t.Helper()
	c, err := udp.Listen(address, udp.Options{})
	if err != nil {
		t.Skipf("no such address on this machine: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// settle waits until something has come; link ends are *udp.Conn here.
func settle(t testing.TB) func(link.Link) {
	timer := time.NewTimer(patience)
	t.Cleanup(func() { timer.Stop() })
	return func(to link.Link) {
		timer.Reset(patience)
		select {
		case <-to.(*udp.Conn).Ready():
		case <-timer.C:
			t.Error("nothing came")
		}
	}
}

// at is the address by which others on this machine reach c.
func at(c *udp.Conn, host string) link.Addr {
	return netip.AddrPortFrom(netip.MustParseAddr(host), c.LocalAddr().Port())
}

func TestUDPIsALink(t *testing.T) {
	for _, f := range []struct{ name, a, b, host string }{
		{"IPv4", "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1"},
		{"IPv6", "[::1]:0", "[::1]:0", "::1"},
		{"both families, spoken to by IPv4", ":0", "127.0.0.1:0", "127.0.0.1"},
		{"both families, spoken to by IPv6", ":0", "[::1]:0", "::1"},
	} {
		t.Run(f.name, func(t *testing.T) {
			listen(t, f.b) // skips where the family is missing
			linktest.Run(t, func(t *testing.T) linktest.Pair {
				a, b := listen(t, f.a), listen(t, f.b)
				return linktest.Pair{A: a, B: b, AddrA: at(a, f.host), AddrB: at(b, f.host), Settle: settle(t)}
			})
		})
	}
}

func TestMappedAddressesAreShortened(t *testing.T) {
	a, b := listen(t, ":0"), listen(t, ":0")
	if err := a.Send([]byte("x"), at(b, "::ffff:127.0.0.1")); err != nil {
		t.Fatal(err)
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return b.Stats().Received == 1 })
	var buf [8]byte
	if _, from, ok := b.Recv(buf[:]); !ok || from != at(a, "127.0.0.1") {
		t.Errorf("from %v, want %v", from, at(a, "127.0.0.1"))
	}
}

func TestFullRingDropsTheNewest(t *testing.T) {
	a := listen(t, "127.0.0.1:0")
	b, err := udp.Listen("127.0.0.1:0", udp.Options{Queue: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	const sent = 200 // three full batches and a rest
	for i := range sent {
		if err := a.Send([]byte{byte(i)}, b.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { s := b.Stats(); return s.Received+s.Full == sent })
	var buf [8]byte
	for i := range 8 {
		if _, _, ok := b.Recv(buf[:]); !ok || buf[0] != byte(i) {
			t.Fatalf("packet %d: %d, %v", i, buf[0], ok)
		}
	}
	if _, _, ok := b.Recv(buf[:]); ok {
		t.Error("more than the ring holds")
	}
	if s := a.Stats(); s.Sent != sent || s.SendErrors != 0 {
		t.Errorf("%+v", s)
	}
	// The ring is empty again, and takes the next one.
	if err := a.Send([]byte{99}, b.LocalAddr()); err != nil {
		t.Fatal(err)
	}
	_ = a.Flush()
	until(t, func() bool { _, _, ok := b.Recv(buf[:]); return ok })
	if buf[0] != 99 {
		t.Errorf("got %d", buf[0])
	}
}

// until yields to the reader's goroutine until cond holds.
func until(t *testing.T, cond func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("did not happen")
		}
	}
}

func TestOnePacketThatCannotLeaveHoldsNoOther(t *testing.T) {
	a, b := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	bad := netip.MustParseAddrPort("[2001:db8::1]:9") // IPv6 on an IPv4 socket
	for i := range 6 {
		to := b.LocalAddr()
		if i%2 == 0 {
			to = bad
		}
		if err := a.Send([]byte{byte(i)}, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return b.Stats().Received == 3 })
	if s := a.Stats(); s.Sent != 3 || s.SendErrors != 3 {
		t.Errorf("%+v", s)
	}
}

func TestOverlongPacketsAreDropped(t *testing.T) {
	b := listen(t, "127.0.0.1:0")
	raw := rawSocket(t, b.LocalAddr())
	for _, n := range []int{link.MaxPacket + 1, 9000, 3} {
		if _, err := raw.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
	}
	until(t, func() bool { s := b.Stats(); return s.Long == 2 && s.Received == 1 })
	if n, _, ok := b.Recv(make([]byte, link.MaxPacket)); !ok || n != 3 {
		t.Errorf("%d bytes, %v", n, ok)
	}
}

func TestCloseWaitsForTheReader(t *testing.T) {
	for range 20 {
		c, err := udp.Listen("127.0.0.1:0", udp.Options{Queue: 4})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { _ = c.Close() })
		}
		wg.Wait()
	}
}

func TestAddressInUseIsAnError(t *testing.T) {
	a := listen(t, "127.0.0.1:0")
	if c, err := udp.Listen(a.LocalAddr().String(), udp.Options{}); err == nil {
		_ = c.Close()
		t.Error("two sockets on one port")
	}
	if _, err := udp.Listen("no port here", udp.Options{}); err == nil {
		t.Error("nonsense is an address")
	}
}

func TestResolve(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1":            "192.0.2.1:27960",
		"192.0.2.1:5":          "192.0.2.1:5",
		"2001:db8::1":          "[2001:db8::1]:27960",
		"[2001:db8::1]:5":      "[2001:db8::1]:5",
		"[::ffff:192.0.2.1]:5": "192.0.2.1:5",
		"[fe80::1%lo]:7":       "[fe80::1%lo]:7",
	} {
		got, err := udp.Resolve(context.Background(), in, 27960)
		if err != nil || got.String() != want {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"192.0.2.1:99999", "192.0.2.1:x y"} {
		if a, err := udp.Resolve(context.Background(), in, 1); err == nil {
			t.Errorf("%s: %v", in, a)
		}
	}
}

func BenchmarkSend(b *testing.B) {
	x, y := listen(b, "127.0.0.1:0"), listen(b, "127.0.0.1:0")
	pkt := make([]byte, 200)
	b.ReportAllocs()
	for b.Loop() {
		for range 64 {
			_ = x.Send(pkt, y.LocalAddr())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/packet")
}
