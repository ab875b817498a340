package link_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/link/linktest"
)

func loopPair(t *testing.T) linktest.Pair {
	l := link.NewLoop()
	a, err := l.Dial(0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.Attach(netip.MustParseAddrPort("[2001:db8::1]:27960"), 0)
	if err != nil {
		t.Fatal(err)
	}
	return linktest.Pair{A: a, B: b, AddrA: a.Addr(), AddrB: b.Addr(), Settle: func(link.Link) {}}
}

func TestLoopIsALink(t *testing.T) { linktest.Run(t, loopPair) }

func TestSimIsALink(t *testing.T) {
	for _, c := range []link.SimConfig{{}, {LatencyMS: 40}, {LatencyMS: 10, JitterMS: 30}, {RateKbps: 4000}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			linktest.Run(t, func(t *testing.T) linktest.Pair {
				p := loopPair(t)
				a, err := link.NewSim(p.A, c, c)
				if err != nil {
					t.Fatal(err)
				}
				b, err := link.NewSim(p.B, c, c)
				if err != nil {
					t.Fatal(err)
				}
				var now int64
				p.A, p.B = a, b
				p.Settle = func(link.Link) {
					for range 20 {
						now += 10e6
						a.Advance(now)
						b.Advance(now)
					}
				}
				return p
			})
		})
	}
}

func TestLoopDropsTheNewestWhenFull(t *testing.T) {
	l := link.NewLoop()
	a, _ := l.Dial(0)
	b, _ := l.Dial(4)
	for i := range 10 {
		if err := a.Send([]byte{byte(i)}, b.Addr()); err != nil {
			t.Fatal(err)
		}
	}
	var got []byte
	var buf [8]byte
	for {
		n, _, ok := b.Recv(buf[:])
		if !ok {
			break
		}
		got = append(got, buf[:n]...)
	}
	if !bytes.Equal(got, []byte{0, 1, 2, 3}) || b.Stats().Full != 6 {
		t.Errorf("got %v, %+v", got, b.Stats())
	}
	if _, err := l.Attach(a.Addr(), 0); err == nil {
		t.Error("the same address twice")
	}
	if err := a.Send([]byte{1}, netip.MustParseAddrPort("10.0.0.1:1")); err != nil || a.Stats().Unrouted != 1 {
		t.Errorf("to nobody: %v, %+v", err, a.Stats())
	}
}

// Several clients on one server port, each on a goroutine of its own.
func TestLoopServesSeveralGoroutines(t *testing.T) {
	l := link.NewLoop()
	server, _ := l.Dial(4096)
	var wg sync.WaitGroup
	const clients, each = 8, 200
	for range clients {
		c, err := l.Dial(0)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			var buf [64]byte
			for i := range each {
				_ = c.Send(binary.LittleEndian.AppendUint32(nil, uint32(i)), server.Addr())
				c.Recv(buf[:])
			}
			_ = c.Close()
		})
	}
	next := map[link.Addr]uint32{}
	var buf [64]byte
	drain := func() {
		for {
			n, from, ok := server.Recv(buf[:])
			if !ok {
				return
			}
			if got := binary.LittleEndian.Uint32(buf[:n]); got != next[from] {
				t.Errorf("%v: packet %d, want %d", from, got, next[from])
			}
			next[from]++
			_ = server.Send(buf[:n], from)
		}
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for open := true; open; {
		select {
		case <-done:
			open = false
		default:
		}
		drain()
	}
	if len(next) != clients {
		t.Fatalf("%d clients seen", len(next))
	}
	for from, n := range next {
		if n != each {
			t.Errorf("%v: %d packets", from, n)
		}
	}
}

// arrival is one packet at the far side of a Sim.
type arrival struct {
	at  int64
	num uint32
}

// flow sends count packets, one each step nanoseconds, through one direction.
func flow(t *testing.T, c link.SimConfig, count int, step int64, size int) ([]arrival, link.SimStats) {
	t.Helper()
	l := link.NewLoop()
	a, _ := l.Dial(0)
	b, _ := l.Dial(1 << 15)
	s, err := link.NewSim(a, c, link.SimConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var got []arrival
	var buf [link.MaxPacket]byte
	pkt := make([]byte, size)
	for i := 0; i < count*3+4000; i++ {
		now := int64(i) * step
		s.Advance(now)
		if i < count {
			binary.LittleEndian.PutUint32(pkt, uint32(i))
			if err := s.Send(pkt, b.Addr()); err != nil {
				t.Fatal(err)
			}
		}
		for {
			n, _, ok := b.Recv(buf[:])
			if !ok {
				break
			}
			if n != size {
				t.Fatalf("%d bytes", n)
			}
			got = append(got, arrival{now, binary.LittleEndian.Uint32(buf[:])})
		}
	}
	out, _ := s.Stats()
	return got, out
}

func TestSimRepeatsItselfForOneSeed(t *testing.T) {
	c := link.SimConfig{LatencyMS: 30, JitterMS: 15, Loss: 0.1, Burst: 3, Dup: 0.05, Reorder: 0.05, RateKbps: 900, Seed: 7}
	first, _ := flow(t, c, 2000, 1e6, 100)
	again, _ := flow(t, c, 2000, 1e6, 100)
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Error("two runs with one seed differ")
	}
	c.Seed = 8
	if other, _ := flow(t, c, 2000, 1e6, 100); fmt.Sprint(first) == fmt.Sprint(other) {
		t.Error("two seeds do the same")
	}
}

