package handshake_test

import (
	"fmt"
	"net/netip"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
)

// A client joins a server and says one thing: the way of every session.
func Example() {
	loop := link.NewLoop()
	there, _ := loop.Attach(netip.MustParseAddrPort("127.0.0.1:27960"), 0)
	here, _ := loop.Dial(0)

	key, _ := handshake.NewKey(nil)
	channel := func(s *handshake.Session, now int64) *netchan.Channel {
		c, _ := netchan.New(netchan.Config{Send: s.Send, Recv: s.Recv, Suite: netchan.Suite(s.Suite)}, now)
		return c
	}
	server, _ := handshake.NewServer(handshake.ServerConfig{
		Key: key, Suites: uint8(netchan.Suites()),
		Authentic: func(s *handshake.Session, pkt []byte) bool {
			return netchan.Authentic(netchan.Config{Recv: s.Recv, Suite: netchan.Suite(s.Suite)}, pkt)
		},
	})
	client, _ := handshake.NewClient(handshake.ClientConfig{
		Server: "my server", Suites: uint8(netchan.Suites()), Hello: []byte("anna"),
	})

	var buf [link.MaxPacket]byte
	sessions := map[link.Addr]*netchan.Channel{}
	var mine *netchan.Channel
	for now := int64(0); len(sessions) == 0; now += 16e6 {
		// The client's side of a frame.
		if pkt := client.Step(now); pkt != nil {
			_ = here.Send(pkt, there.Addr())
		}
		if mine != nil {
			pkt, _, _ := mine.Seal(nil, []byte("hello there"), now)
			_ = here.Send(pkt, there.Addr())
		}
		// The server's: sessions first, the handshake for what is left.
		for {
			n, from, ok := there.Recv(buf[:])
			if !ok {
				break
			}
			if s := sessions[from]; s != nil {
				if _, _, err := s.Open(buf[:n], now); err == nil {
					continue
				}
			}
			reply, ev := server.Handle(buf[:n], from, now)
			if reply != nil {
				_ = there.Send(reply, from)
			}
			if ev.Kind == handshake.EventConfirmed {
				sessions[from] = channel(ev.Session, now)
				said, _, _ := sessions[from].Open(buf[:n], now)
				fmt.Printf("%s says: %s\n", ev.Session.Hello, said)
			}
		}
		// The client's again.
		for {
			n, _, ok := here.Recv(buf[:])
			if !ok {
				break
			}
			if err := client.Handle(buf[:n], now); err != nil {
				fmt.Println(err)
			}
			if s := client.Session(); s != nil && mine == nil {
				mine = channel(s, now)
			}
		}
	}
	// Output: anna says: hello there
}
