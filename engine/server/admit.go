package server

import (
	"fmt"
	"io"
	"net/netip"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// doors makes one handshake for each link, so that equal addresses on two links
// stay two peers.
func (s *Server) doors(random io.Reader) error {
	for i := range s.cfg.Links {
		h, err := handshake.NewServer(handshake.ServerConfig{
			Key: s.cfg.Key, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites()), Rand: random,
			Gate: func(from netip.AddrPort, _ bool) handshake.Refusal {
				// A client that began anew on its port takes its own old slot.
				if s.byAddr[peer{i, from}] != nil {
					return handshake.Refusal{}
				}
				if s.freeSlot() < 0 {
					return handshake.Refusal{Code: handshake.Full}
				}
				if s.crowded(from.Addr()) {
					return handshake.Refusal{Code: handshake.Unwelcome, Text: tooManyOfOne}
				}
				return handshake.Refusal{}
			},
			Offer: func(from netip.AddrPort, _ []byte) (handshake.Offer, handshake.Refusal) {
				slot := s.freeSlot()
				if old := s.byAddr[peer{i, from}]; old != nil {
					slot = old.slot
				}
				if slot < 0 {
					return handshake.Offer{}, handshake.Refusal{Code: handshake.Full}
				}
				return handshake.Offer{Slot: uint16(slot), Tick: s.Tick(), TickRate: uint16(s.cfg.TickRate)}, handshake.Refusal{}
			},
			Authentic: func(se *handshake.Session, pkt []byte) bool {
				return netchan.Authentic(channelOf(se), pkt)
			},
		})
		if err != nil {
			return fmt.Errorf("server: %w", err)
		}
		s.hello = append(s.hello, h)
	}
	return nil
}

func channelOf(se *handshake.Session) netchan.Config {
	return netchan.Config{Send: se.Send, Recv: se.Recv, Suite: netchan.Suite(se.Suite)}
}

const tooManyOfOne = "too many players come from your address"

// crowded reports whether an address has as many clients as it may have.
func (s *Server) crowded(a netip.Addr) bool {
	a = a.Unmap()
	if s.cfg.PerAddress < 0 || a.IsLoopback() {
		return false
	}
	bits := 32
	if a.Is6() {
		bits = 64
	}
	of, _ := a.Prefix(bits)
	n := 0
	for _, c := range s.conns {
		if c != nil && of.Contains(c.peer.addr.Addr().Unmap().WithZone("")) {
			n++
		}
	}
	return n >= s.cfg.PerAddress
}

func (s *Server) freeSlot() int {
	for i := range s.conns {
		if s.conns[i] == nil {
			return i
		}
	}
	return -1
}

// greet handles a packet that no session has opened, and returns the client that
// it confirms, if it does; the packet is then still to be opened.
func (s *Server) greet(from peer, pkt []byte, now int64) *conn {
	reply, ev := s.hello[from.link].Handle(pkt, from.addr, now)
	if reply != nil {
		s.transmit(from, reply)
	}
	switch ev.Kind {
	case handshake.EventBroken:
		s.log.Error("handshake", "error", ev.Err)
	case handshake.EventConfirmed:
		if old := s.byAddr[from]; old != nil {
			s.forget(old, "joined anew from the same address")
		}
		ch, err := netchan.New(channelOf(ev.Session), now)
		if err != nil {
			s.log.Error("session left out", "error", err)
			return nil
		}
		var c *conn
		why := "the server is full"
		if s.crowded(from.addr.Addr()) {
			why = tooManyOfOne
		} else {
			c = s.admit(from, ch, now)
		}
		if c == nil { // the last slot went while this one was pending
			for range goodbyes {
				pkt, _ := ch.SealGoodbye(s.out[:0], why, now)
				s.transmit(from, pkt)
			}
		}
		return c
	}
	return nil
}
