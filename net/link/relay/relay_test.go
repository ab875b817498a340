package relay_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/link/relay"
)

const ms = int64(1e6)

// bench is a server that answers each packet with what it got, behind a relay.
type bench struct {
	loop   *link.Loop
	server *link.Port
	front  *link.Port
	relay  *relay.Relay
	peers  map[link.Addr]int // as the server sees them
}

func newBench(t *testing.T, change func(*relay.Config)) *bench {
	t.Helper()
	b := &bench{loop: link.NewLoop(), peers: map[link.Addr]int{}}
	b.server, _ = b.loop.Dial(4096)
	b.front, _ = b.loop.Dial(4096)
	cfg := relay.Config{
		Listen: b.front, Server: b.server.Addr(),
		Dial: func() (link.Link, error) { return b.loop.Dial(0) },
	}
	if change != nil {
		change(&cfg)
	}
	var err error
	if b.relay, err = relay.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.relay.Close)
	return b
}

// step moves the relay, lets the server answer, and moves it again.
func (b *bench) step(now int64) {
	b.relay.Advance(now)
	var buf [link.MaxPacket]byte
	for {
		n, from, ok := b.server.Recv(buf[:])
		if !ok {
			break
		}
		b.peers[from]++
		_ = b.server.Send(buf[:n], from)
	}
	b.relay.Advance(now)
}

// take returns the numbers that have come to a client.
func take(c *link.Port) []uint32 {
	var buf [link.MaxPacket]byte
	var got []uint32
	for {
		n, _, ok := c.Recv(buf[:])
		if !ok {
			return got
		}
		got = append(got, binary.LittleEndian.Uint32(buf[:n]))
	}
}

func number(i int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(i)) }

func TestEachClientHasAnAddressAndGetsItsOwnAnswers(t *testing.T) {
	b := newBench(t, nil)
	var clients []*link.Port
	for range 5 {
		c, _ := b.loop.Dial(0)
		clients = append(clients, c)
	}
	for i := range 10 {
		for k, c := range clients {
			_ = c.Send(number(k*100+i), b.front.Addr())
		}
		b.step(int64(i) * ms)
	}
	for k, c := range clients {
		got := take(c)
		if len(got) != 10 || got[0] != uint32(k*100) || got[9] != uint32(k*100+9) {
			t.Errorf("client %d got %v", k, got)
		}
	}
	if len(b.peers) != 5 {
		t.Errorf("the server saw %d addresses", len(b.peers))
	}
	if s := b.relay.Stats(); s.Clients != 5 || s.Seen != 5 || s.Up.Delivered != 50 || s.Down.Delivered != 50 {
		t.Errorf("%+v", s)
	}
}

func TestBothDirectionsAreDelayed(t *testing.T) {
	b := newBench(t, func(c *relay.Config) {
		c.Up, c.Down = link.SimConfig{LatencyMS: 30}, link.SimConfig{LatencyMS: 50}
	})
	c, _ := b.loop.Dial(0)
	_ = c.Send(number(7), b.front.Addr())
	b.step(ms)
	if at, ok := b.relay.Next(); !ok || at != 31*ms {
		t.Errorf("next at %d, %v", at, ok)
	}
	came := int64(0)
	for now := 2 * ms; now < 200*ms && came == 0; now += ms {
		b.step(now)
		if len(take(c)) > 0 {
			came = now
		}
	}
	if came != 81*ms {
		t.Errorf("the answer came at %d ms, sent at 1", came/ms)
	}
}

func TestNumberOfClientsIsBoundedAndTheSilentAreForgotten(t *testing.T) {
	b := newBench(t, func(c *relay.Config) { c.Clients, c.Idle = 2, 100*ms })
	var clients []*link.Port
	for i := range 3 {
		c, _ := b.loop.Dial(0)
		clients = append(clients, c)
		_ = c.Send(number(i), b.front.Addr())
	}
	b.step(ms)
	if s := b.relay.Stats(); s.Clients != 2 || s.Refused != 1 {
		t.Fatalf("%+v", s)
	}
	_ = clients[0].Send(number(9), b.front.Addr())
	b.step(60 * ms)
	b.step(102 * ms)
	if s := b.relay.Stats(); s.Clients != 1 || s.Expired != 1 || s.Up.Packets != 3 {
		t.Fatalf("%+v", s)
	}
	_ = clients[2].Send(number(3), b.front.Addr())
	b.step(103 * ms)
	if got := take(clients[2]); len(got) != 1 || got[0] != 3 {
		t.Errorf("the third got %v after a place was free", got)
	}
}

func TestStrangersUpstreamAreNotPassedOn(t *testing.T) {
	var up *link.Port
	var b *bench
	b = newBench(t, func(c *relay.Config) {
		c.Dial = func() (link.Link, error) {
			var err error
			up, err = b.loop.Dial(0)
			return up, err
		}
	})
	c, _ := b.loop.Dial(0)
	_ = c.Send(number(1), b.front.Addr())
	b.step(ms)
	take(c)
	bad, _ := b.loop.Dial(0)
	_ = bad.Send(number(666), up.Addr())
	b.step(2 * ms)
	if got := take(c); len(got) != 0 || b.relay.Stats().Stray != 1 {
		t.Errorf("%v, %+v", got, b.relay.Stats())
	}
}

func TestOneSeedDoesTheSameTwice(t *testing.T) {
	run := func(seed uint64) string {
		b := newBench(t, func(c *relay.Config) {
			bad := link.SimConfig{LatencyMS: 20, JitterMS: 9, Loss: 0.1, Burst: 2, Dup: 0.05, Reorder: 0.05, RateKbps: 500, Seed: seed}
			c.Up, c.Down = bad, bad
			c.Down.Seed++
		})
		c, _ := b.loop.Dial(1024)
		var got []uint32
		for i := range 500 {
			_ = c.Send(number(i), b.front.Addr())
			b.step(int64(i) * 4 * ms)
			got = append(got, take(c)...)
		}
		return fmt.Sprint(got, b.relay.Stats())
	}
	if run(3) != run(3) {
		t.Error("two runs with one seed differ")
	}
	if run(3) == run(4) {
		t.Error("two seeds do the same")
	}
}

func TestFailedDialsAndBadSettings(t *testing.T) {
	b := newBench(t, func(c *relay.Config) {
		c.Dial = func() (link.Link, error) { return nil, errors.New("no sockets left") }
	})
	c, _ := b.loop.Dial(0)
	_ = c.Send(number(1), b.front.Addr())
	b.step(ms)
	if s := b.relay.Stats(); s.DialFails != 1 || s.Clients != 0 {
		t.Errorf("%+v", s)
	}
	good := relay.Config{Listen: b.front, Server: b.server.Addr(), Dial: func() (link.Link, error) { return nil, nil }}
	for want, change := range map[string]func(*relay.Config){
		"no link to listen on":          func(c *relay.Config) { c.Listen = nil },
		"no address":                    func(c *relay.Config) { c.Server = link.Addr{} },
		"up: network simulator: loss":   func(c *relay.Config) { c.Up.Loss = 2 },
		"down: network simulator: loss": func(c *relay.Config) { c.Down.Loss = -1 },
		"clients, allowed":              func(c *relay.Config) { c.Clients = -1 },
	} {
		cfg := good
		change(&cfg)
		if _, err := relay.New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