func TestSimDoesWhatItsSettingsSay(t *testing.T) {
	const n, step = 20000, int64(1e6)
	near := func(name string, got, want, tol float64) {
		t.Helper()
		if math.Abs(got-want) > tol {
			t.Errorf("%s: %.4f, want %.4f ± %.4f", name, got, want, tol)
		}
	}
	t.Run("latency and jitter keep the order", func(t *testing.T) {
		got, _ := flow(t, link.SimConfig{LatencyMS: 50, JitterMS: 20, Seed: 1}, n, step, 60)
		if len(got) != n {
			t.Fatalf("%d of %d arrived", len(got), n)
		}
		for i, a := range got {
			d := float64(a.at-int64(a.num)*step) / 1e6
			if a.num != uint32(i) || d < 50 || d > 71 {
				t.Fatalf("packet %d at place %d after %g ms", a.num, i, d)
			}
		}
	})
	t.Run("independent loss", func(t *testing.T) {
		got, st := flow(t, link.SimConfig{Loss: 0.2, Seed: 2}, n, step, 60)
		near("share lost", 1-float64(len(got))/n, 0.2, 0.01)
		near("counted", float64(st.Lost)/n, 0.2, 0.01)
	})
	t.Run("loss in bursts", func(t *testing.T) {
		got, _ := flow(t, link.SimConfig{Loss: 0.1, Burst: 5, Seed: 3}, n, step, 60)
		near("share lost", 1-float64(len(got))/n, 0.1, 0.015)
		runs := 0
		for i := 1; i < len(got); i++ {
			if got[i].num != got[i-1].num+1 {
				runs++
			}
		}
		near("mean run", float64(n-len(got))/float64(runs), 5, 0.6)
	})
	t.Run("duplication", func(t *testing.T) {
		got, _ := flow(t, link.SimConfig{Dup: 0.3, Seed: 4}, n, step, 60)
		near("share doubled", float64(len(got))/n-1, 0.3, 0.01)
	})
	t.Run("reordering", func(t *testing.T) {
		got, st := flow(t, link.SimConfig{LatencyMS: 10, Reorder: 0.1, Seed: 5}, n, step, 60)
		late := 0
		for i := 1; i < len(got); i++ {
			if got[i].num < got[i-1].num {
				late++
			}
		}
		near("share reordered", float64(st.Reordered)/n, 0.1, 0.01)
		if late < n/20 {
			t.Errorf("only %d packets were overtaken", late)
		}
	})
	t.Run("rate", func(t *testing.T) {
		// 100 bytes and 28 of headers each millisecond are 1024 kbps.
		got, st := flow(t, link.SimConfig{RateKbps: 512, Seed: 6}, 4000, step, 100)
		wait := got[len(got)-1].at - int64(got[len(got)-1].num)*step
		if st.Overflowed == 0 || wait > 510e6 || wait < 490e6 {
			t.Errorf("%d dropped, last one waited %d ms", st.Overflowed, wait/1e6)
		}
		seconds := float64(got[len(got)-1].at) / 1e9
		near("kbps through", float64(len(got))*128*8/1000/seconds, 512, 5)
	})
	t.Run("everything lost", func(t *testing.T) {
		if got, _ := flow(t, link.SimConfig{Loss: 1, Burst: 4}, 100, step, 60); len(got) != 0 {
			t.Errorf("%d arrived", len(got))
		}
	})
}

func TestSimSettingsAreChecked(t *testing.T) {
	for _, c := range []struct {
		cfg  link.SimConfig
		want string
	}{
		{link.SimConfig{LatencyMS: -1}, "latency is -1, allowed is 0 to 10000 ms"},
		{link.SimConfig{JitterMS: math.NaN()}, "jitter is NaN"},
		{link.SimConfig{Loss: 3}, "loss is 3, allowed is 0 to 1 (a share, not percent)"},
		{link.SimConfig{Loss: 0.1, Burst: 0.5}, "burst is 0.5, allowed is 0"},
		{link.SimConfig{Loss: 0.9, Burst: 2}, "loss 0.9 needs bursts of at least 9 packets"},
		{link.SimConfig{RateKbps: math.Inf(1)}, "rate is +Inf"},
	} {
		err := c.cfg.Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
		if _, err := link.NewSim(nil, link.SimConfig{}, c.cfg); err == nil {
			t.Errorf("NewSim takes %+v", c.cfg)
		}
	}
	if err := (link.SimConfig{LatencyMS: 100, JitterMS: 10, Loss: 0.03, Burst: 2, Dup: 1, Reorder: 1, RateKbps: 64}).Validate(); err != nil {
		t.Error(err)
	}
}
