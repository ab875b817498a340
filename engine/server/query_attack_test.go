package server

import (
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// Bound: while one address asks 5,000 times a second for 10 s, for a status, by a
// hello of another version and by a hello without a cookie, it is sent no more bytes
// than it sends, refusals at the rate of its network; somebody else who asks once
// per second is answered each time, garbage from a third changes nothing, and a
// player joins and is sent every snapshot.
func TestAttackQueriesFromOneAddress(t *testing.T) {
	st := newStage(t, nil)
	hello := func(change func(*handshake.ClientConfig)) []byte {
		cfg := handshake.ClientConfig{Server: "stage", Rand: random, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites())}
		change(&cfg)
		hs, err := handshake.NewClient(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return append([]byte(nil), hs.Step(st.now)...)
	}
	flood := [][]byte{
		[]byte("\xff\xff\xff\xffgetstatus"), []byte("\xff\xff\xff\xffrcon x quit"), make([]byte, 1200),
		hello(func(c *handshake.ClientConfig) { c.Protocol = handshake.Protocol + 1 }),
		hello(func(c *handshake.ClientConfig) {}),
	}
	other := hello(func(c *handshake.ClientConfig) { c.Protocol = handshake.Protocol - 1 })
	greedy, polite, third := st.dialAt("203.0.113.9:9"), st.dialAt("198.51.100.7:7"), st.dialAt("192.0.2.3:3")
	g, in, out, refused, served := st.join("Ada"), 0, 0, 0, 0
	const seconds = 10
	var buf [link.MaxPacket]byte
	for tick := range seconds * rate {
		for k := range 5000 / rate {
			pkt := flood[(tick+k)%len(flood)]
			greedy.Send(pkt, st.at)
			in += len(pkt)
		}
		if tick%rate == 0 {
			polite.Send(other, st.at)
		}
		if tick%6 == 0 {
			third.Send([]byte(fmt.Sprintf("\xff\xff\xff\xffrcon %d", tick)), st.at)
		}
		st.run(1)
		for n, _, ok := greedy.Recv(buf[:]); ok; n, _, ok = greedy.Recv(buf[:]) {
			if out += n; buf[0] == 0xA3 {
				refused++
			}
		}
		n, _ := drain(polite)
		served += n
	}
	if n, _ := drain(third); n != 0 {
		t.Errorf("garbage was answered %d times", n)
	}
	if out > in || out == 0 || refused > 8+2*seconds+1 {
		t.Errorf("%d bytes answered with %d, %d refusals", in, out, refused)
	}
	if served != seconds {
		t.Errorf("the other was answered %d times of %d", served, seconds)
	}
	if g.wel == nil || g.snap < seconds*rate*9/10/4 || st.seated() != 1 {
		t.Errorf("the player: welcome %v, %d snapshots, %d seated", g.wel != nil, g.snap, st.seated())
	}
}
